//! The outer process of a jail: it gives up rights, makes namespaces, starts the inner process and watches the runner.
//!
//! Invariant: it has one thread, because a user namespace cannot be left for by a process with threads, and after that
//! no PID namespace can be made. It leads the group of the job, into which the runner put it.

use std::os::fd::AsFd as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::getpgrp;

use super::{JailError, JailSpec, Level, io, own_program, system};

/// How long an end of the command may go unseen.
const POLL_MS: u8 = 10;

pub(super) fn supervise(spec: &JailSpec, text: &str) -> Result<u8, JailError> {
    if let Some(id) = spec.identity {
        become_slot(id)?;
    }
    if spec.level == Level::Namespaces {
        enter_namespaces()?;
    }
    let mut child = Command::new(own_program().map_err(io("own program"))?)
        .args(["jail", "--inner", text])
        .stdin(Stdio::null())
        .spawn()
        .map_err(io("start of the inner process"))?;
    let stdin = std::io::stdin();
    loop {
        let mut pipes = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        match poll(&mut pipes, POLL_MS) {
            Ok(0) | Err(Errno::EINTR) => {}
            // The runner never writes: whatever is heard here is its end.
            Ok(_) => killpg(getpgrp(), Signal::SIGKILL).map_err(system("end of the group"))?,
            Err(cause) => return Err(JailError::System { step: "poll", cause }),
        }
        if let Some(status) = child.try_wait().map_err(io("wait"))? {
            let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
            return Ok(u8::try_from(code).unwrap_or(u8::MAX));
        }
    }
}

/// Leaves root for the uid and gid of a slot.
#[cfg(target_os = "linux")]
fn become_slot(id: u32) -> Result<(), JailError> {
    use nix::unistd::{Gid, Uid, setgroups, setresgid, setresuid};
    let (uid, gid) = (Uid::from_raw(id), Gid::from_raw(id));
    setgroups(&[]).map_err(system("setgroups"))?;
    setresgid(gid, gid, gid).map_err(system("setresgid"))?;
    setresuid(uid, uid, uid).map_err(system("setresuid"))?;
    // Without it `/proc/self/uid_map` stays root's, and no user namespace can be set up.
    nix::sys::prctl::set_dumpable(true).map_err(system("PR_SET_DUMPABLE"))
}

#[cfg(not(target_os = "linux"))]
fn become_slot(_: u32) -> Result<(), JailError> {
    Ok(())
}

/// Namespaces of its own, in which its uid and gid are themselves, so that `exec` drops every capability.
#[cfg(target_os = "linux")]
fn enter_namespaces() -> Result<(), JailError> {
    use nix::sched::{CloneFlags, unshare};
    let (uid, gid) = (nix::unistd::getuid(), nix::unistd::getgid());
    let all = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    unshare(all).map_err(system("namespaces"))?;
    std::fs::write("/proc/self/setgroups", "deny").map_err(io("setgroups of the namespace"))?;
    std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1")).map_err(io("uid_map"))?;
    std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1")).map_err(io("gid_map"))
}

#[cfg(not(target_os = "linux"))]
fn enter_namespaces() -> Result<(), JailError> {
    Err(JailError::Level(Level::Namespaces))
}
