//! Agents by hand: always the whole list.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Severity};
use serde_json::{Map, Value, json};

use super::manifest::SCHEMA_VERSION;
use super::order::{AGENTS, ordered};
use super::{Edited, invalid, judged};
use crate::dialect::package::written;
use crate::documents::json as read_json;
use crate::facts::PackageFacts;
use crate::places::Places;
use crate::rules::agents::fields;

pub fn replace(files: &Files, known: &PackageFacts, agents: &[Map<String, Value>]) -> Result<Edited, ApiError> {
    let path = Places::of(files).agents;
    let old = files.get(&path).and_then(|text| read_json::read(text).ok()?.ok()).map(|document| document.value);
    let sent: Value = agents.iter().cloned().map(Value::Object).collect();
    let is_document = |value: &Value| value.get("agents").is_some_and(Value::is_array);
    let mut document =
        old.clone().filter(is_document).unwrap_or_else(|| json!({"schemaVersion": SCHEMA_VERSION, "agents": []}));
    document["agents"] = ordered(sent, document.get("agents"), &AGENTS);
    let mut after = files.clone();
    if old.as_ref() != Some(&document) {
        after.insert(path.clone(), written(&document));
    }
    let long = agents.iter().enumerate().flat_map(|(at, agent)| {
        fields(&Value::Object(agent.clone()), &format!("/agents/{at}")).into_iter().map(|mut found| {
            found.severity = Severity::Error;
            found.in_file(&path)
        })
    });
    let long: Vec<_> = long.collect();
    judged(&after, &BTreeSet::from([path.clone()]))?;
    if !long.is_empty() {
        return Err(invalid(&long));
    }
    Edited::of(files, after, known, Vec::new())
}
