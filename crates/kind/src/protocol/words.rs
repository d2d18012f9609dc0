//! What a client hears of a turn that is streamed.

use holdpoint_check::{ApiError, Sentence};
use serde_json::Value;

use super::{Content, Ending};

/// Something that a client is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Said<'s> {
    Opened(&'s Names),
    /// What the person must know before the first words.
    Notice(&'s Sentence),
    Words(&'s str),
    /// A tool is called, or was.
    Tool {
        name: &'s str,
        call: &'s str,
        /// Null where they could not be read.
        arguments: &'s Value,
        /// Whether the arguments were written otherwise.
        repaired: bool,
        /// Which call of the model called it, from 1.
        iteration: u32,
        /// `None`: it begins. Else what it gave, or why it did not go well.
        over: Option<Result<&'s Value, &'s ApiError>>,
    },
    /// Numbers and names of the prompt that was composed, in a turn that goes on without its client.
    Composed(&'s Value),
    /// What the calls so far have used, in a turn that goes on without its client.
    Used(TokenUse),
    /// What goes on, in a turn that goes on without its client.
    Phase(Phase),
    /// What the person reads of a reply that was read.
    Summary(&'s Content),
    Done {
        finish: Option<&'s str>,
    },
    Cancelled,
    Failed(&'s Ending),
    Off(&'s ApiError),
}

/// What goes on while nobody hears words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Composing,
    Model,
    /// A change is at its gates.
    Judging,
    /// The model is asked to mend its answer.
    Repair,
}

/// What a turn is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Of the request, over all its calls.
    pub correlation: String,
    /// The turn; empty while none is written.
    pub turn: String,
    pub message: String,
    /// The session; empty where its clients do not name it.
    pub session: String,
    /// The model as its users know it; empty where they do not.
    pub model: String,
}

/// Tokens as providers report them, and what was charged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenUse {
    pub input: u64,
    pub output: u64,
    /// In millionths of the currency; 0 also where the model has no price.
    pub cost: u64,
}

/// Where an event stands in a stored log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp<'s> {
    /// Of the request, over all its calls.
    pub correlation: &'s str,
    /// The first event is number 1.
    pub seq: i64,
    /// ISO 8601 in UTC with milliseconds.
    pub at: &'s str,
}

/// How a turn ended whose log is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogEnd<'l> {
    /// The number of the turn.
    pub turn: i64,
    pub ending: &'l Ending,
    /// Its answer, or what its client hears instead.
    pub said: Result<&'l Value, &'l ApiError>,
    pub usage: TokenUse,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub name: &'static str,
    pub data: Value,
    /// Whether the stream closes behind it.
    pub last: bool,
}
