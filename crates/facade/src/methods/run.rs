//! Runs (spec: authoring.md §6.2, facade.md).

use holdpoint_author::run::{Event, Run};
use holdpoint_bundle::Files;
use holdpoint_kinds::planning::Planning;
use holdpoint_kinds::{AnyKind, KINDS, within_review};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bundle::no_kind;
use crate::{ApiError, Group, input};

/// The methods of this file.
pub const METHODS: Group = &[("run.replay", run_replay)];

/// Events of a log.
const MAX_EVENTS: usize = 2_000;

#[derive(Deserialize)]
struct Replay {
    kind: String,
    events: Vec<Event>,
    #[serde(default)]
    base: Files,
}

fn run_replay(value: Value) -> Result<Value, ApiError> {
    let Replay { kind, events, base } = input(value)?;
    let planning = planning(&kind)?;
    within_review(&base)?;
    if events.len() > MAX_EVENTS {
        return Err(ApiError::over("MAX_EVENTS", MAX_EVENTS, events.len()));
    }
    let (run, effects) = Run::replay(planning, base, &events);
    Ok(json!({
        "state": run.state(),
        "attempt": run.attempt(),
        "reason": run.reason(),
        "best": run.best(),
        "effects": effects,
    }))
}

/// The answers of a kind that plans.
fn planning(name: &str) -> Result<&'static dyn Planning, ApiError> {
    let plans = |kind: &&'static dyn AnyKind| Some((kind.id(), kind.parts().planning?));
    let all: Vec<(&str, &dyn Planning)> = KINDS.iter().filter_map(plans).collect();
    let found = all.iter().find(|(id, _)| *id == name).map(|(_, planning)| *planning);
    found.ok_or_else(|| no_kind(name, all.iter().map(|(id, _)| *id)))
}

#[cfg(test)]
pub mod reference;
