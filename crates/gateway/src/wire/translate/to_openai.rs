//! A message request of Anthropic's protocol as a chat completion of the OpenAI protocol.

use std::borrow::Cow;

use holdpoint_text::pointer::join;
use serde_json::{Map, Value, json};

use super::features::Features;
use super::{Asking, EMPTY_MESSAGE_DROPPED, filled, flag, given, invalid, list, model, number, object, role, text};
use crate::refusal::GatewayError;
use crate::wire::request::positive;

/// Texts at which an OpenAI model may be told to stop.
const MAX_STOPS: usize = 4;
/// Characters of a block's kind that are told.
const MAX_KIND: usize = 64;

/// What was read so far.
#[derive(Default)]
struct Draft {
    system: Vec<Value>,
    messages: Vec<Value>,
    tools: Vec<Value>,
    tool_choice: Option<Value>,
    one_tool_at_a_time: bool,
    temperature: Option<Value>,
    top_p: Option<Value>,
    stop: Vec<Value>,
    stream: Option<bool>,
    user: Option<Value>,
    format: Option<Value>,
    effort: Option<Value>,
}

pub(super) fn request(
    members: &Map<String, Value>,
    body: &Value,
    asking: &Asking<'_>,
    features: &mut Features,
) -> Result<Value, GatewayError> {
    let most = positive(body, "max_tokens")?.ok_or_else(|| invalid("/max_tokens"))?;
    let mut draft = Draft::default();
    for (name, value) in given(members) {
        draft.member(name, value, asking, features)?;
    }
    features.silent = draft.messages.iter().all(|message| message["role"] == "system");
    let most = most.min(asking.max_output.unwrap_or(u64::MAX));
    let mut written = draft.written(&model(members, asking)?, asking.stream_usage);
    written[asking.limit_field.unwrap_or("max_completion_tokens")] = most.into();
    Ok(written)
}

impl Draft {
    fn member(
        &mut self,
        name: &str,
        value: &Value,
        asking: &Asking<'_>,
        features: &mut Features,
    ) -> Result<(), GatewayError> {
        let at = join("", name);
        match name {
            "model" | "max_tokens" => {}
            "system" => self.system.extend(system(value, &at, features)?),
            "messages" => self.messages(list(value, &at)?, features)?,
            "tools" => self.tools(list(value, &at)?, features)?,
            "tool_choice" => self.choice(value, &at)?,
            "temperature" => self.temperature = Some(number(value, &at)?),
            "top_p" => self.top_p = Some(number(value, &at)?),
            "stop_sequences" => {
                self.stop = list(value, &at)?.to_vec();
                if !self.stop.iter().all(Value::is_string) {
                    return Err(invalid(at));
                }
                if self.stop.len() > MAX_STOPS {
                    features.soft("stop_sequences_above_4", at);
                    self.stop.truncate(MAX_STOPS);
                }
            }
            "stream" => self.stream = Some(flag(value, &at)?),
            "metadata" => self.user = Some(value["user_id"].clone()).filter(|user| !user.is_null()),
            "output_config" => {
                for (name, value) in given(value.as_object().ok_or_else(|| invalid(&at))?) {
                    self.output(name, value, &join(&at, name), asking, features);
                }
            }
            "output_format" => self.output("format", value, &at, asking, features),
            "cache_control" => features.hint("cache_control", at),
            "service_tier" if value == "auto" || value == "standard_only" => features.hint("service_tier", at),
            "thinking" if value["type"] == "disabled" => {}
            "speed" if value == "standard" => {}
            "top_k" | "thinking" | "service_tier" | "speed" => features.soft(name.to_owned(), at),
            "mcp_servers" if value.as_array().is_some_and(Vec::is_empty) => {}
            "container" | "mcp_servers" | "inference_geo" | "context_management" => features.hard(name.to_owned(), at),
            _ => features.soft("unknown_field", at),
        }
        Ok(())
    }

    /// Takes a member of `output_config`.
    fn output(&mut self, name: &str, value: &Value, at: &str, asking: &Asking<'_>, features: &mut Features) {
        match name {
            "effort" if asking.effort => {
                self.effort = Some(if value == "max" { "xhigh".into() } else { value.clone() });
            }
            "effort" => features.hint("effort", at),
            "format" if asking.json_schema && value["type"] == "json_schema" => {
                let any = || json!({ "type": "object" });
                let schema = if value["schema"].is_null() { any() } else { value["schema"].clone() };
                let schema = json!({ "name": "output", "strict": true, "schema": schema });
                self.format = Some(json!({ "type": "json_schema", "json_schema": schema }));
            }
            "format" => features.soft("output_format", at),
            _ => features.soft("unknown_field", at),
        }
    }

    fn messages(&mut self, messages: &[Value], features: &mut Features) -> Result<(), GatewayError> {
        for (index, message) in messages.iter().enumerate() {
            let at = format!("/messages/{index}");
            let before = self.messages.len();
            match role(message, &at)? {
                "system" => {
                    let place = format!("{at}/content");
                    self.messages.extend(system(&message["content"], &place, features)?);
                }
                "user" => self.user_message(message, &at, features)?,
                "assistant" => self.messages.extend(assistant(message, &at, features)?),
                _ => return Err(invalid(format!("{at}/role"))),
            }
            if self.messages.len() == before {
                features.warn(EMPTY_MESSAGE_DROPPED, at);
            }
        }
        Ok(())
    }

    /// What tools gave stands first, each in a message of its own, and the rest in one.
    fn user_message(&mut self, message: &Value, at: &str, features: &mut Features) -> Result<(), GatewayError> {
        let mut parts = Vec::new();
        for Block { value: block, kind, at } in &blocks(&message["content"], &format!("{at}/content"))? {
            hints(block, at, features);
            match *kind {
                "tool_result" => {
                    let content = result(&block["content"], &format!("{at}/content"), features)?;
                    let id = text(block, at, "tool_use_id")?;
                    if block["is_error"] == true {
                        features.hint("is_error", format!("{at}/is_error"));
                    }
                    self.messages.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
                }
                "text" => parts.extend(text_part(text(block, at, "text")?)),
                "image" => parts.extend(image(block, at, features)?),
                kind => unknown(kind, at, features),
            }
        }
        self.messages.extend(content(parts).map(|content| json!({ "role": "user", "content": content })));
        Ok(())
    }

    fn tools(&mut self, tools: &[Value], features: &mut Features) -> Result<(), GatewayError> {
        for (index, tool) in tools.iter().enumerate() {
            let at = format!("/tools/{index}");
            if tool["type"].as_str().is_some_and(|kind| kind != "custom") {
                features.hard("server_tool", at);
                continue;
            }
            hints(tool, &at, features);
            let present = |name: &str| Some(tool[name].clone()).filter(|value| !value.is_null());
            let function = object([
                ("name", Some(text(tool, &at, "name")?.into())),
                ("description", present("description")),
                ("parameters", present("input_schema")),
                ("strict", (tool["strict"] == true).then(|| true.into())),
            ]);
            self.tools.push(json!({ "type": "function", "function": function }));
        }
        Ok(())
    }

    fn choice(&mut self, choice: &Value, at: &str) -> Result<(), GatewayError> {
        self.tool_choice = Some(match text(choice, at, "type")? {
            "auto" => "auto".into(),
            "any" => "required".into(),
            "none" => "none".into(),
            "tool" => json!({ "type": "function", "function": { "name": text(choice, at, "name")? } }),
            _ => return Err(invalid(format!("{at}/type"))),
        });
        self.one_tool_at_a_time = choice["disable_parallel_tool_use"] == true;
        Ok(())
    }

    fn written(self, model: &Value, stream_usage: bool) -> Value {
        let has_tools = !self.tools.is_empty();
        let usage = self.stream == Some(true) && stream_usage;
        let messages: Vec<Value> = self.system.into_iter().chain(self.messages).collect();
        object([
            ("model", Some(model.clone())),
            ("messages", Some(messages.into())),
            ("tools", filled(self.tools)),
            ("tool_choice", self.tool_choice.filter(|_| has_tools)),
            ("parallel_tool_calls", (has_tools && self.one_tool_at_a_time).then(|| false.into())),
            ("temperature", self.temperature),
            ("top_p", self.top_p),
            ("stop", filled(self.stop)),
            ("stream", self.stream.map(Value::Bool)),
            ("stream_options", usage.then(|| json!({ "include_usage": true }))),
            ("user", self.user),
            ("response_format", self.format),
            ("reasoning_effort", self.effort),
        ])
    }
}

/// A message of the system: its one text, or its texts as parts.
fn system(value: &Value, at: &str, features: &mut Features) -> Result<Option<Value>, GatewayError> {
    Ok(texts(value, at, features)?.map(|content| json!({ "role": "system", "content": content })))
}

/// A content that can hold nothing but texts.
fn texts(value: &Value, at: &str, features: &mut Features) -> Result<Option<Value>, GatewayError> {
    let mut parts = Vec::new();
    for Block { value: block, kind, at } in &blocks(value, at)? {
        hints(block, at, features);
        match *kind {
            "text" => parts.extend(text_part(text(block, at, "text")?)),
            kind => unknown(kind, at, features),
        }
    }
    Ok(content(parts))
}

fn assistant(message: &Value, at: &str, features: &mut Features) -> Result<Option<Value>, GatewayError> {
    let (mut said, mut calls) = (String::new(), Vec::new());
    for Block { value: block, kind, at } in &blocks(&message["content"], &format!("{at}/content"))? {
        hints(block, at, features);
        match *kind {
            "text" => said.push_str(text(block, at, "text")?),
            "tool_use" => {
                let input = Some(&block["input"]).filter(|input| !input.is_null());
                let arguments = input.map_or_else(|| "{}".to_owned(), Value::to_string);
                let function = json!({ "name": text(block, at, "name")?, "arguments": arguments });
                calls.push(json!({ "id": text(block, at, "id")?, "type": "function", "function": function }));
            }
            "thinking" | "redacted_thinking" => features.hint("thinking_block", at.as_str()),
            kind => unknown(kind, at, features),
        }
    }
    if said.is_empty() && calls.is_empty() {
        return Ok(None);
    }
    let content = if said.is_empty() { Value::Null } else { said.into() };
    Ok(Some(object([("role", Some("assistant".into())), ("content", Some(content)), ("tool_calls", filled(calls))])))
}

/// What a tool gave: a text, or several.
fn result(value: &Value, at: &str, features: &mut Features) -> Result<Value, GatewayError> {
    let said = if value.is_null() { None } else { texts(value, at, features)? };
    Ok(said.unwrap_or_else(|| "".into()))
}

/// A block with its kind and its place.
struct Block<'v> {
    value: Cow<'v, Value>,
    kind: &'v str,
    at: String,
}

/// The blocks of a content; a text is one block.
fn blocks<'v>(value: &'v Value, at: &str) -> Result<Vec<Block<'v>>, GatewayError> {
    if value.is_string() {
        return Ok(vec![Block { value: Cow::Owned(json!({ "text": value })), kind: "text", at: at.to_owned() }]);
    }
    let block = |(index, block): (usize, &'v Value)| {
        let at = format!("{at}/{index}");
        let kind = text(block, &at, "type")?;
        Ok(Block { value: Cow::Borrowed(block), kind, at })
    };
    list(value, at)?.iter().enumerate().map(block).collect()
}

/// What a block may carry that only changes cost or quality.
fn hints(block: &Value, at: &str, features: &mut Features) {
    for name in ["cache_control", "citations"] {
        if !block[name].is_null() {
            features.hint(name, join(at, name));
        }
    }
}

fn unknown(kind: &str, at: &str, features: &mut Features) {
    features.hard(kind.chars().take(MAX_KIND).collect::<String>(), at);
}

/// Empty texts are no parts.
fn text_part(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn image(block: &Value, at: &str, features: &mut Features) -> Result<Option<Value>, GatewayError> {
    let (source, place) = (&block["source"], format!("{at}/source"));
    let url = match text(source, &place, "type")? {
        "base64" => {
            let (kind, data) = (text(source, &place, "media_type")?, text(source, &place, "data")?);
            format!("data:{kind};base64,{data}")
        }
        "url" => text(source, &place, "url")?.to_owned(),
        _ => {
            features.hard("image_source", at);
            return Ok(None);
        }
    };
    Ok(Some(json!({ "type": "image_url", "image_url": { "url": url } })))
}

/// One text alone is a text; nothing is no content.
fn content(mut parts: Vec<Value>) -> Option<Value> {
    match parts.as_mut_slice() {
        [] => None,
        [only] if only["type"] == "text" => Some(only["text"].take()),
        _ => Some(parts.into()),
    }
}
