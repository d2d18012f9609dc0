//! The one error answer (spec: facade.md "Shapes").

use holdpoint_check::read::{Misread, read};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// `{"code", "message", "details"?, "hints"?}`; `message` says what to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ErrorAnswer {
    /// Stable, `SCREAMING_SNAKE_CASE`.
    pub code: String,
    /// What to do.
    pub message: String,
    /// Facts for machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Ways on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

impl ErrorAnswer {
    /// An error without details.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), details: None, hints: Vec::new() }
    }

    /// `INVALID_INPUT` at a JSON Pointer of the input.
    pub fn invalid_input(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new("INVALID_INPUT", message).with(json!({ "pointer": pointer.into() }))
    }

    /// The same error with details.
    #[must_use]
    pub fn with(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

/// Reads a method's input; a wrong shape is `INVALID_INPUT` with the pointer of the first wrong value, a missing
/// member with the pointer that it would have.
pub fn input<T: DeserializeOwned>(value: Value) -> Result<T, ErrorAnswer> {
    #[cfg(test)]
    crate::test::reads::<T>();
    read(value).map_err(|Misread { pointer, cause }| {
        ErrorAnswer::invalid_input(pointer, format!("Correct the input: {cause}."))
    })
}
