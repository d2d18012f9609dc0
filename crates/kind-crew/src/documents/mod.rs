//! Reading: what a file says and where it says it, before any rule looks at it.
//!
//! Owns JSON, frontmatter, YAML, sections and citations; decides nothing. Invariants: what is over a limit of reading is
//! [`INPUT_TOO_LARGE`](holdpoint_check::ApiError::over); no reader recurses deeper than a limit; reading changes no byte.

pub mod body;
pub mod citations;
pub mod graph;
pub mod json;
pub mod manifest;
pub mod markdown;
mod scalar;
pub mod step;
pub mod yaml;

use holdpoint_check::ApiError;
use serde_json::Value;

use super::limits::MAX_DOCUMENT_BYTES;

/// Refuses a document that is too large to be read.
pub fn bounded(text: &str) -> Result<(), ApiError> {
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(ApiError::over("MAX_DOCUMENT_BYTES", MAX_DOCUMENT_BYTES, text.len()));
    }
    Ok(())
}

/// A text member of a value that keeps its schema; one that is not there is empty.
pub fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// A text member without blanks around it, where it says something.
pub fn said<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    Some(text(value, member).trim()).filter(|text| !text.is_empty())
}

/// A list of a value that keeps its schema; one that is not there is empty.
pub fn items<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub fn texts<'v>(value: &'v Value, member: &str) -> Vec<&'v str> {
    items(value, member).iter().filter_map(Value::as_str).collect()
}
