//! What one protocol says in the words of the other (spec: gateway.md §8, §9).
//!
//! Owns requests, whole answers and streams on their way between an OpenAI and an Anthropic end. Refuses to know prices,
//! HTTP and who asks. Invariants: nothing that changes the meaning is lost without a word: it is translated, listed, or
//! refused with its place; the same request gives the same bytes, so that a provider's cache knows its beginning again.

mod answer;
mod features;
mod stream;
#[cfg(test)]
mod tests;
mod to_anthropic;
mod to_openai;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::protocol::Protocol;
use crate::json::{self, JsonBounds};
use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};

pub use answer::{Telling, answer};
use features::Features;
pub use features::{Dropped, Unsupported, Warning};
pub use stream::{Interpreter, stream_error};

/// Where a request that is translated to Anthropic's protocol is marked for the provider's cache (spec: gateway.md §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AutoCache {
    /// Behind system and tools, where they are long.
    #[default]
    Prefix,
    /// Also behind the last message, once the model has spoken.
    Conversation,
    Off,
}

/// How a request is translated.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asking<'a> {
    /// The upstream's name of the model; that of the request when `None`.
    pub model: Option<&'a str>,
    /// The most output tokens that are allowed.
    pub max_output: Option<u64>,
    /// How an OpenAI provider calls its maximum; `max_completion_tokens` when `None`.
    pub limit_field: Option<&'a str>,
    /// Whether the provider reports usage on streams.
    pub stream_usage: bool,
    /// Whether it decodes under a schema.
    pub json_schema: bool,
    /// Whether it can be told how hard to think.
    pub effort: bool,
    pub auto_cache: AutoCache,
    pub unsupported: Unsupported,
}

/// A request in the other protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct Translated {
    pub body: Value,
    pub dropped: Vec<Dropped>,
    pub warnings: Vec<Warning>,
}

/// Translates a request of a protocol into the other one. Errors: `UNTRANSLATABLE_FEATURE` with all of them,
/// `INVALID_TOOL_ARGUMENTS`, `INVALID_REQUEST` with the place.
pub fn request(from: Protocol, body: &Value, asking: &Asking<'_>, limits: &Limits) -> Result<Translated, GatewayError> {
    let members = body.as_object().ok_or_else(|| invalid(""))?;
    let mut features = Features::default();
    let body = match from {
        Protocol::OpenAi => to_anthropic::request(members, body, asking, limits, &mut features)?,
        Protocol::Anthropic => to_openai::request(members, body, asking, &mut features)?,
    };
    let silent = features.silent;
    let (dropped, warnings) = features.dropped(asking.unsupported)?;
    // Of a conversation whose only words were refused, the refusal is told first.
    if silent {
        return Err(invalid("/messages"));
    }
    Ok(Translated { body, dropped, warnings })
}

const SYSTEM_HOISTED: &str = "SYSTEM_HOISTED";
const EMPTY_MESSAGE_DROPPED: &str = "EMPTY_MESSAGE_DROPPED";

fn invalid(pointer: impl Into<String>) -> GatewayError {
    GatewayError::at(Code::InvalidRequest, pointer)
}

/// The members that are there; null counts as absent.
fn given(members: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    members.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.as_str(), value))
}

fn list<'v>(value: &'v Value, pointer: &str) -> Result<&'v [Value], GatewayError> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| invalid(pointer))
}

/// A text that must be there, at `pointer` and a name.
fn text<'v>(object: &'v Value, pointer: &str, name: &str) -> Result<&'v str, GatewayError> {
    object[name].as_str().ok_or_else(|| invalid(format!("{pointer}/{name}")))
}

/// A message's role; also of one that is no object.
fn role<'v>(message: &'v Value, pointer: &str) -> Result<&'v str, GatewayError> {
    text(message, pointer, "role")
}

/// The name of the model that is asked for.
fn model(members: &Map<String, Value>, asking: &Asking<'_>) -> Result<Value, GatewayError> {
    match asking.model {
        Some(model) => Ok(model.into()),
        None => members.get("model").filter(|model| model.is_string()).cloned().ok_or_else(|| invalid("/model")),
    }
}

fn number(value: &Value, pointer: &str) -> Result<Value, GatewayError> {
    if value.is_number() { Ok(value.clone()) } else { Err(invalid(pointer)) }
}

fn flag(value: &Value, pointer: &str) -> Result<bool, GatewayError> {
    value.as_bool().ok_or_else(|| invalid(pointer))
}

/// Members that are there, in this order.
fn object(members: impl IntoIterator<Item = (&'static str, Option<Value>)>) -> Value {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}

/// The object that a text of arguments stands for, with how many values and names it has; no text is an empty one.
/// `used`: of what a body may have, by those read before.
fn arguments(text: &str, limits: &Limits, used: usize) -> Option<(Value, usize)> {
    if text.trim().is_empty() {
        return Some((Value::Object(Map::new()), 0));
    }
    let bounds = limits.json();
    let bounds = JsonBounds { nodes: bounds.nodes.saturating_sub(used), ..bounds };
    let value = json::read(text, bounds).ok().filter(Value::is_object)?;
    Some((value, json::nodes(text, bounds.nodes)))
}

/// A list that has something.
fn filled(items: Vec<Value>) -> Option<Value> {
    (!items.is_empty()).then_some(Value::Array(items))
}
