//! The prompts as methods: JSON in, JSON out (spec: ai-sessions.md §7).
//!
//! Reads inputs and writes outputs; what they mean is said in the other modules. `tokens.estimate` is that of every
//! kind that has no count of its own.

use holdpoint_check::method::input;
use holdpoint_check::read::{Misread, read};
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::budget::{BudgetAsked, WindowShares};
use super::build::{Built, Given, build};
use super::envelope::Envelope;
use super::history::{KEPT, MAX_KEPT, Past, window};
use super::request::ComposeRequest;
use super::trim::trim;
use super::{compose, domain};
use crate::dialect::input::{BuilderSession as Session, snapshot};

codes! {
    INVALID_INPUT / KEEP: Error, "Keep between 0 and {most} messages." [most];
    INVALID_INPUT / ENVELOPE: Error, "Give a context with its seven members, or a session and the package.";
    INVALID_INPUT / OTHER_TARGET: Error, "Give the context of this session: what it says of another target fits no other.";
}

/// Bytes of all texts of one input.
const MAX_INPUT_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct Windowed {
    messages: Vec<Past>,
    keep: Option<usize>,
}

pub fn history_window(value: Value) -> Result<Value, ApiError> {
    bounded(&value)?;
    let Windowed { messages, keep } = input(value).map_err(of_message)?;
    let keep = keep.unwrap_or(KEPT);
    if keep > MAX_KEPT {
        return Err(ApiError::of(&KEEP, args! { most: MAX_KEPT }).with("pointer", "/keep"));
    }
    Ok(json!(window(messages, keep)))
}

/// A message without role or text is wrong as a whole.
fn of_message(error: ApiError) -> ApiError {
    let pointer = error.details.get("pointer").and_then(Value::as_str).unwrap_or_default();
    match pointer.strip_suffix("/role").or_else(|| pointer.strip_suffix("/content")).map(str::to_owned) {
        Some(message) => error.with("pointer", message),
        None => error,
    }
}

#[allow(clippy::needless_pass_by_value)] // as every method is called
pub fn prompt_compose(value: Value) -> Result<Value, ApiError> {
    bounded(&value)?;
    let request = ComposeRequest::read(&value)?;
    Ok(json!(compose(request, domain::resolve(&value)?)))
}

pub fn context_pack(mut value: Value) -> Result<Value, ApiError> {
    bounded(&value)?;
    let mut take = |name: &str| value.get_mut(name).map(Value::take).filter(|it| !it.is_null());
    let (envelope, package, session, asked) = (take("envelope"), take("snapshot"), take("session"), take("budget"));
    let built = package.is_some() || session.is_some();
    if envelope.is_some() || !built {
        let refused = || ApiError::of(&ENVELOPE, args! {}).with("pointer", "/envelope");
        let envelope = envelope.as_ref().and_then(Envelope::read).ok_or_else(refused)?;
        if session.is_some() && !envelope.is_of(&Session::read(session.as_ref())?) {
            return Err(ApiError::of(&OTHER_TARGET, args! {}).with("pointer", "/envelope/session_meta"));
        }
        return Ok(json!(trim(envelope, budget(asked)?)?));
    }
    let package = snapshot(package)?;
    let told = |name: &str| session.as_ref().and_then(|it| it.get(name)).cloned().unwrap_or_default();
    let given = Given { project_id: told("project_id"), target_id: told("target_id") };
    let session = Session::read(session.as_ref())?;
    let budget = budget(asked)?;
    let Built { envelope, referenced_asset_paths } = build(&session, &given, &package, &domain::resolve(&value)?)?;
    let mut answer = json!(trim(envelope, budget)?);
    answer["referenced_asset_paths"] = json!(referenced_asset_paths);
    Ok(answer)
}

fn budget(asked: Option<Value>) -> Result<WindowShares, ApiError> {
    let Some(asked) = asked else { return WindowShares::of(BudgetAsked::default()) };
    let asked = read(asked).map_err(|found| Misread { pointer: format!("/budget{}", found.pointer), ..found })?;
    WindowShares::of(asked)
}

fn bounded(value: &Value) -> Result<(), ApiError> {
    let bytes = bytes(value);
    if bytes <= MAX_INPUT_BYTES { Ok(()) } else { Err(ApiError::over("MAX_INPUT_BYTES", MAX_INPUT_BYTES, bytes)) }
}

fn bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 1 + bytes(item)).sum(),
        Value::Object(members) => members.iter().map(|(key, member)| 1 + key.len() + bytes(member)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

#[cfg(feature = "schema")]
pub mod reference;
