//! `STEP_NODE_ID_MISMATCH`, `STEP_TYPE_MISMATCH`, `STEP_AGENT_MISMATCH`, `STEP_TRANSITIONS_MISMATCH`: a step and the node
//! that names its file (spec: crew-package.md §6). Why: the graph is the only authority.

use std::collections::BTreeSet;

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;
use crate::documents::step::StepHead;

codes! {
    /// the id is not that of the node that names the file
    STEP_NODE_ID_MISMATCH: Error, "Write `{wanted}`: the node that names this file has that id." [wanted];
    /// the types of step and node differ
    STEP_TYPE_MISMATCH: Warning, "Write `{wanted}`, or change the node: its type counts." [wanted];
    /// step and node name different agents
    STEP_AGENT_MISMATCH: Warning, "Write `{wanted}`, or change the node, which names that agent." [wanted];
    /// transitions that are not the ways of the graph
    STEP_TRANSITIONS_MISMATCH: Warning, "List the ways that leave the node in the graph, or leave `transitions` out.";
}

/// Findings of a usable step against its node.
pub fn check(step: &StepHead<'_>, graph: &Graph<'_>, place: usize) -> Vec<Diagnostic> {
    let node = &graph.nodes[place];
    let mut findings = Vec::new();
    if step.node != node.id {
        findings.push(Diagnostic::of(&STEP_NODE_ID_MISMATCH, args! { wanted: node.id }).at_pointer("/nodeId"));
    }
    if step.kind != node.kind {
        findings.push(Diagnostic::of(&STEP_TYPE_MISMATCH, args! { wanted: node.kind }).at_pointer("/type"));
    }
    if let (Some(agent), Some(wanted)) = (step.agent, node.agent)
        && agent != wanted
    {
        findings.push(Diagnostic::of(&STEP_AGENT_MISMATCH, args! { wanted }).at_pointer("/agentId"));
    }
    // With a repeated id the ways are those of the first node.
    let ways = graph.leaving(graph.place(node.id).unwrap_or(place));
    let ways: BTreeSet<(&str, &str)> = ways.map(|edge| (edge.to, edge.label)).collect();
    if !step.transitions.is_empty() && step.transitions.iter().copied().collect::<BTreeSet<_>>() != ways {
        findings.push(Diagnostic::of(&STEP_TRANSITIONS_MISMATCH, args! {}).at_pointer("/transitions"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::test::{found, graph};

    fn step(change: &Value) -> String {
        let mut value = graph(3, &[(0, 1), (0, 2), (0, 1)]);
        value["nodes"][0]["agentId"] = json!(" a ");
        let mut head = json!({"nodeId": "0", "type": "step"});
        head.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        found(&check(&StepHead::of(&head), &Graph::of(&value), 0))
    }

    #[test]
    fn a_step_says_what_its_node_says() {
        let way = |to: &str, label: &str| json!({"to": to, "label": label});
        let cases = [
            (json!({}), ""),
            (json!({"nodeId": "1"}), "STEP_NODE_ID_MISMATCH /nodeId"),
            (json!({"type": "end"}), "STEP_TYPE_MISMATCH /type"),
            (json!({"agentId": "a "}), ""),
            (json!({"agentId": " "}), ""),
            (json!({"agentId": "A"}), "STEP_AGENT_MISMATCH /agentId"),
            (json!({"transitions": []}), ""),
            (json!({"transitions": [way("2", "x"), way("1", "x")]}), ""),
            (json!({"transitions": [way("1", "x")]}), "STEP_TRANSITIONS_MISMATCH /transitions"),
            (json!({"transitions": [way("1", "x"), way("2", "y")]}), "STEP_TRANSITIONS_MISMATCH /transitions"),
        ];
        for (change, want) in cases {
            assert_eq!(step(&change), want, "{change}");
        }
    }
}
