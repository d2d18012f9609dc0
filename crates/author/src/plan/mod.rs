//! Plans: what a person approves before anything is written (spec: authoring.md §3).

use serde::{Deserialize, Serialize};

/// A capability of a plan with its tier and sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct PlannedCapability {
    pub capability: String,
    pub risk: String,
    pub sentence: String,
}

/// What a plan will cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct Estimate {
    pub output_low: u32,
    pub output_high: u32,
    pub repair_output_max: u32,
    pub input_per_call_max: u32,
    pub calls_max: u32,
    pub hold_tokens: u32,
}
