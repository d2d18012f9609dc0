//! Places in the history of a bundle that have a name, or that stood before a proposal was applied.

use super::{By, Workspace, WriteError};
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};
use crate::workspace::revision::before;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// `cp_<number>`, rising within a project.
    pub id: String,
    /// Empty where nobody named it.
    pub label: String,
    /// Whether a proposal made it.
    pub auto: bool,
    /// The revision that it points to.
    pub revision: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
}

impl<S: Sql> Workspace<S> {
    /// Names the present revision of a bundle.
    pub fn checkpoint(&self, bundle: &str, label: &str, by: &By<'_>) -> Result<Checkpoint, WriteError> {
        self.sql.transaction(|| {
            let row = self.row(bundle)?.ok_or(WriteError::NotFound)?;
            let number = self.insert_checkpoint(bundle, row.head, (label, "named"), None, &by.actor(), by.now)?;
            let found = self.sql.first(&format!("{SELECT} WHERE checkpoint.number = ?"), params![number])?;
            Ok(read(&found.ok_or(WriteError::NotFound)?)?)
        })
    }

    /// Checkpoints of a bundle, newest first; `cursor` is the last id of the page before.
    pub fn checkpoints(&self, bundle: &str, cursor: Option<&str>, limit: u32) -> Result<Page<Checkpoint>, WriteError> {
        let before = before(cursor, "cp_")?;
        let rows = self.sql.query(
            &format!(
                "{SELECT} WHERE checkpoint.bundle = ? AND checkpoint.number < ? ORDER BY checkpoint.number DESC LIMIT ?"
            ),
            params![bundle, before, limit + 1],
        )?;
        Ok(page(&rows, limit, read, |checkpoint| &checkpoint.id)?)
    }

    /// Gives a named checkpoint another name; `None`: there is no such one.
    pub fn rename_checkpoint(&self, bundle: &str, id: &str, label: &str) -> Result<Option<Checkpoint>, SqlError> {
        self.sql.transaction(|| {
            let update =
                "UPDATE checkpoint SET label = ? WHERE id = ? AND bundle = ? AND cause = 'named' RETURNING number";
            let Some(row) = self.sql.first(update, params![label, id, bundle])? else { return Ok(None) };
            let select = format!("{SELECT} WHERE checkpoint.number = ?");
            self.sql.first(&select, params![row.get::<i64>(0)?])?.map(|row| read(&row)).transpose()
        })
    }

    /// Forgets a named checkpoint; its revision stays. `false`: there is no such one.
    pub fn remove_checkpoint(&self, bundle: &str, id: &str) -> Result<bool, SqlError> {
        let delete = "DELETE FROM checkpoint WHERE id = ? AND bundle = ? AND cause = 'named' RETURNING number";
        Ok(self.sql.first(delete, params![id, bundle])?.is_some())
    }

    /// The revision that a checkpoint of this bundle points to.
    pub(super) fn number_of_checkpoint(&self, bundle: &str, id: &str) -> Result<i64, WriteError> {
        let row = self.sql.first("SELECT revision FROM checkpoint WHERE id = ? AND bundle = ?", params![id, bundle])?;
        Ok(row.ok_or(WriteError::NotFound)?.get(0)?)
    }

    /// Writes a checkpoint on a revision: label and cause, and the turn whose proposal asked for it.
    pub(super) fn insert_checkpoint(
        &self,
        bundle: &str,
        revision: i64,
        (label, cause): (&str, &str),
        turn: Option<i64>,
        actor: &str,
        at: i64,
    ) -> Result<i64, SqlError> {
        let row = self.sql.first("SELECT coalesce(max(number), 0) + 1 FROM checkpoint", params![])?;
        let number: i64 = row.ok_or_else(|| SqlError("an aggregate gave no row".to_owned()))?.get(0)?;
        self.sql.execute(
            "INSERT INTO checkpoint(number, id, bundle, revision, label, cause, turn, actor, at)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![number, format!("cp_{number}"), bundle, revision, label, cause, turn, actor, at],
        )?;
        Ok(number)
    }
}

const SELECT: &str = "SELECT checkpoint.id, checkpoint.label, checkpoint.cause = 'auto', revision.id, checkpoint.at
 FROM checkpoint JOIN revision ON revision.number = checkpoint.revision";

fn read(row: &Row) -> Result<Checkpoint, SqlError> {
    Ok(Checkpoint { id: row.get(0)?, label: row.get(1)?, auto: row.get(2)?, revision: row.get(3)?, at: row.get(4)? })
}
