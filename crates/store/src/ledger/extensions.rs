//! Temporary extensions of budgets: a person asks, an administrator grants, denies or ends (spec: gateway.md §13).
//!
//! Owns their rows and their states: asked → granted → ended, or asked → denied. A running grant is read with its budget
//! and is a part of its limit. Invariant: what was used under a grant stays used, also when the grant ends.

use holdpoint_check::args;
use holdpoint_gateway::budget::{Grant, Ms};
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{Ledger, LedgerError, Principal};
use crate::codes::{ASKED_ENOUGH, BUDGET, DECIDED, GRANTED_ENOUGH, NO_ASK};
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

pub(super) const EXTENSIONS: &[&str] = &[
    "CREATE TABLE budget_extension(id TEXT PRIMARY KEY, budget_id TEXT NOT NULL, generation INTEGER NOT NULL,
       user_id TEXT NOT NULL, asked INTEGER NOT NULL CHECK(asked>0), reason TEXT NOT NULL,
       state TEXT NOT NULL CHECK(state IN('asked','granted','denied','ended')), amount INTEGER, until_ms INTEGER,
       asked_ms INTEGER NOT NULL, decided_ms INTEGER, decided_by TEXT) STRICT, WITHOUT ROWID",
    "CREATE INDEX budget_extension_budget ON budget_extension(budget_id, state)",
    "CREATE INDEX budget_extension_user ON budget_extension(user_id, id)",
];

/// The longest time for which a budget is extended.
pub const EXTENSION_MOST_MS: Ms = 31 * 86_400_000;
/// Requests of one user that wait for an answer.
const MOST_ASKED: u64 = 16;
/// Grants of one budget that run.
const MOST_GRANTED: u64 = 16;
const END: &str = "~";

/// How a request for an extension stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExtensionState {
    Asked,
    /// It counts until its time is over.
    Granted,
    Denied,
    Ended,
}

impl ExtensionState {
    fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Granted => "granted",
            Self::Denied => "denied",
            Self::Ended => "ended",
        }
    }
}

/// A request for an extension, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExtensionRow {
    pub id: String,
    pub budget: String,
    pub user_id: String,
    /// How much more they asked for, in the budget's unit.
    pub asked: u64,
    pub reason: String,
    pub state: ExtensionState,
    pub amount: Option<u64>,
    /// Until when; milliseconds since 1970.
    pub until: Option<Ms>,
    pub asked_at: Ms,
    /// When it was last decided on.
    pub decided_at: Option<Ms>,
    pub decided_by: Option<String>,
}

/// What an administrator says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// So much more until then.
    Grant {
        /// In the budget's unit, 1 or more.
        amount: u64,
        /// Later than now, at most [`EXTENSION_MOST_MS`].
        until: Ms,
    },
    Deny,
    /// What was granted counts no more.
    End,
}

impl Decision {
    fn action(self) -> &'static str {
        match self {
            Self::Grant { .. } => "extension.grant",
            Self::Deny => "extension.deny",
            Self::End => "extension.end",
        }
    }

    fn to(self) -> ExtensionState {
        match self {
            Self::Grant { .. } => ExtensionState::Granted,
            Self::Deny => ExtensionState::Denied,
            Self::End => ExtensionState::Ended,
        }
    }

    /// From which state it leads on.
    fn from(self) -> ExtensionState {
        match self {
            Self::Grant { .. } | Self::Deny => ExtensionState::Asked,
            Self::End => ExtensionState::Granted,
        }
    }

    fn detail(self) -> Json {
        match self {
            Self::Grant { amount, until } => json!({ "amount": amount, "until": until }),
            Self::Deny | Self::End => json!({}),
        }
    }
}

impl<S: Sql> Ledger<S> {
    /// Asks for more of a budget that counts this principal's calls; any other is not there.
    pub fn ask_extension(
        &self,
        now: Ms,
        principal: &Principal,
        id: &str,
        budget: &str,
        amount: u64,
        reason: &str,
    ) -> Result<ExtensionRow, LedgerError> {
        self.transaction(|| {
            let own = self.budget(budget)?.filter(|found| self.scopes(principal).iter().any(|own| own == found.scope));
            let Some(own) = own else { return Err(GatewayError::new(Code::NotFound).says(&BUDGET, args! {}).into()) };
            let waiting = self.count("user_id = ? AND state = 'asked'", &principal.user_id)?;
            if waiting >= MOST_ASKED {
                let refusal = GatewayError::at(Code::InvalidRequest, "");
                return Err(refusal.says(&ASKED_ENOUGH, args! { most: MOST_ASKED }).into());
            }
            self.sql.execute(
                "INSERT INTO budget_extension(id, budget_id, generation, user_id, asked, reason, state, asked_ms)
                 VALUES(?, ?, ?, ?, ?, ?, 'asked', ?)",
                params![id, budget, own.generation, &principal.user_id, amount, reason, now],
            )?;
            let detail = json!({ "id": id, "amount": amount, "reason": reason });
            self.audit(now, &principal.actor(), "extension.ask", budget, &detail)?;
            self.extension(now, budget, id)
        })
    }

    /// Grants, denies or ends. The same answer twice is one; another than the first is a conflict.
    pub fn decide_extension(
        &self,
        now: Ms,
        actor: &str,
        budget: &str,
        id: &str,
        decision: Decision,
    ) -> Result<ExtensionRow, LedgerError> {
        self.transaction(|| {
            let before = self.extension(now, budget, id)?;
            if before.state == decision.to() && is_same(&before, decision) {
                return Ok(before);
            }
            if before.state != decision.from() {
                return Err(decided(&before));
            }
            let (amount, until) = match decision {
                Decision::Grant { amount, until } => (Some(amount), Some(until)),
                Decision::Deny => (None, None),
                Decision::End => (before.amount, Some(now)),
            };
            if matches!(decision, Decision::Grant { .. }) {
                self.make_room(now, budget)?;
            }
            self.sql.execute(
                "UPDATE budget_extension SET state = ?, amount = ?, until_ms = ?, decided_ms = ?, decided_by = ?
                 WHERE id = ?",
                params![decision.to().name(), amount, until, now, actor, id],
            )?;
            let mut detail = decision.detail();
            detail["id"] = id.into();
            self.audit(now, actor, decision.action(), budget, &detail)?;
            self.memory.configured();
            self.extension(now, budget, id)
        })
    }

    /// Requests, newest first: of one user, or of all. `cursor` is the last id of the page before.
    pub fn extensions(
        &self,
        now: Ms,
        user: Option<&str>,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<ExtensionRow>, SqlError> {
        let (before, most) = (cursor.unwrap_or(END), limit + 1);
        let rows = match user {
            Some(user) => self.sql.query(
                &format!("{SELECT} WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?"),
                params![user, before, most],
            ),
            None => self.sql.query(&format!("{SELECT} WHERE id < ? ORDER BY id DESC LIMIT ?"), params![before, most]),
        }?;
        page(&rows, limit, |row| read(now, row), |item| &item.id)
    }

    fn extension(&self, now: Ms, budget: &str, id: &str) -> Result<ExtensionRow, LedgerError> {
        let row = self.sql.first(&format!("{SELECT} WHERE id = ? AND budget_id = ?"), params![id, budget])?;
        match row {
            Some(row) => Ok(read(now, &row)?),
            None => Err(GatewayError::new(Code::NotFound).says(&NO_ASK, args! {}).into()),
        }
    }

    /// What ran out is ended, so that a budget is read with few grants; refuses when as many run as may.
    fn make_room(&self, now: Ms, budget: &str) -> Result<(), LedgerError> {
        self.sql.execute(
            "UPDATE budget_extension SET state = 'ended' WHERE budget_id = ? AND state = 'granted' AND until_ms <= ?",
            params![budget, now],
        )?;
        if self.count("budget_id = ? AND state = 'granted'", budget)? >= MOST_GRANTED {
            let refusal = GatewayError::at(Code::InvalidRequest, "");
            return Err(refusal.says(&GRANTED_ENOUGH, args! { most: MOST_GRANTED }).into());
        }
        Ok(())
    }

    fn count(&self, which: &str, of: &str) -> Result<u64, SqlError> {
        let row = self.sql.first(&format!("SELECT count(*) FROM budget_extension WHERE {which}"), params![of])?;
        row.map_or(Ok(0), |row| row.get(0))
    }
}

fn is_same(before: &ExtensionRow, decision: Decision) -> bool {
    match decision {
        Decision::Grant { amount, until } => (before.amount, before.until) == (Some(amount), Some(until)),
        Decision::Deny | Decision::End => true,
    }
}

fn decided(before: &ExtensionRow) -> LedgerError {
    let state = before.state.name();
    holdpoint_check::ApiError::of(&DECIDED, args! { state }).status(409).with("state", state).into()
}

/// The grants of a budget, as a column of its row: `amount:until amount:until …`.
pub(super) const GRANTS: &str = "(SELECT group_concat(amount || ':' || until_ms, ' ') FROM budget_extension e
   WHERE e.budget_id = budget.id AND e.generation = budget.generation AND e.state = 'granted')";

pub(super) fn read_grants(text: Option<&str>) -> Result<Vec<Grant>, SqlError> {
    let read = |word: &str| {
        let (amount, until) = word.split_once(':')?;
        Some(Grant { amount: amount.parse().ok()?, until: until.parse().ok()? })
    };
    let words = text.unwrap_or_default().split_whitespace();
    words.map(|word| read(word).ok_or_else(|| SqlError("a grant has no amount and time".to_owned()))).collect()
}

const SELECT: &str = "SELECT id, budget_id, user_id, asked, reason, state, amount, until_ms, asked_ms, decided_ms,
 decided_by FROM budget_extension";

/// A request as it stands at `now`: a grant whose time is over has ended.
fn read(now: Ms, row: &Row) -> Result<ExtensionRow, SqlError> {
    let until: Option<Ms> = row.get(7)?;
    let state = match row.get::<String>(5)?.as_str() {
        "asked" => ExtensionState::Asked,
        "denied" => ExtensionState::Denied,
        "granted" if until.is_some_and(|until| now < until) => ExtensionState::Granted,
        _ => ExtensionState::Ended,
    };
    Ok(ExtensionRow {
        id: row.get(0)?,
        budget: row.get(1)?,
        user_id: row.get(2)?,
        asked: row.get(3)?,
        reason: row.get(4)?,
        state,
        amount: row.get(6)?,
        until,
        asked_at: row.get(8)?,
        decided_at: row.get(9)?,
        decided_by: row.get(10)?,
    })
}
