//! A runner of the tests' own, a project, and a client.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_build_runner::wire::{BuildCode, BuildResult, BuildStage, BuildStatus, Frame};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Map, Value, json};

pub const TOKEN: &str = "a-token-of-tests";
/// What a job must never see: it stands in the environment of the runner, and in files of its home.
pub const KEY: &str = "a-secret-of-the-runner";
/// An ordinary user, where the tests are root.
const USER: u32 = 61_001;

/// A runner at one level, as root or as an ordinary user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Namespaces,
    Landlock,
    UserNamespaces,
    UserLandlock,
    /// A machine without a jail, where nobody said that it may be trusted to builds.
    Unjailed,
}

impl Place {
    /// All places of this machine: where nobody is root, the ordinary user alone. What is left out is said on the terminal,
    /// which no test of Rust hides.
    pub fn all() -> &'static [Place] {
        static ALL: OnceLock<Vec<Place>> = OnceLock::new();
        ALL.get_or_init(|| {
            let say = |place: Place, why: &str| drop(writeln!(std::io::stderr(), "not tried: {place:?}, {why}"));
            let is_root = nix::unistd::geteuid().is_root();
            let is_there = |place: &Place| {
                if place.is_user() && !is_root {
                    say(*place, "because these tests are no root: the ordinary user is who runs them");
                    return false;
                }
                // A container may have no namespaces to give: then the jail alone is shown.
                let level = runner(*place).isolation.clone();
                if level != place.level() {
                    say(*place, &format!("because this machine gives `{level}` alone"));
                }
                level == place.level()
            };
            let all = [Self::Namespaces, Self::Landlock, Self::UserNamespaces, Self::UserLandlock];
            let all: Vec<Place> = all.into_iter().filter(is_there).collect();
            assert!(!all.is_empty(), "this machine has no jail: Landlock of Linux 6.2 or later is needed");
            all
        })
    }

    fn is_user(self) -> bool {
        matches!(self, Self::UserNamespaces | Self::UserLandlock)
    }

    fn level(self) -> &'static str {
        match self {
            Self::Namespaces | Self::UserNamespaces => "namespaces",
            Self::Landlock | Self::UserLandlock => "landlock",
            Self::Unjailed => "none",
        }
    }
}

#[derive(Debug)]
pub struct Runner {
    pub address: SocketAddr,
    pub isolation: String,
    child: Child,
    pub cache: PathBuf,
}

/// The runner of a place for one test at a time: its slots and folders are looked at. It is started once, and ends with
/// the process of the tests.
pub fn runner(place: Place) -> Turn {
    static RUNNERS: Mutex<BTreeMap<Place, &'static Mutex<Option<Runner>>>> = Mutex::new(BTreeMap::new());
    let cell: &'static Mutex<Option<Runner>> = {
        let mut runners = RUNNERS.lock().unwrap_or_else(PoisonError::into_inner);
        runners.entry(place).or_insert_with(|| Box::leak(Box::default()))
    };
    let mut held = cell.lock().unwrap_or_else(PoisonError::into_inner);
    if held.is_none() {
        *held = Some(start(place));
    }
    Turn { place, held }
}

/// A runner that no other test uses now.
pub struct Turn {
    place: Place,
    held: MutexGuard<'static, Option<Runner>>,
}

impl std::ops::Deref for Turn {
    type Target = Runner;

    fn deref(&self) -> &Runner {
        self.held.as_ref().unwrap()
    }
}

impl Turn {
    /// Kills the runner as the kernel would, and starts the next one on the same cache.
    pub fn kill_and_start_again(&mut self) {
        let mut killed = self.held.take().unwrap();
        killed.child.kill().unwrap();
        killed.child.wait().unwrap();
        *self.held = Some(start(self.place));
    }
}

/// Starts a runner. The cache is that of all tests of the place; another process that has it is waited for.
fn start(place: Place) -> Runner {
    let name = if place.is_user() { "user" } else { "own" };
    let (program, base) = program_and_folder(place);
    let cache = base.join(format!("runner-{name}-{}", place.level()));
    std::fs::create_dir_all(&cache).unwrap();
    let token = cache.with_extension("token");
    std::fs::write(&token, TOKEN).unwrap();
    // Its keys may be read by everybody: the jail alone is in the way.
    let home = cache.with_extension("home");
    std::fs::create_dir_all(home.join(".ssh")).unwrap();
    for file in [".ssh/id_ed25519", ".npmrc"] {
        std::fs::write(home.join(file), format!("# {KEY}\n")).unwrap();
    }
    if place.is_user() {
        std::os::unix::fs::chown(&cache, Some(USER), Some(USER)).unwrap();
    }
    let until = Instant::now() + Duration::from_mins(4);
    loop {
        let mut command = Command::new(&program);
        command.arg("--with-parent").arg("--token-file").arg(&token).arg("--cache").arg(&cache);
        command.args(["--registry", registry(), "--isolation", place.level(), "--slots", "2"]);
        command.env("RUNNER_SECRET", KEY).env("HOME", &home);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if place.is_user() {
            command.uid(USER).gid(USER).current_dir(&cache);
        }
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if let Ok(told) = serde_json::from_str::<Value>(&line) {
            // Nobody reads it from here on, and a full pipe would hold the runner.
            let errors = child.stderr.take().unwrap();
            std::thread::spawn(move || std::io::copy(&mut BufReader::new(errors), &mut std::io::stderr()));
            let address = told["address"].as_str().unwrap().parse().unwrap();
            let isolation = told["isolation"].as_str().unwrap().to_owned();
            return Runner { address, isolation, child, cache };
        }
        let output = child.wait_with_output().unwrap();
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("another runner") && Instant::now() < until, "the runner does not start: {why}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The program, and where its cache may lie: another user needs copies where the tree lies in a closed folder.
fn program_and_folder(place: Place) -> (PathBuf, PathBuf) {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_any-project-runner"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let is_open = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0);
    if !place.is_user() || folder.ancestors().all(is_open) {
        return (program, folder);
    }
    let folder = std::env::temp_dir().join("holdpoint-build-runner-tests");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join(format!("build-runner-{}", std::process::id()));
    std::fs::copy(program, &copy).unwrap();
    (copy, folder)
}

/// The registry that npm of this machine uses.
fn registry() -> &'static str {
    static REGISTRY: OnceLock<String> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let asked = Command::new("npm").args(["config", "get", "registry"]).output();
        let asked = asked.expect("these tests build real projects: install Node 20.19 or newer with npm");
        String::from_utf8(asked.stdout).unwrap().trim().to_owned()
    })
}

/// What a build came to.
#[derive(Debug)]
pub struct Built {
    pub frames: Vec<Frame>,
    pub result: BuildResult,
}

impl Built {
    pub fn log(&self) -> String {
        let text = |frame: &Frame| match frame {
            Frame::Log { text, .. } => Some(text.clone()),
            _ => None,
        };
        self.frames.iter().filter_map(text).collect()
    }

    /// The result and the end of the log, for a test that fails.
    pub fn told(&self) -> String {
        let log = self.log();
        format!("{:?}\n…{}", self.result, &log[log.ceil_char_boundary(log.len().saturating_sub(3_000))..])
    }

    pub fn stages(&self) -> Vec<BuildStage> {
        let stage = |frame: &Frame| match frame {
            Frame::Stage { stage, .. } => Some(*stage),
            _ => None,
        };
        self.frames.iter().filter_map(stage).collect()
    }

    #[track_caller]
    pub fn must_succeed(&self) {
        assert_eq!(self.result.status, BuildStatus::Succeeded, "{}", self.told());
    }

    #[track_caller]
    pub fn must_fail(&self, code: BuildCode) {
        assert_eq!(self.result.code, Some(code), "{}", self.told());
        assert!(self.result.dist_manifest.is_none());
    }
}

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: hyper::HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

pub fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

impl Runner {
    pub async fn send(&self, method: &str, path: &str, token: &str, body: Vec<u8>) -> Response<Incoming> {
        let socket = tokio::net::TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(socket)).await.unwrap();
        tokio::spawn(connection);
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "runner")
            .header("authorization", format!("Bearer {token}"))
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        sender.send_request(request).await.unwrap()
    }

    pub fn ask(&self, method: &str, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let body = body.into();
        wait(async {
            let (parts, incoming) = self.send(method, path, TOKEN, body).await.into_parts();
            let body = incoming.collect().await.unwrap().to_bytes();
            Answer { status: parts.status.as_u16(), headers: parts.headers, body }
        })
    }

    /// Builds a project and waits for its result.
    pub fn build(&self, request: &Value) -> Built {
        self.run("/v1/builds", request)
    }

    pub fn run(&self, path: &str, request: &Value) -> Built {
        let answer = self.ask("POST", path, request.to_string());
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let lines = answer.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut frames: Vec<Frame> = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
        let Some(Frame::Result(result)) = frames.pop() else { panic!("the last frame is no result") };
        assert!(!frames.iter().any(|frame| matches!(frame, Frame::Result(_))));
        Built { frames, result: *result }
    }

    /// Waits until every slot is free and nothing of a job is left on the disk.
    pub fn must_be_clean(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let busy = self.ask("GET", "/healthz", "").json()["slots"]["busy"].as_u64().unwrap();
            let left: Vec<_> = std::fs::read_dir(self.cache.join("jobs")).unwrap().flatten().collect();
            if busy == 0 && left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{busy} slots are busy, {left:?} is left");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Processes of this machine whose command line has a text.
pub fn processes(text: &str) -> usize {
    pids(text).len()
}

/// The same by their numbers.
pub fn pids(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse() else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(text) {
            found.push(pid);
        }
    }
    found
}

/// A build id that no other test has.
pub fn new_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("b-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A project of React with a type check and a test, changed by these files. `null` removes one.
pub fn project(changes: &Value) -> Value {
    let dependencies = ["react", "react-dom"];
    let tools = ["vite", "@vitejs/plugin-react", "typescript", "vitest", "@types/react", "@types/react-dom"];
    let (package, lock) = package_and_lock(&dependencies, &tools);
    let mut files = json!({
        "package.json": package.to_string(),
        "package-lock.json": lock.to_string(),
        "index.html": "<!doctype html><html lang=\"en\"><head><title>Tiny</title></head><body><div id=\"root\"></div>\
                       <script type=\"module\" src=\"/src/main.tsx\"></script></body></html>\n",
        "vite.config.ts": "import react from '@vitejs/plugin-react';\nexport default { base: './', plugins: [react()] };\n",
        "tsconfig.json": json!({
            "compilerOptions": {
                "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "jsx": "react-jsx",
                "strict": true, "noEmit": true, "types": ["vite/client"], "skipLibCheck": true,
            },
            "include": ["src"],
        }).to_string(),
        "src/main.tsx": "import { createRoot } from 'react-dom/client';\nimport { App } from './App';\n\
                         import './theme.css';\ncreateRoot(document.getElementById('root')!).render(<App />);\n",
        "src/App.tsx": "export function App() {\n  const count: number = 3;\n  return <h1>Hello {count}</h1>;\n}\n",
        "src/theme.css": "h1 { color: teal }\n",
    });
    for (path, text) in changes.as_object().unwrap() {
        if text.is_null() {
            files.as_object_mut().unwrap().remove(path);
        } else {
            files[path] = text.clone();
        }
    }
    json!({ "build_id": new_id(), "files": files, "entry_file": "src/main.tsx" })
}

/// A project whose configuration is this program. It builds in an instant what is left: a page without scripts.
pub fn hostile(program: &str) -> Value {
    let page = "<!doctype html><html lang=\"en\"><head><title>Plain</title></head><body></body></html>\n";
    let config = format!("{PRELUDE}{program}\nexport default {{ base: './', plugins: [plugin] }};\n");
    let mut request = project(&json!({ "vite.config.ts": null, "vite.config.mjs": config, "index.html": page }));
    let package = request["files"]["package.json"].as_str().unwrap().replace("tsc && vite build", "vite build");
    request["files"]["package.json"] = package.into();
    request
}

/// What hostile programs use. `plugin.closeBundle` runs when dist is written.
const PRELUDE: &str = "import fs from 'node:fs'; import cp from 'node:child_process'; import path from 'node:path';
const plugin = { name: 'hostile', closeBundle() {} };
const job = path.resolve('..');
";

/// The part of the catalogue's lock that these packages reach, as `lock.renew` takes it.
fn package_and_lock(dependencies: &[&str], tools: &[&str]) -> (Value, Value) {
    let catalog = catalog();
    let packages = catalog["packages"].as_object().unwrap();
    let root = &packages[""];
    let version = |name: &&str| {
        let map = |maps: &str| root.get(maps).and_then(|map| map.get(*name)).cloned();
        ((*name).to_owned(), map("dependencies").or_else(|| map("devDependencies")).unwrap())
    };
    let own: Map<String, Value> = dependencies.iter().map(version).collect();
    let dev: Map<String, Value> = tools.iter().map(version).collect();
    let mut reached: BTreeMap<String, Value> = BTreeMap::new();
    let mut waiting: Vec<String> = own.keys().chain(dev.keys()).map(|name| format!("node_modules/{name}")).collect();
    while let Some(place) = waiting.pop() {
        if reached.contains_key(&place) {
            continue;
        }
        let entry = packages[&place].clone();
        for maps in ["dependencies", "optionalDependencies", "peerDependencies"] {
            for name in entry.get(maps).and_then(Value::as_object).into_iter().flat_map(Map::keys) {
                let is_optional = maps == "peerDependencies" && entry["peerDependenciesMeta"][name]["optional"] == true;
                waiting.extend(find(packages, &place, name).filter(|_| !is_optional));
            }
        }
        reached.insert(place, entry);
    }
    let mut entries = Map::new();
    entries.insert(
        String::new(),
        json!({ "name": "tiny", "version": "0.1.0", "dependencies": own, "devDependencies": dev }),
    );
    entries.extend(reached);
    let package = json!({
        "name": "tiny", "version": "0.1.0", "private": true, "type": "module",
        "scripts": { "build": "tsc && vite build", "test": "vitest run" },
        "dependencies": own, "devDependencies": dev,
    });
    let lock =
        json!({ "name": "tiny", "version": "0.1.0", "lockfileVersion": 3, "requires": true, "packages": entries });
    (package, lock)
}

/// Where Node finds a package from a place: the nearest `node_modules` upward.
fn find(packages: &Map<String, Value>, place: &str, name: &str) -> Option<String> {
    let mut folder = place;
    loop {
        let candidate =
            if folder.is_empty() { format!("node_modules/{name}") } else { format!("{folder}/node_modules/{name}") };
        if packages.contains_key(&candidate) {
            return Some(candidate);
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder.rfind("/node_modules/").map_or("", |at| &folder[..at]);
    }
}

fn catalog() -> &'static Value {
    static CATALOG: OnceLock<Value> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let places = ["crates/kind-app/data", "../shared/spec/schemas/vite"].map(|place| root.join(place));
        let texts = places.iter().filter_map(|place| std::fs::read(place.join("catalog-2026-11.lock.json")).ok());
        serde_json::from_slice(&texts.into_iter().next().expect("the lock of the catalogue 2026-11")).unwrap()
    })
}
