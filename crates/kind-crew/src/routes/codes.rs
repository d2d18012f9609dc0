//! What the routes of projects refuse, beside the rules of the documents (spec: crew-package.md §7 "HTTP",
//! ai-sessions.md §1).

use holdpoint_check::codes;

codes! {
    /// no project of this user has that id
    PROJECT_NOT_FOUND: Error, "There is no such project. List your projects.";
    /// no revision of the project has that number
    REVISION_NOT_FOUND: Error, "There is no such revision. List the revisions of the project.";
    /// what was sent breaks a rule of its document; nothing was stored
    VALIDATION_ERROR: Error, "What was sent does not hold. Mend what the diagnostics name; nothing was stored.";
    /// somebody else changed it since it was read; nothing was stored
    CONFLICT / PACKAGE_CHANGED: Error, "This changed since you looked. Look at what stands now, then repeat.";
    CONFLICT / NO_STEP: Error, "There is nothing to {action}." [action];
    /// a project of this user has that name
    PKG_NAME_CONFLICT: Error, "You have a project named `{name}`. Choose another name." [name];
    INVALID_INPUT / SEEN: Error, "Send the revision that you saw as If-Match: a whole number.";
    INVALID_INPUT / PAGE_CURSOR: Error, "Give back the nextCursor of the page before.";
    INVALID_INPUT / QUERY_TEXT: Error, "Send {name} with 1 to {limit} characters." [name, limit];
    LEDGER_UNAVAILABLE / PROJECT_UNLISTED: Error,
        "The project is stored, but the list does not answer. It will be listed soon: look there before you make it again.";
}
