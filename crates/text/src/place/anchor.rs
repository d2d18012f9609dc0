//! What the text behind `@@` says of a place (spec: text-engine.md §7 "Anchor scope").

use std::ops::Range;

use super::matching::Match;
use crate::base::{Base, Budget, Form, TooCostly};
use crate::fold::folded;
use crate::syntax::is_blank;
use crate::transport::indentation;

/// Comparisons that folding a line counts as.
const FOLDING: usize = 8;

/// The scopes of the innermost anchor, each beginning with an anchor line.
#[derive(Debug)]
pub(super) struct Scopes(Vec<Range<usize>>);

impl Scopes {
    /// The scopes of stacked anchors, outer first; each lies in one of the scopes of the anchor around it.
    pub fn new(base: &Base<'_>, anchors: &[String], budget: &Budget) -> Result<Self, TooCostly> {
        let mut scopes: Option<Vec<Range<usize>>> = None;
        for anchor in anchors {
            let inside = |at: usize| {
                scopes.as_ref().is_none_or(|outer| outer.iter().any(|scope| scope.start < at && at < scope.end))
            };
            let lines = anchor_lines(base, anchor, budget)?;
            budget.take(lines.len() * scopes.as_ref().map_or(1, Vec::len))?;
            let lines: Vec<usize> = lines.into_iter().filter(|at| inside(*at)).collect();
            let mut inner = Vec::with_capacity(lines.len());
            for at in lines {
                inner.push(at..scope_end(base, at, budget)?);
            }
            scopes = Some(inner);
        }
        Ok(Self(scopes.unwrap_or_default()))
    }

    /// The anchor is nowhere in the base.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the first line of a match is in a scope, or the anchor line is among its lines.
    pub fn hold(&self, found: &Match, old: usize) -> bool {
        let mut matched = (0..old).filter_map(|at| found.base_line(at));
        let Some(first) = matched.next() else { return false };
        let last = matched.next_back().unwrap_or(first);
        let begin = usize::try_from(found.place).unwrap_or(0);
        self.0.iter().any(|scope| scope.contains(&begin) || (first..=last).contains(&scope.start))
    }
}

/// The base lines equal to the anchor after white-space folding, else those that begin with it.
fn anchor_lines(base: &Base<'_>, anchor: &str, budget: &Budget) -> Result<Vec<usize>, TooCostly> {
    let anchor = folded(anchor);
    let keys = base.keys(Form::Folded);
    let equal = keys.places(keys.key(&anchor));
    if !equal.is_empty() {
        return Ok(equal.iter().map(|at| *at as usize).collect());
    }
    budget.take(FOLDING * base.len())?;
    let begins = |at: &usize| folded(base.content(*at)).starts_with(&*anchor);
    Ok((0..base.len()).filter(begins).collect())
}

/// The next non-blank line that is not indented deeper and does not close a bracket.
fn scope_end(base: &Base<'_>, at: usize, budget: &Budget) -> Result<usize, TooCostly> {
    let depth = indentation(base.content(at)).len();
    let ends = |line: &usize| {
        let content = base.content(*line);
        let inner = indentation(content).len();
        !is_blank(content) && inner <= depth && !content[inner..].starts_with([')', ']', '}'])
    };
    let end = (at + 1..base.len()).find(ends).unwrap_or(base.len());
    budget.take(end - at)?;
    Ok(end)
}
