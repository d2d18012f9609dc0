//! Choosing among the candidates of a rung (spec: text-engine.md §7 "Choosing among candidates C of a rung").
//!
//! Invariant: where nobody can tell, nothing is chosen.

use super::anchor::Scopes;
use super::matching::Match;
use super::{Failed, Rung};
use crate::base::{Base, Budget};
use crate::codes::RejectCode;
use crate::fold::is_informative;
use crate::limits::MAX_OFFSET;
use crate::region::BodyLine;
use crate::tags::{Tag, Tags};

/// Where a numbered hunk is expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub stated: i64,
    /// S + c: the stated index, carried by the offset of the hunk before.
    pub carried: i64,
}

impl Expected {
    /// To the nearer of both.
    pub fn distance(self, place: i64) -> u64 {
        place.abs_diff(self.stated).min(place.abs_diff(self.carried))
    }

    /// From the nearer of both; from the carried one on a tie.
    pub fn offset(self, place: i64) -> i64 {
        let nearer =
            if place.abs_diff(self.carried) <= place.abs_diff(self.stated) { self.carried } else { self.stated };
        place - nearer
    }

    fn holds(self, place: i64) -> bool {
        self.distance(place) == 0
    }
}

/// A candidate that was chosen.
#[derive(Debug)]
pub(super) struct Choice {
    pub index: usize,
    pub offset: i64,
    pub tags: Tags,
}

pub(super) struct Question<'q, 't> {
    pub base: &'q Base<'t>,
    pub budget: &'q Budget,
    pub old: &'q [&'q BodyLine],
    pub anchors: &'q [String],
    /// `None` where it has no number.
    pub expected: Option<Expected>,
}

impl Question<'_, '_> {
    /// Chooses one of the candidates of a rung, of which there is at least one.
    pub fn choose(&self, candidates: &[Match], rung: Rung) -> Result<Choice, Failed> {
        match self.expected {
            None => self.unnumbered(candidates, rung),
            Some(_) if candidates.len() > 1 && rung != Rung::Exact => Err(competing(RejectCode::Ambiguous, candidates)),
            Some(expected) => self.numbered(candidates, expected),
        }
    }

    fn unnumbered(&self, candidates: &[Match], rung: Rung) -> Result<Choice, Failed> {
        let mut tags = Tags::new();
        if let [only] = candidates {
            if !self.anchors.is_empty() {
                let scopes = self.scopes()?;
                if scopes.is_empty() {
                    tags.insert(Tag::AnchorNotFound);
                } else if !scopes.hold(only, self.old.len()) {
                    tags.insert(Tag::AnchorMismatch);
                }
            }
            return Ok(Choice { index: 0, offset: 0, tags });
        }
        match self.only_in_scope(candidates)? {
            Some(index) if rung != Rung::Near => {
                tags.insert(Tag::ChosenByAnchor);
                Ok(Choice { index, offset: 0, tags })
            }
            _ => Err(competing(RejectCode::Ambiguous, candidates)),
        }
    }

    fn numbered(&self, candidates: &[Match], expected: Expected) -> Result<Choice, Failed> {
        let at: Vec<usize> = (0..candidates.len()).filter(|i| expected.holds(candidates[*i].place)).collect();
        match at[..] {
            [] => self.away(candidates, expected),
            [index] => {
                let mut tags = Tags::new();
                if candidates.len() > 1 {
                    match self.only_in_scope(candidates)? {
                        Some(other) if other != index => return Err(competing(RejectCode::Ambiguous, candidates)),
                        Some(_) => {}
                        None => {
                            tags.insert(Tag::OtherMatches);
                        }
                    }
                }
                Ok(Choice { index, offset: 0, tags })
            }
            _ => Err(competing_of(RejectCode::Ambiguous, at.iter().map(|i| &candidates[*i]))),
        }
    }

    /// No candidate is where the hunk is expected.
    fn away(&self, candidates: &[Match], expected: Expected) -> Result<Choice, Failed> {
        let is_near = |i: &usize| expected.distance(candidates[*i].place) <= MAX_OFFSET as u64;
        let within: Vec<usize> = (0..candidates.len()).filter(is_near).collect();
        let mut tags = Tags::new();
        let chosen = |index: usize, tags| Ok(Choice { index, offset: expected.offset(candidates[index].place), tags });
        if within.is_empty() {
            let code = if candidates.len() == 1 { RejectCode::StaleOffset } else { RejectCode::Ambiguous };
            return Err(competing(code, candidates));
        }
        if candidates.len() > 1
            && let Some(index) = self.only_in_scope(candidates)?
        {
            if !within.contains(&index) {
                return Err(competing(RejectCode::Ambiguous, candidates));
            }
            tags.insert(Tag::ChosenByAnchor);
            return chosen(index, tags);
        }
        let [index] = within[..] else {
            return Err(competing_of(RejectCode::Ambiguous, within.iter().map(|i| &candidates[*i])));
        };
        if candidates.len() > 1 {
            if !self.old.iter().any(|line| is_informative(&line.text)) {
                return Err(competing(RejectCode::Ambiguous, candidates));
            }
            tags.insert(Tag::OtherMatches);
        }
        chosen(index, tags)
    }

    fn scopes(&self) -> Result<Scopes, Failed> {
        Ok(Scopes::new(self.base, self.anchors, self.budget)?)
    }

    /// The candidate that is in anchor scope, if it is exactly one.
    fn only_in_scope(&self, candidates: &[Match]) -> Result<Option<usize>, Failed> {
        if self.anchors.is_empty() {
            return Ok(None);
        }
        let scopes = self.scopes()?;
        let mut inside = (0..candidates.len()).filter(|i| scopes.hold(&candidates[*i], self.old.len()));
        Ok(inside.next().filter(|_| inside.next().is_none()))
    }
}

/// A failure with the places that compete.
pub(super) fn competing(code: RejectCode, candidates: &[Match]) -> Failed {
    competing_of(code, candidates.iter())
}

fn competing_of<'m>(code: RejectCode, candidates: impl Iterator<Item = &'m Match>) -> Failed {
    Failed::at(code, candidates.map(|found| found.place + 1))
}
