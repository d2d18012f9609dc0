//! Readers of the log of a turn: for its whole answer, or for its events (ENGINE §6; spec: script-tool.md §6, §9,
//! ai-sessions.md §9).
//!
//! Plain answer, stream and resumed stream read the same log. Invariants: a guest that leaves changes nothing; a client
//! whose leaving ends its turn is noticed at the next write, also in a plain answer: that begins with blanks, which JSON
//! allows.

use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_check::ApiError;
use holdpoint_gateway::wire::sse::{self, PING};
use holdpoint_store::session::LoggedEvent;
use serde_json::{Value, json};
use worker::{Headers, Response};

use super::Unbegun;
use super::log::{ERROR, LogState, RESULT, TurnLog, TurnOutcome};
use super::sink::{MAX_MS, ResponseSink};
use crate::answer::EdgeError;
use crate::envelope::DataEnvelope;
use crate::js::First;
use crate::project::slots::StopTurn;

/// What a client waits before it comes again.
const RETRY: &str = "retry: 2000\n\n";
/// Shows a client that somebody is there.
const BEAT: &str = ": hb\n\n";
/// Between two blanks of an answer that is awaited.
const BLANK_MS: u64 = 1_000;

pub enum ReaderKind {
    Json,
    /// The events behind one that the reader has.
    Sse {
        after: i64,
    },
}

pub enum Listener {
    /// The one client of a turn that ends with it.
    Owner {
        stop: StopTurn,
        /// Whether the head of a plain answer waits for the outcome.
        head_last: bool,
    },
    /// One of any number, who may come back.
    Guest {
        /// The turn, as events name it.
        id: String,
        language: Option<&'static str>,
        /// The last event where the session was cleared meanwhile.
        deleted: ApiError,
        /// Hears of a result that its client was given.
        shown: Rc<dyn Fn(&Value)>,
    },
}

pub struct TurnReader {
    pub log: TurnLog,
    pub kind: ReaderKind,
    /// Of a body that is written on the way.
    pub headers: Headers,
    pub listener: Listener,
}

/// Waits for the beginning of a turn; the client that leaves meanwhile stops it.
pub async fn begun(
    mut begun: oneshot::Receiver<Result<TurnLog, Unbegun>>,
    sink: &mut ResponseSink,
    stop: &StopTurn,
) -> Result<TurnLog, Unbegun> {
    loop {
        match sink.wait(&mut begun, MAX_MS).await {
            First::Done(begun) => return begun.unwrap_or_else(|_| Err(Unbegun::lost())),
            First::Gone | First::Cancelled => stop.now(),
            First::Late | First::Over => {}
        }
    }
}

impl TurnReader {
    /// Reads until the turn ends or the reader leaves. `respond` makes the response of a turn of which no body was written.
    pub async fn read(self, mut sink: ResponseSink, respond: impl FnOnce(TurnOutcome) -> worker::Result<Response>) {
        let outcome = match self.kind {
            ReaderKind::Json => self.answer(&mut sink).await,
            ReaderKind::Sse { after } => self.events(after, &mut sink).await,
        };
        match outcome {
            Some(outcome) => sink.give(respond(outcome)),
            None => sink.close(),
        }
    }

    async fn answer(&self, sink: &mut ResponseSink) -> Option<TurnOutcome> {
        if matches!(self.listener, Listener::Owner { head_last: false, .. }) && !sink.open(self.headers.clone()) {
            self.leaves(sink);
            return None;
        }
        loop {
            let call = self.log.wait();
            if self.log.state() != LogState::Runs {
                let outcome = self.outcome();
                let Some(TurnOutcome { answer, .. }) = outcome.as_ref().filter(|_| sink.is_open()) else {
                    return outcome;
                };
                let body = answer.clone().unwrap_or_else(|fault| json!({"error": fault.0}));
                sink.write(&body.to_string()).await;
                return None;
            }
            let patience = if sink.is_open() { BLANK_MS } else { MAX_MS };
            let stays = match sink.wait(call, patience).await {
                First::Late if sink.is_open() => sink.write(" ").await,
                First::Done(_) | First::Late => true,
                First::Gone | First::Cancelled => false,
                First::Over => return None,
            };
            if !stays && self.leaves(sink) {
                return None;
            }
        }
    }

    async fn events(&self, mut after: i64, sink: &mut ResponseSink) -> Option<TurnOutcome> {
        let mut text = String::new();
        if let Listener::Guest { .. } = &self.listener {
            text.push_str(RETRY);
            if !sink.open(self.headers.clone()) {
                return None;
            }
        }
        loop {
            let call = self.log.wait();
            let state = self.log.state();
            let events = self.log.events(after).ok()?;
            for event in &events {
                after = event.seq;
                text.push_str(&self.text(event));
            }
            if let (LogState::Deleted, Listener::Guest { deleted, .. }) = (state, &self.listener)
                && events.is_empty()
            {
                let data = json!(DataEnvelope::of_error(deleted.clone())).to_string();
                text.push_str(&self.text(&LoggedEvent { seq: after + 1, name: ERROR.to_owned(), data }));
            }
            if !text.is_empty() {
                let is_open = sink.is_open() || sink.open(self.headers.clone());
                if !(is_open && sink.write(&text).await) {
                    self.leaves(sink);
                    return None;
                }
                text.clear();
                events.iter().filter(|event| event.name == RESULT).for_each(|event| self.shown(&event.data));
            }
            if state != LogState::Runs {
                // What fails before the first event is an ordinary answer.
                return if sink.is_open() { None } else { self.outcome() };
            }
            let patience = if sink.is_open() { self.log.object().editor.ping_ms } else { MAX_MS };
            match sink.wait(call, patience).await {
                First::Late if sink.is_open() => text.push_str(self.beat()),
                First::Gone | First::Cancelled if self.leaves(sink) => return None,
                First::Over => return None,
                _ => {}
            }
        }
    }

    fn shown(&self, data: &str) {
        if let Listener::Guest { shown, .. } = &self.listener
            && let Ok(DataEnvelope { data, .. }) = serde_json::from_str(data)
        {
            shown(&data);
        }
    }

    fn outcome(&self) -> Option<TurnOutcome> {
        if let (LogState::Deleted, Listener::Guest { deleted, .. }) = (self.log.state(), &self.listener) {
            return Some(EdgeError(deleted.clone()).into());
        }
        self.log.outcome().unwrap_or_else(|fault| Some(fault.into()))
    }

    /// The client left, and a turn that ends with it is stopped. `false`: how that ends is the answer.
    fn leaves(&self, sink: &ResponseSink) -> bool {
        let Listener::Owner { stop, .. } = &self.listener else { return true };
        stop.now();
        sink.is_given()
    }

    fn beat(&self) -> &'static str {
        if matches!(self.listener, Listener::Guest { .. }) { BEAT } else { PING }
    }

    fn text(&self, LoggedEvent { seq, name, data }: &LoggedEvent) -> String {
        let Listener::Guest { id, language, .. } = &self.listener else {
            return sse::event(Some(name), data, "\n");
        };
        let is_last = name == RESULT || name == ERROR;
        let translated = is_last.then(|| translated(data, *language)).flatten();
        format!("id: {id}:{seq}\n{}", sse::event(Some(name), translated.as_ref().unwrap_or(data), "\n"))
    }
}

/// An envelope in the language of its reader.
fn translated(data: &str, language: Option<&'static str>) -> Option<String> {
    language?;
    let envelope: DataEnvelope = serde_json::from_str(data).ok()?;
    Some(json!(envelope.said(language)).to_string())
}
