//! What a run may cost, held before its first call as a run of the gateway (spec: app-builder.md §9, gateway.md §13).
//!
//! Invariant: what is not used is free again at the end; a run that nobody closed closes by itself when it is idle.

use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::key::request_id;
use holdpoint_kind_app::protocol::{RUN_MAX_TOKENS, RUN_WALL_SECONDS};
use serde_json::{Value, json};

use crate::account::{AccountCommand, Caller};
use crate::answer::EdgeError;
use crate::js::{now_ms, random};
use crate::objects::{Objects, ask};

/// How much longer than a run its money is held.
const MARGIN_MS: i64 = 60_000;

/// A run of the gateway that holds money.
#[derive(Clone)]
pub struct HeldRun {
    pub id: String,
    caller: Caller,
    objects: Objects,
}

impl HeldRun {
    /// Holds at most `max_cost_micros`. Errors: the codes of budgets.
    pub async fn open(objects: &Objects, caller: &Caller, max_cost_micros: u64) -> Result<Self, EdgeError> {
        let id = request_id(now_ms(), &random()?).replacen("req_", "run_", 1);
        let amount = Amount { tokens: RUN_MAX_TOKENS, cost: max_cost_micros };
        let ttl_ms = i64::from(RUN_WALL_SECONDS) * 1_000 + MARGIN_MS;
        let command = AccountCommand::OpenRun { caller: caller.clone(), id: id.clone(), amount, ttl_ms };
        let _: Value = ask(&objects.account(&caller.account)?, &command).await?;
        Ok(Self { id, caller: caller.clone(), objects: objects.clone() })
    }

    /// Frees what was not used.
    pub async fn close(self) {
        let command = AccountCommand::CloseRun { caller: self.caller.clone(), id: self.id };
        let closed = match self.objects.account(&self.caller.account) {
            Ok(account) => ask::<_, Value>(&account, &command).await.map(drop),
            Err(fault) => Err(fault),
        };
        if let Err(fault) = closed {
            worker::console_error!("{}", json!({"event": "run_not_closed", "code": fault.code}));
        }
    }
}
