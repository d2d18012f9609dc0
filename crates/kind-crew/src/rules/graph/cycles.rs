//! `GRAPH_CYCLE_NO_DECISION`, `GRAPH_CYCLE_NO_EXIT`: what goes round is decided upon, and ends.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;

codes! {
    /// a cycle without a decision
    GRAPH_CYCLE_NO_DECISION: Error, "Put a decision into the cycle of `{name}`." [name];
    /// a cycle that no edge leaves
    GRAPH_CYCLE_NO_EXIT: Error, "Lead a way out of the cycle of `{name}`." [name];
}

/// Findings at the member of a cycle with the smallest id.
pub fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for cycle in graph.cycles() {
        let Some(least) = cycle.iter().copied().min_by_key(|at| graph.nodes[*at].id) else { continue };
        let name = graph.nodes[least].id;
        let mut find = |code| findings.push(Diagnostic::of(code, args! { name }).at_pointer(format!("/nodes/{least}")));
        if cycle.iter().all(|at| graph.nodes[*at].kind != "decision") {
            find(&GRAPH_CYCLE_NO_DECISION);
        }
        let leads_out = |at: &usize| graph.after(*at).any(|next| cycle.binary_search(&next).is_err());
        if !cycle.iter().any(leads_out) {
            find(&GRAPH_CYCLE_NO_EXIT);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn cycles_are_decided_and_end() {
        let of = |nodes: usize, edges: &[(usize, usize)], decision: Option<usize>| {
            let mut value = graph(nodes, edges);
            if let Some(at) = decision {
                value["nodes"][at]["type"] = json!("decision");
            }
            found(&check(&Graph::of(&value)))
        };
        assert_eq!(of(3, &[(0, 1), (1, 0), (1, 2)], Some(1)), "");
        assert_eq!(of(2, &[(0, 1)], None), "");
        assert_eq!(of(2, &[(0, 0), (0, 1)], None), "GRAPH_CYCLE_NO_DECISION /nodes/0");
        assert_eq!(of(3, &[(0, 1), (1, 2), (2, 1)], Some(2)), "GRAPH_CYCLE_NO_EXIT /nodes/1");
        let both = "GRAPH_CYCLE_NO_DECISION /nodes/0, GRAPH_CYCLE_NO_EXIT /nodes/0";
        assert_eq!(of(2, &[(0, 1), (1, 0), (1, 9)], None), both, "an edge to nowhere is no way out");
    }

    #[test]
    fn the_smallest_id_is_by_bytes() {
        let mut value = graph(3, &[(0, 1), (1, 2), (2, 0)]);
        for (node, id) in ["b", "a", "B"].into_iter().enumerate() {
            value["nodes"][node]["id"] = json!(id);
        }
        for (edge, (from, to)) in [("b", "a"), ("a", "B"), ("B", "b")].into_iter().enumerate() {
            value["edges"][edge]["from"] = json!(from);
            value["edges"][edge]["to"] = json!(to);
        }
        let want = "GRAPH_CYCLE_NO_DECISION /nodes/2, GRAPH_CYCLE_NO_EXIT /nodes/2";
        assert_eq!(found(&check(&Graph::of(&value))), want);
    }
}
