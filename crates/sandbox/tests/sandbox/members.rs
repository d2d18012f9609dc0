//! Every member: works with exactly its capability, is denied without it, refuses wrong arguments.
//! What writes stands in `written`.

use holdpoint_sandbox::{built, child::Runner};
use holdpoint_sdk::{
    members::{CtxKind, sdk},
    run::{Entry, EntryKind, NetworkResponse, NetworkStub, Selected},
};
use serde_json::{Value, json};

use crate::{Case, HOUSE, add, code, program, run, run_program, value};

pub const CASES: &[Case] = &[
    ("members::each_needs_exactly_its_capability", each_needs_exactly_its_capability),
    ("members::all_of_the_data_is_built", all_of_the_data_is_built),
    ("members::queries_read_the_fixture", queries_read_the_fixture),
    ("members::entities_have_both_spellings", entities_have_both_spellings),
    ("members::viewer_calls_become_effects", viewer_calls_become_effects),
    ("members::exports_have_rules", exports_have_rules),
    ("members::ctx_members_work", ctx_members_work),
    ("members::entry_functions_get_their_arguments", entry_functions_get_their_arguments),
    ("members::default_async_arrows_are_called", default_async_arrows_are_called),
    (
        "members::what_is_not_there_to_be_taken_apart_is_said_at_its_line",
        what_is_not_there_to_be_taken_apart_is_said_at_its_line,
    ),
    ("members::entry_functions_are_found", entry_functions_are_found),
];

/// Member, its capability, a call that works, a call with wrong arguments. `E` is a wall.
const CALLS: &[(&str, &str, &str, &str)] = &[
    ("bim.model.list", "model.read", "", "1"),
    ("bim.model.active", "model.read", "", "1"),
    ("bim.model.activeId", "model.read", "", "1"),
    ("bim.query.all", "model.read", "", "1"),
    ("bim.query.byType", "model.read", "'IfcWall'", "5"),
    ("bim.query.count", "model.read", "'IfcWall'", "'IfcWal'"),
    ("bim.query.entity", "model.read", "M, 1", "M"),
    ("bim.query.byGlobalId", "model.read", "'none'", ""),
    ("bim.query.attributes", "model.read", "E", "'E'"),
    ("bim.query.properties", "model.read", "E", ""),
    ("bim.query.typeProperties", "model.read", "E", "null"),
    ("bim.query.property", "model.read", "E, 'Pset_WallCommon', 'FireRating'", "E, 'Pset_WallCommon'"),
    ("bim.query.quantities", "model.read", "E", "1"),
    ("bim.query.quantity", "model.read", "E, 'A', 'B'", "E, 'A', 2"),
    ("bim.query.classifications", "model.read", "E", "{}"),
    ("bim.query.materials", "model.read", "E", "[E]"),
    ("bim.query.documents", "model.read", "E", "E, E"),
    ("bim.query.relationships", "model.read", "E", ""),
    (
        "bim.query.related",
        "model.read",
        "E, 'IfcRelContainedInSpatialStructure', 'inverse'",
        "E, 'IfcRelVoidsElement', 'up'",
    ),
    ("bim.query.containedIn", "model.read", "E", "true"),
    ("bim.query.contains", "model.read", "E", "undefined"),
    ("bim.query.decomposedBy", "model.read", "E", "() => 1"),
    ("bim.query.decomposes", "model.read", "E", "{ ref: 1 }"),
    ("bim.query.storey", "model.read", "E", "{ ref: { modelId: 1, expressId: 1 } }"),
    ("bim.query.path", "model.read", "E", "{ modelId: M }"),
    ("bim.query.storeys", "model.read", "", "'x'"),
    ("bim.query.selection", "viewer.read", "", "1"),
    ("bim.viewer.selection", "viewer.read", "", "1"),
    ("bim.viewer.select", "viewer.select", "[E]", "E"),
    ("bim.viewer.colorize", "viewer.colorize", "[E], 'red'", "[E], 'reddish'"),
    ("bim.viewer.colorizeAll", "viewer.colorize", "[{ entities: [E], color: '#00FF00' }]", "[{ entities: [E] }]"),
    ("bim.viewer.resetColors", "viewer.colorize", "", "1"),
    ("bim.viewer.camera", "viewer.read", "", "1"),
    ("bim.viewer.hide", "viewer.isolate", "[E]", "E"),
    ("bim.viewer.show", "viewer.isolate", "[E]", "[1]"),
    ("bim.viewer.isolate", "viewer.isolate", "[]", "'all'"),
    ("bim.viewer.resetVisibility", "viewer.isolate", "", "1"),
    ("bim.viewer.flyTo", "viewer.fly", "[E]", ""),
    (
        "bim.viewer.setCamera",
        "viewer.fly",
        "{ position: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1] }",
        "{ position: [1, 2], target: [0, 0, 0], up: [0, 0, 1] }",
    ),
    ("bim.viewer.section", "viewer.section", "{ axis: 'z', offset: 1.2 }", "{ axis: 'w', offset: 1.2 }"),
    (
        "bim.viewer.section",
        "viewer.section",
        "{ point: [0, 0, 1], normal: [0, 0, 1] }",
        "{ point: [0, 0, 1], normal: [0, 0, 0] }",
    ),
    ("bim.viewer.clearSection", "viewer.section", "", "1"),
    ("bim.files.list", "files.read", "", "1"),
    ("bim.files.text", "files.read", "'a.csv'", "1"),
    ("bim.files.csv", "files.read", "'a.csv'", ""),
    ("bim.files.csvColumns", "files.read", "'a.csv'", "null"),
    ("bim.schedule.data", "model.read", "", "1"),
    ("bim.schedule.tasks", "model.read", "M", "{}"),
    ("bim.schedule.workSchedules", "model.read", "", "1"),
    ("bim.schedule.sequences", "model.read", "undefined", "[]"),
    ("bim.model.loadIfc", "model.create", "IFC, 'b.ifc'", "'no IFC', 'b.ifc'"),
    ("bim.model.loadIfc", "model.create", "IFC, 'b.ifc'", "IFC, 'a/b.ifc'"),
    ("bim.export.ifc", "export.create:ifc", "[E]", "[E], { filename: 'a.csv' }"),
    ("ctx.fetch", "network.fetch:example.org", "'https://example.org/a'", "'https://example.org/a', { method: 'PUT' }"),
    (
        "ctx.fetch",
        "network.fetch:example.org",
        "'https://example.org/a', { headers: { accept: 'text/plain' }, timeoutMs: 10 }",
        "'https://example.org/a', { headers: { Cookie: 'a=b' } }",
    ),
    ("bim.export.csv", "export.create:csv", "[{ a: 1 }], { columns: ['a'] }", "[{ a: 1 }], {}"),
    ("bim.export.json", "export.create:json", "[{ a: 1 }], {}", "[1], {}"),
    ("bim.export.download", "export.create:txt", "'a', 'b.txt'", "'a', 'b/c.txt'"),
    ("ctx.storage.get", "storage.local", "'k'", "1"),
    ("ctx.storage.set", "storage.local", "'k', 1", "'k', () => 1"),
    ("ctx.storage.delete", "storage.local", "'k'", ""),
    ("ctx.storage.keys", "storage.local", "", "1"),
];

fn body(path: &str, args: &str) -> String {
    let path = if path.starts_with("bim.") { format!("ctx.{path}") } else { path.to_owned() };
    format!(
        "const M = '{HOUSE}', E = {{ modelId: M, expressId: args.wall }}, IFC = args.ifc;
         try {{ await {path}({args}); return 'fine'; }} catch (e) {{
             return [e.name, e.code, e instanceof Error, typeof e.message, e.details.required ?? null]; }}"
    )
}

fn call(runner: &mut Runner, path: &str, args: &str, grants: &[&str]) -> Value {
    let mut program = program(&format!("export default async (ctx, args) => {{ {} }}", body(path, args)), grants);
    let wall = value(runner, "return ctx.bim.query.byType('IfcWall')[0].ref.expressId;", &["model.read"]);
    let ifc = holdpoint_model::fixtures::write("empty-model").unwrap();
    program.args = Some(json!({"wall": wall, "ifc": ifc}));
    program.files.insert("a.csv".to_owned(), "a;b\n1;2\n".to_owned());
    let response = NetworkResponse { status: 200, headers: serde_json::Map::new(), body: "{}".to_owned() };
    let stub = NetworkStub { url: "https://example.org/a".to_owned(), method: "GET".to_owned(), response };
    program.network = Some(vec![stub]);
    let outcome = run_program(runner, &program);
    outcome.value.unwrap_or_else(|| json!({"failed": outcome.failure}))
}

fn each_needs_exactly_its_capability(runner: &mut Runner) {
    let is_reading =
        |path: &&str| !["bim.create.", "bim.store.", "bim.mutate."].iter().any(|prefix| path.starts_with(prefix));
    let free = ["bim.lens.presets", "ctx.can", "ctx.notify", "ctx.t", "ctx.onDispose", "ctx.commands.invoke"];
    let needy = built::members().filter(is_reading).filter(|path| !free.contains(path));
    let needy = needy.filter(|path| !path.starts_with("ctx.log.") && !path.starts_with("ctx.ui."));
    let listed: Vec<&str> = CALLS.iter().map(|(path, ..)| *path).collect();
    assert_eq!(needy.filter(|path| !listed.contains(path)).collect::<Vec<_>>(), Vec::<&str>::new(), "not tested");
    for (path, capability, right, wrong) in CALLS {
        assert_eq!(call(runner, path, right, &[capability]), json!("fine"), "{path}");
        let others =
            ["model.read", "viewer.read", "viewer.select", "viewer.colorize", "export.create:csv", "storage.local"];
        let others: Vec<&str> = others.into_iter().filter(|other| other != capability).collect();
        let denied = json!(["SdkError", "CAPABILITY_DENIED", true, "string", capability]);
        assert_eq!(call(runner, path, right, &others), denied, "{path}");
        let refused = call(runner, path, wrong, &[capability]);
        assert_eq!(refused[1], json!("SDK_ARGUMENT"), "{path}: {refused}");
    }
}

fn all_of_the_data_is_built(runner: &mut Runner) {
    let of_bim = sdk().namespaces.iter().flat_map(|namespace| {
        namespace.methods.iter().map(move |method| format!("bim.{}.{}", namespace.name, method.name))
    });
    let of_ctx = sdk().ctx.iter().flat_map(|member| match &member.kind {
        CtxKind::Method(method) => vec![format!("ctx.{}", method.name)],
        CtxKind::Group(methods) => {
            methods.iter().map(|method| format!("ctx.{}.{}", member.name, method.name)).collect()
        }
        CtxKind::Bim | CtxKind::Fields(_) => Vec::new(),
    });
    let missing: Vec<String> = of_bim.chain(of_ctx).filter(|path| !built::is_built(path)).collect();
    assert_eq!(missing, Vec::<String>::new());
    let uncaught = run(runner, "ctx.bim.query.all();", &[]);
    assert_eq!(code(&uncaught), "CAPABILITY_DENIED");
    assert_eq!(uncaught.failure.unwrap().sdk_code.as_deref(), Some("CAPABILITY_DENIED"));
}

fn queries_read_the_fixture(runner: &mut Runner) {
    let body = "const q = ctx.bim.query;
        return q.storeys().map((s) => { const walls = q.byType('IfcWall').filter((w) => q.storey(w)?.name === s.name);
            return [s.name, walls.length, walls.filter((w) => q.property(w, 'Pset_WallCommon', 'FireRating') != null).length]; });";
    assert_eq!(
        value(runner, body, &["model.read"]),
        json!([["Ground floor", 7, 3], ["First floor", 6, 2], ["Roof", 0, 0]])
    );
    let body = "const q = ctx.bim.query; const none = { modelId: ctx.bim.model.activeId(), expressId: 4000000 };
        return [q.count('ifcdoor'), q.count('IfcPipeSegment'), q.storey(none), q.contains(none), q.property(none, 'a', 'b'),
            q.entity('no', 1), q.byGlobalId(q.byType('IfcDoor')[0].GlobalId).type, q.storeys().map(q.contains).length,
            ctx.bim.model.active().schema, q.path(q.byType('IfcWall')[0])[0].type];";
    assert_eq!(
        value(runner, body, &["model.read"]),
        json!([7, 0, null, [], null, null, "IfcDoor", 3, "IFC4", "IfcProject"])
    );
}

fn entities_have_both_spellings(runner: &mut Runner) {
    let body = "const w = ctx.bim.query.byType('IfcWall')[0];
        return [Object.keys(w), w.GlobalId === w.globalId, w.Name === w.name, w.Type, w.Description, 'ObjectType' in w, Object.keys(w.ref)];";
    let keys = ["ref", "globalId", "type", "name", "description", "objectType", "tag", "predefinedType"];
    let have = value(runner, body, &["model.read"]);
    assert_eq!((&have[0], &have[1], &have[2]), (&json!(keys), &json!(true), &json!(true)));
    assert_eq!((&have[5], &have[6]), (&json!(true), &json!(["modelId", "expressId"])));
}

fn viewer_calls_become_effects(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, v = ctx.bim.viewer, doors = q.byType('IfcDoor').slice(0, 2), walls = q.byType('IfcWall').slice(0, 1);
        v.select([...doors, ...walls]); v.colorizeAll([{ entities: doors, color: 'RED' }, { entities: walls, color: '#00FF00' }]); v.resetColors();
        return [v.selection().map((e) => e.type)];";
    let outcome = run(runner, body, &["model.read", "viewer.read", "viewer.select", "viewer.colorize"]);
    assert_eq!(outcome.value, Some(json!([["IfcDoor", "IfcDoor", "IfcWall"]])));
    let viewer = outcome.effects.viewer;
    assert_eq!(
        (&viewer[0]["op"], &viewer[0]["count"], &viewer[0]["types"]),
        (&json!("select"), &json!(3), &json!(["IfcDoor", "IfcWall"]))
    );
    assert_eq!(
        (&viewer[1]["color"], &viewer[2]["color"], &viewer[3]),
        (&json!("red"), &json!("#00ff00"), &json!({"op": "resetColors"}))
    );
    let gone = format!("ctx.bim.viewer.select([{{ modelId: '{HOUSE}', expressId: 4000000 }}]);");
    let outcome = run(runner, &gone, &["viewer.select"]);
    assert_eq!(outcome.failure.unwrap().sdk_code.as_deref(), Some("SDK_NOT_FOUND"));
}

fn exports_have_rules(runner: &mut Runner) {
    let body = "return ctx.bim.export.csv([{ n: 'a,b', v: 1 }, { n: 'say \"hi\"', v: null }, { n: '=1+1', v: -2 }],
        { columns: ['n', { title: 'Value', field: 'v' }], filename: 'x.csv' });";
    let outcome = run(runner, body, &["export.create:csv"]);
    let text = "n,Value\n\"a,b\",1\n\"say \"\"hi\"\"\",\n'=1+1,-2\n";
    assert_eq!(outcome.value, Some(json!(text)));
    assert_eq!(
        outcome.effects.exports,
        [json!({"filename": "x.csv", "format": "csv", "mimeType": "text/csv", "text": text, "bytes": text.len()})]
    );
    let body = "const walls = ctx.bim.query.byType('IfcWall').slice(0, 1);
        return ctx.bim.export.csv(walls, { columns: ['type', 'storey', 'Pset_WallCommon.FireRating'], separator: ';' });";
    let csv = value(runner, body, &["model.read", "export.create:csv"]);
    assert!(
        csv.as_str()
            .is_some_and(|csv| csv.starts_with("type;storey;Pset_WallCommon.FireRating\nIfcWall;Ground floor;")),
        "{csv}"
    );
    for name in ["a/b.csv", "..", "con.csv", "a\\\\b.csv", "", "a.txt", "a.csv ", "lpt1.x.csv"] {
        let body = format!("ctx.bim.export.csv([], {{ columns: ['a'], filename: '{name}' }});");
        let outcome = run(runner, &body, &["export.create:*"]);
        assert_eq!(outcome.failure.unwrap().sdk_code.as_deref(), Some("SDK_ARGUMENT"), "{name}");
    }
    let outcome =
        run(runner, "for (let i = 0; i < 21; i++) ctx.bim.export.download('a', i + '.txt');", &["export.create:txt"]);
    assert_eq!(outcome.failure.unwrap().sdk_code.as_deref(), Some("SDK_LIMIT"));
    let outcome = run(runner, "ctx.bim.export.download('a', 'a.txt');", &["export.create:csv"]);
    assert_eq!(code(&outcome), "CAPABILITY_DENIED");
}

fn ctx_members_work(runner: &mut Runner) {
    let source = "export default async (ctx, args) => {
        ctx.notify('Done', { tone: 'success' }); ctx.ui.update('dock', { n: 1 }); ctx.onDispose(() => 0);
        await ctx.storage.set('k', { a: [1] });
        const other = await ctx.commands.invoke('own', { n: 20 });
        let depth = 0; try { await ctx.commands.invoke('deep'); } catch (e) { depth = e.code; }
        let foreign = 0; try { await ctx.commands.invoke('acme.other'); } catch (e) { foreign = e.code; }
        return [ctx.can('storage.local'), ctx.can('model.read'), ctx.t('hello', { name: 'Bo' }), ctx.t('none'), ctx.meta.extensionId,
            await ctx.storage.get('k'), await ctx.storage.keys(), await ctx.storage.get('none'), other, depth, foreign]; };";
    let mut program = program(source, &["storage.local", "command.invoke:acme.*"]);
    program.l10n.entry("en".to_owned()).or_default().insert("hello".to_owned(), "Hello {name}{none}!".to_owned());
    for (id, text) in [
        ("own", "const run = (ctx, args) => args.n + 1;"),
        ("deep", "export default async (ctx) => await ctx.commands.invoke('deep');"),
    ] {
        add(&mut program, &format!("src/{id}.js"), text);
        program.commands.insert(id.to_owned(), Entry { module: format!("src/{id}.js"), function: "run".to_owned() });
    }
    let outcome = run_program(runner, &program);
    assert_eq!(
        outcome.value,
        Some(
            json!([true, false, "Hello Bo!", "none", "t.meta", {"a": [1]}, ["k"], null, 21, "SDK_LIMIT", "SDK_NOT_FOUND"])
        ),
        "{:?}",
        outcome.failure
    );
    assert_eq!(outcome.effects.notifications, [json!({"message": "Done", "tone": "success"})]);
    assert_eq!(outcome.effects.ui, [json!({"op": "update", "dock": "dock", "state": {"n": 1}})]);
    assert_eq!((outcome.effects.storage_writes, outcome.effects.storage["k"].clone()), (1, json!({"a": [1]})));
    for (body, want) in [
        ("for (let i = 0; i < 6; i++) ctx.notify('a');", "SDK_LIMIT"),
        ("ctx.notify('a'.repeat(301));", "SDK_LIMIT"),
        ("ctx.ui.open('other');", "SDK_NOT_FOUND"),
        ("ctx.can('nonsense');", "SDK_ARGUMENT"),
        ("await ctx.storage.set('k', 'x'.repeat(70000));", "SDK_LIMIT"),
        ("await ctx.storage.set('k'.repeat(101), 1);", "SDK_LIMIT"),
        ("await ctx.commands.invoke('foreign.command');", "CAPABILITY_DENIED"),
        ("await ctx.fetch('https://example.org/');", "CAPABILITY_DENIED"),
    ] {
        let outcome = run(runner, body, &["storage.local"]);
        assert_eq!(outcome.failure.unwrap().sdk_code.as_deref(), Some(want), "{body}");
    }
}

fn entry_functions_get_their_arguments(runner: &mut Runner) {
    let mut one = program(
        "export default (ctx, args) => [Object.keys(args), args.entities?.length ?? null, args.options ?? null, args.event ?? null];",
        &[],
    );
    for (kind, args, want) in [
        (EntryKind::Lens, None, json!([["entities"], 35, null, null])),
        (EntryKind::Exporter, Some(json!({"unit": "m"})), json!([["entities", "options"], 35, {"unit": "m"}, null])),
        (
            EntryKind::Trigger,
            Some(json!({"event": "onModelLoad"})),
            json!([["modelId", "event"], null, null, "onModelLoad"]),
        ),
    ] {
        (one.kind, one.args) = (kind, args);
        assert_eq!(run_program(runner, &one).value, Some(want), "{kind:?}");
    }
    let name = value(runner, "return ctx.bim.query.byType('IfcDoor')[0].name;", &["model.read"]);
    one.selection = vec![Selected::Name(name.as_str().unwrap_or_default().to_owned())];
    one.kind = EntryKind::IdsValidator;
    assert_eq!(run_program(runner, &one).value.unwrap()[1], json!(1));
}

fn default_async_arrows_are_called(runner: &mut Runner) {
    for source in [
        "export default async () => 1;",
        "export  default\n async x => 1",
        "export default async /* no function */ (ctx, { n } = {}) => { await null; return 1; }\nconst late = 1;",
        "// export default async\nexport default async () => `export default async ${1}`.length - 21;",
    ] {
        assert_eq!(run_program(runner, &program(source, &[])).value, Some(json!(1)), "{source}");
    }
    let thrower = "export default async () => { throw new Error('here'); };";
    let at = run_program(runner, &program(thrower, &[])).failure.and_then(|failure| failure.at).unwrap();
    assert_eq!((at.line, at.column), (1, thrower.find("new").map_or(0, |index| index as u32) + 1));
}

fn what_is_not_there_to_be_taken_apart_is_said_at_its_line(runner: &mut Runner) {
    for (line, said) in [
        ("const { name } = nothing;", "Cannot destructure 'undefined' value"),
        ("let [first] = (0, nothing);", "Cannot destructure 'undefined' value"),
        ("const { a: { b } } = { a: 1, ...nothing }, { c } = null;", "Cannot destructure 'null' value"),
        ("for (const one of nothing) one;", "'undefined' is not iterable"),
        ("for (const { name } of null) name;", "'null' is not iterable"),
    ] {
        let source = format!("export default (ctx, args) => {{\n  const nothing = args?.rows;\n\n  {line}\n}};");
        let failure = run_program(runner, &program(&source, &[])).failure.unwrap();
        assert_eq!((failure.name.as_deref(), failure.message.as_str()), (Some("TypeError"), said), "{line}");
        assert_eq!(failure.at.map(|at| at.line), Some(4), "{line}");
    }
    let whole = "export default () => { const { length } = 'abc', [a, ...rest] = [length, 1]; \
                 for (const b of (0, rest)) return [a, b]; };";
    assert_eq!(run_program(runner, &program(whole, &[])).value, Some(json!([3, 1])));
}

fn entry_functions_are_found(runner: &mut Runner) {
    for source in [
        "export default () => 1;",
        "export const run = () => 1;",
        "export async function run() { return 1; }",
        "function run() { return 1; } // last line",
        "const run = () => 1;",
        "const f = () => 1; export { f as default };",
        "export const n = 5; export default function named() { return 1; }",
    ] {
        assert_eq!(run_program(runner, &program(source, &[])).value, Some(json!(1)), "{source}");
    }
    let mut again = program("export { default } from './b.js';", &[]);
    add(&mut again, "src/b.js", "export default () => 1;");
    assert_eq!(run_program(runner, &again).value, Some(json!(1)));
    let none = run_program(runner, &program("export const other = () => 1;", &[]));
    assert_eq!(code(&none), "THREW");
}
