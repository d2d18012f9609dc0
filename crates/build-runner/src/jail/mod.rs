//! The jail in which code of a project runs (spec: app-builder.md §6 "Isolation").
//!
//! A jail is this program started anew, `build-runner jail …`, as two processes of one group: the [outer](outer) one
//! leaves the runner's rights and watches whether the runner is still there; the [inner](inner) one takes everything
//! else from itself and becomes Node. Owns what a jailed process may do. Knows nothing of stages and tools.
//! Invariant: both parts run single-threaded and never fork without `exec`.

mod inner;
#[cfg(target_os = "linux")]
mod landlock;
mod limits;
mod outer;
#[cfg(any(target_os = "macos", test))]
mod seatbelt;
#[cfg(target_os = "linux")]
mod seccomp;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

pub use limits::ProcessLimits;

/// The exit code of a jail that could not be set up: no code of the project ran.
pub const SETUP_FAILED: i32 = 125;
/// The first uid and gid of jobs, where the runner is root: that of slot `n` is this plus `n`.
pub const FIRST_SLOT_ID: u32 = 64_000;

/// How much a machine keeps a job from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The jail inside namespaces of its own.
    Namespaces,
    /// The jail alone: Landlock and seccomp.
    Landlock,
    /// The sandbox that macOS has.
    Seatbelt,
    /// Nothing: builds run with the rights of the runner, and only if that was asked for.
    None,
}

/// One command and what it may do, as the runner hands it to the jail in one argument.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JailSpec {
    pub level: Level,
    /// The uid and gid to become; absent where the runner is no root, or where that uid could not read what it needs.
    pub identity: Option<u32>,
    /// Folders and files that may be read and executed.
    pub read: Vec<PathBuf>,
    /// Folders that may be changed.
    pub write: Vec<PathBuf>,
    pub limits: ProcessLimits,
    pub program: PathBuf,
    pub arguments: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum JailError {
    #[error("{step}: {cause}")]
    System { step: &'static str, cause: nix::Error },
    #[error("{step}: {cause}")]
    Io { step: &'static str, cause: std::io::Error },
    #[error("the argument of a jail is its description as JSON: {0}")]
    Description(#[from] serde_json::Error),
    #[error("Landlock: {0}")]
    Landlock(String),
    #[error("seccomp: {0}")]
    Seccomp(String),
    #[error("this system has no jail of the level {0:?}")]
    Level(Level),
}

pub(crate) fn system(step: &'static str) -> impl Fn(nix::Error) -> JailError {
    move |cause| JailError::System { step, cause }
}

pub(crate) fn io(step: &'static str) -> impl Fn(std::io::Error) -> JailError {
    move |cause| JailError::Io { step, cause }
}

/// What `build-runner jail [--inner] DESCRIPTION` does. The code of the command is the program's own, 128 and the
/// signal where one ended it, [`SETUP_FAILED`] where it never ran.
pub fn run(arguments: &[String]) -> ExitCode {
    let result = match arguments {
        [inner, text] if inner == "--inner" => describe(text).and_then(|spec| inner::become_command(&spec)),
        [text] => describe(text).and_then(|spec| outer::supervise(&spec, text)),
        _ => Err(JailError::Io { step: "arguments", cause: std::io::ErrorKind::InvalidInput.into() }),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("jail: {error}");
            ExitCode::from(SETUP_FAILED as u8)
        }
    }
}

fn describe(text: &str) -> Result<JailSpec, JailError> {
    Ok(serde_json::from_str(text)?)
}

/// This program's own file, to be started once more.
pub fn own_program() -> std::io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}
