//! Kill switches: calls of a key, of a user, of a provider or of the whole account that an administrator stopped (spec: gateway.md
//! §12 `CALLS_STOPPED`).
//!
//! Owns their rows; a row is a switch that is thrown. The law asks for them at each admission, so all of them are
//! remembered, beside the limits and read with them.

use std::collections::BTreeMap;

use holdpoint_gateway::budget::{Ms, Stop};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Ledger, LedgerError};
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

pub(super) const SWITCHES: &[&str] =
    &["CREATE TABLE switch(scope TEXT PRIMARY KEY, reason TEXT NOT NULL, actor TEXT NOT NULL, at_ms INTEGER NOT NULL)
       STRICT, WITHOUT ROWID"];

/// All switches that are thrown, by scope.
pub(super) type Stops = BTreeMap<String, Stop>;

/// The body of `PUT /gateway/v1/switches/{scope}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SwitchAsk {
    /// Whether calls are refused from now on.
    pub stopped: bool,
    /// For those who are refused, 1 to 500 characters; may be left out when calls are let go on.
    #[serde(default)]
    pub reason: String,
}

/// A switch as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SwitchRow {
    /// It is one of `key:…`, `user:…`, `provider:…` or `account:…`.
    pub scope: String,
    pub stopped: bool,
    /// What those who are refused read.
    pub reason: Option<String>,
    pub actor: Option<String>,
    /// In milliseconds since 1970, UTC.
    pub since: Option<Ms>,
}

impl<S: Sql> Ledger<S> {
    /// The switch of a scope, thrown or not.
    pub fn switch(&self, scope: &str) -> Result<SwitchRow, SqlError> {
        let row = self.sql.first(&format!("{SELECT} WHERE scope = ?"), params![scope])?;
        let open = || SwitchRow { scope: scope.to_owned(), stopped: false, reason: None, actor: None, since: None };
        row.map_or_else(|| Ok(open()), |row| read(&row))
    }

    /// The switches that are thrown, by scope; `cursor` is the last scope of the page before.
    pub fn switches(&self, cursor: &str, limit: u32) -> Result<Page<SwitchRow>, SqlError> {
        let rows =
            self.sql.query(&format!("{SELECT} WHERE scope > ? ORDER BY scope LIMIT ?"), params![cursor, limit + 1])?;
        page(&rows, limit, read, |item| &item.scope)
    }

    /// Stops the calls of a scope, or lets them go on. Calls that run are not touched.
    pub fn put_switch(&self, now: Ms, actor: &str, scope: &str, ask: &SwitchAsk) -> Result<SwitchRow, LedgerError> {
        self.transaction(|| {
            if ask.stopped {
                self.sql.execute(
                    "INSERT OR REPLACE INTO switch(scope, reason, actor, at_ms) VALUES(?, ?, ?, ?)",
                    params![scope, &ask.reason, actor, now],
                )?;
            } else {
                self.sql.execute("DELETE FROM switch WHERE scope = ?", params![scope])?;
            }
            self.audit(now, actor, "switch.put", scope, &json!(ask))?;
            self.memory.configured();
            Ok(self.switch(scope)?)
        })
    }
}

const SELECT: &str = "SELECT scope, reason, actor, at_ms FROM switch";

fn read(row: &Row) -> Result<SwitchRow, SqlError> {
    Ok(SwitchRow { scope: row.get(0)?, stopped: true, reason: row.get(1)?, actor: row.get(2)?, since: row.get(3)? })
}
