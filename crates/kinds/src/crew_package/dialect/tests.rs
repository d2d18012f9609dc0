//! Change sets against the sample cases, and what the specification promises of every one (spec: crew-package.md §12).

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_change::{Base, Staged};
use holdpoint_check::subset;
use serde_json::{Map, Value, json};

use super::inverse::Inverse;
use super::package::written;
use crate::crew_package::methods::METHODS;
use crate::crew_package::{CrewPackage, Options, Proposal, check};
use crate::kind::Kind;

const CORPUS: &str = include_str!("../../../../../tests/corpus/crew-package.jsonl");

/// What `changeset.check` answers.
fn call(input: &Value) -> Value {
    let (_, method) = METHODS[0];
    method(input.clone()).unwrap_or_else(|error| json!({ "error": error }))
}

fn cases() -> Vec<Value> {
    let cases = CORPUS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    cases.filter(|case| case["method"] == "changeset.check").collect()
}

/// The cases whose change set is valid.
fn valid() -> Vec<Value> {
    let valid: Vec<Value> = cases().into_iter().filter(|case| call(&case["input"])["valid"] == true).collect();
    assert!(valid.len() > 40);
    valid
}

/// The files of a snapshot, as Holdpoint writes them.
fn files(snapshot: &Value) -> Files {
    let mut files = Files::new();
    let mut listed = Vec::new();
    for workflow in snapshot["workflows"].as_array().unwrap() {
        let folder = format!("workflows/{}", workflow["id"]);
        let (document, graph) = (format!("{folder}/workflow.md"), format!("{folder}/workflow.graph.json"));
        listed.push(json!({"id": workflow["id"].to_string(), "workflow": document, "graph": graph}));
        files.insert(document, workflow["document"].as_str().unwrap().to_owned());
        files.insert(graph, written(&workflow["graph"]));
    }
    for step in snapshot["steps"].as_array().unwrap() {
        let text = |name: &str| step[name].as_str().unwrap().to_owned();
        files.insert(text("path"), text("markdown"));
    }
    for (path, text) in snapshot["assets"].as_object().unwrap() {
        files.insert(path.clone(), text.as_str().unwrap().to_owned());
    }
    files.insert("agents.json".into(), written(&json!({"schemaVersion": "1.1", "agents": snapshot["agents"]})));
    let entry = json!({"workflow": listed[0]["workflow"], "graph": listed[0]["graph"], "agents": "agents.json"});
    let manifest =
        json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": listed});
    files.insert("bmad.json".into(), written(&manifest));
    files
}

fn staged(files: &Files, input: &Value, change_set: &Value, is_inverse: bool) -> Staged {
    let options = input.get("options").cloned().unwrap_or_else(|| json!({}));
    let proposal = json!({
        "session": input["session"], "change_set": change_set, "revisions": input["snapshot"]["revisions"],
        "options": options, "is_inverse": is_inverse,
    });
    let proposal: Proposal = serde_json::from_value(proposal).unwrap();
    CrewPackage.stage(Base { files: Some(files.clone()), ..Base::default() }, &proposal).unwrap()
}

fn errors(files: &Files) -> BTreeSet<String> {
    let report = check(files, &Options::default()).unwrap();
    let errors = report.diagnostics.into_iter().filter(holdpoint_check::Diagnostic::is_error);
    errors.map(|it| format!("{} {:?} {:?}", it.code, it.path, it.pointer)).collect()
}

#[test]
fn every_sample_case() {
    let mut failed = Vec::new();
    let cases = cases();
    assert!(!cases.is_empty());
    for case in cases {
        let answer = call(&case["input"]);
        if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
            let found = format!("{}\n   {}", answer["errors"], answer["warnings"]);
            failed.push(format!("{} {}: {miss:?}\n   {found}", case["id"], case["why"]));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn checking_twice_gives_the_same_bytes() {
    for case in cases() {
        assert_eq!(call(&case["input"]).to_string(), call(&case["input"]).to_string(), "{}", case["id"]);
    }
}

#[test]
fn the_normal_form_is_valid_and_its_own_normal_form() {
    for case in valid() {
        let normalized = call(&case["input"])["normalized"].clone();
        let mut again = case["input"].clone();
        again["change_set"] = normalized.clone();
        let answer = call(&again);
        assert_eq!(answer["errors"], json!([]), "{}", case["id"]);
        assert_eq!(answer["normalized"].to_string(), normalized.to_string(), "{}", case["id"]);
        assert_eq!(answer["meta"]["changed"], call(&case["input"])["meta"]["changed"], "{}", case["id"]);
    }
}

#[test]
fn files_and_snapshot_lead_to_the_same_verdict() {
    for case in cases().into_iter().filter(|case| case["expect"].get("error").is_none()) {
        let input = &case["input"];
        let mut answer = call(input);
        // The counters of the sender are not a part of what is staged here.
        answer["warnings"].as_array_mut().unwrap().retain(|it| it["code"] != "AI_REVISION_BASE_MISMATCH");
        let staged = staged(&files(&input["snapshot"]), input, &input["change_set"], false);
        assert_eq!(staged.shown, answer, "{}", case["id"]);
        assert_eq!(staged.after.is_some(), answer["valid"] == true, "{}", case["id"]);
    }
}

#[test]
fn a_valid_set_brings_no_new_error() {
    for case in valid() {
        let before = files(&case["input"]["snapshot"]);
        let after = staged(&before, &case["input"], &case["input"]["change_set"], false).after.unwrap();
        let new: Vec<String> = errors(&after).difference(&errors(&before)).cloned().collect();
        assert_eq!(new, Vec::<String>::new(), "{}", case["id"]);
    }
}

#[test]
fn the_inverse_restores_every_byte() {
    for case in valid() {
        let before = files(&case["input"]["snapshot"]);
        let staged_once = staged(&before, &case["input"], &case["input"]["change_set"], false);
        let inverse: Inverse = serde_json::from_value(staged_once.inverse.unwrap()).unwrap();
        let after = staged_once.after.unwrap();
        let mut restored = after.clone();
        inverse.restore(&mut restored);
        assert_eq!(restored, before, "{}", case["id"]);
        if inverse.operations.is_empty() {
            assert_eq!(after, before, "{}", case["id"]);
            continue;
        }
        let mut set = case["input"]["change_set"].as_object().cloned().unwrap_or_default();
        set.retain(|name, _| name == "targetType" || name == "mode");
        let session = &case["input"]["session"];
        for (name, value) in [
            ("schemaVersion", json!("1.0")),
            ("targetType", session["target_type"].clone()),
            ("mode", session["mode"].clone()),
            ("operations", json!(inverse.operations)),
        ] {
            set.insert(name.to_owned(), value);
        }
        let undone = staged(&after, &without_create(&case["input"]), &optimize(set), true);
        let is_new = inverse.operations.iter().any(|it| it["op"] == "delete" && it["targetType"] == "workflow");
        if is_new {
            assert_eq!(undone.shown["errors"][0]["code"], "AI_APPLY_UNSUPPORTED", "{}", case["id"]);
        } else {
            assert_eq!(undone.shown["errors"], json!([]), "{}", case["id"]);
            assert_eq!(undone.after.unwrap(), before, "{}", case["id"]);
        }
    }
}

/// The same request in a session that works on what is there.
fn without_create(input: &Value) -> Value {
    let mut input = input.clone();
    input["session"]["mode"] = json!("optimize");
    input
}

fn optimize(mut set: Map<String, Value>) -> Value {
    set.insert("mode".to_owned(), json!("optimize"));
    set.into()
}
