//! Answers as the OpenAI protocol writes them.

use serde_json::{Value, json};

use super::chunk::{Choice, ChunkMessage, ToolCall};

/// Members that every object of one answer shares.
#[derive(Debug, Clone, Copy)]
pub struct Head<'h> {
    pub id: &'h str,
    /// In seconds since 1970, UTC.
    pub created: u64,
    pub model: &'h str,
}

/// A chunk of a stream; `usage` as it stands, null where it is asked for and not known yet.
pub fn chunk_text(head: &Head<'_>, choices: &[Choice], usage: Option<&Value>) -> String {
    chunk_object(head, choices, usage).to_string()
}

pub(super) fn chunk_object(head: &Head<'_>, choices: &[Choice], usage: Option<&Value>) -> Value {
    let choice = |choice: &Choice| json!({ "index": choice.index.unwrap_or(0), "delta": delta(&choice.message), "finish_reason": choice.finish });
    let choices: Vec<Value> = choices.iter().map(choice).collect();
    object(head, "chat.completion.chunk", &choices, usage)
}

/// A whole answer of one choice.
pub fn answer_text(head: &Head<'_>, choice: &Choice, usage: Option<&Value>) -> String {
    answer_object(head, choice, usage).to_string()
}

pub(super) fn answer_object(head: &Head<'_>, choice: &Choice, usage: Option<&Value>) -> Value {
    let mut message = delta(&choice.message);
    if choice.message.content.is_none() {
        message["content"] = Value::Null;
    }
    let choice = json!({ "index": choice.index.unwrap_or(0), "message": message, "finish_reason": choice.finish });
    object(head, "chat.completion", &[choice], usage)
}

fn object(head: &Head<'_>, kind: &str, choices: &[Value], usage: Option<&Value>) -> Value {
    let Head { id, created, model } = head;
    let mut object = json!({ "id": id, "object": kind, "created": created, "model": model, "choices": choices });
    if let Some(usage) = usage {
        object["usage"] = usage.clone();
    }
    object
}

fn delta(message: &ChunkMessage) -> Value {
    let texts = [
        ("role", &message.role),
        ("content", &message.content),
        ("reasoning_content", &message.reasoning),
        ("refusal", &message.refusal),
    ];
    let mut delta: serde_json::Map<String, Value> =
        texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text.as_deref()?.into()))).collect();
    if !message.tool_calls.is_empty() {
        delta.insert("tool_calls".to_owned(), message.tool_calls.iter().map(call).collect());
    }
    Value::Object(delta)
}

/// What it has no place for in a stream's later pieces stays away.
fn call(call: &ToolCall) -> Value {
    let mut written = json!({});
    if let Some(index) = call.index {
        written["index"] = index.into();
    }
    if let Some(id) = &call.id {
        written["id"] = id.as_str().into();
        written["type"] = "function".into();
    }
    written["function"] = json!({});
    for (name, text) in [("name", &call.name), ("arguments", &call.arguments)] {
        if let Some(text) = text {
            written["function"][name] = text.as_str().into();
        }
    }
    written
}
