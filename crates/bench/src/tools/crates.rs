//! Crates that apply patches, with the options that they choose by themselves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::case::Case;
use crate::fault::Fault;
use crate::tools::{Answer, Tool, timed};

/// A panic counts as a refusal.
fn asked(ask: impl Fn() -> Answer) -> Result<(Answer, Duration), Fault> {
    Ok(timed(|| catch_unwind(AssertUnwindSafe(&ask)).unwrap_or(None)))
}

/// Strict.
#[derive(Debug)]
pub struct Diffy;

impl Tool for Diffy {
    fn name(&self) -> &'static str {
        "diffy"
    }

    fn usage(&self) -> &'static str {
        "`Patch::from_str`, `apply`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        asked(|| diffy::apply(&case.base, &diffy::Patch::from_str(&case.patch).ok()?).ok())
    }
}

/// Fuzzy: up to 2 context lines left out, others similar by 0.8.
#[derive(Debug)]
pub struct Flickzeug;

impl Tool for Flickzeug {
    fn name(&self) -> &'static str {
        "flickzeug"
    }

    fn usage(&self) -> &'static str {
        "`Diff::from_str`, `apply`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        asked(|| Some(flickzeug::apply(&case.base, &flickzeug::Diff::from_str(&case.patch).ok()?).ok()?.0))
    }
}

/// Made for patches of models: finds a hunk by similarity.
#[derive(Debug)]
pub struct Mpatch;

impl Tool for Mpatch {
    fn name(&self) -> &'static str {
        "mpatch"
    }

    fn usage(&self) -> &'static str {
        "`patch_content_str` with `ApplyOptions::new()`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        asked(|| mpatch::patch_content_str(&case.patch, Some(&case.base), &mpatch::ApplyOptions::new()).ok())
    }
}
