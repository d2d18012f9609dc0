//! Rate (GCRA) and in-flight limits of a scope (spec: gateway.md §6 "GCRA").
//!
//! Invariant: only an admitted request moves the arrival time; all arithmetic is in whole microseconds.

use serde::{Deserialize, Serialize};

use super::Ms;

/// `count` requests in `per_ms`, at most `burst` at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RateLimit"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RateLimit"))]
pub struct Rate {
    pub count: u32,
    pub per_ms: u32,
    /// At once; `count` when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub burst: Option<u32>,
}

/// The limits of one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScopeLimit {
    pub max_in_flight: Option<u64>,
    pub rate: Option<Rate>,
    /// Theoretical arrival time of the next request, microseconds.
    pub tat_us: i64,
}

impl Rate {
    /// The arrival time after this request, or the milliseconds to wait.
    pub fn next(self, now: Ms, tat_us: i64) -> Result<i64, u64> {
        let now_us = i128::from(now) * 1_000;
        let interval = (i128::from(self.per_ms) * 1_000).div_ceil_positive(i128::from(self.count.max(1)));
        let burst = i128::from(self.burst.unwrap_or(self.count).max(1));
        let tat = now_us.max(i128::from(tat_us)) + interval;
        let over = tat - now_us - burst * interval;
        if over <= 0 { Ok(tat as i64) } else { Err(over.div_ceil_positive(1_000) as u64) }
    }
}

trait DivCeil {
    /// Division that rounds up, for values that are not negative.
    fn div_ceil_positive(self, by: Self) -> Self;
}

impl DivCeil for i128 {
    fn div_ceil_positive(self, by: Self) -> Self {
        (self + by - 1) / by
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn exact_waits() {
        let rate = Rate { count: 60, per_ms: 60_000, burst: Some(2) };
        // now, tat -> next arrival or wait
        let cases = [
            (0, 0, Ok(1_000_000)),
            (0, 1_000_000, Ok(2_000_000)),
            (0, 2_000_000, Err(1_000)),
            (999, 2_000_000, Err(1)),
            (1_000, 2_000_000, Ok(3_000_000)),
        ];
        for (now, tat, want) in cases {
            assert_eq!(rate.next(now, tat), want, "now {now}, tat {tat}");
        }
    }
}
