//! Rules of the agents that a change set writes (spec: crew-package.md §9.3): what the list says of one agent.

use holdpoint_check::{Diagnostic, args};
use serde_json::{Map, Value};

use super::compile::{Compiled, Work};
use super::finding::{Phase, SetFinding};
use super::operation::Object;
use super::world::World;
use crate::rules::agents::{AGENT_NAME_DUPLICATE, fields};
use crate::schemas::Shape;

pub fn check(operation: &Compiled, world: &World<'_>, findings: &mut Vec<SetFinding>) {
    let (Object::Agent(id), Work::Agent { agent, .. }) = (&operation.target, &operation.work) else { return };
    let value = Value::Object(agent.clone());
    let mut found = Shape::Agent.judge(&value);
    if found.is_empty() {
        found = fields(&value, "");
        if let Some(name) = name(agent).filter(|name| is_taken(id, name, world)) {
            found.push(Diagnostic::of(&AGENT_NAME_DUPLICATE, args! { name }).at_pointer("/metadata/name"));
        }
    }
    for found in found {
        let found = found.in_file(format!("agents/{id}.json"));
        findings.push(SetFinding::new(Phase::Bmad, operation.at.key("payload"), found));
    }
}

fn name(agent: &Map<String, Value>) -> Option<&str> {
    agent.get("metadata")?.get("name")?.as_str().map(str::trim)
}

/// Whether another agent has the name. Of two that the set writes the later one has it.
fn is_taken(id: &str, own: &str, world: &World<'_>) -> bool {
    let own_place = world.after.agent(id);
    let written = |other: &str| {
        let is_it = |it: &Compiled| matches!(&it.target, Object::Agent(id) if id == other);
        world.operations.iter().any(is_it)
    };
    world.after.agents.iter().enumerate().any(|(place, other)| {
        let other_id = super::view::agent_id(other);
        let same = name(other).is_some_and(|name| name.to_lowercase() == own.to_lowercase());
        same && other_id != id && (Some(place) < own_place || !written(other_id))
    })
}
