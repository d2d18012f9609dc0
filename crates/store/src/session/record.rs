//! The shapes that [`Session`](super::Session) takes and gives (ENGINE §6).

use serde::{Deserialize, Serialize};

/// Whose sentence it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Role {
    User,
    Assistant,
}

impl Role {
    pub(super) fn parse(text: &str) -> Self {
        if text == "assistant" { Self::Assistant } else { Self::User }
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
    /// What is spoken, by the id of its protocol.
    pub protocol: String,
    /// The user's words.
    pub message: String,
    /// Of the request.
    pub correlation: String,
    /// What the protocol keeps of it, JSON text.
    pub record: Option<String>,
    /// Whether this asks once more for what the newest turn asked for: its answer is then replaced.
    pub again: bool,
}

/// What a request brings beside its words, where its page has names for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RequestNames<'s> {
    /// The page's own name for the words.
    pub client_id: Option<&'s str>,
    /// The key under which it is done once.
    pub once: Option<OnceKey<'s>>,
}

/// A key under which a request is done once, with the hash of what was sent under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnceKey<'s> {
    /// As sent.
    pub key: &'s str,
    /// Of the path and the body.
    pub hash: &'s str,
}

/// A turn that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// `turn_<number>`.
    pub turn_id: String,
    /// `msg_<number>` of the answer.
    pub assistant_message_id: String,
    /// The number of the turn.
    pub turn: i64,
    /// That of the answer.
    pub message: i64,
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

/// A message with its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `msg_<number>`.
    pub id: String,
    /// `turn_<number>`.
    pub turn: String,
    /// Whose.
    pub role: Role,
    /// The words.
    pub content: String,
    /// Ms since 1970.
    pub at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    pub status: String,
    /// Of its turn.
    pub protocol: String,
    /// Of its turn.
    pub correlation: String,
    /// Why its turn failed.
    pub outcome: Option<String>,
    /// What became of its turn's proposal: `applied`, `discarded`, `undone`.
    pub decision: Option<String>,
    /// When that was decided, ms since 1970.
    pub decided: Option<i64>,
}
