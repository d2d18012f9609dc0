//! Applying what was previewed, and nothing else (spec: text-engine.md §9 "Gate").
//!
//! Invariant: nothing is applied unless base, patch and, where sent, result are those of the preview, and a proposal
//! that needs it carries the token of its confirmation.

use serde::{Deserialize, Serialize};

use crate::accept::preview_accepted;
use crate::error::{ConflictReason, TextError};
use crate::input::{Accept, PreviewInput};
use crate::preview::{Preview, Verdict};
use crate::propose::preview;

/// A proposal with the tokens of its preview.
#[derive(Debug, Clone)]
pub struct ApplyInput {
    pub preview: PreviewInput,
    /// The hunks that are accepted; all when absent.
    pub accept: Option<Accept>,
    pub tokens: GateTokens,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct GateTokens {
    pub base_hash: String,
    pub patch_id: String,
    #[serde(default)]
    pub result_hash: Option<String>,
    #[serde(default)]
    pub confirm_token: Option<String>,
}

/// The fresh preview, and whether it was applied.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TextApplied"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextApplied"))]
pub struct Applied {
    /// True unless the fresh preview rejects.
    pub applied: bool,
    #[serde(flatten)]
    pub preview: Preview,
}

/// Previews again, compares, and answers the files to write.
///
/// Errors: [`TextError::Conflict`], [`TextError::ConfirmationRequired`], and [`TextError::UnknownHunk`] of a partial
/// accept.
pub fn apply(input: &ApplyInput) -> Result<Applied, TextError> {
    let fresh = match &input.accept {
        Some(accept) => preview_accepted(&input.preview, accept)?,
        None => preview(&input.preview),
    };
    let GateTokens { base_hash, patch_id, result_hash, confirm_token } = &input.tokens;
    let conflict = |reason, preview| Err(TextError::Conflict { reason, preview: Box::new(preview) });
    let same = |sent: &String, now: &Option<String>| Some(sent) == now.as_ref();
    if *base_hash != fresh.meta.base_hash {
        return conflict(ConflictReason::BaseChanged, fresh);
    }
    if fresh.verdict == Verdict::Reject {
        return Ok(Applied { applied: false, preview: fresh });
    }
    if !same(patch_id, &fresh.meta.patch_id) {
        return conflict(ConflictReason::PatchChanged, fresh);
    }
    if result_hash.as_ref().is_some_and(|sent| !same(sent, &fresh.meta.result_hash)) {
        return conflict(ConflictReason::ResultChanged, fresh);
    }
    if fresh.verdict == Verdict::Confirm && *confirm_token != fresh.meta.confirm_token {
        return Err(TextError::ConfirmationRequired { preview: Box::new(fresh) });
    }
    Ok(Applied { applied: true, preview: fresh })
}
