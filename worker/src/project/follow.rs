//! Reading the log of a turn: as a stream, or to its end (spec: ai-sessions.md §9).
//!
//! Stream, plain answer and resumed stream read the same rows. Invariant: a reader that leaves changes nothing.

use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_check::ApiError;
use holdpoint_gateway::wire::sse;
use holdpoint_store::session::{Logged, LoggedEvent};
use serde_json::{Value, json};
use worker::{Headers, Response};

use super::Object;
use super::kept::{ERROR, RESULT};
use crate::answer::EdgeError;
use crate::envelope::{self, REQUEST_HEADER};
use crate::js::{First, Gone, Watch, now_ms};
use crate::pipe::Pipe;

/// What a client waits before it comes again.
const RETRY: &str = "retry: 2000\n\n";
/// Shows a client that somebody is there.
const BEAT: &str = ": hb\n\n";
/// How long a reader stays at most: longer than any turn.
const MOST_MS: u64 = 900_000;

/// A turn that somebody reads.
pub struct Reading {
    /// Where it is.
    pub object: Rc<Object>,
    /// Of which session.
    pub session: String,
    /// Its number.
    pub turn: i64,
    /// As it is named outside.
    pub id: String,
    /// The last event that the reader has.
    pub behind: i64,
    /// Of whom reads.
    pub language: Option<&'static str>,
    /// The name of the request.
    pub request: String,
    /// What is told where the turn was deleted meanwhile.
    pub deleted: ApiError,
}

impl Reading {
    fn logged(&self) -> Result<Option<Logged>, EdgeError> {
        let workspace = self.object.workspace()?;
        Ok(self.object.sessions(&workspace).logged(&self.session, self.turn)?)
    }

    fn is_over(&self) -> bool {
        self.logged().ok().flatten().is_none_or(|logged| !logged.pending)
    }

    fn next(&mut self) -> Result<Vec<LoggedEvent>, EdgeError> {
        let workspace = self.object.workspace()?;
        let events = self.object.sessions(&workspace).events(self.turn, self.behind)?;
        if let Some(last) = events.last() {
            self.behind = last.seq;
        }
        Ok(events)
    }

    /// Gives a response at once and writes the log into it until the turn ends or the reader leaves.
    pub async fn stream(mut self, gone: Gone, give: oneshot::Sender<worker::Result<Response>>) {
        let headers = Headers::new();
        let named = headers
            .set("content-type", "text/event-stream; charset=utf-8")
            .and_then(|()| headers.set("cache-control", "no-store"))
            .and_then(|()| headers.set(REQUEST_HEADER, &self.request));
        if let Err(error) = named {
            return drop(give.send(Err(error)));
        }
        let Ok((response, pipe)) = Pipe::open(200, headers) else {
            return drop(give.send(Err("no stream could be opened".into())));
        };
        if give.send(Ok(response)).is_err() {
            return;
        }
        let (_stay, never) = oneshot::channel();
        let mut watch = Watch::new(gone, never, MOST_MS);
        if self.write(&pipe, &mut watch).await {
            pipe.close();
        }
    }

    /// `false`: the reader left.
    async fn write(&mut self, pipe: &Pipe, watch: &mut Watch) -> bool {
        let (stall, beat) = (self.object.settings.limits.client_stall_ms, self.object.editor.ping_ms);
        let mut text = RETRY.to_owned();
        loop {
            let bell = self.object.feeds.wait(self.turn);
            let Ok(events) = self.next() else { return true };
            // Who has seen the last event hears no other.
            let ends = events.last().map_or_else(|| self.is_over(), is_last);
            for event in &events {
                text.push_str(&self.said(event));
            }
            if events.is_empty() && matches!(self.logged(), Ok(None)) {
                text.push_str(&self.said(&self.last_of_deleted()));
            }
            if !text.is_empty() && !matches!(watch.first(&pipe.write(text.as_bytes()), stall).await, First::Done(Ok(_)))
            {
                return false;
            }
            if ends {
                return true;
            }
            text.clear();
            match watch.race(bell, beat).await {
                First::Done(_) => {}
                First::Late => text.push_str(BEAT),
                First::Gone | First::Cancelled => return false,
                First::Over => return true,
            }
        }
    }

    fn said(&self, event: &LoggedEvent) -> String {
        let translated = is_last(event).then(|| translated(&event.data, self.language)).flatten();
        let data = translated.as_ref().unwrap_or(&event.data);
        format!("id: {}:{}\n{}", self.id, event.seq, sse::event(Some(&event.name), data, "\n"))
    }

    /// A log that was deleted in the middle ends too.
    fn last_of_deleted(&self) -> LoggedEvent {
        let data = json!({"data": null, "error": self.deleted}).to_string();
        LoggedEvent { seq: self.behind + 1, name: ERROR.to_owned(), data }
    }

    /// Waits for the end of the turn: its result, or why it has none.
    pub async fn answer(mut self, gone: Gone) -> Result<Value, EdgeError> {
        let (_stay, never) = oneshot::channel();
        let mut watch = Watch::new(gone, never, MOST_MS);
        loop {
            let bell = self.object.feeds.wait(self.turn);
            if let Some(last) = self.next()?.last().filter(|event| is_last(event)) {
                return self.outcome(last);
            }
            if self.logged()?.is_none() {
                return Err(self.deleted.clone().into());
            }
            if !matches!(watch.race(bell, MOST_MS).await, First::Done(_)) {
                return Err(EdgeError::internal("a reader left"));
            }
        }
    }

    /// What the last event says.
    pub fn outcome(&self, last: &LoggedEvent) -> Result<Value, EdgeError> {
        let mut envelope: Value = serde_json::from_str(&last.data)?;
        if last.name == RESULT {
            return Ok(envelope["data"].take());
        }
        let error: ApiError = serde_json::from_value(envelope["error"].take())?;
        let workspace = self.object.workspace()?;
        let record = self.object.sessions(&workspace).record(self.turn)?;
        let record: Value = record.map_or(Ok(Value::Null), |text| serde_json::from_str(&text))?;
        let status = record["status"].as_u64().and_then(|status| u16::try_from(status).ok());
        Err(EdgeError(error.status(status.unwrap_or(500))))
    }

    /// Whether the events of the turn are gone. `None`: there is no such turn.
    pub fn is_expired(&self) -> Result<Option<bool>, EdgeError> {
        let logged = self.logged()?;
        Ok(logged.map(|logged| logged.until.is_some_and(|until| until <= now_ms())))
    }
}

fn is_last(event: &LoggedEvent) -> bool {
    event.name == RESULT || event.name == ERROR
}

/// An envelope in the language of its reader.
fn translated(data: &str, language: Option<&'static str>) -> Option<String> {
    language?;
    let mut envelope: Value = serde_json::from_str(data).ok()?;
    envelope::say_findings(&mut envelope["data"], language);
    if let Ok(error) = serde_json::from_value::<ApiError>(envelope["error"].clone()) {
        envelope["error"] = serde_json::to_value(envelope::said(error, language)).ok()?;
    }
    Some(envelope.to_string())
}
