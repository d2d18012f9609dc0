//! `python.facts`: the Python grammar as a method (spec: script-tool.md §2).
//!
//! The page's checks are called without the grammar and get its answer from a module of its
//! own, which is this method alone.

use holdpoint_check::python::PythonFacts;
use holdpoint_python::MAX_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ApiError, Group, input};

/// The methods of this file.
pub const METHODS: Group = &[("python.facts", facts)];

#[derive(Deserialize)]
struct Module {
    text: String,
    /// Whether the answer has the names and calls that are wrong.
    #[serde(default)]
    names: bool,
}

pub fn facts(value: Value) -> Result<Value, ApiError> {
    let Module { text, names } = input(value)?;
    if text.len() > MAX_BYTES {
        return Err(ApiError::over("MAX_TOOL_BYTES", MAX_BYTES, text.len()));
    }
    let mut facts = holdpoint_python::facts(&text);
    if let PythonFacts::Module { faults, .. } = &mut facts
        && !names
    {
        faults.clear();
    }
    Ok(json!(facts))
}

#[cfg(test)]
pub mod reference;
