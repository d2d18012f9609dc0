//! The routes of the runner, for whoever has its token.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, Limited, StreamBody};
use hyper::body::{Frame as BodyFrame, Incoming};
use hyper::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, RETRY_AFTER};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::command::Groups;
use crate::jail::Level;
use crate::jobs::{Builds, FileKind, sweep};
use crate::layer::Layers;
use crate::limits::{JobLimits, MAX_BLOB_BYTES, MAX_BODY_BYTES, MAX_KEPT_BLOBS_BYTES, RETRY_AFTER_SECONDS};
use crate::machine::{Machine, MachineError, MachineOptions, RegistryState};
use crate::policy::Policy;
use crate::prepare::check_paths;
use crate::stages::{Job, JobKind, PackageSet, Workshop, prepare_layers};
use crate::watch::PeakUsage;
use crate::wire::{BuildRequest, Frame, RequestError, blob_name};
use crate::work::work;

/// Frames that wait for a slow client; the job waits behind them.
const FRAMES_AHEAD: usize = 64;

#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// Where it listens; with port 0 on any free one.
    pub listen: SocketAddr,
    pub token: String,
    pub machine: MachineOptions,
    /// The origin from which packages come.
    pub registry: String,
    /// Jobs that run at once.
    pub slots: usize,
    /// Room of package layers, in MiB.
    pub cache_mib: u64,
    /// Builds run although the machine has no jail.
    pub allows_no_isolation: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error(transparent)]
    Machine(#[from] MachineError),
    #[error("the runner cannot listen at {address}: {cause}")]
    Listen { address: SocketAddr, cause: std::io::Error },
    #[error("the cache cannot be opened: {0}")]
    Cache(std::io::Error),
    #[error("the registry `{0}` is no origin: write `https://` and a host")]
    Registry(String),
    #[error("the token is empty")]
    Token,
}

/// A runner that has its port, and serves once it is asked to.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    state: Arc<Runner>,
    prepared: Vec<PackageSet>,
}

#[derive(Debug)]
struct Runner {
    workshop: Arc<Workshop>,
    builds: Arc<Builds>,
    registry_state: Arc<RegistryState>,
    token_hash: [u8; 32],
    allows_no_isolation: bool,
}

impl Server {
    /// Looks at the machine and takes the port. `policy` judges each project before anything of it runs; the packages of
    /// `prepared` are installed while nobody waits.
    pub async fn new(options: RunnerOptions, policy: Policy, prepared: Vec<PackageSet>) -> Result<Self, ServerError> {
        if options.token.is_empty() {
            return Err(ServerError::Token);
        }
        let registry = options.registry.trim_end_matches('/').to_owned();
        let is_origin = ["https://", "http://"].iter().any(|scheme| registry.starts_with(scheme));
        if !is_origin || registry.contains(char::is_whitespace) {
            return Err(ServerError::Registry(options.registry));
        }
        let machine = Arc::new(Machine::look(&options.machine).await?);
        let fault = |cause| ServerError::Listen { address: options.listen, cause };
        let listener = TcpListener::bind(options.listen).await.map_err(fault)?;
        let layers = Layers::open(machine.layers(), options.cache_mib).map_err(ServerError::Cache)?;
        let builds = Arc::new(Builds::new(options.slots, machine.artifacts()));
        let workshop = Workshop { machine, layers, policy, registry, limits: JobLimits::default() };
        let state = Arc::new(Runner {
            workshop: Arc::new(workshop),
            builds,
            registry_state: Arc::default(),
            token_hash: Sha256::digest(&options.token).into(),
            allows_no_isolation: options.allows_no_isolation,
        });
        Ok(Self { listener, state, prepared })
    }

    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub fn level(&self) -> Level {
        self.state.workshop.machine.level
    }

    /// Serves until the future is dropped.
    pub async fn serve(self) {
        let workshop = &self.state.workshop;
        let asking = Arc::clone(&self.state.registry_state);
        tokio::spawn(asking.follow(Arc::clone(&workshop.machine), workshop.registry.clone()));
        tokio::spawn(prepare_layers(Arc::clone(workshop), self.prepared));
        tokio::spawn(sweep(Arc::clone(&self.state.builds)));
        loop {
            let Ok((socket, _)) = self.listener.accept().await else { continue };
            let _ = socket.set_nodelay(true);
            let state = Arc::clone(&self.state);
            tokio::spawn(async move {
                let service = service_fn(move |request| answer(Arc::clone(&state), request));
                let mut http = hyper::server::conn::http1::Builder::new();
                let _ = http.timer(TokioTimer::new()).serve_connection(TokioIo::new(socket), service).await;
            });
        }
    }
}

/// Ends the connection of a job that has no result.
#[derive(Debug, thiserror::Error)]
#[error("the job has no result")]
struct NoResult;

type Body = UnsyncBoxBody<Bytes, NoResult>;

async fn answer(runner: Arc<Runner>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    Ok(route(&runner, request).await.unwrap_or_else(|error| refusal(&error)))
}

async fn route(runner: &Arc<Runner>, request: Request<Incoming>) -> Result<Response<Body>, RequestError> {
    if !is_known(&runner.token_hash, &request) {
        return Err(RequestError::new(401, "AUTH_INVALID_TOKEN", "Send the runner's token as the bearer."));
    }
    let path = percent_decode_str(request.uri().path()).decode_utf8();
    let path = path.map_err(|_| not_found())?.into_owned();
    let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (request.method(), segments.as_slice()) {
        (&Method::GET, ["healthz"]) => Ok(health(runner)),
        (&Method::PUT, ["v1", "blobs", hash]) => put_blob(runner, hash, request).await,
        (&Method::POST, ["v1", "builds"]) => start(runner, JobKind::Build, request).await,
        (&Method::POST, ["v1", "tests"]) => start(runner, JobKind::Tests, request).await,
        (&Method::POST, ["v1", "lock"]) => start(runner, JobKind::Lock, request).await,
        (&Method::GET, ["v1", "builds", id, "assets", rest @ ..]) => {
            file(runner, id, FileKind::Asset, &rest.join("/")).await
        }
        (&Method::GET, ["v1", "builds", id, "maps", rest @ ..]) => {
            file(runner, id, FileKind::Map, &rest.join("/")).await
        }
        (&Method::DELETE, ["v1", "builds", id]) => delete(runner, id).await,
        _ => Err(not_found()),
    }
}

/// Compares hashes, so that the time says nothing of the token.
fn is_known<B>(token_hash: &[u8; 32], request: &Request<B>) -> bool {
    let mut sent = request.headers().get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (sent.next(), sent.next()) else { return false };
    let Some(token) = value.as_bytes().strip_prefix(b"Bearer ") else { return false };
    let hash: [u8; 32] = Sha256::digest(token).into();
    token_hash.iter().zip(hash).fold(0, |differs, (own, sent)| differs | (own ^ sent)) == 0
}

fn health(runner: &Runner) -> Response<Body> {
    let machine = &runner.workshop.machine;
    let (total, busy) = runner.builds.slots();
    let health = json!({
        "ok": true,
        "version": env!("CARGO_PKG_VERSION"),
        "node": machine.node_version,
        "npm": machine.npm_version,
        "isolation": machine.level,
        "slots": { "total": total, "busy": busy },
        "registry_ok": runner.registry_state.is_ok(),
    });
    whole(StatusCode::OK, "application/json", health.to_string().into_bytes())
}

async fn put_blob(runner: &Runner, hash: &str, request: Request<Incoming>) -> Result<Response<Body>, RequestError> {
    let name = blob_name(hash).ok_or_else(|| RequestError::invalid("Name a blob `sha256:` and 64 hex digits."))?;
    let bytes = read(request, MAX_BLOB_BYTES).await?;
    if holdpoint_bundle::bytes_hash(&bytes) != hash {
        return Err(RequestError::invalid("The bytes have another hash than the address."));
    }
    let (folder, name) = (runner.workshop.machine.blobs(), name.to_owned());
    let kept = tokio::task::spawn_blocking(move || keep_blob(&folder, &name, &bytes)).await;
    match kept {
        Ok(Ok(())) => Ok(whole(StatusCode::NO_CONTENT, "application/octet-stream", Vec::new())),
        _ => Err(RequestError::new(503, "STORAGE_UNAVAILABLE", "The blob could not be kept: send it again later.")),
    }
}

/// Writes a blob under its own name once it is whole, and removes the oldest over their room.
fn keep_blob(folder: &std::path::Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    static WRITING: Mutex<()> = Mutex::new(());
    let _one = WRITING.lock();
    let part = folder.join("part");
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, folder.join(name))?;
    let mut kept: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let metadata = entry.metadata()?;
        kept.push((metadata.modified()?, entry.path(), metadata.len()));
    }
    kept.sort();
    let mut total: u64 = kept.iter().map(|(_, _, bytes)| bytes).sum();
    for (_, path, bytes) in kept {
        if total <= MAX_KEPT_BLOBS_BYTES {
            break;
        }
        std::fs::remove_file(path)?;
        total -= bytes;
    }
    Ok(())
}

async fn start(
    runner: &Arc<Runner>,
    kind: JobKind,
    request: Request<Incoming>,
) -> Result<Response<Body>, RequestError> {
    let request = BuildRequest::read(&read(request, MAX_BODY_BYTES).await?)?;
    check_paths(&request)?;
    if request.test_paths.iter().any(|path| !request.files.contains_key(path)) {
        return Err(RequestError::invalid("Name test files of the project in `test_paths`."));
    }
    let machine = &runner.workshop.machine;
    if machine.level == Level::None && !runner.allows_no_isolation && kind != JobKind::Lock {
        let message = "This machine cannot keep a build apart: start the runner elsewhere, or with --no-isolation.";
        return Err(RequestError::new(503, "BUILD_RUNNER_UNAVAILABLE", message));
    }
    let blobs = machine.blobs();
    let is_missing = |hash: &&str| !blob_name(hash).is_some_and(|name| blobs.join(name).is_file());
    let missing: Vec<&str> = request.blobs.iter().map(|blob| blob.hash.as_str()).filter(is_missing).collect();
    if !missing.is_empty() {
        let error = RequestError::new(422, "BLOBS_MISSING", "Send the missing blobs first, then the build again.");
        return Err(error.with("hashes", missing));
    }
    let started = runner.builds.begin(&request.build_id)?;
    let (frames, heard) = mpsc::channel(FRAMES_AHEAD);
    let job = Job {
        workshop: Arc::clone(&runner.workshop),
        limits: runner.workshop.limits.lowered(&request.limits),
        request,
        kind,
        slot: started.slot,
        frames,
        groups: Groups::default(),
        peak: PeakUsage::default(),
        timings: Mutex::default(),
        versions: Mutex::default(),
    };
    // The task ends by itself when the client goes, because that drops the other end of the frames.
    tokio::spawn(work(job, Arc::clone(&runner.builds), started.stop));
    Ok(follow(heard))
}

/// An answer that ends with a result, or is broken off without one.
fn follow(heard: mpsc::Receiver<Frame>) -> Response<Body> {
    let lines = stream::unfold((heard, false), |(mut heard, has_result)| async move {
        match heard.recv().await {
            Some(frame) => {
                let is_result = matches!(frame, Frame::Result(_));
                Some((Ok(BodyFrame::data(Bytes::from(frame.to_line()))), (heard, is_result)))
            }
            None if has_result => None,
            None => Some((Err(NoResult), (heard, true))),
        }
    });
    let mut response = Response::new(StreamBody::new(lines).boxed_unsync());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn file(runner: &Runner, id: &str, kind: FileKind, path: &str) -> Result<Response<Body>, RequestError> {
    let missing = || RequestError::new(404, "ASSET_NOT_FOUND", "This build has no such file, or it is gone.");
    let (asset, place) = runner.builds.file(id, kind, path).ok_or_else(missing)?;
    let bytes = tokio::fs::read(place).await.map_err(|_| missing())?;
    let mut response = whole(StatusCode::OK, &asset.content_type, bytes);
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", asset.sha256)) {
        response.headers_mut().insert(ETAG, tag);
    }
    Ok(response)
}

async fn delete(runner: &Arc<Runner>, id: &str) -> Result<Response<Body>, RequestError> {
    let (builds, name) = (Arc::clone(&runner.builds), id.to_owned());
    let deleted = tokio::task::spawn_blocking(move || builds.delete(&name)).await;
    match deleted {
        Ok(true) => Ok(whole(StatusCode::ACCEPTED, "application/json", json!({ "ok": true }).to_string().into_bytes())),
        _ => Err(not_found()),
    }
}

async fn read(request: Request<Incoming>, limit: usize) -> Result<Bytes, RequestError> {
    let collected = Limited::new(request.into_body(), limit).collect().await;
    let message = format!("Send at most {limit} bytes.");
    Ok(collected.map_err(|_| RequestError::new(413, "INPUT_TOO_LARGE", message))?.to_bytes())
}

fn not_found() -> RequestError {
    RequestError::new(404, "NOT_FOUND", "There is nothing here.")
}

fn refusal(error: &RequestError) -> Response<Body> {
    let status = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = whole(status, "application/json", error.body());
    if error.status == 429 {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
    }
    response
}

fn whole(status: StatusCode, content_type: &str, bytes: Vec<u8>) -> Response<Body> {
    let body = Full::new(Bytes::from(bytes)).map_err(|never: Infallible| match never {}).boxed_unsync();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    if let Ok(value) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, value);
    }
    response
}
