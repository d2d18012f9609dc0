//! What happens to a running request, and what its driver must do: the language between the two machines of this
//! module and the edge.
//!
//! Owns no rule. Invariant: the first effect of a request that is admitted is [`Effect::Begin`]; the last one that
//! touches the thread is [`Effect::Close`]; a request that was refused before its admission touches nothing.

use holdpoint_gateway::{Refusal, wire};
use holdpoint_kinds::script_tool::outcome::Outcome;
use serde_json::Value;

use super::call::Call;
use super::edit::Answer;
use super::frame::Frame;
use super::outcome;

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The account has set the price of the call aside; the provider was not asked before.
    Admitted,
    /// The gateway refused the call: nothing was sent, nothing is charged.
    Refused(Refused),
    /// The model wrote.
    Text {
        /// What.
        text: String,
        /// Ms since 1970.
        now: i64,
    },
    /// Nothing came until a time that the turn had asked for.
    Tick {
        /// Ms since 1970.
        now: i64,
    },
    /// The model is done.
    Finished {
        /// Its finish reason.
        reason: Option<String>,
    },
    /// The call failed behind its admission.
    Failed(Failed),
    /// The time for the call is over.
    TimedOut,
    /// The client left, or the thread was cleared.
    Cancelled,
}

/// How a call failed behind its admission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failed {
    /// Of the gateway.
    pub code: String,
    /// The provider's own code and words, if it said any. Never stored, never logged.
    pub upstream: String,
    /// How long the provider asks to be left alone, if it does.
    pub retry_after_ms: Option<u64>,
}

impl Failed {
    /// A failure of which no more is known.
    pub fn new(code: &str, upstream: &str) -> Self {
        Self { code: code.to_owned(), upstream: upstream.to_owned(), retry_after_ms: None }
    }

    pub(super) fn outcome(&self) -> Outcome {
        outcome::of_failure(&self.code, &self.upstream)
    }
}

impl From<wire::Error> for Failed {
    /// An error of the edge keeps its code; a provider's own passed through the edge as it came.
    fn from(error: wire::Error) -> Self {
        let code = error.code.as_deref().unwrap_or_default();
        if code.starts_with("UPSTREAM_") || code == "REQUEST_CANCELLED" || code == "LEDGER_UNAVAILABLE" {
            let words = error.detail("upstream").and_then(Value::as_str).unwrap_or_default();
            return Self { retry_after_ms: error.retry_after_ms(), ..Self::new(code, words) };
        }
        Self::new("UPSTREAM_STREAM_ERROR", &format!("{code} {}", error.message))
    }
}

impl From<Refusal> for Failed {
    /// The stream could not be read.
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.code.name(), "")
    }
}

/// Why the gateway refused.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub struct Refused {
    pub status: u16,
    pub code: String,
    pub message: String,
    pub details: Value,
}

impl Refused {
    /// From the answer that a refused call got.
    pub fn read(status: u16, body: &[u8]) -> Self {
        let error = wire::Error::body(body).unwrap_or_default();
        let code = error.code.unwrap_or_else(|| "LEDGER_UNAVAILABLE".to_owned());
        Self { status, code, message: error.message, details: error.details.map_or(Value::Null, Value::Object) }
    }
}

/// What the driver does, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Writes the turn, the user's words and an empty answer.
    Begin,
    /// Calls the model.
    Call(Box<Call>),
    /// Ends the model call, with the policy `cancel_estimate`.
    Abort,
    /// Writes the answer so far.
    Keep(String),
    /// Ends the turn.
    Close(Close),
    /// Opens the event stream with `meta`.
    Open,
    /// Sends an event.
    Emit(Frame),
    /// Answers with JSON and status 200.
    Answer(Box<Answer>),
    /// Answers with an error.
    Refuse(Refused),
}

/// How a turn ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Close {
    /// What came of the request; what becomes of the turn follows from it.
    pub outcome: Outcome,
    /// The assistant's words, whole.
    pub text: String,
}

/// How far a request is: what both machines do alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its call is ordered; nothing is written.
    #[default]
    Ordered,
    /// Its turn is written.
    Begun,
    /// Nothing has an effect any more.
    Over,
}

impl Phase {
    /// Lets an event through to its machine, unless it only moves the phase or comes too late.
    pub fn pass(&mut self, event: Event) -> Result<Event, Vec<Effect>> {
        match (*self, event) {
            (Self::Over, _) | (Self::Begun, Event::Admitted) => Err(Vec::new()),
            (Self::Ordered, Event::Admitted) => {
                *self = Self::Begun;
                Err(vec![Effect::Begin])
            }
            (_, event) => Ok(event),
        }
    }

    /// Ends the request. A turn that was written is closed.
    pub fn end(&mut self, close: impl FnOnce() -> Close) -> Vec<Effect> {
        let begun = std::mem::replace(self, Self::Over) == Self::Begun;
        begun.then(|| Effect::Close(close())).into_iter().collect()
    }
}

/// Ends the model call, then does what follows from that.
pub(super) fn aborted(effects: Vec<Effect>) -> Vec<Effect> {
    [vec![Effect::Abort], effects].concat()
}
