//! Temporary extensions of a budget: what an administrator adds to its limit for a time.
//!
//! Invariant: a grant counts until its end and not a moment longer; what was used under it stays used.

use super::{Budget, Ms, window::sum};

/// An extension that was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// Added to the limit, in the budget's unit.
    pub amount: u64,
    /// From here on it does not count.
    pub until: Ms,
}

impl Budget {
    /// The limit with the grants that run at `now`.
    pub fn limit_at(&self, now: Ms) -> u64 {
        let running = self.grants.iter().filter(|grant| now < grant.until);
        running.fold(self.limit, |limit, grant| sum(limit, grant.amount))
    }
}
