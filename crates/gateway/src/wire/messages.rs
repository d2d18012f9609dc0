//! Answers as Anthropic's protocol writes them: the events of a stream, one block after the other.
//!
//! Invariant: at most one block is open, and what is said of another kind closes it.

use serde_json::{Value, json};

use super::sse;
use super::write::Head;

/// An event that a client is told.
#[derive(Debug, Clone, PartialEq)]
pub struct ToldEvent {
    /// Anthropic's protocol names its events.
    pub event: Option<&'static str>,
    /// `None` stands for `[DONE]`, the end.
    pub data: Option<Value>,
}

impl ToldEvent {
    /// An event of Anthropic's protocol, whose data begins with its name.
    fn named(name: &'static str, members: Value) -> Self {
        let mut data = json!({ "type": name });
        if let (Some(data), Value::Object(members)) = (data.as_object_mut(), members) {
            data.extend(members);
        }
        Self { event: Some(name), data: Some(data) }
    }

    pub fn data_text(&self) -> String {
        self.data.as_ref().map_or_else(|| "[DONE]".to_owned(), Value::to_string)
    }

    /// As a stream carries it.
    pub fn text(&self) -> String {
        sse::event(self.event, &self.data_text(), "\n")
    }
}

/// What the block that is open holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Text,
    Thinking,
    Tool,
}

/// The state of one message that is streamed.
#[derive(Debug, Default)]
pub struct MessageWriter {
    open: Option<Block>,
    next: u64,
}

impl MessageWriter {
    /// The event that begins a message.
    pub fn start(head: &Head<'_>, usage: Option<&Value>) -> ToldEvent {
        let mut message = json!({
            "id": head.id, "type": "message", "role": "assistant", "model": head.model, "content": [],
            "stop_reason": null, "stop_sequence": null,
        });
        if let Some(usage) = usage {
            message["usage"] = usage.clone();
        }
        ToldEvent::named("message_start", json!({ "message": message }))
    }

    /// Says a piece of text.
    pub fn text(&mut self, text: &str, tell: &mut impl FnMut(ToldEvent)) {
        if self.open != Some(Block::Text) {
            self.begin(Block::Text, &json!({ "type": "text", "text": "" }), tell);
        }
        self.delta(&json!({ "type": "text_delta", "text": text }), tell);
    }

    /// Says a piece of thinking.
    pub fn thinking(&mut self, text: &str, tell: &mut impl FnMut(ToldEvent)) {
        if self.open != Some(Block::Thinking) {
            self.begin(Block::Thinking, &json!({ "type": "thinking", "thinking": "", "signature": "" }), tell);
        }
        self.delta(&json!({ "type": "thinking_delta", "thinking": text }), tell);
    }

    /// Closes the thinking that is open with its signature.
    pub fn end_thinking(&mut self, signature: &str, tell: &mut impl FnMut(ToldEvent)) {
        if self.open == Some(Block::Thinking) {
            self.delta(&json!({ "type": "signature_delta", "signature": signature }), tell);
            self.shut(tell);
        }
    }

    /// Begins a call of a tool.
    pub fn tool(&mut self, id: &str, name: &str, tell: &mut impl FnMut(ToldEvent)) {
        self.begin(Block::Tool, &json!({ "type": "tool_use", "id": id, "name": name, "input": {} }), tell);
    }

    /// Says a piece of the arguments of the call that is open.
    pub fn arguments(&mut self, text: &str, tell: &mut impl FnMut(ToldEvent)) {
        if self.is_calling() {
            self.delta(&json!({ "type": "input_json_delta", "partial_json": text }), tell);
        }
    }

    /// Whether a call of a tool is open.
    pub fn is_calling(&self) -> bool {
        self.open == Some(Block::Tool)
    }

    /// Closes the block that is open.
    pub fn shut(&mut self, tell: &mut impl FnMut(ToldEvent)) {
        if self.open.take().is_some() {
            tell(ToldEvent::named("content_block_stop", json!({ "index": self.next })));
            self.next += 1;
        }
    }

    /// Says why the model stopped.
    pub fn stop(&mut self, reason: &str, usage: Option<&Value>, tell: &mut impl FnMut(ToldEvent)) {
        self.shut(tell);
        let mut members = json!({ "delta": { "stop_reason": reason, "stop_sequence": null } });
        if let Some(usage) = usage {
            members["usage"] = usage.clone();
        }
        tell(ToldEvent::named("message_delta", members));
    }

    /// The event that ends a message.
    pub fn end() -> ToldEvent {
        ToldEvent::named("message_stop", json!({}))
    }

    fn begin(&mut self, block: Block, started: &Value, tell: &mut impl FnMut(ToldEvent)) {
        self.shut(tell);
        self.open = Some(block);
        tell(ToldEvent::named("content_block_start", json!({ "index": self.next, "content_block": started })));
    }

    fn delta(&self, delta: &Value, tell: &mut impl FnMut(ToldEvent)) {
        tell(ToldEvent::named("content_block_delta", json!({ "index": self.next, "delta": delta })));
    }
}
