//! The order of hunks, and hunks that look the same (spec: text-engine.md §7 "Order", "Choosing", "Unnumbered").

use std::collections::{HashMap, HashSet};

use super::Hunk;
use super::Rung;
use super::matching::old_lines;
use super::rows::{find, old_rows};
use crate::base::{Base, Budget};
use crate::region::BodyLine;
use crate::tags::{Tag, Tags};

/// How a hunk finds its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Alone,
    /// At one of as many equal places as there are equal hunks.
    Assigned(usize),
    Duplicate,
}

/// Numbered hunks by old start, without those that stand there twice, then the unnumbered ones.
pub(super) fn order(hunks: &[Hunk], tags: &mut Tags) -> Vec<usize> {
    let start = |at: &usize| hunks[*at].header.numbers.map(|numbers| numbers.old_start);
    let mut seen: HashSet<(&str, &[BodyLine])> = HashSet::new();
    let mut numbered: Vec<usize> = Vec::new();
    for at in (0..hunks.len()).filter(|at| start(at).is_some()) {
        let lines = hunks[at].readings.first().map_or(&[][..], |reading| &reading.lines);
        if seen.insert((hunks[at].header.text.as_str(), lines)) {
            numbered.push(at);
        } else {
            tags.insert(Tag::DroppedDuplicateHunk);
        }
    }
    if !numbered.is_sorted_by_key(start) {
        tags.insert(Tag::SortedHunks);
        numbered.sort_by_key(start);
    }
    numbered.extend((0..hunks.len()).filter(|at| start(at).is_none()));
    numbered
}

/// Equal old lines in k ≥ 2 unnumbered hunks without anchors and exactly k exact places that do not overlap: assigned
/// in order; k fully equal hunks and one place: one hunk.
pub(super) fn roles(base: &Base<'_>, hunks: &[Hunk], order: &[usize], budget: &Budget, tags: &mut Tags) -> Vec<Role> {
    let mut roles = vec![Role::Alone; order.len()];
    let mut groups: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for (at, hunk) in order.iter().map(|hunk| &hunks[*hunk]).enumerate() {
        let bare = hunk.header.numbers.is_none() && hunk.header.anchors.is_empty();
        if let Some(reading) = hunk.readings.first().filter(|_| bare) {
            let old = old_lines(reading).into_iter().map(|line| line.text.as_str()).collect();
            groups.entry(old).or_default().push(at);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    for group in groups {
        let reading = |at: usize| hunks[order[at]].readings.first();
        let Some(first) = reading(group[0]) else { continue };
        let old = old_lines(first);
        // Too costly: each hunk will say so by itself.
        let Ok(places) = find(base, &old_rows(base, &old, Rung::Exact), budget) else { continue };
        let apart = places.windows(2).all(|pair| pair[1] - pair[0] >= old.len());
        if places.len() == group.len() && apart {
            for (at, place) in group.into_iter().zip(places) {
                roles[at] = Role::Assigned(place);
            }
        } else if places.len() == 1 && group.iter().all(|at| reading(*at).map(|r| &r.lines) == Some(&first.lines)) {
            tags.insert(Tag::DroppedDuplicateHunk);
            for at in &group[1..] {
                roles[*at] = Role::Duplicate;
            }
        }
    }
    roles
}
