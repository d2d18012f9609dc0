//! How a change of a package is staged: by its change set, which is checked in a session.

use holdpoint_change::{Base, Staged};
use holdpoint_check::{ApiError, args, codes};
use serde_json::Value;

codes! {
    INVALID_INPUT / NO_STAGE: Error, "Send a change set of a package to `changeset.check`: here none is taken.";
}

/// No shell stages packages: the answer says where change sets go.
pub(super) fn stage(_: Base, _: &Value) -> Result<Staged, ApiError> {
    Err(ApiError::of(&NO_STAGE, args! {}).with("pointer", "/kind"))
}
