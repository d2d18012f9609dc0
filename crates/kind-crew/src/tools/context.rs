//! `builder.context.get`: the envelope that prompts are made of, as it is now (spec: ai-sessions.md §6, §7.3).

use holdpoint_check::ApiError;
use serde_json::{Value, json};

use super::sight::Sight;
use crate::dialect::input::{Revisions, Snapshot, StoredStep, StoredWorkflow};
use crate::dialect::view::{StepObject, View, WorkflowObject};
use crate::prompts::build::{Given, build};

/// The seven members, made by the builder of prompts.
pub fn envelope(sight: &Sight<'_>) -> Result<Value, ApiError> {
    let given = Given { project_id: json!(sight.names.project), target_id: sight.target_id.clone() };
    let snapshot = snapshot(sight.view, sight.facts.revisions(sight.session.workflow_id));
    Ok(json!(build(sight.session, &given, &snapshot, sight.domain)?.envelope))
}

/// A view as prompts read it.
pub fn snapshot(view: &View, revisions: Revisions) -> Snapshot {
    let workflow = |(id, workflow): (&u64, &WorkflowObject)| StoredWorkflow {
        id: *id,
        document: workflow.document.clone(),
        graph: workflow.graph.clone(),
    };
    let step = |((workflow, node), step): (&(u64, String), &StepObject)| StoredStep {
        workflow_id: *workflow,
        node_id: node.clone(),
        path: step.path.clone(),
        markdown: step.text.clone(),
    };
    Snapshot {
        workflows: view.workflows.iter().map(workflow).collect(),
        steps: view.steps.iter().map(step).collect(),
        agents: view.agents.clone(),
        assets: view.assets.clone(),
        revisions,
    }
}
