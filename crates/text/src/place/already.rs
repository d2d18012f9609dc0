//! A change that is there already (spec: text-engine.md §7 "Already there").
//!
//! Invariant: a change that was applied once is not applied a second time without a word.

use std::collections::HashMap;

use super::choose::Expected;
use super::effect::{Effect, Extent, Point, Run, runs};
use super::matching::Match;
use super::rows::{find, new_rows, stands};
use crate::base::{Base, Budget, TooCostly};
use crate::fold::{is_informative, trimmed};
use crate::header::Numbers;
use crate::limits::MAX_OFFSET;
use crate::region::{Kind, Reading};
use crate::syntax::is_blank;

/// An exact candidate of a hunk without deletions is chosen, and its new lines stand there in full, at the same place
/// or, when `drifts`, beginning up to as many lines earlier as it inserts. Answers the place.
pub(super) fn insertion_stands(
    base: &Base<'_>,
    reading: &Reading,
    found: &Match,
    drifts: bool,
    budget: &Budget,
) -> Result<Option<i64>, TooCostly> {
    if reading.lines.iter().any(|line| line.kind == Kind::Delete) {
        return Ok(None);
    }
    let rows = new_rows(base, &reading.lines);
    let inserted = reading.new_count() - reading.old_count();
    let earlier = if drifts { inserted as i64 } else { 0 };
    for place in (found.place - earlier..=found.place).rev() {
        if let Ok(at) = usize::try_from(place)
            && stands(base, &rows, at, budget)?
        {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// No reading has an exact candidate, but the new lines of one stand in the base. Answers the places.
pub(super) fn result_stands(
    base: &Base<'_>,
    readings: &[Reading],
    expected: Option<Expected>,
    budget: &Budget,
) -> Result<Vec<i64>, TooCostly> {
    for reading in readings.iter().filter(|reading| can_tell(reading)) {
        let found = find(base, &new_rows(base, &reading.lines), budget)?;
        let is_near = |place: &i64| expected.is_none_or(|expected| expected.distance(*place) <= MAX_OFFSET as u64);
        let places: Vec<i64> = found.into_iter().map(|at| at as i64).filter(is_near).collect();
        if !places.is_empty() {
            return Ok(places);
        }
    }
    Ok(Vec::new())
}

/// An exact candidate is chosen elsewhere than stated, and the new lines stand just where the hunk is expected: the
/// change was made there, and what was found is another place like it. Answers the place.
pub(super) fn result_stands_at(
    base: &Base<'_>,
    reading: &Reading,
    expected: Expected,
    budget: &Budget,
) -> Result<Option<i64>, TooCostly> {
    let rows = new_rows(base, &reading.lines);
    for place in [expected.stated, expected.carried] {
        if let Ok(at) = usize::try_from(place)
            && can_tell(reading)
            && stands(base, &rows, at, budget)?
        {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// The new lines hold an informative line, and an inserted line or, where the hunk only deletes, a context line before
/// its first and one behind its last deletion.
fn can_tell(reading: &Reading) -> bool {
    let is_context = |kind: Option<Kind>| kind == Some(Kind::Context);
    let kind = |line: Option<&crate::region::BodyLine>| line.map(|line| line.kind);
    let enclosed = is_context(kind(reading.lines.first())) && is_context(kind(reading.lines.last()));
    reading.lines.iter().any(|line| line.is_new() && is_informative(&line.text))
        && (reading.lines.iter().any(|line| line.kind == Kind::Insert) || enclosed)
}

/// A candidate of a looser rung is chosen, at least one run speaks, and all that speak stand.
pub(super) fn runs_stand(
    base: &Base<'_>,
    reading: &Reading,
    found: &Match,
    effect: &Effect,
    numbers: Option<Numbers>,
    budget: &Budget,
) -> Result<bool, TooCostly> {
    let matched: Vec<usize> = (0..reading.old_count()).filter_map(|old| found.base_line(old)).collect();
    let is_matched = |at: usize| matched.binary_search(&at).is_ok();
    let extent = Extent::new(reading, found, numbers);
    let mut spoken = false;
    let mut points = effect.points.iter();
    for run in runs(reading, found) {
        let point = points.by_ref().take(run.inserted).last().copied();
        let new = beyond_deleted(reading, &run);
        if new.is_empty() {
            continue;
        }
        spoken = true;
        let from = run.before.map_or(extent.range.start, |before| before + 1);
        let to = run.behind.unwrap_or(extent.range.end);
        budget.take(to.saturating_sub(from) + new.len())?;
        let skipped: Vec<&str> = (from..to).filter(|at| !is_matched(*at)).map(|at| trimmed(base.content(at))).collect();
        let among = new.iter().all(|line| skipped.contains(line));
        let stands =
            among || (run.deleted.is_empty() && stands_beside(base, reading, &run, point, &is_matched, budget)?);
        if !stands {
            return Ok(false);
        }
    }
    Ok(spoken)
}

/// The informative lines that a run inserts beyond those that it deletes, one for one, trimmed.
fn beyond_deleted<'r>(reading: &'r Reading, run: &Run) -> Vec<&'r str> {
    let lines = || reading.lines[run.lines.clone()].iter();
    let mut deleted: HashMap<&str, usize> = HashMap::new();
    for line in lines().filter(|line| line.kind == Kind::Delete) {
        *deleted.entry(trimmed(&line.text)).or_default() += 1;
    }
    let inserted = lines().filter(|line| line.kind == Kind::Insert && is_informative(&line.text));
    inserted
        .map(|line| trimmed(&line.text))
        .filter(|line| match deleted.get_mut(line) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

/// The n non-blank lines of a run equal the n non-blank base lines directly before or after its insertion point (if
/// unknown: any point between the neighbours), not all n matched by the hunk.
fn stands_beside(
    base: &Base<'_>,
    reading: &Reading,
    run: &Run,
    point: Option<Point>,
    is_matched: &dyn Fn(usize) -> bool,
    budget: &Budget,
) -> Result<bool, TooCostly> {
    let wanted: Vec<&str> = reading.lines[run.lines.clone()]
        .iter()
        .filter(|line| !is_blank(&line.text))
        .map(|line| trimmed(&line.text))
        .collect();
    let (from, to) = match point {
        Some(Point::At(at)) => (at, at),
        Some(Point::Unknown { from, to }) => (from, to),
        None => return Ok(false),
    };
    for at in from..=to {
        let filled = |at: &usize| !base.is_blank(*at);
        let mut before: Vec<usize> = (0..at).rev().filter(filled).take(wanted.len()).collect();
        before.reverse();
        let after: Vec<usize> = (at..base.len()).filter(filled).take(wanted.len()).collect();
        let reach = |end: Option<&usize>| end.map_or(base.len(), |end| end.abs_diff(at) + 1);
        budget.take(reach(before.first()) + reach(after.last()))?;
        let equal = |lines: &[usize]| {
            lines.len() == wanted.len()
                && lines.iter().zip(&wanted).all(|(at, line)| trimmed(base.content(*at)) == *line)
                && !lines.iter().all(|at| is_matched(*at))
        };
        if equal(&before) || equal(&after) {
            return Ok(true);
        }
    }
    Ok(false)
}
