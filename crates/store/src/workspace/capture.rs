//! Which captures of this project the artifact store holds (spec: script-tool.md §10 "Capture").
//!
//! Owns names and times, never what was captured. Invariant: a name is taken once, so the first writer wins.

use super::Workspace;
use crate::sql::{Sql, SqlError, params};

impl<S: Sql> Workspace<S> {
    /// Takes a name; `false`: it was taken before.
    pub fn take_capture(&self, key: &str, now: i64) -> Result<bool, SqlError> {
        let taken = self.sql.first(
            "INSERT INTO capture(key, at) VALUES(?, ?) ON CONFLICT(key) DO NOTHING RETURNING key",
            params![key, now],
        )?;
        Ok(taken.is_some())
    }

    /// Names that were taken at `bound` or before.
    pub fn captures_until(&self, bound: i64) -> Result<Vec<String>, SqlError> {
        let rows = self.sql.query("SELECT key FROM capture WHERE at <= ? ORDER BY key", params![bound])?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// A name whose object is gone.
    pub fn forget_capture(&self, key: &str) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM capture WHERE key = ?", params![key])
    }

    /// When the oldest was taken.
    pub fn oldest_capture(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT min(at) FROM capture", params![])?;
        row.map_or(Ok(None), |row| row.get(0))
    }
}
