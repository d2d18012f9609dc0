//! A whole answer in the words of the other protocol.

use serde_json::{Value, json};

use super::{arguments, object};
use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};
use crate::wire::chunk::{Choice, Chunk, ChunkMessage, ToolCall};
use crate::wire::named::Named;
use crate::wire::protocol::Protocol;
use crate::wire::usage::{Reported, Usage};
use crate::wire::write::{Head, answer_object};

/// Characters of an upstream's id and name of a model: each event of a stream repeats them.
const MAX_NAME: usize = 256;

/// What the client is told of an answer beside its words.
#[derive(Debug, Clone, Default)]
pub struct Telling {
    /// What the upstream calls the answer when `None`.
    pub id: Option<String>,
    /// What the upstream calls its model when `None`.
    pub model: Option<String>,
    /// In seconds since 1970, UTC.
    pub created: u64,
    /// Whether an OpenAI stream is to end with its usage.
    pub include_usage: bool,
}

impl Telling {
    /// The same with what the upstream says of itself where nothing else is wanted.
    pub(super) fn of(&self, named: Named) -> Self {
        let short = |name: String| name.chars().take(MAX_NAME).collect();
        let (id, model) = (named.id.map(short), named.model.map(short));
        Self { id: self.id.clone().or(id), model: self.model.clone().or(model), ..*self }
    }

    pub(super) fn head(&self) -> Head<'_> {
        let (id, model) = (self.id.as_deref(), self.model.as_deref());
        Head { id: id.unwrap_or_default(), created: self.created, model: model.unwrap_or_default() }
    }
}

/// Translates a body. Errors: `UPSTREAM_PROTOCOL_ERROR`: it is no answer.
pub fn answer(from: Protocol, body: &[u8], telling: &Telling, limits: &Limits) -> Result<Value, GatewayError> {
    let unreadable = || GatewayError::new(Code::UpstreamProtocolError);
    let chunk = Chunk::body(from, body)?;
    let named = Named::read(std::str::from_utf8(body).map_err(|_| unreadable())?);
    if !named.is_answer(from) {
        return Err(unreadable());
    }
    let telling = telling.of(named);
    let mut reported = Reported::default();
    if let Some(counters) = &chunk.usage {
        reported.take(counters);
    }
    let choice = chunk.first().ok_or_else(unreadable)?;
    Ok(match from {
        Protocol::Anthropic => completion(choice, &telling, &reported.usage),
        Protocol::OpenAi => message(choice, &telling, &reported.usage, limits),
    })
}

fn completion(choice: &Choice, telling: &Telling, usage: &Usage) -> Value {
    let Choice { message, finish, .. } = choice;
    let finish = finish_reason(finish.as_deref(), !message.tool_calls.is_empty());
    let call = |call: &ToolCall| {
        let arguments = call.arguments.clone().unwrap_or_else(|| "{}".to_owned());
        ToolCall { index: None, arguments: Some(arguments), ..call.clone() }
    };
    let silent = message.tool_calls.is_empty();
    let message = ChunkMessage {
        role: Some("assistant".to_owned()),
        content: message.content.clone().filter(|text| !text.is_empty()).or_else(|| silent.then(String::new)),
        tool_calls: message.tool_calls.iter().map(call).collect(),
        ..message.clone()
    };
    let choice = Choice { index: None, message, finish: Some(finish.to_owned()) };
    answer_object(&telling.head(), &choice, Some(&usage.openai_in_full()))
}

fn message(choice: &Choice, telling: &Telling, usage: &Usage, limits: &Limits) -> Value {
    let Choice { message, finish, .. } = choice;
    let mut nodes = 0;
    let text = |text: &str| (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
    let call = |(index, call): (usize, &ToolCall)| {
        object([
            ("type", Some("tool_use".into())),
            ("id", Some(call_id(call, index).into())),
            ("name", Some(call.name.as_deref().unwrap_or_default().into())),
            ("input", Some(input(call.arguments.as_deref().unwrap_or_default(), limits, &mut nodes))),
        ])
    };
    let calls = message.tool_calls.iter().enumerate().map(call);
    let content: Vec<Value> = message.words().filter_map(text).chain(calls).collect();
    let refused = message.refusal.as_ref().is_some_and(|refusal| !refusal.is_empty());
    let head = telling.head();
    json!({
        "id": head.id, "type": "message", "role": "assistant", "model": head.model, "content": content,
        "stop_reason": stop_reason(finish.as_deref(), !message.tool_calls.is_empty(), refused), "stop_sequence": null,
        "usage": usage.anthropic(),
    })
}

/// The id of a call; servers that name none get one that is told apart from the others of the answer.
pub(super) fn call_id(call: &ToolCall, index: usize) -> String {
    call.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call_{index}"))
}

/// Arguments as an object; a text that is none, or more than one answer may hold, is kept.
fn input(text: &str, limits: &Limits, nodes: &mut usize) -> Value {
    match arguments(text, limits, *nodes) {
        Some((input, more)) => {
            *nodes += more;
            input
        }
        None => json!({ "_unparsed": text }),
    }
}

/// Why the model stopped, as the OpenAI protocol says it.
pub(super) fn finish_reason(stop: Option<&str>, called: bool) -> &'static str {
    match stop {
        Some("max_tokens" | "model_context_window_exceeded") => "length",
        Some("tool_use") => "tool_calls",
        Some("refusal") => "content_filter",
        None if called => "tool_calls",
        _ => "stop",
    }
}

/// The same as Anthropic's protocol says it. Some servers say `stop` of an answer that calls tools.
pub(super) fn stop_reason(finish: Option<&str>, called: bool, refused: bool) -> &'static str {
    match finish {
        Some("length") => "max_tokens",
        Some("content_filter") => "refusal",
        Some("tool_calls" | "function_call") => "tool_use",
        _ if called => "tool_use",
        _ if refused => "refusal",
        _ => "end_turn",
    }
}
