//! What a node repeats of its step follows the step (spec: crew-package.md §9.4 "Graph sync").

use serde::Serialize;
use serde_json::{Map, Value};

/// Members that node and step share, in the order in which they are told.
const FIELDS: [&str; 4] = ["title", "agentId", "inputs", "outputs"];

/// A member of a node that follows its step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Synced {
    pub workflow_id: u64,
    pub node_id: String,
    pub field: &'static str,
    pub value: Value,
}

/// Brings the node of a step up to date and tells what changed.
pub fn sync(graph: &mut Value, workflow: u64, node: &str, frontmatter: &Value) -> Vec<Synced> {
    let nodes = graph.get_mut("nodes").and_then(Value::as_array_mut);
    let is_it = |value: &&mut Value| value.get("id").and_then(Value::as_str) == Some(node);
    let Some(members) = nodes.and_then(|nodes| nodes.iter_mut().find(is_it)).and_then(Value::as_object_mut) else {
        return Vec::new();
    };
    FIELDS.into_iter().filter_map(|field| field_of(members, workflow, node, field, frontmatter)).collect()
}

fn field_of(
    members: &mut Map<String, Value>,
    workflow: u64,
    node: &str,
    field: &'static str,
    frontmatter: &Value,
) -> Option<Synced> {
    let value = frontmatter.get(field)?;
    let is_empty = match value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    if is_empty || members.get(field) == Some(value) {
        return None;
    }
    members.insert(field.to_owned(), value.clone());
    Some(Synced { workflow_id: workflow, node_id: node.to_owned(), field, value: value.clone() })
}
