//! The queue of builds: who may work on what, and what came of it (spec: app-builder.md §5 steps 2, 3, 5).

use super::{
    Artifact, Build, Builds, DELAYS_MS, LEASE_MS, Lease, MAX_ATTEMPTS, MAX_ERROR_CHARS, RUNNER_LOST, SUPERSEDED, log,
};
use crate::artifact;
use crate::blob;
use crate::sql::{Row, Sql, SqlError, params};

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildOutcome<'o> {
    /// Every asset of the manifest is stored under the prefix `dist`. `manifest` is a JSON object.
    Succeeded { dist: &'o str, manifest: &'o str },
    /// A fault of the project, or the end by a person: it is not repeated.
    Failed { code: &'o str, error: &'o str, diagnostics: Option<&'o str> },
    /// A fault of the infrastructure: it is repeated after a while, [`MAX_ATTEMPTS`] times.
    Lost,
    /// The runner has no room: it is asked again after `retry_after_ms`, and this was no attempt.
    Busy { retry_after_ms: i64 },
}

/// What a word on an attempt did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// There is no such build any more; nothing is written.
    Missing,
    /// Another attempt has the build, or it is over; nothing is written.
    Stale,
    /// A newer draft has ended it; nothing is written.
    Superseded,
    Succeeded,
    Failed,
    /// It is queued again, and may start at this time (ms since 1970).
    Again {
        at: i64,
    },
}

/// A build whose runner was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reaped {
    pub build: i64,
    pub seq: i64,
    /// When it may start again; `None`: it has failed.
    pub again: Option<i64>,
}

impl<S: Sql> Builds<'_, S> {
    /// Takes the next build of an app that is due, gates first, with a lease of [`LEASE_MS`] and an empty log. `None`: one
    /// runs, or none is due.
    pub fn claim(&self, bundle: &str, now: i64) -> Result<Option<(Build, Lease)>, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                "SELECT number FROM build WHERE bundle = ? AND status = 'queued' AND not_before <= ? AND NOT EXISTS
                   (SELECT 1 FROM build AS other WHERE other.bundle = build.bundle AND other.status = 'running')
                 ORDER BY kind <> 'gate', queued, number LIMIT 1",
                params![bundle, now],
            )?;
            let Some(row) = row else { return Ok(None) };
            let number: i64 = row.get(0)?;
            log::clear(self.sql, number)?;
            let row = self.sql.first(
                "UPDATE build SET status = 'running', attempts = attempts + 1, lease = lease + 1, lease_until = ?,
                   started = ?, stage = NULL WHERE number = ? RETURNING seq, lease",
                params![now + LEASE_MS, now, number],
            )?;
            let row = row.ok_or_else(|| gone(number))?;
            let lease = Lease { build: number, seq: row.get(0)?, number: row.get(1)? };
            let build = self.get(number)?.ok_or_else(|| gone(number))?;
            Ok(Some((build, lease)))
        })
    }

    /// A sign of life: the lease holds [`LEASE_MS`] from now, and the build is in this stage. `false`: it is lost, and the
    /// runner is to be stopped.
    pub fn renew(&self, lease: &Lease, stage: Option<&str>, now: i64) -> Result<bool, SqlError> {
        let row = self.sql.first(
            "UPDATE build SET lease_until = max(lease_until, ?), stage = coalesce(?, stage)
             WHERE number = ? AND seq = ? AND lease = ? AND status = 'running' RETURNING number",
            params![now + LEASE_MS, stage, lease.build, lease.seq, lease.number],
        )?;
        Ok(row.is_some())
    }

    /// Notes what came of an attempt, if it still has the build.
    pub fn finish(&self, lease: &Lease, outcome: &BuildOutcome<'_>, now: i64) -> Result<Finish, SqlError> {
        self.sql.transaction(|| {
            let held = "SELECT seq = ? AND lease = ? AND status = 'running', error_code FROM build WHERE number = ?";
            let held = self.sql.first(held, params![lease.seq, lease.number, lease.build])?;
            let Some(held) = held else { return Ok(Finish::Missing) };
            if !held.get::<bool>(0)? {
                let is_superseded = held.get::<Option<String>>(1)?.as_deref() == Some(SUPERSEDED);
                return Ok(if is_superseded { Finish::Superseded } else { Finish::Stale });
            }
            match outcome {
                BuildOutcome::Succeeded { dist, manifest } => self.succeed(lease.build, dist, manifest, now),
                BuildOutcome::Failed { code, error, diagnostics } => {
                    self.fail(lease.build, (code, Some(error)), *diagnostics, now)
                }
                BuildOutcome::Lost => {
                    let again = self.lose(lease.build, now)?;
                    Ok(again.map_or(Finish::Failed, |at| Finish::Again { at }))
                }
                BuildOutcome::Busy { retry_after_ms } => {
                    let at = now + (*retry_after_ms).max(0);
                    self.sql
                        .execute("UPDATE build SET attempts = attempts - 1 WHERE number = ?", params![lease.build])?;
                    self.wait(lease.build, at)
                }
            }
        })
    }

    /// Takes over what an equal build left, of a build that is queued; its assets are copied before. `false`: it is not queued
    /// under this `seq`, or not with this key; nothing is written.
    pub fn take_over(&self, (number, seq): (i64, i64), artifact: &Artifact, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                "UPDATE build SET started = ? WHERE number = ? AND seq = ? AND key = ? AND status = 'queued'
                 RETURNING number",
                params![now, number, seq, &artifact.key],
            )?;
            if row.is_none() {
                return Ok(false);
            }
            self.succeed(number, &artifact.dist, &artifact.manifest, now)?;
            Ok(true)
        })
    }

    /// Ends a build that is queued or runs: nobody can build it, or a person does not want it any more. `false`: it is over,
    /// or has another `seq`; nothing is written.
    pub fn end(&self, (number, seq): (i64, i64), code: &str, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let open = "SELECT 1 FROM build WHERE number = ? AND seq = ? AND status IN('queued','running')";
            if self.sql.first(open, params![number, seq])?.is_none() {
                return Ok(false);
            }
            self.fail(number, (code, None), None, now)?;
            Ok(true)
        })
    }

    /// Finds builds whose lease is over: they are queued again, or have failed as [`RUNNER_LOST`].
    pub fn reap(&self, now: i64) -> Result<Vec<Reaped>, SqlError> {
        self.sql.transaction(|| {
            let select = "SELECT number, seq FROM build WHERE status = 'running' AND lease_until <= ? ORDER BY number";
            let over = self.sql.query(select, params![now])?;
            let reap = |row: &Row| -> Result<Reaped, SqlError> {
                let build = row.get(0)?;
                Ok(Reaped { build, seq: row.get(1)?, again: self.lose(build, now)? })
            };
            over.iter().map(reap).collect()
        })
    }

    /// Queues a lost build again, or fails it where that was done too often; answers when it may start.
    fn lose(&self, number: i64, now: i64) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT attempts FROM build WHERE number = ?", params![number])?;
        let attempts: u32 = row.ok_or_else(|| gone(number))?.get(0)?;
        match DELAYS_MS.get(attempts.saturating_sub(1) as usize) {
            Some(delay) if attempts <= MAX_ATTEMPTS => {
                self.wait(number, now + delay)?;
                Ok(Some(now + delay))
            }
            _ => {
                self.fail(number, (RUNNER_LOST, None), None, now)?;
                Ok(None)
            }
        }
    }

    fn wait(&self, number: i64, at: i64) -> Result<Finish, SqlError> {
        self.sql.execute(
            "UPDATE build SET status = 'queued', not_before = ?, lease_until = NULL, stage = NULL, started = NULL
             WHERE number = ?",
            params![at, number],
        )?;
        Ok(Finish::Again { at })
    }

    fn succeed(&self, number: i64, dist: &str, manifest: &str, now: i64) -> Result<Finish, SqlError> {
        let manifest = blob::put_column(self.sql, manifest)?;
        artifact::completed(self.sql, dist)?;
        self.sql.execute(
            "UPDATE build SET status = 'succeeded', lease_until = NULL, stage = NULL, error = NULL, error_code = NULL,
               diagnostics = NULL, finished = ?, dist = ?, manifest = ?, built_key = key, built = ? WHERE number = ?",
            params![now, dist, manifest, now, number],
        )?;
        Ok(Finish::Succeeded)
    }

    /// `error` is a code and what was said; of the latter the last [`MAX_ERROR_CHARS`] are kept.
    fn fail(
        &self,
        number: i64,
        (code, said): (&str, Option<&str>),
        diagnostics: Option<&str>,
        now: i64,
    ) -> Result<Finish, SqlError> {
        let said = said.map(|said| {
            let cut = said.char_indices().rev().nth(MAX_ERROR_CHARS - 1).map_or(0, |(at, _)| at);
            &said[cut..]
        });
        let diagnostics = diagnostics.map(|text| blob::put_column(self.sql, text)).transpose()?;
        self.sql.execute(
            "UPDATE build SET status = 'failed', lease_until = NULL, error = ?, error_code = ?, diagnostics = ?,
               finished = ? WHERE number = ?",
            params![said, code, diagnostics, now, number],
        )?;
        Ok(Finish::Failed)
    }
}

fn gone(number: i64) -> SqlError {
    SqlError(format!("build {number} is gone"))
}
