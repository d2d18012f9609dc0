//! The shapes that [`Session`](super::Session) takes and gives (ENGINE §6).

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

impl Role {
    pub(super) fn parse(text: &str) -> Self {
        if text == "assistant" { Self::Assistant } else { Self::User }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Complete,
    Failed,
    Cancelled,
}

impl Status {
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
pub enum Decision {
    Applied,
    Discarded,
    Undone,
}

impl Decision {
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
    pub message: String,
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
    pub key: &'s str,
    /// Of the path and the body.
    pub hash: &'s str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    pub turn_id: String,
    pub assistant_message_id: String,
    /// The number of the turn.
    pub turn: i64,
    pub message: i64,
    /// Whether a turn had been left behind and was closed now.
    pub abandoned: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    pub status: Status,
    pub outcome: Option<String>,
    pub text: String,
}

/// A message of a turn that is complete, for the next call's context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub role: Role,
    pub content: String,
    /// What became of the turn's proposal.
    pub decision: Option<Decision>,
}

/// A message with its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub id: String,
    pub turn: String,
    pub role: Role,
    pub content: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    pub status: String,
    pub protocol: String,
    pub correlation: String,
    pub outcome: Option<String>,
    /// What became of its turn's proposal: `applied`, `discarded`, `undone`.
    pub decision: Option<String>,
    /// When that was decided, ms since 1970.
    pub decided: Option<i64>,
}
