//! The code findings of the sample cases of `bundle.check`: those that are expected, and none on legal code.

use std::collections::BTreeMap;

use holdpoint_check::subset::matches;
use serde_json::Value;

use crate::code::{EntryModule, Role, analyse};

fn entries(files: &BTreeMap<String, String>) -> Vec<EntryModule> {
    let manifest: Value =
        files.get("manifest.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let mut entries = Vec::new();
    let mut add = |path: Option<&Value>, role| {
        if let Some(path) = path.and_then(Value::as_str) {
            entries.push(EntryModule { path: path.to_owned(), role });
        }
    };
    let entry = &manifest["entry"];
    add(entry.get("activate"), Role::Activate);
    add(entry.get("deactivate"), Role::Deactivate);
    for key in ["commands", "triggers"] {
        for path in entry[key].as_object().into_iter().flat_map(serde_json::Map::values) {
            add(Some(path), Role::Run);
        }
    }
    for (key, field) in [("lenses", "evaluator"), ("exporters", "handler"), ("idsValidators", "handler")] {
        for item in manifest["contributes"][key].as_array().into_iter().flatten() {
            add(item.get(field), Role::Run);
        }
    }
    entries
}

#[test]
fn sample_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/ifc-extension.jsonl");
    let text = std::fs::read_to_string(path).expect("the corpus is in the repository");
    let (mut judged, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a line is a case");
        if case["method"] != "bundle.check" {
            continue;
        }
        let Ok(files) = serde_json::from_value::<BTreeMap<String, String>>(case["input"]["files"].clone()) else {
            continue;
        };
        let report = analyse(&files, &entries(&files));
        let found: Vec<Value> =
            report.diagnostics.iter().map(|finding| serde_json::to_value(finding).expect("plain data")).collect();
        let expected = &case["expect"]["diagnostics"];
        let expected: Vec<&Value> = match expected {
            Value::Array(list) => list.iter().collect(),
            _ => match (&expected["$contains"], &expected["$unordered"]) {
                (Value::Null, Value::Array(list)) => list.iter().collect(),
                (one, _) => vec![one],
            },
        };
        let due = |value: &Value| value["code"].as_str().is_some_and(|code| code.starts_with("CODE_"));
        let exact = case["expect"]["diagnostics"].get("$contains").is_none();
        let all: Vec<&&Value> = expected.iter().filter(|value| due(value)).collect();
        judged += usize::from(!all.is_empty());
        let missing = all.iter().any(|want| !found.iter().any(|have| matches(want, Some(have)).is_ok()));
        let extra = exact && found.iter().filter(|have| due(have)).count() > all.len();
        if missing || extra {
            wrong.push(format!("{}: want {all:?}, have {found:?}", case["id"]));
        }
    }
    assert!(judged > 80, "the corpus has code cases: {judged}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
