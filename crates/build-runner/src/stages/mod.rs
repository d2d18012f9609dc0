//! The stages of a job, in their order (spec: app-builder.md §6 "Stages").
//!
//! No stage starts a shell or a script of `package.json`: a command is Node, the tool's own file and a list of
//! arguments. A stage ends by itself or is dropped, which kills what it started.

mod build;
mod install;
mod lock;
mod script;
mod test;

pub use install::{PackageSet, prepare_layers};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use holdpoint_check::{Diagnostic, args};
use tokio::sync::mpsc;

use crate::command::{self, CommandEnd, Groups, JailCommand};
use crate::layer::{Layers, LockError, PackageLayer};
use crate::limits::JobLimits;
use crate::machine::{JailScript, Machine};
use crate::output::{BUILD_ERROR, BuildTool, INSTALL_ERROR, diagnose, is_out_of_memory};
use crate::policy::{Policy, PolicyInput};
use crate::prepare::{JobFolder, with_pointers};
use crate::time;
use crate::watch::PeakUsage;
use crate::wire::{BuildCode, BuildRequest, BuildStage, DistManifest, Frame, LogStream, TestOutcome};

/// What a job is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobKind {
    Build,
    Tests,
    Lock,
}

/// What all jobs of a runner share.
#[derive(Debug)]
pub struct Workshop {
    pub machine: Arc<Machine>,
    pub layers: Layers,
    pub policy: Policy,
    /// The origin of the registry, without a final slash.
    pub registry: String,
    pub limits: JobLimits,
}

/// One job and all it has.
#[derive(Debug)]
pub struct Job {
    pub workshop: Arc<Workshop>,
    pub request: BuildRequest,
    pub kind: JobKind,
    pub slot: usize,
    pub limits: JobLimits,
    pub frames: mpsc::Sender<Frame>,
    pub groups: Groups,
    /// The most that was seen of its processes.
    pub peak: PeakUsage,
    /// Milliseconds by stage, also of a job that was broken off.
    pub timings: Mutex<BTreeMap<String, u64>>,
    pub versions: Mutex<BTreeMap<String, String>>,
}

/// What a job that succeeded made.
#[derive(Debug, Default)]
pub struct Product {
    pub manifest: Option<DistManifest>,
    pub generated_lock: Option<String>,
    pub tests: Option<Vec<TestOutcome>>,
    pub lock: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a stage ended its job.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    #[error("the project fails")]
    Project { code: Option<BuildCode>, diagnostics: Vec<Diagnostic>, product: Box<Product> },
    /// A fault of the machine; the job has no result, and is tried again by whoever sent it.
    #[error("the machine fails: {0}")]
    Machine(#[from] std::io::Error),
}

impl StageError {
    fn project(code: BuildCode, diagnostics: Vec<Diagnostic>) -> Self {
        Self::Project { code: Some(code), diagnostics, product: Box::default() }
    }

    /// The end of a job that no tool tells of.
    pub fn ran_out(code: BuildCode, text: &str) -> Self {
        Self::project(code, vec![Diagnostic::of(&BUILD_ERROR, args! { text })])
    }
}

impl Job {
    /// The folder of the job, named by its slot.
    pub fn folder(&self) -> PathBuf {
        self.workshop.machine.jobs().join(self.slot.to_string())
    }

    /// Where dist and maps of a build go.
    pub fn artifact(&self) -> PathBuf {
        self.workshop.machine.artifacts().join(&self.request.build_id)
    }

    pub async fn run(&self) -> Result<Product, StageError> {
        if self.kind == JobKind::Lock {
            return self.renew_lock().await;
        }
        let folder = self.stage(BuildStage::Prepare, self.prepare()).await?;
        let (lock, warnings) = self.stage(BuildStage::Policy, self.check()).await?;
        if !self.request.has_step(BuildStage::Install) {
            return Ok(Product { diagnostics: warnings, ..Product::default() });
        }
        let used = lock.as_ref().or_else(|| self.request.files.get("package-lock.json"));
        let layer = self.stage(BuildStage::Install, self.install(&folder, used)).await?;
        let mut product = match self.kind {
            JobKind::Tests => self.stage(BuildStage::Test, self.test(&folder, &layer)).await?,
            JobKind::Build | JobKind::Lock => self.build(&folder, &layer).await?,
        };
        product.diagnostics.splice(0..0, warnings);
        product.generated_lock = lock;
        Ok(product)
    }

    /// Tells of a stage, runs it, and notes how long it took.
    async fn stage<T>(
        &self,
        stage: BuildStage,
        work: impl Future<Output = Result<T, StageError>>,
    ) -> Result<T, StageError> {
        let _ = self.frames.send(Frame::Stage { stage, at: time::now() }).await;
        let _clock = StageClock { timings: &self.timings, stage, start: Instant::now() };
        work.await
    }

    async fn prepare(&self) -> Result<JobFolder, StageError> {
        let (root, blobs) = (self.folder(), self.workshop.machine.blobs());
        let request = self.request.clone();
        let made = tokio::task::spawn_blocking(move || JobFolder::create(root, &request, &blobs)).await;
        Ok(made.map_err(std::io::Error::other)??)
    }

    /// The renewed lock, if there is one, and what is only a warning.
    async fn check(&self) -> Result<(Option<String>, Vec<Diagnostic>), StageError> {
        let (workshop, request) = (Arc::clone(&self.workshop), self.request.clone());
        let checked = tokio::task::spawn_blocking(move || {
            let input = PolicyInput {
                files: &with_pointers(&request),
                entry_file: request.entry_file.as_deref(),
                options: &request.options,
                registry: &workshop.registry,
            };
            (workshop.policy)(&input)
        });
        let answer = checked.await.map_err(std::io::Error::other)?;
        if answer.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(StageError::project(BuildCode::PolicyFailed, answer.diagnostics));
        }
        Ok((answer.lock, answer.diagnostics))
    }

    async fn log(&self, stage: BuildStage, text: String) {
        let _ = self.frames.send(Frame::Log { stage, stream: LogStream::Stdout, text }).await;
    }

    /// Runs a command within a time.
    async fn command(&self, command: &JailCommand, limit: Duration) -> Result<CommandEnd, StageError> {
        match tokio::time::timeout(limit, command::run(command, &self.groups, &self.frames)).await {
            Ok(ended) => Ok(ended?),
            Err(_) => Err(StageError::ran_out(BuildCode::BuildTimeout, "a stage took longer than its time")),
        }
    }

    /// Runs a tool of the layer in the jail, in the folder of the project.
    async fn tool(&self, run: ToolRun<'_>) -> Result<CommandEnd, StageError> {
        let machine = &self.workshop.machine;
        let mut arguments = vec![run.file.to_string_lossy().into_owned()];
        arguments.extend(run.arguments);
        let script = JailScript { folder: &run.folder.root, read: vec![run.layer.path.clone()], arguments };
        let mut env = machine.job_env(&run.folder.root, run.mode);
        env.extend(self.request.env.clone());
        let jail = machine.jail(self.slot, self.limits, script);
        let command = JailCommand { stage: run.stage, jail, env, folder: run.folder.project.clone() };
        let ended = self.command(&command, run.limit).await?;
        if ended.code == crate::jail::SETUP_FAILED && ended.text.starts_with("jail: ") {
            return Err(StageError::Machine(std::io::Error::other(ended.text)));
        }
        Ok(ended)
    }

    /// The versions of Node, npm and of the tools that were used so far.
    pub fn tool_versions(&self) -> BTreeMap<String, String> {
        let machine = &self.workshop.machine;
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner).clone();
        versions.insert("node".to_owned(), machine.node_version.clone());
        versions.insert("npm".to_owned(), machine.npm_version.clone());
        versions
    }

    /// What a failed tool says: that something ran out, or the findings in its output.
    fn tool_failure(&self, code: BuildCode, tool: BuildTool, ended: &CommandEnd, folder: &JobFolder) -> StageError {
        // Node that is short of memory may crash before it can say so.
        let was_short = self.peak.was_short(self.limits.memory_bytes);
        let code = if is_out_of_memory(&ended.text) || (CRASHES.contains(&ended.code) && was_short) {
            BuildCode::BuildOutOfMemory
        } else if ended.code == FILE_TOO_LARGE || ended.text.contains("EFBIG") {
            BuildCode::BuildOutputTooLarge
        } else {
            code
        };
        let silent = format!("it ended with the code {} and said nothing", ended.code);
        let text = if ended.text.trim().is_empty() { &silent } else { &ended.text };
        StageError::project(code, diagnose(tool, text, &folder.project))
    }

    fn note_version(&self, tool: &str, version: Option<String>) {
        if let Some(version) = version {
            self.versions.lock().unwrap_or_else(PoisonError::into_inner).insert(tool.to_owned(), version);
        }
    }
}

/// Notes how long a stage took, also of one that was broken off.
struct StageClock<'j> {
    timings: &'j Mutex<BTreeMap<String, u64>>,
    stage: BuildStage,
    start: Instant,
}

impl Drop for StageClock<'_> {
    fn drop(&mut self) {
        let name = format!("{:?}", self.stage).to_lowercase();
        let ms = self.start.elapsed().as_millis() as u64;
        self.timings.lock().unwrap_or_else(PoisonError::into_inner).insert(name, ms);
    }
}

/// A tool of a layer, about to run.
struct ToolRun<'r> {
    stage: BuildStage,
    folder: &'r JobFolder,
    layer: &'r PackageLayer,
    /// The file of the tool that Node runs.
    file: PathBuf,
    arguments: Vec<String>,
    /// What `NODE_ENV` is for the run.
    mode: &'static str,
    limit: Duration,
}

/// The exit codes of processes that a signal of their own fault ended.
const CRASHES: [i32; 5] = {
    use nix::libc::{SIGABRT, SIGBUS, SIGILL, SIGSEGV, SIGTRAP};
    [128 + SIGILL, 128 + SIGTRAP, 128 + SIGABRT, 128 + SIGBUS, 128 + SIGSEGV]
};
/// The exit code of a process that a signal ended because a file got over its limit.
const FILE_TOO_LARGE: i32 = 128 + nix::libc::SIGXFSZ;

/// What the lock of a project is refused with.
fn lock_failure(error: &LockError) -> StageError {
    let finding = Diagnostic::of(&INSTALL_ERROR, args! { text: error.to_string() });
    StageError::project(BuildCode::InstallFailed, vec![finding.in_file("package-lock.json")])
}
