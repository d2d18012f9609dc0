//! Builds of an app's revisions, and of what gates want built before there is a revision (spec: app-builder.md §5).
//!
//! Owns the rows of the queue and what became of them. Knows no runner and no artifact store: it says which build is due and
//! takes what came of it. Invariants: at most one build of an app runs; what an attempt says counts only while the build has
//! its number of attempt (`seq`) and its lease; what succeeded stays until a later attempt of the same build succeeds;
//! nothing runs longer than its lease without being found by [`Builds::reap`].

mod log;
mod queue;
mod record;
mod schema;

pub use log::{LOG_MS, LogPart, MAX_LOG_BYTES};
pub use queue::{BuildOutcome, Finish, Reaped};
pub use record::{Artifact, Build, BuildKind, BuildStatus};
pub(crate) use schema::TABLES;

use crate::artifact::ASKED_MS;
use crate::change_set::Applies;
use crate::publish;
use crate::sql::{Row, Sql, SqlError, params};
use record::{SELECT, read};

/// How long a claim holds before somebody else may have the build, in ms (`BUILD_LEASE_SECONDS`).
pub const LEASE_MS: i64 = 60_000;
/// How often a build that was lost goes back to the queue (`BUILD_MAX_ATTEMPTS`).
pub const MAX_ATTEMPTS: u32 = 3;
/// What it then waits, in ms: after the first loss, the second, the third.
pub const DELAYS_MS: [i64; MAX_ATTEMPTS as usize] = [5_000, 20_000, 60_000];
/// How long a gate build and its artifact are kept once it is over, in ms.
pub const GATE_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Gate builds that a project keeps: the oldest that are over go first.
pub const MAX_GATES: u64 = 500;
/// Characters of an error that are kept, from its end.
pub const MAX_ERROR_CHARS: usize = 4_000;

pub const CANCELLED: &str = "BUILD_CANCELLED";
pub const SUPERSEDED: &str = "BUILD_SUPERSEDED";
pub const RUNNER_LOST: &str = "BUILD_RUNNER_LOST";

/// The builds of one project.
pub struct Builds<'w, S> {
    sql: &'w S,
}

/// What is applied and built: written in the transaction of the apply.
#[derive(Clone, Copy)]
pub struct AppliedBuild<'a> {
    /// The change set that it comes from, where it comes from one.
    pub set: Option<&'a Applies<'a>>,
    /// The key of the build of the new revision.
    pub key: &'a str,
}

/// The right to say what becomes of a build: of one attempt, until another one has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub build: i64,
    pub seq: i64,
    pub(crate) number: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    #[error("there is no build of such a revision")]
    NotFound,
    #[error("the build is queued or runs: wait for its end")]
    Pending,
    #[error("the build has succeeded: force it to build again")]
    AlreadySucceeded,
    #[error("too many gate builds wait: let some of them end")]
    Full,
    #[error(transparent)]
    Sql(#[from] SqlError),
}

/// Queues the first build of a revision, in the transaction that writes it, and ends those of older drafts. A revision that
/// has a build keeps it.
pub(crate) fn enqueue<S: Sql>(sql: &S, bundle: &str, revision: i64, key: &str, now: i64) -> Result<(), SqlError> {
    let added = sql.first(
        "INSERT INTO build(bundle, revision, kind, seq, key, status, queued, not_before)
         SELECT bundle, number, 'draft',
           coalesce((SELECT seq FROM build WHERE build.revision = revision.parent), 0) + 1, ?, 'queued', ?, ?
         FROM revision WHERE number = ? AND bundle = ? AND files IS NOT NULL
         ON CONFLICT DO NOTHING RETURNING number",
        params![key, now, now, revision, bundle],
    )?;
    if added.is_none() {
        return Ok(());
    }
    sql.execute(
        "UPDATE build SET status = 'failed', error_code = ?, error = NULL, finished = ?, lease_until = NULL, stage = NULL
         WHERE bundle = ? AND kind = 'draft' AND revision < ? AND status IN('queued','running')",
        params![SUPERSEDED, now, bundle, revision],
    )
}

/// Ends the builds of a bundle that is deleted.
pub(crate) fn end_all<S: Sql>(sql: &S, bundle: &str, now: i64) -> Result<(), SqlError> {
    sql.execute(
        "UPDATE build SET status = 'failed', error_code = ?, error = NULL, finished = ?, lease_until = NULL, stage = NULL
         WHERE bundle = ? AND status IN('queued','running')",
        params![CANCELLED, now, bundle],
    )
}

impl<'w, S: Sql> Builds<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    pub(crate) fn sql(&self) -> &'w S {
        self.sql
    }

    /// The build of a revision.
    pub fn of(&self, bundle: &str, revision: &str) -> Result<Option<Build>, SqlError> {
        let select = format!("{SELECT} WHERE build.bundle = ? AND revision.id = ?");
        self.read(self.sql.first(&select, params![bundle, revision])?)
    }

    /// A build by its number.
    pub fn get(&self, number: i64) -> Result<Option<Build>, SqlError> {
        self.read(self.sql.first(&format!("{SELECT} WHERE build.number = ?"), params![number])?)
    }

    /// The build of an app that runs.
    pub fn running(&self, bundle: &str) -> Result<Option<Build>, SqlError> {
        let select = format!("{SELECT} WHERE build.bundle = ? AND build.status = 'running'");
        self.read(self.sql.first(&select, params![bundle])?)
    }

    /// An artifact that was built with this key, newest first: what equal input would give again. The artifact of a gate
    /// build counts for [`GATE_MS`].
    pub fn reusable(&self, bundle: &str, key: &str, now: i64) -> Result<Option<Artifact>, SqlError> {
        let select = format!(
            "{SELECT} WHERE build.bundle = ? AND build.built_key = ? AND (build.kind <> 'gate' OR build.built > ?)
             ORDER BY build.built DESC, build.number DESC LIMIT 1"
        );
        let found = self.read(self.sql.first(&select, params![bundle, key, now - GATE_MS])?)?;
        Ok(found.and_then(|build| build.artifact))
    }

    /// The newest gate build of a key, whatever became of it.
    pub fn gate(&self, bundle: &str, key: &str) -> Result<Option<Build>, SqlError> {
        let newest = "ORDER BY build.number DESC LIMIT 1";
        let select = format!("{SELECT} WHERE build.bundle = ? AND build.key = ? AND build.kind = 'gate' {newest}");
        self.read(self.sql.first(&select, params![bundle, key])?)
    }

    /// Queues a build that a gate waits for; it comes before all others of its app.
    pub fn enqueue_gate(&self, bundle: &str, key: &str, now: i64) -> Result<Build, BuildError> {
        self.sql.transaction(|| {
            let count = "SELECT count(*) FROM build WHERE kind = 'gate'";
            let rows: u64 = self.sql.first(count, params![])?.map_or(Ok(0), |row| row.get(0))?;
            if rows >= MAX_GATES {
                let oldest = "SELECT number FROM build WHERE kind = 'gate' AND finished IS NOT NULL
                  ORDER BY finished, number LIMIT ?";
                let over = self.sql.query(oldest, params![rows - MAX_GATES + 1])?;
                if over.is_empty() {
                    return Err(BuildError::Full);
                }
                self.delete(&over)?;
            }
            let row = self.sql.first(
                "INSERT INTO build(bundle, kind, seq, key, status, queued, not_before)
                 VALUES(?, 'gate', 1, ?, 'queued', ?, ?) RETURNING number",
                params![bundle, key, now, now],
            )?;
            self.returned(row.as_ref())
        })
    }

    /// Builds a revision once more, under `seq` + 1; what succeeded before stays until the new attempt has. `force` builds
    /// also what has succeeded and is still there. However old the revision is, it keeps what comes of it for [`ASKED_MS`].
    pub fn retry(&self, bundle: &str, revision: &str, key: &str, force: bool, now: i64) -> Result<Build, BuildError> {
        self.sql.transaction(|| {
            let build = self.of(bundle, revision)?.ok_or(BuildError::NotFound)?;
            match build.status {
                BuildStatus::Queued | BuildStatus::Running => Err(BuildError::Pending),
                BuildStatus::Succeeded if !force && build.artifact.is_some() => Err(BuildError::AlreadySucceeded),
                BuildStatus::Succeeded | BuildStatus::Failed => {
                    let update = "UPDATE build SET kept_until = max(coalesce(kept_until, 0), ?) WHERE number = ?";
                    self.sql.execute(update, params![now + ASKED_MS, build.number])?;
                    self.again(&build, key, now)
                }
            }
        })
    }

    /// Queues a revision again because its input changed, under `seq` + 1: an attempt that runs is stale from then on.
    pub fn requeue(&self, bundle: &str, revision: &str, key: &str, now: i64) -> Result<Build, BuildError> {
        self.sql.transaction(|| {
            let build = self.of(bundle, revision)?.ok_or(BuildError::NotFound)?;
            self.again(&build, key, now)
        })
    }

    /// Deletes, in batches, logs and gate builds that are over their time; answers whether any were. Say it again until
    /// none are.
    pub fn forget(&self, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let select = "SELECT number FROM build WHERE kind = 'gate' AND finished <= ? ORDER BY finished LIMIT ?";
            let gates = self.sql.query(select, params![now - GATE_MS, BATCH])?;
            self.delete(&gates)?;
            let select = "SELECT number FROM build WHERE logged = 1 AND finished <= ? ORDER BY finished LIMIT ?";
            let logged = self.sql.query(select, params![now - LOG_MS, BATCH])?;
            for row in &logged {
                log::clear(self.sql, row.get(0)?)?;
            }
            Ok(!gates.is_empty() || !logged.is_empty())
        })
    }

    /// Apps with a build that may start now.
    pub fn due(&self, now: i64) -> Result<Vec<String>, SqlError> {
        let select = "SELECT DISTINCT bundle FROM build WHERE status = 'queued' AND not_before <= ? ORDER BY bundle";
        self.sql.query(select, params![now])?.iter().map(|row| row.get(0)).collect()
    }

    /// When the alarm has something to do: a lease is over, a build may start, or something is over its time.
    pub fn next_due(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first(
            "SELECT min(at) FROM (
               SELECT min(lease_until) AS at FROM build WHERE status = 'running'
               UNION ALL SELECT min(not_before) FROM build WHERE status = 'queued' AND NOT EXISTS
                 (SELECT 1 FROM build AS other WHERE other.bundle = build.bundle AND other.status = 'running')
               UNION ALL SELECT min(finished) + ? FROM build WHERE kind = 'gate'
               UNION ALL SELECT min(finished) + ? FROM build WHERE logged = 1)",
            params![GATE_MS, LOG_MS],
        )?;
        row.map_or(Ok(None), |row| row.get(0))
    }

    fn again(&self, build: &Build, key: &str, now: i64) -> Result<Build, BuildError> {
        let published = publish::current(self.sql, &build.bundle)?;
        let is_published = published.is_some_and(|current| Some(current.revision) == build.revision);
        let kind = if is_published { BuildKind::Published } else { build.kind };
        let row = self.sql.first(
            "UPDATE build SET seq = seq + 1, kind = ?, key = ?, status = 'queued', attempts = 0, queued = ?,
               not_before = ?, lease_until = NULL, stage = NULL, error = NULL, error_code = NULL, diagnostics = NULL,
               started = NULL, finished = NULL
             WHERE number = ? RETURNING number",
            params![kind.as_str(), key, now, now, build.number],
        )?;
        self.returned(row.as_ref())
    }

    fn delete(&self, numbers: &[Row]) -> Result<(), SqlError> {
        for row in numbers {
            let number: i64 = row.get(0)?;
            self.sql.execute("DELETE FROM build_log WHERE build = ?", params![number])?;
            self.sql.execute("DELETE FROM build WHERE number = ?", params![number])?;
        }
        Ok(())
    }

    fn returned(&self, row: Option<&Row>) -> Result<Build, BuildError> {
        let number: i64 = row.ok_or(BuildError::NotFound)?.get(0)?;
        self.get(number)?.ok_or(BuildError::NotFound)
    }

    fn read(&self, row: Option<Row>) -> Result<Option<Build>, SqlError> {
        row.map(|row| read(self.sql, &row)).transpose()
    }
}

/// Builds whose rows are deleted at once.
const BATCH: u64 = 100;
