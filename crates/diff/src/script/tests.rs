//! Scripts are valid, shortest and bounded.

use proptest::prelude::*;

use super::*;

/// Steps that any pair of these lengths may take: the table of both halves, a search given up in each, and passes.
fn bound(old: usize, new: usize) -> usize {
    let (long, short) = (old.max(new), old.min(new));
    4 * long * short.div_ceil(64) + 64 * (long + short) + 32_768
}

fn edits(changes: &[Change]) -> usize {
    changes.iter().map(|change| change.old.len() + change.new.len()).sum()
}

/// What the changes make of `old`.
fn rebuilt<T: Clone>(old: &[T], new: &[T], changes: &[Change]) -> Vec<T> {
    let mut rebuilt = Vec::new();
    let mut at = 0;
    for change in changes {
        rebuilt.extend_from_slice(&old[at..change.old.start]);
        rebuilt.extend_from_slice(&new[change.new.clone()]);
        at = change.old.end;
    }
    rebuilt.extend_from_slice(&old[at..]);
    rebuilt
}

/// The length of the shortest script, by the textbook table.
fn shortest<T: PartialEq>(old: &[T], new: &[T]) -> usize {
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

/// Right, in order, apart, and found within the bound.
fn holds<T: Hash + Ord + Clone + std::fmt::Debug>(old: &[T], new: &[T]) -> Result<Vec<Change>, TestCaseError> {
    let (found, steps) = counted(old, new);
    prop_assert_eq!(rebuilt(old, new, &found), new);
    let searched = between(searched(old, new).0.into_iter(), old.len(), new.len());
    prop_assert_eq!(rebuilt(old, new, &searched), new);
    prop_assert_eq!(edits(&searched), edits(&found));
    prop_assert!(found.windows(2).all(|two| two[0].old.end < two[1].old.start && two[0].new.end < two[1].new.start));
    prop_assert!(steps <= bound(old.len(), new.len()), "{steps} steps, {} are granted", bound(old.len(), new.len()));
    Ok(found)
}

/// Lines that repeat in all the ways that make a search long.
fn repetitive() -> impl Strategy<Value = Vec<u32>> {
    (1u32..40, 0usize..900, any::<u64>()).prop_map(|(distinct, length, seed)| {
        let mut state = seed | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u32
        };
        let period = next() % 64 + 1;
        let noise = next() % 9;
        (0..length as u32)
            .map(|at| if next() % 8 < noise { next() % distinct } else { at % period % distinct })
            .collect()
    })
}

proptest! {
    #[test]
    fn shortest_and_right(old in prop::collection::vec(0u8..4, 0..40), new in prop::collection::vec(0u8..4, 0..40)) {
        prop_assert_eq!(edits(&holds(&old, &new)?), shortest(&old, &new));
    }

    /// Each half, down to single items.
    #[test]
    fn the_table_alone_is_shortest(old in prop::collection::vec(0u32..9, 0..200), new in prop::collection::vec(0u32..9, 0..200)) {
        let mut search = Search::new(&old, &new, 9);
        (search.free_steps, search.free_square) = (0, 0);
        search.run();
        prop_assert!(search.pairs.iter().all(|(a, b)| old[*a] == new[*b]));
        prop_assert!(search.pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        prop_assert_eq!(old.len() + new.len() - 2 * search.pairs.len(), shortest(&old, &new));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn repetitive_lines(old in repetitive(), new in repetitive()) {
        prop_assert_eq!(edits(&holds(&old, &new)?), shortest(&old, &new));
    }

    #[test]
    fn reversed_lines(old in repetitive(), distinct in 0usize..900) {
        let old: Vec<u32> = old.into_iter().chain(100..100 + distinct as u32).collect();
        let new: Vec<u32> = old.iter().rev().copied().collect();
        prop_assert_eq!(edits(&holds(&old, &new)?), shortest(&old, &new));
    }

    #[test]
    fn random_lines(old in prop::collection::vec(any::<u16>(), 0..900), new in prop::collection::vec(0u16..2_000, 0..900)) {
        prop_assert_eq!(edits(&holds(&old, &new)?), shortest(&old, &new));
    }
}

#[test]
fn twenty_thousand_of_six_and_reversed_are_bounded() {
    let mut state = 7u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let six: Vec<u32> = (0..20_000).map(|_| next() % 6).collect();
    let other: Vec<u32> = (0..20_000).map(|_| next() % 6).collect();
    let mixed: Vec<u32> = (0..20_000).map(|at| if next() % 3 == 0 { next() % 2 } else { at }).collect();
    let reversed: Vec<u32> = mixed.iter().rev().copied().collect();
    for (old, new) in [(&six, &other), (&mixed, &reversed), (&six, &reversed)] {
        holds(old, new).unwrap();
    }
}

#[test]
fn a_movable_change_stands_last() {
    assert_eq!(changes(b"abb", b"abbb"), vec![Change { old: 3..3, new: 3..4 }]);
    assert_eq!(changes(b"xaay", b"xay"), vec![Change { old: 2..3, new: 2..2 }]);
}
