//! What a client hears of a turn that is streamed.

use holdpoint_check::{ApiError, Sentence};
use serde_json::Value;

use super::Ending;

/// Something that a client is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Said<'s> {
    /// The stream begins.
    Opened(&'s Names),
    /// What the person must know before the first words.
    Notice(&'s Sentence),
    /// The model's words.
    Words(&'s str),
    /// A tool is called, or was: whether that went well.
    Tool {
        /// Its name.
        name: &'s str,
        /// Of the call.
        call: &'s str,
        /// `None`: it begins.
        ok: Option<bool>,
    },
    /// The model is done.
    Done {
        /// Its finish reason.
        finish: Option<&'s str>,
    },
    /// Somebody stopped it.
    Cancelled,
    /// It failed.
    Failed(&'s Ending),
    /// Nothing was asked.
    Off(&'s ApiError),
}

/// What a turn is called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Of the request, over all its calls.
    pub correlation: String,
    /// The turn; empty while none is written.
    pub turn: String,
    /// The assistant's message.
    pub message: String,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its name.
    pub name: &'static str,
    /// Its data.
    pub data: Value,
    /// Whether the stream closes behind it.
    pub last: bool,
}
