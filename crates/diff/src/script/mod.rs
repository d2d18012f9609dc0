//! The shortest edit script between two sequences.
//!
//! Owns what is compared with what, and the place of movable changes; `few`, else `search`, finds the pairs of equal items.
//! Invariants: the changes are in order, do not touch, everything outside them is equal on both sides, and no script is shorter; the
//! work is bounded by the lengths, not by the items.

mod few;
mod numbers;
mod search;
mod table;

use std::hash::Hash;
use std::ops::Range;

use numbers::numbered;
use search::{Search, equal_ahead, equal_behind};

/// A stretch of the old sequence that a stretch of the new one replaces; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The changes from `old` to `new`, as few inserted plus deleted items as can be.
pub fn changes<T: Hash + Ord>(old: &[T], new: &[T]) -> Vec<Change> {
    counted(old, new).0
}

/// The changes, and the steps that finding them took.
fn counted<T: Hash + Ord>(old: &[T], new: &[T]) -> (Vec<Change>, usize) {
    let head = equal_ahead(old, new);
    let tail = equal_behind(&old[head..], &new[head..]);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let (few, few_steps) = few::pairs(&old[head..old_end], &new[head..new_end]);
    let (found, steps) = few.map_or_else(|| searched(&old[head..old_end], &new[head..new_end]), |pairs| (pairs, 0));

    let found = found.into_iter().map(|(a, b)| (head + a, head + b));
    let pairs = (0..head).map(|at| (at, at)).chain(found).chain((old_end..old.len()).zip(new_end..new.len()));
    let (settled, slid) = settle(between(pairs, old.len(), new.len()), old, new);
    (settled, few_steps + steps + slid)
}

/// The pairs of equal items on a shortest script, however long it is, and the steps that finding them took.
fn searched<T: Hash + Ord>(old: &[T], new: &[T]) -> (Vec<(usize, usize)>, usize) {
    let (old_numbers, new_numbers, count) = numbered(old, new);
    let (kept_old, kept_new) = (shared(&old_numbers, &new_numbers, count), shared(&new_numbers, &old_numbers, count));
    let kept = |kept: &[usize], numbers: &[u32]| kept.iter().map(|at| numbers[*at]).collect::<Vec<_>>();
    let (few_old, few_new) = (kept(&kept_old, &old_numbers), kept(&kept_new, &new_numbers));
    let mut search = Search::new(&few_old, &few_new, count);
    let steps = search.run();
    (search.pairs.iter().map(|(a, b)| (kept_old[*a], kept_new[*b])).collect(), steps)
}

/// Places of items that the other side has too. The others are changed in every script, so they need no search.
fn shared(items: &[u32], other: &[u32], count: usize) -> Vec<usize> {
    let mut known = vec![false; count];
    for item in other {
        known[*item as usize] = true;
    }
    (0..items.len()).filter(|at| known[items[*at] as usize]).collect()
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

/// Moves each pure insertion or deletion to the last of the places where it could stand; changes that meet become one. Answers
/// also how many places they moved.
fn settle<T: PartialEq>(changes: Vec<Change>, old: &[T], new: &[T]) -> (Vec<Change>, usize) {
    let mut slid = 0;
    let mut settled: Vec<Change> = Vec::with_capacity(changes.len());
    for mut change in changes.into_iter().rev() {
        loop {
            let limit = settled.last().map_or(old.len(), |next| next.old.start);
            while change.old.end < limit && slides(&change, old, new) {
                change = Change { old: step(&change.old), new: step(&change.new) };
                slid += 1;
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
    (settled, slid)
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
mod tests;
