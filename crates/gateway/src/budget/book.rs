//! The ledger in memory: the driver of `budget.simulate` and of property tests.
//!
//! Owns the computed invariants of the law: what windows say must equal what holds, runs and rows add up to.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::{
    Amount, Budget, Hold, LedgerRow, Ms, Payer, Rows, Run, RunState, ScopeLimit, Scopes, Stop, Window, WindowRef,
};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    pub budgets: Vec<Budget>,
    pub limits: BTreeMap<String, ScopeLimit>,
    /// Kill switches that are thrown, by scope.
    pub stops: BTreeMap<String, Stop>,
    pub windows: BTreeMap<(String, Ms), Window>,
    pub holds: BTreeMap<String, Hold>,
    /// Closed requests, in closing order.
    pub ledger: Vec<LedgerRow>,
    pub runs: BTreeMap<String, Run>,
}

impl Book {
    /// Whether `held`, `spent` and `overrun` of every window are the sums of holds, runs and rows.
    pub fn matches(&self) -> bool {
        let mut sums: BTreeMap<(String, Ms), Window> = BTreeMap::new();
        let mut add = |place: &WindowRef, rule: &dyn Fn(&mut Window)| {
            rule(sums.entry((place.budget.clone(), place.start_ms)).or_default());
        };
        for hold in self.holds.values() {
            for place in &hold.windows {
                add(place, &|window| window.hold(hold.amount.of(place.unit, 1)));
            }
        }
        for run in self.runs.values().filter(|run| run.state != RunState::Closed) {
            for place in &run.windows {
                add(place, &|window| window.hold(run.amount.minus(run.spent).of(place.unit, 0)));
            }
        }
        for charge in self.ledger.iter().flat_map(|row| &row.charges) {
            add(&charge.window, &|window| window.charge(charge.amount, charge.excess));
        }
        let zero = Window::default();
        let both = self.windows.keys().chain(sums.keys());
        both.into_iter().all(|at| self.windows.get(at).unwrap_or(&zero) == sums.get(at).unwrap_or(&zero))
            && self.ledger.iter().all(|row| !self.holds.contains_key(&row.request_id))
            && self.runs.values().all(|run| run.child == self.child_sum(&run.id))
    }

    fn child_sum(&self, run: &str) -> Amount {
        self.calls_of(run).fold(Amount::default(), |sum, hold| sum.plus(hold.amount))
    }

    fn calls_of(&self, run: &str) -> impl Iterator<Item = &Hold> {
        self.holds.values().filter(move |hold| hold.run_id.as_deref() == Some(run))
    }
}

impl Rows for Book {
    type Error = Infallible;

    fn budgets(&self, scopes: &Scopes, payer: Payer) -> Result<Vec<Budget>, Infallible> {
        let counts = |b: &&Budget, scope: &str| b.scope == scope && b.payer.covers(payer);
        let of = |scope: &str| self.budgets.iter().filter(|b| counts(b, scope)).cloned().collect::<Vec<_>>();
        Ok(scopes.iter().flat_map(of).collect())
    }

    fn window(&self, budget: &str, start_ms: Ms) -> Result<Window, Infallible> {
        Ok(self.windows.get(&(budget.to_owned(), start_ms)).copied().unwrap_or_default())
    }

    fn put_window(&mut self, budget: &str, start_ms: Ms, window: &Window) -> Result<(), Infallible> {
        self.windows.insert((budget.to_owned(), start_ms), *window);
        Ok(())
    }

    fn hold(&self, request_id: &str) -> Result<Option<Hold>, Infallible> {
        Ok(self.holds.get(request_id).cloned())
    }

    fn put_hold(&mut self, hold: &Hold) -> Result<(), Infallible> {
        self.holds.insert(hold.request_id.clone(), hold.clone());
        Ok(())
    }

    fn remove_hold(&mut self, request_id: &str) -> Result<(), Infallible> {
        self.holds.remove(request_id);
        Ok(())
    }

    fn due_holds(&self, now: Ms) -> Result<Vec<String>, Infallible> {
        let mut due: Vec<&Hold> = self.holds.values().filter(|hold| hold.deadline_ms <= now).collect();
        due.sort_by_key(|hold| (hold.deadline_ms, hold.request_id.clone()));
        Ok(due.into_iter().map(|hold| hold.request_id.clone()).collect())
    }

    fn orphans(&self, shard: &str, boot: u64) -> Result<Vec<String>, Infallible> {
        let orphan = |hold: &&Hold| hold.owner.shard == shard && hold.owner.boot < boot;
        Ok(self.holds.values().filter(orphan).map(|hold| hold.request_id.clone()).collect())
    }

    fn run_in_flight(&self, run_id: &str) -> Result<u64, Infallible> {
        Ok(self.calls_of(run_id).count() as u64)
    }

    fn row(&self, request_id: &str) -> Result<Option<LedgerRow>, Infallible> {
        Ok(self.ledger.iter().find(|row| row.request_id == request_id).cloned())
    }

    fn put_row(&mut self, row: &LedgerRow) -> Result<(), Infallible> {
        match self.ledger.iter_mut().find(|old| old.request_id == row.request_id) {
            Some(old) => *old = row.clone(),
            None => self.ledger.push(row.clone()),
        }
        Ok(())
    }

    fn run(&self, id: &str) -> Result<Option<Run>, Infallible> {
        Ok(self.runs.get(id).cloned())
    }

    fn put_run(&mut self, run: &Run) -> Result<(), Infallible> {
        self.runs.insert(run.id.clone(), run.clone());
        Ok(())
    }

    fn due_runs(&self, now: Ms) -> Result<Vec<String>, Infallible> {
        let is_idle = |run: &Run| run.idle_at() <= now && self.calls_of(&run.id).next().is_none();
        let due = |run: &&Run| run.state == RunState::Open && (run.deadline_ms <= now || is_idle(run));
        Ok(self.runs.values().filter(due).map(|run| run.id.clone()).collect())
    }

    fn open_runs(&self, key_id: &str) -> Result<u64, Infallible> {
        Ok(self.runs.values().filter(|run| run.key_id == key_id && run.state != RunState::Closed).count() as u64)
    }

    fn held_by_runs(&self, place: &WindowRef) -> Result<u64, Infallible> {
        let holding = self.runs.values().filter(|run| run.state != RunState::Closed && run.windows.contains(place));
        Ok(holding.fold(0, |sum, run| sum.saturating_add(run.amount.minus(run.spent).of(place.unit, 0))))
    }

    fn stop(&self, scope: &str) -> Result<Option<Stop>, Infallible> {
        Ok(self.stops.get(scope).cloned())
    }

    fn limit(&self, scope: &str) -> Result<Option<ScopeLimit>, Infallible> {
        Ok(self.limits.get(scope).copied())
    }

    fn in_flight(&self, scope: &str) -> Result<u64, Infallible> {
        Ok(self.holds.values().filter(|hold| hold.scopes.iter().any(|own| own == scope)).count() as u64)
    }

    fn put_arrival(&mut self, scope: &str, tat_us: i64) -> Result<(), Infallible> {
        if let Some(limit) = self.limits.get_mut(scope) {
            limit.tat_us = tat_us;
        }
        Ok(())
    }
}
