//! A request for a model's answer: as it is read, and as our own callers write it.
//!
//! Reading borrows: a body may have megabytes, and its text goes upstream as it came.

use serde_json::{Value, json};

use super::protocol::Protocol;
use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};

/// A request within every limit of shape.
#[derive(Debug, Clone, Copy)]
pub struct Request<'b> {
    body: &'b Value,
    /// The alias that is asked for.
    pub model: &'b str,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// Whether the client asked for the usage chunk of an OpenAI stream.
    pub include_usage: bool,
}

impl<'b> Request<'b> {
    pub fn read(body: &'b Value, limits: &Limits) -> Result<Self, GatewayError> {
        if !body.is_object() {
            return Err(GatewayError::at(Code::InvalidRequest, "").saying("Send one JSON object."));
        }
        let model = match &body["model"] {
            Value::String(name) if !name.is_empty() && name.chars().count() as u64 <= limits.max_model_name => name,
            _ => return Err(GatewayError::at(Code::InvalidRequest, "/model").saying("Name a model.")),
        };
        check_messages(body, limits)?;
        if let Some(tools) = body["tools"].as_array()
            && tools.len() as u64 > limits.max_tools
        {
            return Err(too_large("tools", tools.len() as u64, limits.max_tools));
        }
        let stream = match &body["stream"] {
            Value::Null => false,
            Value::Bool(stream) => *stream,
            _ => return Err(GatewayError::at(Code::InvalidRequest, "/stream")),
        };
        let include_usage = body["stream_options"]["include_usage"] == json!(true);
        Ok(Self { body, model, stream, include_usage })
    }

    /// What was said so far.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = Asked<'b>> + ExactSizeIterator {
        self.body["messages"].as_array().map_or(&[][..], Vec::as_slice).iter().map(Asked)
    }

    /// The names of the tools that the model may call.
    pub fn tools(&self) -> impl Iterator<Item = &'b str> {
        self.body["tools"].as_array().into_iter().flatten().map(function_name)
    }

    /// The most output tokens that it asks for: the larger of the maxima given.
    pub fn max_output(&self, protocol: Protocol) -> Result<Option<u64>, GatewayError> {
        max_output(protocol, self.body)
    }
}

/// A message of a request.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'b>(&'b Value);

impl<'b> Asked<'b> {
    /// `system`, `user`, `assistant`, `tool` and what else a protocol knows.
    pub fn role(&self) -> &'b str {
        self.0["role"].as_str().unwrap_or_default()
    }

    /// Its text, that of all parts joined.
    pub fn text(&self) -> String {
        match &self.0["content"] {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
            _ => String::new(),
        }
    }

    /// Its calls of tools: id, name, arguments.
    pub fn calls(&self) -> impl Iterator<Item = (&'b str, &'b str, &'b str)> {
        let calls = self.0["tool_calls"].as_array().into_iter().flatten();
        calls.map(|call| {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            (call["id"].as_str().unwrap_or_default(), function_name(call), arguments)
        })
    }

    /// The call that it answers.
    pub fn answers(&self) -> Option<&'b str> {
        self.0["tool_call_id"].as_str()
    }
}

fn function_name(tool: &Value) -> &str {
    tool["function"]["name"].as_str().unwrap_or_default()
}

fn check_messages(body: &Value, limits: &Limits) -> Result<(), GatewayError> {
    let Value::Array(messages) = &body["messages"] else {
        return Err(GatewayError::at(Code::InvalidRequest, "/messages").saying("Send `messages`, a list."));
    };
    if messages.is_empty() {
        return Err(GatewayError::at(Code::InvalidRequest, "/messages").saying("Send at least one message."));
    }
    if messages.len() as u64 > limits.max_messages {
        return Err(too_large("messages", messages.len() as u64, limits.max_messages));
    }
    let mut parts = 0;
    for (index, message) in messages.iter().enumerate() {
        if !message["role"].is_string() {
            let pointer = format!("/messages/{index}/role");
            return Err(
                GatewayError::at(Code::InvalidRequest, pointer).saying("Give each message an object with a `role`.")
            );
        }
        parts += message["content"].as_array().map_or(0, Vec::len) as u64;
    }
    if parts > limits.max_parts {
        return Err(too_large("parts", parts, limits.max_parts));
    }
    Ok(())
}

/// A refusal of what has more of something than a limit allows.
pub(crate) fn too_large(what: &str, size: u64, limit: u64) -> GatewayError {
    GatewayError::new(Code::RequestTooLarge)
        .saying(format!("The request has {size} {what}; send at most {limit}."))
        .with(json!({ "what": what, "size": size, "limit": limit }))
}

/// The larger of the maxima that a body gives, by its protocol's names.
pub(crate) fn max_output(protocol: Protocol, body: &Value) -> Result<Option<u64>, GatewayError> {
    match protocol {
        Protocol::OpenAi => Ok(positive(body, "max_completion_tokens")?.max(positive(body, "max_tokens")?)),
        Protocol::Anthropic => positive(body, "max_tokens"),
    }
}

/// A positive integer member; `None` when absent or null. `12.0` is twelve.
pub(crate) fn positive(body: &Value, name: &str) -> Result<Option<u64>, GatewayError> {
    let integral = |value: &Value| {
        let float = value.as_f64().filter(|float| float.fract() == 0.0)?;
        (0.0..9.0e15).contains(&float).then_some(float as u64)
    };
    match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_u64().or_else(|| integral(value)) {
            Some(number) if number > 0 => Ok(Some(number)),
            _ => Err(GatewayError::at(Code::InvalidRequest, format!("/{name}"))),
        },
    }
}

/// The most output tokens, under the name that a model's family knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    CompletionTokens(u64),
    Tokens(u64),
}

/// A streamed request of ours, in the OpenAI protocol.
#[derive(Debug)]
pub struct Draft<'d> {
    pub model: &'d str,
    /// Role and text of each message.
    pub messages: Vec<(&'d str, &'d str)>,
    pub most: Most,
    pub temperature: Option<f64>,
    /// A name and the schema that the answer must have, where the provider decodes under one.
    pub schema: Option<(&'d str, Value)>,
    /// Whether the stream is to end with its usage.
    pub include_usage: bool,
}

impl Draft<'_> {
    /// The body that is sent.
    pub fn body(self) -> Value {
        let message = |(role, content): &(&str, &str)| json!({ "role": role, "content": content });
        let messages: Vec<Value> = self.messages.iter().map(message).collect();
        let mut body = json!({ "model": self.model, "messages": messages, "stream": true });
        if self.include_usage {
            body["stream_options"] = json!({ "include_usage": true });
        }
        match self.most {
            Most::CompletionTokens(most) => body["max_completion_tokens"] = most.into(),
            Most::Tokens(most) => body["max_tokens"] = most.into(),
        }
        if let Some(temperature) = self.temperature {
            body["temperature"] = temperature.into();
        }
        if let Some((name, schema)) = self.schema {
            body["response_format"] =
                json!({ "type": "json_schema", "json_schema": { "name": name, "strict": true, "schema": schema } });
        }
        body
    }
}
