//! The sample cases of `bundle.test`, from check to report.

use std::{collections::BTreeMap, fs};

use holdpoint_check::subset::matches;
use holdpoint_kind_extension::testing;
use holdpoint_sandbox::{ModelFile, child::Runner};
use holdpoint_sdk::run::Profile;
use serde_json::{Value, json};

use crate::Case;

pub const CASES: &[Case] = &[("corpus::bundle_test", bundle_test)];

fn bundle_test(runner: &mut Runner) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/ifc-extension.jsonl");
    let text = fs::read_to_string(path).expect("the corpus is checked in");
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case is JSON"));
    let mut failed = Vec::new();
    let mut judged = 0;
    for case in cases.filter(|case| case["method"] == "bundle.test") {
        judged += 1;
        let files: BTreeMap<String, String> = serde_json::from_value(case["input"]["files"].clone()).unwrap();
        let profile: Profile = serde_json::from_value(case["input"]["profile"].clone()).unwrap_or(Profile::DryRun);
        let report = testing::test(&files, profile, |runs| runner.run_all(runs, fixture)).expect("the process works");
        if let Err(miss) = matches(&case["expect"], Some(&json!(report))) {
            failed.push(format!("{}: {miss:?}\n  {}", case["id"], json!(report)));
        }
    }
    assert!(failed.is_empty() && judged > 10, "{judged} judged; {}", failed.join("\n"));
}

fn fixture(id: &str) -> Option<ModelFile> {
    let text = holdpoint_model::fixtures::write(id).ok()?;
    Some(ModelFile { name: format!("{id}.ifc"), bytes: text.into() })
}
