//! Part of an answer, or a whole one, in terms of neither protocol.
//!
//! A whole answer is one chunk that says everything. Of Anthropic's protocol the blocks of an answer are one choice:
//! text, thinking and tool input become content, reasoning and arguments.

use serde::Deserializer;
use serde::de::DeserializeSeed as _;
use serde_json::Value;
use serde_json::de::StrRead;

use super::error::Error;
use super::protocol::Protocol;
use super::read::{Fill, Place};
use super::sse::SseEvent;
use super::usage::Counters;
use super::{anthropic, openai};
use crate::refusal::{Code, GatewayError};

/// What one event, or one body, says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunk {
    /// What the model says; `None`: not a word of choices, which is another thing than a list of none.
    pub choices: Option<Vec<Choice>>,
    pub usage: Option<Counters>,
    /// The provider's, or the edge's, own error.
    pub error: Option<Error>,
    /// The protocol's word for the end: `[DONE]`, `message_stop`.
    pub done: bool,
}

/// One of the answers that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Absent counts as the first.
    pub index: Option<u64>,
    pub message: ChunkMessage,
    /// Why the model stopped, in the provider's word.
    pub finish: Option<String>,
}

impl Choice {
    fn says_something(&self) -> bool {
        let ChunkMessage { content, reasoning, refusal, tool_calls, .. } = &self.message;
        let texts = [content, reasoning, refusal];
        self.finish.is_some() || !tool_calls.is_empty() || texts.into_iter().flatten().any(|text| !text.is_empty())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkMessage {
    pub role: Option<String>,
    pub content: Option<String>,
    /// No part of the answer.
    pub reasoning: Option<String>,
    /// What it says where it will not answer.
    pub refusal: Option<String>,
    pub tool_calls: Vec<ToolCall>,
}

/// A call of a tool, or a piece of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCall {
    /// Which call of the message a piece belongs to.
    pub index: Option<u64>,
    pub id: Option<String>,
    pub name: Option<String>,
    /// JSON as it is written as text.
    pub arguments: Option<String>,
}

impl Chunk {
    /// Whether the model says something in it, or ends: a provider may also send what only keeps the connection open.
    pub fn says_something(&self) -> bool {
        self.done || self.error.is_some() || self.choices.iter().flatten().any(Choice::says_something)
    }

    /// Reads an event of a stream.
    pub fn event(protocol: Protocol, event: &SseEvent) -> Result<Self, GatewayError> {
        let data = event.data.trim();
        if data.is_empty() {
            return Ok(Self::default());
        }
        if protocol == Protocol::OpenAi && data == "[DONE]" {
            return Ok(Self { done: true, ..Self::default() });
        }
        Self::text(&event.data, |reader| Self::part(protocol, Some(&event.event), reader))
    }

    /// Reads the body of an answer that is not streamed.
    pub fn body(protocol: Protocol, bytes: &[u8]) -> Result<Self, GatewayError> {
        let text = std::str::from_utf8(bytes).map_err(|_| unreadable())?;
        Self::text(text, |reader| Self::whole(protocol, reader))
    }

    /// The same of an event's data that is built already; `name` stands in for a missing `type`.
    pub fn event_value(protocol: Protocol, name: Option<&str>, data: &Value) -> Result<Self, GatewayError> {
        if !data.is_object() {
            return Err(unreadable());
        }
        Self::part(protocol, name, data).map_err(|_| unreadable())
    }

    /// The same of a body that is built already.
    pub fn body_value(protocol: Protocol, body: &Value) -> Result<Self, GatewayError> {
        if !body.is_object() {
            return Err(unreadable());
        }
        Self::whole(protocol, body).map_err(|_| unreadable())
    }

    fn text<'t>(
        text: &'t str,
        read: impl FnOnce(&mut serde_json::Deserializer<StrRead<'t>>) -> Result<Self, serde_json::Error>,
    ) -> Result<Self, GatewayError> {
        if !text.trim_start().starts_with('{') {
            return Err(unreadable());
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let chunk = read(&mut reader).and_then(|chunk| reader.end().map(|()| chunk));
        chunk.map_err(|_| unreadable())
    }

    fn part<'de, D: Deserializer<'de>>(protocol: Protocol, name: Option<&str>, reader: D) -> Result<Self, D::Error> {
        match protocol {
            Protocol::OpenAi => fill(openai::Object::part(), reader).map(openai::Object::into_chunk),
            Protocol::Anthropic => fill(anthropic::Object::default(), reader).map(|object| object.into_part(name)),
        }
    }

    fn whole<'de, D: Deserializer<'de>>(protocol: Protocol, reader: D) -> Result<Self, D::Error> {
        match protocol {
            Protocol::OpenAi => fill(openai::Object::whole(), reader).map(openai::Object::into_chunk),
            Protocol::Anthropic => fill(anthropic::Object::default(), reader).map(anthropic::Object::into_whole),
        }
    }

    /// The choices that it lists.
    pub fn choices(&self) -> &[Choice] {
        self.choices.as_deref().unwrap_or_default()
    }

    /// The first answer's part in it.
    pub fn first(&self) -> Option<&Choice> {
        self.choices().iter().find(|choice| choice.index.is_none_or(|index| index == 0))
    }

    /// The event that `stream_options.include_usage` adds: no choices, and usage.
    pub fn is_only_usage(&self) -> bool {
        self.choices.as_ref().is_some_and(Vec::is_empty) && self.usage.is_some()
    }

    /// Bytes of text, thinking, tool names and arguments, of every choice.
    pub fn said_bytes(&self) -> u64 {
        self.choices().iter().map(|choice| choice.message.said_bytes()).fold(0, u64::saturating_add)
    }
}

impl ChunkMessage {
    /// The words of the answer: its content, or why there is none.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        [&self.content, &self.refusal].into_iter().flatten().map(String::as_str)
    }

    fn said_bytes(&self) -> u64 {
        let texts = [&self.content, &self.reasoning, &self.refusal].into_iter();
        let calls = self.tool_calls.iter().flat_map(|call| [&call.name, &call.arguments]);
        texts.chain(calls).flatten().map(|text| text.len() as u64).sum()
    }
}

/// What an answer that cannot be read is refused with.
fn unreadable() -> GatewayError {
    GatewayError::new(Code::UpstreamProtocolError)
}

fn fill<'de, P: Place, D: Deserializer<'de>>(mut place: P, reader: D) -> Result<P, D::Error> {
    Fill(&mut place).deserialize(reader)?;
    Ok(place)
}
