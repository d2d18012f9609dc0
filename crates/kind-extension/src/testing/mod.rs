//! Declarative tests: what is run, and what the outcome is worth (spec: ifc-sdk.md §5).
//!
//! Owns both ends of a run: [`prepare`] turns a bundle into programs, [`judge`] turns their outcomes into a report. What
//! lies between, the sandbox, is somebody else's and may be a child process or a Web Worker. Invariants: nothing runs
//! before the check held; operators and patterns run here, outside the sandbox, on the full value.

mod effects;
mod given;
mod judge;
mod metered;
mod plan;
mod values;

use holdpoint_bundle::Files;
use holdpoint_sdk::run::{Outcome, Profile, TestRun};

pub use judge::{CODES, TestReport, TestResult, judge, run_report, thrown};
pub use metered::{MeteredCode, metered};
pub use plan::{CommandPlan, HostCall, PlannedTest, TestPlan, call, prepare};

/// `bundle.test`: check, prepare, run, judge. `run` is the sandbox: one outcome a run, in order.
pub fn test<E>(
    files: &Files,
    profile: Profile,
    run: impl FnOnce(&[TestRun]) -> Result<Vec<Outcome>, E>,
) -> Result<TestReport, E> {
    match prepare(files, profile) {
        Err(report) => Ok(report.into()),
        Ok(plan) => Ok(judge(&plan, &run(&plan.runs)?)),
    }
}
