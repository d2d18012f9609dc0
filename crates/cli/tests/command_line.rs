//! The command line as a process: exit codes, JSON, what people read.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const HANDLER: &str = "export default function (ctx) {\n  return ctx.bim.query.byType(\"IfcDoor\").length;\n}\n";

fn holdpoint(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holdpoint"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A bundle that counts doors and expects `doors` of them.
fn bundle(name: &str, handler: &str, doors: u32) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest = json!({
        "manifestVersion": 1, "id": "acme.doors", "name": "Doors", "description": "Counts doors.", "version": "0.1.0",
        "engines": {"ifcLiteSdk": ">=1.0.0"}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"doors.count": "src/count.js"}},
        "contributes": {"commands": [{"id": "doors.count", "title": "Count doors"}]},
        "tests": [{"name": "counts", "command": "doors.count", "fixture": "house-small", "expect": {"equals": doors}}],
    });
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::write(dir.join("src/count.js"), handler).unwrap();
    dir
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ifc").join(name).display().to_string()
}

#[test]
fn the_program_says_which_version_it_is() {
    let output = holdpoint(&["--version"], "");
    assert_eq!(text(&output.stdout).trim(), concat!("holdpoint ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_good_bundle_passes_check_test_and_run() {
    let dir = bundle("good", HANDLER, 7);
    let dir = dir.to_str().unwrap();
    for command in ["check", "test"] {
        let output = holdpoint(&[command, dir], "");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stdout));
    }
    let output = holdpoint(&["run", dir, "doors.count", "--model", &fixture("house-small.ifc"), "--yes"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["result"]), (Some(0), &json!(7)));
    assert!(text(&output.stderr).contains("model.read"), "what it may do is said before it runs");
}

#[test]
fn findings_are_exit_1_with_a_caret_at_the_place() {
    let dir = bundle("eval", "export default function (ctx) {\n  return eval(\"1\");\n}\n", 7);
    let output = holdpoint(&["check", dir.to_str().unwrap()], "");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("CODE_EVAL") && shown.contains("src/count.js:2:10") && shown.contains("^^^^"), "{shown}");

    let failing = bundle("failing", HANDLER, 8);
    let output = holdpoint(&["test", failing.to_str().unwrap(), "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(answer["kind"], "ifc-extension");
    assert_eq!(answer["tests"][0]["diagnostics"][0]["code"], "EXPECT_FAILED");
}

#[test]
fn hostile_code_ends_with_its_code_and_the_next_test_runs() {
    let cases = [
        ("loop", "export default function () { for (;;) {} }", "TEST_TIMEOUT"),
        ("chain", "export default async function () { for (;;) await null; }", "TEST_TIMEOUT"),
        ("deep", "export default function () { const f = () => f() + 1; return f(); }", "TEST_STACK"),
    ];
    for (name, handler, code) in cases {
        let dir = bundle(name, handler, 7);
        let output = holdpoint(&["test", dir.to_str().unwrap(), "--json"], "");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["tests"][0]["diagnostics"][0]["code"], code, "{name}");
    }
}

#[test]
fn nothing_runs_without_a_grant() {
    let dir = bundle("ungranted", HANDLER, 7);
    let output = holdpoint(&["run", dir.to_str().unwrap(), "doors.count", "--model", &fixture("house-small.ifc")], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[test]
fn models_are_described_and_junk_is_named() {
    let output = holdpoint(&["model", &fixture("office-fire.ifc"), "--json"], "");
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &facts["types"]["IfcColumn"]), (Some(0), &json!(24)));

    let junk = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junk.ifc");
    std::fs::write(&junk, "this is no model").unwrap();
    let output = holdpoint(&["model", junk.to_str().unwrap(), "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["error"]["code"]), (Some(1), &json!("MODEL_INVALID")));
}

#[test]
fn call_answers_every_line() {
    let input = "{\"capability\":\"model.read\"}\nnot json\n{\"capability\":\"no.such\"}\n";
    let output = holdpoint(&["call", "capability.parse", "--jsonl"], input);
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answers[0]["ok"], true);
    assert_eq!(answers[1]["error"]["code"], "INVALID_JSON");
    assert_eq!(answers[2]["diagnostics"][0]["code"], "UNKNOWN_CAPABILITY");
}

#[test]
fn wrong_usage_is_exit_2() {
    for arguments in [&["check", "/no/such/folder"][..], &["corpus", "/no/such/file"], &["nonsense"]] {
        assert_eq!(holdpoint(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}

/// A package of one workflow whose branch reads what nothing sets.
fn package(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(dir.join("steps")).unwrap();
    let put = |path: &str, text: String| std::fs::write(dir.join(path), text).unwrap();
    let entry = json!({"workflow": "workflow.md", "graph": "workflow.graph.json", "agents": "agents.json"});
    put("bmad.json", json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry}).to_string());
    let agent = json!({
        "id": "one", "metadata": {"name": "One", "title": "One", "icon": "1"},
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": "p"},
    });
    put("agents.json", json!({"schemaVersion": "1.1", "agents": [agent]}).to_string());
    let head = "schemaVersion: \"1.1\"\n";
    put("workflow.md", format!("---\n{head}workflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n"));
    let node = |id: &str, kind: &str| {
        let body = "## Goal\n\ng\n\n## Instructions\n\ni\n";
        put(&format!("steps/{id}.md"), format!("---\n{head}nodeId: {id}\ntype: {kind}\n---\n\n{body}"));
        json!({"id": id, "type": kind, "file": format!("steps/{id}.md")})
    };
    let nodes = [node("size", "decision"), node("small", "end"), node("large", "end")];
    let large = json!({"from": "size", "to": "large", "label": "large", "conditionExpr": {">": [{"var": "loss"}, 5]}});
    let edges = [json!({"from": "size", "to": "small", "label": "small", "isDefault": true}), large];
    let graph = json!({"schemaVersion": "1.1", "entryNodeId": "size", "nodes": nodes, "edges": edges});
    put("workflow.graph.json", graph.to_string());
    dir
}

#[test]
fn paths_of_a_package_are_told_for_people_and_as_json() {
    let dir = package("paths");
    let dir = dir.to_str().unwrap();
    let plain = text(&holdpoint(&["check", dir], "").stdout);
    assert!(!plain.contains("PATH_"), "{plain}");
    let output = holdpoint(&["check", dir, "--paths"], "");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "warnings do not fail: {said}");
    assert!(
        said.contains("workflow.graph.json: 2 paths, 2 to an end, shortest 2 nodes, longest 2 nodes, 1 warning"),
        "{said}"
    );
    assert!(said.contains("PATH_VARIABLE_UNSET") && said.contains("Set `loss` before `size` decides"), "{said}");
    let answer: Value = serde_json::from_slice(&holdpoint(&["check", dir, "--paths", "--json"], "").stdout).unwrap();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["paths"][0]["count"], 2);
    assert_eq!(answer["paths"][0]["findings"][0]["pointer"], "/edges/1/conditionExpr");
    let other = bundle("no-paths", HANDLER, 7);
    let refused = holdpoint(&["check", other.to_str().unwrap(), "--paths"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--paths"), "{}", text(&refused.stderr));
}
