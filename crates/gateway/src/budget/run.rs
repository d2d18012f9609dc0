//! Runs: one hold for a whole authoring run, from which its calls draw (spec: gateway.md §6 "Runs").
//!
//! Invariant: while a run is open or closing its windows hold `amount - spent` for it; closed, they hold nothing.

use super::admit::{fits, window_ref};
use super::{Amount, Balance, Ledger, Ms, Payer, Refused, Rows, Run, RunState, Scopes, Unit};

/// The answer to opening a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOpening {
    /// Held; `replayed` when it was opened before with the same amount.
    Opened {
        /// The run.
        run: Run,
        /// Opened before; nothing was written now.
        replayed: bool,
    },
    /// Nothing was written.
    Refused(Refused),
}

/// The answer to closing a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunClose {
    /// The rest went back.
    Closed(Run),
    /// Calls are in flight: it goes back when the last one ends.
    Closing {
        /// The run.
        run: Run,
        /// Its open calls.
        in_flight: u64,
    },
    /// Was closed before.
    Duplicate(Run),
    /// No such run.
    Unknown,
}

impl<R: Rows> Ledger<'_, R> {
    /// Holds an amount for a run, in the budgets of tokens and cost; rates and requests are not counted here.
    pub fn open_run(
        &mut self,
        now: Ms,
        id: &str,
        key_id: &str,
        scopes: &Scopes,
        amount: Amount,
        ttl_ms: Ms,
    ) -> Result<RunOpening, R::Error> {
        let amount = amount.bounded();
        if let Some(run) = self.rows.run(id)? {
            return Ok(if run.amount == amount && run.key_id == key_id {
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
        if let Err(refused) = fits(now, amount, None, &balances) {
            return Ok(RunOpening::Refused(refused));
        }
        let run = Run {
            id: id.to_owned(),
            key_id: key_id.to_owned(),
            amount,
            child: Amount::default(),
            spent: Amount::default(),
            state: RunState::Open,
            windows: balances.iter().map(window_ref).collect(),
            deadline_ms: now.saturating_add(ttl_ms),
        };
        for Balance { budget, start_ms, mut window, .. } in balances {
            window.hold(amount.of(budget.unit, 0));
            self.rows.put_window(&budget.window_id(), start_ms, &window)?;
        }
        self.rows.put_run(&run)?;
        Ok(RunOpening::Opened { run, replayed: false })
    }

    /// Ends a run: no new calls, and the rest goes back once no call is in flight.
    pub fn close_run(&mut self, id: &str) -> Result<RunClose, R::Error> {
        let Some(mut run) = self.rows.run(id)? else { return Ok(RunClose::Unknown) };
        if run.state == RunState::Closed {
            return Ok(RunClose::Duplicate(run));
        }
        run.state = RunState::Closing;
        self.rows.put_run(&run)?;
        let run = self.finish_closing(run)?;
        if run.state == RunState::Closed {
            return Ok(RunClose::Closed(run));
        }
        let in_flight = self.rows.run_in_flight(id)?;
        Ok(RunClose::Closing { run, in_flight })
    }

    /// Gives the rest of a closing run back when its last call has ended.
    pub(super) fn finish_closing(&mut self, mut run: Run) -> Result<Run, R::Error> {
        if run.state != RunState::Closing || self.rows.run_in_flight(&run.id)? > 0 {
            return Ok(run);
        }
        let rest = run.amount.minus(run.spent);
        for place in &run.windows {
            self.change(place, |window| window.free(rest.of(place.unit, 0)))?;
        }
        run.state = RunState::Closed;
        self.rows.put_run(&run)?;
        Ok(run)
    }
}
