//! Starts programs, says what is missing, ends what was started.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Why a task ended.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Says what happened and what to do.
    #[error("{0}")]
    Told(String),
    /// The words of the call are wrong; says which are right.
    #[error("{0}")]
    Usage(String),
    /// The machine refused.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Fault {
    /// A fault in words.
    pub fn told(text: impl Into<String>) -> Self {
        Self::Told(text.into())
    }
}

impl From<pico_args::Error> for Fault {
    fn from(error: pico_args::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap_or(crate_dir).to_path_buf()
}

/// A command that runs in the workspace.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// `cargo` as it started us.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `cargo` whose compiler lints what it compiles of this workspace: one build for what `cargo clippy` and the tests
/// would build twice. What it makes lies beside what `cargo` makes alone.
pub fn linting_cargo() -> Command {
    let mut cargo = cargo();
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    cargo
}

/// Says what is done now.
pub fn step(text: &str) {
    eprintln!("· {text}");
}

/// Runs to the end; a status other than 0 is a fault that names the command.
pub fn run(command: &mut Command) -> Result<(), Fault> {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(Fault::told(format!("`{}` ended with {status}.", shown(command)))) }
}

/// Runs to the end and answers what it printed.
pub fn output(command: &mut Command) -> Result<String, Fault> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(Fault::told(format!("`{}` ended with {}.", shown(command), output.status)))
    }
}

fn cannot_start(command: &Command, error: &io::Error) -> Fault {
    let program = command.get_program().to_string_lossy();
    Fault::told(format!("`{program}` could not be started ({error}). Install it and try again."))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// How long a program may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

/// A program that ends with us.
#[derive(Debug)]
pub struct Service {
    name: &'static str,
    child: Child,
}

impl Service {
    /// Starts a program.
    pub fn start(name: &'static str, command: &mut Command) -> Result<Self, Fault> {
        let child = command.spawn().map_err(|error| cannot_start(command, &error))?;
        Ok(Self { name, child })
    }

    /// The running program.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// A fault when it has ended by itself.
    pub fn alive(&mut self) -> Result<(), Fault> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => Err(Fault::told(format!("{} ended by itself with {status}.", self.name))),
        }
    }
}

impl Service {
    /// Asks it to end, then ends it.
    pub fn end(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        let _ = Command::new("kill").arg(self.child.id().to_string()).stderr(Stdio::null()).status();
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.end();
    }
}
