//! The shapes that [`Threads`](super::Threads) takes and gives (spec: script-tool.md §6 "History", §7).

use serde::{Deserialize, Serialize};

/// Whose sentence it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ThreadRole"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ThreadRole"))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Role {
    User,
    Assistant,
}

impl Role {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    pub(super) fn parse(text: &str) -> Self {
        if text == "assistant" { Self::Assistant } else { Self::User }
    }
}

/// What a turn asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// Words.
    Chat,
    /// A proposal.
    EditOps,
}

impl TurnKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::EditOps => "edit_ops",
        }
    }
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Status {
    Complete,
    Failed,
    Cancelled,
}

impl Status {
    /// As stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Decision {
    Applied,
    Discarded,
    Undone,
}

impl Decision {
    /// As stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Discarded => "discarded",
            Self::Undone => "undone",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::Applied, Self::Discarded, Self::Undone].into_iter().find(|decision| decision.as_str() == text)
    }
}

/// A turn about to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTurn {
    /// Chat or a proposal.
    pub kind: TurnKind,
    /// The user's words.
    pub message: String,
    /// Of the request.
    pub correlation_id: String,
    /// Who answers.
    pub provider: String,
    /// Whether this asks once more for what the newest turn asked for: its answer is then replaced.
    pub again: bool,
}

/// A turn that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// `turn_<number>`.
    pub turn_id: String,
    /// `msg_<number>` of the answer.
    pub assistant_message_id: String,
    /// Whether a turn had been left behind and was closed now.
    pub abandoned: bool,
}

/// How a turn ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// How.
    pub status: Status,
    /// Why, where it failed.
    pub outcome: Option<String>,
    /// The assistant's words, whole.
    pub text: String,
}

/// A message of a turn that is complete, for the next call's context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Whose.
    pub role: Role,
    /// The words.
    pub content: String,
    /// What became of the turn's proposal.
    pub decision: Option<Decision>,
}

/// A message as its reader gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ThreadMessage"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ThreadMessage"))]
pub struct Message {
    /// `msg_<number>`.
    pub message_id: String,
    /// `turn_<number>`.
    pub turn_id: String,
    /// Whose.
    pub role: Role,
    /// The words.
    pub content: String,
    /// Ms since 1970.
    pub created_at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    #[cfg_attr(feature = "ts", ts(type = "\"pending\" | \"complete\" | \"failed\" | \"cancelled\""))]
    pub status: String,
    /// `chat` or `edit_ops`.
    #[cfg_attr(feature = "ts", ts(type = "\"chat\" | \"edit_ops\""))]
    pub kind: String,
    /// Of its turn.
    pub correlation_id: String,
    /// Why its turn failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failure_outcome: Option<String>,
    /// What became of its turn's proposal: `applied`, `discarded`, `undone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "\"applied\" | \"discarded\" | \"undone\""))]
    pub decision: Option<String>,
    /// When that was decided, ms since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub decided_at: Option<i64>,
}

/// A thread as its reader gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thread {
    /// The newest, oldest first.
    pub messages: Vec<Message>,
    /// The tool's present revision.
    pub base_version_id: String,
}

/// What came of a discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Discarded {
    /// Whether the thread had a proposal that nobody had decided.
    pub discarded: bool,
}

/// What came of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stopped {
    /// Whether something ran that nobody had stopped.
    pub cancelled: bool,
}
