//! The sandbox in a child process that can be ended at its limits (spec: ifc-sdk.md §6.1, §6.2).
//!
//! Owns the protocol between the two processes, the wall clock, and what a child's end means. Frames on both pipes are
//! a little-endian `u32` of length and that many bytes. Invariant: whatever a child does, the parent answers with an
//! [`Outcome`], and the next call gets a working child.

use std::{
    ffi::OsString,
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, SystemTime},
};

use holdpoint_check::args;
use holdpoint_model::{fixtures, iso_time};
use holdpoint_sdk::{
    codes::{CALL, ENDED, ENGINE, NO_ANSWER, NOT_BUILT, NOT_MADE},
    run::{Failure, ModelFile, Outcome, Program, TestRun},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    budget::{Budget, NATIVE_STACK_BYTES},
    failure,
    meter::{self, Limit},
    sandbox::{OpenError, Sandbox},
};

/// The hidden subcommand under which a binary calls [`serve`].
pub const SUBCOMMAND: &str = "__sandbox";
/// Time for reading models, which is not part of a call.
const OPEN_TIMEOUT: Duration = Duration::from_mins(2);
/// Time for the answer to come through the pipe after a call's own time.
const GRACE: Duration = Duration::from_millis(100);
const MAX_FRAME_BYTES: u32 = 1 << 30;
/// Calls of one child. The engine keeps some of every realm; a child that has served so often is replaced.
const MAX_CALLS: u32 = 32;
/// What is kept of what a dying child says.
const MAX_LAST_WORDS: u64 = 8 * 1024;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    /// Files follow, one frame each.
    Open { names: Vec<String>, loaded_at: String },
    /// One call on the opened models.
    Run(Box<Program>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Opened,
    Invalid(InvalidModel),
    Ran(Box<Outcome>),
    /// How a call ended that broke the engine: the child is not used again.
    Broke(Box<Outcome>),
}

#[derive(Debug, Serialize, Deserialize)]
struct InvalidModel {
    name: String,
    cause: holdpoint_model::InvalidModelError,
}

/// Answers requests until the input ends. The binary must install `holdpoint_heap::Counting`, else memory is unbounded.
pub fn serve(input: impl Read + Send, output: impl Write + Send) -> io::Result<()> {
    // Calls through built-ins use the native stack; the limit of frames must be reached before it ends.
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(NATIVE_STACK_BYTES);
        worker
            .spawn_scoped(scope, || answer_all(input, output))?
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the engine stopped")))
    })
}

fn answer_all(mut input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut sandbox = Sandbox::new("");
    while let Some(frame) = read_frame(&mut input)? {
        let answer = match serde_json::from_slice(&frame)? {
            Request::Run(program) => match catch_unwind(AssertUnwindSafe(|| sandbox.run(&program))) {
                Ok(outcome) => Answer::Ran(Box::new(outcome)),
                Err(_) => Answer::Broke(Box::new(ended(broke(), &program))),
            },
            Request::Open { names, loaded_at } => {
                sandbox = Sandbox::new(loaded_at);
                let mut answer = Answer::Opened;
                for name in names {
                    let bytes = read_frame(&mut input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
                    if let Err(OpenError { name, cause }) = sandbox.open(ModelFile { name, bytes }) {
                        answer = Answer::Invalid(InvalidModel { name, cause });
                    }
                }
                answer
            }
        };
        write_frame(&mut output, &serde_json::to_vec(&answer)?)?;
        output.flush()?;
        if matches!(answer, Answer::Broke(_)) {
            // Nothing of a broken engine is touched again; the parent ends this process.
            std::mem::forget(sandbox);
            loop {
                thread::park();
            }
        }
    }
    Ok(())
}

fn read_frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame is too large"));
    }
    let mut frame = vec![0; length as usize];
    input.read_exact(&mut frame)?;
    Ok(Some(frame))
}

fn write_frame(output: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u32::try_from(frame.len()).ok().filter(|length| *length <= MAX_FRAME_BYTES);
    let length = length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a frame is too large"))?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(frame)
}

/// Why nothing could be run.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// A file is no model.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The child process could not be started or spoken to: a fault of ours.
    #[error("the sandbox process could not be used: {0}")]
    Process(#[from] io::Error),
}

/// Starts child processes, enforces the wall clock, and says what ended a child.
#[derive(Debug)]
pub struct Runner {
    binary: PathBuf,
    arguments: Vec<OsString>,
    process: Option<Process>,
    /// What a call may take beyond its wall clock.
    grace: Duration,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<io::Result<Vec<u8>>>,
    last_words: Receiver<String>,
    opened: Vec<ModelFile>,
    calls: u32,
}

/// What came back within the time.
enum Reply {
    Answer(Answer),
    Late,
    Ended,
}

impl Runner {
    /// A runner whose children are this binary with [`SUBCOMMAND`].
    pub fn new() -> io::Result<Self> {
        Ok(Self { binary: std::env::current_exe()?, arguments: vec![SUBCOMMAND.into()], process: None, grace: GRACE })
    }

    /// The same with another grace: on a slow machine the clock ends what its fuel would.
    #[must_use]
    pub fn patient(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// Runs one call on files. A call that is ended at a limit is an [`Outcome`] with that failure.
    pub fn run(&mut self, models: &[ModelFile], program: &Program) -> Result<Outcome, RunnerError> {
        let mut process = self.ready(models)?;
        process.calls += 1;
        let limit = Duration::from_millis(Budget::of(program.profile).wall_ms) + self.grace;
        let reply = match process.send(&Request::Run(Box::new(program.clone())), &[]) {
            Ok(()) => process.receive(limit)?,
            Err(_) => Reply::Ended,
        };
        match reply {
            Reply::Answer(Answer::Ran(outcome)) => {
                self.process = Some(process);
                Ok(*outcome)
            }
            Reply::Answer(Answer::Broke(outcome)) => {
                process.kill()?;
                Ok(*outcome)
            }
            Reply::Answer(_) => Err(io::Error::other("the sandbox answered out of turn").into()),
            Reply::Late => {
                process.kill()?;
                Ok(ended(timeout(), program))
            }
            Reply::Ended => Ok(ended(process.why_it_ended()?, program)),
        }
    }

    /// Runs prepared tests in order; `fixture` answers the file of a canonical fixture, else it is `FIXTURE_FAILED`.
    pub fn run_all(
        &mut self,
        runs: &[TestRun],
        fixture: impl Fn(&str) -> Option<ModelFile>,
    ) -> Result<Vec<Outcome>, RunnerError> {
        let one = |run: &TestRun| match self.model_of(run, &fixture)? {
            Ok(file) => self.run(&[file], &run.program),
            Err(failure) => Ok(ended(failure, &run.program)),
        };
        runs.iter().map(one).collect()
    }

    /// The file that a test runs on, or why there is none.
    fn model_of(
        &mut self,
        run: &TestRun,
        fixture: impl Fn(&str) -> Option<ModelFile>,
    ) -> Result<Result<ModelFile, Failure>, RunnerError> {
        let name = &run.fixture;
        let built = match (&run.builder, &run.content) {
            (Some(builder), _) => {
                let outcome = self.run(&[], builder)?;
                let content = outcome.value.as_ref().and_then(|value| value.get("content")?.as_str());
                content.map(str::to_owned).ok_or_else(|| outcome.failure.unwrap_or_default().told())
            }
            (None, Some(content)) => fixtures::synthetic(content).map_err(Value::String),
            (None, None) => {
                let failure = || failure::of_code(&NOT_BUILT, args! { fixture: name });
                return Ok(fixture(name).ok_or_else(failure));
            }
        };
        let file = |text: String| ModelFile { name: format!("{name}.ifc"), bytes: text.into_bytes() };
        Ok(built.map(file).map_err(|why| failure::of_code(&NOT_MADE, args! { fixture: name, why })))
    }

    /// A child that has opened just these files.
    fn ready(&mut self, models: &[ModelFile]) -> Result<Process, RunnerError> {
        let mut process = match self.process.take().filter(|process| process.calls < MAX_CALLS) {
            Some(process) if process.opened == models => return Ok(process),
            Some(process) => process,
            None => Process::start(&self.binary, &self.arguments)?,
        };
        let names = models.iter().map(|model| model.name.clone()).collect();
        let files: Vec<&[u8]> = models.iter().map(|model| model.bytes.as_slice()).collect();
        process.send(&Request::Open { names, loaded_at: now() }, &files)?;
        match process.receive(OPEN_TIMEOUT)? {
            Reply::Answer(Answer::Opened) => {
                process.opened = models.to_vec();
                Ok(process)
            }
            Reply::Answer(Answer::Invalid(InvalidModel { name, cause })) => Err(OpenError { name, cause }.into()),
            Reply::Late => {
                process.kill()?;
                Err(io::Error::new(io::ErrorKind::TimedOut, "the models took too long to read").into())
            }
            _ => Err(io::Error::other("the sandbox ended while it read the models").into()),
        }
    }
}

impl Process {
    fn start(binary: &PathBuf, arguments: &[OsString]) -> io::Result<Self> {
        let mut child = Command::new(binary)
            .args(arguments)
            // Keys and tokens of the parent stand there.
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(input), Some(mut output), Some(mut errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("the sandbox has no pipes"));
        };
        let (send, answers) = channel();
        thread::spawn(move || {
            while let Some(frame) = read_frame(&mut output).transpose() {
                let failed = frame.is_err();
                if send.send(frame).is_err() || failed {
                    break;
                }
            }
        });
        let (send, last_words) = channel();
        thread::spawn(move || {
            let mut words = Vec::new();
            let read = errors.by_ref().take(MAX_LAST_WORDS).read_to_end(&mut words);
            // The rest is drained, so that the child never waits for us.
            let _ = read.and_then(|_| io::copy(&mut errors, &mut io::sink()));
            let _ = send.send(String::from_utf8_lossy(&words).into_owned());
        });
        Ok(Self { child, input, answers, last_words, opened: Vec::new(), calls: 0 })
    }

    fn send(&mut self, request: &Request, files: &[&[u8]]) -> io::Result<()> {
        write_frame(&mut self.input, &serde_json::to_vec(request)?)?;
        files.iter().try_for_each(|file| write_frame(&mut self.input, file))?;
        self.input.flush()
    }

    fn receive(&self, limit: Duration) -> io::Result<Reply> {
        match self.answers.recv_timeout(limit) {
            Ok(Ok(frame)) => Ok(Reply::Answer(serde_json::from_slice(&frame)?)),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Ok(Reply::Ended),
            Err(RecvTimeoutError::Timeout) => Ok(Reply::Late),
        }
    }

    fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait().map(|_| ())
    }

    fn why_it_ended(&mut self) -> io::Result<Failure> {
        let status = self.child.wait()?;
        let words = self.last_words.recv().unwrap_or_default();
        Ok(why(status, &words))
    }
}

impl Drop for Process {
    /// A child never outlives its runner, whatever it is doing.
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn why(status: ExitStatus, words: &str) -> Failure {
    if let Some(limit) = status.code().and_then(Limit::of_exit_status) {
        return limit.failure();
    }
    if words.contains("memory allocation of") || killed(status) {
        return memory();
    }
    if words.contains("has overflowed its stack") || crashed(status) {
        return failure::stack();
    }
    let last = words.lines().last().unwrap_or_default();
    failure::of_code(&NO_ANSWER, args! { status: status.to_string(), last })
}

/// The system's own end of a process that takes too much memory.
#[cfg(unix)]
fn killed(status: ExitStatus) -> bool {
    const SIGKILL: i32 = 9;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGKILL)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> bool {
    false
}

/// An access outside the stack.
#[cfg(unix)]
fn crashed(status: ExitStatus) -> bool {
    const SIGSEGV: i32 = 11;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGSEGV)
}

#[cfg(not(unix))]
fn crashed(_: ExitStatus) -> bool {
    false
}

/// What a call came to that broke the engine: the limit that it had passed before, else a fault.
fn broke() -> Failure {
    meter::last_passed().map_or_else(|| failure::of_code(&ENGINE, args! { why: "internal fault" }), Limit::failure)
}

fn memory() -> Failure {
    failure::of_code(&CALL, args! {})
}

fn timeout() -> Failure {
    failure::of_code(&ENDED, args! {})
}

/// The outcome of a call that did not answer: it did nothing.
fn ended(failure: Failure, program: &Program) -> Outcome {
    let effects = holdpoint_sdk::run::Effects { storage: program.storage.clone(), ..Default::default() };
    Outcome { failure: Some(failure), effects, ..Outcome::default() }
}

/// The host's clock as ISO 8601 in UTC, for `ModelInfo.loadedAt`.
fn now() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    format!("{}.{:03}Z", iso_time(seconds), since.subsec_millis())
}
