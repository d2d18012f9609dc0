//! The budget indicator: the tightest budget, what stands beside it, and what today used (spec: gateway.md §13).
//!
//! Invariant: it shows the numbers of the ledger and nothing that the ledger does not say. A budget that has no room for
//! any call is shown before all others: a small limit that nobody used has its whole share left, and takes none.

use serde::Serialize;
use serde_json::Value;

use crate::budget::{Amount, Balance, Ms, Payers, Period, Unit, tightest};

/// From these shares on, in thousandths, a budget is watched.
const WARN_PERMILLE: u64 = 750;
const CRITICAL_PERMILLE: u64 = 900;

/// No call of the page sets aside less: the answer alone may have as many.
const LEAST_CALL_TOKENS: u64 = 4_096;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BudgetState"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BudgetState"))]
#[serde(rename_all = "lowercase")]
pub enum State {
    Ok,
    Warn,
    Critical,
    Out,
}

/// One budget as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BudgetShown"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BudgetShown"))]
pub struct Shown {
    pub id: String,
    pub scope: String,
    pub unit: Unit,
    pub period: Period,
    pub payer: Payers,
    pub limit: u64,
    /// The part of `limit` that running extensions add.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub granted: Option<u64>,
    pub spent: u64,
    pub held: u64,
    pub overrun: u64,
    pub remaining: u64,
    pub used_permille: u64,
    pub resets_at: Option<Ms>,
}

impl From<&Balance> for Shown {
    fn from(balance: &Balance) -> Self {
        let (budget, window) = (&balance.budget, balance.window);
        Self {
            id: budget.id.clone(),
            scope: budget.scope.clone(),
            unit: budget.unit,
            period: budget.period,
            payer: budget.payer,
            limit: balance.limit,
            granted: Some(balance.limit.saturating_sub(budget.limit)).filter(|granted| *granted > 0),
            spent: window.spent,
            held: window.held,
            overrun: window.overrun,
            remaining: balance.remaining(),
            used_permille: balance.used_permille(),
            resets_at: balance.resets_at,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Today {
    #[serde(flatten)]
    pub amount: Amount,
    pub requests: u64,
}

/// A model of the platform as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnsweringModel {
    pub name: String,
    /// Whether its server is a local one, which nobody pays.
    pub local: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Indicator {
    /// Whose money pays a turn about a crew package or an app: `platform`, or `byok` where the user's own model answers.
    pub payer: &'static str,
    /// What answers on the platform's money; absent: nothing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub model: Option<AnsweringModel>,
    /// The user's own model, as its server names it, where it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub own_model: Option<String>,
    /// The currency that the micros count.
    pub currency: &'static str,
    pub state: State,
    pub budget: Option<Shown>,
    pub others: Vec<Shown>,
    /// What was counted since midnight UTC.
    pub today: Today,
    /// The run that is open, in the shape of `/runs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub run: Option<Value>,
    /// Whether today's numbers hold estimates.
    pub estimated: bool,
}

/// Whether a call may fit into what is left. What one costs depends on its model; of requests one is enough.
fn has_room(balance: &Balance) -> bool {
    let least = if balance.budget.unit == Unit::Tokens { LEAST_CALL_TOKENS } else { 1 };
    balance.remaining() >= least
}

/// The budget that refuses the next call first.
fn decisive(balances: &[Balance]) -> Option<&Balance> {
    let full: Vec<Balance> = balances.iter().filter(|balance| !has_room(balance)).cloned().collect();
    let tight = tightest(&full)?;
    balances.iter().find(|balance| *balance == tight)
}

/// Computes the indicator. `refused`: the last call was refused for budget.
pub fn indicator(balances: &[Balance], refused: bool, today: Today, run: Option<Value>, estimated: bool) -> Indicator {
    let tight = decisive(balances).or_else(|| tightest(balances));
    let state = match tight.map_or(0, Balance::used_permille) {
        _ if refused => State::Out,
        _ if tight.is_some_and(|tight| !has_room(tight)) => State::Critical,
        CRITICAL_PERMILLE.. => State::Critical,
        WARN_PERMILLE.. => State::Warn,
        _ => State::Ok,
    };
    let others = balances.iter().filter(|balance| tight.is_none_or(|tight| tight != *balance)).map(Shown::from);
    Indicator {
        payer: "platform",
        model: None,
        own_model: None,
        currency: "USD",
        state,
        budget: tight.map(Shown::from),
        others: others.collect(),
        today,
        run,
        estimated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, Window};

    fn balance(id: &str, unit: Unit, limit: u64, spent: u64) -> Balance {
        let budget = Budget {
            id: id.to_owned(),
            scope: "account:acme".to_owned(),
            unit,
            limit,
            period: Period::Day,
            payer: Payers::Platform,
            generation: 0,
            grants: Vec::new(),
        };
        Balance::at(0, budget, Window { spent, ..Window::default() })
    }

    #[test]
    fn a_budget_without_room_for_a_call_is_shown_before_one_with_less_of_its_share_left() {
        let day = balance("day", Unit::Tokens, 5_000_000, 112_432);
        let cases = [
            (balance("mine", Unit::Tokens, 115, 0), "mine", State::Critical),
            (balance("mine", Unit::Tokens, 0, 0), "mine", State::Critical),
            (balance("mine", Unit::Requests, 5, 5), "mine", State::Critical),
            (balance("mine", Unit::Cost, 0, 0), "mine", State::Critical),
            (balance("mine", Unit::Tokens, 115_000, 0), "day", State::Ok),
            (balance("mine", Unit::Tokens, 115_000, 92_000), "mine", State::Warn),
            (balance("mine", Unit::Requests, 5, 0), "day", State::Ok),
        ];
        for (mine, shown, state) in cases {
            for balances in [[day.clone(), mine.clone()], [mine.clone(), day.clone()]] {
                let found = indicator(&balances, false, Today::default(), None, false);
                let id = found.budget.map(|budget| budget.id);
                assert_eq!((id.as_deref(), found.state), (Some(shown), state), "{mine:?}");
                assert_eq!(found.others.len(), 1);
            }
        }
    }
}
