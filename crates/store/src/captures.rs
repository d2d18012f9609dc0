//! Which captures of an object's the artifact store holds (spec: gateway.md §13 "Capture", script-tool.md §10).
//!
//! Owns names and times, never what was captured. Invariant: a name is taken once, so the first writer wins.

use crate::sql::{Sql, SqlError, params};

pub(crate) const TABLE: &str = "CREATE TABLE capture(key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID";

/// The captures of one database: a project's, or a relay's, which has its first life behind it.
#[derive(Debug)]
pub struct Captures<'s, S>(&'s S);

impl<'s, S: Sql> Captures<'s, S> {
    pub fn new(sql: &'s S) -> Self {
        Self(sql)
    }

    /// Takes a name; `false`: it was taken before.
    pub fn take(&self, key: &str, now: i64) -> Result<bool, SqlError> {
        let taken = self.0.first(
            "INSERT INTO capture(key, at) VALUES(?, ?) ON CONFLICT(key) DO NOTHING RETURNING key",
            params![key, now],
        )?;
        Ok(taken.is_some())
    }

    /// Names that were taken at `bound` or before.
    pub fn until(&self, bound: i64) -> Result<Vec<String>, SqlError> {
        let rows = self.0.query("SELECT key FROM capture WHERE at <= ? ORDER BY key", params![bound])?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Drops a name whose object is gone.
    pub fn forget(&self, key: &str) -> Result<(), SqlError> {
        self.0.execute("DELETE FROM capture WHERE key = ?", params![key])
    }

    /// When the oldest was taken.
    pub fn oldest(&self) -> Result<Option<i64>, SqlError> {
        let row = self.0.first("SELECT min(at) FROM capture", params![])?;
        row.map_or(Ok(None), |row| row.get(0))
    }
}
