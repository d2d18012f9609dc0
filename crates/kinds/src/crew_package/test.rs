//! Samples that tests of rules change.

use serde_json::{Value, json};

/// A graph of step nodes `0`, `1`, … with these edges.
pub fn graph(nodes: usize, edges: &[(usize, usize)]) -> Value {
    let nodes: Vec<Value> =
        (0..nodes).map(|at| json!({"id": at.to_string(), "type": "step", "file": format!("steps/{at}.md")})).collect();
    let edge = |(from, to): &(usize, usize)| json!({"from": from.to_string(), "to": to.to_string(), "label": "x"});
    let edges: Vec<Value> = edges.iter().map(edge).collect();
    json!({"schemaVersion": "1.1", "entryNodeId": "0", "nodes": nodes, "edges": edges})
}
