//! A stream in the words of the other protocol, event by event; nothing is held back but the end of an OpenAI stream,
//! whose usage comes behind its finish reason.

use serde_json::json;

use super::answer::{Telling, call_id, finish_reason, stop_reason};
use crate::redact;
use crate::refusal::{Code, GatewayError};
use crate::wire::chunk::{Choice, Chunk, ChunkMessage, ToolCall};
use crate::wire::error::Error;
use crate::wire::messages::{MessageWriter, ToldEvent};
use crate::wire::named::Named;
use crate::wire::protocol::Protocol;
use crate::wire::sse::SseEvent;
use crate::wire::stream::Ended;
use crate::wire::usage::{Reported, Usage};
use crate::wire::write::chunk_object;

/// Calls of one answer; an upstream that makes more is not read.
const MAX_CALLS: usize = 1_000;

/// The state of one stream from a protocol to the other one.
#[derive(Debug)]
pub struct Interpreter {
    telling: Telling,
    begun: bool,
    ended: Option<Ended>,
    finish: Option<String>,
    reported: Reported,
    to: To,
}

#[derive(Debug)]
enum To {
    OpenAi {
        /// The blocks that call tools, by their number in the answer.
        calls: Vec<u64>,
    },
    Anthropic(Blocks),
}

/// A message that is written of the pieces of a chat completion.
#[derive(Debug, Default)]
struct Blocks {
    writer: MessageWriter,
    /// Where the call that is open stands in the upstream's answer, and its id.
    open: Option<(u64, Option<String>)>,
    /// Where tools stand in the upstream's answer, as far as it was read.
    calls: Vec<u64>,
    refused: bool,
}

impl Interpreter {
    pub fn new(from: Protocol, telling: Telling) -> Self {
        let to = match from {
            Protocol::Anthropic => To::OpenAi { calls: Vec::new() },
            Protocol::OpenAi => To::Anthropic(Blocks::default()),
        };
        Self { telling, begun: false, ended: None, finish: None, reported: Reported::default(), to }
    }

    /// Takes an event, and the chunk that was read of it. Errors: `UPSTREAM_PROTOCOL_ERROR`; the stream ends there.
    pub fn take(
        &mut self,
        event: &SseEvent,
        chunk: &Chunk,
        mut tell: impl FnMut(ToldEvent),
    ) -> Result<(), GatewayError> {
        if self.ended.is_some() {
            return Ok(());
        }
        if chunk.error.is_some() {
            self.ended = Some(Ended::Error);
            return Ok(());
        }
        if let Some(counters) = &chunk.usage {
            self.reported.take(counters);
        }
        self.begin(event, chunk, &mut tell);
        if let Some(choice) = chunk.first() {
            let finish = choice.finish.clone().filter(|finish| !finish.is_empty());
            self.finish = finish.or(self.finish.take());
            match &mut self.to {
                To::OpenAi { calls } => say(&self.telling, calls, &choice.message, &mut tell)?,
                To::Anthropic(blocks) => blocks.say(&choice.message, &mut tell)?,
            }
        }
        if chunk.done {
            self.close(true, &mut tell);
        }
        Ok(())
    }

    /// The upstream has ended: what is left to say, and how it ended.
    pub fn end(&mut self, mut tell: impl FnMut(ToldEvent)) -> Ended {
        if self.ended.is_none() {
            self.close(false, &mut tell);
        }
        self.ended.unwrap_or(Ended::Cut)
    }

    /// The head of the answer, as soon as the upstream begins to answer.
    fn begin(&mut self, event: &SseEvent, chunk: &Chunk, tell: &mut impl FnMut(ToldEvent)) {
        if self.begun {
            return;
        }
        let named = Named::read(&event.data);
        let begins = match self.to {
            To::OpenAi { .. } => {
                named.kind.as_deref().unwrap_or(&event.event) == "message_start"
                    || chunk.choices.is_some()
                    || chunk.done
            }
            To::Anthropic(_) => chunk.first().is_some(),
        };
        if !begins {
            return;
        }
        self.begun = true;
        self.telling = self.telling.of(named);
        let head = self.telling.head();
        tell(match self.to {
            To::OpenAi { .. } => {
                let message = ChunkMessage {
                    role: Some("assistant".to_owned()),
                    content: Some(String::new()),
                    ..ChunkMessage::default()
                };
                part(&self.telling, message, None)
            }
            To::Anthropic(_) => MessageWriter::start(&head, Some(&json!({ "input_tokens": 0, "output_tokens": 0 }))),
        });
    }

    /// Says the end where there is one. `done`: the upstream said its own word for it.
    fn close(&mut self, done: bool, tell: &mut impl FnMut(ToldEvent)) {
        let finish = self.finish.as_deref();
        let whole = match &mut self.to {
            To::OpenAi { calls } if done => {
                let finish = finish_reason(finish, !calls.is_empty());
                tell(part(&self.telling, ChunkMessage::default(), Some(finish.to_owned())));
                if self.telling.include_usage {
                    let usage = self.reported.usage.openai_in_full();
                    tell(ToldEvent { event: None, data: Some(chunk_object(&self.telling.head(), &[], Some(&usage))) });
                }
                tell(ToldEvent { event: None, data: None });
                true
            }
            To::OpenAi { .. } => false,
            To::Anthropic(blocks) => {
                blocks.writer.shut(tell);
                if let Some(finish) = finish {
                    blocks.stop(finish, &self.reported.usage, tell);
                }
                finish.is_some()
            }
        };
        self.ended = Some(if whole { Ended::Complete } else { Ended::Cut });
    }
}

/// Says a piece of Anthropic's as chunks, one for each thing that it says.
fn say(
    telling: &Telling,
    calls: &mut Vec<u64>,
    message: &ChunkMessage,
    tell: &mut impl FnMut(ToldEvent),
) -> Result<(), GatewayError> {
    let said = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    if let Some(text) = said(&message.reasoning) {
        tell(part(telling, ChunkMessage { reasoning: Some(text), ..ChunkMessage::default() }, None));
    }
    if let Some(text) = said(&message.content) {
        tell(part(telling, ChunkMessage { content: Some(text), ..ChunkMessage::default() }, None));
    }
    for call in &message.tool_calls {
        let block = call.index.unwrap_or_default();
        let known = calls.iter().position(|known| *known == block);
        let written = match known {
            Some(_) if call.arguments.as_ref().is_none_or(String::is_empty) => continue,
            Some(at) => ToolCall { index: Some(at as u64), arguments: call.arguments.clone(), ..ToolCall::default() },
            None if call.name.is_none() || calls.len() == MAX_CALLS => return Err(broken()),
            None => {
                calls.push(block);
                let at = calls.len() - 1;
                ToolCall {
                    index: Some(at as u64),
                    id: Some(call_id(call, at)),
                    name: call.name.clone(),
                    arguments: Some(call.arguments.clone().unwrap_or_default()),
                }
            }
        };
        tell(part(telling, ChunkMessage { tool_calls: vec![written], ..ChunkMessage::default() }, None));
    }
    Ok(())
}

fn part(telling: &Telling, message: ChunkMessage, finish: Option<String>) -> ToldEvent {
    let choice = Choice { index: None, message, finish };
    ToldEvent { event: None, data: Some(chunk_object(&telling.head(), &[choice], None)) }
}

impl Blocks {
    /// Says a piece of the OpenAI protocol. Thinking is left out: it carries no signature.
    fn say(&mut self, message: &ChunkMessage, tell: &mut impl FnMut(ToldEvent)) -> Result<(), GatewayError> {
        message.words().filter(|text| !text.is_empty()).for_each(|text| self.writer.text(text, tell));
        self.refused |= message.refusal.as_ref().is_some_and(|refusal| !refusal.is_empty());
        message.tool_calls.iter().try_for_each(|call| self.call(call, tell))
    }

    fn call(&mut self, call: &ToolCall, tell: &mut impl FnMut(ToldEvent)) -> Result<(), GatewayError> {
        let arguments = call.arguments.as_deref().unwrap_or_default();
        // Servers that number nothing send whole calls, each with an id of its own.
        let index = call.index.unwrap_or_default();
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (id, name) = (given(&call.id), given(&call.name));
        let open = self.open.as_ref().filter(|_| self.writer.is_calling());
        let is_open = open.is_some_and(|(at, _)| *at == index);
        let continues = is_open && open.is_some_and(|(_, begun)| id.is_none() || name.is_none() || id == *begun);
        if !continues {
            let known = self.calls.contains(&index);
            if known && name.is_none() && arguments.is_empty() {
                return Ok(());
            }
            let Some(name) = name.filter(|_| (is_open || !known) && self.calls.len() < MAX_CALLS) else {
                return Err(broken());
            };
            self.writer.tool(&call_id(call, self.calls.len()), &name, tell);
            self.calls.push(index);
            self.open = Some((index, id));
        }
        if !arguments.is_empty() {
            self.writer.arguments(arguments, tell);
        }
        Ok(())
    }

    fn stop(&mut self, finish: &str, usage: &Usage, tell: &mut impl FnMut(ToldEvent)) {
        let reason = stop_reason(Some(finish), !self.calls.is_empty(), self.refused);
        self.writer.stop(reason, Some(&usage.anthropic()), tell);
        tell(MessageWriter::end());
    }
}

/// What a client is told of an error that the upstream's stream ends with: its words, without secrets.
pub fn stream_error(error: &Error) -> GatewayError {
    let refusal = GatewayError::new(Code::UpstreamStreamError);
    if error.message.is_empty() { refusal } else { refusal.saying(redact::text(&error.message).0) }
}

fn broken() -> GatewayError {
    GatewayError::new(Code::UpstreamProtocolError)
}
