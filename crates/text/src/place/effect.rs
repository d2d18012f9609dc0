//! What a match does to the base: the deleted lines and the insertion points (spec: text-engine.md §8 "Runs and
//! skipped lines").
//!
//! Invariant: an insertion point that could be on either side of skipped lines is unknown unless a row of the table
//! tells the side.

use std::ops::Range;

use super::Rung;
use super::matching::Match;
use crate::base::Base;
use crate::header::Numbers;
use crate::region::{Kind, Reading};
use crate::syntax::is_blank;

/// A maximal sequence of `+` and `-` lines.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub lines: Range<usize>,
    /// The nearest matched old lines outside of the run, as base lines.
    pub before: Option<usize>,
    pub behind: Option<usize>,
    /// Base lines of its deletions.
    pub deleted: Vec<usize>,
    /// Of its inserted lines before the first, after some, and after the last deletion.
    pub inserted: usize,
}

/// Where an inserted line goes: in front of a base line, or nobody knows where in a range of such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    At(usize),
    Unknown { from: usize, to: usize },
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Effect {
    pub deleted: Vec<usize>,
    /// By inserted line of the body.
    pub points: Vec<Point>,
    pub inferred: bool,
}

impl Effect {
    /// Whether both do the same to the base.
    pub fn equals(&self, other: &Self) -> bool {
        self.deleted == other.deleted && self.points == other.points
    }

    pub fn unknown(&self) -> Option<(usize, usize)> {
        self.points.iter().find_map(|point| match point {
            Point::Unknown { from, to } => Some((*from, *to)),
            Point::At(_) => None,
        })
    }
}

/// The runs of a matched reading.
pub(super) fn runs(reading: &Reading, found: &Match) -> Vec<Run> {
    let mut runs = Vec::new();
    let (mut at, mut old) = (0, 0);
    let mut before = None;
    while at < reading.lines.len() {
        if reading.lines[at].kind == Kind::Context {
            before = found.base_line(old).or(before);
            at += 1;
            old += 1;
            continue;
        }
        let start = at;
        let mut run = Run { lines: start..start, before, behind: None, deleted: Vec::new(), inserted: 0 };
        while let Some(line) = reading.lines.get(at).filter(|line| line.kind != Kind::Context) {
            if line.kind == Kind::Delete {
                run.deleted.extend(found.base_line(old));
                old += 1;
            } else {
                run.inserted += 1;
            }
            at += 1;
        }
        run.lines = start..at;
        before = run.deleted.last().copied().or(before);
        runs.push(run);
    }
    link_behind(reading, found, &mut runs);
    runs
}

/// The neighbour behind a run may be a deletion of the next run.
fn link_behind(reading: &Reading, found: &Match, runs: &mut [Run]) {
    let mut behind = None;
    let mut old = reading.old_count();
    let mut at = reading.lines.len();
    for run in runs.iter_mut().rev() {
        while at > run.lines.end {
            at -= 1;
            old -= 1;
            behind = found.base_line(old).or(behind);
        }
        run.behind = behind;
        while at > run.lines.start {
            at -= 1;
            old -= usize::from(reading.lines[at].is_old());
        }
        behind = run.deleted.first().copied().or(behind);
    }
}

/// The extent of a match and what the header says of the lines that it skips.
#[derive(Debug)]
pub(super) struct Extent {
    /// Of the base, first and behind the last matched line.
    pub range: Range<usize>,
    skipped: usize,
    lead: usize,
    tail: usize,
    /// Header counts above those of the body, when both sides agree and no old line is left out.
    surplus: usize,
}

impl Extent {
    pub fn new(reading: &Reading, found: &Match, numbers: Option<Numbers>) -> Self {
        let old = reading.old_count();
        let mut matched = (0..old).filter_map(|at| found.base_line(at));
        let first = matched.next().unwrap_or(0);
        let (count, last) = matched.fold((1, first), |(count, _), at| (count + 1, at));
        let is_context = |line: &&crate::region::BodyLine| line.kind == Kind::Context;
        let surplus = numbers.filter(|_| count == old).and_then(|numbers| {
            let more = |counted: usize, body: usize| counted.checked_sub(body);
            let more_old = more(numbers.old_count, old)?;
            (Some(more_old) == more(numbers.new_count, reading.new_count())).then_some(more_old)
        });
        Self {
            range: first..last + 1,
            skipped: last + 1 - first - count,
            lead: reading.lines.iter().take_while(is_context).count(),
            tail: reading.lines.iter().rev().take_while(is_context).count(),
            surplus: surplus.unwrap_or(0),
        }
    }

    /// The header counts the skipped lines.
    fn counts_skipped(&self) -> bool {
        self.skipped > 0 && self.surplus == self.skipped
    }

    /// The header says that the first run is behind the skipped lines: a diff shows as much context on both sides.
    fn says_behind(&self) -> bool {
        self.counts_skipped() && self.tail == self.lead + self.skipped && self.range.start > 0
    }

    /// The lead is longer by the skipped lines, and not because the base ends here.
    fn lacks_in_tail(&self, base: &Base<'_>) -> bool {
        self.lead == self.tail + self.skipped && self.range.end < base.len()
    }

    /// The header says that the last run is before the skipped lines.
    fn says_before(&self, base: &Base<'_>) -> bool {
        self.counts_skipped() && !self.says_behind() && self.lacks_in_tail(base)
    }

    /// The header counts more lines of context than there are, and just as many stand beside the match.
    fn hides_behind(&self, base: &Base<'_>) -> bool {
        self.surplus > 0 && self.lead > 0 && self.tail == 0 && base.len() - self.range.end == self.surplus
    }

    fn hides_before(&self) -> bool {
        self.surplus > 0 && self.tail > 0 && self.lead == 0 && self.range.start == self.surplus
    }
}

/// What a match of a reading on a rung does to the base.
pub(super) fn effect(
    base: &Base<'_>,
    reading: &Reading,
    found: &Match,
    rung: Rung,
    numbers: Option<Numbers>,
) -> Effect {
    let extent = Extent::new(reading, found, numbers);
    let runs = runs(reading, found);
    let mut effect = Effect::default();
    for (at, run) in runs.iter().enumerate() {
        let place = Position { is_first: at == 0, is_last: at + 1 == runs.len() };
        effect.deleted.extend(&run.deleted);
        if run.deleted.is_empty() {
            let told = pure_insertion(base, reading, run, &extent, place, rung);
            let (point, inferred) = if numbers.is_none() { across_blanks(base, reading, run, told) } else { told };
            effect.points.extend(std::iter::repeat_n(point, run.inserted));
            effect.inferred |= inferred;
        } else {
            replacement(base, reading, run, &extent, place, rung, &mut effect);
        }
    }
    effect
}

#[derive(Debug, Clone, Copy)]
struct Position {
    is_first: bool,
    is_last: bool,
}

/// Rows 1 and 2 of the table: a run without deletions.
fn pure_insertion(
    base: &Base<'_>,
    reading: &Reading,
    run: &Run,
    extent: &Extent,
    place: Position,
    rung: Rung,
) -> (Point, bool) {
    match (run.before, run.behind) {
        (Some(before), Some(behind)) if behind == before + 1 => (Point::At(behind), false),
        (Some(before), Some(behind)) => {
            let is_behind = if place.is_first && extent.says_behind() {
                Some(true)
            } else if place.is_last && extent.says_before(base) {
                Some(false)
            } else if rung == Rung::Blank && !base.is_blank(before) && !base.is_blank(behind) {
                let blank = |at: usize| is_blank(&reading.lines[at].text);
                match (blank(run.lines.start), blank(run.lines.end - 1)) {
                    (true, false) => Some(false),
                    (false, true) => Some(true),
                    _ => None,
                }
            } else {
                None
            };
            match is_behind {
                Some(true) => (Point::At(behind), true),
                Some(false) => (Point::At(before + 1), true),
                None => (Point::Unknown { from: before + 1, to: behind }, false),
            }
        }
        (Some(before), None) if extent.hides_behind(base) => {
            (Point::Unknown { from: before + 1, to: base.len() }, false)
        }
        (None, Some(behind)) if extent.hides_before() => (Point::Unknown { from: 0, to: behind }, false),
        (Some(before), None) => (Point::At(before + 1), false),
        (None, Some(behind)) => (Point::At(behind), false),
        // A match lays at least one old line on the base.
        (None, None) => (Point::Unknown { from: 0, to: base.len() }, false),
    }
}

/// Without line numbers, points between two neighbours that differ by blank base lines only are not unknown: a run that
/// begins with a line that is not blank goes behind them, another before them (text-replies.md §4). A header with numbers
/// would count the blank lines if they belonged to the hunk.
fn across_blanks(base: &Base<'_>, reading: &Reading, run: &Run, told: (Point, bool)) -> (Point, bool) {
    match (told.0, run.before, run.behind) {
        (Point::Unknown { from, to }, Some(_), Some(_)) if (from..to).all(|at| base.is_blank(at)) => {
            let begins_blank = is_blank(&reading.lines[run.lines.start].text);
            (Point::At(if begins_blank { from } else { to }), true)
        }
        _ => told,
    }
}

/// Rows 3 and 4 of the table: a run with deletions.
fn replacement(
    base: &Base<'_>,
    reading: &Reading,
    run: &Run,
    extent: &Extent,
    place: Position,
    rung: Rung,
    effect: &mut Effect,
) {
    let (first, last) = (run.deleted[0], run.deleted[run.deleted.len() - 1]);
    let front = match run.before {
        Some(before) if first > before + 1 => {
            if extent.counts_skipped() {
                (Point::At(before + 1), true)
            } else {
                (Point::Unknown { from: before + 1, to: first }, false)
            }
        }
        _ => (Point::At(first), false),
    };
    let one_for_one = run.deleted.len() == 1 && run.inserted == 1;
    let rear = match run.behind {
        Some(behind) if behind > last + 1 => {
            let stays = rung == Rung::Blank || one_for_one || (place.is_last && extent.lacks_in_tail(base));
            if stays { Point::At(last + 1) } else { Point::Unknown { from: last + 1, to: behind } }
        }
        _ => Point::At(last + 1),
    };
    let mut deleted = run.deleted.iter();
    let mut above: Option<usize> = None;
    for line in &reading.lines[run.lines.clone()] {
        if line.kind == Kind::Delete {
            above = deleted.next().copied();
            continue;
        }
        effect.points.push(match above {
            None => {
                effect.inferred |= front.1;
                front.0
            }
            Some(above) if above == last => rear,
            Some(above) => Point::At(above + 1),
        });
    }
}
