//! The plan that a bundle is as it stands (spec: authoring.md §8 "the present manifest is the plan").
//!
//! Owns how a manifest reads as a plan. Invariant: a bundle conforms to its own plan, so what is written for it can
//! neither gain a contribution, a permission or an event, nor lose a test.

use holdpoint_bundle::Files;
use serde_json::{Map, Value, json};

use super::conform::KINDS;
use super::{items, member};
use crate::judged::manifest_value;

/// Most characters of a plan's texts (plan.schema.json).
const MAX_SUMMARY: usize = 200;
const MAX_RATIONALE: usize = 2_000;
const MAX_LABEL: usize = 120;
/// What a test runs, by the member that names it.
const RUNS: [&str; 4] = ["command", "lens", "exporter", "idsValidator"];
/// Members of a contribution that a plan has under the same name.
const SAME: [&str; 5] = ["slot", "command", "widget", "key", "when"];

/// The plan of a bundle, `why` it is looked at again; none where the manifest is no object.
pub fn present(files: &Files, why: &str) -> Option<Value> {
    let manifest = manifest_value(files).filter(Value::is_object)?;
    let name = member(&manifest, "name").unwrap_or_default();
    let summary = member(&manifest, "description").unwrap_or(name);
    let contributions: Vec<Value> = contributions(&manifest);
    let listed = |name: &str| manifest.get(name).cloned().unwrap_or_else(|| json!([]));
    let triggers: Vec<&str> = items(&manifest, "activation")
        .filter_map(|(_, event)| event.as_str())
        .filter(|event| !event.starts_with("onCommand:"))
        .collect();
    let widgets: Vec<Value> = contributions
        .iter()
        .filter_map(|one| Some(json!({ "path": member(one, "widget")?, "description": one["label"] })))
        .collect();
    Some(json!({
        "summary": cut(summary, MAX_SUMMARY, name),
        "rationale": cut(why, MAX_RATIONALE, name),
        "contributions": contributions,
        "capabilities": listed("capabilities"),
        "triggers": triggers,
        "widgets": once(widgets, "path"),
        "tests": items(&manifest, "tests").filter_map(|(_, test)| planned_test(test)).collect::<Vec<_>>(),
    }))
}

fn contributions(manifest: &Value) -> Vec<Value> {
    let contributes = manifest.get("contributes").unwrap_or(&Value::Null);
    let mut all: Vec<Value> = Vec::new();
    for (kind, key, matched_by) in KINDS {
        for (_, one) in items(contributes, key) {
            let Some(named) = member(one, matched_by) else { continue };
            // A command may have several buttons: each is planned under an id of its own.
            let taken = |id: &str| all.iter().any(|other| other["kind"] == kind && other["id"] == id);
            let mut id = named.to_owned();
            while taken(&id) {
                id.push_str("-again");
            }
            let label = ["title", "name", "text"].iter().find_map(|label| member(one, label)).unwrap_or(named);
            let mut planned = Map::new();
            planned.insert("kind".into(), kind.into());
            planned.insert("id".into(), id.into());
            planned.insert("label".into(), cut(label, MAX_LABEL, named).into());
            for name in SAME {
                planned.extend(one.get(name).map(|value| (name.to_owned(), value.clone())));
            }
            planned.extend(one.get("refreshOn").map(|value| ("refreshOn".to_owned(), value.clone())));
            planned.extend(one.get("extension").map(|value| ("format".to_owned(), value.clone())));
            all.push(Value::Object(planned));
        }
    }
    all
}

/// A test of the manifest, in words; one of an event stands for no contribution.
fn planned_test(test: &Value) -> Option<Value> {
    let contribution = RUNS.iter().find_map(|run| member(test, run))?;
    let name = member(test, "name")?;
    let fixture = member(test, "fixture").unwrap_or("synthetic");
    Some(json!({ "name": name, "fixture": fixture, "contribution": contribution, "assertionSummary": name }))
}

fn once(list: Vec<Value>, by: &str) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for one in list {
        if !kept.iter().any(|other| other[by] == one[by]) {
            kept.push(one);
        }
    }
    kept
}

/// At most so many characters; another text where there is none.
fn cut(text: &str, most: usize, other: &str) -> String {
    let text = if text.trim().is_empty() { other } else { text };
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::judged;
    use crate::plan::{check, conform};

    fn read(dir: &Path, at: &Path, files: &mut Files) {
        for entry in std::fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                read(dir, &path, files);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                files.insert(path.strip_prefix(dir).unwrap().to_string_lossy().into_owned(), text);
            }
        }
    }

    #[test]
    fn every_example_is_what_its_own_plan_says() {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/extensions");
        let mut seen = 0;
        for dir in std::fs::read_dir(home).unwrap().flatten().map(|entry| entry.path()) {
            let mut files: Files = BTreeMap::new();
            read(&dir, &dir, &mut files);
            let plan = present(&files, "A value is wrong.").unwrap();
            let report = check(&plan, None, None);
            assert!(report.ok, "{dir:?} {:#?}", report.diagnostics);
            let found = conform(&plan, judged::manifest(&files).as_ref(), &files);
            assert!(found.is_empty(), "{dir:?} {found:#?}");
            seen += 1;
        }
        assert!(seen >= 10);
    }

    #[test]
    fn several_buttons_of_a_command_are_planned_apart() {
        let manifest = json!({
            "name": "Doors", "description": " ",
            "contributes": {
                "commands": [{"id": "a.run", "title": "Run"}],
                "toolbar": [{"command": "a.run", "slot": "toolbar.left"}, {"command": "a.run", "slot": "toolbar.right"}],
            },
        });
        let files = Files::from([("manifest.json".to_owned(), manifest.to_string())]);
        let plan = present(&files, "").unwrap();
        assert_eq!(plan["summary"], "Doors");
        let ids: Vec<&str> =
            plan["contributions"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["a.run", "a.run", "a.run-again"]);
        assert!(check(&plan, None, None).diagnostics.iter().all(|it| it.code != "DUPLICATE_ID"));
    }

    #[test]
    fn what_is_no_manifest_has_no_plan() {
        for text in ["", "[]", "{", "null"] {
            assert_eq!(present(&Files::from([("manifest.json".to_owned(), text.to_owned())]), "x"), None, "{text}");
        }
        assert_eq!(present(&Files::new(), "x"), None);
    }
}
