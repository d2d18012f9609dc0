//! The sample cases of `bundle.check`, on the kind itself.

use holdpoint_bundle::Files;
use holdpoint_check::code::placeholders;
use holdpoint_check::{Report, subset};
use serde_json::{Value, json};

use crate::{More, Options, check};

/// The cases that came with the specification, and ours.
const CORPORA: [&str; 2] = [
    include_str!("../../../../tests/corpus/crew-package.jsonl"),
    include_str!("../../../../tests/corpus/crew-package-own.jsonl"),
];

/// Inputs of a method with what is expected of them.
pub fn of(method: &str) -> Vec<Value> {
    let all = CORPORA.iter().flat_map(|corpus| corpus.lines());
    all.map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|case| case["method"] == method).collect()
}

/// Those of `bundle.check`.
pub fn cases() -> Vec<Value> {
    of("bundle.check")
}

/// The check of an input.
pub fn checked(input: &Value) -> Report<More> {
    let files: Files = serde_json::from_value(input["files"].clone()).unwrap();
    let options = input.get("options").map_or_else(Options::default, |it| serde_json::from_value(it.clone()).unwrap());
    check(&files, &options).unwrap()
}

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    for case in cases() {
        let answer = json!(checked(&case["input"]));
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            let found = answer["diagnostics"].as_array().unwrap().iter();
            let found: Vec<String> =
                found.map(|it| format!("{} {} {}", it["code"], it["path"], it["pointer"])).collect();
            failed
                .push(format!("{} {}: {}\n   {found:#?} {}", case["id"], case["why"], miss.pointer, answer["summary"]));
        }
    }
    assert!(cases().len() > 100, "the corpus is there");
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn findings_are_whole_and_in_order() {
    for case in cases() {
        let found = checked(&case["input"]).diagnostics;
        let keys: Vec<_> = found
            .iter()
            .map(|it| {
                assert!(it.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{} {}: no hint", case["id"], it.code);
                assert!(!it.message.is_empty() && placeholders(&it.message).next().is_none(), "{}", it.message);
                assert!(it.pointer.is_none() || it.range.is_some(), "{} {}: no range", case["id"], it.code);
                (it.path.clone(), it.range.map(|it| (it.start, it.end)), it.pointer.clone(), it.code.clone())
            })
            .collect();
        assert!(keys.is_sorted(), "{}", case["id"]);
    }
}
