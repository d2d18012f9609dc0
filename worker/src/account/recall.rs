//! Recalling what relays were lent (spec: gateway.md §6 "Slices").
//!
//! Invariant: once this is over, no call is admitted by what held before: each relay has confirmed, or its slices have run
//! out.

use std::time::Duration;

use holdpoint_gateway::budget::SLICE_MS;
use worker::Delay;

use crate::js::now_ms;
use crate::objects::{Objects, ask};
use crate::relay::RelayCommand;

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
