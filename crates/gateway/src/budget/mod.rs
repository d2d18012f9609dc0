//! Budgets: windows, admission, holds, settlement, expiry, runs (spec: gateway.md §6).
//!
//! Owns the law `spent + held <= limit`. It knows nothing of HTTP, SQL or time: `now` comes in, rows are read and
//! written through [`Rows`]. Two drivers share it: [`book::Book`] in memory (`budget.simulate`) and the SQL ledger of
//! `crates/store`. Invariant: a refusal writes nothing at all; every operation is meant for one transaction.

mod admit;
pub mod book;
mod close;
mod grant;
mod rate;
mod rows;
mod run;
pub mod simulate;
mod slice;
mod stop;
mod window;

pub use admit::{Admission, AdmissionRequest, Admitted, AmountBounds, Refused, RunShort, Short, Wanted, uncountable};
pub use close::{Close, Closed};
pub use grant::Grant;
pub use rate::{Rate, ScopeLimit};
pub use rows::{Charge, Hold, HoldOwner, LedgerRow, RowKind, Rows, Run, RunState, WindowRef};
pub use run::{RunBounds, RunClose, RunOpening, RunRequest};
pub use slice::{SLICE_MS, SLICE_SUFFIX, Slice, SliceCall, SliceRequest};
pub use stop::Stop;
pub use window::DAY_MS;
pub use window::{Amount, Balance, Budget, Payer, Payers, Period, Unit, Window, tightest};
pub(crate) use window::{days_before, year_and_month};

/// In milliseconds since 1970, UTC.
pub type Ms = i64;

/// The scopes of one principal, narrowest first: `key:…`, `user:…`, `account:…`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(pub [String; 3]);

impl Scopes {
    /// The scopes of a key, its user and its account.
    pub fn new(key: &str, user: &str, account: &str) -> Self {
        Self([format!("key:{key}"), format!("user:{user}"), format!("account:{account}")])
    }

    /// Ordered with the narrowest first.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// What ends without its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// The hold of that request.
    Hold(String),
    /// The run of that id.
    Run(String),
}

impl Due {
    pub fn into_id(self) -> String {
        match self {
            Self::Hold(id) | Self::Run(id) => id,
        }
    }
}

/// What an expired hold costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpirePolicy {
    /// The last progress report, or the whole hold if none came.
    #[default]
    BillProgress,
    BillHold,
    Release,
}

impl ExpirePolicy {
    /// It is one of `bill_progress`, `bill_hold`, `release`.
    pub fn name(self) -> &'static str {
        match self {
            Self::BillProgress => "bill_progress",
            Self::BillHold => "bill_hold",
            Self::Release => "release",
        }
    }
}

/// The law over some rows. Every method is one transaction of its driver; call [`Ledger::fire_due`] first in each.
///
/// ```
/// use holdpoint_gateway::budget::{Admission, Amount, AdmissionRequest, Ledger, Wanted, Scopes, book::Book};
/// let mut book = Book::default();
/// let mut ledger = Ledger::new(&mut book, Default::default());
/// let ask = AdmissionRequest::new("req_1", "k1", Scopes::new("k1", "ann", "acme"), Wanted::Fixed(Amount { tokens: 9, cost: 0 }), 100);
/// assert!(matches!(ledger.admit(0, &ask), Ok(Admission::Admitted(_))));
/// ```
#[derive(Debug)]
pub struct Ledger<'r, R: Rows> {
    rows: &'r mut R,
    policy: ExpirePolicy,
}

impl<'r, R: Rows> Ledger<'r, R> {
    /// The law over these rows.
    pub fn new(rows: &'r mut R, policy: ExpirePolicy) -> Self {
        Self { rows, policy }
    }

    /// Expires every hold and closes every open run whose deadline has come; answers their ids: holds by deadline
    /// then id, then runs by id.
    pub fn fire_due(&mut self, now: Ms) -> Result<Vec<String>, R::Error> {
        let due = self.due(now)?;
        due.iter().try_for_each(|due| self.end(now, due))?;
        Ok(due.into_iter().map(Due::into_id).collect())
    }

    /// What [`Ledger::fire_due`] ends, in its order; a driver that can fail ends each in a transaction of its own.
    pub fn due(&self, now: Ms) -> Result<Vec<Due>, R::Error> {
        let holds = self.rows.due_holds(now)?.into_iter().map(Due::Hold);
        Ok(holds.chain(self.rows.due_runs(now)?.into_iter().map(Due::Run)).collect())
    }

    /// The holds of that relay shard which a lower boot of it opened: they end at once.
    pub fn orphans(&self, shard: &str, boot: u64) -> Result<Vec<Due>, R::Error> {
        Ok(self.rows.orphans(shard, boot)?.into_iter().map(Due::Hold).collect())
    }

    /// Expires a hold by the account's policy, or closes a run.
    pub fn end(&mut self, now: Ms, due: &Due) -> Result<(), R::Error> {
        match due {
            Due::Hold(id) => self.expire(now, id).map(drop),
            Due::Run(id) => self.close_run(now, id).map(drop),
        }
    }

    /// The budgets of some scopes that count calls of that payer, with their windows at `now`.
    pub fn balances(&self, now: Ms, scopes: &Scopes, payer: Payer) -> Result<Vec<Balance>, R::Error> {
        self.rows.budgets(scopes, payer)?.into_iter().map(|budget| self.balance(now, budget)).collect()
    }

    fn balance(&self, now: Ms, budget: Budget) -> Result<Balance, R::Error> {
        let start_ms = budget.period.start(now);
        let window = self.rows.window(&budget.window_id(), start_ms)?;
        Ok(Balance::at(now, budget, window))
    }

    /// Changes one window by a rule.
    fn change(&mut self, place: &WindowRef, rule: impl FnOnce(&mut Window)) -> Result<(), R::Error> {
        let mut window = self.rows.window(&place.budget, place.start_ms)?;
        rule(&mut window);
        self.rows.put_window(&place.budget, place.start_ms, &window)
    }
}
