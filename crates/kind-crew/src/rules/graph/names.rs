//! `GRAPH_NODE_ID_DUPLICATE`, `GRAPH_EDGE_DANGLING`, `GRAPH_ENTRY_NOT_FOUND`: nodes are named once, and what is named is
//! there.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;

codes! {
    /// an id that an earlier node has
    GRAPH_NODE_ID_DUPLICATE: Error, "Give the node an id of its own: another one is `{name}`." [name];
    /// an edge from or to no node
    GRAPH_EDGE_DANGLING: Error, "Name a node of the graph: `{name}` is none." [name];
    /// an entry that is no node
    GRAPH_ENTRY_NOT_FOUND: Error, "Name a node of the graph as the entry: `{name}` is none." [name];
}

pub fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate().filter(|(at, node)| graph.place(node.id) != Some(*at)) {
        let finding = Diagnostic::of(&GRAPH_NODE_ID_DUPLICATE, args! { name: node.id });
        findings.push(finding.at_pointer(format!("/nodes/{at}/id")));
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        for (member, name) in [("from", edge.from), ("to", edge.to)] {
            if graph.place(name).is_none() {
                let finding = Diagnostic::of(&GRAPH_EDGE_DANGLING, args! { name });
                findings.push(finding.at_pointer(format!("/edges/{at}/{member}")));
            }
        }
    }
    if graph.place(graph.entry).is_none() {
        let finding = Diagnostic::of(&GRAPH_ENTRY_NOT_FOUND, args! { name: graph.entry });
        findings.push(finding.at_pointer("/entryNodeId"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn what_is_named_is_there() {
        let mut value = graph(3, &[(0, 1), (8, 9), (9, 0)]);
        value["nodes"][2]["id"] = json!("0");
        value["entryNodeId"] = json!("x");
        let want = "GRAPH_NODE_ID_DUPLICATE /nodes/2/id, GRAPH_EDGE_DANGLING /edges/1/from, \
                    GRAPH_EDGE_DANGLING /edges/1/to, GRAPH_EDGE_DANGLING /edges/2/from, \
                    GRAPH_ENTRY_NOT_FOUND /entryNodeId";
        assert_eq!(found(&check(&Graph::of(&value))), want);
        assert_eq!(found(&check(&Graph::of(&graph(2, &[(0, 1), (1, 1)])))), "");
    }
}
