//! The codes of a run and of those who drive it (spec: authoring.md §6).
//!
//! Codes of bundles, plans and replies are the kind's. Code, when, what to do.

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
