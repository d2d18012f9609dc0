//! What an account lent to this relay: calls within it are admitted here, and told in batches (spec: gateway.md §6
//! "Slices").
//!
//! Why: an account is one object, and each call that asks it twice is slower by both. Invariants: what calls hold here
//! never exceeds what was lent; a call is told once it has ended, again until the account has answered; what is not
//! needed goes back within a second or two; after a recall nothing is admitted here that was lent before it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use holdpoint_gateway::budget::{Amount, Payer};
use holdpoint_gateway::limits::retry_after_ms;
use holdpoint_store::ledger::{
    CallAsk, CallFacts, Clamp, ClosedCall, Credential, Lent, Principal, Report, RunningCall,
};
use serde_json::json;
use worker::Delay;

use super::Shared;
use super::ledger::CloseOrder;
use crate::account::{AccountCommand, AdmitAnswer, Caller, CloseAnswer};
use crate::js::now_ms;
use crate::objects::ask;

/// Calls that one batch tells of.
const MOST_CALLS: usize = 64;
/// How long an ended call waits for others at most.
const BATCH_MS: i64 = 1_000;
/// How often it is looked whether a batch is full.
const LOOK_MS: u64 = 100;
/// Keys whose pace is remembered.
const MOST_KEYS: usize = 256;

#[derive(Default)]
pub(super) struct Slices {
    lent: RefCell<Vec<Slice>>,
    paces: RefCell<BTreeMap<String, Pace>>,
    /// What was lent until then is used no more.
    recalled_ms: Cell<i64>,
}

struct Slice {
    lent: Lent,
    account: String,
    credential: Credential,
    origin: Option<String>,
    /// Lent beside a call without a price, so that no budget of it counts money.
    is_unpriced: bool,
    /// What calls are told of their budgets, as they were when it was lent.
    headers: Vec<(String, String)>,
    free: Amount,
    open: BTreeMap<String, Begun>,
    closed: Vec<ClosedCall>,
    admitted_ms: i64,
    /// Nothing is admitted any more.
    is_over: bool,
    /// Somebody tells what was closed.
    is_told: bool,
}

/// A call that runs within a slice.
struct Begun {
    held: Amount,
    at_ms: i64,
    deadline_ms: i64,
    facts: CallFacts,
}

impl Begun {
    /// As it is listed beside the calls that the account holds.
    fn shown(&self, request_id: &str, principal: &Principal) -> RunningCall {
        let facts = self.facts.clone();
        RunningCall {
            request_id: request_id.to_owned(),
            at: self.at_ms,
            key_id: principal.key_id.clone(),
            user_id: principal.user_id.clone(),
            run_id: None,
            payer: Payer::Platform.name().to_owned(),
            protocol: facts.protocol,
            alias: facts.alias,
            provider: facts.provider,
            model: facts.model,
            tokens: self.held.tokens,
            cost: facts.price_version.map(|_| self.held.cost),
            deadline: self.deadline_ms,
            tag: facts.tag,
            template: facts.template,
        }
    }
}

/// How often calls of a key come, and what they need.
struct Pace {
    since_ms: i64,
    calls: u64,
    need: Amount,
}

impl Slice {
    /// What it must keep for its calls and for those that may come.
    fn keep(&self) -> Option<Amount> {
        let over = self.is_over && self.open.is_empty() && self.closed.is_empty();
        let held = self.open.values().fold(self.free, |sum, begun| sum.plus(begun.held));
        (!over).then_some(held)
    }

    fn end(&mut self) {
        (self.is_over, self.free) = (true, Amount::default());
    }
}

/// Whether a call can be made within a slice: nothing about it must be counted when it comes.
fn is_plain(ask: &CallAsk) -> bool {
    let shrinks = ask.clamp.is_some_and(|clamp| clamp.least.is_some());
    ask.payer == Payer::Platform
        && ask.run_id.is_none()
        && ask.idempotency_key.is_none()
        && !shrinks
        && ask.need != Amount::default()
}

impl Slices {
    /// Admits a call within what was lent. `None`: the account must be asked; `ask` then says whether it should lend.
    pub fn admit(&self, caller: &Caller, call: &mut CallAsk, from_calls: u64) -> Option<(String, AdmitAnswer)> {
        if !is_plain(call) {
            return None;
        }
        let now = now_ms();
        let mean = self.mean(caller, call.need, from_calls, now);
        let mut slices = self.lent.borrow_mut();
        let usable = |slice: &&mut Slice| {
            !slice.is_over
                && now < slice.lent.until_ms
                && slice.credential.is(&caller.credential)
                && slice.account == caller.account
                && slice.origin == caller.origin
                && (slice.is_unpriced || call.facts.price_version.is_some())
        };
        let has_room = |slice: &Slice| call.need.tokens <= slice.free.tokens && call.need.cost <= slice.free.cost;
        let found = slices.iter_mut().filter(usable).find(|slice| has_room(slice));
        let Some(slice) = found.filter(|slice| slice.lent.principal.require_model(&call.facts.alias).is_ok()) else {
            call.mean = mean;
            return None;
        };
        slice.free = slice.free.minus(call.need);
        slice.admitted_ms = now;
        let deadline_ms = now.saturating_add(call.ttl_ms);
        let begun = Begun { held: call.need, at_ms: now, deadline_ms, facts: call.facts.clone() };
        slice.open.insert(call.request_id.clone(), begun);
        let answer = AdmitAnswer {
            key_id: slice.lent.principal.key_id.clone(),
            held: call.need,
            clamped: None,
            headers: slice.headers.clone(),
            routed: None,
            lent: None,
        };
        Some((slice.lent.id.clone(), answer))
    }

    /// What calls of a key need on average, where they come so often that a slice is worth its while.
    fn mean(&self, caller: &Caller, need: Amount, from_calls: u64, now: i64) -> Option<Amount> {
        let mut paces = self.paces.borrow_mut();
        let key = caller.credential.key_id();
        if paces.len() >= MOST_KEYS && !paces.contains_key(key) {
            paces.clear();
        }
        let pace = paces.entry(key.to_owned()).or_insert(Pace { since_ms: now, calls: 0, need: Amount::default() });
        if now.saturating_sub(pace.since_ms) > BATCH_MS {
            *pace = Pace { since_ms: now, calls: 0, need: Amount::default() };
        }
        pace.calls += 1;
        pace.need = pace.need.plus(need);
        let Pace { calls, need, .. } = *pace;
        (calls >= from_calls.max(1)).then(|| Amount { tokens: need.tokens / calls, cost: need.cost / calls })
    }

    /// Takes what the account lent beside a call. What was lent before a recall goes back.
    pub fn borrow(&self, caller: &Caller, lent: Lent, headers: &[(String, String)], is_unpriced: bool) {
        let is_recalled = lent.at_ms <= self.recalled_ms.get() || lent.principal.clamp == Clamp::Always;
        let mut slices = self.lent.borrow_mut();
        for before in slices.iter_mut().filter(|slice| slice.lent.principal.key_id == lent.principal.key_id) {
            before.end();
        }
        let mut slice = Slice {
            free: lent.amount,
            lent,
            account: caller.account.clone(),
            credential: caller.credential.clone(),
            origin: caller.origin.clone(),
            is_unpriced,
            headers: headers.to_vec(),
            open: BTreeMap::new(),
            closed: Vec::new(),
            admitted_ms: now_ms(),
            is_over: false,
            is_told: false,
        };
        if is_recalled {
            slice.end();
        }
        slices.push(slice);
    }

    /// Ends all slices that were lent until then: calls that run go on.
    pub fn recall(&self, at_ms: i64) {
        self.recalled_ms.set(self.recalled_ms.get().max(at_ms));
        self.lent.borrow_mut().iter_mut().filter(|slice| slice.lent.at_ms <= at_ms).for_each(Slice::end);
    }

    /// Closes a call, once: it is charged as the law charges it, and told later.
    pub fn close(&self, id: &str, request_id: &str, close: &CloseOrder, report: &Report) -> Option<CloseAnswer> {
        let mut slices = self.lent.borrow_mut();
        let slice = slices.iter_mut().find(|slice| slice.lent.id == id)?;
        let Begun { held, at_ms, facts, .. } = slice.open.remove(request_id)?;
        let used = match close {
            CloseOrder::Settle(used) => Some(used.bounded()),
            CloseOrder::Release => None,
        };
        let charged = used.unwrap_or_default().min(held);
        if !slice.is_over {
            slice.free = slice.free.plus(held.minus(charged));
        }
        let (request_id, report) = (request_id.to_owned(), report.clone());
        slice.closed.push(ClosedCall { request_id, at_ms, held, used, facts, report });
        Some(CloseAnswer { charged, excess: used.unwrap_or_default().minus(charged) })
    }

    /// The calls that run within all slices, of one user or of all.
    pub fn running(&self, user_id: Option<&str>) -> Vec<RunningCall> {
        let slices = self.lent.borrow();
        let seen = |slice: &&Slice| user_id.is_none_or(|user| user == slice.lent.principal.user_id);
        let calls = |slice: &Slice| {
            let shown = |(id, begun): (&String, &Begun)| begun.shown(id, &slice.lent.principal);
            slice.open.iter().map(shown).collect::<Vec<_>>()
        };
        slices.iter().filter(seen).flat_map(calls).collect()
    }

    /// The ids of all slices, which their account holds.
    pub fn ids(&self) -> Vec<String> {
        self.lent.borrow().iter().map(|slice| slice.lent.id.clone()).collect()
    }

    fn with<T>(&self, id: &str, change: impl FnOnce(&mut Slice) -> T) -> Option<T> {
        self.lent.borrow_mut().iter_mut().find(|slice| slice.lent.id == id).map(change)
    }

    /// The next batch of a slice, and what stays in it.
    fn batch(&self, id: &str) -> Option<(String, Vec<ClosedCall>, Option<Amount>)> {
        self.with(id, |slice| {
            let now = now_ms();
            if now >= slice.lent.until_ms || now.saturating_sub(slice.admitted_ms) >= BATCH_MS {
                slice.end();
            }
            let most = slice.closed.len().min(MOST_CALLS);
            let calls: Vec<ClosedCall> = slice.closed.drain(..most).collect();
            let waiting = slice.closed.iter().map(|call| call.used.unwrap_or_default().min(call.held));
            let waiting = waiting.fold(Amount::default(), Amount::plus);
            (slice.account.clone(), calls, slice.keep().map(|keep| keep.plus(waiting)))
        })
    }
}

/// Tells what was closed within a slice, in batches, until nothing is left to tell; and gives back what is not needed.
/// One at a time does so for a slice.
pub(super) async fn tell(shared: Rc<Shared>, id: String) {
    let slices = &shared.slices;
    if slices.with(&id, |slice| std::mem::replace(&mut slice.is_told, true)) != Some(false) {
        return;
    }
    let mut failures = 0;
    loop {
        wait_for_a_batch(slices, &id).await;
        let Some((account, calls, keep)) = slices.batch(&id) else { return };
        let is_over = keep.is_none();
        if !told(&shared, &account, &id, &calls, keep).await {
            slices.with(&id, |slice| slice.closed.splice(0..0, calls).for_each(drop));
            failures += 1;
            if failures > shared.settings.limits.settle_retries {
                // What the account was not told ends with the slice, by its policy.
                worker::console_error!("{}", json!({"event": "llm.settle_lost", "slice": id}));
                slices.lent.borrow_mut().retain(|slice| slice.lent.id != id);
                return;
            }
            Delay::from(Duration::from_millis(retry_after_ms(failures))).await;
            continue;
        }
        failures = 0;
        if is_over {
            slices.lent.borrow_mut().retain(|slice| slice.lent.id != id);
            return;
        }
        // The calls that still run tell themselves.
        let rests = slices.with(&id, |slice| {
            let rests = slice.is_over && slice.closed.is_empty() && !slice.open.is_empty();
            slice.is_told = !rests;
            rests
        });
        if rests != Some(false) {
            return;
        }
    }
}

/// Waits until a batch is full, or its first call waited long enough, or the slice is over.
async fn wait_for_a_batch(slices: &Slices, id: &str) {
    let since = now_ms();
    let waits = |slice: &mut Slice| slice.closed.len() < MOST_CALLS && !slice.is_over;
    while now_ms().saturating_sub(since) < BATCH_MS && slices.with(id, waits) == Some(true) {
        Delay::from(Duration::from_millis(LOOK_MS)).await;
    }
}

async fn told(shared: &Shared, account: &str, id: &str, calls: &[ClosedCall], keep: Option<Amount>) -> bool {
    let command = AccountCommand::SettleSlice { id: id.to_owned(), calls: calls.to_vec(), keep };
    match shared.objects.account(account) {
        Ok(account) => ask::<_, bool>(&account, &command).await.is_ok(),
        Err(_) => false,
    }
}
