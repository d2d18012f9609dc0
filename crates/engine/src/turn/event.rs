//! What happens to a turn, and what its driver must do.
//!
//! Owns no rule. Invariant: the first effect behind an admission is [`Effect::Begin`]; the last one that touches the
//! session is [`Effect::Close`]; a turn that was refused before its admission touches nothing.

use holdpoint_check::ApiError;
use holdpoint_gateway::{GatewayError, wire};
use holdpoint_kind::protocol::{Ended, Ending, Failed, Finding, Frame, Gate, TokenUse};
use serde_json::Value;

use super::Call;
use crate::tools::ToolRun;

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The account has set the price of the call aside; the provider was not asked before.
    Admitted,
    /// The gateway refused the call: nothing was sent, nothing is charged.
    Refused(ApiError),
    Text {
        text: String,
        /// In milliseconds since 1970, UTC.
        now: i64,
    },
    /// Nothing came until a time that the turn had asked for.
    Tick {
        /// In milliseconds since 1970, UTC.
        now: i64,
    },
    /// What the calls so far have used, told before the newest of them is finished.
    Used(TokenUse),
    Finished {
        reason: Option<String>,
        /// The tools that it calls.
        calls: Vec<wire::Tool>,
    },
    ToolDone {
        id: String,
        result: Result<Value, ApiError>,
    },
    Gated {
        /// What it found; nothing: the change passes.
        findings: Vec<Finding>,
    },
    /// The call failed behind its admission.
    Failed(Failed),
    /// The time for the call is over.
    TimedOut,
    /// The time for the whole turn is.
    Overdue,
    /// The client left, or the session was cleared.
    Cancelled,
}

/// What the driver does, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Writes the turn, the user's words and an empty answer.
    Begin,
    Call(Box<Call>),
    /// Ends the model call, with the policy `cancel_estimate`.
    Abort,
    Tool(Box<ToolRun>),
    /// Keeps a call of a tool that was not run, in a turn that goes on without its client.
    NotRun {
        /// As the model wrote it.
        call: wire::Tool,
        error: ApiError,
    },
    /// Asks a gate that is not pure.
    Gate {
        gate: Gate,
        /// The change, as the kind stages it.
        wire: Value,
    },
    /// Writes the answer so far.
    Keep(String),
    Close(Close),
    /// Begins the events, with what the protocol says first.
    Open,
    Emit(Frame),
    /// Answers with JSON and status 200; the request says which.
    Answer(Box<Ended>),
    Refuse(ApiError),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Close {
    /// What came of the request, and what becomes of the turn.
    pub ending: Ending,
    pub text: String,
}

/// An error in a stream: one of the edge keeps its code; a provider's own passed through the edge as it came.
pub fn failed(error: &wire::Error) -> Failed {
    let code = error.code.as_deref().unwrap_or_default();
    if code.starts_with("UPSTREAM_")
        || code.starts_with("BYOK_")
        || code == "REQUEST_CANCELLED"
        || code == "LEDGER_UNAVAILABLE"
    {
        let words = error.detail("upstream").and_then(Value::as_str).unwrap_or_default();
        let upstream_status = error.detail("upstream_status").and_then(Value::as_u64);
        return Failed { retry_after_ms: error.retry_after_ms(), upstream_status, ..Failed::new(code, words) };
    }
    Failed::new("UPSTREAM_STREAM_ERROR", &format!("{code} {}", error.message))
}

/// A stream that cannot be read.
pub fn cut(refusal: &GatewayError) -> Failed {
    Failed::new(refusal.code.name(), "")
}

/// The answer that a refused call got.
pub fn refusal(status: u16, body: &[u8]) -> ApiError {
    let error = wire::Error::body(body).unwrap_or_default();
    let code = error.code.unwrap_or_else(|| "LEDGER_UNAVAILABLE".to_owned());
    let refused = ApiError::new(code, error.message).status(status);
    refused.with_details(error.details.map_or(Value::Null, Value::Object))
}
