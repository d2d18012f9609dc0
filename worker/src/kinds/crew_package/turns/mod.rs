//! Turns: what is said in a session, and how its answer is heard (spec: ai-sessions.md §3, §5, §6, §9).
//!
//! The gates of a request are passed in the order of §12: project, rollout, session, body, profile. Invariants: a message
//! that is refused leaves no row; stream, plain answer and resumed stream read one log; what a model stages is staged as
//! a person's sets are, and nothing here applies.

mod answer;
mod calls;
mod host;
mod perform;
mod result;
mod target;

pub use answer::handle;
use perform::perform;
pub use perform::{begin, model};
pub use target::past;

use serde_json::Value;

use crate::answer::EdgeError;

/// What can be asked of the turns of a session.
pub enum TurnCommand {
    Message {
        session: String,
        /// What is wrong with it is said behind what is wrong with its session.
        body: Result<Value, EdgeError>,
        /// Its events instead of its result.
        stream: bool,
        language: Option<String>,
    },
    Events {
        session: String,
        turn: String,
        behind: Option<String>,
        language: Option<String>,
    },
    Stop {
        session: String,
        turn: String,
    },
}
