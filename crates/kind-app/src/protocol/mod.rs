//! The run of the app builder: how a model is asked, what it may call, how a run ends (spec: app-builder.md §9, §10).
//!
//! Pure: no row is written here and no time passes. Invariants: what a model does is staged and proposed, never saved;
//! every run ends with one `done`; a run that failed proposes nothing by itself.

pub mod ask;
pub mod codes;
pub mod end;
mod frame;
mod mend;
mod turn;

use holdpoint_check::{ApiError, args};
use holdpoint_kind::protocol::{
    Bounds, Cause, Ending, Frame, Gate, LogEnd, Mended, Message, OnDisconnect, Protocol, Said, Stamp, Tool,
    TurnRequest, TurnStatus,
};
use serde_json::Value;

pub use ask::{ChatBody, ChatMode, ExplainBody, RunStart};
pub use end::{RunEnd, RunProposal};
pub use turn::{AppTurn, RunNotes};

use self::codes::{
    BUILDER_INTERNAL_ERROR, LOOP_REPEATED_DIAGNOSTIC, MODEL_OUTPUT_INVALID, MODEL_UNAVAILABLE, RUN_CANCELLED,
    RUN_INTERRUPTED, RUN_LIMIT_REACHED, RUN_STALLED,
};
use crate::tools;

/// How an app can be asked about: a run that may stage, one that only looks, and both in one answer.
pub const PROTOCOLS: &[&dyn Protocol] = &[&EDITS, &LOOKS, &EDITS_ONCE, &LOOKS_ONCE];

pub const RUN_MAX_MODEL_CALLS: u32 = 24;
pub const RUN_MAX_TOOL_CALLS: usize = 60;
/// Input and output of all calls of a run, as providers report them.
pub const RUN_MAX_TOKENS: u64 = 448_000;
/// Seconds of a whole run.
pub const RUN_WALL_SECONDS: u32 = 900;
/// A run of whose model nothing was heard for so long ends.
pub const RUN_STALL_SECONDS: u32 = 180;
/// Proposals that may be refused and repaired.
pub const RUN_MAX_REPAIRS: u32 = 3;
/// Answers that are no such object and are asked for again, where one object is all that is said.
pub const MODEL_RETRIES: u32 = 2;
/// How often the same findings may come.
const SAME_FINDINGS: usize = 2;
/// The most tokens of one answer.
pub const MODEL_CALL_OUTPUT_TOKENS: u64 = 16_000;
/// Characters of one result of a tool; what is longer is cut and says so.
const TOOL_RESULT_CHARS: usize = 16_384;
/// Bytes of the arguments of one call: whole files stand in it.
const MAX_ARGUMENT_BYTES: usize = 4 << 20;
/// The most bytes of one answer.
const MAX_REPLY_BYTES: usize = 8 << 20;

/// A way to ask about an app.
#[derive(Debug, Clone, Copy)]
pub struct Apps {
    id: &'static str,
    edits: bool,
    loops: bool,
}

pub static EDITS: Apps = Apps { id: "apps", edits: true, loops: true };
/// Questions and plans: nothing can be staged.
pub static LOOKS: Apps = Apps { id: "apps-look", edits: false, loops: true };
/// The whole change in one answer, which passes the same gates.
static EDITS_ONCE: Apps = Apps { id: "apps-once", edits: true, loops: false };
static LOOKS_ONCE: Apps = Apps { id: "apps-look-once", edits: false, loops: false };

const BOUNDS: Bounds = Bounds {
    attempts: 1 + RUN_MAX_REPAIRS,
    same: Some(SAME_FINDINGS),
    calls: RUN_MAX_MODEL_CALLS,
    tool_calls: RUN_MAX_TOOL_CALLS,
    all_tool_calls: RUN_MAX_TOOL_CALLS,
    argument_bytes: MAX_ARGUMENT_BYTES,
    result_chars: TOOL_RESULT_CHARS,
    reply_bytes: MAX_REPLY_BYTES,
    call_ms: RUN_WALL_SECONDS * 1_000,
    // The thread is the app's own: it knows what was proposed.
    history: 0,
    tokens: Some(RUN_MAX_TOKENS),
};

/// What a run in one answer may use: only what is no object is asked for again.
const BOUNDS_ONCE: Bounds = Bounds { attempts: 1 + MODEL_RETRIES, calls: 1 + MODEL_RETRIES, ..BOUNDS };

/// The protocol of a mode; `loops`: whether the model may call tools.
pub fn of(mode: ChatMode, loops: bool) -> &'static dyn Protocol {
    match (mode == ChatMode::Edit, loops) {
        (true, true) => &EDITS,
        (false, true) => &LOOKS,
        (true, false) => &EDITS_ONCE,
        (false, false) => &LOOKS_ONCE,
    }
}

/// Whether a refusal says that money is used up.
fn is_budget(refused: &ApiError) -> bool {
    refused.status == 402 || refused.code.contains("BUDGET_")
}

impl Protocol for Apps {
    fn id(&self) -> &'static str {
        self.id
    }

    fn bounds(&self) -> &'static Bounds {
        if self.loops { &BOUNDS } else { &BOUNDS_ONCE }
    }

    fn loops(&self) -> bool {
        self.loops
    }

    fn on_disconnect(&self) -> OnDisconnect {
        OnDisconnect::Continue
    }

    fn tools(&self) -> &'static [Tool] {
        tools::tools(self.edits)
    }

    fn mend(&self, tool: &str, arguments: &str) -> Mended {
        mend::mend(tool, arguments)
    }

    fn gates(&self) -> &'static [Gate] {
        if self.edits { tools::GATES } else { &[] }
    }

    /// Reads a request with its project. At the edge the draft is stored, and the run is made from there.
    fn ask(&self, body: &Value) -> Result<Box<dyn TurnRequest>, ApiError> {
        Ok(Box::new(AppTurn { loops: self.loops, ..AppTurn::read(body)? }))
    }

    fn past(&self, role: &str, content: &str, _: Option<&str>) -> Message {
        Message::new(role, content)
    }

    fn ending(&self, cause: &Cause<'_>) -> Ending {
        let (outcome, status) = match cause {
            Cause::Replied(content) => (RunNotes::of(content).outcome(), TurnStatus::Complete),
            Cause::Refused(refused) if is_budget(refused) => ("budget_exceeded", TurnStatus::Failed),
            Cause::Cancelled => ("cancelled", TurnStatus::Cancelled),
            _ => ("failed", TurnStatus::Failed),
        };
        Ending { outcome, status }
    }

    fn refusal(&self, cause: &Cause<'_>) -> Option<ApiError> {
        Some(match cause {
            Cause::Unread | Cause::TooLong => ApiError::of(&MODEL_OUTPUT_INVALID, args! {}).status(502),
            Cause::Failed(failed) if failed.code == "UPSTREAM_STALLED" => {
                ApiError::of(&RUN_STALLED, args! {}).status(504)
            }
            Cause::Failed(failed) => {
                let error = ApiError::of(&MODEL_UNAVAILABLE, args! {}).status(502);
                let error = error.with("cause", failed.code.as_str());
                match failed.retry_after_ms {
                    Some(wait) => error.with("retry_after_ms", wait),
                    None => error,
                }
            }
            Cause::TimedOut => ApiError::of(&MODEL_UNAVAILABLE, args! {}).status(504).with("cause", "UPSTREAM_TIMEOUT"),
            Cause::Overdue => limit_reached("RUN_WALL_SECONDS"),
            Cause::Refused(refused) if is_budget(refused) => (*refused).clone(),
            Cause::Refused(refused) => {
                ApiError::of(&MODEL_UNAVAILABLE, args! {}).status(502).with("cause", refused.code.as_str())
            }
            Cause::Limit("same") => ApiError::of(&LOOP_REPEATED_DIAGNOSTIC, args! {}),
            Cause::Limit("repairs") => limit_reached("RUN_MAX_REPAIRS"),
            Cause::Limit("tokens") => limit_reached("RUN_MAX_TOKENS"),
            Cause::Limit("calls") => limit_reached("RUN_MAX_MODEL_CALLS"),
            Cause::Limit(_) => limit_reached("RUN_MAX_TOOL_CALLS"),
            Cause::Cancelled => ApiError::of(&RUN_CANCELLED, args! {}).status(409),
            Cause::Interrupted => ApiError::of(&RUN_INTERRUPTED, args! {}).status(409),
            Cause::Replied(_) | Cause::Broke => ApiError::of(&BUILDER_INTERNAL_ERROR, args! {}).status(500),
        })
    }

    fn frames(&self, said: &Said<'_>) -> Vec<Frame> {
        frame::frames(said)
    }

    fn keeps_words(&self) -> bool {
        true
    }

    fn stamped(&self, frame: Frame, stamp: &Stamp<'_>) -> Frame {
        frame::stamped(frame, stamp)
    }

    fn last(&self, end: &LogEnd<'_>) -> Option<Vec<Frame>> {
        Some(end::frames(end))
    }
}

fn limit_reached(limit: &str) -> ApiError {
    ApiError::of(&RUN_LIMIT_REACHED, args! { limit })
}

#[cfg(test)]
mod tests;
