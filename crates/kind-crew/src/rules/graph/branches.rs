//! `GRAPH_END_HAS_EXIT`, `GRAPH_DECISION_BRANCHES`, `GRAPH_DEFAULT_MISSING`, `GRAPH_DEFAULT_MULTIPLE`: the ways that leave
//! a node.

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;

codes! {
    /// an end that goes on
    GRAPH_END_HAS_EXIT: Warning, "Remove the ways that leave `{name}`: it is an end." [name];
    /// a decision with fewer than two ways
    GRAPH_DECISION_BRANCHES: Warning, "Give the decision `{name}` two ways or more." [name];
    /// several ways and no default
    GRAPH_DEFAULT_MISSING: Warning, "Mark one of the ways that leave `{name}` as the default." [name];
    /// a node has several default exits
    GRAPH_DEFAULT_MULTIPLE: Warning, "Keep one default among the ways that leave `{name}`." [name];
}

pub fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let ways = graph.leaving(at).len();
        let defaults = graph.leaving(at).filter(|edge| edge.is_default).count();
        let name = node.id;
        let rules = [
            (&GRAPH_END_HAS_EXIT, node.kind == "end" && ways > 0),
            (&GRAPH_DECISION_BRANCHES, node.kind == "decision" && ways < 2),
            (&GRAPH_DEFAULT_MISSING, ways > 1 && defaults == 0),
            (&GRAPH_DEFAULT_MULTIPLE, defaults > 1),
        ];
        for (code, _) in rules.into_iter().filter(|(_, broken)| *broken) {
            let finding = Diagnostic::of(code, args! { name }).at_pointer(format!("/nodes/{at}"));
            findings.push(finding.with_hint(format!("Node: {name}.")));
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
    fn ways_that_leave() {
        let of = |kind: &str, ways: usize, defaults: usize| {
            let edges: Vec<(usize, usize)> = (0..ways).map(|at| (0, at + 1)).chain([(0, 99)]).collect();
            let mut value = graph(4, &edges);
            value["nodes"][0]["type"] = json!(kind);
            (0..defaults).for_each(|at| value["edges"][at]["isDefault"] = json!(true));
            value["edges"][ways]["isDefault"] = json!(true);
            found(&check(&Graph::of(&value)))
        };
        let cases = [
            ("step", 0, 0, ""),
            ("step", 1, 0, ""),
            ("step", 1, 1, ""),
            ("step", 2, 0, "GRAPH_DEFAULT_MISSING /nodes/0"),
            ("merge", 2, 1, ""),
            ("step", 2, 2, "GRAPH_DEFAULT_MULTIPLE /nodes/0"),
            ("decision", 0, 0, "GRAPH_DECISION_BRANCHES /nodes/0"),
            ("decision", 1, 1, "GRAPH_DECISION_BRANCHES /nodes/0"),
            ("decision", 2, 1, ""),
            ("end", 0, 0, ""),
            ("end", 1, 0, "GRAPH_END_HAS_EXIT /nodes/0"),
        ];
        for (kind, ways, defaults, want) in cases {
            assert_eq!(of(kind, ways, defaults), want, "{kind} {ways} {defaults}");
        }
    }
}
