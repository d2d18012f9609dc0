//! The graph of a workflow as a page draws it.

use serde_json::Value;

use super::members::{Members, is_texts, kept, list, readable, worded};
use crate::dialect::graph::TYPES;
use crate::documents::{graph::bounded, text};

/// A graph that can be drawn.
#[derive(Debug, Default)]
pub struct Drawn {
    pub graph: Value,
    /// Where each of its nodes stood; `None`: all are there.
    pub nodes: Option<Vec<usize>>,
    /// Where each of its edges stood.
    pub edges: Option<Vec<usize>>,
}

/// The graph of a document; `None` where it has no list of nodes, or more than a graph may have.
pub fn drawn(mut document: Value) -> Option<Drawn> {
    bounded(&document).ok()?;
    let members = document.as_object_mut()?;
    let (all, nodes) = readable(list(members, "nodes")?, node);
    members.insert("nodes".to_owned(), all.into());
    let (all, edges) = readable(list(members, "edges").unwrap_or_default(), edge);
    members.insert("edges".to_owned(), all.into());
    worded(members, &["entryNodeId"]);
    kept(members, &["metadata"], Value::is_object);
    Some(Drawn { graph: document, nodes, edges })
}

fn node(node: &mut Members) -> bool {
    let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
    if !TYPES.contains(&kind) {
        node.insert("type".to_owned(), TYPES[0].into());
    }
    worded(node, &["file"]);
    kept(node, &["title", "description", "agentId"], Value::is_string);
    kept(node, &["inputs", "outputs"], is_texts);
    node.get("id").is_some_and(Value::is_string)
}

fn edge(edge: &mut Members) -> bool {
    worded(edge, &["label"]);
    kept(edge, &["id", "conditionText"], Value::is_string);
    kept(edge, &["isDefault"], Value::is_boolean);
    kept(edge, &["conditionExpr"], Value::is_object);
    ["from", "to"].iter().all(|end| edge.get(*end).is_some_and(Value::is_string))
}

/// Id and file of each node.
pub fn steps(graph: &Value) -> impl Iterator<Item = (&str, &str)> {
    crate::documents::items(graph, "nodes").iter().map(|node| (text(node, "id"), text(node, "file")))
}
