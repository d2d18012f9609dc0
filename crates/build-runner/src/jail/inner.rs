//! The inner process of a jail: it takes from itself what the command must not have, then becomes the command.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::{JailError, JailSpec, Level, io, limits};

/// Returns only where the command could not be started.
pub(super) fn become_command(spec: &JailSpec) -> Result<u8, JailError> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(super::system("PR_SET_PDEATHSIG"))?;
    close_descriptors()?;
    let mut command = Command::new(&spec.program);
    match spec.level {
        Level::None => {}
        #[cfg(target_os = "linux")]
        Level::Namespaces | Level::Landlock => {
            let own_count = spec.level == Level::Namespaces || spec.identity.is_some();
            limits::apply(spec.limits, own_count)?;
            nix::sys::prctl::set_no_new_privs().map_err(super::system("no_new_privs"))?;
            let signals_are_scoped = super::landlock::restrict(spec)?;
            super::seccomp::restrict(signals_are_scoped)?;
        }
        #[cfg(target_os = "macos")]
        Level::Seatbelt => {
            limits::apply(spec.limits, false)?;
            command = super::seatbelt::command(spec);
        }
        level => return Err(JailError::Level(level)),
    }
    let cause = command.args(&spec.arguments).exec();
    Err(JailError::Io { step: "start of the command", cause })
}

/// Closes every descriptor over 2: what the runner itself inherited leaks otherwise.
fn close_descriptors() -> Result<(), JailError> {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    let numbers: Vec<i32> = std::fs::read_dir(folder)
        .map_err(io("descriptors"))?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in numbers {
        // One of them was that of the folder, which is closed by now.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}
