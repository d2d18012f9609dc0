//! The log of a build's present attempt, in parts (spec: app-builder.md §5 step 8).
//!
//! Invariant: a log is whole up to [`MAX_LOG_BYTES`]; of a longer one there are the head and the tail, each of half of that.

use super::{Builds, Lease};
use crate::sql::{Sql, SqlError, params};

/// How long a log is kept behind the end of its build, in ms.
pub const LOG_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Bytes of a log that are kept.
pub const MAX_LOG_BYTES: usize = 1_048_576;
/// Bytes of a log that one row holds.
const PART_BYTES: usize = 32_768;
/// Parts of the head, and of the tail.
const HALF: i64 = (MAX_LOG_BYTES / PART_BYTES / 2) as i64;

/// A piece of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPart {
    /// From 0 on; numbers that are missing are the middle, which was left out.
    pub part: i64,
    pub text: String,
}

/// Empties the log of a build.
pub(super) fn clear<S: Sql>(sql: &S, build: i64) -> Result<(), SqlError> {
    sql.execute("DELETE FROM build_log WHERE build = ?", params![build])?;
    sql.execute("UPDATE build SET logged = 0 WHERE number = ?", params![build])
}

impl<S: Sql> Builds<'_, S> {
    /// Adds to the log of an attempt that still has its build. `false`: it has not; nothing is written.
    pub fn log(&self, lease: &Lease, text: &str) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                "UPDATE build SET logged = 1 WHERE number = ? AND seq = ? AND lease = ? AND status = 'running'
                 RETURNING number",
                params![lease.build, lease.seq, lease.number],
            )?;
            if row.is_none() {
                return Ok(false);
            }
            let last =
                "SELECT part, length(CAST(text AS BLOB)) FROM build_log WHERE build = ? ORDER BY part DESC LIMIT 1";
            let last = self.sql.first(last, params![lease.build])?;
            let (mut part, mut full) = match last {
                Some(row) => (row.get::<i64>(0)?, row.get::<u64>(1)? as usize),
                None => (0, 0),
            };
            let mut rest = text;
            while !rest.is_empty() {
                let room = PART_BYTES.saturating_sub(full).min(rest.len());
                let end = (0..=room).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
                if end == 0 {
                    (part, full) = (part + 1, 0);
                    continue;
                }
                self.sql.execute(
                    "INSERT INTO build_log(build, part, text) VALUES(?, ?, ?)
                     ON CONFLICT(build, part) DO UPDATE SET text = text || excluded.text",
                    params![lease.build, part, &rest[..end]],
                )?;
                full += end;
                rest = &rest[end..];
            }
            let middle = "DELETE FROM build_log WHERE build = ? AND part >= ? AND part <= ?";
            self.sql.execute(middle, params![lease.build, HALF, part - HALF])?;
            Ok(true)
        })
    }

    /// The parts of a log from a number on. The last one may still grow while the build runs.
    pub fn log_parts(&self, build: i64, from: i64) -> Result<Vec<LogPart>, SqlError> {
        let select = "SELECT part, text FROM build_log WHERE build = ? AND part >= ? ORDER BY part";
        let rows = self.sql.query(select, params![build, from])?;
        rows.iter().map(|row| Ok(LogPart { part: row.get(0)?, text: row.get(1)? })).collect()
    }

    /// The last bytes of a log, at most `max_bytes`, from the beginning of a character on.
    pub fn log_tail(&self, build: i64, max_bytes: usize) -> Result<String, SqlError> {
        let parts = (max_bytes / PART_BYTES + 2) as u64;
        let select = "SELECT text FROM build_log WHERE build = ? ORDER BY part DESC LIMIT ?";
        let rows = self.sql.query(select, params![build, parts])?;
        let texts = rows.iter().rev().map(|row| row.get::<String>(0)).collect::<Result<Vec<_>, _>>()?;
        let text = texts.concat();
        let from = text.len().saturating_sub(max_bytes);
        let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        Ok(text[from..].to_owned())
    }
}
