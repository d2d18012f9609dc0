//! Answers that stand for a moment, so that the same question is not asked again at once.
//!
//! Owns how long and how many; knows nothing of what they mean: who looks one up says what is the same, and `now` comes
//! in. Invariant: nothing is found that was kept longer ago, or, by a clock that was set back, later than now.

use std::collections::VecDeque;

use crate::budget::Ms;

/// The newest answers, oldest first.
#[derive(Debug)]
pub struct Recent<K, V> {
    kept: VecDeque<(Ms, K, V)>,
    stands_ms: Ms,
    most: usize,
}

impl<K, V> Recent<K, V> {
    /// Nothing yet. An answer stands for `stands_ms`; the oldest of more than `most` goes.
    pub const fn new(stands_ms: Ms, most: usize) -> Self {
        Self { kept: VecDeque::new(), stands_ms, most }
    }

    /// The answer to the question that `is` knows.
    pub fn find(&mut self, now: Ms, is: impl Fn(&K) -> bool) -> Option<&V> {
        let stands = self.stands_ms;
        self.kept.retain(|(at, ..)| (0..stands).contains(&now.saturating_sub(*at)));
        self.kept.iter().find(|(_, key, _)| is(key)).map(|(.., value)| value)
    }

    pub fn keep(&mut self, now: Ms, key: K, value: V) {
        if self.kept.len() >= self.most {
            self.kept.pop_front();
        }
        self.kept.push_back((now, key, value));
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn an_answer_stands_for_its_time_and_no_longer() {
        for (later, found) in [(0, true), (1_999, true), (2_000, false), (-1, false)] {
            let mut recent = Recent::new(2_000, 9);
            recent.keep(5_000, "key", 1);
            assert_eq!(recent.find(5_000 + later, |key| *key == "other"), None);
            assert_eq!(recent.find(5_000 + later, |key| *key == "key").is_some(), found, "{later}");
        }
    }

    #[test]
    fn the_oldest_goes() {
        let mut recent = Recent::new(2_000, 2);
        for key in 0..3 {
            recent.keep(key, key, key);
        }
        let found: Vec<bool> = (0..3).map(|key| recent.find(3, |kept| *kept == key).is_some()).collect();
        assert_eq!(found, [false, true, true]);
    }
}
