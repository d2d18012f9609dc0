//! Rules of the workflows that a change set writes: their document, their graph, and what the new graph leaves behind
//! (spec: crew-package.md §9.3).

use std::collections::HashSet;

use holdpoint_check::{ApiError, Diagnostic, args, codes};

use super::check::phase;
use super::compile::{Compiled, Work, Written};
use super::finding::{Phase, SetFinding};
use super::graph::Normal;
use super::meta::{document_file, graph_file};
use super::operation::Object;
use super::view::{StepObject, nodes};
use super::world::World;
use crate::documents::graph::{Graph, Node};
use crate::documents::markdown::{FileRole, Markdown};
use crate::documents::step::{State, StepHead};
use crate::rules::graph::{self, Beside};
use crate::rules::{document, files, transitions};
use crate::schemas::Shape;

codes! {
    AI_CHANGESET_CONTRACT_VIOLATION / NEW_WORKFLOW: Error, "Give a new workflow both a document and a graph.";
}

pub fn check(operation: &Compiled, world: &World<'_>, findings: &mut Vec<SetFinding>) -> Result<(), ApiError> {
    let (Object::Workflow(id), Work::Workflow { text, graph }) = (&operation.target, &operation.work) else {
        return Ok(());
    };
    let is_new = !world.before.workflows.contains_key(id) && !world.lacks_workflow(*id);
    // What is not there yet has nothing to edit.
    if is_new && (text.as_ref().is_none_or(|text| text.failed) || graph.is_none()) {
        let found = Diagnostic::of(&NEW_WORKFLOW, args! {});
        findings.push(SetFinding::new(Phase::Bmad, operation.at.key("payload"), found));
    }
    if let Some(text) = text.as_ref().filter(|text| !text.failed || world.before.workflows.contains_key(id)) {
        self::text(*id, text, world, findings)?;
    }
    if let (Some(sent), Some(graph)) = (graph.as_ref().filter(|graph| graph.is_usable), world.graph(*id)) {
        rules(*id, sent, graph, world, findings)?;
        left_behind(*id, sent, graph, text.is_some(), world, findings)?;
    }
    Ok(())
}

fn text(id: u64, text: &Written, world: &World<'_>, findings: &mut Vec<SetFinding>) -> Result<(), ApiError> {
    let markdown = Markdown::read(&text.text, FileRole::Workflow)?;
    for found in document::check(&markdown, world.graph(id), &world.scope()) {
        let found = found.in_file(document_file(id));
        findings.push(SetFinding::new(phase(&found.code), text.at.clone(), found));
    }
    Ok(())
}

/// What stood well with the old graph and does not with the new one, in objects that the set does not touch.
fn left_behind(
    id: u64,
    sent: &Normal,
    graph: &Graph<'_>,
    has_text: bool,
    world: &World<'_>,
    findings: &mut Vec<SetFinding>,
) -> Result<(), ApiError> {
    let old = world.before.graph(id);
    let old_graph = Shape::Graph.judge(old).is_empty().then(|| Graph::of(old));
    let mut find = |found: Diagnostic| findings.push(SetFinding::new(phase(&found.code), sent.at.clone(), found));
    let gone: HashSet<&str> = nodes(old).map(|(node, _)| node).filter(|node| graph.place(node).is_none()).collect();
    let touched: HashSet<&str> = world.operations.iter().filter_map(|it| step_of(&it.target, id)).collect();
    for (node, step) in world.after.steps_of(id).filter(|(node, _)| !touched.contains(node)) {
        if gone.contains(node) {
            find(files::unused().in_file(&step.path));
        } else if let Some(place) = graph.place(node) {
            steps(node, step, (graph, place), old_graph.as_ref())?.into_iter().for_each(&mut find);
        }
    }
    if let (false, Some(text)) = (has_text, world.after.workflows.get(&id).and_then(|it| it.document.as_deref())) {
        let markdown = Markdown::read(text, FileRole::Workflow)?;
        if let Ok(head) = markdown.usable() {
            let state = State::of(&head.value);
            let was_known =
                state.current.is_some_and(|current| old_graph.as_ref().is_none_or(|old| old.place(current).is_some()));
            let unknown = document::nodes(&state, graph).into_iter();
            let current = |found: &Diagnostic| found.pointer.as_deref() == Some("/currentNodeId");
            for found in unknown.filter(|found| was_known && current(found)) {
                let range = head.range("/currentNodeId");
                find(found.in_file(document_file(id)).at(range));
            }
        }
    }
    Ok(())
}

/// Mismatches of an untouched step that its old node did not have.
fn steps(
    node: &str,
    step: &StepObject,
    (graph, place): (&Graph<'_>, usize),
    old: Option<&Graph<'_>>,
) -> Result<Vec<Diagnostic>, ApiError> {
    let markdown = Markdown::read(&step.text, FileRole::Step)?;
    let Ok(head) = markdown.usable() else { return Ok(Vec::new()) };
    let said = StepHead::of(&head.value);
    let before = old.and_then(|old| Some(transitions::check(&said, old, old.place(node)?))).unwrap_or_default();
    let had = |code: &str| before.iter().any(|found| found.code == code);
    let new = |found: &Diagnostic| found.code != "STEP_NODE_ID_MISMATCH" && !had(&found.code);
    let found = transitions::check(&said, graph, place).into_iter().filter(new).map(|found| {
        let range = head.range(found.pointer.as_deref().unwrap_or_default());
        found.in_file(&step.path).at(range)
    });
    Ok(found.collect())
}

fn step_of(target: &Object, id: u64) -> Option<&str> {
    match target {
        Object::Step { workflow, node } if *workflow == id => Some(node),
        _ => None,
    }
}

/// The rules of graphs, on the normal form; their places are those of the payload.
fn rules(
    id: u64,
    sent: &Normal,
    graph: &Graph<'_>,
    world: &World<'_>,
    findings: &mut Vec<SetFinding>,
) -> Result<(), ApiError> {
    let variables = variables(id, world)?;
    let files = world.files(id);
    // A file that another node names first is told as such.
    let is_others =
        |node: &Node<'_>| files.and_then(|files| files.node(node.file)).is_some_and(|owner| owner != node.id);
    let has_step =
        |node: &Node<'_>| is_others(node) || world.after.step(id, node.id).is_some_and(|step| step.path == node.file);
    let beside = Beside {
        scope: world.scope(),
        variables: &variables.iter().map(String::as_str).collect(),
        steps: &format!("workflows/{id}/steps/"),
        has_step: &has_step,
    };
    for found in graph::check(graph, &beside) {
        let at = sent.rule(found.pointer.as_deref().unwrap_or_default());
        let found = found.in_file(graph_file(id));
        findings.push(SetFinding::new(phase(&found.code), at, found));
    }
    Ok(())
}

/// Variables that the document or a step of the workflow sets.
fn variables(id: u64, world: &World<'_>) -> Result<HashSet<String>, ApiError> {
    let mut names = HashSet::new();
    if let Some(text) = world.after.workflows.get(&id).and_then(|workflow| workflow.document.as_deref()) {
        let markdown = Markdown::read(text, FileRole::Workflow)?;
        if let Ok(head) = markdown.usable() {
            names.extend(State::of(&head.value).variables.into_iter().map(str::to_owned));
        }
    }
    for (_, step) in world.after.steps_of(id) {
        let markdown = Markdown::read(&step.text, FileRole::Step)?;
        if let Ok(head) = markdown.usable() {
            names.extend(StepHead::of(&head.value).sets.into_iter().map(str::to_owned));
        }
    }
    Ok(names)
}
