//! An account's own providers, models and prices, and the keys that they name (spec: gateway.md §10, §13 `/config`,
//! `/secrets`).
//!
//! Owns the rows; what the configuration means is `holdpoint_gateway::config`'s. Invariant: no plain key ever comes here.

use holdpoint_check::args;
use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Ledger, LedgerError};
use crate::codes::SECRETS_FULL;
use crate::migrate::{set_setting, setting};
use crate::sql::{Row, Sql, SqlError, params};

/// The most secrets that an account may have.
const MOST_SECRETS: u64 = 64;
const CONFIG: &str = "config";

pub(super) const SECRETS: &[&str] =
    &["CREATE TABLE secret(id TEXT PRIMARY KEY, masked TEXT NOT NULL, sealed TEXT NOT NULL,
       updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID"];

/// A key as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecretRow {
    pub id: String,
    pub masked: String,
    /// In milliseconds since 1970, UTC.
    pub updated_at: Ms,
}

impl<S: Sql> Ledger<S> {
    /// The account's configuration as it was written.
    pub fn config(&self) -> Result<Option<String>, SqlError> {
        setting(&self.sql, CONFIG)
    }

    pub fn put_config(&self, now: Ms, actor: &str, text: &str, models: &[&str]) -> Result<(), SqlError> {
        self.transaction(|| {
            set_setting(&self.sql, CONFIG, text)?;
            self.audit(now, actor, "config.put", CONFIG, &json!({ "models": models }))
        })
    }

    /// The keys by name, masked.
    pub fn secrets(&self) -> Result<Vec<SecretRow>, SqlError> {
        let rows = self.sql.query("SELECT id, masked, updated_at FROM secret ORDER BY id", params![])?;
        rows.iter().map(read).collect()
    }

    /// A key as it is kept.
    pub fn sealed_secret(&self, id: &str) -> Result<Option<Sealed>, SqlError> {
        let row = self.sql.first("SELECT sealed FROM secret WHERE id = ?", params![id])?;
        let text: Option<String> = row.map(|row| row.get(0)).transpose()?;
        text.map(|text| serde_json::from_str(&text).map_err(|error| SqlError(error.to_string()))).transpose()
    }

    pub fn put_secret(
        &self,
        now: Ms,
        actor: &str,
        id: &str,
        masked: &str,
        sealed: &Sealed,
    ) -> Result<SecretRow, LedgerError> {
        self.transaction(|| {
            let others = self.sql.first("SELECT count(*) FROM secret WHERE id <> ?", params![id])?;
            if others.map_or(Ok(0), |row| row.get::<u64>(0))? >= MOST_SECRETS {
                let refusal = GatewayError::at(Code::InvalidRequest, "/id");
                return Err(refusal.says(&SECRETS_FULL, args! { most: MOST_SECRETS }).into());
            }
            self.sql.execute(
                "INSERT OR REPLACE INTO secret(id, masked, sealed, updated_at) VALUES(?, ?, ?, ?)",
                params![id, masked, json!(sealed).to_string(), now],
            )?;
            self.audit(now, actor, "secret.put", id, &json!({}))?;
            Ok(SecretRow { id: id.to_owned(), masked: masked.to_owned(), updated_at: now })
        })
    }

    /// A key that was sealed anew replaces only the one that it was made of.
    pub fn reseal_secret(&self, id: &str, before: &Sealed, after: &Sealed) -> Result<(), SqlError> {
        self.sql.execute(
            "UPDATE secret SET sealed = ? WHERE id = ? AND sealed = ?",
            params![json!(after).to_string(), id, json!(before).to_string()],
        )
    }

    /// `None`: there was none of that name.
    pub fn delete_secret(&self, now: Ms, actor: &str, id: &str) -> Result<Option<SecretRow>, SqlError> {
        self.transaction(|| {
            let row = self.sql.first("SELECT id, masked, updated_at FROM secret WHERE id = ?", params![id])?;
            let Some(row) = row.map(|row| read(&row)).transpose()? else { return Ok(None) };
            self.sql.execute("DELETE FROM secret WHERE id = ?", params![id])?;
            self.audit(now, actor, "secret.delete", id, &json!({}))?;
            Ok(Some(row))
        })
    }
}

fn read(row: &Row) -> Result<SecretRow, SqlError> {
    Ok(SecretRow { id: row.get(0)?, masked: row.get(1)?, updated_at: row.get(2)? })
}
