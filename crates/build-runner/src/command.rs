//! One command of a job, in its own group: started, heard, and gone when it ends or is dropped.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;

use crate::jail::{self, JailSpec};
use crate::limits::{KILL_PATIENCE, MAX_LOG_BYTES, MAX_LOG_FRAME_BYTES};
use crate::output::{LineSplitter, clean};
use crate::wire::{BuildStage, Frame, LogStream};

/// Bytes from the end of a log that are kept for findings, beside the first [`MAX_LOG_BYTES`].
const TAIL_BYTES: usize = 64 << 10;
/// How often it is asked whether a killed group is gone.
const GONE_POLL: Duration = Duration::from_millis(5);

#[derive(Debug, Clone)]
pub struct JailCommand {
    pub stage: BuildStage,
    pub jail: JailSpec,
    pub env: BTreeMap<String, String>,
    pub folder: PathBuf,
}

/// How a command ended by itself.
#[derive(Debug)]
pub struct CommandEnd {
    /// The exit code; 128 and the signal where one ended it.
    pub code: i32,
    /// What it printed, cleaned: the first MiB, and the end where it was longer.
    pub text: String,
}

/// Groups of processes of one job. Every one is killed when its command ends or is dropped.
#[derive(Debug, Default)]
pub struct Groups {
    running: Mutex<Vec<Pid>>,
    killed: Mutex<Vec<Pid>>,
}

impl Groups {
    pub fn running(&self) -> Vec<Pid> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, group: Pid) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push(group);
    }

    /// Kills one group. Its number stays taken until the group is gone, so it can name no other one.
    fn kill(&self, group: Pid) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = running.iter().position(|own| *own == group) {
            running.swap_remove(at);
            let _ = killpg(group, Signal::SIGKILL);
            self.killed.lock().unwrap_or_else(PoisonError::into_inner).push(group);
        }
    }

    /// Waits until every killed group is gone; false where one is still there after [`KILL_PATIENCE`].
    pub async fn gone(&self) -> bool {
        let until = Instant::now() + KILL_PATIENCE;
        loop {
            let mut killed = std::mem::take(&mut *self.killed.lock().unwrap_or_else(PoisonError::into_inner));
            killed.retain(|group| !is_gone(*group));
            if killed.is_empty() {
                return true;
            }
            self.killed.lock().unwrap_or_else(PoisonError::into_inner).extend(killed);
            if Instant::now() > until {
                return false;
            }
            tokio::time::sleep(GONE_POLL).await;
        }
    }
}

/// Reaps what the group left to this process, which may be the first one of its container, and asks for the rest.
fn is_gone(group: Pid) -> bool {
    let every = Pid::from_raw(-group.as_raw());
    while let Ok(status) = waitpid(every, Some(WaitPidFlag::WNOHANG)) {
        if status == WaitStatus::StillAlive {
            return false;
        }
    }
    killpg(group, None) == Err(Errno::ESRCH)
}

/// Ends the group of a command, however its future ends.
struct GroupGuard<'g> {
    groups: &'g Groups,
    group: Pid,
}

impl Drop for GroupGuard<'_> {
    fn drop(&mut self) {
        self.groups.kill(self.group);
    }
}

/// Runs a command to its end. Dropping the future kills its group.
pub async fn run(
    command: &JailCommand,
    groups: &Groups,
    frames: &mpsc::Sender<Frame>,
) -> Result<CommandEnd, std::io::Error> {
    let mut child = tokio::process::Command::new(jail::own_program()?)
        .arg("jail")
        .arg(serde_json::to_string(&command.jail)?)
        .env_clear()
        .envs(&command.env)
        .current_dir(&command.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let group = child.id().map(|id| Pid::from_raw(id as i32)).ok_or(std::io::ErrorKind::NotFound)?;
    groups.add(group);
    let guard = GroupGuard { groups, group };
    // Its end is how the jail knows that the runner is gone; `wait` would close it.
    let open_pipe = child.stdin.take();
    let log = StageLog { stage: command.stage, frames, text: Mutex::default() };
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let ended = async {
        let status = child.wait().await;
        // What is left of the group holds the pipes open.
        drop(guard);
        status
    };
    let (status, (), ()) =
        tokio::join!(ended, log.follow(stdout, LogStream::Stdout), log.follow(stderr, LogStream::Stderr));
    drop(open_pipe);
    let status = status?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(CommandEnd { code, text: log.into_text() })
}

/// The log of one command: frames as it is heard, and its text for findings.
struct StageLog<'f> {
    stage: BuildStage,
    frames: &'f mpsc::Sender<Frame>,
    text: Mutex<LogText>,
}

#[derive(Default)]
struct LogText {
    head: String,
    tail: String,
    is_cut: bool,
}

impl StageLog<'_> {
    async fn follow(&self, pipe: Option<impl AsyncRead + Unpin>, stream: LogStream) {
        let Some(mut pipe) = pipe else { return };
        // A byte that is no text becomes a character of three bytes.
        let mut lines = LineSplitter::new(MAX_LOG_FRAME_BYTES / 3);
        let mut buffer = vec![0; 16 << 10];
        loop {
            let count = pipe.read(&mut buffer).await.unwrap_or(0);
            let pieces = if count == 0 { lines.finish().into_iter().collect() } else { lines.push(&buffer[..count]) };
            self.take(pieces, stream).await;
            if count == 0 {
                return;
            }
        }
    }

    async fn take(&self, pieces: Vec<Vec<u8>>, stream: LogStream) {
        let mut frame = String::new();
        for piece in pieces {
            let line = clean(&piece);
            if frame.len() + line.len() > MAX_LOG_FRAME_BYTES {
                self.send(std::mem::take(&mut frame), stream).await;
            }
            frame.push_str(&line);
        }
        self.send(frame, stream).await;
    }

    async fn send(&self, text: String, stream: LogStream) {
        if text.is_empty() {
            return;
        }
        let Some(text) = self.text.lock().unwrap_or_else(PoisonError::into_inner).add(text) else { return };
        // A client that is gone is noticed where its answer is written.
        let _ = self.frames.send(Frame::Log { stage: self.stage, stream, text }).await;
    }

    fn into_text(self) -> String {
        let text = self.text.into_inner().unwrap_or_else(PoisonError::into_inner);
        if text.is_cut { format!("{}\n…\n{}", text.head, text.tail) } else { text.head }
    }
}

impl LogText {
    /// What of a piece is sent on: nothing once the log is full.
    fn add(&mut self, piece: String) -> Option<String> {
        if !self.is_cut && self.head.len() + piece.len() <= MAX_LOG_BYTES {
            self.head.push_str(&piece);
            return Some(piece);
        }
        self.tail.push_str(&piece);
        if self.tail.len() > 2 * TAIL_BYTES {
            let from = self.tail.ceil_char_boundary(self.tail.len() - TAIL_BYTES);
            self.tail.drain(..from);
        }
        let first = !std::mem::replace(&mut self.is_cut, true);
        first.then(|| "… the rest of this log is left out\n".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_its_head_and_its_tail() {
        let mut text = LogText::default();
        for _ in 0..MAX_LOG_BYTES / 1_024 {
            assert!(text.add("x".repeat(1_024)).is_some());
        }
        assert!(text.add("first over".to_owned()).is_some_and(|said| said.contains("left out")));
        for number in 0..100_000 {
            assert_eq!(text.add(format!("line {number} ä\n")), None);
        }
        assert!(text.tail.ends_with("line 99999 ä\n") && text.tail.len() <= 3 * TAIL_BYTES);
        assert_eq!(text.head.len(), MAX_LOG_BYTES);
    }
}
