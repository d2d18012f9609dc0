//! The one error answer (spec: facade.md "Shapes").

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::tracked::{Tracked, Trail, escape};

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
    let trail = Trail::default();
    T::deserialize(Tracked::new(value, &trail)).map_err(|error| {
        let (mut pointer, cause) = (trail.pointer(), error.to_string());
        if let Some(name) = cause.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
            pointer = format!("{pointer}/{}", escape(name));
        }
        ErrorAnswer::invalid_input(pointer, format!("Correct the input: {cause}."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code)]
    struct Sample {
        items: Vec<u32>,
        name: String,
        #[serde(default)]
        way: Option<Way>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Way {
        Unit,
        New(u8),
        Pair(u8, String),
        Named { at: u8 },
    }

    #[test]
    fn names_the_first_wrong_value() {
        let cases = [
            (json!({"items": [1, "x"], "name": ""}), "/items/1"),
            (json!({"items": []}), "/name"),
            (json!({"items": [], "name": 1}), "/name"),
            (json!([]), ""),
            (json!({"items": [], "name": "", "way": "other"}), "/way"),
            (json!({"items": [], "name": "", "way": 3}), "/way"),
            (json!({"items": [], "name": "", "way": {}}), "/way"),
            (json!({"items": [], "name": "", "way": {"new": -1}}), "/way/new"),
            (json!({"items": [], "name": "", "way": {"pair": [1, 2]}}), "/way/pair/1"),
            (json!({"items": [], "name": "", "way": {"named": {"at": "a/b"}}}), "/way/named/at"),
        ];
        for (value, want) in cases {
            let error = input::<Sample>(value.clone()).unwrap_err();
            assert_eq!(error.details, Some(json!({"pointer": want})), "{value}");
        }
    }

    #[test]
    fn every_form_of_a_variant_is_read() {
        for way in [
            json!(null),
            json!("unit"),
            json!({"unit": null}),
            json!({"new": 1}),
            json!({"pair": [1, "a"]}),
            json!({"named": {"at": 1}}),
        ] {
            let value = json!({"items": [4_294_967_295_u32], "name": "å", "way": way, "more": {"is": ["ignored"]}});
            assert!(input::<Sample>(value.clone()).is_ok(), "{value}");
        }
    }
}
