//! `python.facts`: the Python grammar as a method (spec: script-tool.md §2).
//!
//! The page's checks are called without the grammar and get its answer from a module of its
//! own, which is this method alone.

use holdpoint_python::MAX_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ApiError, Group, input};

/// The methods of this file.
pub const METHODS: Group = &[("python.facts", facts)];

#[derive(Deserialize)]
struct Module {
    text: String,
}

pub fn facts(value: Value) -> Result<Value, ApiError> {
    let Module { text } = input(value)?;
    if text.len() > MAX_BYTES {
        return Err(ApiError::over("MAX_TOOL_BYTES", MAX_BYTES, text.len()));
    }
    Ok(json!(holdpoint_python::facts(&text)))
}

#[cfg(test)]
pub mod reference;
