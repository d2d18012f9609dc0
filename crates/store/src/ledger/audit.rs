//! Who changed what, and when (spec: gateway.md §13).

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::Ms;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Ledger;
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

/// A change as it is shown; secrets were never part of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditRow {
    pub id: String,
    /// In milliseconds since 1970, UTC.
    pub at: Ms,
    /// It is `user:<name>`, `system`, or `key:<id>` of a sign-in that was refused.
    pub actor: String,
    /// What was done, as `key.create`.
    pub action: String,
    pub target: String,
    pub detail: Json,
}

impl<S: Sql> Ledger<S> {
    pub(super) fn audit(
        &self,
        now: Ms,
        actor: &str,
        action: &str,
        target: &str,
        detail: &Json,
    ) -> Result<(), SqlError> {
        self.something_is_kept();
        self.sql.execute(
            "INSERT INTO audit(at_ms, actor, action, target, detail) VALUES(?, ?, ?, ?, ?)",
            params![now, actor, action, target, detail.to_string()],
        )
    }

    /// Notes that somebody was refused who showed a key of this account; the same once a minute.
    pub fn note_refused(&self, now: Ms, key_id: &str, code: Code) -> Result<(), SqlError> {
        let is_same = |kept: &(String, Code)| kept.0 == key_id && kept.1 == code;
        if self.refused.borrow_mut().find(now, is_same).is_some() || self.key(key_id)?.is_none() {
            return Ok(());
        }
        self.refused.borrow_mut().keep(now, (key_id.to_owned(), code), ());
        self.audit(now, &format!("key:{key_id}"), "signin.refused", key_id, &json!({ "code": code.name() }))
    }

    /// The changes, the latest first; `cursor` is the last id of the page before.
    pub fn audits(&self, cursor: Option<&str>, limit: u32) -> Result<Page<AuditRow>, SqlError> {
        let before = cursor.map_or(Some(Ms::MAX), |cursor| cursor.parse().ok()).unwrap_or(0);
        let rows = self.sql.query(
            "SELECT id, at_ms, actor, action, target, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
            params![before, limit + 1],
        )?;
        page(&rows, limit, read, |row| &row.id)
    }
}

fn read(row: &Row) -> Result<AuditRow, SqlError> {
    Ok(AuditRow {
        id: row.get::<Ms>(0)?.to_string(),
        at: row.get(1)?,
        actor: row.get(2)?,
        action: row.get(3)?,
        target: row.get(4)?,
        detail: serde_json::from_str(&row.get::<String>(5)?).unwrap_or_default(),
    })
}
