//! Runs: one hold for a whole authoring run, from which its calls draw (spec: gateway.md §6 "Runs").
//!
//! Invariants: while a run is open or closing its windows hold `amount - spent` for it; closed, they hold nothing. What all
//! runs hold of a budget that several keys draw on leaves a share of it to calls outside runs.

use super::admit::{fits, window_ref};
use super::{Amount, Balance, Ledger, Ms, Payer, Refused, Rows, Run, RunState, Scopes, Unit, Window};

/// How much runs may hold, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunBounds {
    /// Runs of one key that are not closed.
    pub max_open: u64,
    /// Thousandths of a budget's limit that all runs together may hold, where the budget is not one key's own.
    pub share_permille: u64,
    /// How long a run may stay open without a call in flight.
    pub idle_ms: Ms,
}

impl RunBounds {
    pub const NONE: Self = Self { max_open: u64::MAX, share_permille: 1_000, idle_ms: Ms::MAX };
}

/// A request for a run.
#[derive(Debug, Clone)]
pub struct RunRequest {
    pub id: String,
    pub key_id: String,
    pub scopes: Scopes,
    pub amount: Amount,
    /// When it ends in any case, from now.
    pub ttl_ms: Ms,
    /// What it may hold beside others.
    pub bounds: RunBounds,
}

/// The answer to opening a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOpening {
    /// Held; `replayed` when it was opened before with the same amount.
    Opened {
        run: Run,
        /// Opened before; nothing was written now.
        replayed: bool,
    },
    Refused(Refused),
}

/// The answer to closing a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunClose {
    Closed(Run),
    /// Calls are in flight: it goes back when the last one ends.
    Closing {
        run: Run,
        in_flight: u64,
    },
    Duplicate(Run),
    Unknown,
}

impl<R: Rows> Ledger<'_, R> {
    /// Holds an amount for a run, in the budgets of tokens and cost; rates and requests are not counted here.
    pub fn open_run(&mut self, now: Ms, ask: &RunRequest) -> Result<RunOpening, R::Error> {
        let RunRequest { id, key_id, scopes, amount, ttl_ms, bounds } = ask;
        let amount = amount.bounded();
        if let Some(run) = self.rows.run(id)? {
            return Ok(if run.amount == amount && run.key_id == *key_id {
                RunOpening::Opened { run, replayed: true }
            } else {
                RunOpening::Refused(Refused::Conflict)
            });
        }
        if let Some(refused) = self.stopped(scopes, "")? {
            return Ok(RunOpening::Refused(refused));
        }
        let mut balances = self.balances(now, scopes, Payer::Platform)?;
        balances.retain(|balance| balance.budget.unit != Unit::Requests);
        if self.rows.open_runs(key_id)? >= bounds.max_open {
            let scope = format!("key:{key_id}");
            return Ok(RunOpening::Refused(Refused::InFlight { scope, limit: bounds.max_open }));
        }
        let shares = self.shares(&balances, bounds.share_permille)?;
        if let Err(refused) = fits(now, amount, None, &balances).and_then(|()| fits(now, amount, None, &shares)) {
            return Ok(RunOpening::Refused(refused));
        }
        let run = Run {
            id: id.clone(),
            key_id: key_id.clone(),
            amount,
            child: Amount::default(),
            spent: Amount::default(),
            state: RunState::Open,
            touched_ms: now,
            idle_ms: bounds.idle_ms,
            closed_ms: None,
            windows: balances.iter().map(window_ref).collect(),
            deadline_ms: now.saturating_add(*ttl_ms),
        };
        for Balance { budget, start_ms, mut window, .. } in balances {
            window.hold(amount.of(budget.unit, 0));
            self.rows.put_window(&budget.window_id(), start_ms, &window)?;
        }
        self.rows.put_run(&run)?;
        Ok(RunOpening::Opened { run, replayed: false })
    }

    /// What runs may hold of each budget that is not one key's own, as budgets of their own.
    fn shares(&self, balances: &[Balance], permille: u64) -> Result<Vec<Balance>, R::Error> {
        let shared = balances.iter().filter(|balance| !balance.budget.scope.starts_with("key:"));
        let share = |balance: &Balance| {
            let window = Window { held: self.rows.held_by_runs(&window_ref(balance))?, ..Window::default() };
            let limit = (u128::from(balance.limit) * u128::from(permille) / 1_000) as u64;
            Ok(Balance { limit: limit.min(balance.limit), window, ..balance.clone() })
        };
        shared.map(share).collect()
    }

    /// Ends a run: no new calls, and the rest goes back once no call is in flight.
    pub fn close_run(&mut self, now: Ms, id: &str) -> Result<RunClose, R::Error> {
        let Some(mut run) = self.rows.run(id)? else { return Ok(RunClose::Unknown) };
        if run.state == RunState::Closed {
            return Ok(RunClose::Duplicate(run));
        }
        run.state = RunState::Closing;
        self.rows.put_run(&run)?;
        let run = self.finish_closing(now, run)?;
        if run.state == RunState::Closed {
            return Ok(RunClose::Closed(run));
        }
        let in_flight = self.rows.run_in_flight(id)?;
        Ok(RunClose::Closing { run, in_flight })
    }

    /// Gives the rest of a closing run back when its last call has ended.
    pub(super) fn finish_closing(&mut self, now: Ms, mut run: Run) -> Result<Run, R::Error> {
        if run.state != RunState::Closing || self.rows.run_in_flight(&run.id)? > 0 {
            return Ok(run);
        }
        let rest = run.amount.minus(run.spent);
        for place in &run.windows {
            self.change(place, |window| window.free(rest.of(place.unit, 0)))?;
        }
        (run.state, run.closed_ms) = (RunState::Closed, Some(now));
        self.rows.put_run(&run)?;
        Ok(run)
    }
}
