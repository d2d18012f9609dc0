//! The engine under test.

use std::time::{Duration, Instant};

use holdpoint_text::{PreviewInput, preview};

use crate::case::Case;
use crate::fault::Fault;
use crate::tools::{Answer, Tool};

/// `text.preview` with nothing but the file and the patch. A proposal to confirm counts as applied.
#[derive(Debug)]
pub struct Ours;

impl Tool for Ours {
    fn name(&self) -> &'static str {
        "holdpoint"
    }

    fn usage(&self) -> &'static str {
        "`text.preview`"
    }

    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault> {
        let started = Instant::now();
        let Ok(input) = PreviewInput::patch(&case.path, &case.base, &case.patch) else {
            return Ok((None, started.elapsed()));
        };
        let mut answer = preview(&input);
        let took = started.elapsed();
        Ok((answer.after_virtual_files.remove(&case.path).filter(|_| answer.ok), took))
    }
}
