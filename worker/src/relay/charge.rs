//! What a try is charged: what its provider reports, else an estimate of what was sent and received (spec: gateway.md §6
//! "Settle", §7 "Usage missing or partial").
//!
//! Invariant: only what never left, or what the provider refused without having used anything, is free.

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::metrics::ClosedTry;
use holdpoint_gateway::usage::{Extract, Observer, Source};
use holdpoint_gateway::wire::Chunk;
use holdpoint_store::ledger::Report;

use super::call::{Admitted, Ending, Leaving};
use super::ledger::CloseOrder;
use super::upstream::{Done, Failure};
use crate::answer::finish_word;
use crate::js::now_ms;
use crate::settings::Disconnect;

impl Admitted {
    /// What a usage costs; an estimate is never above the hold.
    pub fn amount(&self, extract: &Extract) -> Amount {
        let cost = self.price.row.price.as_ref().map_or(0, |price| price.cost(&extract.usage));
        let used = Amount { tokens: extract.total, cost };
        if extract.source == Source::Reported { used } else { used.min(self.held) }
    }

    /// Closes a try that gave no answer by what the provider did of it.
    pub(super) async fn failed(&self, failure: &Failure, left: &Leaving) {
        let code = failure.refusal.code;
        let ending = |outcome| Ending {
            outcome,
            status: code.status(),
            disconnect: left.policy_if_gone(),
            ttfb_ms: None,
            output_bytes: 0,
        };
        let outcome = if code == Code::UpstreamTimeout { "timeout" } else { "upstream_error" };
        match &failure.done {
            Done::Charged => {}
            Done::Nothing => {
                self.ledger.close(&CloseOrder::Release, &self.report(&ending("released"), None)).await;
            }
            Done::Unknown => {
                let limits = &self.shared.settings.limits;
                let sent = Observer::new().estimate(self.input_bytes, limits.estimate_bytes_per_token);
                self.settle(&ending(outcome), &sent).await;
            }
            Done::Reported(used) => {
                self.settle(&ending(outcome), used).await;
            }
        }
    }

    /// What a provider that refused says that it used all the same.
    pub(super) fn reported(&self, bytes: &[u8]) -> Option<Extract> {
        let mut observer = Observer::new();
        observer.take(&Chunk::body(self.provider.kind, bytes).ok()?);
        let limits = &self.shared.settings.limits;
        let told = !matches!(observer.extract().source, Source::Missing) && observer.extract().total > 0;
        told.then(|| observer.estimate(self.input_bytes, limits.estimate_bytes_per_token))
    }

    /// Charges what was used. `None`: the account never answered.
    pub async fn settle(&self, ending: &Ending, extract: &Extract) -> Option<Amount> {
        if self.order.counts {
            self.ledger.close(&CloseOrder::Release, &self.report(ending, None)).await;
            return None;
        }
        let free = ending.disconnect == Some(Disconnect::CancelFree);
        let used = if free { Amount::default() } else { self.amount(extract) };
        let mut report = self.report(ending, Some(extract));
        if free {
            "none".clone_into(&mut report.usage_source);
        }
        let answer = self.ledger.close(&CloseOrder::Settle(used), &report).await?;
        Some(answer.charged.plus(answer.excess))
    }

    /// How counts name the provider: those that the platform does not have are counted together.
    fn counted_provider(&self) -> &str {
        let platform = &self.shared.settings.config.providers;
        match &self.provider.id {
            id if platform.iter().any(|provider| provider.id == *id) => id,
            _ if self.is_own() => "own",
            _ => "account",
        }
    }

    pub(super) fn report(&self, ending: &Ending, extract: Option<&Extract>) -> Report {
        let usage = extract.map(|extract| extract.usage).unwrap_or_default();
        let source = match extract.map(|extract| extract.source) {
            Some(Source::Reported) => "reported",
            Some(Source::Estimated | Source::Partial | Source::Missing) => "estimated",
            None => "none",
        };
        self.captured.iter().for_each(|captured| captured.ends(ending.outcome, ending.status));
        Report {
            outcome: ending.outcome.to_owned(),
            usage_source: source.to_owned(),
            disconnect_policy: ending.disconnect.map(|policy| policy.name().to_owned()),
            input: usage.input,
            cached_input: usage.cached_input,
            cache_write: usage.cache_write,
            output: usage.output,
            reasoning: usage.reasoning,
            finish: extract.and_then(|extract| finish_word(extract.finish.as_deref()?)).map(str::to_owned),
            status: ending.status,
            attempts: self.attempts,
            output_bytes: ending.output_bytes,
            ttfb_ms: ending.ttfb_ms,
            counted: Some(ClosedTry {
                protocol: self.order.protocol.name().to_owned(),
                provider: self.counted_provider().to_owned(),
                payer: self.payer.name().to_owned(),
                admit_ms: self.admit_ms.max(0).cast_unsigned(),
                total_ms: now_ms().saturating_sub(self.since).max(0).cast_unsigned(),
                repeated: 0,
            }),
        }
    }
}
