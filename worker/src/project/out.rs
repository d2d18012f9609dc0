//! The client's end of a model's request: a whole answer, or a body that is written while the model works.
//!
//! A proposal's answer begins with blanks, which JSON allows, so that a client which left is noticed at the next one.
//! Invariant: exactly one head is sent; after the client left nothing is written.

use futures_channel::oneshot;
use holdpoint_engine::turn::Event;
use holdpoint_gateway::wire::sse::{self, PING};
use holdpoint_kind::protocol::Frame;
use serde_json::Value;
use worker::{Headers, Response};

use super::reply::{CORRELATION_HEADER, error_answer, json_answer};
use crate::answer::EdgeError;
use crate::js::{First, Watch, now_ms};
use crate::pipe::Pipe;

/// Between two blanks of an answer that is awaited.
const BLANK_MS: u64 = 1_000;

/// What an administrator measures: headers and their values, known before anything is sent.
pub struct Measured {
    /// What their names begin with.
    pub prefix: &'static str,
    /// Behind that.
    pub values: Vec<(&'static str, String)>,
}

/// See the module.
pub struct Out {
    give: Option<oneshot::Sender<Response>>,
    pipe: Option<Pipe>,
    correlation_id: String,
    ping_ms: u64,
    stall_ms: u64,
    streams: bool,
    /// Where an administrator measures.
    measures: Option<Measured>,
    /// What ended the request while something was written.
    interrupt: Option<Event>,
    /// When the client last heard something, ms since 1970.
    heard: i64,
}

impl Out {
    /// A client that waits for its head.
    pub fn new(
        give: oneshot::Sender<Response>,
        correlation_id: &str,
        ping_ms: u64,
        stall_ms: u64,
        measures: Option<Measured>,
    ) -> Self {
        Self {
            give: Some(give),
            pipe: None,
            correlation_id: correlation_id.to_owned(),
            ping_ms,
            stall_ms,
            streams: false,
            measures,
            interrupt: None,
            heard: now_ms(),
        }
    }

    /// Nobody waits: what is said goes elsewhere.
    pub fn nobody() -> Self {
        Self {
            give: None,
            pipe: None,
            correlation_id: String::new(),
            ping_ms: BLANK_MS,
            stall_ms: BLANK_MS,
            streams: false,
            measures: None,
            interrupt: None,
            heard: now_ms(),
        }
    }

    /// What ended the request while something was written; told once.
    pub fn take_interrupt(&mut self) -> Option<Event> {
        self.interrupt.take()
    }

    /// How long from now the client may hear nothing.
    pub fn patience_ms(&self, now: i64) -> u64 {
        let most = if self.streams { self.ping_ms } else { BLANK_MS };
        most.saturating_sub((now - self.heard).max(0).cast_unsigned())
    }

    /// Begins an answer that is awaited. Where something is measured its outcome stands in the head, so that waits.
    pub fn open_answer(&mut self) {
        if self.measures.is_none() {
            self.open("application/json", "no-store");
        }
    }

    /// Begins an event stream.
    pub fn open_stream(&mut self) {
        self.streams = true;
        self.open("text/event-stream", "no-cache");
    }

    fn open(&mut self, kind: &str, cache: &str) {
        let headers = Headers::new();
        let named = headers.set("content-type", kind).and_then(|()| headers.set("cache-control", cache));
        let named = named.and_then(|()| headers.set(CORRELATION_HEADER, &self.correlation_id));
        if named.is_err() || self.put_measures(&headers, "ok").is_err() {
            return;
        }
        let (Some(give), Ok((response, pipe))) = (self.give.take(), Pipe::open(200, headers)) else { return };
        match give.send(response) {
            Ok(()) => self.pipe = Some(pipe),
            Err(_) => self.interrupt = Some(Event::Cancelled),
        }
    }

    /// Sends an event.
    pub async fn emit(&mut self, frame: &Frame, watch: &mut Watch) {
        let event = sse::event(Some(frame.name), &frame.data.to_string(), "\n");
        self.write(event.as_bytes(), watch).await;
        if frame.last
            && let Some(pipe) = self.pipe.take()
        {
            pipe.close();
        }
    }

    /// Shows the client that somebody is there.
    pub async fn ping(&mut self, watch: &mut Watch) {
        let bytes = if self.streams { PING } else { " " };
        self.write(bytes.as_bytes(), watch).await;
    }

    /// Gives the answer.
    pub async fn answer(&mut self, value: &Value, outcome: &str, watch: &mut Watch) {
        if self.pipe.is_some() {
            self.write(value.to_string().as_bytes(), watch).await;
            if let Some(pipe) = self.pipe.take() {
                pipe.close();
            }
        } else if let Some(give) = self.give.take()
            && let Ok(response) = json_answer(200, value, &self.correlation_id)
            && self.put_measures(response.headers(), outcome).is_ok()
        {
            let _ = give.send(response);
        }
    }

    /// Gives an error, if nothing was given.
    pub fn refuse(&mut self, fault: &EdgeError, outcome: &str) {
        if let Some(give) = self.give.take()
            && let Ok(response) = error_answer(fault, &self.correlation_id)
            && self.put_measures(response.headers(), outcome).is_ok()
        {
            let _ = give.send(response);
        }
    }

    async fn write(&mut self, bytes: &[u8], watch: &mut Watch) {
        // Also where nobody is written to yet: the next word is due in its time, not at once.
        self.heard = now_ms();
        let Some(pipe) = &self.pipe else { return };
        match watch.first(&pipe.write(bytes), self.stall_ms).await {
            First::Done(Ok(_)) => {}
            // The client is still there and will hear how it ends.
            First::Over => self.interrupt = Some(Event::TimedOut),
            First::Cancelled => self.interrupt = Some(Event::Cancelled),
            First::Done(Err(_)) | First::Gone | First::Late => {
                self.interrupt = Some(Event::Cancelled);
                self.pipe = None;
            }
        }
    }

    /// The headers of a measurement (spec: script-tool.md §10 "Eval").
    fn put_measures(&self, headers: &Headers, outcome: &str) -> worker::Result<()> {
        let Some(Measured { prefix, values }) = &self.measures else { return Ok(()) };
        headers.set(&format!("{prefix}-outcome"), outcome)?;
        values.iter().try_for_each(|(name, value)| headers.set(&format!("{prefix}-{name}"), value))
    }
}
