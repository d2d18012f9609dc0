//! The sample cases of `bundle.test` whose fixtures and members are built, from check to report.

use std::{collections::BTreeMap, fs};

use holdpoint_check::subset::matches;
use holdpoint_kinds::ifc_extension::testing;
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
    for case in cases.filter(|case| case["method"] == "bundle.test" && is_due(case)) {
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

/// Operators on effects that nothing built makes.
const OPERATORS_NOT_DUE: [&str; 3] = ["mutations", "requests", "ui"];
/// What code calls and is not built.
const CALLS_NOT_DUE: [&str; 7] =
    ["ctx.fetch", "bim.mutate", "bim.create", "bim.store", "bim.files", "bim.schedule", "bim.lens"];

/// Built fixtures, operators and members only, and no fuel.
fn is_due(case: &Value) -> bool {
    let files = &case["input"]["files"];
    let manifest = files["manifest.json"].as_str().unwrap_or_default();
    let manifest: Value = serde_json::from_str(manifest).unwrap_or_default();
    let known = holdpoint_model::fixtures::ids();
    let tests = manifest["tests"].as_array().cloned().unwrap_or_default();
    let built = |test: &Value| {
        test["fixture"].as_str().is_some_and(|id| known.contains(&id))
            && test.get("network").is_none()
            && OPERATORS_NOT_DUE.iter().all(|operator| test["expect"].get(operator).is_none())
    };
    let calls = |text: &str| CALLS_NOT_DUE.iter().any(|call| text.contains(call));
    let code = files.as_object().into_iter().flatten().filter(|(path, _)| path.ends_with(".js"));
    tests.iter().all(built)
        && !code.filter_map(|(_, text)| text.as_str()).any(calls)
        && !case["expect"].to_string().contains("TEST_FUEL")
}
