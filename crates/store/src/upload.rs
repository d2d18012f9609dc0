//! Which bytes of binary files the artifact store holds for a bundle (spec: app-builder.md §4).
//!
//! Knows hashes and sizes, never the bytes. Invariant: a row stands before the bytes lie there, so that whoever deletes the
//! bundle knows of all of them.

use crate::sql::{Sql, SqlError, params};

/// Uploads of one bundle, however small they are.
pub const MAX_UPLOADS: u64 = 10_000;

/// Follows the tables of artifacts in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] =
    &["CREATE TABLE upload(bundle TEXT NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL, at INTEGER NOT NULL,
       PRIMARY KEY(bundle, hash)) STRICT, WITHOUT ROWID"];

/// The uploads of one project.
pub struct Uploads<'w, S> {
    sql: &'w S,
}

impl<'w, S: Sql> Uploads<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    /// Notes bytes that are about to be stored. `false`: with them the bundle would have more than `most` bytes, or too many uploads.
    pub fn note(&self, bundle: &str, hash: &str, bytes: u64, most: u64, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            if self.has(bundle, hash)? {
                return Ok(true);
            }
            let select = "SELECT coalesce(sum(bytes), 0), count(*) FROM upload WHERE bundle = ?";
            let held = self.sql.first(select, params![bundle])?;
            let (held, count): (u64, u64) = held.map_or(Ok((0, 0)), |row| Ok((row.get(0)?, row.get(1)?)))?;
            if held.saturating_add(bytes) > most || count >= MAX_UPLOADS {
                return Ok(false);
            }
            let insert = "INSERT INTO upload(bundle, hash, bytes, at) VALUES(?, ?, ?, ?)";
            self.sql.execute(insert, params![bundle, hash, bytes, now])?;
            Ok(true)
        })
    }

    pub fn has(&self, bundle: &str, hash: &str) -> Result<bool, SqlError> {
        let row = self.sql.first("SELECT 1 FROM upload WHERE bundle = ? AND hash = ?", params![bundle, hash])?;
        Ok(row.is_some())
    }

    /// Lets go of all uploads of a bundle, which lie below `prefix`: they are deleted as what was built is.
    pub fn drop_all(&self, bundle: &str, prefix: &str, now: i64) -> Result<(), SqlError> {
        self.sql.transaction(|| {
            self.sql.execute(
                "INSERT INTO artifact(bundle, prefix, paths, at, due)
                 SELECT bundle, ?, json_group_array(hash), ?, ? FROM upload WHERE bundle = ? GROUP BY bundle",
                params![prefix, now, now, bundle],
            )?;
            self.sql.execute("DELETE FROM upload WHERE bundle = ?", params![bundle])
        })
    }

    /// Takes out a note of bytes that could not be stored, or are no longer.
    pub fn take_out(&self, bundle: &str, hash: &str) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM upload WHERE bundle = ? AND hash = ?", params![bundle, hash])
    }
}
