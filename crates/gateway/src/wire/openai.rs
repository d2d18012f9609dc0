//! The OpenAI protocol's objects as they are read: a chunk of a stream, a whole completion.

use serde::de::{MapAccess, SeqAccess};

use super::chunk::{Choice, Chunk, ChunkMessage, ToolCall};
use super::error::Error;
use super::read::{Index, Place, Words, list, member};
use super::usage::{Count, Counters, OpenAi};

/// Choices and calls of one object; an upstream that lists more is not read.
const MAX_CHOICES: usize = 128;
const MAX_TOOL_CALLS: usize = 1_000;

pub(super) struct Object {
    chunk: Chunk,
    /// Where a choice has its words.
    part: Part,
}

#[derive(Clone, Copy)]
enum Part {
    Delta,
    ChunkMessage,
}

impl Object {
    pub(super) fn part() -> Self {
        Self { chunk: Chunk::default(), part: Part::Delta }
    }

    pub(super) fn whole() -> Self {
        Self { chunk: Chunk::default(), part: Part::ChunkMessage }
    }

    pub(super) fn into_chunk(self) -> Chunk {
        self.chunk
    }
}

impl Place for Object {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "choices" => {
                let mut read = Choices::default();
                member(&mut read, value)?;
                let part = self.part;
                self.chunk.choices = read.0.map(|list| list.into_iter().map(|choice| choice.with(part)).collect());
                Ok(true)
            }
            "usage" => {
                let mut read = Usage::default();
                member(&mut read, value)?;
                self.chunk.usage = read.0.map(Counters::OpenAi);
                Ok(true)
            }
            "error" => member(&mut self.chunk.error, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct Choices(Option<Vec<AnyChoice>>);

impl Place for Choices {
    fn items<'de, A: SeqAccess<'de>>(&mut self, items: A) -> Result<(), A::Error> {
        self.0 = Some(list(MAX_CHOICES, items)?);
        Ok(())
    }
}

/// A choice of a chunk or of a completion.
#[derive(Default)]
struct AnyChoice {
    index: Index,
    delta: ChunkMessage,
    message: ChunkMessage,
    finish: Option<String>,
}

impl AnyChoice {
    fn with(self, part: Part) -> Choice {
        let message = match part {
            Part::Delta => self.delta,
            Part::ChunkMessage => self.message,
        };
        Choice { index: self.index.0, message, finish: self.finish }
    }
}

impl Place for AnyChoice {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "index" => member(&mut self.index, value),
            "delta" => member(&mut self.delta, value),
            "message" => member(&mut self.message, value),
            "finish_reason" => member(&mut self.finish, value),
            _ => Ok(false),
        }
    }
}

impl Place for ChunkMessage {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        let mut words = Words::default();
        match name {
            "role" => return member(&mut self.role, value),
            "content" => {
                member(&mut words, value)?;
                self.content = words.0;
            }
            "refusal" => {
                member(&mut words, value)?;
                self.refusal = words.0;
            }
            // Servers call it so or so; one that says it twice is charged for both.
            "reasoning_content" | "reasoning" => {
                member(&mut words, value)?;
                if let Some(text) = words.0 {
                    self.reasoning.get_or_insert_default().push_str(&text);
                }
            }
            "tool_calls" => {
                let mut calls = Calls::default();
                member(&mut calls, value)?;
                self.tool_calls = calls.0;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Default)]
struct Calls(Vec<ToolCall>);

impl Place for Calls {
    fn items<'de, A: SeqAccess<'de>>(&mut self, items: A) -> Result<(), A::Error> {
        self.0 = list(MAX_TOOL_CALLS, items)?;
        Ok(())
    }
}

impl Place for ToolCall {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "index" => {
                let mut index = Index::default();
                member(&mut index, value)?;
                self.index = index.0;
                Ok(true)
            }
            "id" => member(&mut self.id, value),
            "function" => {
                let mut function = Function::default();
                member(&mut function, value)?;
                (self.name, self.arguments) = (function.name, function.arguments);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct Function {
    name: Option<String>,
    arguments: Option<String>,
}

impl Place for Function {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "name" => member(&mut self.name, value),
            "arguments" => member(&mut self.arguments, value),
            _ => Ok(false),
        }
    }
}

/// `usage`, where it is an object.
#[derive(Default)]
struct Usage(Option<OpenAi>);

impl Place for Usage {
    fn object(&mut self) {
        self.0 = Some(OpenAi::default());
    }

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        let counters = self.0.get_or_insert_default();
        let place = match name {
            "prompt_tokens" => &mut counters.prompt,
            "completion_tokens" => &mut counters.completion,
            "total_tokens" => &mut counters.total,
            "prompt_cache_hit_tokens" => &mut counters.cache_hit,
            "prompt_tokens_details" => {
                let mut details = PromptDetails::default();
                member(&mut details, value)?;
                (counters.cached, counters.cache_write) = (details.cached, details.cache_write);
                return Ok(true);
            }
            "completion_tokens_details" => {
                let mut details = CompletionDetails::default();
                member(&mut details, value)?;
                counters.reasoning = details.reasoning;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        member(place, value)
    }
}

#[derive(Default)]
struct PromptDetails {
    cached: Count,
    cache_write: Count,
}

impl Place for PromptDetails {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "cached_tokens" => member(&mut self.cached, value),
            "cache_write_tokens" => member(&mut self.cache_write, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct CompletionDetails {
    reasoning: Count,
}

impl Place for CompletionDetails {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "reasoning_tokens" => member(&mut self.reasoning, value),
            _ => Ok(false),
        }
    }
}

/// `error`, where it is an object or a text that is not empty.
impl Place for Option<Error> {
    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            *self = Some(Error { message: text.to_owned(), ..Error::default() });
        }
    }

    fn object(&mut self) {
        *self = Some(Error::default());
    }

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        self.get_or_insert_default().read_member(name, value)
    }
}
