//! Items as numbers, so that a search compares numbers and not lines.
//!
//! Invariant: two items have the same number exactly when they are equal, also where their hashes are made to meet:
//! past a bound on steps an ordered map takes the place of the table.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Steps beyond the first that an item may take in the table, on average.
const MAX_STEPS: usize = 8;
const FREE: u32 = u32::MAX;

/// The numbers of the items of both sides, and how many numbers there are.
pub(super) fn numbered<T: Hash + Ord>(old: &[T], new: &[T]) -> (Vec<u32>, Vec<u32>, usize) {
    let mut numbers: Vec<u32> = Vec::with_capacity(old.len() + new.len());
    let mut table = Table::new(old.len() + new.len());
    let hashed = old.iter().chain(new).try_for_each(|item| table.number(item).map(|number| numbers.push(number)));
    let count = if hashed.is_some() { table.known.len() } else { sorted(old.iter().chain(new), &mut numbers) };
    let of_new = numbers.split_off(old.len());
    (numbers, of_new, count)
}

fn sorted<'t, T: Ord + 't>(items: impl Iterator<Item = &'t T>, numbers: &mut Vec<u32>) -> usize {
    let mut known = BTreeMap::new();
    numbers.clear();
    for item in items {
        let fresh = known.len() as u32;
        numbers.push(*known.entry(item).or_insert(fresh));
    }
    known.len()
}

/// A table with open places; a full one is never needed, for it is twice as long as there are items.
struct Table<'t, T> {
    places: Vec<u32>,
    known: Vec<(u64, &'t T)>,
    steps: usize,
}

impl<'t, T: Hash + Eq> Table<'t, T> {
    fn new(items: usize) -> Self {
        let places = vec![FREE; (2 * items).next_power_of_two()];
        Self { places, known: Vec::with_capacity(items), steps: MAX_STEPS * items }
    }

    /// `None` when too many items meet in the table.
    fn number(&mut self, item: &'t T) -> Option<u32> {
        let mut quick = Quick(0);
        item.hash(&mut quick);
        let hash = quick.finish();
        let last = self.places.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let number = self.places[at];
            if number == FREE {
                self.places[at] = self.known.len() as u32;
                self.known.push((hash, item));
                return Some(self.places[at]);
            }
            let (known, same) = self.known[number as usize];
            if known == hash && same == item {
                return Some(number);
            }
            self.steps = self.steps.checked_sub(1)?;
            at = (at + 1) & last;
        }
    }
}

/// Eight bytes a step; without a secret, hence the bound on steps.
struct Quick(u64);

impl Quick {
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, byte: u8) {
        self.word(byte.into());
    }

    fn write_isize(&mut self, number: isize) {
        self.word(number as u64);
    }

    fn finish(&self) -> u64 {
        // The high bits are the mixed ones, the table takes the low ones.
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An item whose hash says nothing.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
    struct Alike(u32);

    impl Hash for Alike {
        fn hash<H: Hasher>(&self, _: &mut H) {}
    }

    fn same_partition<T: Eq>(old: &[T], new: &[T], numbers: &(Vec<u32>, Vec<u32>, usize)) -> bool {
        let items: Vec<&T> = old.iter().chain(new).collect();
        let given: Vec<u32> = numbers.0.iter().chain(&numbers.1).copied().collect();
        items.iter().zip(&given).all(|(item, number)| {
            (*number as usize) < numbers.2
                && items.iter().zip(&given).all(|(other, known)| (item == other) == (number == known))
        })
    }

    proptest! {
        #[test]
        fn equal_numbers_are_equal_items(old in prop::collection::vec("[ab]{0,18}", 0..30), new in prop::collection::vec("[ab]{0,3}", 0..30)) {
            prop_assert!(same_partition(&old, &new, &numbered(&old, &new)));
        }
    }

    #[test]
    fn hashes_that_meet_are_no_way_to_be_slow() {
        let items: Vec<Alike> = (0..200).chain(0..100).map(Alike).collect();
        let mut table = Table::new(items.len());
        assert!(items.iter().any(|item| table.number(item).is_none()));
        assert!(same_partition(&items, &items[..50], &numbered(&items, &items[..50])));
    }
}
