//! The code table: what the rules name stands in it, and what stands in it is reached by a bundle.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_kind_extension::codes::CODES;
use holdpoint_kind_extension::{Options, check};
use serde_json::{Value, json};

const MODULE: &str = "export default function (ctx) {\n  return ctx.bim.query.all().length;\n}\n";

/// A bundle without findings.
fn sound() -> (Value, Files) {
    let manifest = json!({
        "manifestVersion": 1, "id": "acme.doors", "name": "Doors", "description": "Counts.", "version": "0.1.0",
        "engines": {"ifcLiteSdk": "^1.0.0"}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"doors.count": "src/count.js"}},
        "contributes": {
            "commands": [{"id": "doors.count", "title": "Count"}],
            "dock": [{"id": "d", "title": "D", "widget": "widgets/d.json", "slot": "dock.right"}],
        },
        "tests": [{"name": "t", "command": "doors.count", "fixture": "house-small", "expect": {"type": "number"}}],
    });
    let files = [("src/count.js", MODULE), ("widgets/d.json", r#"{"type": "Separator"}"#)];
    (manifest, files.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
}

fn found(manifest: Option<&Value>, files: &Files) -> BTreeSet<String> {
    let mut files = files.clone();
    if let Some(manifest) = manifest {
        files.insert("manifest.json".to_owned(), manifest.to_string());
    }
    check(&files, &Options::default()).diagnostics.iter().map(|finding| finding.code.to_string()).collect()
}

/// A change of the sound manifest at a pointer whose parent exists, and the code that it leads to.
fn manifest_cases() -> Vec<(&'static str, Value, &'static str)> {
    let command = json!([{"id": "doors.count", "title": "Count"}]);
    vec![
        ("/name", json!(1), "TYPE_MISMATCH"),
        ("/name", json!(" "), "INVALID_VALUE"),
        ("/name", json!("<b>"), "MARKUP_NOT_ALLOWED"),
        ("/home", json!(1), "UNKNOWN_FIELD"),
        ("/manifestVersion", json!(2), "INVALID_MANIFEST_VERSION"),
        ("/id", json!("A"), "INVALID_ID"),
        ("/version", json!("v1"), "INVALID_SEMVER"),
        ("/engines/ifcLiteSdk", json!("---"), "INVALID_ENGINE_RANGE"),
        ("/engines/ifcLiteSdk", json!("^2.0.0"), "ENGINE_UNSATISFIED"),
        ("/activation", json!(["onHover"]), "INVALID_ACTIVATION"),
        ("/activation", json!(["onLens:x"]), "UNKNOWN_REFERENCE"),
        ("/contributes/toolbar", json!([{"command": "doors.count", "slot": "dock.left"}]), "INVALID_SLOT"),
        ("/contributes/toolbar", json!([{"command": "x", "slot": "toolbar.left"}]), "UNKNOWN_COMMAND"),
        ("/contributes/dock/0/when", json!("a &&"), "INVALID_WHEN"),
        ("/contributes/dock/0/when", json!("a"), "WHEN_UNKNOWN_KEY"),
        ("/contributes/dock/0/icon", json!("x"), "UNKNOWN_ICON"),
        ("/contributes/dock/0/widget", json!("widgets/x.json"), "FILE_NOT_FOUND"),
        ("/contributes/keybindings", json!([{"command": "doors.count", "key": "F5"}]), "INVALID_KEYBINDING"),
        ("/contributes/commands", json!([command[0], command[0]]), "DUPLICATE_ID"),
        ("/contributes/commands", json!([command[0], {"id": "b", "title": "B"}]), "COMMAND_UNHANDLED"),
        ("/capabilities", json!(["x"]), "INVALID_CAPABILITY"),
        ("/capabilities", json!(["model.frob"]), "UNKNOWN_CAPABILITY"),
        ("/capabilities", json!(["model.mutate"]), "CAPABILITY_TARGET_REQUIRED"),
        ("/capabilities", json!(["model.read:x"]), "CAPABILITY_TARGET_FORBIDDEN"),
        ("/capabilities", json!(["export.create:exe"]), "CAPABILITY_TARGET_INVALID"),
        ("/capabilities", json!(["network.fetch:*"]), "CAPABILITY_HOST_WILDCARD"),
        ("/capabilities", json!([]), "CAPABILITY_UNDECLARED"),
        ("/capabilities", json!(["model.read", "export.create:*"]), "CAPABILITY_WILDCARD"),
        ("/capabilities", json!(["model.read", "model.read"]), "CAPABILITY_DUPLICATE"),
        ("/capabilities", json!(["model.read", "viewer.fly"]), "CAPABILITY_UNUSED"),
        ("/entry/triggers", json!({"onModelLoad": "src/count.js"}), "ACTIVATION_MISSING"),
        ("/tests", json!([]), "TEST_MISSING"),
        ("/tests/0/expect", json!({}), "TEST_EMPTY_EXPECT"),
        ("/tests/0/expect", json!({"matches": "(?=a)"}), "INVALID_REGEX"),
        ("/tests/0/expect", json!({"at": {"$.*": {"equals": 1}}}), "INVALID_BINDING"),
        ("/tests/0/fixture", json!("house"), "UNKNOWN_FIXTURE"),
    ]
}

/// A file that is added or replaced, and the code that it leads to.
fn file_cases() -> Vec<(String, String, &'static str)> {
    let code = |text: &str| format!("export default function (ctx, args) {{\n  ctx.bim.query.all();\n  {text}\n}}\n");
    let mut cases: Vec<(String, String, &'static str)> = [
        (" ", "PATH_EMPTY"),
        ("/a.js", "PATH_ABSOLUTE"),
        ("src/../a.js", "PATH_TRAVERSAL"),
        ("src/a/", "PATH_IS_DIRECTORY"),
        ("src/a?.js", "PATH_FORBIDDEN_CHAR"),
        ("src/a./b.js", "PATH_SEGMENT_EDGE"),
        ("src/con.js", "PATH_RESERVED_NAME"),
        ("src/a/b/c/d/e/f/g/h.js", "PATH_TOO_LONG"),
        ("./src/a.js", "PATH_NOT_NORMAL"),
        ("src/.env", "PATH_SECRET_FILE"),
        ("src/node_modules/a.js", "PATH_BLOCKED_DIR"),
        ("src/.a.js", "PATH_HIDDEN"),
        ("a.js", "PATH_NOT_ALLOWED"),
        ("src/a.ts", "PATH_EXTENSION_NOT_ALLOWED"),
        ("SRC/count.js", "PATH_NOT_ALLOWED"),
        ("src/Count.js", "PATH_CASE_COLLISION"),
        ("src/other.js", "FILE_UNUSED"),
    ]
    .map(|(path, code)| (path.to_owned(), MODULE.to_owned(), code))
    .to_vec();
    let icon = |text: &str, code| ("icon.svg".to_owned(), text.to_owned(), code);
    cases.push(icon("<svg><script/></svg>", "ICON_UNSAFE"));
    cases.push(icon(&" ".repeat(8_193), "LIMIT_FILE_BYTES"));
    let deep = format!("{}{}", r#"{"type":"Group","children":["#.repeat(33), "]}".repeat(33));
    let widgets = [
        ("{", "INVALID_JSON"),
        (r#"{"type":"x"}"#, "INVALID_WIDGET"),
        ("{}", "REQUIRED"),
        (deep.as_str(), "WIDGET_TOO_LARGE"),
    ];
    cases.extend(widgets.map(|(text, code)| ("widgets/d.json".to_owned(), text.to_owned(), code)));
    cases.push(("widgets/d.json".to_owned(), r#"{"type":"Text","text":"a","text":"b"}"#.to_owned(), "DUPLICATE_KEY"));
    let modules = [
        ("eval('1');", "CODE_EVAL"),
        (
            "function f() { try { return 1 } finally { l: try { return 2 } finally { break l } } }\nf();",
            "CODE_UNSUPPORTED",
        ),
        ("window;", "CODE_FORBIDDEN_GLOBAL"),
        ("nothing;", "CODE_UNKNOWN_NAME"),
        ("args.constructor;", "CODE_CONSTRUCTOR_ESCAPE"),
        ("Math[args];", "CODE_COMPUTED_ACCESS"),
        ("Math.a = 1;", "CODE_GLOBAL_WRITE"),
        ("this;", "CODE_THIS"),
        ("import.meta;", "CODE_IMPORT"),
        ("return import(args);", "CODE_DYNAMIC_IMPORT"),
        ("ctx.nothing;", "CODE_CTX_FIELD"),
        ("ctx.bim.query.nothing();", "CODE_SDK_METHOD"),
        ("ctx.bim.query.byGlobalId();", "CODE_SDK_ARGUMENTS"),
        ("return `model.mutate:${args}`;", "CODE_CAPABILITY_STRING"),
        ("return ctx.fetch(args);", "CODE_FETCH_URL"),
        ("return [ctx];", "CODE_SDK_ESCAPES"),
        ("(", "CODE_SYNTAX"),
        ("1 <!--2", "CODE_HTML_COMMENT"),
    ];
    cases.extend(modules.map(|(text, wanted)| ("src/count.js".to_owned(), code(text), wanted)));
    cases.push(("src/count.js".to_owned(), code(&"(".repeat(500)), "CODE_TOO_COMPLEX"));
    cases.push(("src/count.js".to_owned(), "export const a = 1;".to_owned(), "HANDLER_MISSING"));
    cases
}

#[test]
fn every_code_is_reached() {
    let (manifest, files) = sound();
    assert_eq!(found(Some(&manifest), &files), BTreeSet::new());
    let mut reached = found(None, &files);
    for (pointer, value, code) in manifest_cases() {
        let mut changed = manifest.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        changed.pointer_mut(parent).unwrap()[name] = value;
        let codes = found(Some(&changed), &files);
        assert!(codes.contains(code), "{code} at {pointer}: {codes:?}");
        reached.extend(codes);
    }
    for (path, text, code) in file_cases() {
        let mut files = files.clone();
        files.insert(path.clone(), text);
        let codes = found(Some(&manifest), &files);
        assert!(codes.contains(code), "{code} in {path}: {codes:?}");
        reached.extend(codes);
    }
    let many: Files = (0..300).map(|number| (format!("lib/{number}.js"), String::new())).collect();
    reached.extend(found(None, &many));
    let large: Files = (0..9).map(|number| (format!("src/{number}.js"), " ".repeat(250_000))).collect();
    reached.extend(found(None, &large));
    let mut dynamic = files.clone();
    let text =
        "export default (ctx, args) => { ctx.bim.query.all(); ctx.bim.mutate.setProperty(args, args.s, 'B', 1); };";
    dynamic.insert("src/count.js".to_owned(), text.to_owned());
    let mut narrow = manifest.clone();
    narrow["capabilities"] = json!(["model.read", "model.mutate:A.B"]);
    reached.extend(found(Some(&narrow), &dynamic));
    let table: BTreeSet<String> = CODES.concat().iter().map(|code| code.name.to_owned()).collect();
    assert_eq!(table.difference(&reached).collect::<Vec<_>>(), Vec::<&String>::new(), "never reached");
    assert_eq!(reached.difference(&table).collect::<Vec<_>>(), Vec::<&String>::new(), "not in the table");
}
