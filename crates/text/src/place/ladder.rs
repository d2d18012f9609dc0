//! The candidates of each rung (spec: text-engine.md §7 "Rungs").

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::Rung;
use super::blank::find_blank;
use super::effect::{Effect, Point, effect};
use super::fuzz::find_fuzz;
use super::matching::{Match, old_lines};
use super::near::alignments;
use super::rows::{find, find_within, old_rows};
use crate::base::{Base, Budget, TooCostly};
use crate::header::Numbers;
use crate::region::Reading;

/// What a rung found; those with an equal effect are one.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub found: Vec<Match>,
    /// The level of the rung.
    pub level: usize,
    /// On `near`: alignments of this cost do different things.
    pub rivals: Vec<Match>,
}

/// The candidates of a rung for a reading; `ranges` bound the places.
pub(super) fn candidates(
    base: &Base<'_>,
    reading: &Reading,
    rung: Rung,
    numbers: Option<Numbers>,
    ranges: Option<&[Range<i64>]>,
    budget: &Budget,
) -> Result<Candidates, TooCostly> {
    let old = old_lines(reading);
    if old.is_empty() {
        return Ok(Candidates::default());
    }
    let rows = old_rows(base, &old, rung);
    let level = match rung {
        Rung::Exact => 0,
        Rung::Fuzz2 => 2,
        _ => 1,
    };
    let found = match rung {
        Rung::Exact | Rung::Whitespace | Rung::Unicode => {
            let places = match ranges {
                Some(ranges) => find_within(base, &rows, ranges, budget)?,
                None => find(base, &rows, budget)?,
            };
            places.into_iter().map(|at| Match::straight(at as i64, old.len(), 0, 0)).collect()
        }
        Rung::Blank => {
            let found = find_blank(base, &old, &rows, ranges, budget)?;
            distinct(found, |one| effect(base, reading, one, rung, numbers), budget)?
        }
        Rung::Fuzz1 | Rung::Fuzz2 => find_fuzz(base, reading, &rows, rung, budget)?,
        Rung::Near => return near(base, reading, &rows, numbers, ranges, budget),
    };
    Ok(Candidates { found, level, rivals: Vec::new() })
}

/// The close alignments of the lowest cost that has any; rivals when those up to that cost, close or not, have more
/// than one effect.
fn near(
    base: &Base<'_>,
    reading: &Reading,
    rows: &[super::rows::Row],
    numbers: Option<Numbers>,
    ranges: Option<&[Range<i64>]>,
    budget: &Budget,
) -> Result<Candidates, TooCostly> {
    let old = old_lines(reading);
    let all = alignments(base, &old, rows, ranges, budget)?;
    let Some(level) = all.iter().filter(|one| one.close).map(|one| one.cost).min() else {
        return Ok(Candidates::default());
    };
    let effect = |one: &Match| effect(base, reading, one, Rung::Near, numbers);
    let as_cheap = all.iter().filter(|one| one.cost <= level).map(|one| one.found.clone()).collect();
    let rivals = distinct(as_cheap, effect, budget)?;
    let close = all.into_iter().filter(|one| one.close && one.cost == level).map(|one| one.found).collect();
    let found = distinct(close, effect, budget)?;
    Ok(Candidates { found, level, rivals: if rivals.len() > 1 { rivals } else { Vec::new() } })
}

/// One candidate an effect: that with the fewest tolerated lines, then the first.
fn distinct(found: Vec<Match>, effect: impl Fn(&Match) -> Effect, budget: &Budget) -> Result<Vec<Match>, TooCostly> {
    /// Comparisons that an effect counts as.
    const EFFECT: usize = 32;
    budget.take(EFFECT * found.len())?;
    let mut kept: Vec<Match> = Vec::new();
    let mut known: HashMap<(Vec<usize>, Vec<Point>), usize> = HashMap::new();
    for one in found {
        let Effect { deleted, points, .. } = effect(&one);
        match known.entry((deleted, points)) {
            Entry::Vacant(entry) => {
                entry.insert(kept.len());
                kept.push(one);
            }
            Entry::Occupied(entry) => {
                let known = &mut kept[*entry.get()];
                if one.tolerated < known.tolerated {
                    *known = one;
                }
            }
        }
    }
    Ok(kept)
}
