//! The codes of error answers (spec: facade.md "Shapes"). Those of a method's subject stand with the subject.

/// Code, when, what to do.
pub const CODES: &[(&str, &str, &str)] = &[
    ("UNKNOWN_METHOD", "no method has that name", "Call one of methods.md."),
    ("INVALID_JSON", "the input is no JSON", "Send one JSON value."),
    ("INVALID_INPUT", "a member is missing or has another type", "Correct what `details.pointer` names."),
    ("INPUT_TOO_LARGE", "over a limit of the method", "Send less; the message names the limit."),
    ("PROMPT_TOO_LARGE", "the request does not fit, whatever is cut", "Shorten it; `details` holds tokens and limit."),
    ("SSE_EVENT_TOO_LARGE", "an event over the limit", "End events with a blank line."),
    ("BUNDLE_INVALID", "a command of a bundle that does not hold", "Mend what `details.diagnostics` name."),
    ("UNKNOWN_COMMAND", "a command that the bundle does not have", "Name one of the manifest."),
    ("UNKNOWN_HUNK", "a hunk that the diff does not have", "Take ids from text.diff of the same texts."),
    ("CONFLICT", "base, patch or result are not those that were previewed", "Look at the fresh preview."),
    ("CONFIRMATION_REQUIRED", "the proposal must be confirmed", "Show the reasons, then send the confirm_token."),
    ("MESSAGE_OVER_BUDGET", "the newest message does not fit its budget", "Shorten it; it is never cut."),
    ("SYSTEM_OVER_BUDGET", "the system prompt is over its cap", "Shorten what the host adds, or raise the cap."),
];
