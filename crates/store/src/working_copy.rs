//! Files that a person has not saved yet, one set a user and bundle (spec: app-builder.md §3 `working-copy`).
//!
//! Knows no rule of a kind but sizes. Invariants: a working copy is never a revision, and names the one that it was made on;
//! its texts are held with those of the revisions, each once, and go with the last working copy that has them.

use crate::blob::{self, Files, Hold, Manifest, read_json, to_json};
use crate::sql::{Row, Sql, SqlError, params};

/// How long a working copy is kept behind its last change, in ms.
pub const KEPT_MS: i64 = 180 * 24 * 60 * 60 * 1_000;
/// Files of one working copy.
pub const MAX_FILES: usize = 1_000;
/// Bytes of the texts and paths of one working copy.
pub const MAX_BYTES: usize = 12_582_912;
/// Working copies of a project: of more, those that were left the longest go.
pub const MAX_COPIES: u64 = 200;
/// Working copies that are deleted at once.
const BATCH: u64 = 20;

/// Follows the tables of publishes in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    // `files` maps each path to its blob.
    "CREATE TABLE working_copy(bundle TEXT NOT NULL, user TEXT NOT NULL, base INTEGER NOT NULL, entry TEXT,
       files TEXT NOT NULL, updated INTEGER NOT NULL, PRIMARY KEY(bundle, user)) STRICT, WITHOUT ROWID",
    "CREATE INDEX working_copy_updated ON working_copy(updated)",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingCopy {
    /// The revision that it was made on.
    pub base: String,
    pub files: Files,
    /// The entry file, as it was sent.
    pub entry: Option<String>,
    /// In milliseconds since 1970, UTC.
    pub updated: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkingCopyError {
    #[error("there is no such revision: name one of this bundle")]
    NotFound,
    #[error("a working copy has at most {max} of {limit}, this has {actual}")]
    TooLarge { limit: &'static str, max: usize, actual: usize },
    #[error(transparent)]
    Sql(#[from] SqlError),
}

/// The working copies of one project.
pub struct WorkingCopies<'w, S> {
    sql: &'w S,
}

impl<'w, S: Sql> WorkingCopies<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    /// What a user has not saved yet.
    pub fn get(&self, bundle: &str, user: &str) -> Result<Option<WorkingCopy>, SqlError> {
        let row = self.sql.first(
            "SELECT revision.id, files.files, files.entry, files.updated
             FROM working_copy AS files JOIN revision ON revision.number = files.base
             WHERE files.bundle = ? AND files.user = ?",
            params![bundle, user],
        )?;
        let Some(row) = row else { return Ok(None) };
        let manifest: Manifest = read_json(&row.get::<String>(1)?)?;
        Ok(Some(WorkingCopy {
            base: row.get(0)?,
            files: blob::get_all(self.sql, &manifest)?,
            entry: row.get(2)?,
            updated: row.get(3)?,
        }))
    }

    /// Keeps what a user has not saved yet, in the place of what was kept before.
    pub fn put(&self, bundle: &str, user: &str, copy: &WorkingCopy) -> Result<(), WorkingCopyError> {
        let bytes = copy.files.iter().map(|(path, text)| path.len() + text.len()).sum::<usize>();
        let bytes = bytes + copy.entry.as_ref().map_or(0, String::len);
        for (limit, max, actual) in [("MAX_FILES", MAX_FILES, copy.files.len()), ("MAX_BYTES", MAX_BYTES, bytes)] {
            if actual > max {
                return Err(WorkingCopyError::TooLarge { limit, max, actual });
            }
        }
        self.sql.transaction(|| {
            let select = "SELECT number FROM revision WHERE id = ? AND bundle = ?";
            let base = self.sql.first(select, params![&copy.base, bundle])?.ok_or(WorkingCopyError::NotFound)?;
            // The new texts first: those that both have are not deleted in between.
            let files = blob::put_all(self.sql, &copy.files, Hold::Counted)?;
            self.remove_where("bundle = ? AND user = ?", params![bundle, user])?;
            self.sql.execute(
                "INSERT INTO working_copy(bundle, user, base, entry, files, updated) VALUES(?, ?, ?, ?, ?, ?)",
                params![bundle, user, base.get::<i64>(0)?, copy.entry.as_ref(), to_json(&files), copy.updated],
            )?;
            self.remove_where(
                "(bundle, user) IN(SELECT bundle, user FROM working_copy ORDER BY updated DESC, bundle, user
                   LIMIT -1 OFFSET ?)",
                params![MAX_COPIES],
            )?;
            Ok(())
        })
    }

    /// When the alarm has something to do: the oldest is over its time.
    pub fn next_due(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT min(updated) + ? FROM working_copy", params![KEPT_MS])?;
        row.map_or(Ok(None), |row| row.get(0))
    }

    /// Removes what a user has not saved; `false`: there is nothing.
    pub fn remove(&self, bundle: &str, user: &str) -> Result<bool, SqlError> {
        self.sql.transaction(|| Ok(self.remove_where("bundle = ? AND user = ?", params![bundle, user])? > 0))
    }

    /// Deletes a batch of those that are over their time; answers whether any were. Say it again until none are.
    pub fn forget(&self, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let removed = self.remove_where(
                "(bundle, user) IN(SELECT bundle, user FROM working_copy WHERE updated <= ? ORDER BY updated LIMIT ?)",
                params![now - KEPT_MS, BATCH],
            )?;
            Ok(removed > 0)
        })
    }

    /// When the next one is over its time.
    pub fn next_forgetting(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT min(updated) + ? FROM working_copy", params![KEPT_MS])?;
        row.map_or(Ok(None), |row| row.get(0))
    }

    fn remove_where(&self, condition: &str, values: &[crate::sql::Value]) -> Result<usize, SqlError> {
        let delete = format!("DELETE FROM working_copy WHERE {condition} RETURNING files");
        let removed = self.sql.query(&delete, values)?;
        for row in &removed {
            release(self.sql, row)?;
        }
        Ok(removed.len())
    }
}

fn release<S: Sql>(sql: &S, row: &Row) -> Result<(), SqlError> {
    let manifest: Manifest = read_json(&row.get::<String>(0)?)?;
    blob::release(sql, manifest.values().map(String::as_str))
}
