//! What is asked for a call, and what its ledger row says beside amounts: known at admission ([`CallFacts`]) and at the
//! end ([`Report`]). Names, counts and outcomes only, never content (spec: gateway.md §6, §13 "Logs").

use holdpoint_gateway::budget::{Amount, AmountBounds, Ms, Payer, Wanted};
use holdpoint_gateway::metrics::ClosedTry;
use serde::{Deserialize, Serialize};

use super::keys::Clamp;

/// What is known when a call is admitted; kept with its hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CallFacts {
    pub protocol: String,
    /// Model name that the client gave.
    pub alias: String,
    pub provider: String,
    /// Model name of the provider.
    pub model: String,
    /// Version of the price row; `None`: unpriced.
    pub price_version: Option<u64>,
    /// Whether the answer is a stream.
    pub stream: bool,
    /// It counts the bytes of the request.
    pub input_bytes: u64,
    pub tag: Option<String>,
    pub template: Option<String>,
    /// Why the first candidate was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// What was wanted before any clamp, where there could be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Amount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// `ok`, `client_gone`, `cancelled`, `upstream_error`, `upstream_cut`, `stalled`, `timeout`.
    pub outcome: String,
    /// It is one of `reported`, `estimated`, `hold`, `none`.
    pub usage_source: String,
    /// What was done when the client left.
    pub disconnect_policy: Option<String>,
    /// Tokens of the input that were not cached.
    pub input: u64,
    /// Tokens of the input that were cached.
    pub cached_input: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Counted in tokens of the output.
    pub output: u64,
    /// The part of the output that was reasoning.
    pub reasoning: u64,
    pub finish: Option<String>,
    /// Status that the client got.
    pub status: u16,
    pub attempts: u32,
    /// Bytes received from the upstream.
    pub output_bytes: u64,
    /// From admission to the first byte.
    pub ttfb_ms: Option<u64>,
    /// What is counted of it and not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<ClosedTry>,
}

/// What a relay asks for before it calls an upstream.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CallAsk {
    pub request_id: String,
    pub need: Amount,
    /// What it would be with fewer output tokens.
    #[serde(default)]
    pub clamp: Option<ClampAsk>,
    /// The run to draw on.
    pub run_id: Option<String>,
    /// What the client calls the call by, so that it is made once.
    #[serde(default)]
    pub idempotency_key: Option<String>,
    #[serde(default)]
    pub payer: Payer,
    pub shard: String,
    /// The number of the relay's present life.
    pub boot: u64,
    pub ttl_ms: Ms,
    pub facts: CallFacts,
    /// What a call of the key needs on average, where its relay asks for a slice too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<Amount>,
}

/// How a call shrinks, where its budgets have less room than it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClampAsk {
    pub input_tokens: u64,
    pub max_output: u64,
    pub price_in: u64,
    pub price_out: u64,
    /// Millionths of the currency for a call.
    pub request: u64,
    /// The fewest output tokens that the client takes, where it says so.
    pub least: Option<u64>,
    /// The fewest that the provider takes.
    pub floor: u64,
}

/// Output tokens that a call keeps whose key is always clamped.
const ALWAYS_LEAST: u64 = 256;

impl CallAsk {
    /// What is asked of the law: the hold, or how it may shrink.
    pub(super) fn wanted(&self, clamp: Clamp) -> Wanted {
        let Some(bounds) = self.clamp else { return Wanted::Fixed(self.need) };
        let least = match clamp {
            Clamp::Never => None,
            Clamp::Allowed => bounds.least,
            Clamp::Always => bounds.least.or(Some(ALWAYS_LEAST)),
        };
        let ClampAsk { input_tokens, max_output, price_in, price_out, request, floor, .. } = bounds;
        match least.map(|least| least.max(floor)).filter(|least| *least <= max_output) {
            Some(least) => {
                let min_output = Some(least);
                Wanted::Within(AmountBounds { input_tokens, max_output, min_output, price_in, price_out, request })
            }
            None => Wanted::Fixed(self.need),
        }
    }
}
