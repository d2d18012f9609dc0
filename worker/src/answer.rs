//! Everything that can go wrong, and the one place that turns it into a status and a body (spec: facade.md "Shapes",
//! gateway.md §12).
//!
//! Invariant: a fault of ours says nothing of its cause to the client; what is logged of the cause is a word of ours,
//! known when this was compiled, so it cannot quote what a person or a model wrote.

use std::ops::Deref;

use holdpoint_check::{ApiError, Args, Code as Said, args};
use holdpoint_gateway::{Code, GatewayError, Protocol};
use holdpoint_store::codes;
use serde::Serialize;
use serde_json::{Map, Value, json};
use worker::{Headers, Response};

pub type Answer = Result<Response, EdgeError>;

/// Why something was not done: the one error of the house, which here also comes of the platform's faults.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeError(pub ApiError);

impl Deref for EdgeError {
    type Target = ApiError;

    fn deref(&self) -> &ApiError {
        &self.0
    }
}

impl EdgeError {
    /// An error of another family of routes, said already.
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        Self(ApiError::new(code, message).status(status))
    }

    /// An error that says the sentence of its code.
    pub fn of(status: u16, code: &'static Said, args: Args<'_>) -> Self {
        Self(ApiError::of(code, args).status(status))
    }

    pub fn internal(cause: &'static str) -> Self {
        worker::console_error!("{}", json!({"event": "fault", "cause": cause}));
        Self::of(500, &codes::INTERNAL, args! {})
    }

    /// 400 at a JSON Pointer.
    pub fn invalid(pointer: impl Into<String>, code: &'static Said, args: Args<'_>) -> Self {
        Self(ApiError::at(pointer, code, args).status(400))
    }

    pub fn not_found(code: &'static Said) -> Self {
        Self::of(404, code, args! {})
    }

    /// The same error with a detail.
    #[must_use]
    pub fn with(self, name: &str, value: impl Into<Value>) -> Self {
        Self(self.0.with(name, value))
    }

    /// The refusal that clients of the model protocols see.
    pub fn refusal(&self) -> GatewayError {
        let code = Code::parse(&self.code).unwrap_or(Code::LedgerUnavailable);
        GatewayError { code, message: self.message.clone(), args: Map::new(), details: self.details.clone() }
    }

    /// The error answer of `facade.md`.
    pub fn response(&self) -> Result<Response, worker::Error> {
        json_response(self.status, &json!({ "error": self.0 }))
    }

    /// The error answer of a model protocol.
    pub fn protocol_response(&self, protocol: Protocol, request_id: &str) -> Result<Response, worker::Error> {
        if self.code == "INTERNAL" {
            return self.response();
        }
        let answer = self.refusal().answer(protocol, request_id);
        let headers = Headers::new();
        for (name, value) in &answer.headers {
            headers.set(name, value)?;
        }
        Ok(Response::builder()
            .with_status(answer.status)
            .with_headers(headers)
            .fixed(answer.body.to_string().into_bytes()))
    }
}

impl From<ApiError> for EdgeError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl From<GatewayError> for EdgeError {
    fn from(GatewayError { code, message, args, details }: GatewayError) -> Self {
        Self(ApiError { args, details, ..ApiError::new(code.name(), message).status(code.status()) })
    }
}

impl From<Code> for EdgeError {
    fn from(code: Code) -> Self {
        GatewayError::new(code).into()
    }
}

impl From<worker::Error> for EdgeError {
    fn from(error: worker::Error) -> Self {
        Self::internal(cause(&error))
    }
}

impl From<serde_json::Error> for EdgeError {
    fn from(_: serde_json::Error) -> Self {
        Self::internal("json")
    }
}

impl From<holdpoint_store::SqlError> for EdgeError {
    fn from(error: holdpoint_store::SqlError) -> Self {
        Self::internal(error.code())
    }
}

/// What kind of fault the platform's is. Its words may quote a value, so they stay here.
pub fn cause(error: &worker::Error) -> &'static str {
    error.into()
}

/// A provider's word for how an answer ended, as it may be logged and kept; what is no such word may be a text.
pub fn finish_word(finish: &str) -> Option<&str> {
    const MOST: usize = 32;
    let plain = finish.len() <= MOST && finish.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    plain.then_some(finish)
}

/// An object with more members; a value that is none counts as empty.
pub fn with_members(object: Value, more: impl Serialize) -> Value {
    let mut members = if let Value::Object(members) = object { members } else { Map::new() };
    if let Ok(Value::Object(more)) = serde_json::to_value(more) {
        members.extend(more);
    }
    Value::Object(members)
}

pub fn json_response(status: u16, body: &Value) -> Result<Response, worker::Error> {
    let headers = Headers::new();
    headers.set("content-type", "application/json")?;
    headers.set("cache-control", "no-store")?;
    Ok(Response::builder().with_status(status).with_headers(headers).fixed(body.to_string().into_bytes()))
}
