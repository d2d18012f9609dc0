//! A script tool in its own database: files, revisions, undo, checkpoints, and the thread beside them (spec:
//! script-tool.md §6, §7).
//!
//! Owns what the tool is and how it came to be; knows nothing of patches, checks or HTTP: the caller has decided what
//! it stores. Invariants: a write names what its author saw and is refused when that moved; one write is one
//! transaction and one revision, and what a thread says of an apply is in the same transaction; revisions are only
//! ever added; a refusal leaves the database as it was.

mod captures;
mod history;
mod listing;
mod record;
mod schema;
mod undo;

pub use record::{Apply, Checkpoint, Head, NewTool, Revision, RevisionWithFiles, Step, Target, ToolError};
pub use schema::MIGRATIONS;

use std::collections::BTreeMap;

use crate::blob::{self, Files, Manifest, read_json, to_json};
use crate::migrate::migrate;
use crate::project::By;
use crate::sql::{Sql, SqlError, params};
use crate::thread::{self, Decision, Threads};
use record::{Cause, number, revision_id};

/// A changed path with its hashes before and after.
type Changed = BTreeMap<String, (Option<String>, String)>;

/// One tool.
pub struct Tool<S> {
    sql: S,
}

/// The row of the tool with its files by hash.
struct Row {
    id: String,
    owner: String,
    title: String,
    head: i64,
    updated_ms: i64,
    files: Manifest,
}

/// A revision about to be written.
struct Next {
    cause: Cause,
    files: Manifest,
    about: Option<i64>,
    proposal: Option<String>,
}

impl<S: Sql> Tool<S> {
    /// Opens the database and brings it up to date.
    pub fn open(sql: S) -> Result<Self, SqlError> {
        migrate(&sql, MIGRATIONS)?;
        Ok(Self { sql })
    }

    /// The conversations of this tool, which live for `ttl_ms` after their last activity.
    pub fn threads(&self, ttl_ms: i64) -> Threads<'_, S> {
        Threads::new(&self.sql, ttl_ms)
    }

    /// Makes the tool, unlisted; a database holds one. Its first revision is its author's own.
    pub fn create(&self, new: &NewTool, by: By<'_>) -> Result<Head, ToolError> {
        self.sql.transaction(|| {
            if let Some(row) = self.row()? {
                return Err(ToolError::Stale { current: revision_id(row.head) });
            }
            self.sql.execute(
                "INSERT INTO tool(only, id, owner, title, head, created_ms, updated_ms) VALUES(1, ?, ?, ?, 0, ?, ?)",
                params![&new.id, &new.owner, &new.title, by.now, by.now],
            )?;
            self.sql.execute("INSERT INTO unlisted(only, account) VALUES(1, ?)", params![&new.account])?;
            let files = blob::put_all(&self.sql, &new.files)?;
            let next = Next { cause: Cause::Hand, files, about: None, proposal: None };
            self.write(&Manifest::new(), next, by)?;
            self.head()?.ok_or(ToolError::NotFound)
        })
    }

    /// The tool as it stands; `None`: nobody made it.
    pub fn head(&self) -> Result<Option<Head>, SqlError> {
        let Some(row) = self.row()? else { return Ok(None) };
        let undo = self.undoable(&row)?;
        Ok(Some(Head {
            virtual_files: blob::get_all(&self.sql, &row.files)?,
            tool_id: row.id,
            owner: row.owner,
            title: row.title,
            revision_id: revision_id(row.head),
            updated_at: row.updated_ms,
            base_fingerprints: row.files,
            can_undo: undo.undo,
            can_redo: undo.redo,
            undo_blocked: undo.blocked,
        }))
    }

    /// A save by hand of the files that changed. Files that did not change make no revision.
    pub fn save(&self, base: &str, files: &Files, by: By<'_>) -> Result<Head, ToolError> {
        self.sql.transaction(|| {
            let row = self.gate(base)?;
            let manifest = self.merged(&row, files)?;
            if manifest != row.files {
                self.forget_undone()?;
                let next = Next { cause: Cause::Hand, files: manifest, about: None, proposal: None };
                self.write(&row.files, next, by)?;
            }
            self.head()?.ok_or(ToolError::NotFound)
        })
    }

    /// One apply on the revision `base`: an automatic checkpoint, one revision, and the word on its turn.
    pub fn apply(&self, base: &str, apply: &Apply, by: By<'_>) -> Result<Head, ToolError> {
        self.sql.transaction(|| {
            let row = self.gate(base)?;
            let manifest = self.merged(&row, &apply.files)?;
            self.write_checkpoint("", true, row.head, by)?;
            self.forget_undone()?;
            let proposal = Some(apply.proposal.to_string());
            let number =
                self.write(&row.files, Next { cause: Cause::Apply, files: manifest, about: None, proposal }, by)?;
            self.sql.execute("INSERT INTO applied(number, undone) VALUES(?, NULL)", params![number])?;
            thread::decide(&self.sql, &apply.user, &apply.correlation_id, Decision::Applied, Some(number), by.now)?;
            self.head()?.ok_or(ToolError::NotFound)
        })
    }

    /// Whether that revision exists.
    pub fn knows(&self, revision: &str) -> Result<bool, SqlError> {
        let Some(number) = number(revision, "rev_") else { return Ok(false) };
        Ok(self.sql.first("SELECT 1 FROM revision WHERE number = ?", params![number])?.is_some())
    }

    /// When the proposal was asked for that an undo or redo is about; `step` is the tool behind it.
    pub fn asked_at(&self, step: &Head) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first(
            "SELECT turn.at_ms FROM revision JOIN turn ON turn.revision = revision.about WHERE revision.number = ?",
            params![number(&step.revision_id, "rev_")],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    fn row(&self) -> Result<Option<Row>, SqlError> {
        let row = self.sql.first("SELECT id, owner, title, head, updated_ms FROM tool", params![])?;
        let Some(row) = row else { return Ok(None) };
        let head: i64 = row.get(3)?;
        let files = if head == 0 { Manifest::new() } else { self.manifest(head)? };
        Ok(Some(Row { id: row.get(0)?, owner: row.get(1)?, title: row.get(2)?, head, updated_ms: row.get(4)?, files }))
    }

    /// Refuses what was decided on another revision.
    fn gate(&self, base: &str) -> Result<Row, ToolError> {
        let row = self.row()?.ok_or(ToolError::NotFound)?;
        if revision_id(row.head) == base { Ok(row) } else { Err(ToolError::Stale { current: revision_id(row.head) }) }
    }

    fn manifest(&self, revision: i64) -> Result<Manifest, SqlError> {
        let row = self.sql.first("SELECT files FROM revision WHERE number = ?", params![revision])?;
        read_json(&row.ok_or_else(|| SqlError(format!("revision {revision} is gone")))?.get::<String>(0)?)
    }

    fn changed(&self, revision: i64) -> Result<Changed, SqlError> {
        let row = self.sql.first("SELECT changed FROM revision WHERE number = ?", params![revision])?;
        read_json(&row.ok_or_else(|| SqlError(format!("revision {revision} is gone")))?.get::<String>(0)?)
    }

    /// The present files with some of them replaced.
    fn merged(&self, row: &Row, files: &Files) -> Result<Manifest, SqlError> {
        let mut manifest = row.files.clone();
        manifest.extend(blob::put_all(&self.sql, files)?);
        Ok(manifest)
    }

    /// Adds a revision behind `before` and makes it the head.
    fn write(&self, before: &Manifest, next: Next, by: By<'_>) -> Result<i64, SqlError> {
        let row = self.sql.first("SELECT coalesce(max(number), 0) + 1 FROM revision", params![])?;
        let number: i64 = row.ok_or_else(|| SqlError("an aggregate gave no row".to_owned()))?.get(0)?;
        let changed: Changed = next
            .files
            .iter()
            .filter(|(path, hash)| before.get(*path) != Some(*hash))
            .map(|(path, hash)| (path.clone(), (before.get(path).cloned(), hash.clone())))
            .collect();
        self.sql.execute(
            "INSERT INTO revision(number, at_ms, actor, cause, files, changed, about, proposal)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                number,
                by.now,
                by.actor,
                next.cause.as_str(),
                to_json(&next.files),
                to_json(&changed),
                next.about,
                next.proposal
            ],
        )?;
        self.sql.execute("UPDATE tool SET head = ?, updated_ms = ?", params![number, by.now])?;
        Ok(number)
    }
}
