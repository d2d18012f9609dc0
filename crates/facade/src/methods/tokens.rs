//! Estimates of tokens (spec: ai-sessions.md §7.1, script-tool.md §8).

use holdpoint_check::args;
use holdpoint_check::error::{ALLOWED, ONE_OF};
use holdpoint_kind::Counter;
use holdpoint_tokens::{Counting, Message, messages};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::codes::NO_MODEL;
use crate::{ApiError, input};

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

/// `tokens.estimate`, with the ways in which kinds count.
pub fn estimate(counters: &[(&str, Counter)], value: Value) -> Result<Value, ApiError> {
    let Estimate { kind, text, messages: sent, method, model } = input(value)?;
    if text.is_some() == sent.is_some() {
        return Err(ApiError::at("", &ONE_OF, args! { names: "`text`, `messages`" }));
    }
    let counted = sent.unwrap_or_default();
    let bytes =
        counted.iter().map(|message| message.content.len()).sum::<usize>() + text.as_ref().map_or(0, String::len);
    if bytes > MAX_TEXT_BYTES {
        return Err(ApiError::over("MAX_TEXT_BYTES", MAX_TEXT_BYTES, bytes));
    }
    if let Some((_, method_of)) = counters.iter().find(|(id, _)| Some(*id) == kind.as_deref()) {
        let method = method_of(&model.ok_or_else(|| ApiError::at("/model", &NO_MODEL, args! {}))?);
        return Ok(json!(text.as_deref().map_or_else(|| messages(method, &counted), |text| method.text(text))));
    }
    let counter = match method.as_deref() {
        None | Some("script-aware") => Counting::ScriptAware,
        Some("chars4") => Counting::Chars4,
        Some(_) => return Err(ApiError::at("/method", &ALLOWED, args! { allowed: "`script-aware`, `chars4`" })),
    };
    let all = || counter.messages(counted.iter().map(|message| message.content.as_str()));
    Ok(json!(text.as_deref().map_or_else(all, |text| counter.text(text))))
}

#[cfg(test)]
pub mod reference;
