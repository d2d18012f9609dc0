//! The Anthropic protocol's objects as they are read: an event of a stream, a whole message.
//!
//! One object stands for both and for every event, because its `type` may stand behind what it decides about.

use serde::de::{MapAccess, SeqAccess};
use serde_json::Value;

use super::chunk::{Choice, Chunk, ChunkMessage, ToolCall};
use super::error::Error;
use super::read::{Index, Kept, Place, list, member};
use super::usage::{Anthropic, Count, Counters};

/// Blocks of one message; an upstream that lists more is not read.
const MAX_BLOCKS: usize = 1_000;

#[derive(Default)]
pub(super) struct Object {
    kind: Option<String>,
    index: Index,
    message: Started,
    content_block: Block,
    delta: Delta,
    content: Blocks,
    stop_reason: Option<String>,
    usage: Usage,
    error: Option<Error>,
}

impl Object {
    /// As an event; `name` stands in for a missing `type`.
    pub(super) fn into_part(self, name: Option<&str>) -> Chunk {
        let said = |message: ChunkMessage| Some(vec![Choice { message, ..Choice::default() }]);
        match self.kind.as_deref().or(name) {
            Some("message_start") => Chunk { usage: self.message.usage.counters(false), ..Chunk::default() },
            Some("content_block_start") => {
                let mut message = ChunkMessage::default();
                self.content_block.say(self.index.0, &mut message);
                Chunk { choices: said(message), ..Chunk::default() }
            }
            Some("content_block_delta") => {
                let Delta { text, thinking, partial_json, .. } = self.delta;
                let call =
                    |arguments| ToolCall { index: self.index.0, arguments: Some(arguments), ..ToolCall::default() };
                let tool_calls = partial_json.map(call).into_iter().collect();
                let message =
                    ChunkMessage { content: text, reasoning: thinking, tool_calls, ..ChunkMessage::default() };
                Chunk { choices: said(message), ..Chunk::default() }
            }
            Some("message_delta") => {
                let choice = Choice { finish: self.delta.stop_reason, ..Choice::default() };
                Chunk { choices: Some(vec![choice]), usage: self.usage.counters(true), ..Chunk::default() }
            }
            Some("message_stop") => Chunk { done: true, ..Chunk::default() },
            Some("error") => Chunk { error: Some(self.error.unwrap_or_default()), ..Chunk::default() },
            _ => Chunk::default(),
        }
    }

    pub(super) fn into_whole(self) -> Chunk {
        let mut message = ChunkMessage::default();
        for (index, block) in self.content.0.into_iter().enumerate() {
            block.say(Some(index as u64), &mut message);
        }
        let choice = Choice { message, finish: self.stop_reason, ..Choice::default() };
        Chunk { choices: Some(vec![choice]), usage: self.usage.counters(true), ..Chunk::default() }
    }
}

impl Place for Object {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "type" => member(&mut self.kind, value),
            "index" => member(&mut self.index, value),
            "message" => member(&mut self.message, value),
            "content_block" => member(&mut self.content_block, value),
            "delta" => member(&mut self.delta, value),
            "content" => member(&mut self.content, value),
            "stop_reason" => member(&mut self.stop_reason, value),
            "usage" => member(&mut self.usage, value),
            "error" => member(&mut self.error, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct Started {
    usage: Usage,
}

impl Place for Started {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "usage" => member(&mut self.usage, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct Delta {
    text: Option<String>,
    thinking: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}

impl Place for Delta {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "text" => member(&mut self.text, value),
            "thinking" => member(&mut self.thinking, value),
            "partial_json" => member(&mut self.partial_json, value),
            "stop_reason" => member(&mut self.stop_reason, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct Blocks(Vec<Block>);

impl Place for Blocks {
    fn items<'de, A: SeqAccess<'de>>(&mut self, items: A) -> Result<(), A::Error> {
        self.0 = list(MAX_BLOCKS, items)?;
        Ok(())
    }
}

/// A block of text, of thinking, or a call of a tool.
#[derive(Default)]
struct Block {
    id: Option<String>,
    text: Option<String>,
    thinking: Option<String>,
    name: Option<String>,
    input: Kept,
}

impl Block {
    /// Adds what it says to a message.
    fn say(self, index: Option<u64>, message: &mut ChunkMessage) {
        if let Some(text) = self.text {
            message.content.get_or_insert_default().push_str(&text);
        }
        if let Some(text) = self.thinking {
            message.reasoning.get_or_insert_default().push_str(&text);
        }
        // A stream begins a call with an empty input, whose text follows.
        let input = self.input.object.filter(|input| !input.is_empty());
        if self.name.is_some() || input.is_some() {
            let arguments = input.map(|input| Value::Object(input).to_string());
            message.tool_calls.push(ToolCall { index, id: self.id, name: self.name, arguments });
        }
    }
}

impl Place for Block {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "id" => member(&mut self.id, value),
            "text" => member(&mut self.text, value),
            "thinking" => member(&mut self.thinking, value),
            "name" => member(&mut self.name, value),
            "input" => member(&mut self.input, value),
            _ => Ok(false),
        }
    }
}

/// `usage`, where it is an object.
#[derive(Default)]
struct Usage(Option<Anthropic>);

impl Usage {
    fn counters(self, last: bool) -> Option<Counters> {
        self.0.map(|counters| Counters::Anthropic(Anthropic { last, ..counters }))
    }
}

impl Place for Usage {
    fn object(&mut self) {
        self.0 = Some(Anthropic::default());
    }

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        let counters = self.0.get_or_insert_default();
        let place = match name {
            "input_tokens" => &mut counters.input,
            "cache_read_input_tokens" => &mut counters.cache_read,
            "cache_creation_input_tokens" => &mut counters.cache_write,
            "output_tokens" => &mut counters.output,
            "cache_creation" => {
                let mut created = Created::default();
                member(&mut created, value)?;
                (counters.five_minutes, counters.hour) = (created.five_minutes, created.hour);
                return Ok(true);
            }
            "output_tokens_details" => {
                let mut details = OutputDetails::default();
                member(&mut details, value)?;
                counters.thinking = details.thinking;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        member(place, value)
    }
}

#[derive(Default)]
struct Created {
    five_minutes: Count,
    hour: Count,
}

impl Place for Created {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "ephemeral_5m_input_tokens" => member(&mut self.five_minutes, value),
            "ephemeral_1h_input_tokens" => member(&mut self.hour, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct OutputDetails {
    thinking: Count,
}

impl Place for OutputDetails {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "thinking_tokens" => member(&mut self.thinking, value),
            _ => Ok(false),
        }
    }
}
