//! The sample cases of `bundle.check` on the kind itself: exact codes, pointers, ranges.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_bundle::Files;
use holdpoint_check::subset;
use holdpoint_kind_extension::engines::Version;
use holdpoint_kind_extension::{Options, check};
use serde_json::{Value, json};

const CORPUS: &str = include_str!("../../../tests/corpus/ifc-extension.jsonl");

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    let mut count = 0;
    for line in CORPUS.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let options = &case["input"]["options"];
        // The plan is judged above this crate.
        if case["method"] != "bundle.check" || options.get("plan").is_some() {
            continue;
        }
        count += 1;
        let files: Files = serde_json::from_value(case["input"]["files"].clone()).unwrap();
        let options = Options {
            sdk_version: options["sdk_version"].as_str().and_then(Version::parse),
            origin: serde_json::from_value(options["origin"].clone()).unwrap_or_default(),
            ..Options::default()
        };
        let answer = json!(check(&files, &options));
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            failed.push(format!("{}: {}\n   {}", case["id"], miss.pointer, answer["diagnostics"]));
        }
    }
    assert!(count > 200, "the corpus is there");
    assert!(failed.is_empty(), "{} of {count} fail:\n{}", failed.len(), failed.join("\n"));
}
