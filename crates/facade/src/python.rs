//! `python.facts`: the Python grammar as a method (spec: script-tool.md §2).
//!
//! The page's checks are called without the grammar and get its answer from a module of its
//! own, which is this method alone.

use holdpoint_kinds::script_tool::limits::MAX_TOOL_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ApiError, input};

#[derive(Deserialize)]
struct Module {
    text: String,
}

/// The method.
pub(crate) fn facts(value: Value) -> Result<Value, ApiError> {
    let Module { text } = input(value)?;
    if text.len() > MAX_TOOL_BYTES {
        return Err(ApiError::over("MAX_TOOL_BYTES", MAX_TOOL_BYTES, text.len()));
    }
    Ok(json!(holdpoint_python::facts(&text)))
}

/// The method over text; text that is no JSON answers `INVALID_JSON`.
pub fn facts_text(input: &str) -> String {
    crate::answer_text(input, facts)
}
