//! One of the two packages, as far as it can be read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use serde_json::{Map, Value};

use crate::dialect::view::{agent_id, nodes};
use crate::documents::manifest::Shared;
use crate::documents::{items, json, text};
use crate::policy::{AGENTS, ASSETS, MANIFEST};

/// A workflow of the manifest.
pub struct SideWorkflow<'f> {
    /// Its row, or `entry` in a package of one workflow.
    pub row: Value,
    /// Its graph; null where it cannot be read.
    pub graph: Value,
    pub document: &'f str,
    /// For each node that has one, the text of its step file.
    pub steps: BTreeMap<String, &'f str>,
}

/// A package that was read; what cannot be read is among the others.
pub struct Side<'f> {
    pub manifest: Value,
    /// The file of the agents, as a value.
    pub agents_file: Value,
    pub agents: Vec<Map<String, Value>>,
    /// By id; the one of a package of one workflow has the empty id. In the order of the manifest.
    pub workflows: Vec<(String, SideWorkflow<'f>)>,
    pub assets: BTreeMap<&'f str, &'f str>,
    pub others: BTreeMap<&'f str, &'f str>,
}

impl<'f> Side<'f> {
    /// Reads a package. The error: a document is too large.
    pub fn of(files: &'f Files) -> Result<Self, ApiError> {
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        let mut object = |path: &str, member: Option<&str>| -> Result<Value, ApiError> {
            let Some((path, text)) = files.get_key_value(path) else { return Ok(Value::Null) };
            let value = json::read(text)?.map_or(Value::Null, |document| document.value);
            let is_whole = value.is_object() && member.is_none_or(|member| value[member].is_array());
            if is_whole {
                taken.insert(path);
            }
            Ok(if is_whole { value } else { Value::Null })
        };
        let manifest = object(MANIFEST, None)?;
        let entry = manifest.get("entry").cloned().unwrap_or_default();
        let agents = entry.get("agents").and_then(Value::as_str).unwrap_or(AGENTS).to_owned();
        let agents_file = object(&agents, Some("agents"))?;
        let listed = items(&manifest, "workflows");
        let rows: Vec<Value> = if listed.is_empty() { vec![entry] } else { listed.to_vec() };
        let mut workflows: Vec<(String, SideWorkflow<'f>)> = Vec::new();
        let rows: Vec<&Value> = rows.iter().filter(|row| row.is_object()).collect();
        let mut shared = Shared::default();
        let mut looked_at = Vec::with_capacity(rows.len());
        for row in rows {
            let is_taken = shared.takes([text(row, "graph"), text(row, "workflow")]);
            let graph = if is_taken { object(text(row, "graph"), Some("nodes"))? } else { Value::Null };
            let id = text(row, "id").to_owned();
            workflows.push((id, SideWorkflow { row: row.clone(), graph, document: "", steps: BTreeMap::new() }));
            looked_at.push(is_taken);
        }
        for ((_, workflow), _) in workflows.iter_mut().zip(looked_at).filter(|(_, is_taken)| *is_taken) {
            if let Some((path, text)) = files.get_key_value(text(&workflow.row, "workflow")) {
                taken.insert(path);
                workflow.document = text;
            }
            for (id, node) in nodes(&workflow.graph) {
                if let Some((path, text)) = files.get_key_value(text(node, "file")) {
                    taken.insert(path);
                    workflow.steps.entry(id.to_owned()).or_insert(text);
                }
            }
        }
        let left =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).filter(|(path, _)| !taken.contains(path));
        let (assets, others) = left.partition(|(path, _)| path.starts_with(ASSETS));
        let agents = items(&agents_file, "agents").iter().filter_map(Value::as_object).cloned().collect();
        Ok(Self { manifest, agents_file, agents, workflows, assets, others })
    }

    /// Workflows by id; of two the first.
    pub fn by_id(&self) -> HashMap<&str, &SideWorkflow<'f>> {
        self.workflows.iter().rev().map(|(id, workflow)| (id.as_str(), workflow)).collect()
    }

    /// Agents by id; of two the first.
    pub fn agents_by_id(&self) -> HashMap<&str, &Map<String, Value>> {
        self.agents.iter().rev().map(|agent| (agent_id(agent), agent)).collect()
    }
}
