//! What relays were lent: settled in batches, and recalled (spec: gateway.md §6 "Slices").
//!
//! Invariant: once a recall is over, no call is admitted by what held before: each relay has confirmed, or its slices have run
//! out.

use std::time::Duration;

use holdpoint_gateway::budget::{Amount, SLICE_MS};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::ClosedCall;
use serde_json::Value;
use worker::Delay;

use super::command::{AccountCommand, Answered, closed};
use super::memory::InMemory;
use super::webhooks;
use crate::js::now_ms;
use crate::objects::{Objects, ask};
use crate::relay::RelayCommand;
use crate::sql::ObjectSql;

/// Until a relay that did not answer is asked again.
const AGAIN_MS: u64 = 500;

/// Tells those relays, each the name of its account and its shard, to use nothing that was lent until now.
pub async fn recall(objects: &Objects, borrowers: Vec<(String, String)>) {
    let at_ms = now_ms();
    for (account, shard) in borrowers {
        while now_ms().saturating_sub(at_ms) <= SLICE_MS {
            if let Ok(relay) = objects.relay_called(&account, &shard)
                && ask::<_, bool>(&relay, &RelayCommand::Recall { at_ms }).await.is_ok()
            {
                break;
            }
            Delay::from(Duration::from_millis(AGAIN_MS)).await;
        }
    }
}

/// Charges a batch of calls to their slice; what is kept stays in it.
pub(super) fn settle(
    ledger: &Ledger<ObjectSql>,
    id: &str,
    calls: &[ClosedCall],
    keep: Option<Amount>,
    memory: &InMemory,
    now: i64,
) -> Answered {
    let closes = ledger.settle_slice(now, id, calls, keep)?;
    for (call, close) in calls.iter().zip(&closes) {
        webhooks::tell_close(ledger, &call.request_id, close);
        // What a slice that is over leaves unknown was charged with it.
        let _ = closed(close, &call.report, memory);
    }
    Ok(Value::Bool(true))
}

impl AccountCommand {
    /// Whether calls that could be made before it may be refused behind it: what relays were lent is recalled then.
    pub fn narrows(&self) -> bool {
        matches!(
            self,
            Self::ChangeKey { .. }
                | Self::RotateKey { .. }
                | Self::RevokeKey { .. }
                | Self::PutBudget { .. }
                | Self::DeleteBudget { .. }
                | Self::PutLimit { .. }
                | Self::DecideExtension { .. }
                | Self::PutSwitch { .. }
        )
    }
}
