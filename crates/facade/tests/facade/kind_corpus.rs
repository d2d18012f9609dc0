//! The sample cases of the methods that need no sandbox and no author, through the facade.
//!
//! `holdpoint corpus` counts every case; this test names the failing ones of these methods while developing.
use holdpoint_check::subset;
use serde_json::Value;

use crate::SHELL;

const CORPUS: &str = include_str!("../../../../tests/corpus/ifc-extension.jsonl");

fn failures(method: &str) -> (usize, Vec<String>) {
    let mut failed = Vec::new();
    let mut count = 0;
    for line in CORPUS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["method"] != method {
            continue;
        }
        count += 1;
        let answer = SHELL.call(method, case["input"].clone());
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            failed.push(format!("{}: {miss:?}\n   {}", case["id"], answer["diagnostics"]));
        }
    }
    (count, failed)
}

#[test]
fn every_sample_case() {
    let mut all = Vec::new();
    let methods = [
        "capability.parse",
        "capability.covers",
        "capability.diff",
        "capability.infer",
        "when.eval",
        "intent.classify",
        "bundle.check",
        "script.promote",
        "archive.pack",
        "archive.open",
    ];
    for method in methods {
        let (count, failed) = failures(method);
        assert!(count > 0, "{method} has cases");
        eprintln!("{method}: {} of {count}", count - failed.len());
        all.extend(failed);
    }
    assert!(all.is_empty(), "{} fail:\n{}", all.len(), all.join("\n"));
}
