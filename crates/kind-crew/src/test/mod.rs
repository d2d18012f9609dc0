//! Samples that tests of rules change.

pub mod corpus;
pub mod package;

use holdpoint_check::Diagnostic;
use serde_json::{Value, json};

/// A graph of step nodes `0`, `1`, … with these edges.
pub fn graph(nodes: usize, edges: &[(usize, usize)]) -> Value {
    let nodes: Vec<Value> =
        (0..nodes).map(|at| json!({"id": at.to_string(), "type": "step", "file": format!("steps/{at}.md")})).collect();
    let edge = |(from, to): &(usize, usize)| json!({"from": from.to_string(), "to": to.to_string(), "label": "x"});
    let edges: Vec<Value> = edges.iter().map(edge).collect();
    json!({"schemaVersion": "1.1", "entryNodeId": "0", "nodes": nodes, "edges": edges})
}

/// Code and place of each finding, as tests compare them.
pub fn found(findings: &[Diagnostic]) -> String {
    let one = |finding: &Diagnostic| {
        let start = finding.range.map(|range| format!("{}:{}", range.start.line, range.start.column));
        let place = finding.pointer.clone().or(start).map(|place| format!(" {place}")).unwrap_or_default();
        format!("{}{place}", finding.code)
    };
    findings.iter().map(one).collect::<Vec<_>>().join(", ")
}
