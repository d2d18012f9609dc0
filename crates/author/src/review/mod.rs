//! What a person signs: base, result, difference, permissions, and why a look is needed (spec: authoring.md §9).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use holdpoint_check::Diagnostic;

/// The answer of `bundle.review`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Review {
    /// Content hash of the bundle before; `null` when it is not installed.
    pub base_hash: Option<String>,
    /// Hash of both and of the sorted grants.
    pub patch_id: String,
    /// Content hash of the bundle after.
    pub result_hash: String,
    /// `bundle.diff` of both.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub diff: Value,
    /// `capability.diff` of both.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub capabilities: Value,
    /// Tests that ask for less than before.
    pub weakened_tests: Vec<WeakenedTest>,
    /// `none`, `click` or `type`.
    pub confirmation: String,
    /// Why an extra confirmation is asked for.
    pub reasons: Vec<String>,
    /// To be sent back with the signature.
    pub confirm_token: String,
    /// Findings of `bundle.check`.
    pub diagnostics: Vec<Diagnostic>,
}

/// A test that asks for less than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct WeakenedTest {
    pub name: String,
    pub reason: String,
}
