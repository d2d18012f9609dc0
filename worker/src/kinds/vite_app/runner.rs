//! The build runner as its client: a request, frames as they come, the bytes of what was built (spec: app-builder.md §6).
//!
//! Invariants: nothing that the runner says is believed further than its shape; what breaks it off, a silence or an answer
//! without end included, is a fault of the infrastructure and never one of the project.

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use holdpoint_kind_app::wire::AppDist;
use js_sys::futures::JsFuture;
use serde::Deserialize;
use serde_json::Value;
use wasm_bindgen::JsValue;
use worker::{AbortController, Delay, Fetch, Headers, Method, Request, RequestInit, Response};

use super::settings::Runner;
use crate::js::now_ms;
use crate::relay::upstream::{Chunks, Piece};

/// A runner ends each of its jobs within 660 s: who still speaks of one after this has lost it.
const MAX_JOB_MS: i64 = 700_000;
/// Bytes of one frame: a log has 8 KiB, a result its diagnostics and its manifest.
const MAX_FRAME_BYTES: usize = 8 << 20;
/// What a busy runner is given time for, where it says nothing.
const BUSY_MS: i64 = 5_000;

/// A line of a build's answer.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum RunnerFrame {
    Stage { stage: String },
    Log { text: String },
    Heartbeat,
    Result(Box<RunnerResult>),
}

/// The last frame of a build: how it ended.
#[derive(Debug, Deserialize)]
pub struct RunnerResult {
    pub status: String,
    pub code: Option<String>,
    #[serde(default)]
    pub diagnostics: Vec<Value>,
    pub dist_manifest: Option<AppDist>,
    /// Of a run of tests.
    #[serde(default)]
    pub tests: Vec<Value>,
    /// Of a lock that was asked for.
    pub lockfile: Option<String>,
}

/// Why there is no result.
#[derive(Debug)]
pub enum RunnerFault {
    /// It has no room: asked again after so many milliseconds.
    Busy(i64),
    /// It does not know these bytes.
    BlobsMissing(Vec<String>),
    /// It refused the request, in its words.
    Refused(String),
    /// Nobody answers, or the answer broke off.
    Lost,
}

impl From<worker::Error> for RunnerFault {
    fn from(_: worker::Error) -> Self {
        Self::Lost
    }
}

impl From<JsValue> for RunnerFault {
    fn from(_: JsValue) -> Self {
        Self::Lost
    }
}

/// A build that the runner works on. A runner whose client leaves ends the build: dropping it is leaving.
pub struct RunnerAnswer {
    /// Without a word for so many milliseconds the runner is lost; it was heard last at that time.
    silence_ms: i64,
    heard_at: i64,
    /// When its job is over in any case, in ms since 1970.
    until: i64,
    chunks: Chunks,
    read: js_sys::Promise,
    stop: Option<AbortController>,
    line: Vec<u8>,
    lines: VecDeque<Vec<u8>>,
}

impl Runner {
    /// Begins a build and answers its frames.
    pub async fn begin(&self, request: &Value) -> Result<RunnerAnswer, RunnerFault> {
        self.begin_at("/v1/builds", request).await
    }

    /// Begins what a path stands for: a build, tests, or a lock.
    pub async fn begin_at(&self, path: &str, request: &Value) -> Result<RunnerAnswer, RunnerFault> {
        let stop = AbortController::default();
        let mut init = RequestInit::new();
        init.with_method(Method::Post).with_headers(self.headers(true)?).with_body(Some(request.to_string().into()));
        let sent = Request::new_with_init(&format!("{}{path}", self.url), &init)?;
        let signal = stop.signal();
        let mut response = self.heard(async move { Fetch::Request(sent).send_with_signal(&signal).await }).await??;
        match response.status_code() {
            200 => {
                let raw: web_sys::Response = response.into();
                let chunks = Chunks::of(&raw);
                Ok(RunnerAnswer {
                    silence_ms: self.silence.as_millis() as i64,
                    heard_at: now_ms(),
                    until: now_ms() + MAX_JOB_MS,
                    read: chunks.next(),
                    chunks,
                    stop: Some(stop),
                    line: Vec::new(),
                    lines: VecDeque::new(),
                })
            }
            429 => Err(RunnerFault::Busy(retry_after(&response))),
            422 | 413 => Err(refused(&mut response).await),
            _ => Err(RunnerFault::Lost),
        }
    }

    /// The bytes of a file of a build that succeeded; `of` is `assets` or `maps`.
    pub async fn file(&self, build: &str, of: &str, path: &str) -> Result<Vec<u8>, RunnerFault> {
        let path: String = path.split('/').map(encoded).collect::<Vec<_>>().join("/");
        let mut response = self.ask(Method::Get, &format!("/v1/builds/{build}/{of}/{path}")).await?;
        if response.status_code() == 200 { Ok(self.heard(response.bytes()).await??) } else { Err(RunnerFault::Lost) }
    }

    /// Gives it bytes that builds will name by their hash.
    pub async fn put_blob(&self, hash: &str, bytes: &[u8]) -> Result<(), RunnerFault> {
        let mut init = RequestInit::new();
        init.with_method(Method::Put)
            .with_headers(self.headers(false)?)
            .with_body(Some(js_sys::Uint8Array::from(bytes).into()));
        let sent = Request::new_with_init(&format!("{}/v1/blobs/{hash}", self.url), &init)?;
        let status = self.heard(async move { Fetch::Request(sent).send().await }).await??.status_code();
        if (200..300).contains(&status) { Ok(()) } else { Err(RunnerFault::Lost) }
    }

    /// Ends a build, and removes what it left. Who cannot be reached forgets it by itself.
    pub async fn forget(&self, build: &str) {
        drop(self.ask(Method::Delete, &format!("/v1/builds/{build}")).await);
    }

    async fn ask(&self, method: Method, path: &str) -> Result<Response, RunnerFault> {
        let mut init = RequestInit::new();
        init.with_method(method).with_headers(self.headers(false)?);
        let sent = Request::new_with_init(&format!("{}{path}", self.url), &init)?;
        Ok(self.heard(async move { Fetch::Request(sent).send().await }).await??)
    }

    /// Waits for a word of it, as long as it may be silent.
    async fn heard<T>(&self, work: impl Future<Output = T>) -> Result<T, RunnerFault> {
        first(work, self.silence).await
    }

    fn headers(&self, with_json: bool) -> Result<Headers, worker::Error> {
        let headers = Headers::new();
        headers.set("authorization", &format!("Bearer {}", self.token))?;
        if with_json {
            headers.set("content-type", "application/json")?;
        }
        Ok(headers)
    }
}

impl RunnerAnswer {
    /// The next frame; who stops waiting for it loses nothing. A stream that ends before its result is a fault.
    pub async fn next(&mut self) -> Result<RunnerFrame, RunnerFault> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return serde_json::from_slice(&line).map_err(|_| RunnerFault::Lost);
            }
            let left = (self.heard_at + self.silence_ms).min(self.until) - now_ms();
            let patience = Duration::from_millis(left.max(0).cast_unsigned());
            let read = first(JsFuture::from(self.read.clone()), patience).await??;
            self.heard_at = now_ms();
            let Piece::Bytes(bytes) = Chunks::read(&read) else { return Err(RunnerFault::Lost) };
            self.read = self.chunks.next();
            for byte in bytes.to_vec() {
                if byte == b'\n' {
                    self.lines.push_back(std::mem::take(&mut self.line));
                } else {
                    self.line.push(byte);
                }
            }
            if self.line.len() > MAX_FRAME_BYTES {
                return Err(RunnerFault::Lost);
            }
        }
    }

    /// Its result, and what the last stage said. Nobody follows it meanwhile.
    pub async fn ended(mut self) -> Result<(RunnerResult, String), RunnerFault> {
        let mut log = String::new();
        loop {
            match self.next().await? {
                RunnerFrame::Result(result) => return Ok((*result, log)),
                RunnerFrame::Stage { .. } => log.clear(),
                RunnerFrame::Log { text } => log.push_str(&text),
                RunnerFrame::Heartbeat => {}
            }
        }
    }
}

impl Drop for RunnerAnswer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.abort();
        }
    }
}

/// Waits for something at most so long.
async fn first<T>(work: impl Future<Output = T>, patience: Duration) -> Result<T, RunnerFault> {
    match select(pin!(work), Delay::from(patience)).await {
        Either::Left((done, _)) => Ok(done),
        Either::Right(_) => Err(RunnerFault::Lost),
    }
}

async fn refused(response: &mut Response) -> RunnerFault {
    #[derive(Deserialize)]
    struct Body {
        error: BodyError,
    }
    #[derive(Deserialize)]
    struct BodyError {
        code: String,
        message: String,
        #[serde(default)]
        details: Value,
    }
    match response.json::<Body>().await {
        Ok(Body { error }) if error.code == "BLOBS_MISSING" => {
            let hashes = serde_json::from_value(error.details["hashes"].clone()).unwrap_or_default();
            RunnerFault::BlobsMissing(hashes)
        }
        Ok(Body { error }) => RunnerFault::Refused(error.message),
        Err(_) => RunnerFault::Lost,
    }
}

fn retry_after(response: &Response) -> i64 {
    let said = response.headers().get("retry-after").ok().flatten();
    said.and_then(|text| text.trim().parse::<i64>().ok()).map_or(BUSY_MS, |seconds| seconds.clamp(1, 600) * 1_000)
}

/// One segment of a path, each byte that means something written as a code.
fn encoded(segment: &str) -> String {
    let written = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    segment.bytes().map(written).collect()
}
