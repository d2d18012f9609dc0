//! The response to one client: a head, and then its body bit by bit, or all at once.
//!
//! Only who writes here waits for the client; the turn that it hears of goes on. Invariants: exactly one response is
//! given; after the client left nothing is written.

use futures_channel::oneshot;
use worker::{Headers, Response};

use crate::answer::EdgeError;
use crate::client_stream::ClientStream;
use crate::js::{First, Gone, Watch};

/// How long a client is answered at most: longer than any turn.
pub const MAX_MS: u64 = 900_000;

/// See the module.
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

    /// Whether a body is being written.
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

    /// `false`: the client left.
    pub async fn write(&mut self, text: &str) -> bool {
        let Some(stream) = &self.stream else { return false };
        if matches!(self.watch.first(&stream.write(text.as_bytes()), self.stall_ms).await, First::Done(Ok(_))) {
            return true;
        }
        self.stream = None;
        false
    }

    /// Waits for something, unless the client leaves.
    pub async fn wait<T>(&mut self, work: impl Future<Output = T>, patience_ms: u64) -> First<T> {
        self.watch.race(work, patience_ms).await
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
