//! What is asked of a kind whose bundles have tests (spec: ifc-sdk.md §5, ENGINE §3).
//!
//! Owns the questions and the shapes of their answers. What runs a program, the sandbox, is somebody else's.

use std::fmt::Debug;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::run::Profile;

pub use crate::ifc_extension::testing::{
    CommandPlan, HostCall, PlannedTest, TestPlan, TestReport, TestResult, judge, run_report,
};

/// A kind whose bundles run.
pub trait Tests: Debug + Sync {
    /// Checks a bundle and prepares its tests; the answer of `bundle.test` where nothing is run.
    fn prepare(&self, files: &Files, profile: Profile) -> Result<TestPlan, TestReport>;
    /// One call of a bundle, made ready; `None`: it has nothing of that name. A bundle that does not hold is not called.
    fn call(&self, files: &Files, asked: &HostCall, locale: &str) -> Result<Option<CommandPlan>, Vec<Diagnostic>>;
}
