//! Admitting a call: what its relay and its client are told (spec: gateway.md §2, §6).

use holdpoint_gateway::budget::{Amount, Balance, Unit, tightest};
use holdpoint_gateway::instant::iso;
use holdpoint_gateway::{Code, Protocol};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::{CallAsk, LedgerError, Lent};
use serde::{Deserialize, Serialize};

use super::command::{Answered, Caller, to_value};
use super::memory::InMemory;
use super::route::Routed;
use crate::sql::ObjectSql;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AdmitAnswer {
    /// The key, to which a later cancel must belong.
    pub key_id: String,
    pub held: Amount,
    /// Output tokens that are left of those that were asked for.
    pub clamped: Option<u64>,
    /// Response headers about the budgets.
    pub headers: Vec<(String, String)>,
    /// What was decided, where there are several candidates.
    pub routed: Option<Routed>,
    /// What was lent beside the call.
    #[serde(default)]
    pub lent: Option<Lent>,
}

/// Admits a call, and remembers whose last one was refused for budget.
pub(super) fn admit(
    ledger: &Ledger<ObjectSql>,
    caller: &Caller,
    ask: &CallAsk,
    routed: Option<&Routed>,
    memory: &InMemory,
    now: i64,
) -> Answered {
    let protocol = Protocol::named(&ask.facts.protocol);
    match ledger.admit(now, &caller.credential, ask) {
        Ok((principal, admitted)) => {
            memory.refused.borrow_mut().remove(&principal.user_id);
            to_value(&AdmitAnswer {
                key_id: principal.key_id,
                held: admitted.amount,
                clamped: admitted.clamped,
                headers: budget_headers(&admitted.balances, protocol, now),
                routed: routed.cloned(),
                // A slice that cannot be lent keeps no call from being made.
                lent: ask.mean.and_then(|mean| ledger.lend(now, &caller.credential, ask, mean).ok().flatten()),
            })
        }
        Err(error) => {
            if let LedgerError::Refused(refusal) = &error {
                memory.count_refused(refusal.code);
            }
            let for_budget = matches!(&error, LedgerError::Refused(refusal)
                if matches!(refusal.code, Code::BudgetExhausted | Code::BudgetExceeded | Code::BudgetHeld));
            if for_budget && let Ok(principal) = ledger.verify(now, &caller.credential) {
                memory.refused.borrow_mut().insert(principal.user_id);
            }
            Err(error.into())
        }
    }
}

/// `holdpoint-budget`, and the protocol's own names for the tightest limits (spec: gateway.md §2).
fn budget_headers(balances: &[Balance], protocol: Protocol, now: i64) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    if let Some(balance) = tightest(balances) {
        headers.push(("holdpoint-budget".to_owned(), balance.header()));
    }
    for (unit, name) in [(Unit::Requests, "requests"), (Unit::Tokens, "tokens")] {
        let of_unit: Vec<Balance> = balances.iter().filter(|b| b.budget.unit == unit).cloned().collect();
        let Some(balance) = tightest(&of_unit) else { continue };
        let named = |what: &str| match protocol {
            Protocol::OpenAi => format!("x-ratelimit-{what}-{name}"),
            Protocol::Anthropic => format!("anthropic-ratelimit-{name}-{what}"),
        };
        headers.push((named("limit"), balance.limit.to_string()));
        headers.push((named("remaining"), balance.remaining().to_string()));
        if let Some(at) = balance.resets_at {
            let seconds = at.saturating_sub(now).max(0).cast_unsigned().div_ceil(1_000);
            let told = match protocol {
                Protocol::OpenAi => format!("{seconds}s"),
                Protocol::Anthropic => iso(at),
            };
            headers.push((named("reset"), told));
        }
    }
    headers
}
