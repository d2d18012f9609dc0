//! Taking only some places of a proposal (spec: script-tool.md §6 "Partial accept").
//!
//! Page, edge and command line share this road. Invariant: the reasons are those of the whole proposal and of the part,
//! so leaving a place out never hides a doubt.

use std::collections::BTreeSet;

use crate::diff::{DiffOptions, diff};
use crate::error::TextError;
use crate::input::{Accept, PreviewInput, RawOp, RawPreview};
use crate::preview::{Preview, Verdict};
use crate::propose::preview;
use crate::select::select;
use crate::tags::Tag;

/// Previews only the accepted hunks of a proposal: the ops are previewed, each changed file is diffed, and a patch of
/// the accepted hunks is previewed again. A file that is not named has no accepted hunk.
///
/// Errors: [`TextError::UnknownHunk`] for ids that the diff does not have.
pub fn preview_accepted(input: &PreviewInput, accept: &Accept) -> Result<Preview, TextError> {
    let whole = preview(input);
    if whole.verdict == Verdict::Reject {
        return Ok(whole);
    }
    let context = DiffOptions::default().context;
    let mut ops = Vec::new();
    for (path, ids) in accept {
        let unknown = || Err(TextError::UnknownHunk { ids: ids.clone() });
        let (Some(before), Some(after)) = (input.files.get(path), whole.after_virtual_files.get(path)) else {
            if ids.is_empty() {
                continue;
            }
            return unknown();
        };
        let selected = select(before, after, ids, context)?;
        let patch = diff(before, &selected.text, &DiffOptions { context, path })?;
        if !patch.unified.is_empty() {
            ops.push(RawOp::patch(path, patch.unified));
        }
    }
    if ops.is_empty() {
        // Nothing is accepted: the same files are targeted, with a change that is none.
        ops.extend(input.ops.first().map(|op| RawOp::patch(&op.target_file, "@@ -1 +1 @@\n \n")));
    }
    let part = RawPreview { files: input.files.clone(), ops, ..RawPreview::default() };
    let mut part = preview(&PreviewInput { generation_finished: true, ..part.resolve()? });
    part.meta.mode = input.mode;
    if part.verdict != Verdict::Reject {
        join_doubts(&mut part, &whole);
    }
    Ok(part)
}

/// Adds what was tolerated in the whole to what was in the part.
fn join_doubts(part: &mut Preview, whole: &Preview) {
    let join = |a: &[Tag], b: &[Tag]| a.iter().chain(b).copied().collect::<BTreeSet<Tag>>().into_iter().collect();
    let meta = &mut part.meta;
    meta.reasons = join(&meta.reasons, &whole.meta.reasons);
    meta.normalizations_applied = join(&meta.normalizations_applied, &whole.meta.normalizations_applied);
    meta.fuzz_level_used = meta.fuzz_level_used.max(whole.meta.fuzz_level_used);
    meta.max_offset = meta.max_offset.max(whole.meta.max_offset);
    meta.applied_cleanly &= whole.meta.applied_cleanly;
    if !meta.reasons.is_empty() {
        part.verdict = Verdict::Confirm;
        meta.requires_confirmation = true;
        meta.applied_cleanly = false;
    }
    meta.renew_token();
}
