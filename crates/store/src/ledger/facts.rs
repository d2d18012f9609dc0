//! What a ledger row says about its call beside amounts: known at admission ([`CallFacts`]) and at the end
//! ([`Report`]). Names, counts and outcomes only, never content (spec: gateway.md §6, §13 "Logs").

use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::metrics::ClosedTry;
use serde::{Deserialize, Serialize};

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
