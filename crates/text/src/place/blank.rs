//! The rung `blank`: exact, but some blank lines are skipped (spec: text-engine.md §7 "Rungs").

use std::ops::Range;

use super::matching::Match;
use super::rows::{Row, within_base};
use crate::base::{Base, Budget, TooCostly};
use crate::limits::MAX_BLANK_SKIPS;
use crate::region::{BodyLine, Kind};
use crate::syntax::is_blank;

/// Every place of the old lines with 1 to [`MAX_BLANK_SKIPS`] blank lines skipped; `ranges` bound the places.
pub(super) fn find_blank(
    base: &Base<'_>,
    old: &[&BodyLine],
    rows: &[Row],
    ranges: Option<&[Range<i64>]>,
    budget: &Budget,
) -> Result<Vec<Match>, TooCostly> {
    let skippable = |line: &&&BodyLine| line.kind == Kind::Context && is_blank(&line.text);
    if old.iter().zip(rows).any(|(line, row)| row.is_nowhere() && !skippable(&line)) {
        return Ok(Vec::new());
    }
    let lead = old.iter().take_while(skippable).count();
    // The first matched line is the first old line, or the first one that is not blank.
    let mut starts: Vec<usize> = match ranges {
        Some(ranges) => {
            let wide: Vec<_> = ranges.iter().map(|range| range.start..range.end + MAX_BLANK_SKIPS as i64).collect();
            within_base(base, &wide)
        }
        None => [rows.first(), rows.get(lead)].into_iter().flatten().flat_map(|row| row.places(base)).collect(),
    };
    starts.sort_unstable();
    starts.dedup();
    let mut found: Vec<Match> = Vec::new();
    for start in starts {
        let Some(one) = walk(base, old, rows, start, budget)? else { continue };
        let inside = |ranges: &[Range<i64>]| ranges.iter().any(|range| range.contains(&one.place));
        if ranges.is_none_or(inside) {
            found.push(one);
        }
    }
    Ok(found)
}

/// Line by line: equal lines match; else a blank base line after the first match goes if the line of the hunk is not
/// blank; else a blank context line of the hunk goes if the base line is not blank or there is none.
fn walk(
    base: &Base<'_>,
    old: &[&BodyLine],
    rows: &[Row],
    start: usize,
    budget: &Budget,
) -> Result<Option<Match>, TooCostly> {
    let mut lines = Vec::with_capacity(old.len());
    let (mut at, mut skips) = (start, 0);
    let mut first = None;
    for (line, row) in old.iter().zip(rows) {
        loop {
            budget.take(1)?;
            let here = at < base.len();
            if here && row.equals(base, at) {
                first.get_or_insert(at as i64 - lines.len() as i64);
                lines.push(Some(at));
                at += 1;
                break;
            }
            skips += 1;
            if skips > MAX_BLANK_SKIPS {
                return Ok(None);
            }
            let blank = is_blank(&line.text);
            if here && first.is_some() && base.is_blank(at) && !blank {
                at += 1;
            } else if line.kind == Kind::Context && blank && !(here && base.is_blank(at)) {
                lines.push(None);
                break;
            } else {
                return Ok(None);
            }
        }
    }
    Ok(first.filter(|_| skips > 0).map(|place| Match::listed(place, lines, skips)))
}
