//! Reading a client's request: raw bytes in, a request that means something out (spec: gateway.md §2).
//!
//! Invariant: everything behind this module sees one reading of the body, within every limit of size and shape.

use serde_json::{Value, json};

use crate::json::{self, JsonFault};
use crate::limits::Limits;
use crate::protocol::Protocol;
use crate::quote::{ModelRow, Quote, quote};
use crate::refusal::{Code, Refusal};
use crate::splice::{Spliced, Wanted, splice};

/// A request for a model's answer.
#[derive(Debug, Clone)]
pub struct ModelCall {
    /// The client's protocol.
    pub protocol: Protocol,
    /// As it came.
    pub text: String,
    /// As it reads.
    pub body: Value,
    /// The alias that is asked for.
    pub model: String,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// Whether the client asked for the usage chunk of an OpenAI stream.
    pub include_usage: bool,
}

impl ModelCall {
    /// Reads a body within the limits.
    pub fn read(protocol: Protocol, bytes: &[u8], limits: &Limits) -> Result<Self, Refusal> {
        if bytes.len() as u64 > limits.max_body_bytes {
            return Err(too_large("bytes", bytes.len() as u64, limits.max_body_bytes));
        }
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Refusal::new(Code::InvalidJson).saying("Send the body as UTF-8."))?;
        let body = json::read(text, limits.json()).map_err(Refusal::from)?;
        if !body.is_object() {
            return Err(Refusal::at(Code::InvalidRequest, "").saying("Send one JSON object."));
        }
        let model = match &body["model"] {
            Value::String(name) if !name.is_empty() && name.chars().count() as u64 <= limits.max_model_name => {
                name.clone()
            }
            _ => return Err(Refusal::at(Code::InvalidRequest, "/model").saying("Name a model.")),
        };
        check_messages(&body, limits)?;
        if let Some(tools) = body["tools"].as_array()
            && tools.len() as u64 > limits.max_tools
        {
            return Err(too_large("tools", tools.len() as u64, limits.max_tools));
        }
        let stream = match &body["stream"] {
            Value::Null => false,
            Value::Bool(stream) => *stream,
            _ => return Err(Refusal::at(Code::InvalidRequest, "/stream")),
        };
        let include_usage = body["stream_options"]["include_usage"] == json!(true);
        Ok(Self { protocol, text: text.to_owned(), body, model, stream, include_usage })
    }

    /// Its bounds on a model.
    pub fn quote(&self, model: &ModelRow, limits: &Limits) -> Result<Quote, Refusal> {
        quote(self.protocol, &self.body, model, None, limits)
    }

    /// Its text for an upstream of the same protocol.
    pub fn spliced(&self, wanted: &Wanted<'_>) -> Spliced {
        splice(self.protocol, &self.text, wanted)
    }
}

impl From<JsonFault> for Refusal {
    fn from(fault: JsonFault) -> Self {
        let message = format!("Correct the body: {fault}.");
        match fault {
            JsonFault::Duplicate(key) => Self::new(Code::DuplicateKey).with(json!({ "key": key })),
            JsonFault::Invalid(_) => Self::new(Code::InvalidJson),
            JsonFault::TooDeep(limit) => Self::at(Code::InvalidRequest, "").with(json!({ "limit": limit })),
            JsonFault::TooMany(limit) => too_large("nodes", limit as u64 + 1, limit as u64),
        }
        .saying(message)
    }
}

fn check_messages(body: &Value, limits: &Limits) -> Result<(), Refusal> {
    let Value::Array(messages) = &body["messages"] else {
        return Err(Refusal::at(Code::InvalidRequest, "/messages").saying("Send `messages`, a list."));
    };
    if messages.is_empty() {
        return Err(Refusal::at(Code::InvalidRequest, "/messages").saying("Send at least one message."));
    }
    if messages.len() as u64 > limits.max_messages {
        return Err(too_large("messages", messages.len() as u64, limits.max_messages));
    }
    let mut parts = 0;
    for (index, message) in messages.iter().enumerate() {
        if !message["role"].is_string() {
            let pointer = format!("/messages/{index}/role");
            return Err(Refusal::at(Code::InvalidRequest, pointer).saying("Give each message an object with a `role`."));
        }
        parts += message["content"].as_array().map_or(0, Vec::len) as u64;
    }
    if parts > limits.max_parts {
        return Err(too_large("parts", parts, limits.max_parts));
    }
    Ok(())
}

fn too_large(what: &str, size: u64, limit: u64) -> Refusal {
    Refusal::new(Code::RequestTooLarge)
        .saying(format!("The request has {size} {what}; send at most {limit}."))
        .with(json!({ "what": what, "size": size, "limit": limit }))
}
