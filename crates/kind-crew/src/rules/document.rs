//! `WORKFLOW_CURRENT_NODE_UNKNOWN`, `WORKFLOW_STEP_UNKNOWN`, and all else that is said of a workflow document (spec:
//! crew-package.md §6). Why: a run goes on from the node that the document names.

use holdpoint_check::{Diagnostic, args, codes};

use super::{Scope, citations};
use crate::documents::graph::Graph;
use crate::documents::markdown::Markdown;
use crate::documents::step::State;
use crate::limits::MAX_DIAGNOSTICS;

codes! {
    /// a current node that the graph does not have
    WORKFLOW_CURRENT_NODE_UNKNOWN: Error, "Name a node of the graph, or leave it empty: `{name}` is none." [name];
    /// a completed step that is no node
    WORKFLOW_STEP_UNKNOWN: Warning, "Take `{name}` out: it is no node of the graph." [name];
}

/// Findings of a document; what names nodes needs a usable graph.
pub fn check(file: &Markdown<'_>, graph: Option<&Graph<'_>>, scope: &Scope<'_>) -> Vec<Diagnostic> {
    let mut findings = citations::check(file, &[], scope);
    match file.usable() {
        Err(found) => findings.extend(found.iter().cloned()),
        Ok(document) => {
            let state = State::of(&document.value);
            let unknown = graph.into_iter().flat_map(|graph| nodes(&state, graph));
            findings.extend(unknown.map(|finding| {
                let range = document.range(finding.pointer.as_deref().unwrap_or_default());
                finding.at(range)
            }));
        }
    }
    findings
}

/// Nodes that a document names and the graph does not have.
pub fn nodes(state: &State<'_>, graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if let Some(name) = state.current.filter(|id| graph.place(id).is_none()) {
        let finding = Diagnostic::of(&WORKFLOW_CURRENT_NODE_UNKNOWN, args! { name });
        findings.push(finding.at_pointer("/currentNodeId"));
    }
    for (at, name) in
        state.completed.iter().enumerate().filter(|(_, id)| graph.place(id).is_none()).take(MAX_DIAGNOSTICS)
    {
        let finding = Diagnostic::of(&WORKFLOW_STEP_UNKNOWN, args! { name });
        findings.push(finding.at_pointer(format!("/stepsCompleted/{at}")));
    }
    findings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn a_document_names_nodes_of_its_graph() {
        let value = graph(2, &[(0, 1)]);
        let graph = Graph::of(&value);
        let with = |current: &str, completed: &[&str]| {
            let head = json!({"currentNodeId": current, "stepsCompleted": completed});
            found(&nodes(&State::of(&head), &graph))
        };
        assert_eq!(with("", &[]), "");
        assert_eq!(with(" 1\t", &["0", "1"]), "");
        assert_eq!(with(" \n", &[]), "");
        assert_eq!(with("2", &["0", " 0", "x"]).matches("WORKFLOW_STEP_UNKNOWN").count(), 2);
        assert_eq!(with("2", &[]), "WORKFLOW_CURRENT_NODE_UNKNOWN /currentNodeId");
    }
}
