//! The rung `near`: alignments of a small cost (spec: text-engine.md §7 "Near").
//!
//! Invariant: deletions are equal, the first and the last old line are matched, and a place is taken only when every
//! alignment that costs as little, alike or not, would do the same.

use std::ops::Range;

use super::matching::Match;
use super::rows::{Row, within_base};
use super::similar::is_similar;
use crate::base::{Base, Budget, TooCostly};
use crate::fold::is_elision;
use crate::limits::{MAX_NEAR, NEAR_LINES};
use crate::region::{BodyLine, Kind};

/// Old lines on base lines in order.
#[derive(Debug, Clone)]
pub(super) struct Alignment {
    pub found: Match,
    pub cost: usize,
    /// All unequal pairs are similar, and no gap has both left-out and skipped lines.
    pub close: bool,
}

/// Alignments that are kept for each old line, base line and cost.
const KEPT: usize = 4;
/// Comparisons that a step of the search counts as.
const STEP: usize = 16;
/// How far from its place an old line may stand.
const DRIFT: usize = 2;

/// Every alignment of cost 1 to [`MAX_NEAR`], by place; `ranges` bound the places.
pub(super) fn alignments(
    base: &Base<'_>,
    old: &[&BodyLine],
    rows: &[Row],
    ranges: Option<&[Range<i64>]>,
    budget: &Budget,
) -> Result<Vec<Alignment>, TooCostly> {
    let lost = |(line, row): (&&BodyLine, &Row)| line.kind == Kind::Delete && row.is_nowhere();
    if old.len() < NEAR_LINES || old.iter().zip(rows).any(lost) {
        return Ok(Vec::new());
    }
    let starts = match ranges {
        Some(ranges) => within_base(base, ranges),
        None => starts(base, rows, budget)?,
    };
    let mut found = Vec::new();
    for start in starts {
        if let Some(missing) = missing(base, rows, start, budget)? {
            Search { base, old, rows, start, budget, missing, nodes: Vec::new() }.run(&mut found)?;
        }
    }
    Ok(found)
}

/// At most two old lines may stand elsewhere, so one of the three rarest stands about its place.
fn starts(base: &Base<'_>, rows: &[Row], budget: &Budget) -> Result<Vec<usize>, TooCostly> {
    let mut rarest: Vec<(usize, usize)> = rows.iter().map(|row| row.count(base)).zip(0..).collect();
    rarest.sort_unstable();
    rarest.truncate(MAX_NEAR + 1);
    let places: usize = rarest.iter().map(|(count, _)| count).sum();
    if places * (2 * DRIFT + 1) >= base.len() {
        return Ok((0..base.len()).collect());
    }
    budget.take(places)?;
    let mut starts = Vec::new();
    for (_, at) in rarest {
        for place in rows[at].places(base) {
            let nearest = (place + DRIFT).saturating_sub(at);
            let farthest = place.saturating_sub(at + DRIFT);
            starts.extend((farthest..=nearest).filter(|start| *start < base.len()));
        }
    }
    starts.sort_unstable();
    starts.dedup();
    Ok(starts)
}

/// An alignment begins at p only if n − 2 of the n old lines occur within two lines of where p puts them. Answers, by
/// old line, how many from there on do not.
fn missing(base: &Base<'_>, rows: &[Row], start: usize, budget: &Budget) -> Result<Option<Vec<usize>>, TooCostly> {
    let mut absent = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        budget.take(2 * DRIFT)?;
        let centre = start + at;
        let about = centre.saturating_sub(DRIFT)..(centre + DRIFT + 1).min(base.len());
        if row.is_nowhere() || !about.into_iter().any(|line| row.equals(base, line)) {
            if absent.len() == MAX_NEAR {
                return Ok(None);
            }
            absent.push(at);
        }
    }
    Ok(Some((0..=rows.len()).map(|line| absent.iter().filter(|at| **at >= line).count()).collect()))
}

/// A part of an alignment: the old lines so far, up to a base line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    at: usize,
    cost: usize,
    close: bool,
    /// The gap since the last match has left-out, or skipped, lines.
    left_out: bool,
    skipped: bool,
    node: usize,
}

struct Search<'s, 't> {
    base: &'s Base<'t>,
    old: &'s [&'s BodyLine],
    rows: &'s [Row],
    start: usize,
    budget: &'s Budget,
    /// By old line: the cost that the lines from there on have at least.
    missing: Vec<usize>,
    /// Steps: the one before, and the base line of the old line.
    nodes: Vec<(usize, Option<usize>)>,
}

impl Search<'_, '_> {
    fn run(mut self, found: &mut Vec<Alignment>) -> Result<(), TooCostly> {
        let root = self.node(0, None);
        let mut parts =
            vec![Part { at: self.start, cost: 0, close: true, left_out: false, skipped: false, node: root }];
        for line in 0..self.old.len() {
            parts = self.step(line, parts)?;
            if parts.is_empty() {
                return Ok(());
            }
        }
        for part in parts.into_iter().filter(|part| part.cost > 0) {
            let lines = self.path(part.node);
            if lines.iter().flatten().count() >= NEAR_LINES {
                found.push(Alignment {
                    found: Match::listed(self.start as i64, lines, part.cost),
                    cost: part.cost,
                    close: part.close,
                });
            }
        }
        Ok(())
    }

    /// Matches the next old line, leaves it out, or skips base lines before it.
    fn step(&mut self, line: usize, parts: Vec<Part>) -> Result<Vec<Part>, TooCostly> {
        let is_end = line == 0 || line + 1 == self.old.len();
        let context = self.old[line].kind == Kind::Context;
        let may_leave_out = !is_end && context && !is_elision(&self.old[line].text);
        let mut next: Vec<Part> = Vec::new();
        let least = self.missing[line];
        for part in parts.into_iter().filter(|part| part.cost + least <= MAX_NEAR) {
            if may_leave_out && part.cost < MAX_NEAR && !part.skipped {
                let node = self.node(part.node, None);
                push(&mut next, Part { cost: part.cost + 1, left_out: true, node, ..part });
            }
            let mut part = part;
            loop {
                self.budget.take(STEP)?;
                if part.at >= self.base.len() {
                    break;
                }
                let equal = self.rows[line].equals(self.base, part.at);
                if equal || (context && part.cost < MAX_NEAR) {
                    let similar = equal || is_similar(self.base, &self.old[line].text, part.at, self.budget)?;
                    let node = self.node(part.node, Some(part.at));
                    push(
                        &mut next,
                        Part {
                            at: part.at + 1,
                            cost: part.cost + usize::from(!equal),
                            close: part.close && similar,
                            left_out: false,
                            skipped: false,
                            node,
                        },
                    );
                }
                if line == 0 || part.cost == MAX_NEAR {
                    break;
                }
                part.at += 1;
                part.cost += 1;
                part.skipped = true;
                part.close &= !part.left_out;
            }
        }
        Ok(next)
    }

    fn node(&mut self, before: usize, line: Option<usize>) -> usize {
        self.nodes.push((before, line));
        self.nodes.len() - 1
    }

    /// The base line of each old line.
    fn path(&self, mut node: usize) -> Vec<Option<usize>> {
        let mut lines = Vec::with_capacity(self.old.len());
        while node > 0 {
            let (before, line) = self.nodes[node];
            lines.push(line);
            node = before;
        }
        lines.reverse();
        lines
    }
}

/// Keeps a part unless enough like it are there.
fn push(parts: &mut Vec<Part>, part: Part) {
    let like = |known: &&Part| Part { node: part.node, ..**known } == part;
    if parts.iter().filter(like).count() < KEPT {
        parts.push(part);
    }
}
