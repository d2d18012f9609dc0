//! Where a shortest script crosses the middle of its longer side, from the whole table of common subsequences, 64 of its
//! cells in one word (Hyyrö's row; Hirschberg's halves).
//!
//! Owns what is done when a script is too long for a search along diagonals. Invariant: its work is the product of the
//! lengths through 64 and some passes over the items, whatever the items are; its memory is linear.

use std::ops::Range;

const NONE: u32 = u32::MAX;

/// A point of a shortest script.
#[derive(Debug)]
pub(super) struct Halves {
    pub at: (usize, usize),
    /// Before and behind it, where that is known.
    pub edits: Option<(usize, usize)>,
}

/// The rows and columns of one box after another; what it remembers of a number is cleared with every box.
#[derive(Debug)]
pub(super) struct Table {
    /// By number: its last column.
    last: Vec<u32>,
    /// By column: the column before with the same number.
    before: Vec<u32>,
    /// By number: how often it is a column, then which of `frequent` it has.
    count: Vec<u32>,
    /// The columns of frequent numbers as bits; few are frequent, so these are no more words than there are columns.
    frequent: Vec<u64>,
    /// The columns of another number as bits, cleared after every row.
    once: Vec<u64>,
    pub steps: usize,
}

impl Table {
    pub fn new(numbers: usize) -> Self {
        Self {
            last: vec![NONE; numbers],
            before: Vec::new(),
            count: vec![0; numbers],
            frequent: Vec::new(),
            once: Vec::new(),
            steps: 0,
        }
    }

    /// The middle of `rows`, which has two items at least, and a place in `columns`.
    pub fn halves(&mut self, rows: &[u32], columns: &[u32]) -> Halves {
        let middle = rows.len() / 2;
        let upper = self.common(rows[..middle].iter(), columns.iter());
        let lower = self.common(rows[middle..].iter().rev(), columns.iter().rev());
        // A cleared bit says that the column is one more in common.
        let cleared = |bits: &[u64], at: usize| (!bits[at / 64] >> (at % 64) & 1) as usize;
        let mut common = (0, (0..columns.len()).map(|at| cleared(&lower, at)).sum::<usize>());
        let (mut most, mut place) = (common, 0);
        for at in 0..columns.len() {
            common = (common.0 + cleared(&upper, at), common.1 - cleared(&lower, columns.len() - 1 - at));
            if common.0 + common.1 > most.0 + most.1 {
                (most, place) = (common, at + 1);
            }
        }
        let before = middle + place - 2 * most.0;
        let behind = rows.len() - middle + columns.len() - place - 2 * most.1;
        Halves { at: (middle, place), edits: Some((before, behind)) }
    }

    /// The last row: bit n is cleared when one more item is common to all rows and the first n + 1 columns.
    fn common<'i>(
        &mut self,
        rows: impl Iterator<Item = &'i u32>,
        columns: impl ExactSizeIterator<Item = &'i u32> + Clone,
    ) -> Vec<u64> {
        let words = columns.len().div_ceil(64);
        self.enter(columns.clone(), words);
        let mut row = vec![u64::MAX; words];
        for number in rows.map(|number| *number as usize) {
            if self.last[number] == NONE {
                continue;
            }
            if self.count[number] != NONE {
                let from = self.count[number] as usize;
                self.steps += next_row(&mut row, &self.frequent[from..from + words], 0..words);
                continue;
            }
            let (first, last) = self.spread(number);
            self.steps += next_row(&mut row, &self.once, first..last + 1);
            self.once[first..=last].fill(0);
        }
        for number in columns.map(|number| *number as usize) {
            (self.last[number], self.count[number]) = (NONE, 0);
        }
        row
    }

    /// Lists the columns by number.
    fn enter<'i>(&mut self, columns: impl ExactSizeIterator<Item = &'i u32> + Clone, words: usize) {
        self.steps += columns.len();
        self.before.clear();
        self.frequent.clear();
        self.once.clear();
        self.once.resize(words, 0);
        for (at, number) in columns.clone().map(|number| *number as usize).enumerate() {
            self.before.push(self.last[number]);
            self.last[number] = at as u32;
            self.count[number] += 1;
        }
        for (at, number) in columns.map(|number| *number as usize).enumerate() {
            if self.last[number] != at as u32 {
                continue;
            }
            let is_frequent = self.count[number] as usize >= words;
            self.count[number] = NONE;
            if is_frequent {
                let (first, last) = self.spread(number);
                self.count[number] = self.frequent.len() as u32;
                self.frequent.extend_from_slice(&self.once);
                self.once[first..=last].fill(0);
            }
        }
    }

    /// Sets the bits of a number in `once`; answers the first and the last word that has one.
    fn spread(&mut self, number: usize) -> (usize, usize) {
        let last = self.last[number];
        let mut at = last;
        loop {
            self.once[at as usize / 64] |= 1 << (at % 64);
            self.steps += 1;
            let before = self.before[at as usize];
            if before == NONE {
                return (at as usize / 64, last as usize / 64);
            }
            at = before;
        }
    }
}

/// Adds an item that stands in the columns whose bits are set; only the words in `range` have some. Answers the words
/// worked on.
fn next_row(row: &mut [u64], columns: &[u64], range: Range<usize>) -> usize {
    let mut carry = false;
    for (word, bits) in row[range.clone()].iter_mut().zip(&columns[range.clone()]) {
        let (sum, over) = word.overflowing_add(*word & bits);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        carry = over || over_again;
        *word = sum | (*word & !bits);
    }
    let mut rest = row[range.end..].iter_mut();
    let mut words = range.len();
    while carry && let Some(word) = rest.next() {
        let (sum, over) = word.overflowing_add(1);
        (*word, carry) = (sum | *word, over);
        words += 1;
    }
    words
}
