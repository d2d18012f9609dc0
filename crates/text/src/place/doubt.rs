//! What looks applied and is not meant (spec: text-replies.md §5).
//!
//! Invariant: both findings are about runs without a deletion, and neither changes what is applied.

use super::effect::{Effect, Point, runs};
use super::matching::Match;
use super::similar::is_similar;
use crate::base::{Base, Budget, TooCostly};
use crate::fold::{is_informative, trimmed};
use crate::preview::MarkedLines;
use crate::region::{BodyLine, Kind, Reading};
use crate::syntax::is_blank;
use crate::tags::Tag;

/// How far from its point the lines of a run may stand already.
const BESIDE: usize = 3;

/// The findings about a reading in its place, with the old lines that they are about.
pub(super) fn doubts(
    base: &Base<'_>,
    reading: &Reading,
    found: &Match,
    effect: &Effect,
    budget: &Budget,
) -> Result<Vec<MarkedLines>, TooCostly> {
    let mut marks = Vec::new();
    let mut points = effect.points.iter();
    for run in runs(reading, found) {
        let point = points.by_ref().take(run.inserted).last().copied();
        let lines = &reading.lines[run.lines.clone()];
        if lines.iter().any(|line| line.kind == Kind::Delete) {
            continue;
        }
        let above = reading.lines[..run.lines.start].iter().filter(|line| line.is_old()).count();
        for old in [above.checked_sub(1), Some(above)].into_iter().flatten() {
            if let Some(beside) = found.base_line(old)
                && is_copy(base, lines, beside, budget)?
            {
                marks.push(MarkedLines { tag: Tag::InsertsNearCopy, from: beside + 1, to: beside + 1, part: None });
            }
        }
        if let Some(Point::At(point)) = point
            && let Some((from, to)) = stands(base, lines, point, &effect.deleted, budget)?
        {
            marks.push(MarkedLines { tag: Tag::MarksExistingLine, from: from + 1, to: to + 1, part: None });
        }
    }
    Ok(marks)
}

/// An inserted informative line is similar to a base line beside it.
fn is_copy(base: &Base<'_>, lines: &[BodyLine], beside: usize, budget: &Budget) -> Result<bool, TooCostly> {
    for line in lines.iter().filter(|line| is_informative(&line.text)) {
        if is_similar(base, &line.text, beside, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Every line of the run stands near its point, where the hunk deletes nothing: the first and the last base line of them.
fn stands(
    base: &Base<'_>,
    lines: &[BodyLine],
    point: usize,
    deleted: &[usize],
    budget: &Budget,
) -> Result<Option<(usize, usize)>, TooCostly> {
    let about = point.saturating_sub(BESIDE)..(point + BESIDE).min(base.len());
    if !lines.iter().any(|line| is_informative(&line.text)) || deleted.iter().any(|at| about.contains(at)) {
        return Ok(None);
    }
    let filled = lines.iter().filter(|line| !is_blank(&line.text));
    budget.take(lines.len())?;
    let places: Option<Vec<usize>> =
        filled.map(|line| about.clone().find(|at| trimmed(base.content(*at)) == trimmed(&line.text))).collect();
    Ok(places.and_then(|places| Some((*places.iter().min()?, *places.iter().max()?))))
}
