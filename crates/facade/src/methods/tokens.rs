//! Estimates of tokens (spec: ai-sessions.md §7.1, script-tool.md §8).

use holdpoint_kinds::Kind;
use holdpoint_kinds::script_tool::ScriptTool;
use holdpoint_kinds::script_tool::tokens::{self as script, Message};
use holdpoint_tokens::Method as Tokens;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ApiError, Method, input};

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[("tokens.estimate", tokens_estimate)];

/// Bytes of a text whose tokens are counted.
const MAX_TEXT_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct Estimate {
    kind: Option<String>,
    text: Option<String>,
    messages: Option<Vec<Message>>,
    method: Option<String>,
    model: Option<String>,
}

fn tokens_estimate(value: Value) -> Result<Value, ApiError> {
    let Estimate { kind, text, messages, method, model } = input(value)?;
    if text.is_some() == messages.is_some() {
        return Err(ApiError::invalid_input("", "Give exactly one of `text` and `messages`."));
    }
    let counted = messages.unwrap_or_default();
    let bytes =
        counted.iter().map(|message| message.content.len()).sum::<usize>() + text.as_ref().map_or(0, String::len);
    if bytes > MAX_TEXT_BYTES {
        return Err(ApiError::too_large("Count a shorter text."));
    }
    if kind.as_deref() == Some(ScriptTool::ID) {
        let model = model.ok_or_else(|| ApiError::invalid_input("/model", "Name the model."))?;
        let method = script::method(&model);
        return Ok(json!(text.as_deref().map_or_else(|| script::messages(method, &counted), |text| method.text(text))));
    }
    let counter = match method.as_deref() {
        None | Some("script-aware") => Tokens::ScriptAware,
        Some("chars4") => Tokens::Chars4,
        Some(_) => return Err(ApiError::invalid_input("/method", "Use `script-aware` or `chars4`.")),
    };
    let all = || counter.messages(counted.iter().map(|message| message.content.as_str()));
    Ok(json!(text.as_deref().map_or_else(all, |text| counter.text(text))))
}

#[cfg(test)]
pub mod reference;
