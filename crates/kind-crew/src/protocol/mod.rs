//! How a model is asked in a session, what it says at the end of a turn, and what of it a person reads (spec:
//! ai-sessions.md §5, §6, §9).
//!
//! Pure: no session is stored here, no row written. Invariants: a reply is read as one object or not at all, never
//! guessed; what a person reads of it never repeats the text of a file; a change is staged and checked, never applied.

pub mod ask;
pub mod codes;
mod frame;
pub mod message;
pub mod reply;
pub mod summary;
#[cfg(test)]
mod tests;
pub mod transcript;

use holdpoint_check::{ApiError, args};
use holdpoint_tokens::Message;
use serde_json::{Value, json};

use self::ask::CrewTurn;
use self::codes::{AI_TOOL_LOOP_LIMIT_EXCEEDED, AI_TURN_INTERRUPTED, AI_TURN_STOPPED, BROKE, NO_USE};
use self::message::UserMessage;
use super::dialect::input::{BuilderSession, snapshot};
use super::dialect::view::View;
use super::facts::PackageFacts;
use super::prompts::turn::domain;
use super::tools::{APPLY, Names, TOOLS};
use holdpoint_kind::Codes;
use holdpoint_kind::protocol::{
    Bounds, Cause, Ending, EndsWith, Frame, Gate, OnDisconnect, Protocol, Said, Tool, TurnRequest, TurnStatus,
};

/// What is wrong with a reply or a message, and how turns end.
pub const CODES: Codes = &[reply::CODES, codes::CODES, super::tools::CODES];

/// What a session can be asked.
pub const PROTOCOLS: &[&dyn Protocol] = &[&Crew];

/// Calls of a model in a turn, repairs included.
pub const MAX_ITERATIONS: u32 = 8;
/// Answers that are sent back.
pub const MAX_REPAIRS: u32 = 2;
/// Calls of tools in one answer.
pub const MAX_TOOL_CALLS: usize = 8;
/// Milliseconds of a whole turn.
pub const TURN_DEADLINE_MS: u32 = 180_000;
/// Bytes of the arguments of one call of a tool.
const MAX_ARGUMENT_BYTES: usize = 256 << 10;
/// Characters of one result.
const MAX_RESULT_CHARS: usize = 32_000;
/// Bytes of one reply: whole files may stand in it.
const MAX_REPLY_BYTES: usize = 8 << 20;
/// Calls of tools in a whole turn, those that were refused included.
const MAX_ALL_TOOL_CALLS: usize = 1_000;

/// A turn of a session.
#[derive(Debug, Clone, Copy)]
pub struct Crew;

const BOUNDS: Bounds = Bounds {
    attempts: 1 + MAX_REPAIRS,
    same: None,
    calls: MAX_ITERATIONS,
    tool_calls: MAX_TOOL_CALLS,
    all_tool_calls: MAX_ALL_TOOL_CALLS,
    argument_bytes: MAX_ARGUMENT_BYTES,
    result_chars: MAX_RESULT_CHARS,
    reply_bytes: MAX_REPLY_BYTES,
    call_ms: TURN_DEADLINE_MS,
    // The conversation is the session's own: it knows what was proposed.
    history: 0,
    tokens: None,
};

impl Protocol for Crew {
    fn id(&self) -> &'static str {
        "crew"
    }

    fn bounds(&self) -> &'static Bounds {
        &BOUNDS
    }

    fn on_disconnect(&self) -> OnDisconnect {
        OnDisconnect::Continue
    }

    fn ends_with(&self) -> EndsWith {
        EndsWith::Newest
    }

    fn tools(&self) -> &'static [Tool] {
        TOOLS
    }

    fn unlisted(&self) -> &'static str {
        "AI_TOOL_NOT_ALLOWED"
    }

    fn forbids(&self, name: &str) -> bool {
        name == APPLY
    }

    fn misused(&self) -> &'static str {
        "AI_TOOL_EXECUTION_ERROR"
    }

    fn gates(&self) -> &'static [Gate] {
        &[Gate::Place, Gate::Check]
    }

    /// Reads a message with its session and its package, as `context.pack` takes them. At the edge a session is stored,
    /// and its turn is made from there.
    fn ask(&self, body: &Value) -> Result<Box<dyn TurnRequest>, ApiError> {
        let session = BuilderSession::read(body.get("session"))?;
        let mut view = View::of(&snapshot(body.get("snapshot").cloned())?);
        let message = UserMessage::read(body, &session)?;
        message.complete(&session, &mut view)?;
        let facts = PackageFacts::new("");
        let domain = domain(&view, &facts)?;
        let target_id = json!(session.target_id);
        let names = Names::default();
        let past = Vec::new();
        Ok(Box::new(CrewTurn {
            names,
            session,
            target_id,
            view,
            facts,
            domain,
            past,
            message,
            fixed_temperature: false,
        }))
    }

    fn past(&self, role: &str, content: &str, _: Option<&str>) -> Message {
        Message::new(role, content)
    }

    fn ending(&self, cause: &Cause<'_>) -> Ending {
        let (outcome, status) = match cause {
            Cause::Replied(_) => ("ok", TurnStatus::Complete),
            Cause::Unread => ("bad_response", TurnStatus::Failed),
            Cause::Failed(_) | Cause::TooLong => ("provider_error", TurnStatus::Failed),
            Cause::TimedOut => ("timeout", TurnStatus::Failed),
            Cause::Overdue => ("deadline", TurnStatus::Failed),
            Cause::Refused(_) => ("refused", TurnStatus::Failed),
            Cause::Limit(_) => ("loop_limit", TurnStatus::Failed),
            Cause::Cancelled => ("stopped", TurnStatus::Cancelled),
            Cause::Interrupted => ("interrupted", TurnStatus::Failed),
            Cause::Broke => ("broke", TurnStatus::Failed),
        };
        Ending { outcome, status }
    }

    /// Failures of a call keep the gateway's code: the host says them in the words of its users.
    fn refusal(&self, cause: &Cause<'_>) -> Option<ApiError> {
        Some(match cause {
            Cause::Unread => ApiError::of(&NO_USE, args! {}).status(502),
            Cause::Failed(failed) => {
                let refused = ApiError::new(failed.code.as_str(), "").status(502);
                let refused = match failed.upstream_status {
                    Some(status) => refused.with("upstream_status", status),
                    None => refused,
                };
                match failed.retry_after_ms {
                    Some(wait) => refused.with("retry_after_ms", wait),
                    None => refused,
                }
            }
            Cause::TimedOut | Cause::Overdue => ApiError::new("UPSTREAM_TIMEOUT", "").status(504),
            Cause::TooLong => ApiError::new("UPSTREAM_TOO_LARGE", "").status(502),
            Cause::Refused(refused) => (*refused).clone(),
            Cause::Limit(_) => ApiError::of(&AI_TOOL_LOOP_LIMIT_EXCEEDED, args! {}).status(502),
            Cause::Cancelled => ApiError::of(&AI_TURN_STOPPED, args! {}).status(409),
            Cause::Interrupted => ApiError::of(&AI_TURN_INTERRUPTED, args! {}).status(409),
            Cause::Replied(_) | Cause::Broke => ApiError::of(&BROKE, args! {}).status(500),
        })
    }

    fn frames(&self, said: &Said<'_>) -> Vec<Frame> {
        frame::frames(said)
    }
}
