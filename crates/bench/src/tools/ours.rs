//! The engine under test.

use std::time::Duration;

use holdpoint_text::{PreviewInput, preview};

use crate::case::Case;
use crate::fault::Fault;
use crate::tools::{Answer, Tool, timed};

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
        Ok(timed(|| {
            let input = PreviewInput::patch(&case.path, &case.base, &case.patch).ok()?;
            let mut answer = preview(&input);
            answer.after_virtual_files.remove(&case.path).filter(|_| answer.ok)
        }))
    }

    fn message(&mut self, case: &Case) -> Option<String> {
        let input = PreviewInput::patch(&case.path, &case.base, &case.patch).ok()?;
        preview(&input).error_details.into_iter().next().map(|detail| detail.hint)
    }
}
