//! Prices and what usage costs, in whole micros (spec: gateway.md §4).
//!
//! Invariant: no float touches money; one rounding, up, per request.

use serde::{Deserialize, Serialize};

use crate::wire::Usage;

const MILLION: u128 = 1_000_000;

/// Micros per million tokens; `request` micros per call.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Price {
    pub input: u64,
    /// Cached input; as `input` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<u64>,
    /// Written to a cache; as `input` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Written for an hour; as `cache_write` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<u64>,
    pub output: u64,
    pub request: u64,
    /// Dearer or cheaper above some input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<Tier>,
}

/// The prices that a tier replaces, for the whole request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tier {
    pub above_input_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_1h: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
}

/// Every price resolved for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    pub input: u64,
    pub cached_input: u64,
    pub cache_write: u64,
    pub cache_write_1h: u64,
    pub output: u64,
}

impl Price {
    /// The prices at a total input (fresh, cached and written).
    pub fn rates(&self, input_tokens: u64) -> Rates {
        let passed = self.tiers.iter().filter(|tier| input_tokens > tier.above_input_tokens);
        self.with_tier(passed.max_by_key(|tier| tier.above_input_tokens))
    }

    /// The prices of every tier that a request of at most this input could reach, the base first.
    pub fn reachable(&self, input_bound: u64) -> impl Iterator<Item = Rates> {
        let tiers = self.tiers.iter().filter(move |tier| input_bound > tier.above_input_tokens);
        std::iter::once(self.with_tier(None)).chain(tiers.map(|tier| self.with_tier(Some(tier))))
    }

    /// Absent prices fall back after the tier has replaced what it names.
    fn with_tier(&self, tier: Option<&Tier>) -> Rates {
        let of = |own: Option<u64>, pick: fn(&Tier) -> Option<u64>| tier.and_then(pick).or(own);
        let input = of(Some(self.input), |tier| tier.input).unwrap_or_default();
        let cached_input = of(self.cached_input, |tier| tier.cached_input).unwrap_or(input);
        let cache_write = of(self.cache_write, |tier| tier.cache_write).unwrap_or(input);
        let cache_write_1h = of(self.cache_write_1h, |tier| tier.cache_write_1h).unwrap_or(cache_write);
        let output = of(Some(self.output), |tier| tier.output).unwrap_or_default();
        Rates { input, cached_input, cache_write, cache_write_1h, output }
    }

    pub fn cost(&self, usage: &Usage) -> u64 {
        let rates = self.rates(usage.input.saturating_add(usage.cached_input).saturating_add(usage.cache_write));
        let hour = usage.cache_write_1h.min(usage.cache_write);
        micros(&[
            (usage.input, rates.input),
            (usage.cached_input, rates.cached_input),
            (usage.cache_write - hour, rates.cache_write),
            (hour, rates.cache_write_1h),
            (usage.output, rates.output),
        ])
        .saturating_add(self.request)
    }
}

/// The sum of tokens × price per million, rounded up once.
pub fn micros(parts: &[(u64, u64)]) -> u64 {
    let sum: u128 = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(*price)).sum();
    u64::try_from(sum.div_ceil(MILLION)).unwrap_or(u64::MAX)
}
