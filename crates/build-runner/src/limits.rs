//! Every limit of the runner in one place (spec: app-builder.md §6 "Limits").

use std::time::Duration;

use crate::wire::RequestLimits;

pub const MIB: u64 = 1 << 20;

/// Bytes of a request's JSON: that of a project, its lock and its frame.
pub const MAX_BODY_BYTES: usize = 16 << 20;
/// Bytes of one binary file (spec: vite-app.md §1 "Limits").
pub const MAX_BLOB_BYTES: usize = 5 << 20;
/// Bytes of all binary files that are kept; the oldest go first.
pub const MAX_KEPT_BLOBS_BYTES: u64 = 1_024 * MIB;
/// Text and binary files of a project.
pub const MAX_FILES: usize = 400;
/// Bytes of all names and values of an environment, and test files that one run names: arguments have a bound.
pub const MAX_ENV_BYTES: usize = 64 << 10;
pub const MAX_TEST_PATHS: usize = 100;
/// Bytes and segments of a path, and bytes of one segment.
pub const MAX_PATH_BYTES: usize = 512;
pub const MAX_PATH_SEGMENTS: usize = 32;
pub const MAX_SEGMENT_BYTES: usize = 255;

/// Bytes of one log frame, and of all log frames of a stage.
pub const MAX_LOG_FRAME_BYTES: usize = 8 << 10;
pub const MAX_LOG_BYTES: usize = 1 << 20;
/// Findings that one stage may tell.
pub const MAX_DIAGNOSTICS: usize = 500;

pub const MAX_DIST_FILES: usize = 2_000;
pub const MAX_ASSET_BYTES: u64 = 10 * MIB;
pub const MAX_DIST_BYTES: u64 = 50 * MIB;
/// Source maps over it are left out of a build, which succeeds without them.
pub const MAX_MAPS_BYTES: u64 = 100 * MIB;

/// Processes that one job may have.
pub const MAX_PROCESSES: u64 = 256;
/// Files and folders that a job may make: a walk over them has to end.
pub const MAX_JOB_ENTRIES: usize = 50_000;
/// Folders in folders of a job.
pub const MAX_JOB_DEPTH: usize = 64;

pub const HEARTBEAT: Duration = Duration::from_secs(10);
/// How long the assets of a build can be fetched.
pub const ASSETS_KEPT: Duration = Duration::from_mins(10);
/// What a client that found no slot is told to wait.
pub const RETRY_AFTER_SECONDS: u64 = 5;
/// How often memory, processes and disk of a job are summed.
pub const WATCH_EVERY: Duration = Duration::from_millis(100);
/// How long a killed group may take to be gone.
pub const KILL_PATIENCE: Duration = Duration::from_secs(20);

/// What a job may take. A request may lower each, never raise one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobLimits {
    pub install: Duration,
    pub build: Duration,
    pub test: Duration,
    pub job: Duration,
    pub memory_bytes: u64,
    pub disk_bytes: u64,
}

impl Default for JobLimits {
    fn default() -> Self {
        Self {
            install: Duration::from_mins(5),
            build: Duration::from_mins(5),
            test: Duration::from_mins(4),
            job: Duration::from_mins(11),
            memory_bytes: 2_048 * MIB,
            disk_bytes: 1_024 * MIB,
        }
    }
}

impl JobLimits {
    #[must_use]
    pub fn lowered(self, request: &RequestLimits) -> Self {
        let seconds =
            |own: Duration, lower: Option<u64>| lower.map_or(own, |lower| own.min(Duration::from_secs(lower)));
        let bytes = |own: u64, lower: Option<u64>| lower.map_or(own, |lower| own.min(lower.saturating_mul(MIB)));
        Self {
            install: seconds(self.install, request.install_timeout_s),
            build: seconds(self.build, request.build_timeout_s),
            test: seconds(self.test, request.test_timeout_s),
            job: seconds(self.job, request.job_timeout_s),
            memory_bytes: bytes(self.memory_bytes, request.job_memory_mib),
            disk_bytes: bytes(self.disk_bytes, request.job_disk_mib),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_lowers_and_never_raises() {
        let own = JobLimits::default();
        let high =
            RequestLimits { job_timeout_s: Some(u64::MAX), job_memory_mib: Some(u64::MAX), ..Default::default() };
        assert_eq!(own.lowered(&high), own);
        let low = RequestLimits { build_timeout_s: Some(3), job_disk_mib: Some(5), ..Default::default() };
        let lowered = own.lowered(&low);
        assert_eq!((lowered.build, lowered.disk_bytes), (Duration::from_secs(3), 5 * MIB));
        assert_eq!((lowered.install, lowered.memory_bytes), (own.install, own.memory_bytes));
    }
}
