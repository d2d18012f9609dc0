//! Settle, release, expire, progress: each request is closed exactly once (spec: gateway.md §6 "Settle", "Expiry").
//!
//! Invariant: a charge never exceeds its hold; what was used above it is overrun. A repeated close changes nothing,
//! but for the first exact settlement after an expiry, which corrects it once.

use super::{Amount, Charge, ExpirePolicy, Hold, Ledger, LedgerRow, Ms, RowKind, Rows, Run, RunState, WindowRef};

/// The answer to a close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Close {
    /// Closed now; `kind` says how.
    Closed(Closed),
    /// Was closed before; the recorded amounts.
    Duplicate(Closed),
    /// Neither a hold nor a row.
    Unknown,
}

/// What a closed request was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed {
    pub kind: RowKind,
    pub amount: Amount,
    pub excess: Amount,
}

impl<R: Rows> Ledger<'_, R> {
    /// Notes what a running call used so far; the larger of each part is kept. `false`: it is closed.
    pub fn progress(&mut self, request_id: &str, used: Amount) -> Result<bool, R::Error> {
        let Some(mut hold) = self.rows.hold(request_id)? else { return Ok(false) };
        hold.progress = Some(hold.progress.unwrap_or_default().max(used.bounded()));
        self.rows.put_hold(&hold)?;
        Ok(true)
    }

    /// Replaces a hold by what was used. `report` is kept with the ledger row, untouched.
    pub fn settle(
        &mut self,
        now: Ms,
        request_id: &str,
        used: Amount,
        report: Option<String>,
    ) -> Result<Close, R::Error> {
        let used = used.bounded();
        if let Some(hold) = self.rows.hold(request_id)? {
            return self.close(now, &hold, RowKind::Settled, used, report).map(Close::Closed);
        }
        match self.rows.row(request_id)? {
            Some(row) if row.kind == RowKind::Expired => self.correct(now, row, used, report).map(Close::Closed),
            other => Ok(recorded(other)),
        }
    }

    /// Frees a hold without a charge: nothing was sent, or the provider refused it and says that nothing was done.
    pub fn release(&mut self, now: Ms, request_id: &str, report: Option<String>) -> Result<Close, R::Error> {
        match self.rows.hold(request_id)? {
            Some(hold) => self.close(now, &hold, RowKind::Released, Amount::default(), report).map(Close::Closed),
            None => Ok(recorded(self.rows.row(request_id)?)),
        }
    }

    /// Closes a hold by the account's policy.
    pub fn expire(&mut self, now: Ms, request_id: &str) -> Result<Close, R::Error> {
        match self.rows.hold(request_id)? {
            Some(hold) => {
                let used = match self.policy {
                    ExpirePolicy::BillProgress => hold.progress.unwrap_or(hold.amount),
                    ExpirePolicy::BillHold => hold.amount,
                    ExpirePolicy::Release => Amount::default(),
                };
                self.close(now, &hold, RowKind::Expired, used, None).map(Close::Closed)
            }
            None => Ok(recorded(self.rows.row(request_id)?)),
        }
    }

    fn close(
        &mut self,
        now: Ms,
        hold: &Hold,
        kind: RowKind,
        used: Amount,
        report: Option<String>,
    ) -> Result<Closed, R::Error> {
        let (amount, excess) = (used.min(hold.amount), used.minus(hold.amount));
        let requests = u64::from(kind != RowKind::Released);
        let mut charges = Vec::new();
        for place in &hold.windows {
            let (charge, over) = (amount.of(place.unit, requests), excess.of(place.unit, 0));
            self.change(place, |window| {
                window.free(hold.amount.of(place.unit, 1));
                window.charge(charge, over);
            })?;
            charges.push(Charge { window: place.clone(), amount: charge, excess: over });
        }
        if let Some(mut run) = self.run_of(hold.run_id.as_deref())? {
            for place in run.windows.clone() {
                // The run holds it already: the charge moves, the rest stays with the run.
                let (charge, over) = (amount.of(place.unit, 0), excess.of(place.unit, 0));
                self.change(&place, |window| {
                    window.free(charge);
                    window.charge(charge, over);
                })?;
                charges.push(Charge { window: place, amount: charge, excess: over });
            }
            run.child = run.child.minus(hold.amount);
            run.spent = run.spent.plus(amount);
            run.touched_ms = run.touched_ms.max(now);
            self.rows.put_run(&run)?;
        }
        self.rows.remove_hold(&hold.request_id)?;
        self.rows.put_row(&LedgerRow {
            request_id: hold.request_id.clone(),
            key_id: hold.key_id.clone(),
            scopes: hold.scopes.clone(),
            run_id: hold.run_id.clone(),
            payer: hold.payer,
            kind,
            amount,
            excess,
            asked: hold.asked,
            held: hold.amount,
            requests,
            at_ms: hold.at_ms,
            closed_ms: now,
            charges,
            meta: hold.meta.clone(),
            report,
        })?;
        if let Some(run) = self.run_of(hold.run_id.as_deref())? {
            self.finish_closing(now, run)?;
        }
        Ok(Closed { kind, amount, excess })
    }

    /// The exact amount of a request that had expired: down to it, or the surplus to overrun.
    fn correct(
        &mut self,
        now: Ms,
        mut row: LedgerRow,
        used: Amount,
        report: Option<String>,
    ) -> Result<Closed, R::Error> {
        let (amount, excess) = (used.min(row.amount), used.minus(row.amount));
        let run = self.run_of(row.run_id.as_deref())?;
        let run_windows: &[WindowRef] = run.as_ref().map_or(&[], |run| &run.windows);
        let run_goes_on = run.as_ref().is_some_and(|run| run.state != RunState::Closed);
        for charge in &mut row.charges {
            let unit = charge.window.unit;
            let (exact, over) = (amount.of(unit, charge.amount), excess.of(unit, 0));
            let back = charge.amount.saturating_sub(exact);
            // What a run that still goes on did not spend is held for it again.
            let to_run = run_goes_on && run_windows.contains(&charge.window);
            let mut window = self.rows.window(&charge.window.budget, charge.window.start_ms)?;
            window.refund(back, charge.excess);
            window.hold(if to_run { back } else { 0 });
            window.charge(0, over);
            self.rows.put_window(&charge.window.budget, charge.window.start_ms, &window)?;
            (charge.amount, charge.excess) = (exact, over);
        }
        if let Some(mut run) = run {
            run.spent = run.spent.minus(row.amount).plus(amount);
            self.rows.put_run(&run)?;
        }
        (row.kind, row.amount, row.excess, row.closed_ms) = (RowKind::Corrected, amount, excess, now);
        row.report = report;
        self.rows.put_row(&row)?;
        Ok(Closed { kind: row.kind, amount, excess })
    }

    fn run_of(&self, id: Option<&str>) -> Result<Option<Run>, R::Error> {
        id.map_or(Ok(None), |id| self.rows.run(id))
    }
}

fn recorded(row: Option<LedgerRow>) -> Close {
    row.map_or(Close::Unknown, |row| {
        Close::Duplicate(Closed { kind: row.kind, amount: row.amount, excess: row.excess })
    })
}
