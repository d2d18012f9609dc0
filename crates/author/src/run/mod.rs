//! The authoring run: a state machine without I/O (spec: authoring.md §6).
//!
//! `step` takes an event of the log and answers what the world must do. Same events, same effects, byte for byte:
//! a driver stores the log, and a reload replays it.

mod effect;
mod event;
mod view;

pub use effect::{AttemptId, CallModel, Effect, FailureReason, Hand, Purpose};
pub use event::{Event, EventKind, Reply, TestFinding, TestResult, ToolCall, Usage};
pub use view::{
    AttemptView, Autofix, Best, CapabilityUse, ChangedFile, Finding, Mark, Notice, PlanView, ProseReply, RunView,
    SnippetLine, Stage, StateName, Step, StepStatus, StepView, Storage, TokenUse, UsePlace, Verdict,
};

use crate::Files;
use crate::prompt::{Prompt, PromptTooLarge, Session};

/// A run: its state after the events that it was given.
#[derive(Debug, Clone)]
pub struct Run {
    kind: String,
    base: Files,
}

impl Run {
    /// A run before its first event; `base` is the bundle that it builds on, empty for a new extension.
    pub fn start(kind: &str, base: Files) -> Self {
        Self { kind: kind.to_owned(), base }
    }

    /// Takes one event and answers what the world must do, in order. An event that the state does not know changes
    /// nothing and has no effects.
    pub fn step(&mut self, event: &Event) -> Vec<Effect> {
        let _ = event;
        Vec::new()
    }

    /// The state of a stored log, and the effects of each event.
    pub fn replay(kind: &str, base: Files, events: &[Event]) -> (Self, Vec<Vec<Effect>>) {
        let mut run = Self::start(kind, base);
        let effects = events.iter().map(|event| run.step(event)).collect();
        (run, effects)
    }

    /// The bundle to test, to show and to install.
    pub fn files(&self) -> &Files {
        &self.base
    }

    /// The messages of the pending `CallModel`; `None` when no call is pending.
    pub fn messages(&self, session: &Session) -> Option<Result<Prompt, PromptTooLarge>> {
        let _ = (session, &self.kind);
        None
    }
}
