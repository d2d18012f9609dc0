//! Turns: one driver for every protocol (ENGINE §6; spec: script-tool.md §6, §7, §9, ai-sessions.md §6.1, §9).
//!
//! A driver runs a turn under the object's own `waitUntil` and writes its log; who listens reads there. Every rule is
//! `holdpoint_engine::turn`'s and the protocol's; what only one kind has stands behind [`TurnHost`]. Invariants: one turn
//! a slot; nothing is written before the account admitted the call, and what is refused before has no turn and no log;
//! whatever happens after that, the turn ends once.

mod driver;
mod host;
mod log;
mod orphans;
mod reader;
mod sink;
mod upstream;

use holdpoint_check::ApiError;
use holdpoint_kind::protocol::TurnRequest;

pub use driver::Driver;
pub use host::{Job, RequestEnd, TurnHost, TurnResult};
pub use log::{KEEP_MS, TurnLog, TurnOutcome, Waiting};
pub use orphans::{interrupt, next_look};
pub use reader::{Listener, ReaderKind, TurnReader, begun};
pub use sink::ResponseSink;

use crate::answer::EdgeError;

/// Why a request has no turn.
pub enum Unbegun {
    /// The feature is off for it; no model is asked.
    Off { request: Box<dyn TurnRequest>, why: ApiError },
    /// It was refused, or it ended, before its call was admitted.
    Ended(TurnOutcome),
}

impl Unbegun {
    pub fn lost() -> Self {
        EdgeError::internal("a turn ended without a word").into()
    }
}

impl From<EdgeError> for Unbegun {
    fn from(fault: EdgeError) -> Self {
        Self::Ended(fault.into())
    }
}

/// For routes that have one shape for every refusal.
impl From<Unbegun> for EdgeError {
    fn from(unbegun: Unbegun) -> Self {
        match unbegun {
            Unbegun::Off { why, .. } | Unbegun::Ended(TurnOutcome { answer: Err(Self(why)), .. }) => Self(why),
            Unbegun::Ended(TurnOutcome { answer: Ok(_), .. }) => Self::internal("an answer is no refusal"),
        }
    }
}
