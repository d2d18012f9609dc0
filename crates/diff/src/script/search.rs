//! The pairs of a shortest script: Myers' search from both corners, in linear space, while it is cheap.
//!
//! Owns the choice of the way. Invariant: the script is a shortest one; a search along diagonals takes steps in the number
//! of the edits squared, so it is begun with a bound, and not at all where the table has told that there are too many.

use std::ops::Range;

use super::table::{Halves, Table};

/// Steps of a search along diagonals that are granted to any box.
const FREE_STEPS: usize = 2_048;
/// Words of its table for which a box is granted one step more.
const WORDS_A_STEP: usize = 16;
/// Edits, squared, up to which a box that the table has told about is searched along diagonals, whatever its size.
const FREE_SQUARE: usize = 2_048;

/// Two sequences of numbers, and what was found so far.
#[derive(Debug)]
pub(super) struct Search<'s> {
    old: &'s [u32],
    new: &'s [u32],
    /// Places of equal items, ascending.
    pub pairs: Vec<(usize, usize)>,
    /// By diagonal: how far the search from the front, and from the back, has come.
    forward: Vec<i32>,
    backward: Vec<i32>,
    table: Table,
    pub free_steps: usize,
    pub free_square: usize,
    /// Items and words looked at.
    steps: usize,
}

impl<'s> Search<'s> {
    /// All items are below `numbers`.
    pub fn new(old: &'s [u32], new: &'s [u32], numbers: usize) -> Self {
        let diagonals = old.len() + new.len() + 3;
        let (forward, backward) = (vec![0; diagonals], vec![0; diagonals]);
        let table = Table::new(numbers);
        Self {
            old,
            new,
            pairs: Vec::new(),
            forward,
            backward,
            table,
            free_steps: FREE_STEPS,
            free_square: FREE_SQUARE,
            steps: 0,
        }
    }

    /// Finds the pairs; answers the work that it was.
    pub fn run(&mut self) -> usize {
        self.split(0..self.old.len(), 0..self.new.len(), None);
        self.steps + self.table.steps
    }

    /// `edits` is how many there are, where that is known.
    fn split(&mut self, mut old: Range<usize>, mut new: Range<usize>, edits: Option<usize>) {
        let head = equal_ahead(&self.old[old.clone()], &self.new[new.clone()]);
        self.pairs.extend((0..head).map(|step| (old.start + step, new.start + step)));
        (old.start, new.start) = (old.start + head, new.start + head);
        let tail = equal_behind(&self.old[old.clone()], &self.new[new.clone()]);
        (old.end, new.end) = (old.end - tail, new.end - tail);
        self.steps += head + tail;
        if !old.is_empty() && !new.is_empty() && edits.is_none_or(|edits| edits < old.len() + new.len()) {
            let words = old.len().max(new.len()) * old.len().min(new.len()).div_ceil(64);
            let few = edits.is_none_or(|edits| edits * edits <= self.free_square + words / 2);
            let halves = few.then(|| self.middle(&old, &new, words)).flatten();
            let Halves { at: (x, y), edits } = halves.unwrap_or_else(|| self.halves(&old, &new));
            let (x, y) = (old.start + x, new.start + y);
            if (x, y) != (old.start, new.start) && (x, y) != (old.end, new.end) {
                self.split(old.start..x, new.start..y, edits.map(|(upper, _)| upper));
                self.split(x..old.end, y..new.end, edits.map(|(_, lower)| lower));
            }
        }
        self.pairs.extend((0..tail).map(|step| (old.end + step, new.end + step)));
    }

    fn halves(&mut self, old: &Range<usize>, new: &Range<usize>) -> Halves {
        let (old, new) = (&self.old[old.clone()], &self.new[new.clone()]);
        if old.len() >= new.len() {
            self.table.halves(old, new)
        } else {
            let Halves { at: (y, x), edits } = self.table.halves(new, old);
            Halves { at: (x, y), edits }
        }
    }

    /// A point on a shortest path, about its middle: two searches, from both corners, run until they meet, or until
    /// the table is the cheaper way. Diagonals are `x - y`.
    fn middle(&mut self, old: &Range<usize>, new: &Range<usize>, words: usize) -> Option<Halves> {
        let (old, new) = (&self.old[old.clone()], &self.new[new.clone()]);
        let most = self.steps + self.free_steps + words / WORDS_A_STEP;
        let (n, m) = (old.len() as i32, new.len() as i32);
        let delta = n - m;
        let at = |k: i32| (k + m + 1) as usize;
        let (forward, backward) = (&mut self.forward[..], &mut self.backward[..]);
        (forward[at(0)], backward[at(delta)]) = (0, n);
        let (mut f_low, mut f_high, mut b_low, mut b_high) = (0, 0, delta, delta);
        while self.steps <= most {
            (f_low, f_high) = widen(f_low, f_high, -m, n, |k| forward[at(k)] = -1);
            for k in (f_low..=f_high).rev().step_by(2) {
                let mut x = (forward[at(k - 1)] + 1).max(forward[at(k + 1)]);
                if x < n && x - k < m {
                    let run = equal_ahead(&old[x as usize..], &new[(x - k) as usize..]);
                    self.steps += run;
                    x += run as i32;
                }
                forward[at(k)] = x;
                if delta % 2 != 0 && b_low <= k && k <= b_high && backward[at(k)] <= x {
                    return Some(Halves { at: (x as usize, (x - k) as usize), edits: None });
                }
            }
            (b_low, b_high) = widen(b_low, b_high, -m, n, |k| backward[at(k)] = i32::MAX);
            for k in (b_low..=b_high).rev().step_by(2) {
                let mut x = backward[at(k - 1)].min(backward[at(k + 1)].saturating_sub(1));
                if x > 0 && x - k > 0 {
                    let run = equal_behind(&old[..x as usize], &new[..(x - k) as usize]);
                    self.steps += run;
                    x -= run as i32;
                }
                backward[at(k)] = x;
                if delta % 2 == 0 && f_low <= k && k <= f_high && x <= forward[at(k)] {
                    return Some(Halves { at: (x as usize, (x - k) as usize), edits: None });
                }
            }
            self.steps += (f_high - f_low + b_high - b_low) as usize / 2 + 2;
        }
        None
    }
}

/// How many items both begin with.
pub(super) fn equal_ahead<T: PartialEq>(old: &[T], new: &[T]) -> usize {
    old.iter().zip(new).take_while(|(a, b)| a == b).count()
}

/// How many items both end with.
pub(super) fn equal_behind<T: PartialEq>(old: &[T], new: &[T]) -> usize {
    old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// One more diagonal on each side, inside the rectangle; `reset` clears the one just outside.
fn widen(low: i32, high: i32, least: i32, most: i32, mut reset: impl FnMut(i32)) -> (i32, i32) {
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
