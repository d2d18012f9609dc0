//! What an account forgets when its time is over: calls, windows, changes (spec: gateway.md §1 `LEDGER_DAYS`).
//!
//! Why: an account lives as long as its database has room. What calls used stays as day sums; what deleted rows charged to
//! windows that stay is carried in `charge_past`, so that a dump adds up ever after. Invariants: a batch is one
//! transaction; nothing is forgotten for an hour after a page of a dump, as long as this writer lives; a window with a hold
//! is never forgotten.

use holdpoint_gateway::budget::{DAY_MS, Ms};

use super::Ledger;
use super::memory::NEVER;
use crate::sql::{Sql, SqlError, params};

/// Rows of a table that are forgotten at once.
const BATCH: u64 = 200;
/// Windows of months begin before the calls that they count, and a run's calls may come in the month after its own.
const LONGEST_WINDOW_MS: Ms = 32 * DAY_MS;
/// How long somebody may take from a page of a dump to the next one.
const DUMP_MS: Ms = 3_600_000;
/// Day sums stay so many times as long as the calls.
const SUMS_TIMES: Ms = 10;

pub(super) const FORGOTTEN: &[&str] = &[
    "CREATE TABLE charge_past(budget_id TEXT NOT NULL, start_ms INTEGER NOT NULL, amount INTEGER NOT NULL,
       excess INTEGER NOT NULL, PRIMARY KEY(budget_id, start_ms)) STRICT, WITHOUT ROWID",
    "CREATE INDEX budget_window_start ON budget_window(start_ms)",
    "CREATE INDEX charge_past_start ON charge_past(start_ms)",
];

/// The calls of a batch that are over.
const CALLS: &str =
    "SELECT request_id FROM (SELECT request_id, at_ms FROM ledger ORDER BY request_id LIMIT ?) WHERE at_ms < ?";

impl<S: Sql> Ledger<S> {
    /// Forgets a batch of what is over.
    pub fn forget_rows(&self, now: Ms) -> Result<(), SqlError> {
        if self.next_over()?.is_none_or(|at| at > now) {
            return Ok(());
        }
        let dumped = self.dump_told.get().saturating_add(DUMP_MS);
        if now < dumped {
            self.first_over.set(Some(dumped));
            return Ok(());
        }
        self.transaction(|| {
            let over = now.saturating_sub(self.keep_ms);
            self.forget_calls(over)?;
            self.forget_windows(over)?;
            self.sql.execute(
                "DELETE FROM audit WHERE id IN(SELECT id FROM (SELECT id, at_ms FROM audit ORDER BY id LIMIT ?)
                   WHERE at_ms < ?)",
                params![BATCH, over],
            )?;
            let sums = now.saturating_sub(self.keep_ms.saturating_mul(SUMS_TIMES));
            for table in ["day_sum", "day_tag"] {
                self.sql.execute(&format!("DELETE FROM {table} WHERE day_ms < ?"), params![sums])?;
            }
            Ok::<_, SqlError>(())
        })?;
        self.first_over.set(None);
        Ok(())
    }

    fn forget_calls(&self, over: Ms) -> Result<(), SqlError> {
        self.sql.execute(
            &format!(
                "INSERT INTO charge_past(budget_id, start_ms, amount, excess)
                 SELECT budget_id, start_ms, sum(amount), sum(excess) FROM ledger_charge c WHERE request_id IN({CALLS})
                   AND EXISTS(SELECT 1 FROM budget_window w WHERE w.budget_id = c.budget_id AND w.start_ms = c.start_ms)
                   GROUP BY budget_id, start_ms
                 ON CONFLICT DO UPDATE SET amount = amount + excluded.amount, excess = excess + excluded.excess"
            ),
            params![BATCH, over],
        )?;
        self.sql.execute(&format!("DELETE FROM ledger_charge WHERE request_id IN({CALLS})"), params![BATCH, over])?;
        self.sql.execute(&format!("DELETE FROM ledger WHERE request_id IN({CALLS})"), params![BATCH, over])
    }

    /// Windows whose calls are all forgotten; one that never ends stays.
    fn forget_windows(&self, over: Ms) -> Result<(), SqlError> {
        let row = self.sql.first("SELECT at_ms FROM ledger ORDER BY request_id LIMIT 1", params![])?;
        let first: Option<Ms> = row.map(|row| row.get(0)).transpose()?;
        let ended = over.min(first.unwrap_or(over)).saturating_sub(LONGEST_WINDOW_MS);
        self.sql.execute(
            "DELETE FROM budget_window WHERE (budget_id, start_ms) IN(SELECT budget_id, start_ms FROM budget_window
               WHERE start_ms > 0 AND start_ms < ? AND held = 0 ORDER BY start_ms LIMIT ?)",
            params![ended, BATCH],
        )?;
        self.sql.execute("DELETE FROM webhook_told WHERE start_ms > 0 AND start_ms < ?", params![ended])?;
        self.memory.forget_windows();
        self.sql.execute(
            "DELETE FROM charge_past AS c WHERE start_ms > 0 AND start_ms < ? AND NOT EXISTS(SELECT 1 FROM budget_window w
               WHERE w.budget_id = c.budget_id AND w.start_ms = c.start_ms)",
            params![ended],
        )
    }

    /// When [`Ledger::forget_rows`] has something to do; `None`: nothing was ever called or changed.
    pub fn next_over(&self) -> Result<Option<Ms>, SqlError> {
        if self.first_over.get().is_none() {
            let row = self.sql.first(
                "SELECT (SELECT at_ms FROM ledger ORDER BY request_id LIMIT 1), (SELECT at_ms FROM audit ORDER BY id LIMIT 1),
                   (SELECT min(start_ms) + ? FROM budget_window WHERE start_ms > 0 AND held = 0)",
                params![LONGEST_WINDOW_MS],
            )?;
            let mut first: Option<Ms> = None;
            if let Some(row) = row {
                let firsts: [Option<Ms>; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
                first = firsts.into_iter().flatten().min();
            }
            // What is exactly as old as the limit stays.
            let at = first.map_or(NEVER, |at| at.saturating_add(self.keep_ms).saturating_add(1));
            self.first_over.set(Some(at));
        }
        Ok(self.first_over.get().filter(|at| *at < NEVER))
    }

    /// The first row of all may be written now.
    pub(super) fn something_is_kept(&self) {
        if self.first_over.get() == Some(NEVER) {
            self.first_over.set(None);
        }
    }
}
