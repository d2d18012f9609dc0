//! The two protocols of a script: a proposal, and a chat (spec: script-tool.md §5 to §9).
//!
//! Owns their bodies, prompts, bounds, words and answers. Invariant: before the first words of a chat whatever fails is
//! an ordinary error; a proposal that was asked for is answered with an outcome, whatever happened.

mod ask;
mod call;
mod chat;
mod edit;
mod frame;
mod past;

use holdpoint_check::{ApiError, args};
use holdpoint_tokens::Message;
use serde_json::{Value, json};

pub use ask::{CODES as ASKED, FULL_TEXT, PATHS};
pub use ask::{ChatAsk, EditAsk, files, not_larger, text, within_limits};
pub use call::CODES;
pub use edit::Proposed;

use super::limits::{CHAT_TAIL_MESSAGES, MAX_AUTO_REPAIRS, MAX_RAW_BYTES};
use super::outcome::{MODEL_FAILED, Outcome, STOPPED};
use super::profile::{CHAT_OPS_TIMEOUT_MS, CHAT_TIMEOUT_MS};
use holdpoint_kind::protocol::{
    Bounds, Cause, Ending, Frame, Gate, OnDisconnect, Protocol, Said, TurnRequest, TurnStatus,
};

/// What a script can be asked of a model.
pub const PROTOCOLS: &[&dyn Protocol] = &[&EditOps, &Chat];

/// A proposal. The model is asked again by itself when a fresh one cannot be placed.
#[derive(Debug, Clone, Copy)]
pub struct EditOps;

#[derive(Debug, Clone, Copy)]
pub struct Chat;

/// Bytes of an answer in words; more is cut off, as if the model had ended.
const MAX_CHAT_BYTES: usize = 1 << 20;

const EDIT_BOUNDS: Bounds = Bounds {
    attempts: 1 + MAX_AUTO_REPAIRS,
    calls: 1 + MAX_AUTO_REPAIRS,
    reply_bytes: MAX_RAW_BYTES,
    call_ms: CHAT_OPS_TIMEOUT_MS,
    ..CHAT_BOUNDS
};

const CHAT_BOUNDS: Bounds = Bounds {
    attempts: 1,
    same: Some(2),
    calls: 1,
    tool_calls: 0,
    all_tool_calls: 0,
    argument_bytes: 0,
    result_chars: 0,
    reply_bytes: MAX_CHAT_BYTES,
    call_ms: CHAT_TIMEOUT_MS,
    history: CHAT_TAIL_MESSAGES as u32,
    tokens: None,
};

impl Protocol for EditOps {
    fn id(&self) -> &'static str {
        "edit-ops"
    }

    fn bounds(&self) -> &'static Bounds {
        &EDIT_BOUNDS
    }

    fn on_disconnect(&self) -> OnDisconnect {
        OnDisconnect::Stop
    }

    fn gates(&self) -> &'static [Gate] {
        &[Gate::Place]
    }

    fn ask(&self, body: &Value) -> Result<Box<dyn TurnRequest>, ApiError> {
        let ask = EditAsk::read(body)?;
        within_limits(&ask.files)?;
        Ok(Box::new(ask))
    }

    fn past(&self, role: &str, content: &str, decision: Option<&str>) -> Message {
        past::message(role, content, decision)
    }

    fn ending(&self, cause: &Cause<'_>) -> Ending {
        let replied = if let Cause::Replied(reply) = cause
            && reply.wire.is_none()
        {
            Outcome::Empty
        } else {
            Outcome::Ok
        };
        Outcome::of_cause(cause, replied).ending()
    }

    fn refusal(&self, _: &Cause<'_>) -> Option<ApiError> {
        None
    }
}

impl Protocol for Chat {
    fn id(&self) -> &'static str {
        "chat"
    }

    fn bounds(&self) -> &'static Bounds {
        &CHAT_BOUNDS
    }

    fn on_disconnect(&self) -> OnDisconnect {
        OnDisconnect::Stop
    }

    fn streams(&self) -> bool {
        true
    }

    fn ask(&self, body: &Value) -> Result<Box<dyn TurnRequest>, ApiError> {
        let ask = ChatAsk::read(body)?;
        within_limits(&ask.files)?;
        Ok(Box::new(ask))
    }

    fn past(&self, role: &str, content: &str, decision: Option<&str>) -> Message {
        past::message(role, content, decision)
    }

    fn ending(&self, cause: &Cause<'_>) -> Ending {
        Outcome::of_cause(cause, Outcome::Ok).ending()
    }

    fn refusal(&self, cause: &Cause<'_>) -> Option<ApiError> {
        Some(refusal(cause))
    }

    fn frames(&self, said: &Said<'_>) -> Vec<Frame> {
        frame::frames(said)
    }
}

/// What fails in a chat before the first words.
fn refusal(cause: &Cause<'_>) -> ApiError {
    let outcome = Outcome::of_cause(cause, Outcome::UpstreamError);
    if outcome.turn() == TurnStatus::Cancelled {
        return ApiError::of(&STOPPED, args! {}).status(499);
    }
    let code = outcome.code().unwrap_or(&MODEL_FAILED);
    let refused = ApiError::of(code, args! {}).status(503).with("outcome", outcome.name());
    match cause {
        Cause::Failed(failed) => {
            let refused = refused.with("cause", failed.code.as_str());
            match failed.retry_after_ms {
                Some(wait) => refused.with("retry_after_ms", json!(wait)),
                None => refused,
            }
        }
        Cause::TimedOut | Cause::Overdue => refused.with("cause", "UPSTREAM_TIMEOUT"),
        _ => refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_kind::protocol::Failed;

    #[test]
    fn how_long_to_wait_is_passed_on() {
        let failed = Failed { retry_after_ms: Some(7_000), ..Failed::new("UPSTREAM_RATE_LIMITED", "") };
        let refused = Chat.refusal(&Cause::Failed(&failed)).unwrap();
        let details = json!({"outcome": "upstream_error", "cause": "UPSTREAM_RATE_LIMITED", "retry_after_ms": 7_000});
        assert_eq!((refused.status, refused.code.as_str()), (503, "SERVICE_UNAVAILABLE"));
        assert_eq!(json!(refused.details), details);
        assert_eq!(Chat.refusal(&Cause::Cancelled).unwrap().status, 499);
    }

    #[test]
    fn a_turn_is_stored_under_its_protocol() {
        let ids: Vec<&str> = PROTOCOLS.iter().map(|protocol| protocol.id()).collect();
        assert_eq!(ids, ["edit-ops", "chat"], "stored sessions say so");
    }
}
