//! What the law reads and writes: holds, ledger rows, runs, and the trait that a driver implements.
//!
//! Owns the shapes of the rows; a driver keeps them as it likes (maps, SQL) and adds no rule of its own.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Amount, Budget, Ms, Payer, ScopeLimit, Scopes, Stop, Unit, Window};

/// One window of one budget, as holds and runs remember where they were admitted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WindowRef {
    /// The [`window_id`](Budget::window_id) of the budget.
    pub budget: String,
    pub unit: Unit,
    pub start_ms: Ms,
}

/// The relay that owns a call: a shard in one of its lives. Written `shard#boot`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldOwner {
    /// Which relay of the account.
    pub shard: String,
    /// The number of its life; each start of the shard has a higher one.
    pub boot: u64,
}

impl fmt::Display for HoldOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.shard, self.boot)
    }
}

impl From<&str> for HoldOwner {
    /// What names no number is of a life before all that are counted.
    fn from(text: &str) -> Self {
        let (shard, boot) = text.split_once('#').unwrap_or((text, ""));
        Self { shard: shard.to_owned(), boot: boot.parse().unwrap_or_default() }
    }
}

/// Money and tokens set aside for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    pub request_id: String,
    pub key_id: String,
    pub scopes: Scopes,
    /// The run on which it draws.
    pub run_id: Option<String>,
    pub payer: Payer,
    /// What was asked for before any clamp. Equal to `amount` where there is no clamp.
    pub asked: Amount,
    pub amount: Amount,
    pub progress: Option<Amount>,
    /// The windows it is held in: all of the request's own; of a call in a run only those that count requests.
    pub windows: Vec<WindowRef>,
    /// The relay that owns the upstream stream.
    pub owner: HoldOwner,
    pub at_ms: Ms,
    pub deadline_ms: Ms,
    /// The driver's own facts about the call, untouched.
    pub meta: String,
}

/// How a request was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    Settled,
    Released,
    Expired,
    Corrected,
}

/// What one budget window was charged for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub window: WindowRef,
    pub amount: u64,
    pub excess: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    pub request_id: String,
    pub key_id: String,
    pub scopes: Scopes,
    pub run_id: Option<String>,
    pub payer: Payer,
    pub kind: RowKind,
    pub amount: Amount,
    pub excess: Amount,
    /// What had been asked for before any clamp.
    pub asked: Amount,
    pub held: Amount,
    /// 1, or 0 when released.
    pub requests: u64,
    pub at_ms: Ms,
    pub closed_ms: Ms,
    pub charges: Vec<Charge>,
    pub meta: String,
    pub report: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Open,
    Closing,
    Closed,
}

/// A hold for a whole authoring run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub id: String,
    /// The key that opened it; another key's calls do not find it.
    pub key_id: String,
    /// What it may draw in all.
    pub amount: Amount,
    /// Held by its open calls.
    pub child: Amount,
    /// Charged by its closed calls.
    pub spent: Amount,
    pub state: RunState,
    /// When it was opened, or a call of it began or ended last.
    pub touched_ms: Ms,
    /// How long it may stay open without a call in flight.
    pub idle_ms: Ms,
    /// When it gave the rest back.
    pub closed_ms: Option<Ms>,
    /// The windows in which it was opened.
    pub windows: Vec<WindowRef>,
    pub deadline_ms: Ms,
}

impl Run {
    /// When it closes itself unless a call of it is in flight then.
    pub fn idle_at(&self) -> Ms {
        self.touched_ms.saturating_add(self.idle_ms)
    }

    /// What a next call may take.
    pub fn left(&self) -> Amount {
        if self.state == RunState::Open { self.amount.minus(self.spent).minus(self.child) } else { Amount::default() }
    }

    /// What closing gave back; nothing while it runs.
    pub fn returned(&self) -> Amount {
        if self.state == RunState::Closed { self.amount.minus(self.spent) } else { Amount::default() }
    }
}

/// Where the law reads and writes. All calls of one law method belong to one transaction.
pub trait Rows {
    /// What can go wrong below; the transaction is then rolled back.
    type Error;

    /// The budgets of the scopes that count calls of that payer: in the order of the scopes, within one as configured.
    fn budgets(&self, scopes: &Scopes, payer: Payer) -> Result<Vec<Budget>, Self::Error>;
    /// A window; all zero when there is no row.
    fn window(&self, budget: &str, start_ms: Ms) -> Result<Window, Self::Error>;
    /// Inserts or replaces a window.
    fn put_window(&mut self, budget: &str, start_ms: Ms, window: &Window) -> Result<(), Self::Error>;

    fn hold(&self, request_id: &str) -> Result<Option<Hold>, Self::Error>;
    /// What was asked for and what was held under that id, whether its hold is open or closed.
    fn known(&self, request_id: &str) -> Result<Option<(Amount, Amount)>, Self::Error> {
        if let Some(hold) = self.hold(request_id)? {
            return Ok(Some((hold.asked, hold.amount)));
        }
        Ok(self.row(request_id)?.map(|row| (row.asked, row.held)))
    }
    /// Inserts or replaces a hold.
    fn put_hold(&mut self, hold: &Hold) -> Result<(), Self::Error>;
    fn remove_hold(&mut self, request_id: &str) -> Result<(), Self::Error>;
    /// Ids of the holds with `deadline_ms <= now`, by deadline then id.
    fn due_holds(&self, now: Ms) -> Result<Vec<String>, Self::Error>;
    /// Ids of the holds whose owner is the shard in a boot lower than that, by id.
    fn orphans(&self, shard: &str, boot: u64) -> Result<Vec<String>, Self::Error>;
    /// Open holds of a run.
    fn run_in_flight(&self, run_id: &str) -> Result<u64, Self::Error>;

    fn row(&self, request_id: &str) -> Result<Option<LedgerRow>, Self::Error>;
    /// Inserts a row, or replaces it when an expired one is corrected.
    fn put_row(&mut self, row: &LedgerRow) -> Result<(), Self::Error>;

    fn run(&self, id: &str) -> Result<Option<Run>, Self::Error>;
    /// Inserts or replaces a run.
    fn put_run(&mut self, run: &Run) -> Result<(), Self::Error>;
    /// Ids, by id, of the open runs with `deadline_ms <= now`, and of those with `idle_at() <= now` that have no open hold.
    fn due_runs(&self, now: Ms) -> Result<Vec<String>, Self::Error>;
    /// How many runs of a key are not closed.
    fn open_runs(&self, key_id: &str) -> Result<u64, Self::Error>;
    /// What the runs that are not closed hold in a window, their calls included.
    fn held_by_runs(&self, place: &WindowRef) -> Result<u64, Self::Error>;

    /// Why calls of a scope are stopped; a driver without switches keeps this.
    fn stop(&self, _scope: &str) -> Result<Option<Stop>, Self::Error> {
        Ok(None)
    }
    /// Rate and in-flight limits of a scope; a driver without any keeps this.
    fn limit(&self, _scope: &str) -> Result<Option<ScopeLimit>, Self::Error> {
        Ok(None)
    }
    /// Open holds of a scope; only asked when [`Rows::limit`] names a maximum.
    fn in_flight(&self, _scope: &str) -> Result<u64, Self::Error> {
        Ok(0)
    }
    /// Moves the theoretical arrival time of a scope; only called when [`Rows::limit`] names a rate.
    fn put_arrival(&mut self, _scope: &str, _tat_us: i64) -> Result<(), Self::Error> {
        Ok(())
    }
}
