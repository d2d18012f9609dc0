//! The server: routes, control, and the performing of steps. Loopback only.
//!
//! Owns sockets, waits and the log. Invariant: the log holds names, hashes and counts, never a header's value or a
//! request's text.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream;
use holdpoint_gateway::Protocol;
use holdpoint_gateway::wire::Head;
use holdpoint_text::hex;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::local;
use crate::play::{ModelRequest, SceneStage};
use crate::script::{InjectedFault, LoadError, Play, Transcript, load};
use crate::wire::{self, StreamStep};

/// Bytes of a request that is read.
const MAX_BODY_BYTES: usize = 32 << 20;
/// Requests that the log keeps.
const MAX_LOG: usize = 10_000;
/// What was sent before a cut must leave the machine first.
const FLUSH: Duration = Duration::from_millis(10);
/// Below it the server is controlled, by programs of this machine alone.
const CONTROL: &str = "/__scripted/";
const MODEL: &str = "scripted-1";

#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// Files and folders of transcripts.
    pub transcripts: Vec<PathBuf>,
    /// With 0 any free one is taken.
    pub port: u16,
}

/// Why it does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A transcript cannot be played.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The port is taken, or not allowed.
    #[error("port {port} cannot be used ({source}): name another one, or end the program that has it")]
    Port {
        /// The port that was asked for.
        port: u16,
        source: std::io::Error,
    },
    /// The machine gives no threads, or takes no words.
    #[error("{0}")]
    Machine(#[from] std::io::Error),
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Running {
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

impl Running {
    /// Waits as long as it serves.
    pub async fn wait(mut self) {
        let _ = (&mut self.task).await;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves transcripts as long as the program runs, and prints its address in one line.
pub fn run(options: ServerOptions) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let running = serve(options).await?;
        writeln!(std::io::stdout(), "The scripted model answers at http://{}/v1", running.address)?;
        running.wait().await;
        Ok(())
    })
}

/// Serves transcripts on the loopback address. Prints nothing.
pub async fn serve(options: ServerOptions) -> Result<Running, ServeError> {
    let transcripts = load(&options.transcripts)?;
    let refused = |source| ServeError::Port { port: options.port, source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let bench = Arc::new(Bench::new(transcripts));
    let task = tokio::spawn(accept(listener, bench));
    Ok(Running { address, task })
}

async fn accept(listener: TcpListener, bench: Arc<Bench>) {
    loop {
        let Ok((socket, peer)) = listener.accept().await else { continue };
        let _ = socket.set_nodelay(true);
        let bench = Arc::clone(&bench);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&bench), peer, request));
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), service).await;
        });
    }
}

/// Closes the connection without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the transcript closes the connection")]
struct Close;

type Body = UnsyncBoxBody<Bytes, Close>;

struct Bench {
    loaded: Vec<Transcript>,
    state: Mutex<State>,
}

struct State {
    stage: SceneStage,
    posted: Vec<Transcript>,
    log: Vec<Entry>,
    /// Requests since the last reset.
    served: usize,
}

struct Entry {
    number: usize,
    path: String,
    model: String,
    headers: Vec<String>,
    body_hash: String,
    max_output: Option<u64>,
    stream: bool,
    turn: String,
    tokens_sent: u64,
    client_closed_at_token: Option<u64>,
}

impl Entry {
    fn json(&self) -> Value {
        json!({
            "number": self.number, "path": self.path, "model": self.model, "headers": self.headers,
            "body_hash": self.body_hash, "max_output": self.max_output, "stream": self.stream, "turn": self.turn,
            "tokens_sent": self.tokens_sent, "client_closed_at_token": self.client_closed_at_token,
        })
    }
}

impl Bench {
    fn new(loaded: Vec<Transcript>) -> Self {
        let state = State { stage: SceneStage::new(loaded.clone()), posted: Vec::new(), log: Vec::new(), served: 0 };
        Self { loaded, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, number: usize, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.state().log.iter_mut().rev().find(|entry| entry.number == number) {
            change(entry);
        }
    }

    /// Back to the start: no log, no cache, every `times` whole, posted transcripts gone.
    fn reset(&self) {
        let mut state = self.state();
        *state = State { stage: SceneStage::new(self.loaded.clone()), posted: Vec::new(), log: Vec::new(), served: 0 };
    }

    /// Puts transcripts in front of all others.
    fn post(&self, mut new: Vec<Transcript>) {
        let mut state = self.state();
        new.append(&mut state.posted);
        state.posted.clone_from(&new);
        new.extend(self.loaded.iter().cloned());
        state.stage = SceneStage::new(new);
    }
}

fn full(status: StatusCode, bytes: Vec<u8>) -> Response<Body> {
    let body = Full::new(Bytes::from(bytes)).map_err(|never: Infallible| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn value(status: StatusCode, value: &Value) -> Response<Body> {
    full(status, value.to_string().into_bytes())
}

fn error(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    refusal(Protocol::OpenAi, status, code, message)
}

fn refusal(protocol: Protocol, status: StatusCode, code: &str, message: &str) -> Response<Body> {
    value(status, &wire::error(protocol, "invalid_request_error", Some(code), message))
}

async fn answer(bench: Arc<Bench>, peer: SocketAddr, request: Request<Incoming>) -> Result<Response<Body>, Close> {
    let path = request.uri().path().to_owned();
    if path.starts_with(CONTROL) && !local::is_from_here(peer, &request) {
        return Ok(error(StatusCode::FORBIDDEN, "loopback_only", "Ask from this machine, by a loopback address."));
    }
    let method = request.method().clone();
    let headers: HashMap<String, String> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned()))
        .collect();
    let Ok(collected) = Limited::new(request.into_body(), MAX_BODY_BYTES).collect().await else {
        return Ok(error(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "Send a smaller body."));
    };
    let bytes = collected.to_bytes();
    match (&method, path.as_str()) {
        (&Method::POST, "/v1/chat/completions" | "/chat/completions") => {
            chat(bench, Protocol::OpenAi, &path, headers, &bytes).await
        }
        (&Method::POST, "/v1/messages" | "/messages") => chat(bench, Protocol::Anthropic, &path, headers, &bytes).await,
        (&Method::POST, "/v1/messages/count_tokens" | "/messages/count_tokens") => Ok(counted(headers, &bytes)),
        (&Method::GET, "/v1/models" | "/models") => Ok(value(
            StatusCode::OK,
            &json!({ "object": "list", "data": [{ "id": MODEL, "object": "model", "created": 0, "owned_by": "holdpoint" }] }),
        )),
        (&Method::GET, "/__scripted/log") => {
            let log: Vec<Value> = bench.state().log.iter().map(Entry::json).collect();
            Ok(value(StatusCode::OK, &json!({ "requests": log })))
        }
        (&Method::POST, "/__scripted/reset") => {
            bench.reset();
            Ok(value(StatusCode::OK, &json!({ "ok": true })))
        }
        (&Method::POST, "/__scripted/transcripts") => Ok(post(&bench, &bytes)),
        _ => Ok(error(StatusCode::NOT_FOUND, "not_found", "There is nothing here.")),
    }
}

/// One transcript, or a list of them.
fn post(bench: &Bench, bytes: &[u8]) -> Response<Body> {
    let many = match serde_json::from_slice(bytes) {
        Ok(Value::Array(many)) => many,
        Ok(one) => vec![one],
        Err(fault) => return error(StatusCode::BAD_REQUEST, "invalid_json", &fault.to_string()),
    };
    match many.into_iter().map(serde_json::from_value).collect::<Result<Vec<Transcript>, _>>() {
        Ok(transcripts) => {
            let count = transcripts.len();
            bench.post(transcripts);
            value(StatusCode::OK, &json!({ "ok": true, "transcripts": count }))
        }
        Err(fault) => error(StatusCode::BAD_REQUEST, "invalid_transcript", &fault.to_string()),
    }
}

/// What a message would take as input; a count names no maximum.
fn counted(headers: HashMap<String, String>, bytes: &[u8]) -> Response<Body> {
    let mut body = serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    if body.is_object() && body["max_tokens"].is_null() {
        body["max_tokens"] = 1.into();
    }
    match ModelRequest::read_message(&body, headers) {
        Some(asked) => value(StatusCode::OK, &json!({ "input_tokens": asked.input_tokens() })),
        None => refusal(Protocol::Anthropic, StatusCode::BAD_REQUEST, "invalid_request", "Send a message request."),
    }
}

async fn chat(
    bench: Arc<Bench>,
    protocol: Protocol,
    path: &str,
    headers: HashMap<String, String>,
    bytes: &[u8],
) -> Result<Response<Body>, Close> {
    let mut names: Vec<String> = headers.keys().cloned().collect();
    names.sort();
    let body = serde_json::from_slice::<Value>(bytes).ok();
    let read = match protocol {
        Protocol::OpenAi => ModelRequest::read,
        Protocol::Anthropic => ModelRequest::read_message,
    };
    let Some(asked) = body.and_then(|body| read(&body, headers)) else {
        let wanted = match protocol {
            Protocol::OpenAi => "Send a chat completion request.",
            Protocol::Anthropic => "Send a message request.",
        };
        return Ok(refusal(protocol, StatusCode::BAD_REQUEST, "invalid_request", wanted));
    };
    let (number, chosen, usage, spoken) = {
        let mut state = bench.state();
        let Some(chosen) = state.stage.choose(&asked) else {
            let none = "No transcript has a turn for this request.";
            return Ok(refusal(protocol, StatusCode::NOT_FOUND, "no_turn", none));
        };
        let spoken = wire::speak(&chosen.play, &asked);
        let usage = state.stage.usage(&asked, &chosen.play.reply, spoken.tokens);
        let number = state.served;
        state.served += 1;
        if state.log.len() == MAX_LOG {
            state.log.remove(0);
        }
        state.log.push(Entry {
            number,
            path: path.to_owned(),
            model: asked.model.clone(),
            headers: names,
            body_hash: hash(bytes),
            max_output: asked.max_output,
            stream: asked.stream,
            turn: chosen.turn.clone(),
            tokens_sent: 0,
            client_closed_at_token: None,
        });
        (number, chosen, usage, spoken)
    };
    let play = &chosen.play;
    for fault in &play.faults {
        match fault {
            InjectedFault::Reset => return Err(Close),
            InjectedFault::SlowHeaders { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            InjectedFault::Redirect { location } => {
                let mut response = full(StatusCode::FOUND, Vec::new());
                if let Ok(location) = HeaderValue::from_str(location) {
                    response.headers_mut().insert(LOCATION, location);
                }
                return Ok(response);
            }
            InjectedFault::Status { status, retry_after, body, .. } => {
                return Ok(failure(protocol, *status, retry_after.as_ref(), body.as_ref()));
            }
            _ => {}
        }
    }
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let kind = if protocol == Protocol::Anthropic { "msg" } else { "chatcmpl" };
    let id = format!("{kind}-scripted-{number}");
    let head = Head { id: &id, created: seconds, model: &asked.model };
    if asked.stream {
        let steps = wire::stream(play, &spoken, &head, usage, &asked);
        return Ok(streamed(bench, number, steps));
    }
    whole(&bench, number, &chosen.play, &spoken, &head, (usage, protocol)).await
}

async fn whole(
    bench: &Bench,
    number: usize,
    play: &Play,
    spoken: &wire::Spoken,
    head: &Head<'_>,
    (usage, protocol): (Option<Value>, Protocol),
) -> Result<Response<Body>, Close> {
    let mut wait = play.pace.first_ms.saturating_add(play.pace.per_token_ms.saturating_mul(spoken.tokens));
    for fault in &play.faults {
        match fault {
            InjectedFault::SlowFirstByte { ms } | InjectedFault::Stall { ms: Some(ms), .. } => {
                wait = wait.saturating_add(*ms);
            }
            InjectedFault::Stall { ms: None, .. } => std::future::pending().await,
            InjectedFault::Cut { .. } | InjectedFault::CutMidEvent { .. } => return Err(Close),
            InjectedFault::ErrorEvent { kind, message, .. } => {
                return Ok(value(StatusCode::INTERNAL_SERVER_ERROR, &wire::error(protocol, kind, Some(kind), message)));
            }
            _ => {}
        }
    }
    tokio::time::sleep(Duration::from_millis(wait)).await;
    bench.entry(number, |entry| entry.tokens_sent = spoken.tokens);
    Ok(full(StatusCode::OK, wire::body(play, spoken, head, usage, protocol)))
}

fn failure(protocol: Protocol, status: u16, retry_after: Option<&Value>, body: Option<&Value>) -> Response<Body> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = match body {
        Some(Value::String(text)) => full(status, text.clone().into_bytes()),
        Some(body) => value(status, body),
        None => value(status, &wire::error(protocol, "scripted_error", None, "The transcript answers so.")),
    };
    let seconds = retry_after.map(|wait| wait.as_str().map_or_else(|| wait.to_string(), str::to_owned));
    if let Some(wait) = seconds.and_then(|wait| HeaderValue::from_str(&wait).ok()) {
        response.headers_mut().insert(RETRY_AFTER, wait);
    }
    response
}

/// Performs the steps of a stream; a client that leaves is seen when the rest is dropped.
struct Performance {
    bench: Arc<Bench>,
    number: usize,
    steps: VecDeque<StreamStep>,
    sent: u64,
}

impl Drop for Performance {
    fn drop(&mut self) {
        let left = self.steps.iter().any(|step| *step != StreamStep::Abort);
        let sent = self.sent;
        self.bench.entry(self.number, |entry| entry.client_closed_at_token = left.then_some(sent));
    }
}

fn streamed(bench: Arc<Bench>, number: usize, steps: VecDeque<StreamStep>) -> Response<Body> {
    let performance = Performance { bench, number, steps, sent: 0 };
    let frames = stream::unfold(performance, |mut performance| async move {
        loop {
            match performance.steps.front()? {
                StreamStep::Wait(Some(ms)) => tokio::time::sleep(Duration::from_millis(*ms)).await,
                StreamStep::Wait(None) => std::future::pending().await,
                StreamStep::Abort | StreamStep::Send(..) => {}
            }
            match performance.steps.pop_front()? {
                StreamStep::Wait(_) => {}
                StreamStep::Abort => {
                    tokio::time::sleep(FLUSH).await;
                    return Some((Err(Close), performance));
                }
                StreamStep::Send(bytes, sent) => {
                    performance.sent = sent;
                    performance.bench.entry(performance.number, |entry| entry.tokens_sent = sent);
                    // Each piece is a write of its own, as a model's server would do it.
                    tokio::task::yield_now().await;
                    return Some((Ok(Frame::data(Bytes::from(bytes))), performance));
                }
            }
        }
    });
    let mut response = Response::new(StreamBody::new(frames).boxed_unsync());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert("cache-control", HeaderValue::from_static("no-cache"));
    response
}

fn hash(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}
