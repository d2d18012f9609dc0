//! What an authoring run asks of a kind that plans before it writes (spec: authoring.md §2–§6, ENGINE §6).
//!
//! Owns the questions and the shapes of their answers; the machine that asks them and its log are those of `crate::run`,
//! the answers a kind's. Invariant: pure, and the same answer for the same question, because a run is replayed.

mod intent;
mod plan;
mod sheet;
mod talk;

use std::fmt::Debug;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, Range, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::plan::Plan;
pub use crate::review::{CapabilityUse, Proposed, Review};
pub use intent::{
    AskStage, Classification, InstalledName, Intent, IntentContext, IntentReading, MAX_TEXT_CHARS, Mode, NearReadings,
    PlanAction,
};
pub use plan::{
    ATTEMPT_INPUT_TOKENS, CALLS_MAX, Estimate, GENERATE_OUTPUT_TOKENS, PlanReport, PlannedCapability,
    REPAIR_OUTPUT_TOKENS, RUN_HEADROOM_TOKENS,
};
#[cfg(feature = "schema")]
pub(crate) use sheet::nulls_stand;
pub use sheet::{MAX_SHEET_ENTRIES, SheetAttempt, SheetEntry, SheetFinding, SheetStep, note};
pub use talk::{
    Autofix, CODES, ParsedReply, Prompt, PromptMessage, PromptRequest, PromptTooLargeError, Purpose, ReplyChange,
    ReplyOp, ReplyTooLargeError, Section, Session, ToolCall,
};

pub trait Planning: Debug + Sync {
    /// The id of the kind.
    fn kind(&self) -> &'static str;
    /// What the words ask for; texts over [`MAX_TEXT_CHARS`] are the caller's to refuse.
    fn route(&self, text: &str, context: &IntentContext) -> Classification;
    /// Judges a plan over the bundle that is changed, and with `files` whether they are what it says.
    fn check_plan(&self, plan: &Value, files: Option<&Files>, base: Option<&Files>) -> PlanReport;
    /// The plan that a bundle is as it stands, `why` it is looked at again; none where its manifest says too little.
    fn present_plan(&self, files: &Files, why: &str) -> Option<Value>;
    /// A new plan after `before`, with what a person took out of that one and the new one does not bring back.
    fn carried(&self, before: &Value, plan: Value) -> Value;
    /// What an approval of the plan names.
    fn plan_hash(&self, plan: &Value) -> String;
    /// What a plan costs whose schema holds.
    fn estimate(&self, plan: &Value) -> Estimate;
    /// Where a bundle is not what was approved, or cannot be. The plan's schema holds.
    fn conform(&self, plan: &Value, manifest: Option<&Manifest>, files: &Files) -> Vec<Diagnostic>;
    /// Where a bundle that was written for an approved plan lost what stood approved in the one that it changes.
    fn kept(&self, base: &Files, files: &Files, plan: &Value) -> Vec<Diagnostic>;
    /// The messages of a call.
    fn compose(&self, request: &PromptRequest) -> Result<Prompt, PromptTooLargeError>;
    /// What a reply changes in `base`.
    fn read(
        &self,
        reply: Option<&str>,
        tool_calls: &[ToolCall],
        base: &Files,
        finish_reason: Option<&str>,
        work: RunWork,
    ) -> Result<ParsedReply, ReplyTooLargeError>;
    /// Findings of what is worked on, and its manifest where it has one.
    fn judge(&self, files: &Files, work: RunWork) -> Judgement;
    /// Mends what needs no model, and says what it did.
    fn autofix(&self, files: &mut Files) -> Vec<Autofix>;
    /// What a model is told beside a finding: allowed values, and a shape.
    fn help(&self, finding: &Diagnostic, plan: Option<&Value>) -> (Vec<String>, Option<Value>);
    fn review(&self, proposed: &Proposed<'_>) -> Review;
    /// What a bundle declares or a script needs, and where.
    fn uses(&self, files: &Files, work: RunWork) -> Vec<CapabilityUse>;
    /// The file that describes the bundle: where a finding stands that has no better place.
    fn manifest_path(&self) -> &'static str;
}

/// What the files of a run are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RunWork {
    /// A bundle that is written for a plan, or by a person.
    #[default]
    Bundle,
    /// The bundle of a script that ran (mode A): it may have no tests.
    Promoted,
    /// One script that answers a question and is installed nowhere.
    Script,
}

/// Findings of a bundle, and its manifest where it holds.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// Findings of the kind's check.
    pub diagnostics: Vec<Diagnostic>,
    /// The manifest, when it holds.
    pub manifest: Option<Manifest>,
}

const MAX_JSON_DEPTH: usize = 100;

/// A manifest without errors, with the places of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    pub path: &'static str,
    pub value: Value,
    text: String,
}

impl Manifest {
    /// A manifest that was read from a text.
    pub fn new(path: &'static str, value: Value, text: String) -> Self {
        Self { path, value, text }
    }

    /// Where the value at a pointer stands.
    pub fn range(&self, pointer: &str) -> Option<Range> {
        json::read(&self.text, MAX_JSON_DEPTH).ok().map(|document| document.range(pointer))
    }

    /// Names of the tests, in order.
    pub fn test_names(&self) -> Vec<&str> {
        let tests = self.value.get("tests").and_then(Value::as_array).into_iter().flatten();
        tests.filter_map(|test| test.get("name").and_then(Value::as_str)).collect()
    }
}
