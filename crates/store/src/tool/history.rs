//! Revisions and checkpoints: lists, single ones, restore (spec: script-tool.md §6).

use super::record::{
    Cause, Checkpoint, Head, Revision, RevisionWithFiles, Target, ToolError, checkpoint_id, number, revision_id,
};
use super::{Changed, Next, Tool};
use crate::blob::{self, read_json};
use crate::project::{By, Page};
use crate::sql::{Row, Sql, SqlError, params};

/// Larger than any number that is given out.
const END: i64 = i64::MAX >> 10;

impl<S: Sql> Tool<S> {
    /// What happened, newest first; `cursor` is the last id of the page before.
    pub fn revisions(&self, cursor: Option<&str>, limit: u32) -> Result<Page<Revision>, ToolError> {
        let before = before(cursor, "rev_")?;
        let rows = self.sql.query(
            &format!("{SELECT_REVISION} WHERE number < ? ORDER BY number DESC LIMIT ?"),
            params![before, limit + 1],
        )?;
        page(&rows, limit, read_revision, |revision| &revision.revision_id)
    }

    /// One revision with its files.
    pub fn revision(&self, id: &str) -> Result<RevisionWithFiles, ToolError> {
        let number = number(id, "rev_").ok_or(ToolError::NotFound)?;
        let row = self.sql.first(&format!("{SELECT_REVISION} WHERE number = ?"), params![number])?;
        let revision = read_revision(&row.ok_or(ToolError::NotFound)?)?;
        Ok(RevisionWithFiles { revision, virtual_files: blob::get_all(&self.sql, &self.manifest(number)?)? })
    }

    /// Goes to the files of a revision or a checkpoint.
    pub fn restore(&self, base: &str, to: &Target, by: By<'_>) -> Result<Head, ToolError> {
        self.sql.transaction(|| {
            let row = self.gate(base)?;
            let target = self.resolve(to)?;
            self.forget_undone()?;
            let files = self.manifest(target)?;
            self.write(&row.files, Next { cause: Cause::Restore, files, about: Some(target), proposal: None }, by)?;
            self.head()?.ok_or(ToolError::NotFound)
        })
    }

    /// Names the present revision.
    pub fn checkpoint(&self, title: &str, by: By<'_>) -> Result<Checkpoint, ToolError> {
        self.sql.transaction(|| {
            let row = self.row()?.ok_or(ToolError::NotFound)?;
            let number = self.write_checkpoint(title, false, row.head, by)?;
            let found = self.sql.first(&format!("{SELECT_CHECKPOINT} WHERE number = ?"), params![number])?;
            Ok(read_checkpoint(&found.ok_or(ToolError::NotFound)?)?)
        })
    }

    /// Checkpoints, newest first; `cursor` is the last id of the page before.
    pub fn checkpoints(&self, cursor: Option<&str>, limit: u32) -> Result<Page<Checkpoint>, ToolError> {
        let before = before(cursor, "cp_")?;
        let rows = self.sql.query(
            &format!("{SELECT_CHECKPOINT} WHERE number < ? ORDER BY number DESC LIMIT ?"),
            params![before, limit + 1],
        )?;
        page(&rows, limit, read_checkpoint, |checkpoint| &checkpoint.checkpoint_id)
    }

    pub(super) fn write_checkpoint(&self, title: &str, auto: bool, revision: i64, by: By<'_>) -> Result<i64, SqlError> {
        let row = self.sql.first("SELECT coalesce(max(number), 0) + 1 FROM checkpoint", params![])?;
        let number: i64 = row.ok_or_else(|| SqlError("an aggregate gave no row".to_owned()))?.get(0)?;
        self.sql.execute(
            "INSERT INTO checkpoint(number, title, auto, revision, at_ms, actor) VALUES(?, ?, ?, ?, ?, ?)",
            params![number, title, auto, revision, by.now, by.actor],
        )?;
        Ok(number)
    }

    /// The revision whose files a restore goes to.
    fn resolve(&self, to: &Target) -> Result<i64, ToolError> {
        let (id, prefix, select) = match to {
            Target::Revision(id) => (id, "rev_", "SELECT number FROM revision WHERE number = ?"),
            Target::Checkpoint(id) => (id, "cp_", "SELECT revision FROM checkpoint WHERE number = ?"),
        };
        let number = number(id, prefix).ok_or(ToolError::NotFound)?;
        Ok(self.sql.first(select, params![number])?.ok_or(ToolError::NotFound)?.get(0)?)
    }
}

const SELECT_REVISION: &str = "SELECT number, at_ms, actor, cause, changed, about, proposal FROM revision";
const SELECT_CHECKPOINT: &str = "SELECT number, title, auto, revision, at_ms FROM checkpoint";

fn read_revision(row: &Row) -> Result<Revision, SqlError> {
    let changed: Changed = read_json(&row.get::<String>(4)?)?;
    Ok(Revision {
        revision_id: revision_id(row.get(0)?),
        at: row.get(1)?,
        actor: row.get(2)?,
        cause: row.get(3)?,
        changed_files: changed.into_keys().collect(),
        about: row.get::<Option<i64>>(5)?.map(revision_id),
        proposal: row.get::<Option<String>>(6)?.map(|text| read_json(&text)).transpose()?,
    })
}

fn read_checkpoint(row: &Row) -> Result<Checkpoint, SqlError> {
    Ok(Checkpoint {
        checkpoint_id: checkpoint_id(row.get(0)?),
        title: row.get(1)?,
        auto: row.get(2)?,
        revision_id: revision_id(row.get(3)?),
        at: row.get(4)?,
    })
}

fn before(cursor: Option<&str>, prefix: &str) -> Result<i64, ToolError> {
    cursor.map_or(Ok(END), |cursor| number(cursor, prefix).ok_or(ToolError::Cursor))
}

/// `limit` rows of `limit + 1`, and where to go on.
fn page<T>(
    rows: &[Row],
    limit: u32,
    read: impl Fn(&Row) -> Result<T, SqlError>,
    id: impl Fn(&T) -> &String,
) -> Result<Page<T>, ToolError> {
    let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
    let more = rows.len() > limit as usize;
    Ok(Page { next_cursor: items.last().filter(|_| more).map(|item| id(item).clone()), items })
}
