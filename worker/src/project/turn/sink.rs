//! The response to one client: a head, and then its body bit by bit, or all at once.
//!
//! Only who writes here waits for the client; the turn that it hears of goes on. Invariants: exactly one response is
//! given; after the client left nothing is written.

use futures_channel::oneshot;
use worker::{Headers, Response};

use crate::answer::EdgeError;
use crate::client_stream::ClientStream;
use crate::js::{First, Gone, Watch};

/// Bytes of one write: a slow client has its patience for each.
const WRITE_BYTES: usize = 65_536;
/// How long a client is answered at most: longer than any turn.
pub const MAX_MS: u64 = 900_000;

pub struct ResponseSink {
    give: Option<oneshot::Sender<worker::Result<Response>>>,
    stream: Option<ClientStream>,
    watch: Watch,
    /// Nobody stops a response; without this the watch would hear that somebody did.
    _stays: oneshot::Sender<()>,
    stall_ms: u64,
}

/// The response that a sink gives.
pub struct GivenResponse(oneshot::Receiver<worker::Result<Response>>);

impl GivenResponse {
    /// `lost` says a fault of ours: the request ended without an answer.
    pub async fn wait(self, lost: impl FnOnce(EdgeError) -> worker::Result<Response>) -> worker::Result<Response> {
        self.0.await.unwrap_or_else(|_| lost(EdgeError::internal("a request ended without an answer")))
    }
}

impl ResponseSink {
    /// A client that takes a write within `stall_ms`, or else has left.
    pub fn new(gone: Gone, stall_ms: u64) -> (Self, GivenResponse) {
        let (give, given) = oneshot::channel();
        let (stays, cancelled) = oneshot::channel();
        let watch = Watch::new(gone, cancelled, MAX_MS);
        (Self { give: Some(give), stream: None, watch, _stays: stays, stall_ms }, GivenResponse(given))
    }

    /// Whether a response was given.
    pub fn is_given(&self) -> bool {
        self.give.is_none()
    }

    /// Whether a body is being written, to a client that is there.
    pub fn is_open(&self) -> bool {
        self.stream.is_some()
    }

    /// Gives the head of a body that is written from now on. `false`: the client left.
    pub fn open(&mut self, headers: Headers) -> bool {
        let (Some(give), Ok((response, stream))) = (self.give.take(), ClientStream::open(200, headers)) else {
            return false;
        };
        if give.send(Ok(response)).is_ok() {
            self.stream = Some(stream);
        }
        self.is_open()
    }

    pub async fn write(&mut self, text: &str) -> bool {
        let Some(stream) = &self.stream else { return false };
        for piece in text.as_bytes().chunks(WRITE_BYTES) {
            if !matches!(self.watch.first(&stream.write(piece), self.stall_ms).await, First::Done(Ok(_))) {
                self.stream = None;
                return false;
            }
        }
        true
    }

    /// Waits for something, unless the client leaves.
    pub async fn wait<T>(&mut self, work: impl Future<Output = T>, patience_ms: u64) -> First<T> {
        let first = self.watch.race(work, patience_ms).await;
        if matches!(first, First::Gone | First::Cancelled) {
            self.stream = None;
        }
        first
    }

    /// Gives a whole response, unless a head was given.
    pub fn give(self, response: worker::Result<Response>) {
        if let Some(give) = self.give {
            let _ = give.send(response);
        }
    }

    /// Ends the body of a client that is still there.
    pub fn close(self) {
        if let Some(stream) = self.stream {
            stream.close();
        }
    }
}
