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
    ("URL_NO_PUBLIC_ADDRESS", "a name that led to no public address when it was called", "Check the name."),
    ("URL_SELF", "our own name", "Use a provider's address."),
];

/// Warnings of `gateway.translate_request` (spec: gateway.md §8): code, when, what to do.
pub const TRANSLATION: &[(&str, &str, &str)] = &[
    ("SYSTEM_HOISTED", "a text of the system behind the beginning of a conversation", "Send it in front."),
    ("EMPTY_MESSAGE_DROPPED", "a message that says nothing", "Leave it out."),
];

/// What the edge answers beside the gateway's refusals: code, HTTP status, when, what to do
/// (spec: facade.md "Shapes", authoring.md §9.1).
pub const EDGE: &[(&str, u16, &str, &str)] = &[
    ("INVALID_INPUT", 400, "a member has the wrong shape", "Correct the member that `details.pointer` names."),
    ("CONFLICT", 409, "what was seen is not what is there", "Look at the fresh answer in `details`, then repeat."),
    ("CONFIRMATION_REQUIRED", 409, "a look is needed", "Show `details.review`, then send its `confirm_token`."),
    ("IDEMPOTENCY_CONFLICT", 409, "another request had this key in the last 24 hours", "Use a key once."),
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
    (
        "PKG_VALIDATION_FAILED",
        422,
        "a package that does not hold; 400 on import",
        "Mend what `details.diagnostics` name.",
    ),
    ("INVALID_INPUT", 422, "a member has the wrong shape", "Correct the member that `details.pointer` names."),
    ("AI_TARGET_NOT_SUPPORTED", 400, "no such type of target", "Use `workflow`, `step`, `agent` or `asset`."),
    (
        "AI_TARGET_CONTEXT_MISMATCH",
        400,
        "the context names another target",
        "Send that of the session's target; `details.field` says which.",
    ),
    ("AI_TARGET_CONTEXT_REQUIRED", 400, "nothing is known of the target", "Send its text with the message."),
    ("AI_APPLY_REQUIRES_CONFIRMATION", 400, "no person confirmed the apply", "Send `confirmSource` as the page does."),
    ("LLM_PROFILE_INVALID_PROVIDER", 400, "another provider", "Use `disabled` or `openai-compatible`."),
    ("LLM_PROFILE_MISSING_BASE_URL", 400, "no address", "Send `baseUrl`."),
    (
        "LLM_PROFILE_INVALID_BASE_URL",
        400,
        "an address that may not be called; `details` say why",
        "Use a provider's https address.",
    ),
    ("LLM_PROFILE_MISSING_MODEL", 400, "no model", "Send `model`."),
    ("LLM_PROFILE_INVALID_API_KEY", 400, "no key in printable ASCII", "Send the key as the provider gave it."),
    (
        "LLM_PROFILE_API_KEY_REQUIRED",
        400,
        "another server, and a key of the one before",
        "Send the key of the new server.",
    ),
    ("LLM_PROFILE_INVALID_TIMEOUT", 400, "no whole number of seconds, 1 to 600", "Send such a number."),
    ("LLM_PROFILE_INVALID_CONTEXT_WINDOW", 400, "no whole number of tokens", "Send such a number, or null."),
    ("LLM_PROFILE_ORG_POLICY_BLOCKED", 403, "the organisation does not allow it", "Ask the administrator."),
    ("AI_DISABLED", 403, "no model is set up", "Set one up in `/users/me/llm-profile`."),
    ("AI_ROLLOUT_CANARY_BLOCKED", 403, "the assistant is not switched on for this user", "Edit by hand."),
    ("AI_WORKBENCH_READ_ONLY", 403, "the assistant only shows what there is", "Edit by hand."),
    ("AI_APPLY_DISABLED", 403, "nothing is applied now", "Try later."),
    ("AI_SESSION_NOT_FOUND", 404, "no session of this user has that id", "List the sessions."),
    ("AI_CHANGESET_NOT_FOUND", 404, "the session has no such change set", "Read the session."),
    ("AI_TURN_NOT_FOUND", 404, "the session has no such turn", "Read the session."),
    ("AI_CONTEXT_BUILD_ERROR", 404, "the target is not there", "Choose another; `details.locator` names it."),
    ("AI_SESSION_NOT_ACTIVE", 409, "the session is over", "Open another one."),
    ("AI_TURN_IN_PROGRESS", 409, "a turn of the session runs", "Wait for it, or stop it."),
    ("AI_TURN_STOPPED", 409, "a person stopped the turn", "Ask again."),
    ("AI_TURN_INTERRUPTED", 409, "the turn was cut off", "Ask again."),
    ("AI_NO_STAGED_CHANGES", 409, "nothing is proposed", "Ask for a change first."),
    ("AI_CHANGESET_NOT_VALIDATED", 409, "the change set was not checked yet", "Validate it."),
    ("AI_CHANGESET_CLOSED", 409, "the change set was applied or rejected", "Ask for another one."),
    (
        "CONFIRMATION_REQUIRED",
        409,
        "what is deleted, or looks like a key, must be confirmed",
        "Show `details.reasons`, then send the token.",
    ),
    ("AI_TURN_EXPIRED", 410, "the events of the turn are not kept any more", "Read the session: it has the result."),
    (
        "AI_CONTEXT_BUDGET_EXCEEDED",
        413,
        "the target does not fit the model's window",
        "Choose a smaller target or a larger model.",
    ),
    (
        "AI_BAD_RESPONSE",
        422,
        "a change set of the wrong shape; 502 where a model sent it",
        "Mend what `details.errors` name.",
    ),
    ("AI_CHANGESET_SCHEMA_UNSUPPORTED", 422, "a change set of another version", "Send version 1.0."),
    (
        "AI_CHANGESET_CONTRACT_VIOLATION",
        422,
        "a change set that says two things, or none",
        "Mend what `details.errors` name.",
    ),
    ("EDIT_NOT_FOUND", 422, "the text of an edit stands nowhere", "Copy it from the text as it is."),
    ("EDIT_AMBIGUOUS", 422, "the text of an edit stands more than once", "Make it longer."),
    ("AI_VALIDATION_FAILED", 422, "the change does not hold any more", "Mend what `details.errors` name."),
    ("AI_APPLY_UNSUPPORTED", 422, "workflows are deleted by hand", "Delete it in the package."),
    (
        "AI_DOMAIN_PROFILE_INCOMPLETE",
        422,
        "the profile of the field lacks a member",
        "Correct what `details.pointer` names.",
    ),
    ("AI_APPLY_FAILED", 500, "the apply failed; nothing was changed", "Try again."),
    ("AI_PROMPT_COMPOSE_ERROR", 500, "a fault of the host", "Tell the operator."),
    ("AI_TOOL_EXECUTION_ERROR", 500, "the turn broke off", "Ask again."),
    ("LLM_PROFILE_ENCRYPTION_ERROR", 500, "no key is set to encrypt with; nothing was stored", "Tell the operator."),
    ("AI_PROVIDER_ERROR", 502, "the provider refused or failed", "Look at the profile, or try again."),
    ("AI_PROVIDER_UNREACHABLE", 502, "the provider does not answer", "Check the address."),
    ("AI_TOOL_LOOP_LIMIT_EXCEEDED", 502, "the model called tools and came to no end", "Ask for less at once."),
    ("AI_PROVIDER_TIMEOUT", 504, "the provider is too slow", "Try again, or allow more time."),
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
