//! What routes about change sets refuse (spec: ai-sessions.md §12).

use holdpoint_check::{ApiError, codes};
use serde_json::json;

use super::super::dialect::finding::SetFinding;

codes! {
    /// nothing is open, or what was staged is what is stored
    AI_NO_STAGED_CHANGES / NOTHING_STAGED: Error, "Stage a change first: nothing differs from what is stored.";
    AI_CHANGESET_NOT_FOUND: Error, "Name a change set of this session.";
    AI_CHANGESET_CLOSED / CLOSED: Error, "Stage a new change set: this one is {status}." [status];
    AI_CHANGESET_NOT_VALIDATED / NOT_VALIDATED: Error, "Validate the change set first.";
    AI_CHANGESET_NOT_VALIDATED / NOT_APPLIED: Error, "Discard the change set instead: it was not applied.";
    AI_APPLY_REQUIRES_CONFIRMATION / NOT_BY_HAND: Error, "Let a person apply: `confirmSource` must be `{wanted}`." [wanted];
    AI_VALIDATION_FAILED: Error, "Mend what the errors name, then stage again. Nothing was changed.";
    AI_APPLY_FAILED: Error, "Nothing was changed, the proposal is still there. Try again.";
    AI_APPLY_UNSUPPORTED / MADE_A_WORKFLOW: Error, "Delete the workflow by hand: a change that made one is not taken back.";
    CONFLICT / OBJECTS_MOVED: Error, "The package changed since the preview. Look at the fresh preview, then apply again.";
    CONFIRMATION_REQUIRED / REASONS: Error, "Show the reasons to a person, then send the `confirmToken` of the preview.";
}

/// A set that cannot be staged: the code of its first error, and all of them. Where edits cannot be made, the first of
/// those says why.
pub fn refused(errors: &[SetFinding]) -> ApiError {
    let edit = errors.iter().find(|found| found.code.starts_with("EDIT_"));
    let Some(first) = edit.or(errors.first()) else { return ApiError::of(&AI_VALIDATION_FAILED, &[]) };
    let error = ApiError { args: first.args.clone(), ..ApiError::new(first.code.as_ref(), first.message.as_str()) };
    error.with("path", first.path.as_str()).with("errors", json!(errors))
}
