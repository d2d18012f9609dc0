//! The sample cases of the authoring methods, and which of them are not due yet.
use holdpoint_check::subset;
use serde_json::Value;

use crate::SHELL;

const METHODS: [&str; 4] = ["plan.check", "reply.parse", "run.replay", "intent.classify"];

/// Cases in other languages than English come with a later issue.
fn is_due(case: &Value) -> bool {
    let why = case["why"].as_str().unwrap_or_default();
    case["method"] != "intent.classify"
        || !["Swedish", "German", "Chinese"].iter().any(|language| why.starts_with(language))
}

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the sample cases are checked in");
    text.lines().map(|line| serde_json::from_str(line).expect("a case is one line of JSON")).collect()
}

fn failures(cases: &[Value]) -> Vec<String> {
    let run = |case: &Value| {
        let method = case["method"].as_str().expect("a case names its method");
        let answer = SHELL.call(method, case["input"].clone());
        let miss = subset::matches(&case["expect"], Some(&answer)).err()?;
        let shown = answer.to_string();
        let shown = shown.chars().take(1_200).collect::<String>();
        Some(format!(
            "{}: at {} expected {} was {:?}\n    {shown}",
            case["id"], miss.pointer, miss.expected, miss.actual
        ))
    };
    cases.iter().filter_map(run).collect()
}

#[test]
fn authoring_cases() {
    let due: Vec<Value> = cases("ifc-extension.jsonl")
        .into_iter()
        .filter(|case| METHODS.iter().any(|method| case["method"] == *method) && is_due(case))
        .collect();
    assert!(due.len() > 100, "{}", due.len());
    let failed = failures(&due);
    assert!(failed.is_empty(), "{} of {} fail:\n{}", failed.len(), due.len(), failed.join("\n"));
}

#[test]
fn token_estimates() {
    for file in ["crew-package.jsonl", "script-tool.jsonl"] {
        let due: Vec<Value> = cases(file).into_iter().filter(|case| case["method"] == "tokens.estimate").collect();
        assert!(!due.is_empty());
        let failed = failures(&due);
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
