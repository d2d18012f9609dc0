//! Attempts of a model at one thing: which is the best, whether another makes sense, what it is told (ENGINE §6; spec:
//! authoring.md §6.2 "Best so far", "Progress").
//!
//! Both machines use it: what an attempt is, and what stands in its way, is theirs. Invariants: a later attempt wins a
//! tie, so nothing that is as good is lost; at most [`MAX_FINDINGS`] findings go back, one root cause once.

use std::collections::BTreeSet;

use holdpoint_kind::protocol::Key;
use serde_json::Value;

/// The most findings that a model is told.
pub const MAX_FINDINGS: usize = 20;

pub trait Attempted {
    /// Whether there is something to keep.
    fn stands(&self) -> bool;
    /// Compared in turn, more is better.
    fn rank(&self) -> impl Ord;
    /// The set of what is wrong with it.
    fn keys(&self) -> BTreeSet<Key>;
    /// What it is; equal ones are equal in this.
    fn hash(&self) -> String;
}

/// How long it makes sense to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub attempts: u32,
    /// How often the same findings may stand. `None`: as often as there are attempts.
    pub same: Option<usize>,
}

/// Why no other attempt is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Attempts,
    Stalled,
}

/// The better of the best so far and the attempt at `index`.
pub fn better<A: Attempted>(attempts: &[A], best: Option<usize>, index: usize) -> Option<usize> {
    let wins = |best: usize| attempts[index].rank() >= attempts[best].rank();
    if attempts[index].stands() && best.is_none_or(wins) { Some(index) } else { best }
}

/// Whether another attempt makes sense after `last`, the `made`th of all: how often its findings stand by now.
pub fn another<A: Attempted>(earlier: &[A], last: &A, made: u32, limits: Limits) -> Result<usize, Stop> {
    let keys = last.keys();
    let alike = || earlier.iter().filter(|other| other.keys() == keys);
    if limits.same.is_some() {
        let hash = last.hash();
        if alike().any(|other| other.hash() == hash) {
            return Err(Stop::Stalled);
        }
    }
    if made >= limits.attempts {
        return Err(Stop::Attempts);
    }
    let same = 1 + alike().count();
    if limits.same.is_some_and(|most| same >= most) {
        return Err(Stop::Stalled);
    }
    Ok(same)
}

/// What a model is told: the first findings.
#[derive(Debug, Default)]
pub struct Told {
    rows: Vec<Value>,
    seen: BTreeSet<String>,
}

impl Told {
    /// Tells a finding, unless its root cause was told, or enough was.
    pub fn push(&mut self, root: String, row: Value) {
        if self.rows.len() < MAX_FINDINGS && self.seen.insert(root) {
            self.rows.push(row);
        }
    }

    /// In the order in which they were told.
    pub fn rows(self) -> Vec<Value> {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    /// Files by a name, and codes that stand in their way.
    struct Try(&'static str, &'static [&'static str]);

    impl Attempted for Try {
        fn stands(&self) -> bool {
            !self.0.is_empty()
        }

        fn rank(&self) -> impl Ord {
            Reverse(self.1.len())
        }

        fn keys(&self) -> BTreeSet<Key> {
            self.1.iter().map(|code| ((*code).to_owned(), String::new(), String::new())).collect()
        }

        fn hash(&self) -> String {
            self.0.to_owned()
        }
    }

    #[test]
    fn the_best_is_kept_and_a_later_one_wins_a_tie() {
        let tries = [Try("a", &["X", "Y"]), Try("b", &["X"]), Try("c", &["Y"]), Try("d", &["X", "Y"]), Try("", &[])];
        let bests: Vec<_> = (0..tries.len())
            .scan(None, |best, index| {
                *best = better(&tries, *best, index);
                Some(*best)
            })
            .collect();
        assert_eq!(bests, [Some(0), Some(1), Some(2), Some(2), Some(2)], "what does not stand is never the best");
    }

    #[test]
    fn it_ends_when_nothing_moves() {
        type Case<'c> = (&'c [Try], &'c Try, Limits, Result<usize, Stop>);
        let limits = |attempts, same| Limits { attempts, same };
        let (one, other) = (Try("a", &["X"]), Try("b", &["X"]));
        let cases: [Case<'_>; 7] = [
            (&[], &one, limits(3, Some(2)), Ok(1)),
            (&[], &one, limits(1, Some(2)), Err(Stop::Attempts)),
            (&[Try("a", &["X"])], &other, limits(5, Some(3)), Ok(2)),
            (&[Try("a", &["X"])], &other, limits(5, Some(2)), Err(Stop::Stalled)),
            (&[Try("a", &["X"])], &one, limits(5, Some(3)), Err(Stop::Stalled)),
            (&[Try("a", &["Y"])], &one, limits(5, Some(2)), Ok(1)),
            (&[Try("a", &["X"])], &one, limits(5, None), Ok(2)),
        ];
        for (at, (earlier, last, limits, want)) in cases.into_iter().enumerate() {
            assert_eq!(another(earlier, last, earlier.len() as u32 + 1, limits), want, "case {at}");
        }
    }

    #[test]
    fn the_first_findings_are_told_once() {
        let mut told = Told::default();
        for number in 0..30 {
            told.push(format!("{}", number / 2), number.into());
        }
        for number in 30..50 {
            told.push(format!("{number}"), number.into());
        }
        let rows = told.rows();
        assert_eq!((rows.len(), &rows[1]), (MAX_FINDINGS, &Value::from(2)));
    }
}
