//! What a failed call means for its turn, and what a person reads (spec: script-tool.md §6 "outcome").
//!
//! The outcomes themselves and what each makes of its turn are the kind's; this adds how they follow from what the
//! gateway says. Invariant: outcomes of the provider are never merged into one another.

use holdpoint_kinds::script_tool::outcome::Outcome;

/// Words by which providers say that a request is longer than their model's window.
const CONTEXT_WORDS: [&str; 6] = [
    "context_length_exceeded",
    "context length",
    "context window",
    "maximum context",
    "prompt is too long",
    "too many tokens",
];

/// As answered, stored and logged.
pub fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Empty => "empty",
        Outcome::Truncated => "truncated",
        Outcome::ParseFailed => "parse_failed",
        Outcome::NonPatchOps => "non_patch_ops",
        Outcome::IncompatibleOps => "incompatible_ops",
        Outcome::Timeout => "timeout",
        Outcome::UpstreamError => "upstream_error",
        Outcome::ContextExceeded => "context_exceeded",
        Outcome::RemoteFallbackRequired => "remote_fallback_required",
        Outcome::Cancelled => "cancelled",
    }
}

/// What a person reads where the model said nothing usable; empty where its own words stand.
pub fn sentence(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok | Outcome::Empty | Outcome::Cancelled => "",
        Outcome::Truncated => "The answer became too long and was cut off. Ask for less at once, then try again.",
        Outcome::ParseFailed | Outcome::NonPatchOps => {
            "The model gave no usable suggestion. Nothing was changed. Try again."
        }
        Outcome::IncompatibleOps => "The suggestion needs a place in the text. Select the place, then ask again.",
        Outcome::Timeout => "The model did not answer in time. Try again, or ask for less at once.",
        Outcome::UpstreamError => "The model's server failed. Your texts are as they were. Try again.",
        Outcome::ContextExceeded => "The request is longer than the model can read. Shorten it, or start a new chat.",
        Outcome::RemoteFallbackRequired => {
            "The usual model is not available. May a provider outside this network be asked?"
        }
    }
}

/// What a failed call means. `code` is the gateway's, `upstream` the provider's own code and words, if it said any.
pub fn of_failure(code: &str, upstream: &str) -> Outcome {
    let upstream = upstream.to_lowercase();
    if CONTEXT_WORDS.iter().any(|words| upstream.contains(words)) {
        return Outcome::ContextExceeded;
    }
    match code {
        "UPSTREAM_TIMEOUT" | "UPSTREAM_STALLED" => Outcome::Timeout,
        "REMOTE_FALLBACK_REQUIRED" => Outcome::RemoteFallbackRequired,
        "REQUEST_CANCELLED" => Outcome::Cancelled,
        _ => Outcome::UpstreamError,
    }
}

/// As the eval header says it (spec §10 "Eval").
pub fn eval_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Empty => "empty",
        Outcome::Truncated => "truncated",
        Outcome::ContextExceeded => "over_budget",
        Outcome::Timeout => "timeout",
        _ => "error",
    }
}

#[cfg(test)]
mod tests {
    use holdpoint_kinds::script_tool::outcome::TurnStatus;

    use super::*;

    const ALL: [Outcome; 11] = [
        Outcome::Ok,
        Outcome::Empty,
        Outcome::Truncated,
        Outcome::ParseFailed,
        Outcome::NonPatchOps,
        Outcome::IncompatibleOps,
        Outcome::Timeout,
        Outcome::UpstreamError,
        Outcome::ContextExceeded,
        Outcome::RemoteFallbackRequired,
        Outcome::Cancelled,
    ];

    #[test]
    fn failures_are_told_apart() {
        let cases = [
            ("UPSTREAM_TIMEOUT", "", Outcome::Timeout),
            ("UPSTREAM_STALLED", "", Outcome::Timeout),
            ("UPSTREAM_UNREACHABLE", "", Outcome::UpstreamError),
            ("UPSTREAM_RATE_LIMITED", "", Outcome::UpstreamError),
            ("UPSTREAM_STREAM_CUT", "", Outcome::UpstreamError),
            ("UPSTREAM_BAD_REQUEST", "context_length_exceeded", Outcome::ContextExceeded),
            ("UPSTREAM_BAD_REQUEST", "This model's maximum context length is 8192 tokens", Outcome::ContextExceeded),
            ("UPSTREAM_BAD_REQUEST", "unknown parameter", Outcome::UpstreamError),
            ("REQUEST_CANCELLED", "", Outcome::Cancelled),
        ];
        for (code, upstream, want) in cases {
            assert_eq!(of_failure(code, upstream), want, "{code} {upstream}");
        }
    }

    #[test]
    fn every_failure_says_what_to_do() {
        for outcome in ALL {
            assert_eq!(sentence(outcome).is_empty(), outcome.turn() != TurnStatus::Failed, "{outcome:?}");
            assert_eq!(serde_json::json!(outcome), name(outcome));
        }
    }
}
