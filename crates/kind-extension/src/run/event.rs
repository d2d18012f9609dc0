//! What happens to a run: the log that is stored and replayed (spec: authoring.md §6.2).
//!
//! Owns the wire shape of events. Invariant: an event carries everything that its step needs; time stands in `at`.

use std::collections::BTreeMap;

use crate::planning::{IntentContext, ToolCall};
use holdpoint_check::{Diagnostic, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use holdpoint_bundle::Files;

codes! {
    // Of a test result whose finding is no diagnostic: only its code is known.
    TEST_FAILED / UNREAD: Error, "";
}

/// One event of a run's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Event {
    /// When it happened, in milliseconds. Only differences matter.
    pub at: u64,
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened. A state that does not know an event ignores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum EventKind {
    Asked {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        context: Option<IntentContext>,
    },
    /// The model answered, whole or cut (`finish_reason: "length"`).
    Reply(Reply),
    /// The call failed before its first byte.
    TransportError,
    /// The gateway does not let the run or the call through.
    BudgetRefused,
    /// The attempt's clock ran out; `partial` is what came so far.
    AttemptTimeout {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        partial: Option<String>,
    },
    /// The run's clock ran out.
    TotalTimeout,
    /// The user stops the run.
    Cancel,
    /// The user wants it run once, and no tool; behind `Reroute`, the page takes it on.
    RunOnce,
    /// The user changed the plan's card.
    PlanEdited {
        #[cfg_attr(feature = "ts", ts(as = "crate::planning::Plan"))]
        plan: Value,
    },
    /// The user asks in words for another plan.
    Adjust { text: String },
    /// The user signs the plan that was shown.
    Approved { plan_hash: String },
    /// The sandbox ran the tests.
    TestsDone { tests: Vec<TestResult> },
    /// The user changed the files.
    HandEdit { files: Files },
    /// The user wants files repaired that fail a test: what a new SDK broke, or what a person says it should have been.
    /// No plan is asked for: what their manifest says is the plan.
    Repair {
        text: String,
        files: Files,
        /// What changed in the SDK, where that is why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(type = "unknown", optional))]
        changelog: Option<Value>,
        /// No test shows it yet: a model writes one that fails, before anything else changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        test: Option<TestFirst>,
    },
    /// The script that ran, made a tool (mode A): the bundle of `script.promote`.
    Promote { files: Files },
    /// Behind an answer, or without one: the user wants a tool for it after all.
    AsTool,
    /// The user signs the bundle that was shown.
    Install {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(type = "unknown", optional))]
        confirmation: Option<Value>,
    },
    /// The same plan, another bundle.
    AnotherVersion,
    /// The user goes back to a version that was written before.
    Choose { result_hash: String },
    /// After a failure: the same plan again.
    Retry,
    /// The user lets it go.
    Discard,
    /// The project stored the bundle.
    Stored {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        revision_id: Option<String>,
    },
    /// Kept on the device until the network is back.
    Queued,
    /// The project refused to store it.
    Refused { code: String },
}

/// What comes after the test that shows what a person says is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TestFirst {
    /// The repair follows at once.
    Then,
    /// Nothing follows: its person goes on.
    Alone,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Reply {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reply: Option<String>,
    /// Tool calls, which mean the same as blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// `stop`, `length` and what else a provider says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub finish_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub usage: Option<Usage>,
}

/// Tokens of one call as the provider reports them. `cached` is a part of `input`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Usage {
    pub input: u32,
    pub cached: u32,
    pub output: u32,
}

/// One test as `bundle.test` answers it; members that a driver adds are kept and shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "ShownTest"))]
pub struct TestResult {
    /// The test's name in the manifest.
    pub name: String,
    pub ok: bool,
    #[serde(default)]
    pub diagnostics: Vec<TestFinding>,
    /// Further members (`logs`, `actual`, `truncated`, `usage`, `fixture`, `ms`).
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// A test result as pages may show it: with what `bundle.test` and the page's driver add to it.
#[cfg(feature = "ts")]
#[derive(ts_rs::TS)]
#[ts(optional_fields, rename = "TestResult")]
#[allow(dead_code)]
struct ShownTest {
    /// The test's name in the manifest.
    name: String,
    ok: bool,
    diagnostics: Vec<Diagnostic>,
    logs: Option<Vec<holdpoint_sdk::run::LogEntry>>,
    /// Of a script: what it said.
    answer: Option<crate::script::ScriptAnswer>,
    /// The model that a script ran on.
    model: Option<String>,
    /// The value, cut for people.
    actual: Option<Value>,
    truncated: Option<bool>,
    /// The fixture that it ran on.
    fixture: Option<String>,
    ms: Option<f64>,
}

/// A finding of a test run: a diagnostic of which only the code is required.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestFinding {
    pub code: String,
    /// Whatever else the diagnostic holds: `severity message path pointer range hint`.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl From<&Diagnostic> for TestFinding {
    fn from(finding: &Diagnostic) -> Self {
        let Value::Object(mut members) = serde_json::json!(finding) else { unreachable!("a diagnostic is an object") };
        members.remove("code");
        Self { code: finding.code.clone().into_owned(), more: members.into_iter().collect() }
    }
}

impl TestFinding {
    /// The finding as a diagnostic; an error unless it says otherwise.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut members: serde_json::Map<String, Value> = self.more.clone().into_iter().collect();
        members.insert("code".into(), self.code.clone().into());
        members.entry("severity").or_insert("error".into());
        members.entry("message").or_insert("".into());
        serde_json::from_value(Value::Object(members))
            .unwrap_or_else(|_| Diagnostic::of(&UNREAD, args! {}).called(self.code.clone()))
    }
}
