//! `GRAPH_UNREACHABLE_NODE`, `GRAPH_NO_END_REACHABLE`: what the entry reaches.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;

codes! {
    /// a node that the entry does not reach
    GRAPH_UNREACHABLE_NODE: Warning, "Lead a way to `{name}`, or remove it: the entry does not reach it." [name];
    /// no end can be reached
    GRAPH_NO_END_REACHABLE: Warning, "Lead a way from the entry to a node of type `end`.";
}

/// Findings with pointers, where the entry is known. Beside several starts nodes out of reach are not said again.
pub fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let Some(entry) = graph.place(graph.entry) else { return Vec::new() };
    let reached = graph.reached(entry);
    let mut findings = Vec::new();
    let one_start = graph.starts().len() < 2;
    for (at, node) in graph.nodes.iter().enumerate().filter(|(at, _)| one_start && !reached[*at]) {
        let finding = Diagnostic::of(&GRAPH_UNREACHABLE_NODE, args! { name: node.id });
        findings.push(finding.at_pointer(format!("/nodes/{at}")).with_hint(format!("Node: {}.", node.id)));
    }
    if !graph.nodes.iter().zip(&reached).any(|(node, reached)| *reached && node.kind == "end") {
        findings.push(Diagnostic::of(&GRAPH_NO_END_REACHABLE, args! {}).at_pointer("/entryNodeId"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn reach_of_the_entry() {
        let of = |nodes: usize, edges: &[(usize, usize)], end: usize, entry: &str| {
            let mut value = graph(nodes, edges);
            value["nodes"][end]["type"] = json!("end");
            value["entryNodeId"] = json!(entry);
            found(&check(&Graph::of(&value)))
        };
        assert_eq!(of(1, &[], 0, "0"), "", "an entry may be the end");
        assert_eq!(of(3, &[(0, 1), (1, 2)], 2, "0"), "");
        assert_eq!(of(3, &[(0, 1), (1, 2)], 2, "1"), "GRAPH_UNREACHABLE_NODE /nodes/0");
        let want =
            "GRAPH_UNREACHABLE_NODE /nodes/1, GRAPH_UNREACHABLE_NODE /nodes/2, GRAPH_NO_END_REACHABLE /entryNodeId";
        assert_eq!(of(3, &[(1, 2), (2, 1)], 2, "0"), want);
        assert_eq!(of(3, &[(0, 1)], 2, "0"), "GRAPH_NO_END_REACHABLE /entryNodeId", "two starts");
        assert_eq!(of(2, &[], 1, "x"), "");
    }
}
