//! Answers of the editor's routes: JSON, or `{"error", "correlation_id"}` (spec: script-tool.md §6).
//!
//! Invariant: every answer names its correlation id in a header, and every error in its body too.

use holdpoint_check::{ApiError, args};
use holdpoint_store::codes::REQUEST_IN_FLIGHT;
use serde_json::{Value, json};
use worker::{Headers, Response};

use crate::answer::{EdgeError, json_response};

/// Names the request over all its calls.
pub const CORRELATION_HEADER: &str = "x-correlation-id";
/// Seconds after which a second request may be tried.
const RETRY_IN_FLIGHT_S: u64 = 2;

pub fn json_answer(status: u16, body: &Value, correlation_id: &str) -> worker::Result<Response> {
    let response = if status == 204 {
        Response::builder().with_status(204).with_header("cache-control", "no-store")?.empty()
    } else {
        json_response(status, body)?
    };
    response.headers().set(CORRELATION_HEADER, correlation_id)?;
    Ok(response)
}

pub fn error_answer(fault: &EdgeError, correlation_id: &str) -> worker::Result<Response> {
    let fault = as_editor(fault);
    let body = json!({"error": fault.0, "correlation_id": correlation_id});
    let response = json_answer(fault.status, &body, correlation_id)?;
    retry_after(&fault, response.headers())?;
    Ok(response)
}

/// Codes of other families in the words of this one.
pub fn as_editor(fault: &EdgeError) -> EdgeError {
    let as_code = |status: u16, code: &str| called(fault, status, code);
    match fault.code.as_str() {
        "INVALID_JSON" | "DUPLICATE_KEY" | "INVALID_REQUEST" => as_code(422, "INVALID_INPUT").at_a_place(),
        "REQUEST_TOO_LARGE" => as_code(413, "INPUT_TOO_LARGE").of_the_body(),
        "LEDGER_UNAVAILABLE" | "MODEL_NOT_PRICED" | "MODEL_NOT_FOUND" => {
            as_code(503, "SERVICE_UNAVAILABLE").with("cause", fault.code.clone())
        }
        _ => fault.clone(),
    }
}

/// An error under another code. The sentence stays that of its own: its case is its whole name then.
pub fn called(fault: &EdgeError, status: u16, code: &str) -> EdgeError {
    let mut args = fault.args.clone();
    let case = args.get("case").and_then(Value::as_str);
    let key = case.map_or_else(|| fault.code.clone(), |case| format!("{}.{case}", fault.code));
    args.insert("case".to_owned(), key.into());
    EdgeError(ApiError { status, code: code.to_owned(), args, ..fault.0.clone() })
}

impl EdgeError {
    /// What names no place, as a body that is no JSON, is wrong as a whole.
    pub fn at_a_place(mut self) -> Self {
        self.0.details.entry("pointer").or_insert_with(|| "".into());
        self
    }

    /// The details of every `INPUT_TOO_LARGE` (spec §12), of a whole body.
    pub fn of_the_body(self) -> Self {
        let detail = |name: &str| self.details.get(name).cloned().unwrap_or_default();
        let limit = if detail("what") == "nodes" { "MAX_JSON_NODES" } else { "MAX_BODY_BYTES" };
        let details = json!({"limit": limit, "max": detail("limit"), "actual": detail("size")});
        Self(self.0.with_details(details))
    }
}

/// When a refused request may be tried again.
pub fn retry_after(fault: &EdgeError, headers: &Headers) -> worker::Result<()> {
    if fault.code == "REQUEST_IN_FLIGHT" {
        return headers.set("retry-after", &RETRY_IN_FLIGHT_S.to_string());
    }
    let Some(ms) = fault.details.get("retry_after_ms").and_then(Value::as_u64) else { return Ok(()) };
    headers.set("retry-after", &ms.div_ceil(1_000).to_string())?;
    headers.set("retry-after-ms", &ms.to_string())
}

/// A second request while one runs.
pub fn in_flight() -> EdgeError {
    EdgeError::of(409, &REQUEST_IN_FLIGHT, args! {})
}
