//! Slices: a part of the budgets lent to a relay, which admits calls of one key within it by itself (spec: gateway.md §6
//! "Slices").
//!
//! Invariants: a slice is a hold, so that what it lends counts as held; what its calls are charged leaves it, and what a
//! relay never reported ends with it by the account's policy. Nothing is lent where a call must be counted when it comes.

use super::admit::window_ref;
use super::{Amount, Balance, Charge, Close, Closed, Hold, HoldOwner, Ledger, LedgerRow, Ms, Payer, RowKind, Rows};
use super::{Scopes, Unit};

/// What stands behind the id of the call with which a slice was asked for.
pub const SLICE_SUFFIX: &str = ".slice";

/// How long a relay may admit calls within a slice.
pub const SLICE_MS: Ms = 10_000;
/// A budget that has less left than so many mean calls lends nothing.
const LEAST_NEEDS: u64 = 4;
/// Which part of what a budget has left it lends at most: one in so many.
const PART: u64 = 20;

/// What a relay asks its account to lend.
#[derive(Debug, Clone)]
pub struct SliceRequest {
    pub id: String,
    pub key_id: String,
    pub scopes: Scopes,
    pub payer: Payer,
    /// Whose calls are made within it.
    pub provider: String,
    /// What a call of the key needs on average.
    pub mean: Amount,
    /// How many such calls it should be enough for.
    pub needs: u64,
    /// When the key ends, and with it the slice.
    pub ends_ms: Ms,
    /// How long a call may take.
    pub ttl_ms: Ms,
    pub owner: HoldOwner,
    /// The driver's own facts, kept with the hold.
    pub meta: String,
}

/// What was lent, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    pub id: String,
    pub amount: Amount,
    /// No call is admitted within it from then on.
    pub until_ms: Ms,
}

/// A call that was admitted within a slice and has ended.
#[derive(Debug, Clone)]
pub struct SliceCall {
    pub request_id: String,
    pub at_ms: Ms,
    /// What was set aside for it within the slice.
    pub held: Amount,
    /// What it used; `None`: it was released.
    pub used: Option<Amount>,
    pub meta: String,
    pub report: Option<String>,
}

impl<R: Rows> Ledger<'_, R> {
    /// Lends a part of what the budgets of a key have left. `None`: nothing can be lent now.
    pub fn lend(&mut self, now: Ms, ask: &SliceRequest) -> Result<Option<Slice>, R::Error> {
        if let Some(hold) = self.rows.hold(&ask.id)? {
            let until_ms = hold.deadline_ms.saturating_sub(ask.ttl_ms);
            return Ok(Some(Slice { id: hold.request_id, amount: hold.amount, until_ms }));
        }
        if self.rows.known(&ask.id)?.is_some() || self.stopped(&ask.scopes, &ask.provider)?.is_some() {
            return Ok(None);
        }
        for scope in ask.scopes.iter() {
            if self.rows.limit(scope)?.is_some() {
                return Ok(None);
            }
        }
        let balances = self.balances(now, &ask.scopes, ask.payer)?;
        let Some(amount) = lendable(ask, &balances) else { return Ok(None) };
        let ends = balances.iter().filter_map(|balance| balance.resets_at).chain([ask.ends_ms]);
        let until_ms = ends.fold(now.saturating_add(SLICE_MS), Ms::min);
        for balance in &balances {
            self.change(&window_ref(balance), |window| window.hold(amount.of(balance.budget.unit, 0)))?;
        }
        self.rows.put_hold(&Hold {
            request_id: ask.id.clone(),
            key_id: ask.key_id.clone(),
            scopes: ask.scopes.clone(),
            run_id: None,
            payer: ask.payer,
            asked: amount,
            amount,
            progress: None,
            windows: balances.iter().map(window_ref).collect(),
            owner: ask.owner.clone(),
            at_ms: now,
            deadline_ms: until_ms.saturating_add(ask.ttl_ms),
            meta: ask.meta.clone(),
        })?;
        Ok(Some(Slice { id: ask.id.clone(), amount, until_ms }))
    }

    /// Charges calls that ended to their slice, and leaves in it what is kept; `None` ends it. Answers one close a call;
    /// a slice that is over leaves them unknown.
    pub fn settle_slice(
        &mut self,
        now: Ms,
        id: &str,
        calls: &[SliceCall],
        keep: Option<Amount>,
    ) -> Result<Vec<Close>, R::Error> {
        let Some(mut slice) = self.rows.hold(id)? else { return Ok(vec![Close::Unknown; calls.len()]) };
        let closes = calls.iter().map(|call| self.settle_within(now, &mut slice, call)).collect::<Result<_, _>>()?;
        let kept = keep.unwrap_or_default().min(slice.amount);
        let back = slice.amount.minus(kept);
        for place in &slice.windows {
            self.change(place, |window| window.free(back.of(place.unit, 0)))?;
        }
        slice.amount = kept;
        match keep {
            Some(_) => self.rows.put_hold(&slice)?,
            None => self.rows.remove_hold(id)?,
        }
        Ok(closes)
    }

    fn settle_within(&mut self, now: Ms, slice: &mut Hold, call: &SliceCall) -> Result<Close, R::Error> {
        if self.rows.known(&call.request_id)?.is_some() {
            return Ok(self.rows.row(&call.request_id)?.map_or(Close::Unknown, |row| {
                Close::Duplicate(Closed { kind: row.kind, amount: row.amount, excess: row.excess })
            }));
        }
        let kind = if call.used.is_some() { RowKind::Settled } else { RowKind::Released };
        let used = call.used.unwrap_or_default().bounded();
        let amount = used.min(call.held).min(slice.amount);
        let excess = used.minus(amount);
        let mut charges = Vec::new();
        for place in &slice.windows {
            let (charge, over) = (amount.of(place.unit, 0), excess.of(place.unit, 0));
            self.change(place, |window| {
                window.free(charge);
                window.charge(charge, over);
            })?;
            charges.push(Charge { window: place.clone(), amount: charge, excess: over });
        }
        slice.amount = slice.amount.minus(amount);
        self.rows.put_row(&LedgerRow {
            request_id: call.request_id.clone(),
            key_id: slice.key_id.clone(),
            scopes: slice.scopes.clone(),
            run_id: None,
            payer: slice.payer,
            kind,
            amount,
            excess,
            asked: call.held,
            held: call.held,
            requests: u64::from(kind != RowKind::Released),
            at_ms: call.at_ms.min(now),
            closed_ms: now,
            charges,
            meta: call.meta.clone(),
            report: call.report.clone(),
        })?;
        Ok(Close::Closed(Closed { kind, amount, excess }))
    }
}

/// How much is lent of what these budgets have left. `None`: too little is left, or calls are counted when they come.
fn lendable(ask: &SliceRequest, balances: &[Balance]) -> Option<Amount> {
    let most = |unit: Unit| {
        let need = ask.mean.of(unit, 0);
        let mut most = need.saturating_mul(ask.needs);
        for balance in balances.iter().filter(|balance| balance.budget.unit == unit) {
            let left = balance.remaining();
            if left < need.saturating_mul(LEAST_NEEDS) {
                return None;
            }
            most = most.min(left / PART);
        }
        (most >= need).then_some(most)
    };
    if ask.needs == 0 || balances.iter().any(|balance| balance.budget.unit == Unit::Requests) {
        return None;
    }
    Some(Amount { tokens: most(Unit::Tokens)?, cost: most(Unit::Cost)? }.bounded())
}
