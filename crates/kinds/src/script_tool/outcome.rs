//! How a generation ended (spec: script-tool.md §6 "outcome").
//!
//! Owns the names, what each makes of its turn, and how a parsed answer becomes one. Causes of the provider are never
//! merged into one another.

use serde::{Deserialize, Serialize};

use super::context::{Location, Mode};
use super::dialect::{EditOpsError, Parsed};

/// How a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditOutcome"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOutcome"))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Parsed, with ops.
    Ok,
    /// Parsed, without ops.
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
    /// The provider failed.
    UpstreamError,
    /// The provider says that the call is too long.
    ContextExceeded,
    /// An external provider needs the user's consent.
    RemoteFallbackRequired,
    /// The client went away.
    Cancelled,
}

/// What becomes of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnStatus {
    /// Begun.
    Pending,
    /// Its messages are context of later calls.
    Complete,
    /// Kept for the person, never context.
    Failed,
    /// Ended by the person; keeps its partial text.
    Cancelled,
}

impl Outcome {
    /// What the turn becomes.
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
            Err(EditOpsError::Truncated) => Self::Truncated,
            Err(EditOpsError::OpNotAllowed { .. }) if mode == Mode::PatchOnly => Self::NonPatchOps,
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
    use crate::script_tool::context::Cursor;
    use crate::script_tool::dialect::parse;

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
}
