//! Budgets of money and the prices that they need (spec: gateway.md §4).
//!
//! Invariant: no budget of money is set that would hold nothing, because none of the calls that it counts has a price.

use holdpoint_check::args;
use holdpoint_gateway::budget::{Budget, Payer, Unit};
use holdpoint_gateway::config::Config;
use holdpoint_gateway::refusal::{Code, GatewayError};

use super::keys::may_use;
use super::{Ledger, LedgerError};
use crate::codes::NO_PRICES;
use crate::sql::Sql;

impl<S: Sql> Ledger<S> {
    /// `MODEL_NOT_PRICED` for a budget of money that no priced model counts against. A key's own budget counts the
    /// models that the key may use.
    pub fn require_prices(&self, budget: &Budget, config: &Config) -> Result<(), LedgerError> {
        if budget.unit != Unit::Cost {
            return Ok(());
        }
        let key = budget.scope.strip_prefix("key:").map(|id| self.key(id)).transpose()?.flatten();
        let models = key.map(|key| key.models).unwrap_or_default();
        let may_call = |alias: &str| may_use(&models, alias);
        let mut counted = [Payer::Platform, Payer::Byok].into_iter().filter(|payer| budget.payer.covers(*payer));
        if counted.any(|payer| config.has_prices(payer, may_call)) {
            return Ok(());
        }
        Err(GatewayError::at(Code::ModelNotPriced, "/unit").says(&NO_PRICES, args! {}).into())
    }
}
