//! Limits that the kernel keeps for each process (spec: app-builder.md §6 "Limits").

use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};

use super::{JailError, system};

/// Open files of one process.
const MAX_OPEN_FILES: u64 = 4_096;

/// What one process may use; the sum over a job is the watcher's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// Bytes of private memory that can be written.
    pub memory_bytes: u64,
    /// Bytes that one file may have.
    pub file_bytes: u64,
    /// Processes and threads, where they can be counted for the job alone.
    pub processes: u64,
}

/// `own_count`: the processes of this uid are counted for this job alone, in a namespace or under a slot's uid.
/// Elsewhere the number would count all processes of the user.
pub(super) fn apply(limits: ProcessLimits, own_count: bool) -> Result<(), JailError> {
    let set = |resource, value| setrlimit(resource, value, value).map_err(system("setrlimit"));
    set(Resource::RLIMIT_DATA, limits.memory_bytes)?;
    set(Resource::RLIMIT_FSIZE, limits.file_bytes)?;
    set(Resource::RLIMIT_NOFILE, MAX_OPEN_FILES)?;
    set(Resource::RLIMIT_CORE, 0)?;
    #[cfg(target_os = "linux")]
    if own_count {
        set(Resource::RLIMIT_NPROC, limits.processes)?;
    }
    let _ = own_count;
    Ok(())
}
