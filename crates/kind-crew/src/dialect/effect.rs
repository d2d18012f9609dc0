//! The package after a change set: all operations together, whatever their order (spec: crew-package.md §9.1).
//!
//! Invariant: an operation that cannot be made changes nothing here.

use std::collections::HashSet;

use holdpoint_check::ApiError;
use serde_json::Value;

use super::assets;
use super::compile::{Compiled, Compiler, Provenance, StepPlaces, StepWork, Work, Written};
use super::generate::step_file;
use super::graph::Normal;
use super::operation::Object;
use super::sync::{Synced, sync};
use super::view::{StepObject, View, nodes};
use crate::documents::markdown::{FileRole, Markdown};
use crate::policy::Endings;

/// The package after, and what its graphs took over from their steps. The error: a document is too large.
pub fn after(before: &View, operations: &[Compiled], endings: &Endings<'_>) -> Result<(View, Vec<Synced>), ApiError> {
    let mut view = before.clone();
    for operation in operations {
        one(&mut view, operation, before, endings);
    }
    let replaced: HashSet<u64> = operations.iter().filter_map(|it| graph_of(it).map(|(id, _)| id)).collect();
    let mut synced = Vec::new();
    for operation in operations {
        let (Object::Step { workflow, node }, Work::Step(step)) = (&operation.target, &operation.work) else {
            continue;
        };
        if replaced.contains(workflow) || step.text.failed {
            continue;
        }
        let markdown = Markdown::read(&step.text.text, FileRole::Step)?;
        if let (Ok(head), Some(workflow_view)) = (markdown.usable(), view.workflows.get_mut(workflow)) {
            synced.extend(sync(&mut workflow_view.graph, *workflow, node, &head.value));
        }
    }
    Ok((view, synced))
}

/// The graph that an operation brings.
pub fn graph_of(operation: &Compiled) -> Option<(u64, &Normal)> {
    match (&operation.target, &operation.work) {
        (Object::Workflow(id), Work::Workflow { graph: Some(graph), .. }) => Some((*id, graph)),
        _ => None,
    }
}

fn one(view: &mut View, operation: &Compiled, before: &View, endings: &Endings<'_>) {
    match (&operation.target, &operation.work) {
        (Object::Workflow(id), Work::Workflow { text, graph }) => {
            let workflow = view.workflows.entry(*id).or_default();
            if let Some(text) = text.as_ref().filter(|text| !text.failed) {
                workflow.document = Some(text.text.clone());
            }
            if let Some(graph) = graph.as_ref().filter(|graph| graph.is_usable) {
                workflow.graph = graph.value.clone();
            }
        }
        (Object::Step { workflow, node }, Work::Step(step)) if !step.text.failed => {
            let new = StepObject { path: step.path.clone(), text: step.text.text.clone() };
            view.steps.insert((*workflow, node.clone()), new);
        }
        (Object::Agent(id), Work::Agent { agent, .. }) => match view.agent(id) {
            Some(place) => view.agents[place].clone_from(agent),
            None => view.agents.push(agent.clone()),
        },
        (Object::Asset(path), Work::Asset(text))
            if !text.failed && assets::fault(operation, before, endings).is_none() =>
        {
            view.assets.insert(path.clone(), text.text.clone());
        }
        (Object::Step { workflow, node }, Work::Delete) => {
            view.steps.remove(&(*workflow, node.clone()));
        }
        (Object::Agent(id), Work::Delete) => {
            if let Some(place) = view.agent(id) {
                view.agents.remove(place);
            }
        }
        (Object::Asset(path), Work::Delete) => {
            view.assets.remove(path);
        }
        // What cannot be made; a workflow is deleted by hand.
        _ => {}
    }
}

/// Steps for the nodes of the editor that have none, at the end of the list.
pub fn generate(compiler: &mut Compiler<'_>, before: &View) {
    let own: HashSet<Object> = compiler.operations.iter().map(|operation| operation.target.clone()).collect();
    let mut made = Vec::new();
    for operation in &compiler.operations {
        let Some((workflow, graph)) = graph_of(operation).filter(|(_, graph)| graph.is_usable) else { continue };
        let mut seen = HashSet::new();
        for (place, (id, node)) in nodes(&graph.value).enumerate() {
            let target = Object::Step { workflow, node: id.to_owned() };
            let Some(draft) = graph.drafts.get(id).filter(|draft| draft.is_whole()) else { continue };
            if own.contains(&target) || before.has(&target) || !seen.insert(id) {
                continue;
            }
            let at = graph.member(&format!("/nodes/{place}"));
            let text = Written { at: at.clone(), text: step_file(node, draft, graph), failed: false };
            let path = node.get("file").and_then(Value::as_str).unwrap_or_default().to_owned();
            let places =
                StepPlaces { workflow: at.clone(), node: at.clone(), path: at.clone(), agent: at.key("agentId") };
            made.push(Compiled {
                at: operation.at.clone(),
                origin: at,
                source: Provenance::Generated,
                target,
                reason: None,
                work: Work::Step(StepWork { text, path, sent_path: None, agent: None, places }),
            });
        }
    }
    compiler.operations.extend(made);
}
