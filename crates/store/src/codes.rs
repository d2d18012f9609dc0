//! What the edge's own routes say: sentences beside those of the gateway's table and of the methods
//! (spec: facade.md "Shapes", authoring.md §9.1, script-tool.md §6). Status and meaning stand in `gateway::codes`.

use holdpoint_check::codes;

codes! {
    INTERNAL: Error, "Something failed here. Nothing was changed. Try again.";
    SCOPE_DENIED / SCOPE: Error, "This needs a key with the scope `{scope}`." [scope];
    INVALID_REQUEST / BODY: Error, "Correct the body: {error}." [error];
    INVALID_REQUEST / GRANTS: Error, "Grant only what the manifest declares, written as there.";
    INVALID_INPUT / TITLE: Error, "Send a title of 1 to {limit} characters." [limit];
    NOT_FOUND / EXTENSION: Error, "There is no such extension or revision. List what is installed.";
    NOT_FOUND / SCRIPT: Error, "There is no such script. List what there is.";
    NOT_FOUND / VERSION: Error, "There is no such revision or checkpoint. List what there is.";
    FORBIDDEN / OWNER: Error, "This script belongs to somebody else.";
    CONFLICT / EXTENSION_CHANGED: Error, "The extension changed since you looked. Look again, then repeat.";
    CONFLICT / SCRIPT_CHANGED: Error, "The script changed since you looked. Look again, then repeat.";
    CONFLICT / NOTHING: Error, "There is nothing to {action}." [action];
    CONFLICT / REVIEWED: Error, "This is not what was reviewed. Read the fresh review, then sign again.";
    CONFLICT / PREVIEWED: Error, "A file changed since the preview. Look at the fresh preview, then apply again.";
    CONFIRMATION_REQUIRED / REVIEW: Error, "Read the reasons, then send the review's confirm_token.";
    CONFIRMATION_REQUIRED / TYPED: Error,
        "Read the reasons, send the review's confirm_token, and type the extension's id.";
    CONFIRMATION_REQUIRED / PREVIEW: Error, "Show the reasons to a person, then send the preview's confirm_token.";
    CAPABILITY_REQUIRED / GRANT: Error, "Grant what the diagnostics name. Nothing was stored.";
    BUNDLE_INVALID / FOUND: Error,
        "The bundle does not hold. Mend what the diagnostics name; nothing was stored.";
    UNDO_BLOCKED: Error, "These files changed since. Restore a version instead, or edit by hand.";
    REQUEST_IN_FLIGHT: Error, "A request for this script is still running. Wait for it, or stop it.";
}
