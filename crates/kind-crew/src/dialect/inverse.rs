//! What takes a change set back (spec: crew-package.md §10.1 "Undo").
//!
//! Two things at once: operations, which are staged and checked like any other set; and the old texts of the files, so
//! that every byte comes back. Invariant: both speak of the same objects.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::meta::ChangedRow;
use super::view::{View, agent_id};

/// What is stored with the revision that a set makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inverse {
    /// Operations of the set that undoes it.
    pub operations: Vec<Value>,
    /// The files as they were; null where there was none.
    pub files: BTreeMap<String, Option<String>>,
}

impl Inverse {
    /// Of a change from one package to another. `rows` name the objects.
    pub fn of(rows: &[ChangedRow], (before, after): (&View, &View), (old, new): (&Files, &Files)) -> Self {
        let mut seen = BTreeSet::new();
        let objects = rows.iter().filter(|row| seen.insert((&row.object, workflow_of(&row.file))));
        let operations = objects.filter_map(|row| operation(row, before, after)).collect();
        let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let changed = paths.into_iter().filter(|path| old.get(*path) != new.get(*path));
        Self { operations, files: changed.map(|path| (path.clone(), old.get(path).cloned())).collect() }
    }

    /// The files that it leads back to.
    pub fn restore(&self, files: &mut Files) {
        for (path, text) in &self.files {
            match text {
                Some(text) => files.insert(path.clone(), text.clone()),
                None => files.remove(path),
            };
        }
    }
}

/// The workflow that a file lies in.
fn workflow_of(file: &str) -> Option<u64> {
    file.strip_prefix("workflows/")?.split('/').next()?.parse().ok()
}

fn operation(row: &ChangedRow, before: &View, after: &View) -> Option<Value> {
    let (kind, id) = row.object.split_once(':')?;
    let (target, payload) = match kind {
        "workflow" => {
            let id = id.parse().ok()?;
            let (old, new) = (before.workflows.get(&id), after.workflows.get(&id)?);
            let payload = old.map(|old| {
                let mut members = Map::new();
                if let Some(document) = old.document.as_ref().filter(|_| old.document != new.document) {
                    members.insert("workflowMarkdown".to_owned(), document.as_str().into());
                }
                if old.graph != new.graph {
                    members.insert("graph".to_owned(), old.graph.clone());
                }
                members
            });
            if payload.as_ref().is_some_and(Map::is_empty) {
                return None;
            }
            (json!({ "workflowId": id }), payload.map(Value::Object))
        }
        "step" => {
            let workflow = workflow_of(&row.file)?;
            let old = before.step(workflow, id);
            let payload = old.map(|old| json!({"stepMarkdown": old.text, "stepPath": old.path}));
            (json!({"workflowId": workflow, "nodeId": id}), payload)
        }
        "agent" => {
            let old = before.agents.iter().find(|agent| agent_id(agent) == id);
            (json!({ "agentId": id }), old.map(|old| json!({"agent": old, "replace": true})))
        }
        _ => (json!({ "path": id }), before.assets.get(id).map(|text| json!({ "content": text }))),
    };
    Some(match payload {
        Some(payload) => json!({"op": "upsert", "targetType": kind, "target": target, "payload": payload}),
        None => json!({"op": "delete", "targetType": kind, "target": target}),
    })
}
