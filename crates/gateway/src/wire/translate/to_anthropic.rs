//! A chat completion of the OpenAI protocol as a message request of Anthropic's.

use holdpoint_text::pointer::join;
use serde_json::{Map, Value, json};

use super::features::Features;
use super::{
    Asking, AutoCache, EMPTY_MESSAGE_DROPPED, SYSTEM_HOISTED, arguments, filled, flag, given, invalid, list, model,
    number, object, role, text,
};
use crate::limits::Limits;
use crate::refusal::{Code, GatewayError};
use crate::wire::protocol::Protocol;
use crate::wire::request::{max_output, positive};

/// The images that Anthropic's models read.
const IMAGES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// What was read so far.
#[derive(Default)]
struct Draft {
    system: Vec<Value>,
    /// Role and blocks; neighbours have different roles.
    messages: Vec<(&'static str, Vec<Value>)>,
    tools: Vec<Value>,
    tool_choice: Option<Value>,
    one_tool_at_a_time: bool,
    temperature: Option<Value>,
    top_p: Option<Value>,
    stop: Vec<Value>,
    stream: Option<Value>,
    user: Option<Value>,
    format: Option<Value>,
    effort: Option<Value>,
    /// Whether the client marks what the cache should keep.
    marked: bool,
    /// Values and names in the arguments that were read.
    nodes: usize,
}

pub(super) fn request(
    members: &Map<String, Value>,
    body: &Value,
    asking: &Asking<'_>,
    limits: &Limits,
    features: &mut Features,
) -> Result<Value, GatewayError> {
    let mut draft = Draft::default();
    for (name, value) in given(members) {
        draft.member(name, value, body, asking, limits, features)?;
    }
    features.silent = draft.messages.is_empty();
    let most = max_output(Protocol::OpenAi, body)?;
    let allowed = asking.max_output.unwrap_or(u64::MAX);
    let max_tokens = most.or(asking.max_output).unwrap_or(limits.default_max_output).min(allowed);
    draft.mark(asking.auto_cache, limits);
    Ok(draft.written(&model(members, asking)?, max_tokens))
}

impl Draft {
    fn member(
        &mut self,
        name: &str,
        value: &Value,
        body: &Value,
        asking: &Asking<'_>,
        limits: &Limits,
        features: &mut Features,
    ) -> Result<(), GatewayError> {
        let at = join("", name);
        match name {
            "model" | "max_tokens" | "max_completion_tokens" | "stream_options" => {}
            "messages" => self.messages(list(value, &at)?, limits, features)?,
            "tools" => self.tools(list(value, &at)?, features)?,
            "tool_choice" => self.choice(value, &at, features),
            "parallel_tool_calls" => self.one_tool_at_a_time = !flag(value, &at)?,
            "temperature" => {
                self.temperature = Some(number(value, &at)?);
                if value.as_f64().is_some_and(|warmth| warmth > 1.0) {
                    features.soft("temperature_above_1", at);
                    self.temperature = Some(1.into());
                }
            }
            "top_p" => self.top_p = Some(number(value, &at)?),
            "stop" => self.stop = stops(value)?,
            "stream" => self.stream = Some(flag(value, &at)?.into()),
            "user" => self.user = Some(value.clone()),
            "safety_identifier" if body["user"].is_null() => self.user = Some(value.clone()),
            "response_format" => match value["type"].as_str() {
                Some("text") => {}
                Some("json_schema") if asking.json_schema => {
                    let schema = &value["json_schema"]["schema"];
                    let schema = if schema.is_null() { json!({ "type": "object" }) } else { schema.clone() };
                    self.format = Some(json!({ "type": "json_schema", "schema": schema }));
                }
                _ => features.soft("response_format", at),
            },
            "reasoning_effort" if asking.effort => {
                self.effort = match value.as_str().ok_or_else(|| invalid(&at))? {
                    "none" => None,
                    "minimal" => Some("low".into()),
                    effort => Some(effort.into()),
                }
            }
            "reasoning_effort"
            | "store"
            | "metadata"
            | "prompt_cache_key"
            | "prompt_cache_retention"
            | "prompt_cache_options"
            | "verbosity"
            | "seed"
            | "safety_identifier" => features.hint(name.to_owned(), at),
            "service_tier" if value == "auto" || value == "default" => features.hint("service_tier", at),
            "service_tier" => features.soft("service_tier", at),
            "frequency_penalty" | "presence_penalty" => {
                if value.as_f64() != Some(0.0) {
                    features.soft(name.to_owned(), at);
                }
            }
            "logit_bias" => {
                if value.as_object().is_none_or(|bias| !bias.is_empty()) {
                    features.soft("logit_bias", at);
                }
            }
            "n" => {
                if positive(body, "n")? != Some(1) {
                    features.hard("n", at);
                }
            }
            "logprobs" | "top_logprobs" => {
                if value != false && value.as_f64() != Some(0.0) {
                    features.hard(name.to_owned(), at);
                }
            }
            "modalities" => {
                if value.as_array().is_none_or(|kinds| kinds.iter().any(|kind| kind != "text")) {
                    features.hard("modalities", at);
                }
            }
            "functions" if value.as_array().is_some_and(Vec::is_empty) => {}
            "audio" | "prediction" | "functions" | "function_call" | "web_search_options" => {
                features.hard(name.to_owned(), at);
            }
            _ => features.soft("unknown_field", at),
        }
        Ok(())
    }

    fn messages(&mut self, messages: &[Value], limits: &Limits, features: &mut Features) -> Result<(), GatewayError> {
        let mut begun = false;
        for (index, message) in messages.iter().enumerate() {
            let at = format!("/messages/{index}");
            let role = role(message, &at)?;
            if !message["name"].is_null() && role != "tool" {
                features.hint("message_name", format!("{at}/name"));
            }
            let (into, blocks) = match role {
                "system" | "developer" => {
                    let blocks = self.content(message, &at, Speaker::System, features)?;
                    if blocks.is_empty() {
                        features.warn(EMPTY_MESSAGE_DROPPED, at);
                    } else if begun {
                        features.warn(SYSTEM_HOISTED, at);
                    }
                    self.system.extend(blocks);
                    continue;
                }
                "user" => ("user", self.content(message, &at, Speaker::User, features)?),
                "assistant" => ("assistant", self.assistant(message, &at, limits, features)?),
                "tool" => ("user", vec![self.result(message, &at, features)?]),
                _ => return Err(invalid(format!("{at}/role"))),
            };
            begun = true;
            match self.messages.last_mut() {
                _ if blocks.is_empty() => features.warn(EMPTY_MESSAGE_DROPPED, at),
                Some((last, said)) if *last == into => said.extend(blocks),
                _ => self.messages.push((into, blocks)),
            }
        }
        Ok(())
    }

    fn assistant(
        &mut self,
        message: &Value,
        at: &str,
        limits: &Limits,
        features: &mut Features,
    ) -> Result<Vec<Value>, GatewayError> {
        let mut blocks = self.content(message, at, Speaker::Assistant, features)?;
        blocks.extend(message["refusal"].as_str().and_then(|refusal| text_block(refusal, &Value::Null)));
        for (name, hard) in [("function_call", true), ("audio", true), ("reasoning_content", false)] {
            match (message[name].is_null(), hard) {
                (true, _) => {}
                (false, true) => features.hard(name, join(at, name)),
                (false, false) => features.hint(name, join(at, name)),
            }
        }
        let calls = &message["tool_calls"];
        if calls.is_null() {
            return Ok(blocks);
        }
        let at = format!("{at}/tool_calls");
        for (index, call) in list(calls, &at)?.iter().enumerate() {
            let at = format!("{at}/{index}");
            if call["type"].as_str().is_some_and(|kind| kind != "function") {
                features.hard("custom_tool", at);
                continue;
            }
            let (id, function, place) = (text(call, &at, "id")?, &call["function"], format!("{at}/function"));
            let name = text(function, &place, "name")?;
            let input = self
                .arguments(&function["arguments"], limits)
                .ok_or_else(|| GatewayError::at(Code::InvalidToolArguments, format!("{place}/arguments")))?;
            blocks.push(json!({ "type": "tool_use", "id": plain_id(id), "name": name, "input": input }));
        }
        Ok(blocks)
    }

    /// The object that a text of arguments stands for; no text is an empty one. All of a request share the nodes that one
    /// body may have.
    fn arguments(&mut self, written: &Value, limits: &Limits) -> Option<Value> {
        let text = match written {
            Value::Null => "",
            written => written.as_str()?,
        };
        let (input, nodes) = arguments(text, limits, self.nodes)?;
        self.nodes += nodes;
        Some(input)
    }

    /// What a call of a tool gave.
    fn result(&mut self, message: &Value, at: &str, features: &mut Features) -> Result<Value, GatewayError> {
        let id = plain_id(text(message, at, "tool_call_id")?);
        let content = match &message["content"] {
            Value::Null => "".into(),
            text @ Value::String(_) => text.clone(),
            _ => Value::Array(self.content(message, at, Speaker::Tool, features)?),
        };
        Ok(json!({ "type": "tool_result", "tool_use_id": id, "content": content }))
    }

    /// The blocks of a message's content: a text, or a list of parts.
    fn content(
        &mut self,
        message: &Value,
        at: &str,
        speaker: Speaker,
        features: &mut Features,
    ) -> Result<Vec<Value>, GatewayError> {
        let at = format!("{at}/content");
        let parts = match &message["content"] {
            Value::String(text) => return Ok(text_block(text, &Value::Null).into_iter().collect()),
            Value::Null if speaker == Speaker::Assistant => return Ok(Vec::new()),
            content => list(content, &at)?,
        };
        let mut blocks = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let at = format!("{at}/{index}");
            let mark = &part["cache_control"];
            self.marked |= !mark.is_null();
            match text(part, &at, "type")? {
                "text" => blocks.extend(text_block(text(part, &at, "text")?, mark)),
                "refusal" => blocks.extend(text_block(text(part, &at, "refusal")?, mark)),
                "image_url" if speaker == Speaker::User => blocks.extend(image(part, &at, features)?),
                kind @ ("image_url" | "input_audio" | "file") => features.hard(kind.to_owned(), at),
                _ => features.hard("content_part", at),
            }
        }
        Ok(blocks)
    }

    fn tools(&mut self, tools: &[Value], features: &mut Features) -> Result<(), GatewayError> {
        for (index, tool) in tools.iter().enumerate() {
            let at = format!("/tools/{index}");
            if tool["type"].as_str().is_some_and(|kind| kind != "function") {
                features.hard("custom_tool", at);
                continue;
            }
            let (function, mark) = (&tool["function"], &tool["cache_control"]);
            self.marked |= !mark.is_null();
            let name = text(function, &format!("{at}/function"), "name")?;
            let present = |value: &Value| (!value.is_null()).then(|| value.clone());
            let nothing = || json!({ "type": "object", "properties": {} });
            self.tools.push(object([
                ("name", Some(name.into())),
                ("description", present(&function["description"])),
                ("input_schema", Some(present(&function["parameters"]).unwrap_or_else(nothing))),
                ("strict", (function["strict"] == true).then(|| true.into())),
                ("cache_control", present(mark)),
            ]));
        }
        Ok(())
    }

    fn choice(&mut self, choice: &Value, at: &str, features: &mut Features) {
        let named = || choice["function"]["name"].as_str().filter(|_| choice["type"] == "function");
        self.tool_choice = match choice.as_str() {
            Some("auto") => Some(json!({ "type": "auto" })),
            Some("none") => Some(json!({ "type": "none" })),
            Some("required") => Some(json!({ "type": "any" })),
            _ => named().map(|name| json!({ "type": "tool", "name": name })),
        };
        if self.tool_choice.is_none() {
            features.hard("tool_choice", at);
        }
    }

    /// Marks what the provider's cache should keep, where the client marks nothing.
    fn mark(&mut self, auto_cache: AutoCache, limits: &Limits) {
        if self.marked || auto_cache == AutoCache::Off {
            return;
        }
        let size = |items: &[Value]| if items.is_empty() { 0 } else { json!(items).to_string().len() as u64 };
        if size(&self.system) + size(&self.tools) >= limits.auto_cache_bytes {
            mark(self.system.last_mut().or(self.tools.last_mut()));
        }
        if auto_cache == AutoCache::Conversation && self.messages.iter().any(|(role, _)| *role == "assistant") {
            mark(self.messages.last_mut().and_then(|(_, blocks)| blocks.last_mut()));
        }
    }

    fn written(self, model: &Value, max_tokens: u64) -> Value {
        let message = |(role, content): (&str, Vec<Value>)| json!({ "role": role, "content": content });
        let messages: Vec<Value> = self.messages.into_iter().map(message).collect();
        let mut choice = self.tool_choice.filter(|_| !self.tools.is_empty());
        if self.one_tool_at_a_time && !self.tools.is_empty() {
            let choice = choice.get_or_insert_with(|| json!({ "type": "auto" }));
            if choice["type"] != "none" {
                choice["disable_parallel_tool_use"] = true.into();
            }
        }
        let config = object([("format", self.format), ("effort", self.effort)]);
        let has_config = config.as_object().is_some_and(|config| !config.is_empty());
        object([
            ("model", Some(model.clone())),
            ("max_tokens", Some(max_tokens.into())),
            ("system", filled(self.system)),
            ("messages", Some(messages.into())),
            ("tools", filled(self.tools)),
            ("tool_choice", choice),
            ("temperature", self.temperature),
            ("top_p", self.top_p),
            ("stop_sequences", filled(self.stop)),
            ("stream", self.stream),
            ("metadata", self.user.map(|user| json!({ "user_id": user }))),
            ("output_config", has_config.then_some(config)),
        ])
    }
}

/// Whose content it is: only a user shows images, only an assistant may say nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    System,
    User,
    Assistant,
    Tool,
}

fn stops(value: &Value) -> Result<Vec<Value>, GatewayError> {
    let texts = match value {
        Value::Array(texts) => texts.clone(),
        text => vec![text.clone()],
    };
    if texts.iter().all(Value::is_string) { Ok(texts) } else { Err(invalid("/stop")) }
}

/// Empty texts are no blocks.
fn text_block(text: &str, mark: &Value) -> Option<Value> {
    let mark = (!mark.is_null()).then(|| mark.clone());
    let block = [("type", Some("text".into())), ("text", Some(text.into())), ("cache_control", mark)];
    (!text.is_empty()).then(|| object(block))
}

fn image(part: &Value, at: &str, features: &mut Features) -> Result<Option<Value>, GatewayError> {
    let image = &part["image_url"];
    let place = format!("{at}/image_url");
    let url = text(image, &place, "url")?;
    if image["detail"].as_str().is_some_and(|detail| detail != "auto") {
        features.hint("image_detail", format!("{place}/detail"));
    }
    let begins = |with: &str| url.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    let source = if let Some((kind, data)) = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
        if !IMAGES.contains(&kind) {
            features.hard("image_media_type", at);
            return Ok(None);
        }
        json!({ "type": "base64", "media_type": kind, "data": data })
    } else if begins("https://") || begins("http://") {
        json!({ "type": "url", "url": url })
    } else {
        features.hard("image_source", at);
        return Ok(None);
    };
    let mark = &part["cache_control"];
    let mark = (!mark.is_null()).then(|| mark.clone());
    Ok(Some(object([("type", Some("image".into())), ("source", Some(source)), ("cache_control", mark)])))
}

fn plain_id(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    id.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

fn mark(block: Option<&mut Value>) {
    if let Some(block) = block {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
}
