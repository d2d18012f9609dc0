//! What was done with proposals, told for ever (spec: ai-sessions.md §2 `ai_audit_events`, §10).
//!
//! Owns rows of metadata; which events there are is a kind's. Invariants: rows are only ever added; none of them holds a
//! text of a bundle or of a conversation.

use crate::page::{seal, unseal};
use crate::sql::{Row, Sql, SqlError, params};
use crate::workspace::WriteError;

pub use holdpoint_check::route::Page;

/// An event about to be told.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent<'n> {
    pub bundle: &'n str,
    /// In which session, where there is one.
    pub session: Option<&'n str>,
    /// Number and version of the change set that it is about.
    pub change_set: Option<(i64, i64)>,
    pub user: &'n str,
    pub kind: &'n str,
    pub outcome: &'n str,
    /// Why, where it did not end well.
    pub code: Option<&'n str>,
    /// The objects that changed: a JSON list of names.
    pub objects: String,
    /// What else is counted: a JSON object of numbers, codes and tags.
    pub detail: String,
    /// How long it took, in ms.
    pub duration: Option<i64>,
}

/// An event that was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    pub number: i64,
    pub session: Option<String>,
    pub change_set: Option<i64>,
    pub version: Option<i64>,
    pub user: String,
    pub kind: String,
    pub outcome: String,
    pub code: Option<String>,
    pub objects: String,
    pub detail: String,
    pub duration: Option<i64>,
    pub at: i64,
}

/// The events of a project.
pub struct AuditLog<'s, S> {
    sql: &'s S,
}

const SELECT: &str =
    "SELECT number, session, change_set, version, user, type, outcome, code, objects, detail, duration, at
 FROM audit_event";

impl<'s, S: Sql> AuditLog<'s, S> {
    pub(crate) fn new(sql: &'s S) -> Self {
        Self { sql }
    }

    pub fn tell(&self, event: &NewEvent<'_>, now: i64) -> Result<(), SqlError> {
        insert(self.sql, event, now)
    }

    /// Events of a bundle, newest first; of a session and of a kind, where they are named.
    pub fn list(
        &self,
        bundle: &str,
        (session, kind): (Option<&str>, Option<&str>),
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<AuditEvent>, WriteError> {
        let before = match cursor {
            Some(cursor) => unseal::<1>(cursor).ok_or(WriteError::Cursor)?[0],
            None => crate::sql::MAX_INTEGER,
        };
        let rows = self.sql.query(
            &format!(
                "{SELECT} WHERE bundle = ? AND number < ? AND (? IS NULL OR session = ?) AND (? IS NULL OR type = ?)
                 ORDER BY number DESC LIMIT ?"
            ),
            params![bundle, before, session, session, kind, kind, limit + 1],
        )?;
        let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        Ok(Page { next_cursor: items.last().filter(|_| more).map(|event| seal(&[event.number])), items })
    }

    /// Events of a bundle since then, oldest first.
    pub fn since(&self, bundle: &str, at: i64) -> Result<Vec<AuditEvent>, SqlError> {
        let select = format!("{SELECT} WHERE bundle = ? AND at >= ? ORDER BY number");
        self.sql.query(&select, params![bundle, at])?.iter().map(read).collect()
    }
}

pub(crate) fn insert<S: Sql>(sql: &S, event: &NewEvent<'_>, now: i64) -> Result<(), SqlError> {
    sql.execute(
        "INSERT INTO audit_event(bundle, session, change_set, version, user, type, outcome, code, objects, detail,
           duration, at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            event.bundle,
            event.session,
            event.change_set.map(|(number, _)| number),
            event.change_set.map(|(_, version)| version),
            event.user,
            event.kind,
            event.outcome,
            event.code,
            &event.objects,
            &event.detail,
            event.duration,
            now,
        ],
    )
}

fn read(row: &Row) -> Result<AuditEvent, SqlError> {
    Ok(AuditEvent {
        number: row.get(0)?,
        session: row.get(1)?,
        change_set: row.get(2)?,
        version: row.get(3)?,
        user: row.get(4)?,
        kind: row.get(5)?,
        outcome: row.get(6)?,
        code: row.get(7)?,
        objects: row.get(8)?,
        detail: row.get(9)?,
        duration: row.get(10)?,
        at: row.get(11)?,
    })
}
