//! Codes beside those of model calls (`refusal.rs`): addresses, and what the edge and its editor refuse of their own.

/// Of `url.check` (spec: gateway.md §10): code, when, what to do.
pub const URL: &[(&str, &str, &str)] = &[
    ("URL_INVALID", "no address", "Write `https://host/path`."),
    ("URL_SCHEME", "another scheme than https", "Use https."),
    ("URL_CREDENTIALS", "a name or password in the address", "Leave it out: the key is stored apart."),
    ("URL_HAS_QUERY", "a query or a fragment", "Leave it out."),
    ("URL_PORT", "a port that may not be called", "Use the port of the scheme."),
    ("URL_PRIVATE_NAME", "a name inside a private network", "Use a public name."),
    ("URL_PRIVATE_ADDRESS", "an address of a private network, or a name that leads to one", "Use a public address."),
    ("URL_METADATA", "an address that machines ask about themselves", "Use a provider's address."),
    ("URL_SELF", "our own name", "Use a provider's address."),
];

/// What the edge answers beside the gateway's refusals: code, HTTP status, when, what to do
/// (spec: facade.md "Shapes", authoring.md §9.1).
pub const EDGE: &[(&str, u16, &str, &str)] = &[
    ("INVALID_INPUT", 400, "a member has the wrong shape", "Correct the member that `details.pointer` names."),
    ("CONFLICT", 409, "what was seen is not what is there", "Look at the fresh answer in `details`, then repeat."),
    ("CONFIRMATION_REQUIRED", 409, "a look is needed", "Show `details.review`, then send its `confirm_token`."),
    ("INPUT_TOO_LARGE", 413, "over a limit of a method", "Send less."),
    ("BUNDLE_INVALID", 422, "the bundle does not hold; nothing was stored", "Mend what `details.diagnostics` name."),
    (
        "CAPABILITY_REQUIRED",
        422,
        "a grant was left out that code, a contribution or a test needs; nothing was stored",
        "Grant what `details.diagnostics` name.",
    ),
    ("INTERNAL", 500, "something failed here; nothing was changed", "Try again."),
    ("DEV_IN_PRODUCTION", 503, "HOLDPOINT_DEV is set in production", "Remove it."),
];

/// What the editor's routes answer beside the gateway's refusals (spec: script-tool.md §6): as [`EDGE`].
pub const EDITOR: &[(&str, u16, &str, &str)] = &[
    ("FEATURE_OFF", 200, "the assistant is switched off here", "Edit by hand."),
    ("SYSTEM_OVER_BUDGET", 200, "the system prompt is over its cap", "Shorten what the host adds, or raise the cap."),
    ("FORBIDDEN", 403, "the script belongs to somebody else, or measurements were asked for", "Leave it."),
    ("CONFLICT", 409, "what was seen is not what is there", "Look at the fresh preview or revision in `details`."),
    ("CONFIRMATION_REQUIRED", 409, "the proposal must be confirmed", "Show the reasons, then send the confirm_token."),
    ("REQUEST_IN_FLIGHT", 409, "a request for this script still runs", "Wait for it, or stop it."),
    ("UNDO_BLOCKED", 409, "files of the apply changed since", "Restore a version, or edit by hand."),
    ("INPUT_TOO_LARGE", 413, "over a limit, which `details` names", "Send less."),
    ("INVALID_INPUT", 422, "a member has the wrong shape", "Correct the member that `details.pointer` names."),
    ("MESSAGE_OVER_BUDGET", 422, "the message does not fit the model's window", "Shorten it, or start a new chat."),
    ("UNKNOWN_HUNK", 422, "a place that the diff does not have", "Take ids from a diff of the same texts."),
    ("SERVICE_UNAVAILABLE", 503, "the model or the ledger does not answer; `details.cause` says why", "Try again."),
];

/// What routes with envelopes answer beside the gateway's refusals (spec: crew-package.md §7 "HTTP", ai-sessions.md §12):
/// as [`EDGE`].
pub const ENVELOPE: &[(&str, u16, &str, &str)] = &[
    ("VALIDATION_ERROR", 400, "what was sent breaks a rule of its document", "Mend what `details.diagnostics` name."),
    ("ASSET_PATH_INVALID", 400, "no path of an asset", "Use letters, digits and `._/-` below `assets/`."),
    ("ASSET_EXT_UNSUPPORTED", 400, "an ending that no asset has", "Use one of the endings in the message."),
    ("ASSET_ENCODING_INVALID", 400, "a text that begins with `base64:`", "Import binary assets with a package."),
    ("AUTH_TOKEN_EXPIRED", 401, "the key is over its time", "Ask for a new one."),
    ("PROJECT_NOT_FOUND", 404, "no project of this user has that id", "List the projects."),
    ("WORKFLOW_NOT_FOUND", 404, "no workflow has that number", "List the workflows."),
    ("REVISION_NOT_FOUND", 404, "no revision has that number", "List the revisions."),
    ("ASSET_NOT_FOUND", 404, "no asset has that path", "List the assets."),
    ("CONFLICT", 409, "what was seen is not what is there", "Look at `details.head` and `details.diff`, then repeat."),
    ("IDEMPOTENCY_CONFLICT", 409, "another request had this key", "Use a key once."),
    ("WORKFLOW_LAST", 409, "no workflow would be left", "Add another first."),
    ("ASSET_EXISTS", 409, "an asset has that path", "Replace it, or use another path."),
    ("PKG_NAME_CONFLICT", 409, "a project of this user has that name", "Use `details.suggested_name`."),
    ("AI_STEP_DRAFT_DEPRECATED", 410, "the route of drafts outside of sessions", "Open a session of the step."),
    ("ASSET_TOO_LARGE", 413, "an asset over its limit", "Send less."),
    ("ASSET_TOTAL_EXCEEDED", 413, "the assets over their limit together", "Remove some."),
    ("ASSET_COUNT_EXCEEDED", 413, "too many assets", "Remove some."),
    ("INPUT_TOO_LARGE", 413, "over a limit, which `details` names", "Send less."),
    ("PKG_INVALID_FORMAT", 400, "no archive of a package", "Send a `.bmad` or `.zip` file."),
    ("PKG_INVALID_ZIP", 400, "an archive that cannot be read or would write elsewhere", "Make it anew."),
    ("PKG_TOO_LARGE", 413, "an archive over its limits", "Send less."),
    ("PKG_VALIDATION_FAILED", 422, "a package that does not hold; 400 on import", "Mend what `details.diagnostics` name."),
    ("INVALID_INPUT", 422, "a member has the wrong shape", "Correct the member that `details.pointer` names."),
];

/// How these routes call codes of other families: from, status, to.
pub const ENVELOPE_RENAMED: &[(&str, u16, &str)] = &[
    ("INVALID_JSON", 422, "INVALID_INPUT"),
    ("DUPLICATE_KEY", 422, "INVALID_INPUT"),
    ("INVALID_REQUEST", 422, "INVALID_INPUT"),
    ("REQUEST_TOO_LARGE", 413, "INPUT_TOO_LARGE"),
    ("KEY_EXPIRED", 401, "AUTH_TOKEN_EXPIRED"),
    ("KEY_REVOKED", 401, "AUTH_INVALID_TOKEN"),
];
