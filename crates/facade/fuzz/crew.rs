//! What the methods of crew packages promise, asked of any input: by coverage in `fuzz_targets/crew.rs`, by seeded
//! changes in `tests/crew_mutations.rs`, and by hand in `cargo xtask bench crew-slow`.
//!
//! Panics where a promise is broken. Whoever watches runs each question, so that it can be timed and its answer kept.

use std::collections::BTreeMap;

use holdpoint_facade::Shell;
use holdpoint_kind_crew::archive::{ImportOptions, export, import};
use serde_json::{Map, Value, json};

static SHELL: Shell = holdpoint_facade::native_shell!(holdpoint_kinds);

/// Runs a question of that name, and may look at the text of its answer.
pub type Watch<'w> = &'w mut dyn FnMut(&str, &mut dyn FnMut() -> String);
/// Path → text.
pub type Texts = BTreeMap<String, String>;

/// Findings that a check shows, and the one that says how many more there are.
const MAX_SHOWN: usize = 2_001;
/// Paths that are counted.
const MAX_PATHS: u64 = 10_000;

fn asked(watch: Watch<'_>, method: &str, input: Value) -> Value {
    let (mut input, mut answer) = (Some(input), Value::Null);
    watch(method, &mut || {
        answer = SHELL.call(method, input.take().unwrap_or_default());
        answer.to_string()
    });
    assert!(!answer.is_null(), "{method} does not answer");
    if let Some(error) = answer.get("error") {
        assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()), "{method}: {error}");
    }
    answer
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// A package: what the check, the path report and the comparison with another one say; what is clean goes out and in.
pub fn package(files: &Texts, other: &Texts, watch: Watch<'_>) {
    let answer = asked(watch, "bundle.check", json!({"kind": "crew-package", "files": files}));
    if answer.get("error").is_none() {
        let found = list(&answer, "diagnostics");
        let errors = found.iter().filter(|it| it["severity"] == "error").count();
        assert!(found.len() <= MAX_SHOWN);
        assert_eq!(answer["ok"], json!(errors == 0));
        assert!(found.iter().all(|it| it["hint"].as_str().is_some_and(|hint| !hint.is_empty())), "{answer}");
    }
    ways(files, watch);
    compared(files, other, watch);
    if answer["ok"] == true {
        round(files, watch);
    }
}

fn ways(files: &Texts, watch: Watch<'_>) {
    let answer = asked(watch, "crew.paths", json!({ "files": files }));
    for it in list(&answer, "workflows") {
        let number = |name: &str| it[name].as_u64().unwrap_or(u64::MAX);
        assert!(number("ends") <= number("count") && number("count") <= MAX_PATHS, "{it}");
        assert!(list(it, "findings").iter().all(|it| it["affects"].as_u64().is_some_and(|it| it <= number("count"))));
        let known = list(it, "findings").len() as u64;
        for path in list(it, "paths") {
            assert_eq!(list(path, "nodes").len(), list(path, "edges").len() + 1);
            assert!(list(path, "findings").iter().all(|at| at.as_u64().is_some_and(|at| at < known)));
        }
    }
}

/// Two packages; one and the same have nothing to say.
pub fn compared(before: &Texts, after: &Texts, watch: Watch<'_>) {
    let answer = asked(watch, "crew.compare", json!({"before": before, "after": after}));
    let said = |answer: &Value| ["added", "removed", "changed"].map(|name| answer["counts"][name].as_u64());
    if answer.get("error").is_none() && before == after {
        assert_eq!(said(&answer), [Some(0); 3], "{answer}");
    }
}

/// A clean package as an archive and back.
fn round(files: &Texts, watch: Watch<'_>) {
    let mut bytes = Vec::new();
    watch("export", &mut || match export(files) {
        Ok(archive) => {
            bytes = archive;
            format!("{} bytes", bytes.len())
        }
        Err(error) => panic!("a package without errors goes out: {error:?}"),
    });
    assert!(archive(&bytes, watch), "what goes out comes in");
}

/// Bytes as an archive: whether they are taken. What is taken is clean, and goes out and in again unchanged.
pub fn archive(bytes: &[u8], watch: Watch<'_>) -> bool {
    let mut taken = None;
    watch("import", &mut || match import(bytes, &ImportOptions::default()) {
        Ok(found) => {
            let said = json!([found.files, found.warnings, found.name]).to_string();
            taken = Some(found);
            said
        }
        Err(error) => json!([error.code, error.message, error.details]).to_string(),
    });
    let Some(found) = taken else { return false };
    let again = export(&found.files).expect("what was taken has no errors");
    let again = import(&again, &ImportOptions::default()).expect("what goes out comes in");
    assert_eq!(again.files, found.files);
    true
}

/// The input of `changeset.check`: a valid set is valid in its normal form, which is its own, and can be applied.
pub fn change_set(input: Value, watch: Watch<'_>) {
    let files = files_of(&input["snapshot"]);
    let answer = asked(watch, "changeset.check", input.clone());
    for finding in list(&answer, "errors").iter().chain(list(&answer, "warnings")) {
        assert!(finding["code"].as_str().is_some_and(|code| !code.is_empty()), "{finding}");
    }
    if answer["valid"] != true {
        apply(&files, &input["change_set"]["operations"], watch);
        return;
    }
    let normal = answer["normalized"].clone();
    let mut again = input;
    again["change_set"] = normal.clone();
    let second = asked(watch, "changeset.check", again);
    assert_eq!(second["valid"], true, "the normal form of a valid set is valid: {}", second["errors"]);
    assert_eq!(second["normalized"], normal, "the normal form is its own");
    apply(&files, &normal["operations"], watch);
}

fn apply(files: &Texts, operations: &Value, watch: Watch<'_>) -> Value {
    asked(watch, "files.apply", json!({"kind": "crew-package", "files": files, "operations": operations}))
}

/// The files of a snapshot, as far as they are texts.
fn files_of(snapshot: &Value) -> Texts {
    let mut files = Texts::new();
    let mut rows = Vec::new();
    for workflow in list(snapshot, "workflows") {
        let id = workflow["id"].to_string();
        let (document, graph) = (format!("workflows/{id}/workflow.md"), format!("workflows/{id}/workflow.graph.json"));
        if let Some(text) = workflow["document"].as_str() {
            files.insert(document.clone(), text.to_owned());
        }
        files.insert(graph.clone(), workflow["graph"].to_string());
        rows.push(json!({"id": id, "workflow": document, "graph": graph}));
    }
    for step in list(snapshot, "steps") {
        if let (Some(path), Some(text)) = (step["path"].as_str(), step["markdown"].as_str()) {
            files.insert(path.to_owned(), text.to_owned());
        }
    }
    let none = Map::new();
    for (path, text) in snapshot["assets"].as_object().unwrap_or(&none) {
        files.insert(path.clone(), text.as_str().unwrap_or_default().to_owned());
    }
    let mut entry = rows.first().cloned().unwrap_or_default();
    entry["agents"] = json!("agents.json");
    if let Some(members) = entry.as_object_mut() {
        members.remove("id");
    }
    let manifest = json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry, "workflows": rows});
    files.insert("bmad.json".to_owned(), manifest.to_string());
    let agents = json!({"schemaVersion": "1.1", "agents": snapshot["agents"]});
    files.insert("agents.json".to_owned(), agents.to_string());
    files
}
