//! The one error answer (spec: facade.md "Shapes").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Diagnostic;
use crate::code::{Args, Code, say};
use crate::read::Misread;
use crate::{args, codes};

codes! {
    INVALID_INPUT / SHAPE: Error, "Correct the input: {cause}." [cause];
    INVALID_INPUT / ONE_OF: Error, "Send exactly one of {names}." [names];
    INVALID_INPUT / ALLOWED: Error, "Write one of {allowed}." [allowed];
    INVALID_INPUT / RANGE: Error, "Write a number from {least} to {most}." [least, most];
    /// the input is no JSON
    INVALID_JSON / NO_JSON: Error, "Send one JSON value: {error}." [error];
    INPUT_TOO_LARGE / OVER: Error, "Send less: at most {max} are taken, there are {actual}." [max, actual];
}

/// `{"code", "message", "args"?, "details"?, "hints"?}`; `message` says what to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApiError {
    /// The HTTP status where it is answered over HTTP.
    #[serde(skip)]
    pub status: u16,
    /// A stable name in `SCREAMING_SNAKE_CASE`.
    pub code: String,
    pub message: String,
    /// The values in the sentence by name, and which sentence of the code it is.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

impl ApiError {
    /// An error without details: 422, an input that cannot be used.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            status: 422,
            code: code.into(),
            message: message.into(),
            args: Map::new(),
            details: Map::new(),
            hints: Vec::new(),
        }
    }

    /// An error that says the sentence of its code: 422.
    pub fn of(code: &'static Code, args: Args<'_>) -> Self {
        let args = code.values(args);
        Self { args: args.clone(), ..Self::new(code.name, say(code.says, &args)) }
    }

    /// As [`ApiError::of`], at a JSON Pointer of the input.
    pub fn at(pointer: impl Into<String>, code: &'static Code, args: Args<'_>) -> Self {
        Self::of(code, args).with("pointer", pointer.into())
    }

    /// `INVALID_INPUT` at a JSON Pointer of the input.
    pub fn invalid_input(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new("INVALID_INPUT", message).with("pointer", pointer.into())
    }

    /// `INPUT_TOO_LARGE` with the name of the limit (spec: script-tool.md §12).
    pub fn over(limit: &str, max: usize, actual: usize) -> Self {
        Self::of(&OVER, args! { max, actual }).status(413).with("limit", limit).with("max", max).with("actual", actual)
    }

    /// The same error with another status.
    #[must_use]
    pub fn status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The same error with the members of an object as its details.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        if let Value::Object(members) = details {
            self.details = members;
        }
        self
    }

    /// The same error with a detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}

/// A finding that ends a call: its place is not the input's.
impl From<Diagnostic> for ApiError {
    fn from(Diagnostic { code, message, args, .. }: Diagnostic) -> Self {
        Self { args, ..Self::new(code, message) }
    }
}

impl From<Misread> for ApiError {
    fn from(Misread { pointer, cause }: Misread) -> Self {
        Self::of(&SHAPE, args! { cause }).with("pointer", pointer)
    }
}
