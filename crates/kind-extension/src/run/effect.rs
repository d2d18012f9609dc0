//! What a run wants done: its requests to a driver (spec: authoring.md §6.2).
//!
//! Owns the wire shape of effects. Drivers perform them in order and answer with events.

use crate::planning::Purpose;
use serde::{Deserialize, Serialize};

use holdpoint_engine::attempt::Stop;

/// What is run is a script, on the open model, and its one test says what it answered.
pub const SCRIPT_PROFILE: &str = "script";

/// One request to the driver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum Effect {
    /// Ask the model; the messages are [`super::Run::messages`].
    CallModel(CallModel),
    /// Run the tests of [`super::Run::files`].
    RunTests {
        attempt: AttemptId,
        /// It is one of `dry-run` and [`SCRIPT_PROFILE`].
        profile: String,
    },
    ShowPlan {
        /// `sha256:` of the plan's RFC 8785 JSON.
        plan_hash: String,
        /// Whether it can be approved.
        ok: bool,
    },
    /// Show the review of the bundle.
    ShowReview {
        attempt: AttemptId,
    },
    /// Show why the run ended and what was kept.
    ShowFailure {
        reason: FailureReason,
        /// The best bundle; none when no bundle came.
        best: Option<AttemptId>,
    },
    /// Show what a script answered.
    ShowAnswer {
        attempt: AttemptId,
    },
    /// The request is answered once: a page that can do so says `RunOnce`.
    Reroute {
        text: String,
    },
    /// Say that this is nothing that can be done here.
    Refuse,
    /// Mode A: promote the user's script.
    Promote,
    /// Open a run with the gateway that holds what the view's `tokens.held` says.
    OpenRun,
    /// Close it and give the rest back.
    CloseRun,
    /// Stop the running call or tests.
    Abort,
    Apply,
}

/// A model call and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CallModel {
    pub purpose: Purpose,
    /// The attempt that it belongs to; `null` for a plan.
    pub attempt: Option<u32>,
    pub max_output_tokens: u32,
    /// When the call is aborted, on the clock of the events.
    pub deadline_at: u64,
    /// Repair: files that are named must come whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub whole_files: Option<bool>,
    /// Repair: the attempt whose bundle is repaired; absent when no bundle came yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub base_attempt: Option<AttemptId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum AttemptId {
    /// A bundle of the model.
    Number(u32),
    /// A bundle of the user.
    Hand(Hand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Hand {
    Hand,
}

impl AttemptId {
    /// The bundle that a person edited.
    pub const HAND: Self = Self::Hand(Hand::Hand);
}

/// Why a run ended without a bundle that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FailureReason {
    Attempts,
    Wallclock,
    Tokens,
    Stalled,
    Plan,
    Hand,
    /// The test that a person asked for stands, and fails.
    Test,
}

impl From<Stop> for FailureReason {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Attempts => Self::Attempts,
            Stop::Stalled => Self::Stalled,
        }
    }
}
