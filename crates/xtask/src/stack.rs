//! The running product: scripted model server and workerd, started together, ended together.
//!
//! Owns ports, the state folder, the two keys (never printed, and in no address) and what workerd is told (`worker/workerd.capnp.in`, which the edge
//! tests fill in the same way).

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
use crate::wasm::WORKER;

/// How long workerd and the model server may take to answer.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Variables that are given on to the Worker, one a line (worker/README.md).
const VARIABLES: &str = include_str!("../../../worker/variables.txt");
const TOKENS: &str = "tokens.json";
const OBJECTS: &str = "objects";
const CONFIG: &str = "workerd.capnp";
/// What users' own keys are sealed with, of a development state.
const SECRETS: &str = "secrets.json";
const DEV_KID: &str = "dev";
const DEV_VARS: &str = ".dev.vars";

/// What to start.
pub struct Options {
    /// Of page and API.
    pub port: u16,
    /// Databases and tokens.
    pub state: PathBuf,
    /// The bearer `dev` works on loopback.
    pub dev: bool,
    /// The program that serves the scripted model, and its first arguments.
    pub model_server: Vec<OsString>,
}

/// The two keys of account `dev`, as they stand in their file.
#[derive(Serialize, Deserialize)]
struct Tokens {
    admin_token: String,
    user_token: String,
}

/// Both servers; they end with it.
pub struct Stack {
    edge: Service,
    model: Service,
    model_url: String,
    origin: String,
    settings: Settings,
}

struct Settings {
    port: u16,
    state: PathBuf,
    dev: bool,
    model_server: Vec<OsString>,
}

impl Stack {
    /// Starts both and waits until they answer; makes the keys on a fresh state folder.
    pub fn start(options: &Options) -> Result<Self, Fault> {
        let Options { port, state, dev, model_server } = options;
        let settings = Settings { port: *port, state: state.clone(), dev: *dev, model_server: model_server.clone() };
        settings.make_state()?;
        let (mut model, model_url) = settings.start_model()?;
        let kept = read_tokens(state);
        let secret = if kept.is_some() { None } else { Some(random_hex()?) };
        let mut edge = settings.start_edge(&model_url, secret.as_deref())?;
        let origin = format!("http://127.0.0.1:{port}");
        await_answer(&origin, &mut edge, &mut model)?;
        if let Some(secret) = secret {
            make_tokens(&origin, &secret, state)?;
        }
        Ok(Self { edge, model, model_url, origin, settings })
    }

    /// Starts both anew on the same state; a page keeps its address.
    pub fn restart(&mut self) -> Result<(), Fault> {
        let Settings { port, state, dev, model_server } = &self.settings;
        let options = Options { port: *port, state: state.clone(), dev: *dev, model_server: model_server.clone() };
        self.edge.end();
        self.model.end();
        *self = Self::start(&options)?;
        Ok(())
    }

    /// A fault when one of them has ended by itself.
    pub fn alive(&mut self) -> Result<(), Fault> {
        self.edge.alive()?;
        self.model.alive()
    }

    /// Scheme, host and port of page and API.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The scripted model server, with its control below `/__scripted/`.
    pub fn model_url(&self) -> &str {
        &self.model_url
    }

    /// Where the keys of account `dev` stand, for their owner alone.
    pub fn keys_file(&self) -> PathBuf {
        self.settings.state.join(TOKENS)
    }
}

impl Settings {
    /// The state folder, for its owner alone. One that holds other things too is somebody's own: only what is ours in it
    /// is restricted.
    fn make_state(&self) -> Result<(), Fault> {
        let Self { state, .. } = self;
        own::folder(&state.join(OBJECTS))?;
        let ours = [OBJECTS, TOKENS, SECRETS, CONFIG];
        let mut alone = true;
        for entry in std::fs::read_dir(state)? {
            alone &= entry?.file_name().to_str().is_some_and(|name| ours.contains(&name));
        }
        if alone {
            own::restrict(state)?;
        }
        for path in ours.map(|name| state.join(name)).iter().filter(|path| path.exists()) {
            own::restrict(path)?;
        }
        Ok(())
    }

    fn start_model(&self) -> Result<(Service, String), Fault> {
        let Some((program, arguments)) = self.model_server.split_first() else {
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
        let mut bindings = variables();
        bindings.entry("UPSTREAM_BASE_URL".to_owned()).or_insert_with(|| format!("{model_url}/v1"));
        if self.dev {
            bindings.insert("HOLDPOINT_DEV".to_owned(), "1".to_owned());
            // A model may be on the same machine, and its key can be stored.
            bindings.entry("ALLOW_PRIVATE_UPSTREAMS".to_owned()).or_insert_with(|| "1".to_owned());
            if !bindings.contains_key("SECRETS_KEYS") {
                bindings.insert("SECRETS_KEYS".to_owned(), self.secrets()?);
                bindings.insert("SECRETS_ACTIVE_KID".to_owned(), DEV_KID.to_owned());
            }
        }
        if let Some(secret) = secret {
            bindings.insert("BOOTSTRAP_SECRET".to_owned(), secret.to_owned());
        }
        let config = self.state.join(CONFIG);
        own::write(&config, &self.config(&bindings)?)?;
        let mut start = own::restricted(workerd()?);
        start.args(["serve", "--import-path=/"]).arg(&config);
        Service::start("workerd", start.stdout(Stdio::null()))
    }

    /// The keys for secrets of this state, made at its first start.
    fn secrets(&self) -> Result<String, Fault> {
        let file = self.state.join(SECRETS);
        if let Ok(written) = std::fs::read_to_string(&file) {
            return Ok(written);
        }
        let mut key = [0_u8; 32];
        getrandom::fill(&mut key).map_err(|error| Fault::told(format!("No randomness: {error}")))?;
        let written = serde_json::json!({ DEV_KID: STANDARD.encode(key) }).to_string();
        own::write(&file, &written)?;
        Ok(written)
    }

    fn config(&self, bindings: &BTreeMap<String, String>) -> Result<String, Fault> {
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
            .replace("@STATE_DIR@", &path_text(&self.state.join(OBJECTS)))
            .replace("@PAGE_DIR@", &path_text(&page))
            .replace("@ADDRESS@", &text(&format!("127.0.0.1:{}", self.port)))
            .replace("@ENTRY@", &path_text(&root().join("worker/entry.mjs")))
            .replace("@MODULES@", &modules(&root().join(WORKER.dir))?)
            .replace("@BINDINGS@", &lines))
    }
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

fn random_hex() -> Result<String, Fault> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| Fault::told(format!("No randomness: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether nothing listens on a loopback port.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// The first free port from `port` on.
pub fn free_port(port: u16) -> Result<u16, Fault> {
    (port..=u16::MAX).find(|port| is_free(*port)).ok_or_else(|| Fault::told(format!("No port from {port} on is free.")))
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
}
