//! The gateway's sample cases: every method passes all of its cases.

use std::collections::BTreeMap;

use holdpoint_check::subset::matches;
use serde_json::Value;

use crate::SHELL;

#[test]
fn every_case_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/gateway.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut passed: BTreeMap<String, usize> = BTreeMap::new();
    let mut failed = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let method = case["method"].as_str().unwrap();
        let answer = SHELL.call(method, case["input"].clone());
        match matches(&case["expect"], Some(&answer)) {
            Ok(()) => *passed.entry(method.to_owned()).or_default() += 1,
            Err(miss) => failed.push(format!("{} {miss:?}", case["id"])),
        }
    }
    assert!(failed.is_empty(), "passed {passed:?}\nfailed:\n{}", failed.join("\n"));
    assert!(passed.values().sum::<usize>() > 170);
}
