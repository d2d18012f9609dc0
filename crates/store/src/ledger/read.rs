//! What people see of a ledger: runs, budgets, the indicator, rows (spec: gateway.md §13).
//!
//! Owns the shapes of these answers. Reads only.

use holdpoint_check::args;
use holdpoint_gateway::budget::{Balance, Budget, Ms, Payer, Rows, Run, Scopes};
use holdpoint_gateway::indicator::{Indicator, Shown, indicator};
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde::Serialize;
use serde_json::json;

use super::keys::{Credential, Principal};
use super::rows::{read_budget, select_budget, state_name};
use super::{Ledger, LedgerError, sums};
use crate::codes::RUN;
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

/// Sorts behind every id of a request.
pub(super) const END: &str = "~";

/// A run as `/runs` answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "GatewayRun"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "GatewayRun"))]
pub struct RunView {
    pub id: String,
    pub state: &'static str,
    pub tokens: u64,
    pub cost: u64,
    pub spent_tokens: u64,
    pub spent_cost: u64,
    pub left_tokens: u64,
    pub left_cost: u64,
    pub returned_tokens: u64,
    pub returned_cost: u64,
    pub in_flight: u64,
    pub deadline: Ms,
}

impl RunView {
    pub(super) fn new(run: &Run, in_flight: u64) -> Self {
        let (left, returned) = (run.left(), run.returned());
        Self {
            id: run.id.clone(),
            state: state_name(run.state),
            tokens: run.amount.tokens,
            cost: run.amount.cost,
            spent_tokens: run.spent.tokens,
            spent_cost: run.spent.cost,
            left_tokens: left.tokens,
            left_cost: left.cost,
            returned_tokens: returned.tokens,
            returned_cost: returned.cost,
            in_flight,
            deadline: run.deadline_ms,
        }
    }
}

/// A ledger row as `/ledger` answers it: metadata, no content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LedgerItem {
    pub request_id: String,
    pub at: Ms,
    pub closed_at: Ms,
    pub key_id: String,
    pub user_id: String,
    pub run_id: Option<String>,
    pub payer: String,
    pub protocol: String,
    pub alias: String,
    pub provider: String,
    pub model: String,
    pub price_version: Option<u64>,
    pub outcome: String,
    pub usage_source: String,
    pub disconnect_policy: Option<String>,
    pub input: u64,
    pub cached_input: u64,
    pub cache_write: u64,
    pub output: u64,
    pub reasoning: u64,
    pub tokens: u64,
    /// Null where a user's own model has no price.
    pub cost: Option<u64>,
    pub excess_tokens: u64,
    pub excess_cost: u64,
    pub held_tokens: u64,
    pub held_cost: u64,
    pub finish: Option<String>,
    pub status: u32,
    pub attempts: u32,
    pub stream: bool,
    pub input_bytes: u64,
    pub output_bytes: u64,
    pub ttfb_ms: Option<u64>,
    pub total_ms: u64,
    pub tag: Option<String>,
    pub template: Option<String>,
    /// Why the first candidate was not asked, as `breaker_open`.
    pub fallback: Option<String>,
}

impl<S: Sql> Ledger<S> {
    /// The budgets by id with their present windows.
    pub fn standings(&self, now: Ms, cursor: &str, limit: u32) -> Result<Page<Shown>, SqlError> {
        let rows = self.sql.query(&select_budget("WHERE id > ? ORDER BY id LIMIT ?"), params![cursor, limit + 1])?;
        let mut items = Vec::new();
        for row in rows.iter().take(limit as usize) {
            items.push(self.standing_of(now, read_budget(row)?)?);
        }
        let next_cursor = (rows.len() > limit as usize).then(|| items.last().map(|b| b.id.clone())).flatten();
        Ok(Page { items, next_cursor })
    }

    /// One budget with its present window.
    pub fn standing(&self, now: Ms, id: &str) -> Result<Option<Shown>, SqlError> {
        self.budget(id)?.map(|budget| self.standing_of(now, budget)).transpose()
    }

    /// The budgets that a principal's calls on the platform's money count against, narrowest scope first.
    pub fn balances(&self, now: Ms, principal: &Principal) -> Result<Vec<Balance>, SqlError> {
        let scopes: Scopes = self.scopes(principal);
        self.law(now, |law| law.balances(now, &scopes, Payer::Platform))
    }

    /// What the page's indicator shows. `refused`: the last call was refused for budget.
    pub fn indicator(&self, now: Ms, credential: &Credential, refused: bool) -> Result<Indicator, LedgerError> {
        self.fire_due(now)?;
        let principal = self.verify(now, credential)?;
        principal.require("usage")?;
        let balances = self.balances(now, &principal)?;
        let (today, estimated) = sums::today(&self.sql, now, &principal.user_id)?;
        let run = self.latest_run(&principal)?.map(|run| json!(run));
        Ok(indicator(&balances, refused, today, run, estimated))
    }

    /// The rows, newest first: ids of requests rise with time. `cursor` is the last id of the page before.
    pub fn rows(&self, cursor: Option<&str>, limit: u32) -> Result<Page<LedgerItem>, SqlError> {
        let rows = self.sql.query(
            &format!("{SELECT_ITEM} WHERE request_id < ? ORDER BY request_id DESC LIMIT ?"),
            params![cursor.unwrap_or(END), limit + 1],
        )?;
        page(&rows, limit, read_item, |item| &item.request_id)
    }

    pub(super) fn own_run(&self, principal: &Principal, id: &str) -> Result<RunView, LedgerError> {
        let rows = self.sql_rows();
        match rows.run(id)?.filter(|run| run.key_id == principal.key_id) {
            Some(run) => Ok(RunView::new(&run, rows.run_in_flight(id)?)),
            None => Err(GatewayError::new(Code::NotFound).says(&RUN, args! {}).into()),
        }
    }

    pub(super) fn budget(&self, id: &str) -> Result<Option<Budget>, SqlError> {
        let row = self.sql.first(&select_budget("WHERE id = ?"), params![id])?;
        row.map(|row| read_budget(&row)).transpose()
    }

    fn standing_of(&self, now: Ms, budget: Budget) -> Result<Shown, SqlError> {
        let rows = self.sql_rows();
        let window = rows.window(&budget.window_id(), budget.period.start(now))?;
        Ok(Shown::from(&Balance::at(now, budget, window)))
    }

    fn latest_run(&self, principal: &Principal) -> Result<Option<RunView>, LedgerError> {
        let row = self.sql.first(
            "SELECT id FROM run WHERE key_id = ? AND state <> 'closed' ORDER BY rowid DESC LIMIT 1",
            params![&principal.key_id],
        )?;
        row.map(|row| self.own_run(principal, &row.get::<String>(0)?)).transpose()
    }
}

pub(super) const SELECT_ITEM: &str = "SELECT request_id, at_ms, closed_ms, key_id, user_id, run_id, payer, protocol, alias, provider,
 model, price_version, outcome, usage_source, disconnect_policy, input, cached_input, cache_write, output, reasoning, tokens,
 cost, excess_tokens, excess_cost, held_tokens, held_cost, finish, status, attempts, stream, input_bytes, output_bytes,
 ttfb_ms, total_ms, tag, template, fallback FROM ledger";

pub(super) fn read_item(row: &Row) -> Result<LedgerItem, SqlError> {
    let payer: String = row.get(6)?;
    let price_version: Option<u64> = row.get(11)?;
    let unknown = price_version.is_none();
    let cost: u64 = row.get(21)?;
    Ok(LedgerItem {
        request_id: row.get(0)?,
        at: row.get(1)?,
        closed_at: row.get(2)?,
        key_id: row.get(3)?,
        user_id: row.get(4)?,
        run_id: row.get(5)?,
        payer,
        protocol: row.get(7)?,
        alias: row.get(8)?,
        provider: row.get(9)?,
        model: row.get(10)?,
        price_version,
        outcome: row.get(12)?,
        usage_source: row.get(13)?,
        disconnect_policy: row.get(14)?,
        input: row.get(15)?,
        cached_input: row.get(16)?,
        cache_write: row.get(17)?,
        output: row.get(18)?,
        reasoning: row.get(19)?,
        tokens: row.get(20)?,
        cost: (!unknown).then_some(cost),
        excess_tokens: row.get(22)?,
        excess_cost: row.get(23)?,
        held_tokens: row.get(24)?,
        held_cost: row.get(25)?,
        finish: row.get(26)?,
        status: row.get(27)?,
        attempts: row.get(28)?,
        stream: row.get(29)?,
        input_bytes: row.get(30)?,
        output_bytes: row.get(31)?,
        ttfb_ms: row.get(32)?,
        total_ms: row.get(33)?,
        tag: row.get(34)?,
        template: row.get(35)?,
        fallback: row.get(36)?,
    })
}
