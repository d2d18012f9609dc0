//! What the routes of apps refuse, beside the rules of their bodies (spec: app-builder.md §16).

use holdpoint_check::codes;

codes! {
    /// no app, revision or checkpoint of this user has that id
    NOT_FOUND / NO_APP: Error, "There is no such app. List your apps.";
    NOT_FOUND / NO_REVISION: Error, "The app has no such revision. List its versions.";
    NOT_FOUND / NO_CHECKPOINT: Error, "The app has no such checkpoint. List its checkpoints.";
    INVALID_INPUT / NO_CURSOR: Error, "Give back the next_cursor of the page before.";
    NOT_FOUND / NO_FILE: Error, "The revision has no file `{path}`." [path];
    /// the draft is another one than the request names
    REVISION_CONFLICT: Error, "Look at what changed, then save on it or merge: the draft moved.";
    /// both sides changed the same lines
    MERGE_CONFLICT: Error, "Choose what stays: both sides changed the same place.";
    /// a change has doubts that a person must confirm
    CONFIRMATION_REQUIRED / DOUBTFUL_EDIT: Error, "Confirm the change once more: parts of it were placed with doubts.";
    /// the project does not compile
    BUILDER_COMPILE_FAILED: Error, "Fix what is listed: no version was made.";
    /// the history begins with this revision
    NOTHING_TO_UNDO: Error, "There is nothing to undo.";
    /// the history ends with this revision
    NOTHING_TO_REDO: Error, "There is nothing to redo.";
    /// the entry would be gone
    REVERT_REMOVES_ENTRY: Error, "Choose another file: the app starts with `{path}`." [path];
    /// a build of the revision is queued or runs
    BUILD_PENDING: Error, "Wait for the build of this revision.";
    /// the build of the revision has succeeded
    BUILD_ALREADY_SUCCEEDED: Error, "Force it to build again: it has succeeded.";
    /// what was built is not complete in the store
    BUILD_ARTIFACT_MISSING: Error, "Build the revision again: what it left is not complete.";
    /// the revision does not build
    BUILD_FAILED: Error, "Fix what the build found, or publish another version.";
    /// a health check refuses it
    PUBLISH_BLOCKED: Error, "Fix what is listed, then publish.";
    /// the address of a published app does not change
    APP_PUBLISHED: Error, "Unpublish the app first.";
    NOT_FOUND / NOT_PUBLISHED: Error, "The app is not published.";
    /// a newer draft came before the build was done
    BUILD_SUPERSEDED: Error, "Build this version again, or go on with the newer one: it came before this build was done.";
    /// the runner was lost too often
    BUILD_RUNNER_LOST: Error, "Build this version again: the build runner was lost.";
    INVALID_INPUT / LOCK_FITS: Error, "Nothing is to be renewed: the lock fits `package.json`.";
    /// there is no build runner, or it does not answer
    BUILD_RUNNER_UNAVAILABLE: Error, "Try again, or ask the operator for a build runner: nothing can be built now.";
}

/// The statuses of refusals: a code may have one on routes and none in a finding.
pub const ANSWERS: &[(&str, u16)] = &[
    ("APP_PUBLISHED", 409),
    ("ASSET_NOT_FOUND", 404),
    ("ASSET_PATH_INVALID", 400),
    ("BASE_REVISION_REQUIRED", 400),
    ("BLOB_TYPE_REFUSED", 415),
    ("BUILDER_COMPILE_FAILED", 422),
    ("BUILDER_INTERNAL_ERROR", 500),
    ("BUILDER_PATCH_POLICY_VIOLATION", 400),
    ("BUILD_ALREADY_SUCCEEDED", 409),
    ("BUILD_ARTIFACT_MISSING", 409),
    ("BUILD_FAILED", 422),
    ("BUILD_NOT_READY", 404),
    ("BUILD_PENDING", 409),
    ("BUILD_RUNNER_UNAVAILABLE", 503),
    ("CONFIRMATION_REQUIRED", 409),
    ("EMPTY_INPUT", 400),
    ("ENV_SECRET_VALUE", 422),
    ("EVENTS_EXPIRED", 410),
    ("INPUT_TOO_LARGE", 413),
    ("INVALID_INPUT", 422),
    ("MERGE_CONFLICT", 409),
    ("MODEL_UNAVAILABLE", 503),
    ("NOTHING_TO_REDO", 404),
    ("NOTHING_TO_UNDO", 404),
    ("NOT_FOUND", 404),
    ("PREVIEW_ORIGIN_MISSING", 503),
    ("PREVIEW_TOKEN_EXPIRED", 401),
    ("PREVIEW_TOKEN_INVALID", 401),
    ("PREVIEW_TOKEN_MISMATCH", 403),
    ("PREVIEW_TOKEN_REQUIRED", 401),
    ("PROPOSAL_STALE", 409),
    ("PUBLISH_BLOCKED", 422),
    ("REVERT_REMOVES_ENTRY", 409),
    ("REVISION_CONFLICT", 409),
    ("RUN_ACTIVE", 409),
    ("RUN_CANCELLED", 409),
    ("SLUG_INVALID", 400),
    ("SLUG_TAKEN", 409),
    ("STATUS_NOT_SETTABLE", 400),
    ("STORAGE_UNAVAILABLE", 503),
    ("TEMPLATE_UNKNOWN", 400),
    ("UI_SOURCE_MODE_REMOVED", 410),
];
