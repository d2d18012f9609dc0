//! Budgets and their windows: UTC-aligned minutes, days, months, or one that never resets.

use serde::{Deserialize, Serialize};

use super::{Grant, Ms};

const MINUTE_MS: Ms = 60_000;
pub const DAY_MS: Ms = 86_400_000;

/// The largest count: what every end of the wire and every database carries alike. Sums stop here.
const MAX_COUNT: u64 = (1 << 53) - 1;

pub(super) fn sum(one: u64, other: u64) -> u64 {
    one.saturating_add(other).min(MAX_COUNT)
}

/// Tokens and money (micros) of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Amount {
    /// Fresh, cached, written and output tokens together.
    #[serde(default)]
    pub tokens: u64,
    /// In millionths of the currency's unit.
    #[serde(default)]
    pub cost: u64,
}

impl Amount {
    /// Each part less the other's, not below zero.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_sub(other.tokens), cost: self.cost.saturating_sub(other.cost) }
    }

    /// Each part and the other's together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { tokens: sum(self.tokens, other.tokens), cost: sum(self.cost, other.cost) }
    }

    /// What a ledger can carry of it.
    #[must_use]
    pub fn bounded(self) -> Self {
        self.min(Self { tokens: MAX_COUNT, cost: MAX_COUNT })
    }

    /// The smaller of each part.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { tokens: self.tokens.min(other.tokens), cost: self.cost.min(other.cost) }
    }

    /// The larger of each part.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { tokens: self.tokens.max(other.tokens), cost: self.cost.max(other.cost) }
    }

    /// What a budget of that unit counts, `requests` being given.
    pub fn of(self, unit: Unit, requests: u64) -> u64 {
        match unit {
            Unit::Cost => self.cost,
            Unit::Tokens => self.tokens,
            Unit::Requests => requests,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Cost,
    Tokens,
    Requests,
}

impl Unit {
    /// It is one of `cost`, `tokens`, `requests`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Tokens => "tokens",
            Self::Requests => "requests",
        }
    }
}

/// How long a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Period {
    Minute,
    Day,
    Month,
    Total,
}

impl Period {
    /// It is one of `minute`, `day`, `month`, `total`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Day => "day",
            Self::Month => "month",
            Self::Total => "total",
        }
    }

    /// Start of the window that holds `now`; 0 for `total`.
    pub fn start(self, now: Ms) -> Ms {
        match self {
            Self::Minute => now - now.rem_euclid(MINUTE_MS),
            Self::Day => now - now.rem_euclid(DAY_MS),
            Self::Month => month_start(now, 0),
            Self::Total => 0,
        }
    }

    /// When the window that holds `now` ends; `None` for `total`.
    pub fn end(self, now: Ms) -> Option<Ms> {
        match self {
            Self::Minute => Some(self.start(now) + MINUTE_MS),
            Self::Day => Some(self.start(now) + DAY_MS),
            Self::Month => Some(month_start(now, 1)),
            Self::Total => None,
        }
    }
}

/// The first millisecond of the calendar month of `now`, `ahead` months later.
fn month_start(now: Ms, ahead: i64) -> Ms {
    let (year, month) = year_and_month(now.div_euclid(DAY_MS));
    let months = year * 12 + (month - 1) + ahead;
    days_before(months.div_euclid(12), months.rem_euclid(12) + 1) * DAY_MS
}

/// Year and month (1–12) of a day counted from 1970-01-01, proleptic Gregorian (H. Hinnant's `civil_from_days`).
pub(crate) fn year_and_month(days: i64) -> (i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month)
}

/// Days from 1970-01-01 to the first of a month (H. Hinnant's `days_from_civil`).
pub(crate) fn days_before(year: i64, month: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Whose money a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Payer {
    #[default]
    Platform,
    /// The user's own, with the user's own key.
    Byok,
}

impl Payer {
    pub fn name(self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::Byok => "byok",
        }
    }
}

/// Whose calls a budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Payers {
    /// Those that the platform pays.
    #[default]
    Platform,
    /// Those with a user's own key.
    Byok,
    Any,
}

impl Payers {
    pub fn name(self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::Byok => "byok",
            Self::Any => "any",
        }
    }

    /// Whether a call of that payer counts.
    pub fn covers(self, payer: Payer) -> bool {
        match self {
            Self::Platform => payer == Payer::Platform,
            Self::Byok => payer == Payer::Byok,
            Self::Any => true,
        }
    }
}

/// A limit on what a scope may use in a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub id: String,
    /// It is one of `key:…`, `user:…` or `account:…`.
    pub scope: String,
    pub unit: Unit,
    pub period: Period,
    pub limit: u64,
    #[serde(default)]
    pub payer: Payers,
    /// How many budgets of this id were deleted before it.
    #[serde(skip)]
    pub generation: u64,
    /// Extensions of its limit, running or over.
    #[serde(skip)]
    pub grants: Vec<Grant>,
}

impl Budget {
    /// The name of its windows: a budget made anew under an old id does not inherit what another one spent.
    pub fn window_id(&self) -> String {
        match self.generation {
            0 => self.id.clone(),
            later => format!("{}~{later}", self.id),
        }
    }
}

/// The state of one window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Window {
    pub spent: u64,
    /// Set aside for open holds and runs.
    pub held: u64,
    pub overrun: u64,
}

impl Window {
    pub(super) fn hold(&mut self, amount: u64) {
        self.held = sum(self.held, amount);
    }

    /// Gives back what was set aside.
    pub(super) fn free(&mut self, amount: u64) {
        self.held = self.held.saturating_sub(amount);
    }

    /// Charges, and what was used above the hold.
    pub(super) fn charge(&mut self, amount: u64, excess: u64) {
        self.spent = sum(self.spent, amount);
        self.overrun = sum(self.overrun, excess);
    }

    pub(super) fn refund(&mut self, amount: u64, excess: u64) {
        self.spent = self.spent.saturating_sub(amount);
        self.overrun = self.overrun.saturating_sub(excess);
    }
}

/// A budget with its window at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    pub budget: Budget,
    /// Its limit at that time, with the extensions that run.
    pub limit: u64,
    pub start_ms: Ms,
    /// When it resets; `None`: never.
    pub resets_at: Option<Ms>,
    pub window: Window,
}

impl Balance {
    /// A budget at `now`, with the window that holds `now`.
    pub fn at(now: Ms, budget: Budget, window: Window) -> Self {
        let (limit, start_ms, resets_at) = (budget.limit_at(now), budget.period.start(now), budget.period.end(now));
        Self { budget, limit, start_ms, resets_at, window }
    }

    /// What a next request may take.
    pub fn remaining(&self) -> u64 {
        let Window { spent, held, overrun } = self.window;
        self.limit.saturating_sub(spent.saturating_add(held).saturating_add(overrun))
    }

    /// Used and held, in thousandths of the limit; 1000 for a limit of 0.
    pub fn used_permille(&self) -> u64 {
        let limit = u128::from(self.limit);
        let taken = limit - u128::from(self.remaining());
        (taken * 1_000).checked_div(limit).map_or(1_000, |share| share as u64)
    }

    /// The value of `holdpoint-budget` (spec: gateway.md §2).
    pub fn header(&self) -> String {
        let reset = self.resets_at.map_or("never".to_owned(), |at| (at / 1_000).to_string());
        let (id, unit, limit) = (&self.budget.id, self.budget.unit.name(), self.limit);
        format!("{id};unit={unit};limit={limit};remaining={};reset={reset}", self.remaining())
    }
}

/// The budget with the smallest share left; of equals the first.
pub fn tightest(balances: &[Balance]) -> Option<&Balance> {
    // a.remaining / a.limit < b.remaining / b.limit, without division; a limit of 0 has nothing left.
    let share = |balance: &Balance| (u128::from(balance.remaining()), u128::from(balance.limit.max(1)));
    balances.iter().reduce(|best, next| {
        let ((left, limit), (next_left, next_limit)) = (share(best), share(next));
        if next_left * limit < left * next_limit { next } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_aligned_to_utc() {
        let cases = [
            // 2026-01-01T00:00:30Z, 2024-02-29T12:00Z, 2026-12-31T23:59:59.999Z
            (1_767_225_630_000, Period::Minute, 1_767_225_600_000, Some(1_767_225_660_000)),
            (1_767_225_630_000, Period::Day, 1_767_225_600_000, Some(1_767_312_000_000)),
            (1_709_208_000_000, Period::Month, 1_706_745_600_000, Some(1_709_251_200_000)),
            (1_798_761_599_999, Period::Month, 1_796_083_200_000, Some(1_798_761_600_000)),
            (1_767_225_630_000, Period::Total, 0, None),
        ];
        for (now, period, start, end) in cases {
            assert_eq!((period.start(now), period.end(now)), (start, end), "{now} {period:?}");
        }
    }
}
