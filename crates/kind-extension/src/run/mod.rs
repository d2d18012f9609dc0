//! The authoring run: a state machine without I/O (spec: authoring.md §6).
//!
//! `step` takes an event of the log and answers what the world must do. Same events, same effects, byte for byte:
//! a driver stores the log, and a reload replays it. Invariants: at most five bundles of a model a run, `installed`
//! only from `Install` on a bundle that passed, and what a model wrote only under an approved plan, or as a script that a
//! person made a tool of; files that a person brings go the road from the check on, without a model. The best bundle is never lost, and the base never changes.
//!
//! ```
//! use holdpoint_kind_extension::run::{Effect, Event, Run, StateName};
//! let asked = serde_json::from_str::<Event>(r#"{"type": "Asked", "at": 0, "text": "how many doors?"}"#).unwrap();
//! let planning = &holdpoint_kind_extension::IfcExtension;
//! let mut run = Run::start(planning, Default::default());
//! assert!(matches!(run.step(&asked)[..], [Effect::Reroute { .. }]));
//! assert_eq!(run.state(), StateName::Rerouted);
//! ```

mod attempt;
pub mod budget;
mod effect;
mod event;
mod feedback;
mod planning;
mod prompt;
mod render;
mod script;
mod sheet;
mod step;
mod versions;
mod view;
mod wrong;

pub use effect::{AttemptId, CallModel, Effect, FailureReason, Hand, SCRIPT_PROFILE};
pub use event::{Event, EventKind, Reply, TestFinding, TestFirst, TestResult, Usage};
pub use view::{
    AttemptView, Best, ChangedFile, Finding, Mark, Notice, PlanView, ProseReply, RunView, SnippetLine, Stage,
    StateName, Step, StepStatus, StepView, Storage, TokenUse, Verdict, VersionView,
};

use crate::planning::{Classification, PlanReport, Planning, RunWork};
use holdpoint_check::Diagnostic;
use holdpoint_kind::Codes;
use serde_json::Value;

use attempt::Attempt;
use holdpoint_bundle::Files;

/// Findings of attempts, and facts that are told.
pub const CODES: Codes =
    &[attempt::CODES, step::CODES, planning::CODES, event::CODES, wrong::CODES, crate::planning::CODES];

/// A run: its state after the events that it was given.
#[derive(Debug, Clone)]
pub struct Run {
    kind: &'static dyn Planning,
    base: Files,
    state: StateName,
    reason: Option<FailureReason>,
    now: u64,
    asked_at: Option<u64>,
    approved_at: Option<u64>,
    request: String,
    intent: Option<Classification>,
    planning: PlanState,
    /// What its files are now.
    work: RunWork,
    call: Option<Call>,
    /// Of all sets: what was written stays.
    attempts: Vec<Attempt>,
    /// One for each time that writing began, oldest first; the last one is at work.
    sets: Vec<versions::AttemptSet>,
    /// Index of the attempt that runs or is shown.
    current: Option<usize>,
    /// Index of the best attempt that has a bundle.
    best: Option<usize>,
    /// The gateway holds tokens for the run.
    open: bool,
    tokens: TokenUse,
    replies: Vec<ProseReply>,
    notices: Vec<Notice>,
    storage: Option<Storage>,
    sheet: sheet::Sheet,
    /// What it repairs, where it began with that.
    repaired: Option<Repaired>,
}

/// Files that fail, and what changed in the SDK where that is why; or files that are wrong, of which a test is to fail.
#[derive(Debug, Clone)]
struct Repaired {
    files: Files,
    changelog: Option<Value>,
    test: Option<TestFirst>,
}

/// The plan and how it came to be.
#[derive(Debug, Clone, Default)]
struct PlanState {
    plan: Option<Value>,
    hash: String,
    report: Option<PlanReport>,
    approved: bool,
    edits: u32,
    adjustments: u32,
    /// What the user said at the gate, oldest first.
    wishes: Vec<String>,
    /// Invalid plans of this turn.
    invalid: u32,
    /// What was wrong with the last one.
    findings: Vec<holdpoint_check::Diagnostic>,
    /// A block came in this turn, so the model did not just answer in words.
    blocks: bool,
}

/// A model call that was asked for and not answered.
#[derive(Debug, Clone)]
struct Call {
    request: CallModel,
    transport_errors: u32,
}

impl Run {
    /// A run before its first event; `base` is the bundle that it builds on, empty for a new extension.
    pub fn start(kind: &'static dyn Planning, base: Files) -> Self {
        Self {
            kind,
            base,
            state: StateName::Idle,
            reason: None,
            now: 0,
            asked_at: None,
            approved_at: None,
            request: String::new(),
            intent: None,
            planning: PlanState::default(),
            work: RunWork::Bundle,
            call: None,
            attempts: Vec::new(),
            sets: Vec::new(),
            current: None,
            best: None,
            open: false,
            tokens: TokenUse::default(),
            replies: Vec::new(),
            notices: Vec::new(),
            storage: None,
            sheet: sheet::Sheet::default(),
            repaired: None,
        }
    }

    /// The state of a stored log, and the effects of each event.
    pub fn replay(kind: &'static dyn Planning, base: Files, events: &[Event]) -> (Self, Vec<Vec<Effect>>) {
        let mut run = Self::start(kind, base);
        let effects = events.iter().map(|event| run.step(event)).collect();
        (run, effects)
    }

    pub fn state(&self) -> StateName {
        self.state
    }

    /// The attempt that runs or is shown.
    pub fn attempt(&self) -> Option<AttemptId> {
        self.current.map(|index| self.attempts[index].id)
    }

    /// Why it failed; `None` in every other state.
    pub fn reason(&self) -> Option<FailureReason> {
        self.reason.filter(|_| self.state == StateName::Failed)
    }

    /// The best bundle so far.
    pub fn best(&self) -> Option<Best> {
        self.best.map(|index| self.attempts[index].summary())
    }

    /// The plan that was approved.
    pub fn approved_plan(&self) -> Option<&Value> {
        self.planning.plan.as_ref().filter(|_| self.planning.approved)
    }

    /// The bundle to test, to show and to install: of the attempt that is tested or reviewed, else the best one.
    pub fn files(&self) -> &Files {
        let shown = match self.state {
            StateName::Testing | StateName::Review | StateName::Answered | StateName::Installed => self.current,
            _ => self.best.or(self.current),
        };
        shown.map_or(&self.base, |index| &self.attempts[index].files)
    }

    fn notice(&mut self, told: Diagnostic) {
        let Diagnostic { code, message, args, .. } = told;
        self.notices.push(Notice { at: self.now, code: code.into_owned(), text: message, args });
    }
}

#[cfg(test)]
mod tests;

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use crate::planning::PlanReport;
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::RunView::export_all(&config).unwrap();
        super::Event::export_all(&config).unwrap();
        super::event::EventKind::export_all(&config).unwrap();
        super::Effect::export_all(&config).unwrap();
        PlanReport::export_all(&config).unwrap();
    }
}
