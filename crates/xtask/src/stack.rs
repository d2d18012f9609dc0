//! The running product: scripted model server, workerd and build runner, started together, ended together.
//!
//! Owns ports, the state folder, its keys and secrets (never printed, and in no address) and what workerd is told
//! (`worker/workerd.capnp.in`, which the edge tests fill in the same way).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::http;
use crate::own;
use crate::process::{Fault, Service, command, root};
use crate::runner::{self, Runner};
use crate::wasm::WORKER;

/// How long workerd and the model server may take to answer.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Variables that are given on to the Worker, one a line (worker/README.md).
const VARIABLES: &str = include_str!("../../../worker/variables.txt");
const TOKENS: &str = "tokens.json";
const OBJECTS: &str = "objects";
/// What the Worker stores outside its objects: files of apps, and captures.
const ARTIFACTS: &str = "artifacts";
/// Where captures lie among the artifacts.
const CAPTURES: &str = "llm-captures";
const CONFIG: &str = "workerd.capnp";
/// What users' own keys are sealed with, of a development state.
const SECRETS: &str = "secrets.json";
/// What addresses of previews are signed with.
const PREVIEW_SECRET: &str = "preview.secret";
const DEV_KID: &str = "dev";
const DEV_VARS: &str = ".dev.vars";

/// What to start.
#[derive(Clone)]
pub struct Options {
    /// Of page and API.
    pub port: u16,
    /// Databases, artifacts, tokens and caches.
    pub state: PathBuf,
    /// The bearer `dev` works on loopback.
    pub dev: bool,
    /// The program that serves the scripted model, and its first arguments.
    pub model_server: Vec<OsString>,
    /// The program of the build runner; `None`: it comes later, if at all.
    pub runner: Option<PathBuf>,
    /// What the platform's model is called; `None`: as the environment says.
    pub model: Option<String>,
}

/// The two keys of account `dev`, as they stand in their file.
#[derive(Serialize, Deserialize)]
struct Tokens {
    admin_token: String,
    user_token: String,
}

/// The servers; they end with it.
pub struct Stack {
    edge: Service,
    model: Service,
    runner: Option<Runner>,
    model_url: String,
    origin: String,
    settings: Settings,
}

/// What stays the same when everything is started anew.
#[derive(Clone)]
struct Settings {
    options: Options,
    preview: Preview,
    /// Where our own runner is; `None`: another one is named, or none can be had.
    runner_place: Option<runner::Place>,
}

/// Where previews of apps are, apart from the page: a second socket of the same workerd.
#[derive(Clone)]
struct Preview {
    port: u16,
    /// With `{app}` where each app has an origin of its own.
    origin: String,
}

impl Stack {
    /// Starts all and waits until they answer; makes the keys on a fresh state folder.
    pub fn start(options: Options) -> Result<Self, Fault> {
        Self::begin(Settings::new(options)?)
    }

    fn begin(settings: Settings) -> Result<Self, Fault> {
        settings.make_state()?;
        let (mut model, model_url) = settings.start_model()?;
        let state = &settings.options.state;
        let kept = read_tokens(state);
        let secret = if kept.is_some() { None } else { Some(own::random_hex()?) };
        let mut edge = settings.start_edge(&model_url, secret.as_deref())?;
        let origin = format!("http://127.0.0.1:{}", settings.options.port);
        let runner = settings.start_runner();
        await_answer(&origin, &mut edge, &mut model)?;
        if let Some(secret) = secret {
            make_tokens(&origin, &secret, state)?;
        }
        Ok(Self { edge, model, runner, model_url, origin, settings })
    }

    /// Starts all anew on the same state, with a new build runner where one is given; pages keep their addresses.
    pub fn restart(&mut self, runner: Option<PathBuf>) -> Result<(), Fault> {
        let mut settings = self.settings.clone();
        settings.options.runner = runner.or(settings.options.runner);
        self.edge.end();
        self.model.end();
        if let Some(runner) = &mut self.runner {
            runner.end();
        }
        *self = Self::begin(settings)?;
        Ok(())
    }

    /// Starts the build runner, which was not there before.
    pub fn start_runner(&mut self, program: PathBuf) {
        self.settings.options.runner = Some(program);
        self.runner = self.settings.start_runner();
    }

    /// A fault when the edge or the model server has ended by itself. Without the build runner the others go on.
    pub fn alive(&mut self) -> Result<(), Fault> {
        self.edge.alive()?;
        self.model.alive()?;
        self.runner.take_if(|runner| !runner.is_alive());
        Ok(())
    }

    /// Scheme, host and port of page and API.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Scheme, host and port of previews; `{app}` stands for the label of an app.
    pub fn preview_origin(&self) -> &str {
        &self.settings.preview.origin
    }

    /// The scripted model server, with its control below `/__scripted/`.
    pub fn model_url(&self) -> &str {
        &self.model_url
    }

    /// Where the keys of account `dev` stand, for their owner alone.
    pub fn keys_file(&self) -> PathBuf {
        self.settings.options.state.join(TOKENS)
    }
}

impl Settings {
    fn new(options: Options) -> Result<Self, Fault> {
        let variables = variables();
        let preview = Preview::new(variables.get("PREVIEW_ORIGIN").map(String::as_str), options.port)?;
        let runner_place = if variables.contains_key("RUNNER_URL") {
            None
        } else {
            let registry = variables.get("REGISTRY_ORIGIN").cloned().or_else(runner::registry);
            let place = |registry| -> Result<_, Fault> {
                Ok(runner::Place { port: any_port()?, state: options.state.clone(), registry })
            };
            registry.map(place).transpose()?
        };
        Ok(Self { options, preview, runner_place })
    }

    /// The state folder, for its owner alone. One that holds other things too is somebody's own: only what is ours in it
    /// is restricted.
    fn make_state(&self) -> Result<(), Fault> {
        let Options { state, .. } = &self.options;
        own::folder(&state.join(OBJECTS))?;
        own::folder(&state.join(ARTIFACTS))?;
        let ours = [OBJECTS, ARTIFACTS, TOKENS, SECRETS, PREVIEW_SECRET, runner::TOKEN, CONFIG];
        // Caches of the runner are tens of thousands of files: their folder is closed, and they keep their rights.
        let is_ours = |name: &str| ours.contains(&name) || name == runner::CACHE;
        let mut alone = true;
        for entry in std::fs::read_dir(state)? {
            alone &= entry?.file_name().to_str().is_some_and(is_ours);
        }
        if alone {
            own::close(state)?;
        }
        for path in ours.map(|name| state.join(name)).iter().filter(|path| path.exists()) {
            own::restrict(path)?;
        }
        // A state of an earlier version has its captures among the objects; they are deleted by their names.
        let (before, now) = (state.join(OBJECTS).join(CAPTURES), state.join(ARTIFACTS).join(CAPTURES));
        if before.exists() && !now.exists() {
            std::fs::rename(before, now)?;
        }
        Ok(())
    }

    fn start_runner(&self) -> Option<Runner> {
        self.runner_place.as_ref()?.start(self.options.runner.as_ref()?)
    }

    fn start_model(&self) -> Result<(Service, String), Fault> {
        let Some((program, arguments)) = self.options.model_server.split_first() else {
            return Err(Fault::told("no program serves the scripted model"));
        };
        let mut start = command(program);
        start.args(arguments).arg("fixtures/transcripts");
        let mut service = Service::start("the scripted model server", start.stdout(Stdio::piped()))?;
        let stdout = service.child().stdout.take().ok_or_else(|| Fault::told("the model server has no output"))?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let url = line.trim().rsplit(' ').next().and_then(|url| url.strip_suffix("/v1"));
        let url = url.ok_or_else(|| Fault::told("the scripted model server did not start; see above"))?;
        Ok((service, url.to_owned()))
    }

    fn start_edge(&self, model_url: &str, secret: Option<&str>) -> Result<Service, Fault> {
        let config = self.options.state.join(CONFIG);
        own::write(&config, &self.config(&self.bindings(model_url, secret)?)?)?;
        let mut start = own::restricted(workerd()?);
        start.args(["serve", "--import-path=/"]).arg(&config);
        Service::start("workerd", start.stdout(Stdio::null()))
    }

    /// What the Worker is told, where the environment does not say it.
    fn bindings(&self, model_url: &str, secret: Option<&str>) -> Result<BTreeMap<String, String>, Fault> {
        let Options { state, dev, model, .. } = &self.options;
        let mut bindings = variables();
        bindings.extend(model.iter().map(|name| ("UPSTREAM_MODEL".to_owned(), name.clone())));
        bindings.entry("UPSTREAM_BASE_URL".to_owned()).or_insert_with(|| format!("{model_url}/v1"));
        bindings.entry("PREVIEW_ORIGIN".to_owned()).or_insert_with(|| self.preview.origin.clone());
        if !bindings.contains_key("PREVIEW_SECRET") {
            let made = own::kept(&state.join(PREVIEW_SECRET), own::random_hex)?;
            bindings.insert("PREVIEW_SECRET".to_owned(), made);
        }
        if let Some(place) = &self.runner_place {
            bindings.insert("RUNNER_URL".to_owned(), place.url());
            bindings.insert("RUNNER_TOKEN".to_owned(), place.token()?);
            bindings.insert("REGISTRY_ORIGIN".to_owned(), place.registry.clone());
        }
        if *dev {
            bindings.insert("HOLDPOINT_DEV".to_owned(), "1".to_owned());
            // A model may be on the same machine, and its key can be stored.
            bindings.entry("ALLOW_PRIVATE_UPSTREAMS".to_owned()).or_insert_with(|| "1".to_owned());
            if !bindings.contains_key("SECRETS_KEYS") {
                bindings.insert("SECRETS_KEYS".to_owned(), own::kept(&state.join(SECRETS), make_secrets)?);
                bindings.insert("SECRETS_ACTIVE_KID".to_owned(), DEV_KID.to_owned());
            }
        }
        if let Some(secret) = secret {
            bindings.insert("BOOTSTRAP_SECRET".to_owned(), secret.to_owned());
        }
        Ok(bindings)
    }

    fn config(&self, bindings: &BTreeMap<String, String>) -> Result<String, Fault> {
        let Options { port, state, .. } = &self.options;
        let template = std::fs::read_to_string(root().join("worker/workerd.capnp.in"))?;
        // Its comment names the places too: only what follows it is filled in.
        let start = template.find("using Workerd").ok_or_else(|| Fault::told("workerd.capnp.in has no `using`"))?;
        let page = root().join("www/app/dist");
        std::fs::create_dir_all(&page)?;
        let mut lines = String::new();
        for (name, value) in bindings {
            lines.push_str(&format!("    ( name = {}, text = {} ),\n", text(name), text(value)));
        }
        Ok(template[start..]
            .replace("@STATE_DIR@", &path_text(&state.join(OBJECTS)))
            .replace("@ARTIFACTS_DIR@", &path_text(&state.join(ARTIFACTS)))
            .replace("@PAGE_DIR@", &path_text(&page))
            .replace("@ADDRESS@", &text(&format!("127.0.0.1:{port}")))
            .replace("@PREVIEW_ADDRESS@", &text(&format!("127.0.0.1:{}", self.preview.port)))
            .replace("@ENTRY@", &path_text(&root().join("worker/entry.mjs")))
            .replace("@MODULES@", &modules(&root().join(WORKER.dir))?)
            .replace("@BINDINGS@", &lines))
    }
}

impl Preview {
    /// Where previews are of a page on `page_port`: at the origin that is named, else on the next free port.
    fn new(named: Option<&str>, page_port: u16) -> Result<Self, Fault> {
        let Some(origin) = named else {
            let port = free_port(page_port.saturating_add(1))?;
            return Ok(Self { port, origin: format!("http://{{app}}.localhost:{port}") });
        };
        let port = match loopback_port(origin) {
            Some(port) if is_free(port) => port,
            Some(port) => {
                return Err(Fault::told(format!("Port {port} of PREVIEW_ORIGIN is in use. Name another one.")));
            }
            // Whatever stands before this machine finds the way.
            None => free_port(page_port.saturating_add(1))?,
        };
        Ok(Self { port, origin: origin.to_owned() })
    }
}

/// The port of an origin on this machine.
fn loopback_port(origin: &str) -> Option<u16> {
    let (host, port) = origin.trim_end_matches('/').strip_prefix("http://")?.rsplit_once(':')?;
    let is_here = host == "127.0.0.1" || host == "localhost" || host.ends_with(".localhost");
    port.parse().ok().filter(|_| is_here)
}

/// Every JavaScript and Wasm file that wasm-bindgen wrote.
fn modules(dir: &Path) -> Result<String, Fault> {
    fn visit(dir: &Path, prefix: &str, lines: &mut String) -> std::io::Result<()> {
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            let (path, name) = (entry.path(), format!("{prefix}{}", entry.file_name().to_string_lossy()));
            let kind = match path.extension().and_then(|ending| ending.to_str()) {
                _ if path.is_dir() => {
                    visit(&path, &format!("{name}/"), lines)?;
                    continue;
                }
                Some("js") => "esModule",
                Some("wasm") => "wasm",
                _ => continue,
            };
            lines.push_str(&format!("    ( name = {}, {kind} = embed {} ),\n", text(&name), path_text(&path)));
        }
        Ok(())
    }
    let mut lines = String::new();
    visit(dir, "", &mut lines)?;
    Ok(lines)
}

/// Constants and settings of the environment; `.dev.vars` where the environment is silent.
fn variables() -> BTreeMap<String, String> {
    let file = std::fs::read_to_string(root().join(DEV_VARS)).unwrap_or_default();
    let written = file
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().trim_matches('"').to_owned()));
    let environment =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    named(written.chain(environment))
}

/// Only what has a name of ours goes to the edge: a variable that happens to stand in the environment opens nothing there.
fn named(variables: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let is_named = |line: &str, name: &str| match line.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == line,
    };
    let known = |name: &str| VARIABLES.lines().any(|line| is_named(line, name));
    variables.filter(|(name, _)| known(name)).collect()
}

/// A text of Cap'n Proto.
fn text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

fn path_text(path: &Path) -> String {
    text(&path.to_string_lossy())
}

/// The program itself: the npm package's launcher would be a second process.
fn workerd() -> Result<PathBuf, Fault> {
    let scope = root().join("node_modules/@cloudflare");
    std::fs::read_dir(&scope)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("workerd-"))
        .map(|entry| entry.path().join("bin/workerd"))
        .find(|path| path.is_file())
        .ok_or_else(|| Fault::told("workerd is not installed. Run `npm ci`."))
}

fn await_answer(origin: &str, edge: &mut Service, model: &mut Service) -> Result<(), Fault> {
    let asked = Instant::now();
    while asked.elapsed() < START_TIMEOUT {
        edge.alive()?;
        model.alive()?;
        if http::get(origin, "/v1/models").is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(Fault::told(format!("The edge does not answer at {origin}.")))
}

fn read_tokens(state: &Path) -> Option<Tokens> {
    serde_json::from_str(&std::fs::read_to_string(state.join(TOKENS)).ok()?).ok()
}

fn make_tokens(origin: &str, secret: &str, state: &Path) -> Result<(), Fault> {
    let answer = http::post(origin, "/gateway/v1/bootstrap", secret)?;
    let tokens: Tokens = serde_json::from_str(&answer)
        .map_err(|_| Fault::told(format!("The edge made no keys; it answered: {answer}")))?;
    own::write(&state.join(TOKENS), &serde_json::to_string_pretty(&tokens).unwrap_or_default())?;
    Ok(())
}

/// The keys for secrets of a state.
fn make_secrets() -> Result<String, Fault> {
    Ok(serde_json::json!({ DEV_KID: STANDARD.encode(own::random()?) }).to_string())
}

/// Whether nothing listens on a loopback port.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// The first free port from `port` on.
pub fn free_port(port: u16) -> Result<u16, Fault> {
    (port..=u16::MAX).find(|port| is_free(*port)).ok_or_else(|| Fault::told(format!("No port from {port} on is free.")))
}

/// A port that nobody uses now.
fn any_port() -> Result<u16, Fault> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// A flag that Ctrl-C and SIGTERM raise.
pub fn stopped() -> Result<Arc<AtomicBool>, Fault> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .map_err(|error| Fault::told(format!("Signals cannot be handled: {error}")))?;
    Ok(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_hears_of_settings_and_constants_alone() {
        let given = [
            ("HOLDPOINT_DEV", "1"),
            ("SOME_NUMBER", "7"),
            ("SECRETS_ACTIVE_KID", "k1"),
            ("MAX_KEYS", "3"),
            ("THREAD_TTL_MS", "9"),
            ("MAX_KEYS", "2"),
        ];
        let heard = named(given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
        let heard: Vec<_> = heard.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let want = [("MAX_KEYS", "2"), ("SECRETS_ACTIVE_KID", "k1"), ("THREAD_TTL_MS", "9")];
        assert_eq!(heard, want, "the environment comes behind the file");
    }

    /// A port below those that the system gives to whoever asks for any: nobody else takes it meanwhile.
    fn own_port(from: u16) -> u16 {
        (from..32_000).find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok()).unwrap()
    }

    #[test]
    fn previews_are_apart_from_the_page() {
        let page = own_port(21_000);
        let next = Preview::new(None, page).unwrap();
        assert!(next.port > page);
        assert_eq!(next.origin, format!("http://{{app}}.localhost:{}", next.port));
        let free = own_port(25_000);
        for origin in [format!("http://127.0.0.1:{free}"), format!("http://{{app}}.localhost:{free}/")] {
            let named = Preview::new(Some(&origin), page).unwrap();
            assert_eq!((named.port, named.origin), (free, origin));
        }
        let elsewhere = Preview::new(Some("https://{app}.apps.example.com"), page).unwrap();
        assert!(elsewhere.port > page, "it comes through whatever stands before this machine");

        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let taken = format!("http://localhost:{}", held.local_addr().unwrap().port());
        assert!(Preview::new(Some(&taken), page).is_err());
    }
}
