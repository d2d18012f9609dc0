//! Runs as people open and close them, and how long their rows live (spec: gateway.md §6 "Runs").
//!
//! Invariant: the table of runs has a life time and a cap: a closed run is forgotten when its time is over, or earlier where
//! there are too many; an open one never is.

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::{Amount, Ms, RunBounds, RunClose, RunOpening, RunRequest, Unit, WindowRef};
use holdpoint_gateway::refusal::{Code, GatewayError};

use super::keys::Credential;
use super::memory::NEVER;
use super::read::RunView;
use super::rows::SqlRows;
use super::{Ledger, LedgerError};
use crate::sql::{MAX_INTEGER, Sql, SqlError, params};

/// When an open run ends unless something happens: idle ones early, those with a call in flight at their deadline.
pub(super) const RUN_DUE: &str = "min(deadline_ms, iif(EXISTS(SELECT 1 FROM hold WHERE run_id = run.id), deadline_ms,
  min(touched_ms, 9007199254740991 - idle_ms) + idle_ms))";

/// Rows that are deleted at once.
const BATCH: u64 = 500;

/// What runs may hold, and how long their rows are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunLimits {
    pub bounds: RunBounds,
    pub keep_ms: Ms,
    pub max_rows: u64,
}

impl From<&Limits> for RunLimits {
    fn from(limits: &Limits) -> Self {
        Self { bounds: limits.runs(), keep_ms: limits.run_keep_ms as Ms, max_rows: limits.max_run_rows }
    }
}

impl<S: Sql> Ledger<S> {
    /// The same ledger under these limits of runs, of slices and of what is kept.
    #[must_use]
    pub fn limited(self, limits: &Limits) -> Self {
        Self { runs: RunLimits::from(limits), slice_needs: limits.slice_needs, keep_ms: limits.ledger(), ..self }
    }

    /// Opens a run: holds `amount` until it closes or its time is over.
    pub fn open_run(
        &self,
        now: Ms,
        credential: &Credential,
        id: &str,
        amount: Amount,
        ttl_ms: Ms,
    ) -> Result<RunView, LedgerError> {
        self.fire_due(now)?;
        self.transaction(|| {
            let principal = self.verify(now, credential)?;
            principal.require("llm")?;
            self.make_room_for_runs()?;
            let ask = RunRequest {
                id: id.to_owned(),
                key_id: principal.key_id.clone(),
                scopes: self.scopes(&principal),
                amount,
                ttl_ms,
                bounds: self.runs.bounds,
            };
            match self.law(now, |law| law.open_run(now, &ask))? {
                RunOpening::Opened { run, .. } => Ok(RunView::new(&run, 0)),
                RunOpening::Refused(refused) => Err(GatewayError::from(refused).into()),
            }
        })
    }

    /// A run of this principal's key.
    pub fn run(&self, now: Ms, credential: &Credential, id: &str) -> Result<RunView, LedgerError> {
        self.fire_due(now)?;
        let principal = self.verify(now, credential)?;
        principal.require("llm")?;
        self.own_run(&principal, id)
    }

    /// Closes a run of this principal's key: the rest goes back once no call is in flight.
    pub fn close_run(&self, now: Ms, credential: &Credential, id: &str) -> Result<RunView, LedgerError> {
        self.fire_due(now)?;
        self.transaction(|| {
            let principal = self.verify(now, credential)?;
            principal.require("llm")?;
            self.own_run(&principal, id)?;
            match self.law(now, |law| law.close_run(now, id))? {
                RunClose::Closed(run) | RunClose::Duplicate(run) => Ok(RunView::new(&run, 0)),
                RunClose::Closing { run, in_flight } => Ok(RunView::new(&run, in_flight)),
                RunClose::Unknown => Err(GatewayError::new(Code::NotFound).into()),
            }
        })
    }

    /// Deletes a batch of the closed runs whose time is over.
    pub fn forget_runs(&self, now: Ms) -> Result<(), SqlError> {
        if self.next_forgetting()?.is_none_or(|at| at > now) {
            return Ok(());
        }
        self.transaction(|| {
            let over = now.saturating_sub(self.runs.keep_ms);
            self.sql.execute(
                "DELETE FROM run WHERE rowid IN(SELECT rowid FROM run WHERE state = 'closed' AND closed_ms <= ?
                 ORDER BY closed_ms LIMIT ?)",
                params![over, BATCH],
            )
        })?;
        self.memory.keep_first_closed(None);
        Ok(())
    }

    /// When [`Ledger::forget_runs`] has something to do; `None`: no run is closed.
    pub fn next_forgetting(&self) -> Result<Option<Ms>, SqlError> {
        if self.memory.first_closed().is_none() {
            let row = self.sql.first("SELECT min(closed_ms) FROM run WHERE state = 'closed'", params![])?;
            let first: Option<Ms> = row.map_or(Ok(None), |row| row.get(0))?;
            self.memory.keep_first_closed(Some(first.unwrap_or(NEVER)));
        }
        let first = self.memory.first_closed().filter(|at| *at < NEVER);
        Ok(first.map(|at| at.saturating_add(self.runs.keep_ms)))
    }

    /// Deletes the oldest closed runs where the table is full.
    fn make_room_for_runs(&self) -> Result<(), SqlError> {
        let row = self.sql.first("SELECT count(*) FROM run", params![])?;
        let rows = row.map_or(Ok(0), |row| row.get::<u64>(0))?;
        if rows < self.runs.max_rows {
            return Ok(());
        }
        self.sql.execute(
            "DELETE FROM run WHERE rowid IN(SELECT rowid FROM run WHERE state = 'closed' ORDER BY closed_ms LIMIT ?)",
            params![(rows - self.runs.max_rows).saturating_add(1).max(BATCH.min(rows / 10))],
        )
    }
}

impl<S: Sql> SqlRows<'_, S> {
    /// Runs of a key that are not closed.
    pub(super) fn count_open_runs(&self, key_id: &str) -> Result<u64, SqlError> {
        let row = self.sql.first("SELECT count(*) FROM run WHERE key_id = ? AND state <> 'closed'", params![key_id])?;
        row.map_or(Ok(0), |row| row.get(0))
    }

    /// What runs that are not closed hold in a window.
    pub(super) fn sum_of_runs(&self, place: &WindowRef) -> Result<u64, SqlError> {
        let rest = match place.unit {
            Unit::Tokens => "r.tokens - r.spent_tokens",
            Unit::Cost => "r.cost - r.spent_cost",
            Unit::Requests => "0",
        };
        let row = self.sql.first(
            // `total` sums as a float, so that no sum overflows; it is exact as far as integers go.
            &format!(
                "SELECT CAST(min(total({rest}), ?1) AS INTEGER) FROM run r, json_each(r.windows) p
                 WHERE r.state <> 'closed' AND p.value ->> 'budget' = ?2 AND p.value ->> 'start_ms' = ?3"
            ),
            params![MAX_INTEGER, &place.budget, place.start_ms],
        )?;
        row.map_or(Ok(0), |row| row.get(0))
    }
}
