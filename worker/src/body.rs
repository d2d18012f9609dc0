//! Bodies from outside: read when their sender is known, no further than their limit, built when their nodes are
//! counted (ENGINE §8, spec: gateway.md §1, §2).
//!
//! Invariants: there is no other way to a body than past a [`Reader`]; what is let in of a refused one is not kept; all
//! bodies together hold no more of an isolate than [`MAX_HELD_BYTES`].

use std::cell::Cell;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use holdpoint_check::args;
use holdpoint_gateway::body::Body;
use holdpoint_gateway::json::JsonBounds;
use holdpoint_gateway::{Code, GatewayError};
use holdpoint_store::codes::NO_OBJECT;
use js_sys::futures::JsFuture;
use serde_json::{Value, json};
use worker::{Delay, Request};

use crate::answer::EdgeError;
use crate::auth::Reader;
use crate::relay::upstream::{Chunks, Piece};

/// How long what is still on its way from a refused sender is let in.
const LINGER: Duration = Duration::from_secs(2);
/// How much of it: over the largest form that is taken, so that who sends a little more reads why it is refused.
const MOST_LINGERING: u64 = 64 << 20;

/// Bytes of bodies that an isolate holds at once. It has 128 MB in all; the largest form and a few calls fit.
const MAX_HELD_BYTES: u64 = 64 << 20;
/// When a request that found no room for its body may be tried again.
const RETRY_MS: u64 = 1_000;

thread_local! {
    static HELD: Cell<u64> = const { Cell::new(0) };
}

/// The room that the body of one request has of its isolate, until it is dropped.
#[derive(Default)]
pub struct Held(Cell<u64>);

impl Held {
    /// Takes room for a body of so many bytes. Error: `TOO_MANY_IN_FLIGHT`, where other bodies have it.
    fn reserve(&self, size: u64) -> Result<(), EdgeError> {
        let more = size.saturating_sub(self.0.get());
        let all = HELD.get().saturating_add(more);
        if all > MAX_HELD_BYTES {
            let details = json!({"scope": "bodies", "limit": MAX_HELD_BYTES, "retry_after_ms": RETRY_MS});
            return Err(GatewayError::new(Code::TooManyInFlight).with(details).into());
        }
        HELD.set(all);
        self.0.set(self.0.get().saturating_add(more));
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        HELD.set(HELD.get().saturating_sub(self.0.get()));
    }
}

/// The bytes of a JSON body, up to a limit: it need not say how many it has, and is not believed if it does.
pub async fn read(reader: &Reader, request: &Request, limit: u64, held: &Held) -> Result<Vec<u8>, EdgeError> {
    read_as(reader, request, "application/json", limit, held).await
}

/// The bytes of a form.
pub async fn read_form(reader: &Reader, request: &Request, limit: u64, held: &Held) -> Result<Vec<u8>, EdgeError> {
    read_as(reader, request, "multipart/form-data", limit, held).await
}

async fn read_as(_: &Reader, request: &Request, wanted: &str, limit: u64, held: &Held) -> Result<Vec<u8>, EdgeError> {
    let headers = request.headers();
    let kind = headers.get("content-type")?.unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind != wanted {
        return Err(Code::UnsupportedMediaType.into());
    }
    let told: Option<u64> = headers.get("content-length")?.and_then(|text| text.parse().ok());
    let mut body = Body::new(limit, told)?;
    held.reserve(told.unwrap_or_default())?;
    let mut size: u64 = 0;
    // A body that says how long it is gets a place of that length, and one byte that shows whether it lied.
    let chunks = Chunks::over(request.inner().body()).of_about(told.map(|told| told.saturating_add(1)));
    let read = loop {
        let Ok(next) = JsFuture::from(chunks.next()).await else { break Err(EdgeError::internal("a body broke off")) };
        let Piece::Bytes(view) = Chunks::read(&next) else { break Ok(body.into_bytes()) };
        size = size.saturating_add(view.length().into());
        if let Err(refusal) = held.reserve(size) {
            break Err(refusal);
        }
        if let Err(refusal) = body.push(&view.to_vec()) {
            break Err(refusal.into());
        }
    };
    chunks.release();
    read
}

/// Lets in, unkept, what a refused sender still sends: where nobody takes it the connection breaks, and the answer with
/// it.
pub async fn linger(body: Option<web_sys::ReadableStream>) {
    let chunks = Chunks::over(body.filter(|body| !body.locked()));
    let mut over = pin!(Delay::from(LINGER));
    let mut left = MOST_LINGERING;
    while let Either::Left((Ok(next), _)) = select(JsFuture::from(chunks.next()), over.as_mut()).await {
        let Piece::Bytes(view) = Chunks::read(&next) else { return };
        let Some(rest) = left.checked_sub(view.length().into()) else { return };
        left = rest;
    }
}

/// The JSON object of a body; duplicate keys are refused.
pub fn parsed(bytes: Vec<u8>, bounds: JsonBounds) -> Result<Value, EdgeError> {
    let text = String::from_utf8(bytes).map_err(|_| EdgeError::from(Code::InvalidJson))?;
    let value = holdpoint_gateway::json::read(&text, bounds).map_err(GatewayError::from)?;
    if value.is_object() { Ok(value) } else { Err(EdgeError::invalid("", &NO_OBJECT, args! {})) }
}
