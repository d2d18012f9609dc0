//! What a plan is worth: findings, capabilities, cost (spec: authoring.md §3).

use holdpoint_check::Diagnostic;
use holdpoint_sdk::capability::Risk;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Output tokens of a generation, at most.
pub const GENERATE_OUTPUT_TOKENS: u32 = 12_000;
/// Output tokens of all repairs.
pub const REPAIR_OUTPUT_TOKENS: u32 = 24_000;
/// Input tokens of a call.
pub const ATTEMPT_INPUT_TOKENS: u32 = 32_000;
/// Calls that the card counts with.
pub const CALLS_MAX: u32 = 5;
/// What a run holds beyond its own worst case, because the gateway's quote counts bytes.
pub const RUN_HEADROOM_TOKENS: u32 = 128_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanCheck"))]
pub struct PlanReport {
    /// Whether it can be approved.
    pub ok: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// Capabilities that parse, in the plan's order.
    pub capabilities: Vec<PlannedCapability>,
    pub overall_risk: Risk,
    /// Cost; none while the schema does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub estimate: Option<Estimate>,
    pub text: String,
}

/// A capability of a plan with its tier and sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlannedCapability {
    pub capability: String,
    pub risk: Risk,
    pub sentence: String,
    /// What the sentence is said from in other languages; its code is `PERMISSION`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// JSON Pointers of the contributions and triggers of the plan that cannot work without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub needed_by: Vec<String>,
}

/// What a plan will cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanEstimate"))]
pub struct Estimate {
    pub output_low: u32,
    pub output_high: u32,
    pub repair_output_max: u32,
    pub input_per_call_max: u32,
    pub calls_max: u32,
    pub hold_tokens: u32,
}
