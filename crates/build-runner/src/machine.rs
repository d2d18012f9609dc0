//! The machine under the runner: Node, npm, folders, and how well it can jail, found once at start.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::process::Command;
use tokio::sync::mpsc;

use crate::command::{self, CommandEnd, Groups, JailCommand};
use crate::jail::{FIRST_SLOT_ID, JailSpec, Level, ProcessLimits};
use crate::limits::{JobLimits, MAX_PROCESSES, MIB};
use crate::tree;
use crate::wire::BuildStage;

/// Variables of the runner's own environment that only the fetching of packages gets: the way to the registry.
const NETWORK_NAMES: [&str; 12] = [
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "all_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_USE_ENV_PROXY",
];
const PROBE_PATIENCE: Duration = Duration::from_secs(20);
/// Of the memory of a job, how much the heap of one Node may have: it then says itself that it is full.
const HEAP_SHARE: (u64, u64) = (3, 4);

#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    #[error("node cannot be started at {path} ({cause}): name another one with --node")]
    Node { path: PathBuf, cause: String },
    #[error("npm's `npm-cli.js` is not beside node: name it with --npm-cli")]
    Npm,
    #[error("the cache {path} cannot be used: {cause}")]
    Cache { path: PathBuf, cause: std::io::Error },
    #[error("another runner uses the cache {0}: name another folder with --cache")]
    Taken(PathBuf),
}

/// What the caller says of the machine.
#[derive(Debug, Clone)]
pub struct MachineOptions {
    pub cache: PathBuf,
    pub node: PathBuf,
    pub npm_cli: Option<PathBuf>,
    /// The highest level that is tried.
    pub level: Level,
}

#[derive(Debug)]
pub struct Machine {
    pub node: PathBuf,
    pub npm_cli: PathBuf,
    pub node_version: String,
    pub npm_version: String,
    pub level: Level,
    /// Each slot has a uid of its own.
    pub has_slot_ids: bool,
    pub cache: PathBuf,
    /// Held as long as the runner lives.
    _lock: fs::File,
}

impl Machine {
    /// Looks at the machine, and clears what a runner that was killed left in the cache.
    pub async fn look(options: &MachineOptions) -> Result<Self, MachineError> {
        let (cache, lock) = open_cache(&options.cache)?;
        let node = find_program(&options.node);
        let fault = |cause: String| MachineError::Node { path: node.clone(), cause };
        let real = fs::canonicalize(&node).map_err(|error| fault(error.to_string()))?;
        let asked = Command::new(&real).arg("--version").output().await.map_err(|error| fault(error.to_string()))?;
        let node_version = String::from_utf8_lossy(&asked.stdout).trim().trim_start_matches('v').to_owned();
        if node_version.is_empty() {
            return Err(fault("it names no version".to_owned()));
        }
        let npm_cli =
            options.npm_cli.clone().or_else(|| beside(&node)).or_else(|| beside(&real)).ok_or(MachineError::Npm)?;
        let npm_version = version_of(&npm_cli).ok_or(MachineError::Npm)?;
        let mut machine = Self {
            node: real,
            npm_cli,
            node_version,
            npm_version,
            level: Level::None,
            has_slot_ids: false,
            cache,
            _lock: lock,
        };
        machine.find_level(options.level).await;
        Ok(machine)
    }

    /// What packages are installed for: Node's major version and the system.
    pub fn target(&self) -> String {
        let major = self.node_version.split('.').next().unwrap_or_default();
        format!("{major} {} {}", std::env::consts::OS, std::env::consts::ARCH)
    }

    pub fn jobs(&self) -> PathBuf {
        self.cache.join("jobs")
    }

    pub fn layers(&self) -> PathBuf {
        self.cache.join("layers")
    }

    pub fn artifacts(&self) -> PathBuf {
        self.cache.join("artifacts")
    }

    pub fn blobs(&self) -> PathBuf {
        self.cache.join("blobs")
    }

    pub fn npm_cache(&self) -> PathBuf {
        self.cache.join("npm")
    }

    /// The uid and gid of a slot, if slots have one.
    pub fn slot_id(&self, slot: usize) -> Option<u32> {
        self.has_slot_ids.then_some(FIRST_SLOT_ID + slot as u32)
    }

    /// How Node runs in a jail: `script` with arguments, in the folder of a job.
    pub fn jail(&self, slot: usize, limits: JobLimits, script: JailScript<'_>) -> JailSpec {
        let heap = limits.memory_bytes / MIB * HEAP_SHARE.0 / HEAP_SHARE.1;
        let mut arguments = vec![format!("--max-old-space-size={heap}")];
        arguments.extend(script.arguments);
        let mut read = script.read;
        read.extend(self.node.parent().map(Path::to_owned));
        JailSpec {
            level: self.level,
            identity: self.slot_id(slot),
            read,
            write: vec![script.folder.to_owned()],
            limits: ProcessLimits {
                memory_bytes: limits.memory_bytes,
                file_bytes: limits.disk_bytes,
                processes: MAX_PROCESSES,
            },
            program: self.node.clone(),
            arguments,
        }
    }

    /// npm outside a jail, but in a group that ends with the runner. It runs no code of a project.
    pub fn npm(&self, arguments: Vec<String>) -> JailSpec {
        let script = self.npm_cli.to_string_lossy().into_owned();
        JailSpec {
            level: Level::None,
            identity: None,
            read: Vec::new(),
            write: Vec::new(),
            limits: ProcessLimits { memory_bytes: 0, file_bytes: 0, processes: 0 },
            program: self.node.clone(),
            arguments: std::iter::once(script).chain(arguments).collect(),
        }
    }

    /// The environment of a job, made from nothing.
    pub fn job_env(&self, folder: &Path, mode: &str) -> BTreeMap<String, String> {
        let node = self.node.parent().unwrap_or(Path::new("/usr/bin")).display();
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        BTreeMap::from([
            ("PATH".to_owned(), format!("{node}:/usr/bin:/bin")),
            ("HOME".to_owned(), text(folder.join("home"))),
            ("TMPDIR".to_owned(), text(folder.join("tmp"))),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("CI".to_owned(), "1".to_owned()),
            ("NODE_ENV".to_owned(), mode.to_owned()),
        ])
    }

    /// The same with the way to the registry, for npm alone. No settings file of a user or the machine is read.
    pub fn npm_env(&self, folder: &Path) -> BTreeMap<String, String> {
        let mut env = self.job_env(folder, "production");
        // Neither file is there: npm refuses one file for both.
        for (name, file) in [("npm_config_userconfig", "no-user"), ("npm_config_globalconfig", "no-machine")] {
            env.insert(name.to_owned(), self.npm_cache().join(file).to_string_lossy().into_owned());
        }
        env.insert("npm_config_update_notifier".to_owned(), "false".to_owned());
        env.extend(NETWORK_NAMES.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?))));
        env
    }

    /// Tries jails from the best downward: a level holds if Node runs in it, reads what it needs, and reads no more.
    async fn find_level(&mut self, highest: Level) {
        let levels: &[Level] = match highest {
            Level::None => &[],
            Level::Landlock => &[Level::Landlock],
            _ if cfg!(target_os = "macos") => &[Level::Seatbelt],
            _ => &[Level::Namespaces, Level::Landlock],
        };
        let ids: &[bool] = if nix::unistd::geteuid().is_root() { &[true, false] } else { &[false] };
        for has_slot_ids in ids {
            for level in levels {
                (self.level, self.has_slot_ids) = (*level, *has_slot_ids);
                if self.holds().await {
                    return;
                }
            }
        }
        (self.level, self.has_slot_ids) = (Level::None, false);
    }

    async fn holds(&self) -> bool {
        const PROBE: &str = "const fs = require('fs'); const [open, closed, own] = process.argv.slice(1);
            fs.readFileSync(open); fs.writeFileSync(own, 'x');
            let seen = true; try { fs.readFileSync(closed) } catch { seen = false }
            process.exit(seen ? 1 : 0)";
        let folder = self.jobs().join("probe");
        let layer = self.layers().join("probe");
        let secret = self.cache.join("probe");
        let prepared = || -> std::io::Result<()> {
            tree::remove(&folder)?;
            fs::create_dir_all(&folder)?;
            fs::create_dir_all(&layer)?;
            fs::write(layer.join("open"), "x")?;
            fs::write(&secret, "x")?;
            tree::give(&folder, self.slot_id(0))
        };
        if prepared().is_err() {
            return false;
        }
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        let arguments =
            vec!["-e".into(), PROBE.into(), text(layer.join("open")), text(secret.clone()), text(folder.join("own"))];
        let script = JailScript { folder: &folder, read: vec![layer.clone()], arguments };
        let jail = self.jail(0, JobLimits::default(), script);
        let env = self.job_env(&folder, "production");
        let probe = JailCommand { stage: BuildStage::Prepare, jail, env, folder: folder.clone() };
        let (groups, (frames, _)) = (Groups::default(), mpsc::channel(1));
        let ran = tokio::time::timeout(PROBE_PATIENCE, command::run(&probe, &groups, &frames)).await;
        groups.gone().await;
        let _ = (tree::remove(&folder), tree::remove(&layer), fs::remove_file(&secret));
        matches!(ran, Ok(Ok(CommandEnd { code: 0, .. })))
    }
}

/// What Node runs, and what it may read for it beside itself and the folder.
#[derive(Debug)]
pub struct JailScript<'f> {
    /// The folder of the job, which it may change.
    pub folder: &'f Path,
    pub read: Vec<PathBuf>,
    /// Options of Node, the script, and its arguments.
    pub arguments: Vec<String>,
}

/// Makes the folders of the cache and removes what a killed runner left: jobs, artifacts, layers half made.
fn open_cache(path: &Path) -> Result<(PathBuf, fs::File), MachineError> {
    let fault = |cause| MachineError::Cache { path: path.to_owned(), cause };
    fs::create_dir_all(path).map_err(fault)?;
    let cache = fs::canonicalize(path).map_err(fault)?;
    let lock = fs::File::create(cache.join("lock")).map_err(fault)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(MachineError::Taken(cache)),
        Err(fs::TryLockError::Error(cause)) => return Err(fault(cause)),
    }
    for name in ["jobs", "artifacts"] {
        for entry in fs::read_dir(cache.join(name)).into_iter().flatten().flatten() {
            tree::remove(&entry.path()).map_err(fault)?;
        }
    }
    for name in ["jobs", "artifacts", "layers", "blobs", "npm"] {
        fs::create_dir_all(cache.join(name)).map_err(fault)?;
    }
    Ok((cache, lock))
}

/// A program by its path, or by its name in `PATH`.
fn find_program(name: &Path) -> PathBuf {
    if name.components().count() > 1 {
        return name.to_owned();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    found.unwrap_or_else(|| name.to_owned())
}

/// `PREFIX/lib/node_modules/npm/bin/npm-cli.js` for the node in `PREFIX/bin`.
fn beside(node: &Path) -> Option<PathBuf> {
    let prefix = node.parent()?.parent()?;
    Some(prefix.join("lib/node_modules/npm/bin/npm-cli.js")).filter(|path| path.is_file())
}

/// The version in npm's own `package.json`.
fn version_of(npm_cli: &Path) -> Option<String> {
    let text = fs::read(npm_cli.parent()?.parent()?.join("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_slice(&text).ok()?;
    Some(package.get("version")?.as_str()?.to_owned())
}

/// Whether the registry answers: asked at start and now and then, never while somebody waits.
#[derive(Debug, Default)]
pub struct RegistryState {
    is_ok: AtomicBool,
}

impl RegistryState {
    pub fn is_ok(&self) -> bool {
        self.is_ok.load(Ordering::Relaxed)
    }

    /// Asks every minute, for as long as the task runs.
    pub async fn follow(self: Arc<Self>, machine: Arc<Machine>, registry: String) {
        const EVERY: Duration = Duration::from_mins(1);
        const PATIENCE: Duration = Duration::from_secs(30);
        loop {
            let folder = machine.cache.clone();
            let arguments = vec!["ping".to_owned(), format!("--registry={registry}"), npm_cache_argument(&machine)];
            let ping = JailCommand {
                stage: BuildStage::Install,
                jail: machine.npm(arguments),
                env: machine.npm_env(&folder),
                folder,
            };
            let (groups, (frames, _)) = (Groups::default(), mpsc::channel(1));
            let ran = tokio::time::timeout(PATIENCE, command::run(&ping, &groups, &frames)).await;
            self.is_ok.store(matches!(ran, Ok(Ok(CommandEnd { code: 0, .. }))), Ordering::Relaxed);
            tokio::time::sleep(EVERY).await;
        }
    }
}

pub fn npm_cache_argument(machine: &Machine) -> String {
    format!("--cache={}", machine.npm_cache().display())
}
