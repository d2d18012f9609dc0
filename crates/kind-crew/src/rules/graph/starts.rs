//! `GRAPH_MULTI_START`, `GRAPH_ENTRY_NOT_START`, `GRAPH_NO_START`: a workflow begins in one place.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;
use crate::hints;

codes! {
    /// two or more nodes that no other node leads to
    GRAPH_MULTI_START: Error, "Let one node be the start: no other node leads to {n} of them." [n];
    /// the node that no other leads to is not the entry
    GRAPH_ENTRY_NOT_START: Error, "Make `{wanted}` the entry: no other node leads to it." [wanted];
    /// every node is led to by another
    GRAPH_NO_START: Warning, "Begin with a node that no other one leads to.";
}

/// Findings with pointers. An entry that is no node is found elsewhere.
pub fn check(graph: &Graph<'_>) -> Option<Diagnostic> {
    let starts: Vec<&str> = graph.starts().into_iter().map(|at| graph.nodes[at].id).collect();
    match starts.as_slice() {
        [] => Some(Diagnostic::of(&GRAPH_NO_START, args! {}).at_pointer("/nodes")),
        [only] if *only == graph.entry || graph.place(graph.entry).is_none() => None,
        [wanted] => Some(Diagnostic::of(&GRAPH_ENTRY_NOT_START, args! { wanted }).at_pointer("/entryNodeId")),
        several => {
            let finding = Diagnostic::of(&GRAPH_MULTI_START, args! { n: several.len() }).at_pointer("/nodes");
            Some(finding.with_hint(hints::allowed(several)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn one_start_which_is_the_entry() {
        let of = |nodes: usize, edges: &[(usize, usize)], entry: &str| {
            let mut value = graph(nodes, edges);
            value["entryNodeId"] = json!(entry);
            found(&check(&Graph::of(&value)).into_iter().collect::<Vec<_>>())
        };
        assert_eq!(of(1, &[], "0"), "");
        assert_eq!(of(2, &[(0, 0), (0, 1)], "0"), "", "an edge to itself leads nowhere");
        assert_eq!(of(2, &[(0, 1)], "1"), "GRAPH_ENTRY_NOT_START /entryNodeId");
        assert_eq!(of(2, &[(0, 1)], "x"), "");
        assert_eq!(of(3, &[(0, 1), (9, 2)], "0"), "GRAPH_MULTI_START /nodes");
        assert_eq!(of(2, &[(0, 1), (1, 0)], "0"), "GRAPH_NO_START /nodes");
    }
}
