//! Runs (spec: authoring.md §6.2, facade.md).

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::method::input;
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use crate::IfcExtension;
use crate::run::{Event, Run};

const MAX_EVENTS: usize = 2_000;

#[derive(Deserialize)]
struct Replay {
    events: Vec<Event>,
    #[serde(default)]
    base: Files,
}

pub fn run_replay(value: Value) -> Result<Value, ApiError> {
    let Replay { events, base } = input(value)?;
    bounded(&base)?;
    if events.len() > MAX_EVENTS {
        return Err(ApiError::over("MAX_EVENTS", MAX_EVENTS, events.len()));
    }
    let (run, effects) = Run::replay(&IfcExtension, base, &events);
    Ok(json!({
        "state": run.state(),
        "attempt": run.attempt(),
        "reason": run.reason(),
        "best": run.best(),
        "effects": effects,
    }))
}

#[cfg(feature = "schema")]
pub mod reference;
