//! The list of an account's bundles, of whichever kind.
//!
//! Owns who a bundle belongs to. What the bundle is stands in its project; title and revision here follow it and are for
//! lists only.

use serde::{Deserialize, Serialize};

use super::Ledger;
use crate::once::KEPT_MS;
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

/// Names of bundles that somebody is about to make: whoever asks again is led to the same one.
pub(crate) const RESERVED: &[&str] = &[
    "CREATE TABLE reserved(user TEXT NOT NULL, key TEXT NOT NULL, bundle TEXT NOT NULL, at INTEGER NOT NULL,
       PRIMARY KEY(user, key)) STRICT, WITHOUT ROWID",
    "CREATE INDEX reserved_time ON reserved(at)",
];
const END: &str = "~";

/// A bundle as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its name everywhere; rises with time.
    pub id: String,
    pub kind: String,
    pub owner: String,
    pub title: String,
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
}

impl<S: Sql> Ledger<S> {
    /// Lists a bundle, or follows what it became. Kind and owner of a listed bundle never change.
    pub fn list_bundle(&self, bundle: &Listed) -> Result<(), SqlError> {
        let Listed { id, kind, owner, title, revision_id, updated_at } = bundle;
        self.sql.execute(
            "INSERT INTO bundle(id, kind, owner, title, revision_id, updated_ms) VALUES(?, ?, ?, ?, ?, ?)
             ON CONFLICT(id) DO UPDATE SET title = excluded.title, revision_id = excluded.revision_id,
             updated_ms = excluded.updated_ms WHERE excluded.updated_ms >= updated_ms",
            params![id, kind, owner, title, revision_id, *updated_at],
        )
    }

    /// Strikes a bundle out of the list.
    pub fn unlist_bundle(&self, id: &str) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM bundle WHERE id = ?", params![id])
    }

    /// Whether a user has a bundle of a kind with that title.
    pub fn is_titled(&self, owner: &str, kind: &str, title: &str) -> Result<bool, SqlError> {
        let select = "SELECT 1 FROM bundle WHERE owner = ? AND kind = ? AND title = ? LIMIT 1";
        Ok(self.sql.first(select, params![owner, kind, title])?.is_some())
    }

    /// A bundle of this account, whoever made it.
    pub fn bundle(&self, id: &str) -> Result<Option<Listed>, SqlError> {
        self.sql.first(&format!("{SELECT} WHERE id = ?"), params![id])?.map(|row| read(&row)).transpose()
    }

    /// The name of the bundle that a user's key stands for: `bundle`, unless the key named another in the last day.
    pub fn reserve(&self, user: &str, key: &str, bundle: &str, now: i64) -> Result<String, SqlError> {
        self.sql.execute("DELETE FROM reserved WHERE at <= ?", params![now - KEPT_MS])?;
        self.sql.execute(
            "INSERT OR IGNORE INTO reserved(user, key, bundle, at) VALUES(?, ?, ?, ?)",
            params![user, key, bundle, now],
        )?;
        let row = self.sql.first("SELECT bundle FROM reserved WHERE user = ? AND key = ?", params![user, key])?;
        row.ok_or_else(|| SqlError("a reserved name is gone".to_owned()))?.get(0)
    }

    /// A user's bundles of a kind, newest first; `cursor` is the last id of the page before.
    pub fn bundles(&self, owner: &str, kind: &str, cursor: Option<&str>, limit: u32) -> Result<Page<Listed>, SqlError> {
        let rows = self.sql.query(
            &format!("{SELECT} WHERE owner = ? AND kind = ? AND id < ? ORDER BY id DESC LIMIT ?"),
            params![owner, kind, cursor.unwrap_or(END), limit + 1],
        )?;
        page(&rows, limit, read, |bundle| &bundle.id)
    }
}

const SELECT: &str = "SELECT id, kind, owner, title, revision_id, updated_ms FROM bundle";

fn read(row: &Row) -> Result<Listed, SqlError> {
    Ok(Listed {
        id: row.get(0)?,
        kind: row.get(1)?,
        owner: row.get(2)?,
        title: row.get(3)?,
        revision_id: row.get(4)?,
        updated_at: row.get(5)?,
    })
}
