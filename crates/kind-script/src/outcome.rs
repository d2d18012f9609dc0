//! How a generation ended (spec: script-tool.md §6 "outcome").
//!
//! Owns the names, what each makes of its turn, what a person reads, and how an answer or a failure becomes one.
//! Invariant: causes of the provider are never merged into one another.

use holdpoint_check::{Code, Sentence, args, codes};
use serde::{Deserialize, Serialize};

use super::context::{Location, Mode};
use super::dialect::{EditOpsError, Parsed};
use holdpoint_kind::protocol::{Cause, Ending, Failed, TurnStatus};

codes! {
    SERVICE_UNAVAILABLE / ANSWER_CUT: Error,
        "The answer became too long and was cut off. Ask for less at once, then try again.";
    SERVICE_UNAVAILABLE / ANSWER_UNUSABLE: Error,
        "The model gave no usable suggestion. Nothing was changed. Try again.";
    SERVICE_UNAVAILABLE / PLACE_NEEDED: Error,
        "The suggestion needs a place in the text. Select the place, then ask again.";
    SERVICE_UNAVAILABLE / ANSWER_LATE: Error,
        "The model did not answer in time. Try again, or ask for less at once.";
    SERVICE_UNAVAILABLE / MODEL_FAILED: Error,
        "The model's server failed. Your texts are as they were. Try again.";
    SERVICE_UNAVAILABLE / REQUEST_TOO_LONG: Error,
        "The request is longer than the model can read. Shorten it, or start a new chat.";
    SERVICE_UNAVAILABLE / CONSENT_NEEDED: Error,
        "The usual model is not available. May a provider outside this network be asked?";
    REQUEST_CANCELLED / STOPPED: Error, "The request was stopped. Nothing was changed.";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditOutcome"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOutcome"))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Ok,
    Empty,
    /// The model ran out of output.
    Truncated,
    /// No answer in the wanted form.
    ParseFailed,
    /// An older op where only patches are taken.
    NonPatchOps,
    /// An older op at a place that was not sent.
    IncompatibleOps,
    /// The provider was too slow.
    Timeout,
    UpstreamError,
    /// The provider says that the call is too long.
    ContextExceeded,
    /// An external provider needs the user's consent.
    RemoteFallbackRequired,
    Cancelled,
}

/// Words by which providers say that a request is longer than their model's window.
const CONTEXT_WORDS: [&str; 6] = [
    "context_length_exceeded",
    "context length",
    "context window",
    "maximum context",
    "prompt is too long",
    "too many tokens",
];

impl Outcome {
    pub const ALL: [Self; 11] = [
        Self::Ok,
        Self::Empty,
        Self::Truncated,
        Self::ParseFailed,
        Self::NonPatchOps,
        Self::IncompatibleOps,
        Self::Timeout,
        Self::UpstreamError,
        Self::ContextExceeded,
        Self::RemoteFallbackRequired,
        Self::Cancelled,
    ];

    /// As answered, stored and logged.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Empty => "empty",
            Self::Truncated => "truncated",
            Self::ParseFailed => "parse_failed",
            Self::NonPatchOps => "non_patch_ops",
            Self::IncompatibleOps => "incompatible_ops",
            Self::Timeout => "timeout",
            Self::UpstreamError => "upstream_error",
            Self::ContextExceeded => "context_exceeded",
            Self::RemoteFallbackRequired => "remote_fallback_required",
            Self::Cancelled => "cancelled",
        }
    }

    /// The outcome with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    pub fn ending(self) -> Ending {
        Ending { outcome: self.name(), status: self.turn() }
    }

    /// As the eval header says it (spec §10 "Eval").
    pub fn eval_name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Empty => "empty",
            Self::Truncated => "truncated",
            Self::ContextExceeded => "over_budget",
            Self::Timeout => "timeout",
            _ => "error",
        }
    }

    /// What a person reads where the model said nothing usable; none where its own words stand.
    pub fn sentence(self) -> Option<Sentence> {
        self.code().map(|code| Sentence::of(code, args! {}))
    }

    pub(super) fn code(self) -> Option<&'static Code> {
        match self {
            Self::Ok | Self::Empty | Self::Cancelled => None,
            Self::Truncated => Some(&ANSWER_CUT),
            Self::ParseFailed | Self::NonPatchOps => Some(&ANSWER_UNUSABLE),
            Self::IncompatibleOps => Some(&PLACE_NEEDED),
            Self::Timeout => Some(&ANSWER_LATE),
            Self::UpstreamError => Some(&MODEL_FAILED),
            Self::ContextExceeded => Some(&REQUEST_TOO_LONG),
            Self::RemoteFallbackRequired => Some(&CONSENT_NEEDED),
        }
    }

    /// What the end of a turn means that does not follow from an answer's ops; `replied` is that of a reply.
    pub fn of_cause(cause: &Cause<'_>, replied: Self) -> Self {
        match cause {
            Cause::Replied(_) => replied,
            Cause::Failed(failed) => Self::of_failure(failed),
            Cause::TimedOut | Cause::Overdue => Self::Timeout,
            Cause::Unread | Cause::TooLong => Self::ParseFailed,
            Cause::Refused(_) | Cause::Limit(_) | Cause::Interrupted | Cause::Broke => Self::UpstreamError,
            Cause::Cancelled => Self::Cancelled,
        }
    }

    /// What a failed call means.
    pub fn of_failure(failed: &Failed) -> Self {
        let upstream = failed.upstream.to_lowercase();
        if CONTEXT_WORDS.iter().any(|words| upstream.contains(words)) {
            return Self::ContextExceeded;
        }
        match failed.code.as_str() {
            "UPSTREAM_TIMEOUT" | "UPSTREAM_STALLED" => Self::Timeout,
            "REMOTE_FALLBACK_REQUIRED" => Self::RemoteFallbackRequired,
            "REQUEST_CANCELLED" => Self::Cancelled,
            _ => Self::UpstreamError,
        }
    }

    pub fn turn(self) -> TurnStatus {
        match self {
            Self::Ok | Self::Empty => TurnStatus::Complete,
            Self::Cancelled => TurnStatus::Cancelled,
            _ => TurnStatus::Failed,
        }
    }

    /// The outcome of a model's answer, parsed in a mode for a request that named a place.
    pub fn of_answer(answer: &Result<Parsed, EditOpsError>, mode: Mode, location: &Location) -> Self {
        match answer {
            Err(error) if error.code() == "EDITOPS_TRUNCATED" => Self::Truncated,
            Err(error) if mode == Mode::PatchOnly && error.code() == "EDITOPS_OP_NOT_ALLOWED" => Self::NonPatchOps,
            Err(_) => Self::ParseFailed,
            Ok(parsed) if parsed.ops.is_empty() => Self::Empty,
            Ok(parsed) if parsed.ops.iter().all(|op| location.has(op)) => Self::Ok,
            Ok(_) => Self::IncompatibleOps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Cursor;
    use crate::dialect::parse;

    #[test]
    fn answers() {
        let cursor = Location { selection: None, cursor: Some(Cursor { pos: 0 }) };
        let insert = r#"{"ops":[{"op":"insert","target_file":"tool.py","target":{"kind":"cursor"},"content":"a"}]}"#;
        let delete = r#"{"ops":[{"op":"delete","target_file":"tool.py","target":{"kind":"selection"}}]}"#;
        let anchor = r#"{"ops":[{"op":"delete","target_file":"tool.py","target":{"kind":"anchor"}}]}"#;
        let cases = [
            (r#"{"ops":[]}"#, None, Mode::PatchOnly, Outcome::Empty),
            (r#"{"ops":[]}"#, Some("length"), Mode::PatchOnly, Outcome::Truncated),
            ("no", None, Mode::Auto, Outcome::ParseFailed),
            (insert, None, Mode::PatchOnly, Outcome::NonPatchOps),
            (insert, Some("stop"), Mode::Auto, Outcome::Ok),
            (delete, None, Mode::Auto, Outcome::IncompatibleOps),
            (anchor, None, Mode::Auto, Outcome::ParseFailed),
        ];
        for (raw, finish, mode, want) in cases {
            let outcome = Outcome::of_answer(&parse(raw, finish, mode), mode, &cursor);
            assert_eq!(outcome, want, "{raw}");
            assert_eq!(outcome.turn() == TurnStatus::Complete, matches!(want, Outcome::Ok | Outcome::Empty), "{raw}");
        }
    }

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
            assert_eq!(Outcome::of_failure(&Failed::new(code, upstream)), want, "{code} {upstream}");
        }
    }

    #[test]
    fn every_failure_says_what_to_do() {
        for outcome in Outcome::ALL {
            assert_eq!(outcome.sentence().is_none(), outcome.turn() != TurnStatus::Failed, "{outcome:?}");
            assert_eq!(serde_json::json!(outcome), outcome.name());
            assert_eq!(Outcome::named(outcome.name()), Some(outcome));
        }
    }
}
