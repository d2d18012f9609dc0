//! The law's rows in SQL.
//!
//! Owns the mapping between `holdpoint_gateway`'s shapes and the tables; adds no rule. All calls of one law method run
//! in one transaction of [`super::Ledger`].

use std::rc::Rc;

use holdpoint_gateway::budget::{
    Amount, Budget, Charge, Hold, LedgerRow, Ms, Payer, Payers, Period, RowKind, Rows, Run, RunState, ScopeLimit,
    Scopes, Stop, Unit, Window, WindowRef,
};
use serde::de::DeserializeOwned;

use super::extensions::{GRANTS, read_grants};
use super::facts::{CallFacts, Report};
use super::memory::Memory;
use super::runs::RUN_DUE;
use super::sums;
use crate::sql::{Row, Sql, SqlError, Value, params};

/// Values that one statement may carry (limits of a Durable Object's SQL storage).
pub const MAX_PARAMETERS: usize = 100;

/// Every row of one account.
pub(super) struct SqlRows<'a, S> {
    pub sql: &'a S,
    pub account: &'a str,
    pub memory: &'a Memory,
    /// When windows are changed by what is written now.
    pub changed_ms: Ms,
}

impl<S: Sql> Rows for SqlRows<'_, S> {
    type Error = SqlError;

    fn budgets(&self, scopes: &Scopes, payer: Payer) -> Result<Vec<Budget>, SqlError> {
        let mut budgets = Vec::new();
        for scope in scopes.iter() {
            let of_scope = self.budgets_of(scope)?;
            budgets.extend(of_scope.iter().filter(|budget| budget.payer.covers(payer)).cloned());
        }
        Ok(budgets)
    }

    fn window(&self, budget: &str, start_ms: Ms) -> Result<Window, SqlError> {
        let place = (budget.to_owned(), start_ms);
        if let Some(window) = self.memory.window(&place) {
            return Ok(window);
        }
        let row = self.sql.first(
            "SELECT spent, held, overrun FROM budget_window WHERE budget_id = ? AND start_ms = ?",
            params![budget, start_ms],
        )?;
        let window = match row {
            Some(row) => Window { spent: row.get(0)?, held: row.get(1)?, overrun: row.get(2)? },
            None => Window::default(),
        };
        self.memory.keep_window(place, window);
        Ok(window)
    }

    fn put_window(&mut self, budget: &str, start_ms: Ms, window: &Window) -> Result<(), SqlError> {
        self.memory.change_window((budget.to_owned(), start_ms), *window);
        Ok(())
    }

    fn known(&self, request_id: &str) -> Result<Option<(Amount, Amount)>, SqlError> {
        let row = self.sql.first(
            "SELECT tokens, cost, meta ->> '$.asked.tokens', meta ->> '$.asked.cost' FROM hold WHERE request_id = ?1
             UNION ALL SELECT held_tokens, held_cost, NULL, NULL FROM ledger WHERE request_id = ?1",
            params![request_id],
        )?;
        let Some(row) = row else { return Ok(None) };
        let held = Amount { tokens: row.get(0)?, cost: row.get(1)? };
        let asked: (Option<u64>, Option<u64>) = (row.get(2)?, row.get(3)?);
        let asked = asked.0.zip(asked.1).map_or(held, |(tokens, cost)| Amount { tokens, cost });
        Ok(Some((asked, held)))
    }

    fn hold(&self, request_id: &str) -> Result<Option<Hold>, SqlError> {
        let row = self.sql.first(
            "SELECT request_id, key_id, user_id, run_id, tokens, cost, progress_tokens, progress_cost, windows, owner,
             at_ms, deadline_ms, meta, payer FROM hold WHERE request_id = ?",
            params![request_id],
        )?;
        let Some(row) = row else { return Ok(None) };
        let (key_id, user): (String, String) = (row.get(1)?, row.get(2)?);
        let amount = Amount { tokens: row.get(4)?, cost: row.get(5)? };
        let progress: (Option<u64>, Option<u64>) = (row.get(6)?, row.get(7)?);
        Ok(Some(Hold {
            request_id: row.get(0)?,
            scopes: Scopes::new(&key_id, &user, self.account),
            key_id,
            run_id: row.get(3)?,
            payer: word::<Payer>(&row, 13)?,
            asked: amount,
            amount,
            progress: progress.0.zip(progress.1).map(|(tokens, cost)| Amount { tokens, cost }),
            windows: read_json(&row, 8)?,
            owner: row.get::<String>(9)?.as_str().into(),
            at_ms: row.get(10)?,
            deadline_ms: row.get(11)?,
            meta: row.get(12)?,
        }))
    }

    fn put_hold(&mut self, hold: &Hold) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO hold(request_id, key_id, user_id, run_id, payer, tokens, cost, progress_tokens, progress_cost,
             windows, owner, at_ms, deadline_ms, meta) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET tokens = excluded.tokens, cost = excluded.cost,
             progress_tokens = excluded.progress_tokens, progress_cost = excluded.progress_cost",
            params![
                &hold.request_id,
                &hold.key_id,
                user_of(&hold.scopes),
                hold.run_id.as_ref(),
                hold.payer.name(),
                hold.amount.tokens,
                hold.amount.cost,
                hold.progress.map(|used| used.tokens),
                hold.progress.map(|used| used.cost),
                write_json(&hold.windows),
                hold.owner.to_string(),
                hold.at_ms,
                hold.deadline_ms,
                &hold.meta
            ],
        )?;
        self.memory.due_at(hold.deadline_ms);
        Ok(())
    }

    fn remove_hold(&mut self, request_id: &str) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM hold WHERE request_id = ?", params![request_id])
    }

    fn due_holds(&self, now: Ms) -> Result<Vec<String>, SqlError> {
        self.ids("SELECT request_id FROM hold WHERE deadline_ms <= ? ORDER BY deadline_ms, request_id", now)
    }

    fn orphans(&self, shard: &str, boot: u64) -> Result<Vec<String>, SqlError> {
        // `#` and `$` are neighbours, so the range is every owner that begins with `shard#`.
        let rows = self.sql.query(
            "SELECT request_id FROM hold WHERE owner >= ? AND owner < ?
             AND CAST(substr(owner, instr(owner, '#') + 1) AS INTEGER) < ? ORDER BY request_id",
            params![format!("{shard}#"), format!("{shard}$"), boot],
        )?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    fn run_in_flight(&self, run_id: &str) -> Result<u64, SqlError> {
        let row = self.sql.first("SELECT count(*) FROM hold WHERE run_id = ?", params![run_id])?;
        row.map_or(Ok(0), |row| row.get(0))
    }

    fn row(&self, request_id: &str) -> Result<Option<LedgerRow>, SqlError> {
        let row = self.sql.first(
            "SELECT key_id, user_id, run_id, outcome, tokens, cost, excess_tokens, excess_cost, held_tokens, held_cost,
             at_ms, closed_ms, protocol, alias, provider, model, price_version, stream, input_bytes, tag, template, payer,
             fallback FROM ledger WHERE request_id = ?",
            params![request_id],
        )?;
        let Some(row) = row else { return Ok(None) };
        let (key_id, user): (String, String) = (row.get(0)?, row.get(1)?);
        let kind = match row.get::<String>(3)?.as_str() {
            "released" => RowKind::Released,
            "expired" => RowKind::Expired,
            "corrected" => RowKind::Corrected,
            _ => RowKind::Settled,
        };
        let held = Amount { tokens: row.get(8)?, cost: row.get(9)? };
        let facts = CallFacts {
            protocol: row.get(12)?,
            alias: row.get(13)?,
            provider: row.get(14)?,
            model: row.get(15)?,
            price_version: row.get(16)?,
            stream: row.get(17)?,
            input_bytes: row.get(18)?,
            tag: row.get(19)?,
            template: row.get(20)?,
            fallback: row.get(22)?,
            asked: None,
        };
        Ok(Some(LedgerRow {
            request_id: request_id.to_owned(),
            scopes: Scopes::new(&key_id, &user, self.account),
            key_id,
            run_id: row.get(2)?,
            payer: word::<Payer>(&row, 21)?,
            kind,
            amount: Amount { tokens: row.get(4)?, cost: row.get(5)? },
            excess: Amount { tokens: row.get(6)?, cost: row.get(7)? },
            asked: held,
            held,
            requests: u64::from(kind != RowKind::Released),
            at_ms: row.get(10)?,
            closed_ms: row.get(11)?,
            charges: self.charges(request_id)?,
            meta: write_json(&facts),
            report: None,
        }))
    }

    fn put_row(&mut self, row: &LedgerRow) -> Result<(), SqlError> {
        if row.kind == RowKind::Corrected {
            sums::take(self.sql, &row.request_id)?;
        }
        let facts: CallFacts = parse(if row.meta.is_empty() { "{}" } else { &row.meta })?;
        let is_tagged = facts.tag.is_some();
        let report: Report = parse(row.report.as_deref().unwrap_or("{}"))?;
        let outcome = match row.kind {
            RowKind::Settled => report.outcome.as_str(),
            RowKind::Released => "released",
            RowKind::Expired => "expired",
            RowKind::Corrected => "corrected",
        };
        let usage_source = match row.kind {
            RowKind::Released => "none",
            // Without a last word the progress that was charged is an estimate.
            RowKind::Expired if row.amount == row.held => "hold",
            RowKind::Expired => "estimated",
            RowKind::Settled | RowKind::Corrected => report.usage_source.as_str(),
        };
        self.sql.execute(
            "INSERT OR REPLACE INTO ledger(request_id, at_ms, closed_ms, key_id, user_id, run_id, payer, protocol, alias,
             provider, model, price_version, outcome, usage_source, disconnect_policy, input, cached_input, cache_write,
             output, reasoning, tokens, cost, excess_tokens, excess_cost, held_tokens, held_cost, finish, status, attempts,
             stream, input_bytes, output_bytes, ttfb_ms, total_ms, tag, template,
             fallback) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                &row.request_id,
                row.at_ms,
                row.closed_ms,
                &row.key_id,
                user_of(&row.scopes),
                row.run_id.as_ref(),
                row.payer.name(),
                facts.protocol,
                facts.alias,
                facts.provider,
                facts.model,
                facts.price_version,
                outcome,
                usage_source,
                report.disconnect_policy,
                report.input,
                report.cached_input,
                report.cache_write,
                report.output,
                report.reasoning,
                row.amount.tokens,
                row.amount.cost,
                row.excess.tokens,
                row.excess.cost,
                row.held.tokens,
                row.held.cost,
                report.finish,
                u32::from(report.status),
                report.attempts,
                facts.stream,
                facts.input_bytes,
                report.output_bytes,
                report.ttfb_ms,
                // A clock may step back, a duration never.
                row.closed_ms.saturating_sub(row.at_ms).max(0),
                facts.tag,
                facts.template,
                facts.fallback
            ],
        )?;
        self.put_charges(&row.request_id, &row.charges)?;
        sums::add(self.sql, &row.request_id, is_tagged)
    }

    fn run(&self, id: &str) -> Result<Option<Run>, SqlError> {
        let row = self.sql.first(
            "SELECT id, key_id, tokens, cost, child_tokens, child_cost, spent_tokens, spent_cost, state, windows, deadline_ms,
             touched_ms, idle_ms, closed_ms FROM run WHERE id = ?",
            params![id],
        )?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Run {
            id: row.get(0)?,
            key_id: row.get(1)?,
            amount: Amount { tokens: row.get(2)?, cost: row.get(3)? },
            child: Amount { tokens: row.get(4)?, cost: row.get(5)? },
            spent: Amount { tokens: row.get(6)?, cost: row.get(7)? },
            state: word(&row, 8)?,
            windows: read_json(&row, 9)?,
            deadline_ms: row.get(10)?,
            touched_ms: row.get(11)?,
            idle_ms: row.get(12)?,
            closed_ms: row.get(13)?,
        }))
    }

    fn put_run(&mut self, run: &Run) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT OR REPLACE INTO run(id, key_id, tokens, cost, child_tokens, child_cost, spent_tokens, spent_cost, state,
             windows, deadline_ms, touched_ms, idle_ms, closed_ms) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                &run.id,
                &run.key_id,
                run.amount.tokens,
                run.amount.cost,
                run.child.tokens,
                run.child.cost,
                run.spent.tokens,
                run.spent.cost,
                state_name(run.state),
                write_json(&run.windows),
                run.deadline_ms,
                run.touched_ms,
                run.idle_ms,
                run.closed_ms
            ],
        )?;
        match (run.state, run.closed_ms) {
            (RunState::Open, _) => self.memory.due_at(run.deadline_ms.min(run.idle_at())),
            (_, Some(closed_ms)) => self.memory.run_closed(closed_ms),
            _ => {}
        }
        Ok(())
    }

    fn limit(&self, scope: &str) -> Result<Option<ScopeLimit>, SqlError> {
        Ok(self.limits()?.limits.get(scope).copied())
    }

    fn stop(&self, scope: &str) -> Result<Option<Stop>, SqlError> {
        Ok(self.limits()?.stops.get(scope).cloned())
    }

    fn in_flight(&self, scope: &str) -> Result<u64, SqlError> {
        let row = match scope.split_once(':') {
            Some(("key", id)) => self.sql.first("SELECT count(*) FROM hold WHERE key_id = ?", params![id])?,
            Some(("user", id)) => self.sql.first("SELECT count(*) FROM hold WHERE user_id = ?", params![id])?,
            _ => self.sql.first("SELECT count(*) FROM hold", params![])?,
        };
        row.map_or(Ok(0), |row| row.get(0))
    }

    fn put_arrival(&mut self, scope: &str, tat_us: i64) -> Result<(), SqlError> {
        self.sql.execute("UPDATE scope_limit SET tat_us = ? WHERE scope = ?", params![tat_us, scope])?;
        self.memory.arrives(scope, tat_us);
        Ok(())
    }

    fn due_runs(&self, now: Ms) -> Result<Vec<String>, SqlError> {
        let due = format!("SELECT id FROM run WHERE state = 'open' AND {RUN_DUE} <= ? ORDER BY id");
        self.ids(&due, now)
    }

    fn open_runs(&self, key_id: &str) -> Result<u64, SqlError> {
        self.count_open_runs(key_id)
    }

    fn held_by_runs(&self, place: &WindowRef) -> Result<u64, SqlError> {
        self.sum_of_runs(place)
    }
}

impl<S: Sql> SqlRows<'_, S> {
    /// Writes the windows that changed, in one statement.
    pub fn flush(&self) -> Result<(), SqlError> {
        let rows: Vec<[Value; 6]> = self
            .memory
            .take_changed()
            .into_iter()
            .map(|((budget, start), window)| {
                let Window { spent, held, overrun } = window;
                [budget.into(), start.into(), spent.into(), held.into(), overrun.into(), self.changed_ms.into()]
            })
            .collect();
        self.put_rows(
            "INSERT INTO budget_window(budget_id, start_ms, spent, held, overrun, changed_ms) VALUES",
            &rows,
            "ON CONFLICT DO UPDATE SET spent = excluded.spent, held = excluded.held, overrun = excluded.overrun,
             changed_ms = excluded.changed_ms",
        )
    }

    /// Writes rows with as few statements as their values allow; none without rows.
    fn put_rows<const WIDTH: usize>(
        &self,
        insert: &str,
        rows: &[[Value; WIDTH]],
        otherwise: &str,
    ) -> Result<(), SqlError> {
        rows.chunks(MAX_PARAMETERS / WIDTH).try_for_each(|rows| {
            let sql = format!("{insert} {} {otherwise}", places(rows.len(), WIDTH));
            self.sql.execute(&sql, rows.as_flattened())
        })
    }

    /// The budgets of a scope, as configured.
    fn budgets_of(&self, scope: &str) -> Result<Rc<[Budget]>, SqlError> {
        if let Some(budgets) = self.memory.budgets(scope) {
            return Ok(budgets);
        }
        let rows = self.sql.query(&select_budget("WHERE scope = ? ORDER BY rowid"), params![scope])?;
        let budgets: Rc<[Budget]> = rows.iter().map(read_budget).collect::<Result<_, _>>()?;
        self.memory.keep_budgets(scope, budgets.clone());
        Ok(budgets)
    }

    fn put_charges(&self, request_id: &str, charges: &[Charge]) -> Result<(), SqlError> {
        let rows: Vec<[Value; 6]> = charges
            .iter()
            .map(|Charge { window, amount, excess }| {
                [
                    request_id.into(),
                    Value::from(&window.budget),
                    window.unit.name().into(),
                    window.start_ms.into(),
                    (*amount).into(),
                    (*excess).into(),
                ]
            })
            .collect();
        self.put_rows(
            "INSERT OR REPLACE INTO ledger_charge(request_id, budget_id, unit, start_ms, amount, excess) VALUES",
            &rows,
            "",
        )
    }

    fn ids(&self, sql: &str, now: Ms) -> Result<Vec<String>, SqlError> {
        self.sql.query(sql, params![now])?.iter().map(|row| row.get(0)).collect()
    }

    fn charges(&self, request_id: &str) -> Result<Vec<Charge>, SqlError> {
        let rows = self.sql.query(
            "SELECT budget_id, unit, start_ms, amount, excess FROM ledger_charge WHERE request_id = ? ORDER BY budget_id",
            params![request_id],
        )?;
        rows.iter()
            .map(|row| {
                let window = WindowRef { budget: row.get(0)?, unit: word::<Unit>(row, 1)?, start_ms: row.get(2)? };
                Ok(Charge { window, amount: row.get(3)?, excess: row.get(4)? })
            })
            .collect()
    }
}

/// `(?, ?), (?, ?)`: places for so many rows of `width` values.
fn places(rows: usize, width: usize) -> String {
    let row = format!("({})", vec!["?"; width].join(", "));
    vec![row; rows].join(", ")
}

pub(super) fn select_budget(rest: &str) -> String {
    format!("SELECT id, scope, unit, period, lim, generation, payer, {GRANTS} FROM budget {rest}")
}

pub(super) fn read_budget(row: &Row) -> Result<Budget, SqlError> {
    Ok(Budget {
        id: row.get(0)?,
        scope: row.get(1)?,
        unit: word::<Unit>(row, 2)?,
        period: word::<Period>(row, 3)?,
        limit: row.get(4)?,
        generation: row.get(5)?,
        payer: word::<Payers>(row, 6)?,
        grants: read_grants(row.get::<Option<String>>(7)?.as_deref())?,
    })
}

/// A column that holds one of an enum's names.
fn word<T: DeserializeOwned>(row: &Row, index: usize) -> Result<T, SqlError> {
    let text: String = row.get(index)?;
    serde_json::from_value(serde_json::Value::String(text)).map_err(|error| SqlError(error.to_string()))
}

pub(super) fn state_name(state: RunState) -> &'static str {
    match state {
        RunState::Open => "open",
        RunState::Closing => "closing",
        RunState::Closed => "closed",
    }
}

fn user_of(scopes: &Scopes) -> &str {
    scopes.0[1].strip_prefix("user:").unwrap_or_default()
}

fn read_json<T: DeserializeOwned>(row: &Row, index: usize) -> Result<T, SqlError> {
    parse(&row.get::<String>(index)?)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, SqlError> {
    serde_json::from_str(text).map_err(|error| SqlError(format!("a JSON column does not hold its shape: {error}")))
}

fn write_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("rows have string keys and no floats")
}
