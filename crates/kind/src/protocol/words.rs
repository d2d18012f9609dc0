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
    /// A tool is called, or was: whether that went well.
    Tool {
        name: &'s str,
        call: &'s str,
        /// `None`: it begins. Else why it did not go well, if it did not.
        over: Option<Result<(), &'s str>>,
    },
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
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub name: &'static str,
    pub data: Value,
    /// Whether the stream closes behind it.
    pub last: bool,
}
