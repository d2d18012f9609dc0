//! What the page shows of a run: one value that is drawn, and nothing that is computed elsewhere.
//!
//! Owns the shapes of the view, not how they come to be (`render.rs`). Everything here follows from the event log.

use crate::planning::{
    Autofix, CapabilityUse, Classification, Estimate, PlannedCapability, Purpose, Review, RunWork, SheetEntry,
};
use holdpoint_check::Diagnostic;
use holdpoint_sdk::capability::Risk;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::effect::{AttemptId, CallModel, FailureReason};
use super::event::TestResult;
use holdpoint_bundle::Files;

/// Where a run is. `checking` and `deciding` are passed through inside one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StateName {
    Idle,
    Planning,
    Gate,
    Generating,
    Testing,
    Review,
    Failed,
    Installed,
    Cancelled,
    Rerouted,
    /// A script ran and said its answer.
    Answered,
    Refused,
}

/// The best bundle so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Best {
    pub attempt: AttemptId,
    /// Whether `bundle.check` with the plan found no error.
    pub check_ok: bool,
    /// Errors of reply, check, plan and tests.
    pub errors: u32,
    pub failing_tests: u32,
}

/// A run as the page draws it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RunView {
    pub kind: String,
    pub state: StateName,
    /// What `files` are: a bundle, what a script became, or a script.
    pub work: RunWork,
    /// Attempts that the model has at it.
    pub attempts_max: u32,
    /// The attempt that runs, or the bundle that is shown.
    pub attempt: Option<AttemptId>,
    pub reason: Option<FailureReason>,
    /// The best bundle so far.
    pub best: Option<Best>,
    pub request: String,
    pub intent: Option<Classification>,
    pub plan: Option<PlanView>,
    /// Attempts of the set that is shown, newest last; a hand edit is one too.
    pub attempts: Vec<AttemptView>,
    /// Everything that was written and stays to be chosen, oldest first.
    pub versions: Vec<VersionView>,
    /// The bundle that is shown: in review the one to install, else the best one.
    pub files: Files,
    /// In `failed`: a hand edit that did not pass, where `files` is another bundle. It is not lost.
    pub edited: Option<Files>,
    /// What stood before the run; empty for a new extension.
    pub base: Files,
    /// Capabilities of `files` with the places that need them.
    pub capabilities: Vec<CapabilityUse>,
    /// Results of the tests of `files`.
    pub tests: Vec<TestResult>,
    /// In review: what is signed.
    pub review: Option<Review>,
    pub tokens: TokenUse,
    /// Words of the model outside blocks, oldest first.
    pub replies: Vec<ProseReply>,
    /// The model's answer in words, when it ended the run instead of a plan.
    pub answer: Option<String>,
    /// Facts to tell, oldest first.
    pub notices: Vec<Notice>,
    /// The call that the run waits for.
    pub pending: Option<CallModel>,
    /// In `installed`: whether the project has it.
    pub storage: Option<Storage>,
    /// What stays on the sheet of the change, oldest first.
    pub sheet: Vec<SheetEntry>,
    pub asked_at: Option<u64>,
    /// When the plan was signed.
    pub approved_at: Option<u64>,
    /// When the total clock ends, while it runs.
    pub total_deadline_at: Option<u64>,
    /// Time of the last event that changed something.
    pub updated_at: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlanView {
    /// The plan; any JSON until it holds.
    #[cfg_attr(feature = "ts", ts(as = "crate::planning::Plan"))]
    pub plan: Value,
    /// `sha256:` of its RFC 8785 JSON.
    pub plan_hash: String,
    /// Whether it can be approved.
    pub ok: bool,
    pub approved: bool,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Capabilities with tier and sentence.
    pub capabilities: Vec<PlannedCapability>,
    pub overall_risk: Risk,
    /// Cost; none while the schema does not hold.
    pub estimate: Option<Estimate>,
    pub text: String,
    /// Edits by the user since the model's plan.
    pub edits: u32,
    /// Adjustments that may still be asked for.
    pub adjustments_left: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AttemptView {
    pub number: AttemptId,
    /// `generate` or `repair`; none for a hand edit.
    pub purpose: Option<Purpose>,
    pub steps: Vec<StepView>,
    pub changed: Vec<ChangedFile>,
    /// What is wrong with it, errors first.
    pub findings: Vec<Finding>,
    /// What the host mended by itself.
    pub autofixes: Vec<Autofix>,
    /// Results of its tests; empty when they did not run.
    pub tests: Vec<TestResult>,
    pub verdict: Verdict,
    /// Whether it is the best so far.
    pub best: bool,
    /// From the call to the end of its tests.
    pub duration_ms: Option<u64>,
    pub started_at: u64,
}

/// A bundle that stays to be chosen: one that passed, or that a person wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct VersionView {
    /// Its content hash: what names it, and what is signed.
    pub result_hash: String,
    /// Whose it is: `0`–`4` or `"hand"`.
    pub number: AttemptId,
    pub at: u64,
    /// Whether it passed its check and its tests, so that it may be signed.
    pub ok: bool,
    /// Whether it is the one that is shown.
    pub shown: bool,
    pub passed: u32,
    pub tests: u32,
    /// Attempts of the model that led to it.
    pub attempts: u32,
    /// What the host mended in it.
    pub autofixes: u32,
    /// Where it is not what the plan says.
    pub differences: Vec<Diagnostic>,
    /// Its files; none while something is being written.
    pub files: Files,
}

/// A step of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StepView {
    /// It is one of `write`, `check` or `test`.
    pub step: Step,
    pub status: StepStatus,
}

/// The steps in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Write,
    Check,
    Test,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StepStatus {
    NotRun,
    Running,
    Passed,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Running,
    Passed,
    ReplyFailed,
    CheckFailed,
    TestsFailed,
    TimedOut,
    Stopped,
}

/// A file that an attempt changed, against the bundle that it built on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChangedFile {
    pub path: String,
    pub added: u32,
    pub deleted: u32,
    pub lines: u32,
}

/// A diagnostic with the source that it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Finding {
    /// `reply`, `check`, `plan` or `tests`.
    pub stage: Stage,
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// The line and one before and after; empty where there is no place.
    pub snippet: Vec<SnippetLine>,
    /// Of a test: its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub test: Option<String>,
    /// Of a failed expectation: what was expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Value>", optional))]
    pub expected: Option<Value>,
    /// Of a failed expectation: what was there, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(as = "Option<Value>", optional))]
    pub actual: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Reply,
    Check,
    Plan,
    Tests,
}

/// A line of source; `mark` says which part of it is meant, in UTF-16 columns from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SnippetLine {
    pub number: u32,
    pub text: String,
    pub mark: Option<Mark>,
}

/// Columns from `start` up to, not with, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mark {
    pub start: u32,
    pub end: u32,
}

/// It counts the tokens of the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TokenUse {
    /// What approval holds; 0 before.
    pub held: u32,
    /// Of `held`, not spent yet while the run is open.
    pub left: u32,
    /// Model calls that were answered.
    pub calls: u32,
    pub input: u32,
    /// Of the input, from the provider's cache.
    pub cached: u32,
    pub output: u32,
}

/// Words of the model outside its blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProseReply {
    pub at: u64,
    pub purpose: Purpose,
    /// The attempt; none for a plan.
    pub attempt: Option<u32>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Notice {
    pub at: u64,
    pub code: String,
    /// What happened, in a sentence.
    pub text: String,
    /// The values in the sentence by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
}

/// Where the installed bundle is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Storage {
    Sending,
    Stored {
        /// The revision, when the project named it.
        revision_id: Option<String>,
    },
    /// On this device, not yet stored.
    Queued,
}
