//! Change sets against the sample cases, and what the specification promises of every one.

use holdpoint_check::subset;
use serde_json::Value;

use crate::crew_package::methods::METHODS;

const CORPUS: &str = include_str!("../../../../../tests/corpus/crew-package.jsonl");

/// What `changeset.check` answers.
fn call(input: &Value) -> Value {
    let (_, method) = METHODS[0];
    method(input.clone()).unwrap_or_else(|error| serde_json::json!({ "error": error }))
}

fn cases() -> impl Iterator<Item = Value> {
    let cases = CORPUS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    cases.filter(|case| case["method"] == "changeset.check")
}

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    for case in cases() {
        let answer = call(&case["input"]);
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            failed.push(format!(
                "{} {}: {miss:?}\n   {}\n   {}",
                case["id"], case["why"], answer["errors"], answer["warnings"]
            ));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}
