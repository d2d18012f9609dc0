//! What a bundler breaks off at in files that the page reaches, each as a change of a template (spec: vite-app.md §5.4,
//! §5.5, §6).
#![allow(clippy::unwrap_used)] // what does not hold ends the test

use holdpoint_kind_app::options::{RawCatalog, RawOptions};
use holdpoint_kind_app::{check, packs};

/// Codes and places of the errors of `blank-react` with these files, whose entry loads `./probe` too.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let raw = RawOptions { catalog: Some(RawCatalog::Version("2026-11".to_owned())), ..RawOptions::default() };
    let pack = packs::find("blank-react").unwrap();
    let mut project = pack.files.clone();
    project.get_mut("src/main.tsx").unwrap().insert_str(0, "import './probe';\n");
    project.insert("src/probe.tsx".to_owned(), String::new());
    project.extend(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    let report = check::check(&project, Some("src/main.tsx"), &raw.resolve().unwrap());
    let errors = report.diagnostics.into_iter().filter(holdpoint_check::Diagnostic::is_error);
    errors.map(|one| format!("{} {}", one.code, one.path.unwrap_or_default())).collect()
}

fn none(files: &[(&str, &str)]) {
    assert_eq!(found(files), [""; 0], "{files:?}");
}

fn one(want: &str, files: &[(&str, &str)]) {
    assert_eq!(found(files), [want], "{files:?}");
}

const PROBE: &str = "src/probe.tsx";

#[test]
fn names_are_those_that_a_module_gives() {
    let math = ("src/m.ts", "export const a = 1; export type T = 1; export default 2;");
    let barrel = ("src/b.ts", "export * from './m'; export { default as d } from './m';");
    none(&[(PROBE, "import d, { a, T } from './m'; export const b: T = a; d;"), math]);
    none(&[(PROBE, "import { a, d } from './b'; import * as all from './b'; a + d + all.x;"), barrel, math]);
    none(&[(PROBE, "import { any } from './c.cjs'; any();"), ("src/c.cjs", "module.exports = {};")]);
    none(&[(PROBE, "import { a } from './d.json'; a;"), ("src/d.json", "{\"a\": 1}")]);
    let missing = "IMPORT_NAME_MISSING src/probe.tsx";
    one(missing, &[(PROBE, "import { gone } from './m'; gone;"), math]);
    one(missing, &[(PROBE, "import d from './b'; d;"), barrel, math]);
    one(missing, &[(PROBE, "import { a } from './e'; a;"), ("src/e.ts", "console.log(1)")]);
    one(missing, &[(PROBE, "import { b } from './d.json'; b;"), ("src/d.json", "{\"a\": 1}")]);
    one(missing, &[(PROBE, "import s from './p.css'; s.a;"), ("src/p.css", ".a { }")]);
    one(missing, &[(PROBE, "import { A } from './l.svg'; A;"), ("src/l.svg", "<svg/>")]);
    one("IMPORT_NAME_MISSING src/b.ts", &[(PROBE, "import './b';"), ("src/b.ts", "export { T } from './m';"), math]);
    none(&[("src/unreached.ts", "import { gone } from './m'; gone;"), math]);
    // Two barrels that pass each other on end the search.
    one(
        missing,
        &[
            (PROBE, "import { x } from './f'; x;"),
            ("src/f.ts", "export * from './g'"),
            ("src/g.ts", "export * from './f'"),
        ],
    );
}

#[test]
fn files_of_other_kinds_are_no_modules() {
    none(&[(PROBE, "import a from './a.md?raw'; a;"), ("src/a.md", "# a")]);
    one("IMPORT_NOT_A_MODULE src/probe.tsx", &[(PROBE, "import './a.md';"), ("src/a.md", "# a")]);
    one("JSON_INVALID shared/d.json", &[(PROBE, "import d from '../shared/d.json'; d;"), ("shared/d.json", "{,}")]);
    none(&[("shared/d.json", "{,}")]);
}

#[test]
fn what_parses_and_is_no_program_is_refused() {
    for text in [
        "const a = 1; a = 2;",
        "import { a } from './m'; a = 2;",
        "export const a = <b:c />;",
        "export { nothing };",
        "const a = 1; export { a, a };",
    ] {
        one("SYNTAX_ERROR src/probe.tsx", &[(PROBE, text), ("src/m.ts", "export let a = 1;")]);
    }
    none(&[(PROBE, "let a = 1; a = 2; for (const b of [a]) b; export const c = <use xlink:href=\"#a\" />;")]);
}

#[test]
fn styles_are_rules_and_declarations() {
    one("SYNTAX_ERROR src/p.css", &[(PROBE, "import './p.css';"), ("src/p.css", "a { color red }")]);
    none(&[("src/p.css", "a { color red }")]);
    none(&[
        (PROBE, "import './p.css';"),
        ("src/p.css", "@import './q'; a { &:hover { color: red } }"),
        ("src/q.css", ""),
    ]);
}

#[test]
fn an_asset_is_no_folder() {
    let page = |more: &str| format!("<!doctype html>{more}<script type=\"module\" src=\"/src/main.tsx\"></script>");
    one("ASSET_IS_FOLDER index.html", &[("index.html", &page("<link rel=canonical href=/>"))]);
    one("ASSET_IS_FOLDER index.html", &[("index.html", &page("<img src=\"./src/\">"))]);
    none(&[("index.html", &page("<link rel=canonical href=\"https://a.example.test/\"><img src=\"\">"))]);
    one("SYNTAX_ERROR index.html", &[("index.html", &page("<style>a { color red }</style>"))]);
}

#[test]
fn configurations_name_what_is_there() {
    let unusable = "BUILD_CONFIG_UNUSABLE tsconfig.json";
    one(unusable, &[("tsconfig.json", "{\"extends\": \"./gone.json\"}")]);
    one(unusable, &[("tsconfig.json", "{\"extends\": [\"@tsconfig/strictest/tsconfig.json\"]}")]);
    one(unusable, &[("tsconfig.json", "{\"references\": [{\"path\": \"./tsconfig.node.json\"}]}")]);
    none(&[("tsconfig.json", "{\"extends\": \"./tsconfig.base\"}"), ("tsconfig.base.json", "{}")]);
    one("BUILD_CONFIG_UNUSABLE postcss.config.js", &[("postcss.config.js", "module.exports = { plugins: [] };")]);
    none(&[("postcss.config.cjs", "module.exports = { plugins: { gone: false } };")]);
    let plugin = "export default { plugins: { autoprefixer: {} } };";
    one("IMPORT_UNDECLARED postcss.config.mjs", &[("postcss.config.mjs", plugin)]);
}

#[test]
fn a_worker_is_found_as_an_import_is() {
    let worker = ("src/w.ts", "postMessage(1)");
    none(&[(PROBE, "new Worker(new URL('./w.js', import.meta.url));"), worker]);
    one("IMPORT_UNRESOLVED src/probe.tsx", &[(PROBE, "new Worker(new URL('./v.js', import.meta.url));"), worker]);
}
