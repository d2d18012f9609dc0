//! What a model writes: how it reaches the client, and when it is written (spec: script-tool.md §7).
//!
//! Invariant: words are written [`KEEP_CHARS`] characters or [`KEEP_MS`] after they came, whether or not others follow,
//! and at the end.

use holdpoint_check::Sentence;
use holdpoint_kind::protocol::{Cause, Phase, Said};

use super::{Effect, Turn};

/// Characters after which the answer so far is written.
pub const KEEP_CHARS: usize = 256;
/// Milliseconds after which it is.
pub const KEEP_MS: i64 = 750;

/// The words of a call.
#[derive(Debug)]
pub(super) struct Words {
    text: String,
    /// Bytes that a log in pieces has.
    told: usize,
    /// Characters that came since the text was written, and when that was.
    unkept: usize,
    kept_at: i64,
    /// The client's stream is open.
    open: bool,
    /// What the person must know before the first words.
    notice: Option<Sentence>,
}

impl Words {
    pub fn new(notice: Option<Sentence>) -> Self {
        Self { text: String::new(), told: 0, unkept: 0, kept_at: 0, open: false, notice }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn clear(&mut self) {
        self.text.clear();
        (self.told, self.unkept) = (0, 0);
    }

    pub fn due(&self) -> Option<i64> {
        (self.unkept > 0).then_some(self.kept_at + KEEP_MS)
    }

    /// The words so far, if it is time to write them.
    pub fn keep(&mut self, now: i64) -> Option<String> {
        let due = self.unkept >= KEEP_CHARS || self.due().is_some_and(|due| due <= now);
        due.then(|| {
            (self.unkept, self.kept_at) = (0, now);
            self.text.clone()
        })
    }

    /// What a log in pieces does not have yet.
    fn rest(&mut self) -> Option<String> {
        let rest = self.text[self.told..].to_owned();
        (self.told, self.unkept) = (self.text.len(), 0);
        (!rest.is_empty()).then_some(rest)
    }

    fn push(&mut self, text: &str, now: i64) {
        if self.kept_at == 0 {
            self.kept_at = now;
        }
        self.text.push_str(text);
        self.unkept += text.chars().count();
    }
}

impl Turn {
    pub(super) fn text(&mut self, text: &str, now: i64) -> Vec<Effect> {
        let too_long = self.words.text.len() + text.len() > self.protocol.bounds().reply_bytes;
        if !self.protocol.streams() {
            let mut effects = Vec::new();
            if self.keeps_words() {
                self.words.push(text, now);
                effects = self.keep(now);
            } else {
                self.words.text.push_str(text);
            }
            if too_long {
                effects.extend(self.aborted(&Cause::TooLong, Some("INPUT_TOO_LARGE")));
            }
            return effects;
        }
        if text.is_empty() {
            return Vec::new();
        }
        let mut effects = self.opened();
        self.words.push(text, now);
        effects.extend(self.say(&Said::Words(text)));
        if too_long {
            // Cut off, as if the model had ended.
            effects.push(Effect::Abort);
            self.finish = Some("length".to_owned());
            effects.extend(self.finished(Vec::new()));
        } else {
            effects.extend(self.words.keep(now).map(Effect::Keep));
        }
        effects
    }

    /// Whether the log has the model's words in pieces.
    fn keeps_words(&self) -> bool {
        self.continues() && self.protocol.keeps_words()
    }

    /// Writes the words so far, if it is time.
    pub(super) fn keep(&mut self, now: i64) -> Vec<Effect> {
        let Some(text) = self.words.keep(now) else { return Vec::new() };
        if self.keeps_words() { self.rest_of_words() } else { vec![Effect::Keep(text)] }
    }

    /// Tells what a log in pieces does not have yet.
    pub(super) fn rest_of_words(&mut self) -> Vec<Effect> {
        let rest = if self.keeps_words() { self.words.rest() } else { None };
        rest.map_or_else(Vec::new, |rest| self.say(&Said::Words(&rest)))
    }

    pub(super) fn opened(&mut self) -> Vec<Effect> {
        if !self.has_events() || std::mem::replace(&mut self.words.open, true) {
            return Vec::new();
        }
        let mut effects = vec![Effect::Open];
        if let Some(notice) = self.words.notice.take() {
            effects.extend(self.say(&Said::Notice(&notice)));
        }
        effects
    }

    /// Tells who reads along what goes on, where a turn goes on without its client.
    pub(super) fn say_phase(&self, phase: Phase) -> Vec<Effect> {
        if self.continues() { self.say(&Said::Phase(phase)) } else { Vec::new() }
    }

    pub(super) fn say(&self, said: &Said<'_>) -> Vec<Effect> {
        if !self.has_events() {
            return Vec::new();
        }
        self.protocol.frames(said).into_iter().map(Effect::Emit).collect()
    }
}
