//! The upstream end of a call: one fetch under an abort controller, its answer read chunk by chunk.
//!
//! Invariant: redirects are never followed, and no header of the client goes upstream.

use holdpoint_gateway::usage::Extract;
use holdpoint_gateway::{Code, GatewayError, redact};
use js_sys::{Promise, Uint8Array};
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{Env, console_error};

use super::admit::Sending;
use crate::js::{First, Watch, headers, now_ms};
use crate::outbound;

/// Bytes of one read: keeps the upstream's own chunks, and few calls on fast streams.
const READ_BYTES: u32 = 64 << 10;
/// Most bytes of an upstream's refusal that are passed on.
const MAX_REFUSAL_BYTES: usize = 64 << 10;

/// A call to a provider.
pub struct Upstream {
    controller: web_sys::AbortController,
}

impl Upstream {
    /// A call that has not begun.
    pub fn new() -> Result<Self, JsValue> {
        Ok(Self { controller: web_sys::AbortController::new()? })
    }

    /// Sends the request; the promise gives the response once its headers are there.
    pub(super) fn send(&self, env: &Env, sending: &Sending) -> Result<Promise, JsValue> {
        let members: Vec<_> = sending.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let headers = headers(&members).map_err(|_| JsValue::from_str("headers"))?;
        let init = web_sys::RequestInit::new();
        init.set_method("POST");
        init.set_redirect(web_sys::RequestRedirect::Manual);
        init.set_headers(headers.0.as_ref());
        init.set_body(&JsValue::from_str(&sending.text));
        let request = web_sys::Request::new_with_str_and_init(&sending.url, &init)?;
        outbound::send(env, &request, &self.controller.signal(), sending.reach)
    }

    /// Ends it; the provider sees its connection close.
    pub fn abort(&self) {
        self.controller.abort();
    }
}

/// Reads a body in the upstream's own chunks.
pub struct Chunks {
    reader: Option<web_sys::ReadableStreamByobReader>,
    /// It counts the bytes of one read.
    most: u32,
}

pub enum Piece {
    /// Bytes, as a view that can be handed on.
    Bytes(Uint8Array),
    End,
}

impl Chunks {
    /// The body of a response.
    pub fn of(response: &web_sys::Response) -> Self {
        let told = response.headers().get("content-length").ok().flatten().and_then(|text| text.parse().ok());
        Self::over(response.body()).of_about(told)
    }

    /// A body, if there is one.
    pub fn over(body: Option<web_sys::ReadableStream>) -> Self {
        let Some(body) = body else { return Self { reader: None, most: READ_BYTES } };
        let options = web_sys::ReadableStreamGetReaderOptions::new();
        options.set_mode(web_sys::ReadableStreamReaderMode::Byob);
        let reader = body.get_reader_with_options(&options).unchecked_into();
        Self { reader: Some(reader), most: READ_BYTES }
    }

    /// Reads so many bytes at once where the body is that short: a place for each read is made and cleared.
    pub fn of_about(self, bytes: Option<u64>) -> Self {
        let most = bytes.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(READ_BYTES);
        Self { most: most.clamp(1, READ_BYTES), ..self }
    }

    /// Asks for the next chunk.
    pub fn next(&self) -> Promise {
        match &self.reader {
            Some(reader) => reader.read_with_array_buffer_view(&Uint8Array::new_with_length(self.most)),
            None => Promise::resolve(&JsValue::UNDEFINED),
        }
    }

    /// Leaves the rest to whoever reads next. No read may be under way.
    pub fn release(self) {
        if let Some(reader) = self.reader {
            reader.release_lock();
        }
    }

    /// What a promise of [`Chunks::next`] gave.
    pub fn read(result: &JsValue) -> Piece {
        let field = |name: &str| js_sys::Reflect::get(result, &JsValue::from_str(name)).unwrap_or_default();
        if result.is_undefined() || field("done").is_truthy() {
            return Piece::End;
        }
        match field("value").dyn_into::<Uint8Array>() {
            Ok(bytes) => Piece::Bytes(bytes),
            Err(_) => Piece::End,
        }
    }
}

/// What a provider did of a request that it gave no answer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// It is charged and closed already.
    Charged,
    /// It never had it, or says that it refused it.
    Nothing,
    /// It had it; nobody knows what it did.
    Unknown,
    /// It refused it and reports what that took.
    Reported(Extract),
}

/// Why an answer is not passed on, and whether another try may help.
pub struct Failure {
    pub refusal: GatewayError,
    pub retryable: bool,
    /// What the upstream asks to wait.
    pub retry_after_ms: Option<u64>,
    /// What it is charged by.
    pub done: Done,
}

impl Failure {
    /// The same call may succeed later.
    pub fn new(code: Code, done: Done) -> Self {
        Self { refusal: GatewayError::new(code), retryable: true, retry_after_ms: None, done }
    }
}

/// What an upstream's status means (spec: gateway.md §7).
pub enum Status {
    Good,
    /// The caller's own mistake: passed through with status and body.
    CallersOwn,
    Failed(Failure),
}

/// How long a `Retry-After` asks to wait: seconds, or a date.
fn waits(text: &str) -> Option<u64> {
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(seconds.saturating_mul(1_000));
    }
    // Other texts are dates to the platform that are none here.
    let at = if text.ends_with("GMT") { js_sys::Date::parse(text) } else { f64::NAN };
    at.is_finite().then(|| (at as i64).saturating_sub(now_ms()).max(0).cast_unsigned())
}

/// Judges the head of an answer. `own`: the key is its user's.
pub fn judge(response: &web_sys::Response, own: bool) -> Status {
    let status = response.status();
    let retry_after_ms = response.headers().get("retry-after").ok().flatten().and_then(|text| waits(text.trim()));
    let with_status = |code: Code, retryable: bool| {
        let refusal = GatewayError::new(code).with(json!({ "upstream_status": status }));
        // A request that took the provider too long may have been done in part.
        let done = if (400..500).contains(&status) && status != 408 { Done::Nothing } else { Done::Unknown };
        Status::Failed(Failure { refusal, retryable, retry_after_ms, done })
    };
    match status {
        200..=299 => Status::Good,
        300..=399 => with_status(Code::UpstreamRedirect, false),
        400 | 404 | 413 | 422 => Status::CallersOwn,
        401 | 403 if own => with_status(Code::ByokKeyRejected, false),
        401 | 403 => with_status(Code::UpstreamAuthFailed, false),
        429 => with_status(Code::UpstreamRateLimited, true),
        408 | 425 | 500.. => with_status(Code::UpstreamError, true),
        _ => with_status(Code::UpstreamError, false),
    }
}

/// The body of a refusal that is the caller's own, without secrets.
pub fn redacted(bytes: &[u8], key: Option<&str>) -> Vec<u8> {
    let bytes = &bytes[..bytes.len().min(MAX_REFUSAL_BYTES)];
    let text = String::from_utf8_lossy(bytes);
    let text = redact::key(&text, key.unwrap_or_default());
    redact::text(&text).0.into_bytes()
}

/// The beginning of a refusal's body, as much of it as comes soon.
pub(super) async fn heard(response: &web_sys::Response, watch: &mut Watch) -> Vec<u8> {
    const MOST: usize = 16 << 10;
    const SOON_MS: u64 = 1_000;
    let chunks = Chunks::of(response);
    let mut bytes = Vec::new();
    while bytes.len() < MOST {
        let First::Done(Ok(result)) = watch.first(&chunks.next(), SOON_MS).await else { break };
        let Piece::Bytes(view) = Chunks::read(&result) else { break };
        bytes.extend(view.to_vec());
    }
    bytes
}

/// Notes an upstream's failure, without its words.
pub fn log_failure(request_id: &str, code: Code, attempt: u32) {
    console_error!(
        "{}",
        json!({"event": "llm.upstream_error", "request_id": request_id, "code": code.name(), "attempt": attempt})
    );
}
