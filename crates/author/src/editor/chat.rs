//! A chat turn from its request to its last event, without I/O (spec: script-tool.md §6 "Chat stream", §7).
//!
//! Invariants: nothing is sent and nothing is streamed before the first words of the model, so what fails before is an
//! ordinary error; words are written [`KEEP_CHARS`] characters or [`KEEP_MS`] after they came, whether or not others
//! follow, and at the end; after the end no event has an effect.

use holdpoint_kinds::script_tool::outcome::Outcome;
use serde_json::json;

use super::call::Call;
use super::frame::{Frame, Reason, Variant};
use super::outcome;
use super::step::{Close, Effect, Event, Failed, Phase, Refused, aborted};

/// Characters after which the answer so far is written.
pub const KEEP_CHARS: usize = 256;
/// Milliseconds after which it is.
pub const KEEP_MS: i64 = 750;
/// Bytes of an answer; more is cut off, as if the model had ended.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// A chat that runs.
#[derive(Debug)]
pub struct ChatTurn {
    phase: Phase,
    omitted: bool,
    open: bool,
    text: String,
    /// Characters that came since the text was written, and when that was.
    unkept: usize,
    kept_at: i64,
}

impl ChatTurn {
    /// A chat about to call the model.
    pub fn new(call: Call) -> (Self, Vec<Effect>) {
        let turn = Self {
            phase: Phase::default(),
            omitted: !call.omitted.is_empty(),
            open: false,
            text: String::new(),
            unkept: 0,
            kept_at: 0,
        };
        (turn, vec![Effect::Call(Box::new(call))])
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// When words are to be written, unless more come before: the driver then says [`Event::Tick`].
    pub fn due(&self) -> Option<i64> {
        (!self.is_over() && self.unkept > 0).then_some(self.kept_at + KEEP_MS)
    }

    /// What to do about an event.
    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        let event = match self.phase.pass(event) {
            Ok(event) => event,
            Err(effects) => return effects,
        };
        match event {
            Event::Admitted => Vec::new(),
            Event::Refused(refused) => {
                let mut effects = self.close(Outcome::UpstreamError);
                effects.push(Effect::Refuse(refused));
                effects
            }
            Event::Text { text, now } => self.text(&text, now),
            Event::Tick { now } => self.keep(now),
            Event::Finished { reason } => {
                let length = reason.as_deref() == Some("length");
                self.end(Outcome::Ok, if length { Reason::Length } else { Reason::Stop })
            }
            Event::Failed(failed) => self.fail(failed.outcome(), &failed),
            Event::TimedOut => aborted(self.fail(Outcome::Timeout, &Failed::new("UPSTREAM_TIMEOUT", ""))),
            Event::Cancelled => aborted(self.end(Outcome::Cancelled, Reason::Cancelled)),
        }
    }

    fn text(&mut self, text: &str, now: i64) -> Vec<Effect> {
        if text.is_empty() {
            return Vec::new();
        }
        let mut effects = self.opened();
        if self.kept_at == 0 {
            self.kept_at = now;
        }
        self.text.push_str(text);
        self.unkept += text.chars().count();
        effects.push(Effect::Emit(Frame::Delta { text: text.to_owned() }));
        if self.text.len() > MAX_TEXT_BYTES {
            effects.push(Effect::Abort);
            effects.extend(self.end(Outcome::Ok, Reason::Length));
        } else {
            effects.extend(self.keep(now));
        }
        effects
    }

    /// The words so far, if it is time to write them.
    fn keep(&mut self, now: i64) -> Vec<Effect> {
        let due = self.unkept >= KEEP_CHARS || self.due().is_some_and(|due| due <= now);
        if !due {
            return Vec::new();
        }
        (self.unkept, self.kept_at) = (0, now);
        vec![Effect::Keep(self.text.clone())]
    }

    /// The head of the stream, once.
    fn opened(&mut self) -> Vec<Effect> {
        if std::mem::replace(&mut self.open, true) {
            return Vec::new();
        }
        let mut effects = vec![Effect::Open];
        if self.omitted {
            let message = "Some files did not fit and were left out.".to_owned();
            effects.push(Effect::Emit(Frame::Notice { message, variant: Variant::Info }));
        }
        effects
    }

    fn end(&mut self, outcome: Outcome, reason: Reason) -> Vec<Effect> {
        let mut effects = if outcome == Outcome::Cancelled { Vec::new() } else { self.opened() };
        effects.extend(self.close(outcome));
        effects.push(if self.open { Effect::Emit(Frame::Done { reason }) } else { Effect::Refuse(stopped()) });
        effects
    }

    fn fail(&mut self, outcome: Outcome, failed: &Failed) -> Vec<Effect> {
        if outcome == Outcome::Cancelled {
            return self.end(outcome, Reason::Cancelled);
        }
        let mut effects = self.close(outcome);
        let message = outcome::sentence(outcome).to_owned();
        if self.open {
            effects.push(Effect::Emit(Frame::Notice { message, variant: Variant::Warning }));
            effects.push(Effect::Emit(Frame::Done { reason: Reason::Error }));
        } else {
            let mut details = json!({"outcome": outcome, "cause": failed.code});
            if let Some(wait) = failed.retry_after_ms {
                details["retry_after_ms"] = json!(wait);
            }
            let code = "SERVICE_UNAVAILABLE".to_owned();
            effects.push(Effect::Refuse(Refused { status: 503, code, message, details }));
        }
        effects
    }

    fn close(&mut self, outcome: Outcome) -> Vec<Effect> {
        self.phase.end(|| Close { outcome, text: self.text.clone() })
    }
}

/// For a client that still listens although its request was stopped before an answer came.
fn stopped() -> Refused {
    Refused {
        status: 499,
        code: "REQUEST_CANCELLED".to_owned(),
        message: "The request was stopped. Nothing was changed.".to_owned(),
        details: json!({}),
    }
}
