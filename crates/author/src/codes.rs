//! The codes of authoring: what a reply, a plan and a run can be told (spec: authoring.md §3, §5, §6).
//!
//! Codes of the bundle itself are the kind's. Code, when, what to do.

/// Of `reply.parse`.
pub const REPLY: &[(&str, &str, &str)] = &[
    ("REPLY_EMPTY", "no block and no tool call", "Answer with blocks or tool calls, not with words alone."),
    ("REPLY_UNKNOWN_BLOCK", "a block or tool that does not exist", "Use hp:plan, hp:file, hp:edit, hp:delete."),
    ("REPLY_BAD_HEADER", "a block without a path, a tool call without its arguments", "Name the file in the header."),
    ("REPLY_LOOSE_HEADER", "a header that is read, but not written as it should be", "Write `hp:file path=\"…\"`."),
    ("REPLY_UNCLOSED_BLOCK", "a block that the next one or the end closes", "Close each block with its own fence."),
    ("REPLY_TRUNCATED", "the reply was cut inside a block", "Send this file again, whole."),
    ("REPLY_DUPLICATE_FILE", "a file that comes twice; the first one stays", "Send each file once a reply."),
    ("EDIT_MALFORMED", "an edit without its three marks", "Write SEARCH, =======, REPLACE."),
    ("EDIT_NOT_FOUND", "lines that do not stand in the file", "Copy them exactly, or send the file whole."),
    ("EDIT_AMBIGUOUS", "lines that stand more than once", "Add lines around, or send the file whole."),
    ("EDIT_BASE_MISSING", "an edit of a file that is not there", "Write it whole."),
    ("EDIT_WHITESPACE", "lines that were found only without regard to indentation", "Copy lines exactly."),
    (
        "AI_TOOL_FORBIDDEN",
        "a call by the name of apply or install",
        "Only send files: a person installs, after review.",
    ),
];

/// Of `plan.check` and of a bundle against its plan.
pub const PLAN: &[(&str, &str, &str)] = &[
    ("PLAN_CAPABILITY_MISSING", "a planned contribution needs what the plan does not ask for", "Plan the capability."),
    ("PLAN_UNCHECKABLE", "the manifest does not hold, so nothing can be compared", "Mend the manifest first."),
    ("PLAN_EXTRA_CAPABILITY", "a capability that was not approved", "Remove it, or have it planned."),
    ("PLAN_EXTRA_CONTRIBUTION", "a contribution that was not approved", "Remove it, or have it planned."),
    ("PLAN_EXTRA_TRIGGER", "an event that was not approved", "Remove it, or have it planned."),
    ("PLAN_MISSING_CONTRIBUTION", "a planned contribution is not there", "Contribute it."),
    ("PLAN_CONTRIBUTION_CHANGED", "a contribution is not as it was approved", "Give it what was approved."),
    ("PLAN_MISSING_TRIGGER", "a planned event is not in `activation`", "Add it."),
    ("PLAN_MISSING_WIDGET", "a planned file is not there", "Write it."),
    ("PLAN_MISSING_TEST", "a planned test is not there", "Write it."),
    ("PLAN_TEST_CHANGED", "a planned test runs on another fixture", "Run it as planned."),
];

/// Of a run: findings of attempts, what the host mended by itself, and facts that are told.
pub const RUN: &[(&str, &str, &str)] = &[
    ("TEST_FAILED", "a test that failed without saying why", "Run it again."),
    ("TEST_NOT_RUN", "a test without a result", "Run it again."),
    ("TEST_TIMEOUT", "the tests did not end in time", "Do less at once."),
    ("BYTE_ORDER_MARK", "a byte order mark was removed", "Nothing."),
    ("LINE_ENDINGS", "line endings were made LF", "Nothing."),
    ("ATTEMPT_TIMEOUT", "the model took too long; what came so far was used", "Wait for the next attempt."),
    ("PLAN_ADJUSTMENTS_USED", "no adjustment is left", "Edit the plan by hand, approve it, or cancel."),
    ("UPSTREAM_UNREACHABLE", "the model did not answer", "Try again."),
    ("PROMPT_TOO_LARGE", "the request does not fit a prompt, whatever is cut", "Shorten it, or split it."),
    ("INPUT_TOO_LARGE", "the request or a reply is over a limit", "Shorten it."),
    ("CONFLICT", "what was signed is not what is shown", "Look again, then sign."),
];

/// Of those who drive a run or a page: told there and nowhere else.
pub const DRIVER: &[(&str, &str, &str)] = &[
    ("OFFLINE", "no answer came from the edge", "Try again when the network is back."),
    ("ODD_ANSWER", "an answer that is not JSON or has no error shape", "Try again."),
    ("NOT_STORED", "an install could not be stored", "Sign again: the bundle is still here."),
    ("NOT_READY", "an install before there was a change", "Wait for the review."),
    ("CHECK_NOT_LOADED", "the checks could not be fetched", "Try again when the network is back."),
    ("CHECK_TRAPPED", "a check broke off; it was started anew", "Make the files simpler, then try again."),
    ("TESTS_NOT_RUN", "the sandbox did not start", "Reload the page."),
    ("SANDBOX_FAULT", "the sandbox ended in a way of its own", "Run it again."),
];
