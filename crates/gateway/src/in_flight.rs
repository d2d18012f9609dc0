//! How many requests somebody has in flight, so that one client never takes the whole of a machine.
//!
//! Owns the counts of one process; knows nothing of who a client is. Invariant: a count is never above its bound, and
//! what ended is not counted.
//!
//! ```
//! use holdpoint_gateway::in_flight::InFlight;
//! let mut in_flight = InFlight::new();
//! assert!(in_flight.enter("ada", 1));
//! assert!(!in_flight.enter("ada", 1));
//! assert!(in_flight.enter("bo", 1));
//! in_flight.leave(&"ada");
//! assert!(in_flight.enter("ada", 1));
//! ```

use std::collections::BTreeMap;

/// Counts by client. Who has none in flight is not kept.
#[derive(Debug)]
pub struct InFlight<K>(BTreeMap<K, u64>);

impl<K: Ord> InFlight<K> {
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Counts one more, unless that many are in flight.
    pub fn enter(&mut self, who: K, most: u64) -> bool {
        let count = self.0.get(&who).copied().unwrap_or_default();
        let fits = count < most;
        if fits {
            self.0.insert(who, count + 1);
        }
        fits
    }

    pub fn leave(&mut self, who: &K) {
        match self.0.get_mut(who) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(self.0.remove(who)),
        }
    }
}

impl<K: Ord> Default for InFlight<K> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::InFlight;

    #[test]
    fn who_has_none_is_not_kept() {
        let mut in_flight = InFlight::new();
        assert!(!in_flight.enter("ada", 0));
        assert!(in_flight.enter("ada", 2) && in_flight.enter("ada", 2) && !in_flight.enter("ada", 2));
        in_flight.leave(&"ada");
        in_flight.leave(&"ada");
        in_flight.leave(&"ada");
        assert!(in_flight.0.is_empty());
    }

    proptest! {
        #[test]
        fn a_count_is_what_entered_and_did_not_leave(steps in prop::collection::vec((0_u8..3, any::<bool>()), 0..60)) {
            const MOST: u64 = 4;
            let mut in_flight = InFlight::new();
            let mut open = [0_u64; 3];
            for (who, enters) in steps {
                let count = &mut open[usize::from(who)];
                if enters {
                    prop_assert_eq!(in_flight.enter(who, MOST), *count < MOST);
                    *count = (*count + 1).min(MOST);
                } else {
                    in_flight.leave(&who);
                    *count = count.saturating_sub(1);
                }
            }
            prop_assert_eq!(in_flight.0.len(), open.iter().filter(|count| **count > 0).count());
        }
    }
}
