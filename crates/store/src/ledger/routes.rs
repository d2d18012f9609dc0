//! What an account learned of its providers: which ones broke, and who stays with a fallback (spec: gateway.md §7).
//!
//! Owns the rows; who decides keeps a [`Routes`] in memory and writes what changes. A probe is not kept: a life that ends
//! meanwhile is followed by one that tries anew.

use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::route::{Breaker, Routes};

use super::Ledger;
use crate::sql::{Sql, SqlError, params};

/// Old rows that a new one takes along.
const SWEPT: i64 = 16;
/// Users whose fallback is read at the beginning of a life.
const MOST_STICKY: i64 = 10_000;

pub(super) const FALLBACK: &[&str] = &["ALTER TABLE ledger ADD COLUMN fallback TEXT"];

pub(super) const ROUTES: &[&str] = &[
    "CREATE TABLE provider_state(provider TEXT PRIMARY KEY, failures TEXT NOT NULL, open_until INTEGER)
       STRICT, WITHOUT ROWID",
    "CREATE TABLE sticky(user_id TEXT NOT NULL, alias TEXT NOT NULL, provider TEXT NOT NULL, until_ms INTEGER NOT NULL,
       PRIMARY KEY(user_id, alias)) STRICT, WITHOUT ROWID",
    "CREATE INDEX sticky_until ON sticky(until_ms)",
];

impl<S: Sql> Ledger<S> {
    /// It counts the open calls of a provider.
    pub fn calls_of(&self, provider: &str) -> Result<u64, SqlError> {
        let row = self.sql.first("SELECT count(*) FROM hold WHERE meta ->> 'provider' = ?", params![provider])?;
        row.map_or(Ok(0), |row| row.get(0))
    }

    /// What was learned so far.
    pub fn routes(&self, now: Ms, breaker: Breaker) -> Result<Routes, SqlError> {
        let mut routes = Routes::new(breaker);
        for row in self.sql.query("SELECT provider, failures, open_until FROM provider_state", params![])? {
            let (provider, failures): (String, String) = (row.get(0)?, row.get(1)?);
            // Of a list that cannot be read nothing is known.
            routes.know(&provider, serde_json::from_str(&failures).unwrap_or_default(), row.get(2)?);
        }
        let sticky = self.sql.query(
            "SELECT user_id, alias, provider, until_ms FROM sticky WHERE until_ms > ? ORDER BY until_ms DESC LIMIT ?",
            params![now, MOST_STICKY],
        )?;
        for row in sticky {
            let (user, alias, provider): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            routes.stick(&user, &alias, &provider, row.get(3)?);
        }
        Ok(routes)
    }

    /// Keeps what is known of a provider now.
    pub fn keep_provider(&self, routes: &Routes, provider: &str) -> Result<(), SqlError> {
        let Some((failures, open_until)) = routes.kept(provider) else {
            return self.sql.execute("DELETE FROM provider_state WHERE provider = ?", params![provider]);
        };
        self.sql.execute(
            "INSERT OR REPLACE INTO provider_state(provider, failures, open_until) VALUES(?, ?, ?)",
            params![provider, serde_json::json!(failures).to_string(), open_until],
        )
    }

    /// Keeps that a user stays with a fallback until then.
    pub fn keep_sticky(&self, now: Ms, user: &str, alias: &str, provider: &str, until: Ms) -> Result<(), SqlError> {
        self.transaction(|| {
            self.sql.execute(
                "DELETE FROM sticky WHERE (user_id, alias) IN
                 (SELECT user_id, alias FROM sticky WHERE until_ms <= ? ORDER BY until_ms LIMIT ?)",
                params![now, SWEPT],
            )?;
            self.sql.execute(
                "INSERT OR REPLACE INTO sticky(user_id, alias, provider, until_ms) VALUES(?, ?, ?, ?)",
                params![user, alias, provider, until],
            )
        })
    }
}
