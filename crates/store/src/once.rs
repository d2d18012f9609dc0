//! Requests that are done once, however often they are sent (spec: ai-sessions.md §1 "Idempotency").
//!
//! Owns the keys of the last day with what was answered. Knows no request: its hash comes in, its answer is text.
//! Invariant: a key that is still kept has one hash and one answer.

use crate::blob;
use crate::sql::{Sql, SqlError, params};

/// How long a key counts.
pub const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Follows the other tables of a project.
pub(crate) const TABLES: &[&str] = &[
    "CREATE TABLE idempotency(user TEXT NOT NULL, key TEXT NOT NULL, hash TEXT NOT NULL, answer TEXT NOT NULL,
       at INTEGER NOT NULL, PRIMARY KEY(user, key)) STRICT, WITHOUT ROWID",
    "CREATE INDEX idempotency_time ON idempotency(at)",
];

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Nothing: do what is asked.
    New,
    /// The same was asked: this was answered.
    Answered(String),
    Other,
}

/// The keys of one project.
pub struct Onces<'w, S> {
    sql: &'w S,
}

/// Keeps what answers a request, in the transaction that does it; what was kept under the key before is gone.
pub(crate) fn put<S: Sql>(
    sql: &S,
    (user, key): (&str, &str),
    hash: &str,
    answer: &str,
    now: i64,
) -> Result<(), SqlError> {
    sql.execute(
        "INSERT OR REPLACE INTO idempotency(user, key, hash, answer, at) VALUES(?, ?, ?, ?, ?)",
        params![user, key, hash, answer, now],
    )
}

impl<'w, S: Sql> Onces<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    /// What is known of a user's key, once those of yesterday are forgotten.
    pub fn look(&self, user: &str, key: &str, hash: &str, now: i64) -> Result<Known, SqlError> {
        self.sql.execute("DELETE FROM idempotency WHERE at <= ?", params![now - KEPT_MS])?;
        let row =
            self.sql.first("SELECT hash, answer FROM idempotency WHERE user = ? AND key = ?", params![user, key])?;
        let Some(row) = row else { return Ok(Known::New) };
        let kept: String = row.get(0)?;
        if kept != hash {
            return Ok(Known::Other);
        }
        Ok(Known::Answered(blob::get_column(self.sql, row.get(1)?)?))
    }

    /// Keeps what was answered. Say it before anything is awaited: then the answer is stored with what it answers for.
    pub fn keep(&self, user: &str, key: &str, hash: &str, answer: &str, now: i64) -> Result<(), SqlError> {
        let answer = blob::put_column(self.sql, answer)?;
        self.sql.execute(
            "INSERT OR IGNORE INTO idempotency(user, key, hash, answer, at) VALUES(?, ?, ?, ?, ?)",
            params![user, key, hash, answer, now],
        )
    }
}
