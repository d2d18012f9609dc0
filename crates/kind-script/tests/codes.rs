//! Every code of `script-tool` is reached, with the severity that the table says.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::python::PythonFacts;
use holdpoint_kind_script::{VirtualFile, check, codes::CODES};
use serde_json::{Value, json};

/// A tool without findings.
fn tool() -> Files {
    let texts = ["def run(): pass", "run", r#"{"type":"object"}"#, "", "# Run\n"];
    VirtualFile::ALL.iter().zip(texts).map(|(file, text)| (file.id().to_owned(), text.to_owned())).collect()
}

fn with(path: &str, text: &str) -> Files {
    let mut files = tool();
    files.insert(path.to_owned(), text.to_owned());
    files
}

fn binding(name: &str, kind: &str, line: u32) -> Value {
    let range = json!({"start": {"line": line, "column": 1}, "end": {"line": line, "column": 8}});
    json!({"name": name, "kind": kind, "line": line, "block": 0, "range": range})
}

fn module(bindings: &[Value]) -> Value {
    json!({ "bindings": bindings })
}

/// Severity and code of each finding, in order.
fn findings(files: &Files, facts: &Value) -> Vec<String> {
    let facts: PythonFacts = serde_json::from_value(facts.clone()).unwrap();
    let report = serde_json::to_value(check(files, true, |_| Some(facts)).unwrap()).unwrap();
    let found = report["diagnostics"].as_array().unwrap();
    let one =
        |finding: &Value| format!("{} {}", finding["severity"].as_str().unwrap(), finding["code"].as_str().unwrap());
    found.iter().map(one).collect()
}

#[test]
fn every_code_is_reached() {
    let fine = module(&[binding("run", "def", 1)]);
    let twice = module(&[binding("run", "def", 1), binding("run", "def", 3)]);
    let assigned = module(&[binding("run", "assignment", 1)]);
    let range = json!({"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}});
    let broken = json!({"error": {"range": range, "message": "no"}});
    let fault = |kind: &str| json!({"kind": kind, "name": "f", "range": range, "argument": "a", "takes": 1, "given": 2, "line": 1});
    let faulty = |kind: &str| json!({"bindings": [binding("run", "def", 1)], "faults": [fault(kind)]});
    let (unbound, surplus) = (faulty("unbound"), faulty("surplus"));
    let mut missing = tool();
    missing.remove("input_schema.json");
    let large: Files = VirtualFile::ALL.iter().map(|file| (file.id().to_owned(), "x".repeat(file.limit()))).collect();
    let keys: String = (0..600).map(|n| format!(r#","k":{n}"#)).collect();
    let nested: String = (0..600).map(|n| format!(r#","a{n}":{{"type":0}}"#)).collect();
    let schema = "settings_schema.json";
    let cases: Vec<(Files, &Value, &str)> = vec![
        (missing, &fine, "error TOOL_FILE_MISSING"),
        (with("helper.py", "x"), &fine, "error TOOL_FILE_UNKNOWN"),
        (with("entrypoint.txt", &"f".repeat(257)), &fine, "error TOOL_FILE_TOO_LARGE"),
        (large, &broken, "error TOOL_TOTAL_TOO_LARGE"),
        (with("tool.py", "\u{1}"), &fine, "error TOOL_CONTROL_CHARACTER"),
        (with("usage_instructions.md", "a\u{202e}"), &fine, "warning TOOL_BIDI_CONTROL"),
        (with("tool.py", "def"), &broken, "error TOOL_PYTHON_SYNTAX"),
        (with("tool.py", "\u{feff} \n"), &broken, "error TOOL_PYTHON_EMPTY"),
        (tool(), &unbound, "warning TOOL_NAME_UNBOUND"),
        (tool(), &surplus, "warning TOOL_CALL_ARGUMENTS"),
        (with("entrypoint.txt", "\n"), &fine, "error TOOL_ENTRYPOINT_EMPTY"),
        (with("entrypoint.txt", "a b"), &fine, "error TOOL_ENTRYPOINT_INVALID"),
        (with("entrypoint.txt", "walk"), &fine, "error TOOL_ENTRYPOINT_NOT_FOUND"),
        (tool(), &assigned, "warning TOOL_ENTRYPOINT_NOT_DEF"),
        (tool(), &twice, "warning TOOL_ENTRYPOINT_DUPLICATE"),
        (with(schema, "{"), &fine, "error TOOL_SCHEMA_NOT_JSON"),
        (with(schema, &format!("{{\"k\":0{keys}}}")), &fine, "warning TOOL_SCHEMA_DUPLICATE_KEY"),
        (with(schema, r#"{"type":"objekt"}"#), &fine, "error TOOL_SCHEMA_INVALID"),
        (with(schema, r#"{"$ref":"a.json"}"#), &fine, "error TOOL_SCHEMA_REF"),
        (with(schema, r#"{"pattern":"["}"#), &fine, "error TOOL_SCHEMA_PATTERN"),
        (with(schema, r#"{"minimum":2,"default":1}"#), &fine, "warning TOOL_SCHEMA_DEFAULT"),
        (with(schema, r#"{"type":"array"}"#), &fine, "warning TOOL_SCHEMA_ROOT"),
        (with("usage_instructions.md", "\n"), &fine, "info TOOL_USAGE_EMPTY"),
        (with(schema, &format!(r#"{{"properties":{{"a":{{}}{nested}}}}}"#)), &fine, "info DIAGNOSTICS_TRUNCATED"),
    ];
    let mut reached = BTreeSet::new();
    for (files, facts, want) in &cases {
        let found = findings(files, facts);
        assert!(found.iter().any(|one| one == want), "{want}: {found:?}");
        reached.insert((*want).to_owned());
    }
    let all: BTreeSet<String> =
        CODES.concat().iter().map(|it| format!("{} {}", json!(it.severity).as_str().unwrap(), it.name)).collect();
    assert_eq!(reached, all);
}

#[test]
fn a_tool_without_faults_and_one_that_is_empty() {
    assert_eq!(findings(&tool(), &module(&[binding("run", "def", 1)])), Vec::<String>::new());
    let empty: Files = VirtualFile::ALL.iter().map(|file| (file.id().to_owned(), String::new())).collect();
    let report = check(&empty, true, |_| None).unwrap();
    let codes: Vec<&str> = report.diagnostics.iter().map(|finding| finding.code.as_ref()).collect();
    assert_eq!(codes, ["TOOL_PYTHON_EMPTY", "TOOL_USAGE_EMPTY"], "nothing is asked of a name that nothing can bind");
}

#[test]
fn the_grammar_is_asked_only_for_what_is_worth_parsing() {
    for text in ["", " \n", "\u{0}", &"x".repeat(524_289)] {
        assert!(check(&with("tool.py", text), true, |_| panic!("asked")).is_ok());
    }
    assert!(check(&tool(), true, |_| None).is_err());
}

#[test]
fn facts_are_one_of_two_shapes() {
    for odd in [
        json!({}),
        json!({"bindings": [], "error": {"range": null, "message": ""}}),
        json!({"bindings": [{"name": "a"}]}),
    ] {
        assert!(serde_json::from_value::<PythonFacts>(odd.clone()).is_err(), "{odd}");
    }
    let facts = json!({"bindings": [binding("a", "class", 2)]});
    let read: PythonFacts = serde_json::from_value(facts.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), facts);
}
