//! Admission: known id, switches, run, rate, in-flight, budgets, in that order (spec: gateway.md §6 "Admission").
//!
//! Invariant: nothing is written before everything was found to fit.

use serde_json::{Map, Value, json};

use super::{
    Amount, Balance, Hold, HoldOwner, Ledger, Ms, Payer, Rows, Run, RunState, Scopes, Stop, Unit, Window, WindowRef,
};
use crate::refusal::{Code, GatewayError};

/// Wait that is advised while running calls hold what is missing.
const HELD_RETRY_MS: u64 = 5_000;
/// Wait that is advised when too many calls are open.
const IN_FLIGHT_RETRY_MS: u64 = 1_000;

#[derive(Debug, Clone)]
pub struct AdmissionRequest {
    pub request_id: String,
    pub key_id: String,
    pub scopes: Scopes,
    pub need: Wanted,
    /// The run to draw on.
    pub run_id: Option<String>,
    pub payer: Payer,
    /// Nobody set prices for its model: what it costs is not known.
    pub unpriced: bool,
    /// Whether a call that no budget counts is refused.
    pub needs_budget: bool,
    /// Who is going to be called; empty where that is not known.
    pub provider: String,
    pub owner: HoldOwner,
    pub ttl_ms: Ms,
    /// The driver's own facts, kept with the hold and the ledger row.
    pub meta: String,
}

impl AdmissionRequest {
    /// A request on the platform's money outside any run, without owner or facts.
    pub fn new(request_id: &str, key_id: &str, scopes: Scopes, need: Wanted, ttl_ms: Ms) -> Self {
        Self {
            request_id: request_id.to_owned(),
            key_id: key_id.to_owned(),
            scopes,
            need,
            run_id: None,
            payer: Payer::Platform,
            unpriced: false,
            needs_budget: false,
            provider: String::new(),
            owner: HoldOwner::default(),
            ttl_ms,
            meta: String::new(),
        }
    }
}

/// How much is asked for.
#[derive(Debug, Clone)]
pub enum Wanted {
    Fixed(Amount),
    /// Bounds from which a smaller output can be taken.
    Within(AmountBounds),
}

/// Input, output and prices of a request whose output may be lowered.
#[derive(Debug, Clone, Copy)]
pub struct AmountBounds {
    pub input_tokens: u64,
    /// Most output that is asked for.
    pub max_output: u64,
    /// The least that is acceptable; `None`: no clamp.
    pub min_output: Option<u64>,
    /// Micros per million input tokens.
    pub price_in: u64,
    /// Micros per million output tokens.
    pub price_out: u64,
    /// Millionths of the currency for a call.
    pub request: u64,
}

impl AmountBounds {
    /// The amount with that maximum output.
    pub fn amount(&self, max_output: u64) -> Amount {
        let parts = [(self.input_tokens, self.price_in), (max_output, self.price_out)];
        let cost = crate::price::micros(&parts).saturating_add(self.request);
        Amount { tokens: self.input_tokens.saturating_add(max_output), cost }.bounded()
    }
}

impl Wanted {
    fn wanted(&self) -> Amount {
        match self {
            Self::Fixed(amount) => amount.bounded(),
            Self::Within(bounds) => bounds.amount(bounds.max_output),
        }
    }
}

/// The answer to an [`AdmissionRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Admission {
    Admitted(Admitted),
    Refused(Refused),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    pub amount: Amount,
    pub clamped: Option<u64>,
    /// The same request was admitted before; nothing was written now.
    pub replayed: bool,
    /// The budgets with this hold; on a replay as they stand by now.
    pub balances: Vec<Balance>,
}

/// Why a request was not admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The id is known with other amounts.
    Conflict,
    /// Calls of that scope are stopped.
    Stopped {
        /// Whose: `key:…`, `user:…`, `account:…` or `provider:…`.
        scope: String,
        stop: Stop,
    },
    /// Unknown, closing, closed or foreign run.
    RunNotOpen(String),
    Rate {
        scope: String,
        retry_after_ms: u64,
    },
    InFlight {
        scope: String,
        /// How many may be open.
        limit: u64,
    },
    /// The run has less left.
    Run(RunShort),
    /// A cost budget counts the call, and nobody knows what it costs.
    NotPriced(String),
    /// Nothing counts what the call spends.
    NoBudget,
    /// One or more budgets do not allow it.
    Budget(Box<Short>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunShort {
    pub run: String,
    pub unit: Unit,
    pub need: u64,
    pub remaining: u64,
}

/// The budget that is named, and all that fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Short {
    /// It is one of `BudgetExhausted`, `BudgetExceeded` or `BudgetHeld`.
    pub code: Code,
    /// The first with the worst code.
    pub balance: Balance,
    /// What the smallest acceptable request needs of it.
    pub need: u64,
    /// Every failing budget, key first.
    pub failing: Vec<String>,
    /// `None`: waiting does not help.
    pub retry_after_ms: Option<u64>,
}

impl Refused {
    /// The code of gateway.md §12.
    pub fn code(&self) -> Code {
        match self {
            Self::Conflict => Code::RequestIdConflict,
            Self::Stopped { .. } => Code::CallsStopped,
            Self::RunNotOpen(_) => Code::RunNotOpen,
            Self::Rate { .. } => Code::RateLimited,
            Self::InFlight { .. } => Code::TooManyInFlight,
            Self::Run(_) => Code::RunBudgetExceeded,
            Self::NotPriced(_) => Code::ModelNotPriced,
            Self::NoBudget => Code::NoBudget,
            Self::Budget(short) => short.code,
        }
    }

    /// The members that a refusal carries, in the order of the reference.
    pub fn details(&self) -> Map<String, Value> {
        let value = match self {
            Self::Conflict | Self::NoBudget => json!({}),
            Self::NotPriced(budget) => json!({ "budget": budget }),
            Self::Stopped { scope, stop: Stop { reason, since } } => {
                json!({ "scope": scope, "reason": reason, "since": since })
            }
            Self::RunNotOpen(run) => json!({ "run": run }),
            Self::Rate { scope, retry_after_ms } => json!({ "scope": scope, "retry_after_ms": retry_after_ms }),
            Self::InFlight { scope, limit } => {
                json!({ "scope": scope, "limit": limit, "retry_after_ms": IN_FLIGHT_RETRY_MS })
            }
            Self::Run(RunShort { run, unit, need, remaining }) => {
                json!({ "run": run, "unit": unit, "need": need, "remaining": remaining })
            }
            Self::Budget(short) => {
                let Balance { budget, limit, resets_at, .. } = &short.balance;
                let mut details = json!({
                    "budget": budget.id, "scope": budget.scope, "unit": budget.unit, "need": short.need,
                    "remaining": short.balance.remaining(), "limit": limit, "resets_at": resets_at,
                    "failing": short.failing,
                });
                if let Some(wait) = short.retry_after_ms {
                    details["retry_after_ms"] = wait.into();
                }
                details
            }
        };
        match value {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

impl Short {
    /// Where a person asks for more of the budget that is named, unless what is missing comes back by itself.
    fn extension_url(&self) -> Option<String> {
        let Window { spent, held, overrun } = self.balance.window;
        let used = spent.saturating_add(held).saturating_add(overrun);
        let missing = used.saturating_add(self.need).saturating_sub(self.balance.limit);
        let id = &self.balance.budget.id;
        (self.code != Code::BudgetHeld).then(|| format!("/usage?budget={id}&ask={missing}"))
    }
}

impl From<Refused> for GatewayError {
    fn from(refused: Refused) -> Self {
        let refusal = Self::new(refused.code()).with(Value::Object(refused.details()));
        match refused {
            Refused::Budget(short) => match short.extension_url() {
                Some(url) => refusal.with(json!({ "extension_url": url })),
                None => refusal,
            },
            _ => refusal,
        }
    }
}

impl<R: Rows> Ledger<'_, R> {
    /// Sets aside what a request needs, in every budget of its key, user and account, or in its run.
    pub fn admit(&mut self, now: Ms, ask: &AdmissionRequest) -> Result<Admission, R::Error> {
        if let Some(answer) = self.known(now, ask)? {
            return Ok(answer);
        }
        if let Some(refused) = self.stopped(&ask.scopes, &ask.provider)? {
            return Ok(Admission::Refused(refused));
        }
        let run = match &ask.run_id {
            None => None,
            Some(id) => match self.rows.run(id)? {
                Some(run) if run.state == RunState::Open && run.key_id == ask.key_id => Some(run),
                _ => return Ok(Admission::Refused(Refused::RunNotOpen(id.clone()))),
            },
        };
        let arrivals = match self.rates(now, &ask.scopes)? {
            Ok(arrivals) => arrivals,
            Err(refused) => return Ok(Admission::Refused(refused)),
        };
        // A call in a run moves no money and no tokens of the budgets: its run holds them already.
        let mut balances = self.balances(now, &ask.scopes, ask.payer)?;
        if ask.needs_budget && balances.is_empty() {
            return Ok(Admission::Refused(Refused::NoBudget));
        }
        if let Some(budget) = uncountable(ask.unpriced, &balances) {
            return Ok(Admission::Refused(Refused::NotPriced(budget)));
        }
        let counted: Vec<Balance> =
            balances.iter().filter(|b| run.is_none() || b.budget.unit == Unit::Requests).cloned().collect();
        let (amount, clamped) = match settle_amount(&ask.need, |amount| fits(now, amount, run.as_ref(), &counted)) {
            Ok(found) => found,
            Err(refused) => return Ok(Admission::Refused(refused)),
        };

        let windows: Vec<WindowRef> = counted.iter().map(window_ref).collect();
        for place in &windows {
            self.change(place, |window| window.hold(amount.of(place.unit, 1)))?;
        }
        for balance in &mut balances {
            balance.window = self.rows.window(&balance.budget.window_id(), balance.start_ms)?;
        }
        if let Some(mut run) = run {
            run.child = run.child.plus(amount);
            run.touched_ms = run.touched_ms.max(now);
            self.rows.put_run(&run)?;
        }
        for (scope, tat_us) in arrivals {
            self.rows.put_arrival(&scope, tat_us)?;
        }
        self.rows.put_hold(&Hold {
            request_id: ask.request_id.clone(),
            key_id: ask.key_id.clone(),
            scopes: ask.scopes.clone(),
            run_id: ask.run_id.clone(),
            payer: ask.payer,
            asked: ask.need.wanted(),
            amount,
            progress: None,
            windows,
            owner: ask.owner.clone(),
            at_ms: now,
            deadline_ms: now.saturating_add(ask.ttl_ms),
            meta: ask.meta.clone(),
        })?;
        Ok(Admission::Admitted(Admitted { amount, clamped, replayed: false, balances }))
    }

    /// The first answer again when the id is known, open or closed.
    fn known(&self, now: Ms, ask: &AdmissionRequest) -> Result<Option<Admission>, R::Error> {
        let Some((asked, amount)) = self.rows.known(&ask.request_id)? else { return Ok(None) };
        if asked != ask.need.wanted() {
            return Ok(Some(Admission::Refused(Refused::Conflict)));
        }
        let clamped = match &ask.need {
            Wanted::Within(bounds) if amount != asked => Some(amount.tokens.saturating_sub(bounds.input_tokens)),
            _ => None,
        };
        let balances = self.balances(now, &ask.scopes, ask.payer)?;
        Ok(Some(Admission::Admitted(Admitted { amount, clamped, replayed: true, balances })))
    }

    /// The arrival times to write once everything fits.
    #[allow(clippy::type_complexity)]
    fn rates(&self, now: Ms, scopes: &Scopes) -> Result<Result<Vec<(String, i64)>, Refused>, R::Error> {
        let mut limits = Vec::new();
        for scope in scopes.iter() {
            if let Some(limit) = self.rows.limit(scope)? {
                limits.push((scope.to_owned(), limit));
            }
        }
        let mut arrivals = Vec::new();
        for (scope, limit) in &limits {
            match limit.rate.map(|rate| rate.next(now, limit.tat_us)) {
                None => {}
                Some(Ok(tat_us)) => arrivals.push((scope.clone(), tat_us)),
                Some(Err(retry_after_ms)) => return Ok(Err(Refused::Rate { scope: scope.clone(), retry_after_ms })),
            }
        }
        for (scope, limit) in limits {
            if let Some(most) = limit.max_in_flight
                && self.rows.in_flight(&scope)? >= most
            {
                return Ok(Err(Refused::InFlight { scope, limit: most }));
            }
        }
        Ok(Ok(arrivals))
    }
}

/// The cost budget under which a call without a price cannot be counted (spec: gateway.md §4).
pub fn uncountable(unpriced: bool, balances: &[Balance]) -> Option<String> {
    let of_cost = balances.iter().find(|balance| unpriced && balance.budget.unit == Unit::Cost)?;
    Some(of_cost.budget.id.clone())
}

pub(super) fn window_ref(balance: &Balance) -> WindowRef {
    WindowRef { budget: balance.budget.window_id(), unit: balance.budget.unit, start_ms: balance.start_ms }
}

/// The amount that is held, and the lowered maximum: the largest that fits, if it is at least the minimum.
fn settle_amount(
    need: &Wanted,
    fits: impl Fn(Amount) -> Result<(), Refused>,
) -> Result<(Amount, Option<u64>), Refused> {
    let bounds = match need {
        Wanted::Fixed(_) => return fits(need.wanted()).map(|()| (need.wanted(), None)),
        Wanted::Within(bounds) => bounds,
    };
    let wanted = need.wanted();
    let refused = match fits(wanted) {
        Ok(()) => return Ok((wanted, None)),
        Err(refused) => refused,
    };
    let Some(least) = bounds.min_output.filter(|least| *least <= bounds.max_output) else { return Err(refused) };
    fits(bounds.amount(least))?;
    // `least` fits and `max_output` does not; what fits is everything up to some maximum.
    let (mut fitting, mut failing) = (least, bounds.max_output);
    while failing - fitting > 1 {
        let middle = fitting + (failing - fitting) / 2;
        if fits(bounds.amount(middle)).is_ok() {
            fitting = middle;
        } else {
            failing = middle;
        }
    }
    Ok((bounds.amount(fitting), Some(fitting)))
}

/// Whether an amount fits the run and every budget.
pub(super) fn fits(now: Ms, amount: Amount, run: Option<&Run>, balances: &[Balance]) -> Result<(), Refused> {
    if let Some(run) = run {
        let left = run.left();
        for unit in [Unit::Tokens, Unit::Cost] {
            let (need, remaining) = (amount.of(unit, 0), left.of(unit, 0));
            if need > remaining {
                return Err(Refused::Run(RunShort { run: run.id.clone(), unit, need, remaining }));
            }
        }
    }
    let failing: Vec<(u8, &Balance)> =
        balances.iter().filter_map(|b| Some((severity(b, amount.of(b.budget.unit, 1))?, b))).collect();
    let Some(worst) = failing.iter().map(|(severity, _)| *severity).min() else { return Ok(()) };
    let named: Vec<&Balance> = failing.iter().filter(|(severity, _)| *severity == worst).map(|(_, b)| *b).collect();
    let Some(balance) = named.first() else { return Ok(()) };
    let until_reset = || named.iter().filter_map(|b| b.resets_at).max().map(|at| at.saturating_sub(now).max(0) as u64);
    let (code, retry_after_ms) = match worst {
        EXHAUSTED => (Code::BudgetExhausted, None),
        EXCEEDED => (Code::BudgetExceeded, until_reset()),
        _ => (Code::BudgetHeld, Some(HELD_RETRY_MS)),
    };
    Err(Refused::Budget(Box::new(Short {
        code,
        need: amount.of(balance.budget.unit, 1),
        balance: (*balance).clone(),
        failing: failing.iter().map(|(_, b)| b.budget.id.clone()).collect(),
        retry_after_ms,
    })))
}

const EXHAUSTED: u8 = 0;
const EXCEEDED: u8 = 1;
const HELD: u8 = 2;

/// `None`: it fits. Smaller is worse.
fn severity(balance: &Balance, need: u64) -> Option<u8> {
    let limit = balance.limit;
    let used = balance.window.spent.saturating_add(balance.window.overrun).saturating_add(need);
    if need > limit || (balance.resets_at.is_none() && used > limit) {
        Some(EXHAUSTED)
    } else if used > limit {
        Some(EXCEEDED)
    } else if used.saturating_add(balance.window.held) > limit {
        Some(HELD)
    } else {
        None
    }
}
