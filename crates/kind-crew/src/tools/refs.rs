//! `builder.refs.find`: what names an object, and what it names (spec: ai-sessions.md §6 "References").
//!
//! Invariant: each reference stands once, in one order: workflows, steps, agents, assets.

use std::collections::BTreeSet;

use holdpoint_check::{ApiError, args};
use serde_json::{Value, json};

use super::sight::Sight;
use super::{NO_LOCATOR, no_agent, no_asset, no_step, no_workflow};
use crate::dialect::assets::tidy;
use crate::dialect::operation::Object;
use crate::dialect::view::nodes;
use crate::documents::graph::Graph;
use crate::documents::markdown::FileRole;
use crate::policy::ASSETS;
use crate::prompts::source::TextFacts;
use crate::schemas::Shape;

/// An object and the way in which it is named or names.
type Reference = (Object, &'static str);

const CITATION: &str = "citation";
const AGENT: &str = "agentId";
const EDGE: &str = "edge";
const GRAPH: &str = "graph";

/// The references of what a locator names.
pub fn find(sight: &Sight<'_>, locator: &Value) -> Result<Value, ApiError> {
    let objects = located(sight, locator)?;
    let (mut inbound, mut outbound) = (BTreeSet::new(), BTreeSet::new());
    for (from, to, via) in all(sight)? {
        if objects.contains(&to) {
            inbound.insert((from.clone(), via));
        }
        if objects.contains(&from) {
            outbound.insert((to, via));
        }
    }
    let rows = |set: BTreeSet<Reference>| -> Vec<Value> {
        set.into_iter().map(|(object, via)| row(sight, &object, via)).collect()
    };
    Ok(json!({"inbound": rows(inbound), "outbound": rows(outbound)}))
}

/// The steps that an agent works in.
pub fn steps_of_agent(sight: &Sight<'_>, id: &str) -> Result<BTreeSet<(u64, String)>, ApiError> {
    let agent = Object::Agent(id.to_owned());
    let step = |(from, to, _): (Object, Object, &str)| match from {
        Object::Step { workflow, node } if to == agent => Some((workflow, node)),
        _ => None,
    };
    Ok(all(sight)?.into_iter().filter_map(step).collect())
}

/// Every reference of the package.
fn all(sight: &Sight<'_>) -> Result<Vec<(Object, Object, &'static str)>, ApiError> {
    let mut found = Vec::new();
    let step_of = |workflow: u64, node: &str| Object::Step { workflow, node: node.to_owned() };
    for (id, workflow) in &sight.view.workflows {
        let own = Object::Workflow(*id);
        for (node, value) in nodes(&workflow.graph) {
            found.push((own.clone(), step_of(*id, node), GRAPH));
            let agent = value.get("agentId").and_then(Value::as_str).map(str::trim);
            if let Some(agent) = agent.filter(|agent| !agent.is_empty()) {
                found.push((step_of(*id, node), Object::Agent(agent.to_owned()), AGENT));
            }
        }
        if Shape::Graph.judge(&workflow.graph).is_empty() {
            let graph = Graph::of(&workflow.graph);
            for (_, edge) in graph.sound_edges() {
                found.push((step_of(*id, edge.from), step_of(*id, edge.to), EDGE));
            }
        }
        if let Some(document) = &workflow.document {
            let facts = TextFacts::read(document, FileRole::Workflow)?;
            found.extend(facts.cited.into_iter().map(|path| (own.clone(), Object::Asset(path), CITATION)));
        }
    }
    for ((workflow, node), step) in &sight.view.steps {
        let own = step_of(*workflow, node);
        let facts = TextFacts::read(&step.text, FileRole::Step)?;
        found.extend(facts.agent.map(|agent| (own.clone(), Object::Agent(agent), AGENT)));
        found.extend(facts.cited.into_iter().map(|path| (own.clone(), Object::Asset(path), CITATION)));
    }
    Ok(found)
}

/// The objects that a locator names; the error: there is none.
fn located(sight: &Sight<'_>, locator: &Value) -> Result<Vec<Object>, ApiError> {
    let kind = locator["type"].as_str().unwrap_or_default();
    let member = if matches!(kind, "id" | "path") { "value" } else { "id" };
    let id = match &locator[member] {
        Value::String(text) if !text.is_empty() => text.clone(),
        Value::Number(number) if kind == "workflow" => number.to_string(),
        _ => {
            let wanted = if member == "id" { "`type` and `id`" } else { "`type` and `value`" };
            return Err(ApiError::of(&NO_LOCATOR, args! { wanted }).status(500));
        }
    };
    let within = locator["workflowId"].as_u64();
    let objects = match kind {
        "workflow" => workflow(sight, &id),
        "step" => steps(sight, &id, within),
        "agent" => agent(sight, &id),
        "asset" => asset(sight, &id),
        "id" => [workflow(sight, &id), steps(sight, &id, within), agent(sight, &id)].concat(),
        _ => [asset(sight, &id), by_file(sight, &id)].concat(),
    };
    if !objects.is_empty() {
        return Ok(objects);
    }
    Err(match kind {
        "workflow" => no_workflow(id),
        "agent" => no_agent(&id),
        "asset" => no_asset(&id),
        "path" if id.starts_with(ASSETS) => no_asset(&id),
        _ => no_step(&id),
    })
}

fn workflow(sight: &Sight<'_>, id: &str) -> Vec<Object> {
    let id = id.parse().ok().filter(|id| sight.view.workflows.contains_key(id));
    id.map(Object::Workflow).into_iter().collect()
}

/// A step is there as soon as it has a node or a file.
fn steps(sight: &Sight<'_>, node: &str, within: Option<u64>) -> Vec<Object> {
    let has =
        |id: u64| sight.view.step(id, node).is_some() || nodes(sight.view.graph(id)).any(|(other, _)| other == node);
    let of = sight.view.workflows.keys().copied().filter(|id| within.is_none_or(|within| within == *id) && has(*id));
    of.map(|workflow| Object::Step { workflow, node: node.to_owned() }).collect()
}

fn agent(sight: &Sight<'_>, id: &str) -> Vec<Object> {
    sight.view.agent(id).map(|_| Object::Agent(id.to_owned())).into_iter().collect()
}

fn asset(sight: &Sight<'_>, path: &str) -> Vec<Object> {
    let path = tidy(path);
    if sight.view.assets.contains_key(&path) { vec![Object::Asset(path)] } else { Vec::new() }
}

fn by_file(sight: &Sight<'_>, path: &str) -> Vec<Object> {
    let steps = sight.view.steps.iter().filter(|(_, step)| step.path == path);
    steps.map(|((workflow, node), _)| Object::Step { workflow: *workflow, node: node.clone() }).collect()
}

fn row(sight: &Sight<'_>, object: &Object, via: &str) -> Value {
    match object {
        Object::Workflow(id) => json!({"type": "workflow", "id": id.to_string(), "workflowId": id, "via": via}),
        Object::Step { workflow, node } => {
            let mut row = json!({"type": "step", "id": node, "workflowId": workflow, "nodeId": node, "via": via});
            if let Some(step) = sight.view.step(*workflow, node) {
                row["path"] = json!(step.path);
            }
            row
        }
        Object::Agent(id) => json!({"type": "agent", "id": id, "via": via}),
        Object::Asset(path) => json!({"type": "asset", "id": path, "path": path, "via": via}),
    }
}
