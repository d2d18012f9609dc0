//! What a model said, what is wrong with it, and how a turn ends.

use holdpoint_check::{ApiError, Diagnostic};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What findings are compared by: code, path, place.
pub type Key = (String, String, String);

/// What is wrong with a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is compared by.
    pub key: Key,
    /// What the model is told of it.
    pub told: Value,
}

/// What other languages are said from enters no prompt.
impl From<&Diagnostic> for Finding {
    fn from(found: &Diagnostic) -> Self {
        let mut told = json!({ "code": found.code });
        for (name, text) in [("path", &found.path), ("pointer", &found.pointer), ("hint", &found.hint)] {
            if let Some(text) = text {
                told[name] = json!(text);
            }
        }
        if let Some(range) = found.range {
            told["at"] = json!(range.start);
        }
        told["message"] = json!(found.message);
        Self { key: key(found), told }
    }
}

/// What a finding of a check is compared by: code, path, pointer or start line.
pub fn key(found: &Diagnostic) -> Key {
    let line = || found.range.map(|range| range.start.line.to_string());
    let place = found.pointer.clone().or_else(line).unwrap_or_default();
    (found.code.to_string(), found.path.clone().unwrap_or_default(), place)
}

#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    Said(Content),
    /// It stands for calls of tools, which run as if the model had called them.
    Calls(Vec<MeantCall>),
    /// It is of no use.
    Bad {
        /// The outcome of a turn that ends with it.
        outcome: &'static str,
        code: Option<String>,
        /// What the model can be told; nothing: it is not asked again.
        findings: Vec<Finding>,
        /// What it says, where it is words alone: for the person, never context.
        words: String,
    },
}

/// A call of a tool that a reply in words stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct MeantCall {
    pub name: &'static str,
    pub arguments: Value,
}

/// A reply that says something.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    /// For the person, and for the session: never files, patches or other forms of a change.
    pub words: String,
    /// The change, as the kind stages it; `None`: only words.
    pub wire: Option<Value>,
    /// What the kind keeps beside; its own type at both ends.
    pub notes: Value,
}

/// What becomes of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnStatus {
    Pending,
    /// Its messages are context of later calls.
    Complete,
    /// Kept for the person, never context.
    Failed,
    /// Ended by the person; keeps its partial text.
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// The protocol's word for it.
    pub outcome: &'static str,
    /// What becomes of the turn.
    pub status: TurnStatus,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cause<'c> {
    Replied(&'c Content),
    /// A reply was of no use.
    Unread,
    /// A call failed behind its admission.
    Failed(&'c Failed),
    /// The time for a call is over.
    TimedOut,
    /// The time for the whole turn is.
    Overdue,
    /// A reply that is not streamed became too long.
    TooLong,
    /// A later call was not admitted: why.
    Refused(&'c ApiError),
    /// A bound of the turn is used up; its name.
    Limit(&'static str),
    /// The client left, or the session was cleared.
    Cancelled,
    /// The host went away in the middle.
    Interrupted,
    /// The host could not make the answer.
    Broke,
}

/// How a call failed behind its admission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failed {
    pub code: String,
    /// The provider's own code and words, if it said any. Never stored, never logged.
    pub upstream: String,
    /// The status of the provider's answer, if it gave one.
    pub upstream_status: Option<u64>,
    /// How long the provider asks to be left alone, if it does.
    pub retry_after_ms: Option<u64>,
}

impl Failed {
    /// A failure of which no more is known.
    pub fn new(code: &str, upstream: &str) -> Self {
        Self { code: code.to_owned(), upstream: upstream.to_owned(), ..Self::default() }
    }
}

/// A turn that ended and is not streamed: what its answer is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    pub ending: Ending,
    pub reply: Option<Content>,
    /// Which attempt that is, from 0.
    pub attempt: u32,
    /// What is still wrong with it.
    pub findings: Vec<Finding>,
    /// What the model said where nothing of it can be used.
    pub said: String,
    /// Of the failure, where it has one.
    pub code: Option<String>,
    /// Why the model ended its last reply.
    pub finish: Option<String>,
    /// The tools that were called, in order.
    pub tools: Vec<ToolUse>,
    pub calls: u32,
}

/// A call of a tool that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolUse {
    /// Its name, as the model wrote it.
    pub name: String,
    /// Why it did not go well.
    pub code: Option<String>,
}
