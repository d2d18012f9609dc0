//! A user's extensions: content-addressed files, revisions, install records, undo (spec: authoring.md §8, §9.1).
//!
//! Owns what is installed and how it came to be; knows nothing of checks, reviews or HTTP: the caller has verified what
//! it stores. Invariants: a write names the content hash that its author saw and is refused when that moved; one write
//! is one transaction and one audit row; revisions are only ever added; no file text is ever lost.

mod record;
mod schema;

pub use crate::page::Page;
pub use record::{Cause, Install, Record, Revision};
pub use schema::MIGRATIONS;

use serde_json::{Value as Json, json};

pub use crate::blob::Files;
use crate::blob::{self, read_json, to_json};
use crate::migrate::migrate;
use crate::sql::{Row, Sql, SqlError, params};
use record::State;

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProjectError {
    /// No such extension or revision.
    #[error("there is no such extension or revision: list what is installed")]
    NotFound,
    /// The base moved since the caller looked: `current` is what is installed now.
    #[error("the extension changed since you looked: review it again")]
    Stale {
        /// Content hash of what is installed; `None`: nothing is.
        current: Option<String>,
    },
    /// There is no revision to go to.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// The database failed.
    #[error(transparent)]
    Sql(#[from] SqlError),
}

/// Who does something, and when (ms since 1970).
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// `user:<name>`.
    pub actor: &'a str,
    /// The clock of the caller.
    pub now: i64,
}

/// The extensions of one user.
pub struct Project<S> {
    sql: S,
}

/// The row of an extension: what is there, and the ways back and forth as revision numbers.
struct Extension {
    present: Option<i64>,
    past: Vec<Option<i64>>,
    future: Vec<Option<i64>>,
    enabled: bool,
    disabled_reason: Option<String>,
    installed_at: i64,
}

impl<S: Sql> Project<S> {
    /// Opens the database and brings it up to date.
    pub fn open(sql: S) -> Result<Self, SqlError> {
        migrate(&sql, MIGRATIONS)?;
        Ok(Self { sql })
    }

    /// What is installed, by id; `cursor` is the last id of the page before.
    pub fn list(&self, cursor: &str, limit: u32) -> Result<Page<Record>, SqlError> {
        let rows = self.sql.query(
            "SELECT id FROM extension WHERE present IS NOT NULL AND id > ? ORDER BY id LIMIT ?",
            params![cursor, limit + 1],
        )?;
        let ids = rows.iter().map(|row| row.get::<String>(0)).collect::<Result<Vec<_>, _>>()?;
        let mut items = Vec::new();
        for id in ids.iter().take(limit as usize) {
            items.extend(self.record(id)?);
        }
        let next_cursor = (ids.len() > limit as usize).then(|| items.last().map(|r: &Record| r.id.clone())).flatten();
        Ok(Page { items, next_cursor })
    }

    /// The record of an installed extension.
    pub fn record(&self, id: &str) -> Result<Option<Record>, SqlError> {
        let Some(extension) = self.extension(id)? else { return Ok(None) };
        let Some(present) = extension.present else { return Ok(None) };
        let state = self.state(present)?;
        let previous = match extension.past.last() {
            Some(Some(number)) => Some(self.state(*number)?),
            _ => None,
        };
        Ok(Some(Record {
            id: id.to_owned(),
            version: state.version,
            content_hash: state.content_hash,
            revision_id: revision_id(present),
            granted: state.granted,
            enabled: extension.enabled,
            disabled_reason: extension.disabled_reason,
            origin: state.origin,
            installed_at: extension.installed_at,
            sdk_version: state.sdk_version,
            last_result: state.last_result,
            plan_hash: state.plan_hash,
            previous: previous.zip(extension.past.last().copied().flatten()).map(|(state, number)| {
                json!({"version": state.version, "content_hash": state.content_hash, "revision_id": revision_id(number)})
            }),
            can_undo: !extension.past.is_empty(),
            can_redo: !extension.future.is_empty(),
        }))
    }

    /// The files of what is installed.
    pub fn files(&self, id: &str) -> Result<Option<Files>, SqlError> {
        match self.extension(id)?.and_then(|extension| extension.present) {
            Some(number) => self.files_of(number).map(Some),
            None => Ok(None),
        }
    }

    /// What its user granted of these contents whenever they stood: a signature over other grants than today's was
    /// good once.
    pub fn grants_of(&self, id: &str, content_hash: &str) -> Result<Vec<Vec<String>>, SqlError> {
        let rows = self.sql.query(
            "SELECT DISTINCT state.granted FROM revision JOIN state ON state.number = revision.state
             WHERE extension_id = ? AND state.content_hash = ?",
            params![id, content_hash],
        )?;
        rows.iter().map(|row| read_json(&row.get::<String>(0)?)).collect()
    }

    /// What happened to an extension, newest first; `cursor` is the last revision id of the page before.
    pub fn revisions(&self, id: &str, cursor: Option<&str>, limit: u32) -> Result<Page<Revision>, ProjectError> {
        let before = cursor.and_then(revision_number).unwrap_or(i64::MAX >> 10);
        let rows = self.sql.query(
            &format!(
                "{SELECT_REVISION} WHERE extension_id = ? AND revision.number < ? ORDER BY revision.number DESC LIMIT ?"
            ),
            params![id, before, limit + 1],
        )?;
        if rows.is_empty() && cursor.is_none() {
            return Err(ProjectError::NotFound);
        }
        let items = rows.iter().take(limit as usize).map(read_revision).collect::<Result<Vec<_>, _>>()?;
        let next_cursor =
            (rows.len() > limit as usize).then(|| items.last().map(|r: &Revision| r.revision_id.clone())).flatten();
        Ok(Page { items, next_cursor })
    }

    /// One revision with the files that it left; none where it removed the extension.
    pub fn revision(&self, id: &str, revision: &str) -> Result<(Revision, Option<Files>), ProjectError> {
        let number = revision_number(revision).ok_or(ProjectError::NotFound)?;
        let row = self
            .sql
            .first(&format!("{SELECT_REVISION} WHERE extension_id = ? AND revision.number = ?"), params![id, number])?
            .ok_or(ProjectError::NotFound)?;
        let files = match row.get::<Option<i64>>(7)? {
            Some(state) => Some(self.files_of(state)?),
            None => None,
        };
        Ok((read_revision(&row)?, files))
    }

    /// Installs what the caller has verified, as one revision.
    pub fn install(&self, install: &Install, by: By<'_>) -> Result<Record, ProjectError> {
        self.sql.transaction(|| {
            let before = self.extension(&install.id)?;
            self.gate(before.as_ref(), install.base_hash.as_deref())?;
            let number = self.write_revision(&install.id, by, Cause::Install, install.base_hash.as_deref(), None)?;
            self.write_state(number, install)?;
            let mut after = before.unwrap_or(Extension {
                present: None,
                past: Vec::new(),
                future: Vec::new(),
                enabled: true,
                disabled_reason: None,
                installed_at: by.now,
            });
            after.past.push(after.present.replace(number));
            after.future.clear();
            (after.enabled, after.disabled_reason, after.installed_at) = (true, None, by.now);
            self.write_extension(&install.id, &after)?;
            self.audit(by, "extension.install", &install.id, &json!({"content_hash": install.content_hash}))?;
            self.record(&install.id)?.ok_or(ProjectError::NotFound)
        })
    }

    /// Goes back to the revision before. `None`: the extension was not installed then.
    pub fn undo(&self, id: &str, base_hash: Option<&str>, by: By<'_>) -> Result<Option<Record>, ProjectError> {
        self.step(id, base_hash, by, Cause::Undo, |extension| {
            let to = extension.past.pop().ok_or(ProjectError::NothingTo("undo"))?;
            extension.future.push(std::mem::replace(&mut extension.present, to));
            Ok(())
        })
    }

    /// Goes forth again to what was undone.
    pub fn redo(&self, id: &str, base_hash: Option<&str>, by: By<'_>) -> Result<Option<Record>, ProjectError> {
        self.step(id, base_hash, by, Cause::Redo, |extension| {
            let to = extension.future.pop().ok_or(ProjectError::NothingTo("redo"))?;
            extension.past.push(std::mem::replace(&mut extension.present, to));
            Ok(())
        })
    }

    /// Uninstalls. The files stay for undo.
    pub fn remove(&self, id: &str, base_hash: Option<&str>, by: By<'_>) -> Result<(), ProjectError> {
        self.step(id, base_hash, by, Cause::Remove, |extension| {
            let present = extension.present.take().ok_or(ProjectError::NotFound)?;
            extension.past.push(Some(present));
            extension.future.clear();
            Ok(())
        })
        .map(|_| ())
    }

    /// Switches an installed extension on or off; `reason` is shown to its user.
    pub fn set_enabled(
        &self,
        id: &str,
        base_hash: Option<&str>,
        enabled: bool,
        reason: Option<&str>,
        by: By<'_>,
    ) -> Result<Record, ProjectError> {
        self.sql.transaction(|| {
            let mut extension = self.extension(id)?.ok_or(ProjectError::NotFound)?;
            if extension.present.is_none() {
                return Err(ProjectError::NotFound);
            }
            self.gate(Some(&extension), base_hash)?;
            extension.enabled = enabled;
            extension.disabled_reason = if enabled { None } else { reason.map(str::to_owned) };
            self.write_extension(id, &extension)?;
            let action = if enabled { "extension.enable" } else { "extension.disable" };
            self.audit(by, action, id, &json!({ "reason": reason }))?;
            self.record(id)?.ok_or(ProjectError::NotFound)
        })
    }

    fn step(
        &self,
        id: &str,
        base_hash: Option<&str>,
        by: By<'_>,
        cause: Cause,
        go: impl FnOnce(&mut Extension) -> Result<(), ProjectError>,
    ) -> Result<Option<Record>, ProjectError> {
        self.sql.transaction(|| {
            let mut extension = self.extension(id)?.ok_or(ProjectError::NotFound)?;
            self.gate(Some(&extension), base_hash)?;
            go(&mut extension)?;
            (extension.enabled, extension.disabled_reason) = (true, None);
            self.write_revision(id, by, cause, base_hash, extension.present)?;
            self.write_extension(id, &extension)?;
            self.audit(by, cause.action(), id, &json!({ "base_hash": base_hash }))?;
            Ok(self.record(id)?)
        })
    }

    /// Refuses what was decided on another base.
    fn gate(&self, extension: Option<&Extension>, base_hash: Option<&str>) -> Result<(), ProjectError> {
        let current = match extension.and_then(|extension| extension.present) {
            Some(number) => Some(self.state(number)?.content_hash),
            None => None,
        };
        if current.as_deref() == base_hash { Ok(()) } else { Err(ProjectError::Stale { current }) }
    }

    fn extension(&self, id: &str) -> Result<Option<Extension>, SqlError> {
        let row = self.sql.first(
            "SELECT present, past, future, enabled, disabled_reason, installed_at FROM extension WHERE id = ?",
            params![id],
        )?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Extension {
            present: row.get(0)?,
            past: read_json(&row.get::<String>(1)?)?,
            future: read_json(&row.get::<String>(2)?)?,
            enabled: row.get(3)?,
            disabled_reason: row.get(4)?,
            installed_at: row.get(5)?,
        }))
    }

    fn write_extension(&self, id: &str, extension: &Extension) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO extension(id, present, past, future, enabled, disabled_reason, installed_at)
             VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET present = excluded.present, past = excluded.past,
             future = excluded.future, enabled = excluded.enabled, disabled_reason = excluded.disabled_reason,
             installed_at = excluded.installed_at",
            params![
                id,
                extension.present,
                json!(extension.past).to_string(),
                json!(extension.future).to_string(),
                extension.enabled,
                extension.disabled_reason.as_ref(),
                extension.installed_at
            ],
        )
    }

    /// Adds a revision; `state` is the revision whose files it leaves, `None` for its own or for none.
    fn write_revision(
        &self,
        id: &str,
        by: By<'_>,
        cause: Cause,
        base_hash: Option<&str>,
        state: Option<i64>,
    ) -> Result<i64, SqlError> {
        let content_hash = state.map(|number| self.state(number).map(|state| state.content_hash)).transpose()?;
        let row = self.sql.first("SELECT coalesce(max(number), 0) + 1 FROM revision", params![])?;
        let number: i64 = row.ok_or_else(|| SqlError("an aggregate gave no row".to_owned()))?.get(0)?;
        self.sql.execute(
            "INSERT INTO revision(number, extension_id, at_ms, actor, cause, base_hash, content_hash, state)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
            params![number, id, by.now, by.actor, cause.as_str(), base_hash, content_hash, state],
        )?;
        Ok(number)
    }

    fn write_state(&self, number: i64, install: &Install) -> Result<(), SqlError> {
        let manifest = blob::put_all(&self.sql, &install.files)?;
        self.sql.execute(
            "INSERT INTO state(number, content_hash, version, files, granted, origin, sdk_version, last_result, plan_hash)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                number,
                &install.content_hash,
                &install.version,
                to_json(&manifest),
                json!(install.granted).to_string(),
                &install.origin,
                &install.sdk_version,
                install.last_result.as_ref().map(Json::to_string),
                install.plan_hash.as_ref()
            ],
        )?;
        self.sql.execute(
            "UPDATE revision SET content_hash = ?, state = ? WHERE number = ?",
            params![&install.content_hash, number, number],
        )
    }

    fn state(&self, number: i64) -> Result<State, SqlError> {
        let row = self
            .sql
            .first(
                "SELECT content_hash, version, granted, origin, sdk_version, last_result, plan_hash
                 FROM state WHERE number = ?",
                params![number],
            )?
            .ok_or_else(|| SqlError(format!("revision {number} has no state")))?;
        Ok(State {
            content_hash: row.get(0)?,
            version: row.get(1)?,
            granted: read_json(&row.get::<String>(2)?)?,
            origin: row.get(3)?,
            sdk_version: row.get(4)?,
            last_result: row.get::<Option<String>>(5)?.map(|text| read_json(&text)).transpose()?,
            plan_hash: row.get(6)?,
        })
    }

    fn files_of(&self, number: i64) -> Result<Files, SqlError> {
        let row = self.sql.first("SELECT files FROM state WHERE number = ?", params![number])?;
        let row = row.ok_or_else(|| SqlError(format!("revision {number} has no state")))?;
        blob::get_all(&self.sql, &read_json(&row.get::<String>(0)?)?)
    }

    fn audit(&self, by: By<'_>, action: &str, target: &str, detail: &Json) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO audit(at_ms, actor, action, target, detail) VALUES(?, ?, ?, ?, ?)",
            params![by.now, by.actor, action, target, detail.to_string()],
        )
    }
}

const SELECT_REVISION: &str =
    "SELECT revision.number, at_ms, actor, cause, base_hash, revision.content_hash, state.version,
 revision.state FROM revision LEFT JOIN state ON state.number = revision.state";

fn read_revision(row: &Row) -> Result<Revision, SqlError> {
    Ok(Revision {
        revision_id: revision_id(row.get(0)?),
        at: row.get(1)?,
        actor: row.get(2)?,
        cause: row.get(3)?,
        base_hash: row.get(4)?,
        content_hash: row.get(5)?,
        version: row.get(6)?,
    })
}

fn revision_id(number: i64) -> String {
    format!("rev_{number}")
}

fn revision_number(id: &str) -> Option<i64> {
    id.strip_prefix("rev_")?.parse().ok()
}
