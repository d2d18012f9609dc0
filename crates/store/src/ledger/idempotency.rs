//! Calls that a client sends again with the same key: money is spent for one of them (spec: gateway.md §2).
//!
//! Owns which call had a key. Answers are not stored, so a call that is done is named and not given again. Invariants: a
//! key names one call, whatever its tries; a call that took nothing frees its key, so that a client may try again; keys
//! live for [`IDEMPOTENCY_TTL_MS`], and each new one takes old ones along.

use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde_json::json;

use super::{Ledger, LedgerError};
use crate::sql::{Sql, SqlError, params};

/// How long a key names its call.
const IDEMPOTENCY_TTL_MS: Ms = 86_400_000;
/// Old keys that a new one takes along.
const SWEPT: i64 = 16;
/// When to ask again about a call that runs.
const IN_PROGRESS_RETRY_MS: Ms = 1_000;

pub(super) const IDEMPOTENCY: &[&str] = &[
    "CREATE TABLE idempotency(key_id TEXT NOT NULL, idem TEXT NOT NULL, request_id TEXT NOT NULL,
       expires_ms INTEGER NOT NULL, PRIMARY KEY(key_id, idem)) STRICT, WITHOUT ROWID",
    "CREATE INDEX idempotency_request ON idempotency(request_id)",
    "CREATE INDEX idempotency_expires ON idempotency(expires_ms)",
];

/// The id of a call, which each of its tries begins with.
fn call_of(request_id: &str) -> &str {
    request_id.split('.').next().unwrap_or_default()
}

impl<S: Sql> Ledger<S> {
    /// Refuses a call whose key names another one: `IDEMPOTENCY_IN_PROGRESS` while that runs, `IDEMPOTENCY_REPLAYED`
    /// after it.
    pub(super) fn require_first(&self, now: Ms, key_id: &str, idem: &str, request_id: &str) -> Result<(), LedgerError> {
        let row = self.sql.first(
            "SELECT request_id FROM idempotency WHERE key_id = ? AND idem = ? AND expires_ms > ?",
            params![key_id, idem, now],
        )?;
        let Some(row) = row else { return Ok(()) };
        let first: String = row.get(0)?;
        if first == call_of(request_id) {
            return Ok(());
        }
        // `.` and `/` are neighbours, so the range is the call and its tries.
        let open = self.sql.first(
            "SELECT 1 FROM hold WHERE request_id >= ? AND request_id < ? LIMIT 1",
            params![&first, format!("{first}/")],
        )?;
        let refusal = match open {
            Some(_) => GatewayError::new(Code::IdempotencyInProgress)
                .with(json!({ "request_id": first, "retry_after_ms": IN_PROGRESS_RETRY_MS })),
            None => GatewayError::new(Code::IdempotencyReplayed).with(json!({ "request_id": first })),
        };
        Err(refusal.into())
    }

    /// Notes which call has a key.
    pub(super) fn keep_first(&self, now: Ms, key_id: &str, idem: &str, request_id: &str) -> Result<(), SqlError> {
        self.sql.execute(
            "DELETE FROM idempotency WHERE (key_id, idem) IN
             (SELECT key_id, idem FROM idempotency WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?)",
            params![now, SWEPT],
        )?;
        self.sql.execute(
            "INSERT OR REPLACE INTO idempotency(key_id, idem, request_id, expires_ms) VALUES(?, ?, ?, ?)",
            params![key_id, idem, call_of(request_id), now.saturating_add(IDEMPOTENCY_TTL_MS)],
        )
    }

    /// Frees the key of a call that took nothing.
    pub(super) fn forget_first(&self, request_id: &str) -> Result<(), SqlError> {
        let call = call_of(request_id);
        self.sql.execute(
            "DELETE FROM idempotency WHERE request_id = ?1 AND NOT EXISTS
             (SELECT 1 FROM ledger WHERE request_id >= ?1 AND request_id < ?2 AND outcome <> 'released')",
            params![call, format!("{call}/")],
        )
    }
}
