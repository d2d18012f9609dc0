//! Entry functions, needs and SDK findings (ifc-extension.md §6.1, §6.3).

use std::collections::BTreeMap;

use holdpoint_check::FixTarget;
use holdpoint_js::{Binding, EntryFunction};
use holdpoint_sdk::capability::Capability;

use super::{findings, report};
use crate::code::{EntryModule, Role, analyse};

/// `CALL CAPABILITY`, a question mark behind what is dynamic.
fn needs(code: &str) -> String {
    let report = report(code);
    let rows: Vec<String> = report
        .needs
        .iter()
        .map(|need| {
            let capability = need.capability.as_ref().map_or("-", Capability::canonical);
            format!("{} {capability}{}", need.call, if need.dynamic { "?" } else { "" })
        })
        .collect();
    rows.join("; ")
}

#[test]
fn what_code_asks_for_it_does_without() {
    let cases = [
        ("export default (ctx) => ctx.can('viewer.select') && ctx.bim.viewer.select([])", true),
        ("export default (ctx) => { ctx.bim.viewer.select([]); return ctx.can('viewer.select') }", true),
        ("export default (ctx) => ctx.can('viewer.read') && ctx.bim.viewer.select([])", false),
        ("export default (ctx) => ctx.can('model.mutate:S') && ctx.bim.mutate.setProperty({}, 'S', 'A', 1)", true),
        ("export default (ctx) => ctx.can('model.mutate:S.B') && ctx.bim.mutate.setProperty({}, 'S', 'A', 1)", false),
    ];
    for (code, want) in cases {
        let needs = report(code).needs;
        let asked: Vec<bool> = needs.iter().filter(|need| need.capability.is_some()).map(|need| need.asked).collect();
        assert_eq!(asked, [want], "{code}");
    }
}

#[test]
fn what_code_needs() {
    let cases = [
        ("export default (c) => c.bim.query.all()", "bim.query.all model.read"),
        ("export default ({ bim: { viewer: v } }) => v.select([])", "bim.viewer.select viewer.select"),
        ("export default (ctx) => ctx['b' + 'im']?.query?.['all']()", "bim.query.all model.read"),
        ("const f = (c) => c.viewer.hide([]); export default (ctx) => f(ctx.bim)", "bim.viewer.hide viewer.isolate"),
        ("export default (ctx) => [].map(ctx.bim.query.storey)", "bim.query.storey model.read"),
        (
            "export default (ctx) => { for (const p of ['A', 'B']) ctx.bim.mutate.setProperty({}, 'S', p, 1) }",
            "bim.mutate.setProperty model.mutate:S.A; bim.mutate.setProperty model.mutate:S.B",
        ),
        (
            "export default (ctx, a) => ctx.bim.mutate.setProperty({}, 'S', a.n, 1)",
            "bim.mutate.setProperty model.mutate:S.*?",
        ),
        (
            "export default (ctx, a) => ctx.bim.export.download('', `${a.n}.csv`)",
            "bim.export.download export.create:csv",
        ),
        (
            "export default (ctx, a) => ctx.bim.export.download('', a.n ? 'a.csv' : 'b.json')",
            "bim.export.download export.create:csv; bim.export.download export.create:json",
        ),
        ("export default (ctx, a) => ctx.bim.export.download('', a.n)", "bim.export.download export.create:*?"),
        ("export default (ctx) => ctx.fetch('https://A.example.org/x')", "ctx.fetch network.fetch:a.example.org"),
        ("export default (ctx) => ctx.notify('x')", "ctx.notify -"),
    ];
    for (code, want) in cases {
        assert_eq!(needs(code), want, "{code}");
    }
}

#[test]
fn sdk_findings() {
    let cases = [
        ("export default (c) => c.model", "1:25-1:30 CODE_CTX_FIELD"),
        ("export default (ctx) => ctx.log.trace('x')", "1:33-1:38 CODE_CTX_FIELD"),
        ("export default ({ query }) => query", "1:19-1:24 CODE_CTX_FIELD"),
        ("export default (ctx) => ctx.bim.query.byId(1)", "1:39-1:43 CODE_SDK_METHOD"),
        ("export default (ctx, a) => ctx.bim.query.property(...a)", ""),
        ("export default (ctx) => ctx.bim.query.property({})", "1:25-1:51 CODE_SDK_ARGUMENTS"),
        ("export default (ctx) => ({ b: ctx.bim })", "1:31-1:38 CODE_SDK_ESCAPES"),
        ("export default (ctx) => Object.keys(ctx)", "1:37-1:40 CODE_SDK_ESCAPES"),
        ("export default ({ log, ...rest }) => log.info(rest)", "1:24-1:31 CODE_SDK_ESCAPES"),
        ("export default (ctx) => { const n = ctx.meta.locale; ctx.log.info([n]) }", ""),
        ("export default (ctx) => { let b; b = ctx.bim; return b.query.count() }", ""),
        ("export default (ctx) => { for (let i = 0; i < 3; i++) ctx.fetch(`https://a.example.org/?p=${i * 10}`) }", ""),
        ("export default (ctx, a) => ctx.fetch(`https://a.example.org/${a}`)", "1:38-1:66 CODE_FETCH_URL"),
        ("export default (ctx) => ctx.fetch('https://a.example.org:8443/')", "1:35-1:64 CODE_FETCH_URL"),
        ("export default (ctx) => ctx.bim.export.download('', 'a.exe')", "1:53-1:60 CAPABILITY_TARGET_INVALID"),
    ];
    for (code, want) in cases {
        assert_eq!(findings(code), want, "{code}");
    }
}

#[test]
fn hints_name_the_nearest() {
    let report = report("export default (ctx) => ctx.bim.query.byTipe('IfcDoor')");
    let finding = &report.diagnostics[0];
    assert!(finding.hint.as_deref().is_some_and(|hint| hint.starts_with("Nearest: byType. Allowed: all, ")));
    assert!(finding.fix.is_some());
}

#[test]
fn a_misspelled_name_is_mended_where_it_stands() {
    let cases = [
        ("export default (ctx) => ctx.bim.query.byTipe('IfcDoor')", "byType"),
        ("export default (ctx) => ctx.bim['modle'].list()", "\"model\""),
        ("export default ({ bim: { modle } }) => modle.list()", "model: modle"),
        ("export default ({ bim: { modle = null } }) => modle.list()", "model: modle"),
        ("export default ({ bim: { modle: m } }) => m.list()", "model"),
        ("export default ({ bim: { 'modle': m } }) => m.list()", "\"model\""),
        ("export default (ctx) => { const { byTipe } = ctx.bim.query; return byTipe('IfcDoor') }", "byType: byTipe"),
    ];
    for (code, want) in cases {
        let report = report(code);
        let fix = report.diagnostics[0].fix.as_ref().and_then(|fixes| fixes.first());
        let text = fix.map(|fix| match &fix.target {
            FixTarget::Text { text, .. } => text.as_str(),
            FixTarget::Value { .. } => "",
        });
        assert_eq!(text, Some(want), "{code}");
    }
}

#[test]
fn entry_functions() {
    let export = |module: &str, name: &str| {
        Some(EntryFunction { module: module.to_owned(), binding: Binding::Export(name.to_owned()) })
    };
    let local = Some(EntryFunction { module: "a.js".to_owned(), binding: Binding::Local("run".to_owned()) });
    let cases = [
        ("export default function () {}", export("a.js", "default")),
        ("export default () => 1", export("a.js", "default")),
        ("const f = () => 1; export { f as default }", export("a.js", "default")),
        ("function f() {} export default f", export("a.js", "default")),
        ("function run() {}", local.clone()),
        ("const run = async () => 1", local),
        ("export const run = function () {}", export("a.js", "run")),
        ("export default 42; export function run() {}", export("a.js", "run")),
        ("export { default } from './b.js'", export("b.js", "default")),
        ("export { go as default } from './b.js'", export("b.js", "go")),
        ("import { go } from './b.js'; export default go", export("b.js", "go")),
        ("export * from './b.js'", export("b.js", "run")),
        ("export { x as default } from './a.js'; export { default as x } from './a.js'", None),
        ("let run = () => 1", None),
        ("export class run {}", None),
        ("{ function run() {} }", None),
    ];
    for (code, want) in cases {
        let files = BTreeMap::from([
            ("a.js".to_owned(), code.to_owned()),
            ("b.js".to_owned(), "export default () => 1; export function go() {} export const run = go2; function go2() {} export { run2 as run3 }; const run2 = () => 1;".replace("export const run = go2;", "export const run = () => 2;")),
        ]);
        let entry = EntryModule { path: "a.js".to_owned(), role: Role::Run };
        assert_eq!(analyse(&files, std::slice::from_ref(&entry)).entries[&entry], want, "{code}");
    }
}

#[test]
fn imports_and_other_modules() {
    let files = BTreeMap::from([
        (
            "src/a.js".to_owned(),
            "import { go, HOST } from './lib/b.js'; export default (c) => { go(c.bim); return c.fetch(HOST + '/x') }"
                .to_owned(),
        ),
        (
            "src/lib/b.js".to_owned(),
            "export const HOST = 'https://a.example.org'; export function go(b) { return b.query.selection() }"
                .to_owned(),
        ),
        ("src/c.js".to_owned(), "export const late = () => import('./lib/b.js'); // broken below".to_owned()),
        ("src/d.js".to_owned(), "export const = 1".to_owned()),
    ]);
    let entry = EntryModule { path: "src/a.js".to_owned(), role: Role::Run };
    let report = analyse(&files, &[entry]);
    let rows: Vec<String> = report
        .needs
        .iter()
        .map(|need| format!("{} {}", need.path, need.capability.as_ref().map_or("-", Capability::canonical)))
        .collect();
    assert_eq!(rows, ["src/a.js network.fetch:a.example.org", "src/lib/b.js viewer.read"]);
    assert!(report.imports["src/a.js"].contains("src/lib/b.js"));
    assert!(report.imports["src/c.js"].contains("src/lib/b.js"));
    let codes: Vec<&str> = report.diagnostics.iter().map(|finding| finding.code.as_ref()).collect();
    assert_eq!(codes, ["CODE_SYNTAX"]);
}
