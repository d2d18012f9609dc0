//! The shortest edit script between two sequences: Myers' algorithm in linear space.
//!
//! Owns the search, its bound and the place of movable changes. Invariant: the changes are in order, do not touch,
//! and everything outside them is equal on both sides; beyond the bound the script may be longer, never wrong.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;

/// A stretch of the old sequence that a stretch of the new one replaces; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The changes from `old` to `new`, shortest in inserted plus deleted items while these are at most `max_edits`.
pub fn changes<T: Eq + Hash>(old: &[T], new: &[T], max_edits: usize) -> Vec<Change> {
    let (kept_old, kept_new) = (shared(old, new), shared(new, old));
    let mut search = Search {
        old: kept_old.iter().map(|at| &old[*at]).collect(),
        new: kept_new.iter().map(|at| &new[*at]).collect(),
        // Two searches meet in the middle: each walks half of the edits.
        max_edits: max_edits as isize / 2 + 1,
        pairs: Vec::new(),
        forward: Vec::new(),
        backward: Vec::new(),
    };
    search.split(0..kept_old.len(), 0..kept_new.len());
    let pairs = search.pairs.into_iter().map(|(a, b)| (kept_old[a], kept_new[b]));
    settle(between(pairs, old.len(), new.len()), old, new)
}

/// Places of items that the other side has too. The others are changed in every script, so they need no search.
fn shared<T: Eq + Hash>(items: &[T], other: &[T]) -> Vec<usize> {
    let other: HashSet<&T> = other.iter().collect();
    (0..items.len()).filter(|at| other.contains(&items[*at])).collect()
}

/// What lies between pairs of equal items.
fn between(pairs: impl Iterator<Item = (usize, usize)>, old: usize, new: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut at = (0, 0);
    for (a, b) in pairs.chain([(old, new)]) {
        if at != (a, b) {
            changes.push(Change { old: at.0..a, new: at.1..b });
        }
        at = (a + 1, b + 1);
    }
    changes
}

struct Search<'s, T> {
    old: Vec<&'s T>,
    new: Vec<&'s T>,
    max_edits: isize,
    /// Places of equal items, ascending.
    pairs: Vec<(usize, usize)>,
    forward: Vec<isize>,
    backward: Vec<isize>,
}

impl<T: Eq> Search<'_, T> {
    fn split(&mut self, mut old: Range<usize>, mut new: Range<usize>) {
        while !old.is_empty() && !new.is_empty() && self.old[old.start] == self.new[new.start] {
            self.pairs.push((old.start, new.start));
            old.start += 1;
            new.start += 1;
        }
        let mut tail = 0;
        while !old.is_empty() && !new.is_empty() && self.old[old.end - 1] == self.new[new.end - 1] {
            tail += 1;
            old.end -= 1;
            new.end -= 1;
        }
        let (old_end, new_end) = (old.end, new.end);
        if !old.is_empty() && !new.is_empty() {
            let (x, y) = self.middle(&old, &new);
            if (x, y) != (old.start, new.start) && (x, y) != (old_end, new_end) {
                self.split(old.start..x, new.start..y);
                self.split(x..old_end, y..new_end);
            }
        }
        self.pairs.extend((0..tail).map(|step| (old_end + step, new_end + step)));
    }

    /// A point on a shortest path, about its middle: two searches, from both corners, run until they meet. Past the
    /// bound, the farthest point that the forward search reached. Diagonals are `x - y`.
    fn middle(&mut self, old: &Range<usize>, new: &Range<usize>) -> (usize, usize) {
        let (n, m) = (old.len() as isize, new.len() as isize);
        let delta = n - m;
        let at = |k: isize| (k + m + 1) as usize;
        for (reached, start) in [(&mut self.forward, -1), (&mut self.backward, isize::MAX)] {
            reached.clear();
            reached.resize((n + m + 3) as usize, start);
        }
        self.forward[at(0)] = 0;
        self.backward[at(delta)] = n;
        let equal = |x: isize, y: isize| self.old[old.start + x as usize] == self.new[new.start + y as usize];
        let (mut f_low, mut f_high, mut b_low, mut b_high) = (0, 0, delta, delta);
        for _ in 0..=self.max_edits.min(n + m) {
            (f_low, f_high) = widen(f_low, f_high, -m, n, |k| self.forward[at(k)] = -1);
            for k in (f_low..=f_high).rev().step_by(2) {
                let mut x = (self.forward[at(k - 1)] + 1).max(self.forward[at(k + 1)]);
                while x < n && x - k < m && equal(x, x - k) {
                    x += 1;
                }
                self.forward[at(k)] = x;
                if delta % 2 != 0 && (b_low..=b_high).contains(&k) && self.backward[at(k)] <= x {
                    return (old.start + x as usize, new.start + (x - k) as usize);
                }
            }
            (b_low, b_high) = widen(b_low, b_high, -m, n, |k| self.backward[at(k)] = isize::MAX);
            for k in (b_low..=b_high).rev().step_by(2) {
                let mut x = self.backward[at(k - 1)].min(self.backward[at(k + 1)].saturating_sub(1));
                while x > 0 && x - k > 0 && equal(x - 1, x - k - 1) {
                    x -= 1;
                }
                self.backward[at(k)] = x;
                if delta % 2 == 0 && (f_low..=f_high).contains(&k) && x <= self.forward[at(k)] {
                    return (old.start + x as usize, new.start + (x - k) as usize);
                }
            }
        }
        let (x, y) = (f_low..=f_high)
            .map(|k| (self.forward[at(k)], self.forward[at(k)] - k))
            .filter(|(x, y)| (0..=n).contains(x) && (0..=m).contains(y))
            .max_by_key(|(x, y)| x + y)
            .unwrap_or((0, 0));
        (old.start + x as usize, new.start + y as usize)
    }
}

/// One more diagonal on each side, inside the rectangle; `reset` clears the one just outside.
fn widen(low: isize, high: isize, least: isize, most: isize, mut reset: impl FnMut(isize)) -> (isize, isize) {
    let low = if low > least {
        reset(low - 2);
        low - 1
    } else {
        low + 1
    };
    let high = if high < most {
        reset(high + 2);
        high + 1
    } else {
        high - 1
    };
    (low, high)
}

/// Moves each pure insertion or deletion to the last of the places where it could stand; changes that meet become one.
fn settle<T: PartialEq>(changes: Vec<Change>, old: &[T], new: &[T]) -> Vec<Change> {
    let mut settled: Vec<Change> = Vec::with_capacity(changes.len());
    for mut change in changes.into_iter().rev() {
        loop {
            let limit = settled.last().map_or(old.len(), |next| next.old.start);
            while change.old.end < limit && slides(&change, old, new) {
                change = Change { old: step(&change.old), new: step(&change.new) };
            }
            match settled.last() {
                Some(next) if next.old.start == change.old.end && next.new.start == change.new.end => {
                    change = Change { old: change.old.start..next.old.end, new: change.new.start..next.new.end };
                    settled.pop();
                }
                _ => break,
            }
        }
        settled.push(change);
    }
    settled.reverse();
    settled
}

fn slides<T: PartialEq>(change: &Change, old: &[T], new: &[T]) -> bool {
    if change.old.is_empty() {
        new[change.new.start] == old[change.old.end]
    } else {
        change.new.is_empty() && old[change.old.start] == old[change.old.end]
    }
}

fn step(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edits(changes: &[Change]) -> usize {
        changes.iter().map(|change| change.old.len() + change.new.len()).sum()
    }

    /// The length of the shortest script, by the textbook table.
    fn shortest(old: &[u8], new: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=new.len()).collect();
        for (i, a) in old.iter().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, b) in new.iter().enumerate() {
                let both = if a == b { corner } else { usize::MAX };
                corner = row[j + 1];
                row[j + 1] = both.min(row[j] + 1).min(corner + 1);
            }
        }
        row[new.len()]
    }

    proptest! {
        #[test]
        fn shortest_and_right(old in prop::collection::vec(0u8..4, 0..40), new in prop::collection::vec(0u8..4, 0..40)) {
            let found = changes(&old, &new, 1_000);
            prop_assert_eq!(edits(&found), shortest(&old, &new));
            let mut rebuilt = Vec::new();
            let mut at = 0;
            for change in &found {
                rebuilt.extend_from_slice(&old[at..change.old.start]);
                rebuilt.extend_from_slice(&new[change.new.clone()]);
                at = change.old.end;
            }
            rebuilt.extend_from_slice(&old[at..]);
            prop_assert_eq!(rebuilt, new);
        }

        #[test]
        fn bounded_is_still_right(old in prop::collection::vec(0u8..3, 0..60), new in prop::collection::vec(0u8..3, 0..60)) {
            let mut rebuilt = Vec::new();
            let mut at = 0;
            for change in changes(&old, &new, 2) {
                rebuilt.extend_from_slice(&old[at..change.old.start]);
                rebuilt.extend_from_slice(&new[change.new.clone()]);
                at = change.old.end;
            }
            rebuilt.extend_from_slice(&old[at..]);
            prop_assert_eq!(rebuilt, new);
        }
    }

    #[test]
    fn a_movable_change_stands_last() {
        assert_eq!(changes(b"abb", b"abbb", 99), vec![Change { old: 3..3, new: 3..4 }]);
        assert_eq!(changes(b"xaay", b"xay", 99), vec![Change { old: 2..3, new: 2..2 }]);
    }
}
