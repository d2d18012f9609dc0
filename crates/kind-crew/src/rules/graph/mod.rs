//! Rules of a usable graph (spec: crew-package.md §5). Findings have pointers of the graph.
//!
//! Invariant: with a repeated node id only those rules run that follow no edge.

pub mod branches;
pub mod cycles;
pub mod files;
pub mod labels;
pub mod names;
pub mod reach;
pub mod starts;
pub mod variables;

use std::collections::HashSet;

use holdpoint_check::Diagnostic;

use super::{Scope, known};
use crate::documents::graph::{Graph, Node};

/// What a graph may name outside itself.
#[derive(Clone, Copy)]
pub struct Beside<'s> {
    pub scope: Scope<'s>,
    /// Variables that the document or a step of the workflow sets.
    pub variables: &'s HashSet<&'s str>,
    /// The folder of step files, with its slash.
    pub steps: &'s str,
    /// Whether a node has its step file.
    pub has_step: &'s dyn Fn(&Node<'_>) -> bool,
}

pub fn check(graph: &Graph<'_>, beside: &Beside<'_>) -> Vec<Diagnostic> {
    let mut findings = names::check(graph);
    findings.extend(labels::check(graph));
    findings.extend(variables::check(graph, beside.variables));
    findings.extend(files::check(graph, beside));
    for (at, node) in graph.nodes.iter().enumerate() {
        findings.extend(known::check(node.agent, &beside.scope, format!("/nodes/{at}/agentId")));
    }
    if !graph.has_repeated_ids() {
        findings.extend(starts::check(graph));
        findings.extend(cycles::check(graph));
        findings.extend(reach::check(graph));
        findings.extend(branches::check(graph));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::policy::Endings;
    use crate::test::{found, graph};

    fn findings(value: &Value) -> String {
        let agents = HashSet::from(["a"]);
        let scope = Scope { agents: Some(&agents), has_asset: &|_| true, endings: Endings::default() };
        let beside = Beside { scope, variables: &HashSet::new(), steps: "steps/", has_step: &|_| true };
        found(&check(&Graph::of(value), &beside))
    }

    #[test]
    fn agents_are_known() {
        let mut value = graph(2, &[(0, 1)]);
        value["nodes"][1]["type"] = json!("end");
        value["nodes"][0]["agentId"] = json!(" a\t");
        assert_eq!(findings(&value), "");
        value["nodes"][0]["agentId"] = json!("  ");
        value["nodes"][1]["agentId"] = json!("A");
        assert_eq!(findings(&value), "AGENT_NOT_FOUND /nodes/1/agentId");
    }

    #[test]
    fn with_a_repeated_id_nothing_is_followed() {
        let mut value = graph(4, &[(1, 2), (2, 1), (2, 9)]);
        value["nodes"][3]["id"] = json!("1");
        value["nodes"][3]["agentId"] = json!("b");
        let want =
            "GRAPH_NODE_ID_DUPLICATE /nodes/3/id, GRAPH_EDGE_DANGLING /edges/2/to, AGENT_NOT_FOUND /nodes/3/agentId";
        assert_eq!(findings(&value), want);
    }
}
