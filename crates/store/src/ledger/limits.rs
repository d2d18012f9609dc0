//! Limits of a scope beside its budgets: calls that are open at once, and their rate (spec: gateway.md §6 "GCRA").
//!
//! Owns their rows; the law asks for them at each admission, so all of them are remembered.

use std::collections::BTreeMap;
use std::rc::Rc;

use holdpoint_gateway::budget::{Ms, Rate, Rows as _, ScopeLimit, Stop};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::rows::SqlRows;
use super::switches::Stops;
use super::{Ledger, LedgerError};
use crate::sql::{Sql, SqlError, params};

pub(super) const LIMITS: &[&str] = &[
    "CREATE TABLE scope_limit(scope TEXT PRIMARY KEY, max_in_flight INTEGER, rate_count INTEGER, rate_per_ms INTEGER,
       rate_burst INTEGER, tat_us INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID",
];

/// What stands in the way of calls beside budgets, by scope.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    /// How many calls, and how fast.
    pub limits: BTreeMap<String, ScopeLimit>,
    /// Kill switches that are thrown.
    pub stops: Stops,
}

/// The body of `PUT /gateway/v1/limits/{scope}`. What is absent is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LimitAsk {
    /// Calls that may be open at once.
    #[serde(default)]
    pub max_in_flight: Option<u32>,
    /// How fast calls may come.
    #[serde(default)]
    pub rate: Option<Rate>,
}

/// The limits of a scope as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitRow {
    /// It is one of `key:…`, `user:…` or `account:…`.
    pub scope: String,
    /// Calls that may be open at once.
    pub max_in_flight: Option<u64>,
    /// How fast calls may come.
    pub rate: Option<Rate>,
    /// Calls that are open now.
    pub in_flight: u64,
}

impl<S: Sql> Ledger<S> {
    /// The limits of a scope; `None`: it has none.
    pub fn limit(&self, scope: &str) -> Result<Option<LimitRow>, SqlError> {
        let rows = self.sql_rows();
        let Some(ScopeLimit { max_in_flight, rate, .. }) = rows.limit(scope)? else { return Ok(None) };
        Ok(Some(LimitRow { scope: scope.to_owned(), max_in_flight, rate, in_flight: rows.in_flight(scope)? }))
    }

    /// Sets the limits of a scope. Running calls go on; a rate starts anew.
    pub fn put_limit(&self, now: Ms, actor: &str, scope: &str, ask: LimitAsk) -> Result<(), LedgerError> {
        self.transaction(|| {
            let (count, per_ms, burst) = match ask.rate {
                Some(Rate { count, per_ms, burst }) => (Some(count), Some(per_ms), burst),
                None => (None, None, None),
            };
            self.sql.execute(
                "INSERT OR REPLACE INTO scope_limit(scope, max_in_flight, rate_count, rate_per_ms, rate_burst, tat_us)
                 VALUES(?, ?, ?, ?, ?, 0)",
                params![scope, ask.max_in_flight, count, per_ms, burst],
            )?;
            self.audit(now, actor, "limit.put", scope, &json!(ask))?;
            self.memory.configured();
            Ok(())
        })
    }

    /// Removes the limits of a scope. `false`: it had none.
    pub fn delete_limit(&self, now: Ms, actor: &str, scope: &str) -> Result<bool, SqlError> {
        self.transaction(|| {
            if self.limit(scope)?.is_none() {
                return Ok(false);
            }
            self.sql.execute("DELETE FROM scope_limit WHERE scope = ?", params![scope])?;
            self.audit(now, actor, "limit.delete", scope, &json!({}))?;
            self.memory.configured();
            Ok(true)
        })
    }
}

impl<S: Sql> SqlRows<'_, S> {
    /// All limits and switches of the account.
    pub(super) fn limits(&self) -> Result<Rc<Limits>, SqlError> {
        if let Some(limits) = self.memory.limits() {
            return Ok(limits);
        }
        let rows = self.sql.query(
            "SELECT scope, max_in_flight, rate_count, rate_per_ms, rate_burst, tat_us, NULL, NULL FROM scope_limit
             UNION ALL SELECT scope, NULL, NULL, NULL, NULL, NULL, reason, at_ms FROM switch",
            params![],
        )?;
        let mut found = Limits::default();
        for row in rows {
            if let Some(reason) = row.get(6)? {
                found.stops.insert(row.get(0)?, Stop { reason, since: row.get(7)? });
                continue;
            }
            let rate = row.get::<Option<u32>>(2)?.zip(row.get::<Option<u32>>(3)?);
            let burst = row.get(4)?;
            let limit = ScopeLimit {
                max_in_flight: row.get(1)?,
                rate: rate.map(|(count, per_ms)| Rate { count, per_ms, burst }),
                tat_us: row.get(5)?,
            };
            found.limits.insert(row.get(0)?, limit);
        }
        let limits = Rc::new(found);
        self.memory.keep_limits(limits.clone());
        Ok(limits)
    }
}
