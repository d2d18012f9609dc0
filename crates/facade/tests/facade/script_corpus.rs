//! The sample cases of `script-tool`, through the facade, and what the page's half answers without the grammar.
use holdpoint_check::subset;
use serde_json::{Value, json};

use crate::SHELL;

const CORPUS: &str = include_str!("../../../../tests/corpus/script-tool.jsonl");

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    for line in CORPUS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let answer = SHELL.call(case["method"].as_str().unwrap(), case["input"].clone());
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            failed.push(format!("{} {}: {miss:?}\n   {answer}", case["id"], case["why"]));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

/// What the page does: the grammar's answer goes to the core. The report must be that of one function.
#[test]
fn given_facts_make_the_same_report() {
    for line in CORPUS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut input = case["input"].clone();
        let Some(text) = input["files"]["tool.py"].as_str() else { continue };
        let whole = SHELL.call("bundle.check", input.clone());
        let facts = SHELL.call("python.facts", json!({ "text": text }));
        input["options"] = json!({ "python_facts": facts });
        assert_eq!(SHELL.call("bundle.check", input), whole, "{}", case["id"]);
    }
}

#[test]
fn refusals() {
    let long = "x".repeat(2_097_153);
    let cases = [
        ("editops.parse", json!({"raw": 1}), "INVALID_INPUT", json!({"pointer": "/raw"})),
        ("editops.parse", json!({"raw": "", "mode": "any"}), "INVALID_INPUT", json!({"pointer": "/mode"})),
        (
            "editops.parse",
            json!({"raw": long}),
            "INPUT_TOO_LARGE",
            json!({"limit": "MAX_RAW_BYTES", "max": 2_097_152, "actual": 2_097_153}),
        ),
        ("python.facts", json!({}), "INVALID_INPUT", json!({"pointer": "/text"})),
        (
            "python.facts",
            json!({"text": long}),
            "INPUT_TOO_LARGE",
            json!({"limit": "MAX_TOOL_BYTES", "max": 524_288, "actual": 2_097_153}),
        ),
        (
            "bundle.check",
            json!({"kind": "script-tool", "files": {"tool.py": 1}}),
            "INVALID_INPUT",
            json!({"pointer": "/files/tool.py"}),
        ),
        ("bundle.check", json!({"kind": "script-tool", "files": []}), "INVALID_INPUT", json!({"pointer": "/files"})),
        ("bundle.check", json!({"kind": "script", "files": {}}), "INVALID_INPUT", json!({"pointer": "/kind"})),
        (
            "bundle.check",
            json!({"kind": "script-tool", "files": {}, "options": {"python_facts": {}}}),
            "INVALID_INPUT",
            json!({"pointer": "/options/python_facts"}),
        ),
        (
            "history.window",
            json!({"kind": "script-tool", "model": "a"}),
            "INVALID_INPUT",
            json!({"pointer": "/window"}),
        ),
        ("tokens.estimate", json!({"kind": "script-tool", "text": ""}), "INVALID_INPUT", json!({"pointer": "/model"})),
        (
            "prompt.compose",
            json!({"kind": "script-tool", "purpose": "edit-ops", "model": "a", "message": "b", "active_file": "tool.py"}),
            "INVALID_INPUT",
            json!({"pointer": "/virtual_files/tool.py"}),
        ),
        (
            "prompt.compose",
            json!({"kind": "script-tool", "purpose": "chat", "model": "a", "message": "b".repeat(20_001)}),
            "INPUT_TOO_LARGE",
            json!({"limit": "MAX_MESSAGE_CHARS", "max": 20_000, "actual": 20_001}),
        ),
        (
            "prompt.compose",
            json!({"kind": "script-tool", "purpose": "chat", "model": "a", "message": "b", "profile": {"window": 9, "max_output": 1, "margin": 1, "system_cap": 9_000}}),
            "MESSAGE_OVER_BUDGET",
            json!({"budget": 7}),
        ),
    ];
    for (method, input, code, details) in cases {
        let answer = SHELL.call(method, input);
        assert_eq!(answer["error"]["code"], code, "{method} {answer}");
        let held = subset::matches(&details, Some(&answer["error"]["details"]));
        assert!(held.is_ok(), "{method}: {held:?}");
    }
}

#[test]
fn a_prompt_is_deterministic() {
    let input = json!({"kind": "script-tool", "purpose": "chat", "model": "gpt-5-mini", "message": "Hej"});
    let first = SHELL.call("prompt.compose", input.clone());
    assert_eq!(first, SHELL.call("prompt.compose", input));
    assert_eq!(first["messages"][1], json!({"role": "user", "content": "Hej"}));
}
