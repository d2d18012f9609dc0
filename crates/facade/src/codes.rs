//! The codes of error answers (spec: facade.md "Shapes"). Those of a method's subject stand with the subject.

use holdpoint_check::codes;

codes! {
    /// no method has that name
    UNKNOWN_METHOD: Error, "`{method}` is no method. Call one of the reference." [method];
    /// an event over the limit
    SSE_EVENT_TOO_LARGE: Error, "An event is larger than the limit. End events with a blank line.";
    INVALID_INPUT / NO_KIND: Error, "There is no kind `{kind}` here. Use one of {known}." [kind, known];
    INVALID_INPUT / NO_MODEL: Error, "Name the model.";
    INVALID_INPUT / NO_BASE64: Error, "Send standard base64 with padding.";
    INVALID_INPUT / NO_CODE: Error, "`{code}` is no code of the gateway." [code];
    INVALID_INPUT / NO_COMMAND: Error, "Correct the command: {cause}." [cause];
}

/// Codes that stand with their subject and are answered by methods too: code, when, what to do.
pub const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("INVALID_INPUT", "a member is missing or has another type", "Correct what `details.pointer` names."),
    ("INPUT_TOO_LARGE", "over a limit of the method", "Send less; the message names the limit."),
    ("PROMPT_TOO_LARGE", "the request does not fit, whatever is cut", "Shorten it; `details` holds tokens and limit."),
    ("UNKNOWN_HUNK", "a hunk that the diff does not have", "Take ids from text.diff of the same texts."),
    ("CONFLICT", "base, patch or result are not those that were previewed", "Look at the fresh preview."),
    ("CONFIRMATION_REQUIRED", "the proposal must be confirmed", "Show the reasons, then send the confirm_token."),
    ("MESSAGE_OVER_BUDGET", "the newest message does not fit its budget", "Shorten it; it is never cut."),
    ("SYSTEM_OVER_BUDGET", "the system prompt is over its cap", "Shorten what the host adds, or raise the cap."),
];
