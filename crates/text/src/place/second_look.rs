//! The second look at a hunk that was found elsewhere than stated (spec: text-engine.md §7 "Second look").

use std::ops::Range;

use super::choose::{Expected, competing};
use super::effect::{Effect, effect};
use super::fuzz::fuzz_at;
use super::ladder::{Candidates, candidates};
use super::matching::Match;
use super::near::alignments;
use super::rows::old_rows;
use super::{Failed, Rung};
use crate::base::{Base, Budget};
use crate::codes::RejectCode;
use crate::header::Numbers;
use crate::limits::MAX_OFFSET;
use crate::region::{BodyLine, Reading};

/// A chosen candidate that is not where the hunk is expected.
pub(super) struct SecondLook<'l, 't> {
    pub base: &'l Base<'t>,
    pub budget: &'l Budget,
    /// The reading of the looser rungs.
    pub first: &'l Reading,
    pub old: &'l [&'l BodyLine],
    pub numbers: Numbers,
    pub expected: Expected,
    pub rung: Rung,
    pub chosen: &'l Match,
    /// What the candidates of the rung do, as far as they are about here.
    pub known: &'l [Effect],
}

/// The candidates about the expected places: only these can do what a nearer place does.
pub(super) fn about(found: &[Match], expected: Expected) -> impl Iterator<Item = &Match> {
    let reach = 2 * MAX_OFFSET as u64;
    found.iter().filter(move |one| expected.distance(one.place) <= reach)
}

impl SecondLook<'_, '_> {
    /// Refuses when a looser rung has a strictly nearer candidate with an effect that no candidate here has. Answers
    /// whether another place competes so far that it must be confirmed.
    pub fn look(&self) -> Result<bool, Failed> {
        let looser: &[Rung] = match self.rung {
            Rung::Exact => &[Rung::Blank, Rung::Whitespace, Rung::Unicode],
            Rung::Blank => &[Rung::Whitespace, Rung::Unicode, Rung::Near],
            Rung::Whitespace => &[Rung::Unicode, Rung::Near],
            Rung::Unicode => &[Rung::Near],
            Rung::Near | Rung::Fuzz1 | Rung::Fuzz2 => &[],
        };
        for rung in looser {
            let ranges = self.nearer();
            let Candidates { found, .. } =
                candidates(self.base, self.first, *rung, Some(self.numbers), Some(&ranges), self.budget)?;
            if let Some(other) = found.iter().find(|one| self.is_other(one, *rung)) {
                return Err(competing(RejectCode::Ambiguous, &self.in_order(other)));
            }
        }
        if self.rung != Rung::Exact {
            return Ok(false);
        }
        self.rivals()
    }

    fn in_order(&self, other: &Match) -> Vec<Match> {
        let mut both = vec![self.chosen.clone(), other.clone()];
        both.sort_by_key(|one| one.place);
        both
    }

    /// The places that are nearer than the chosen one.
    fn nearer(&self) -> Vec<Range<i64>> {
        let distance = self.expected.distance(self.chosen.place) as i64;
        [self.expected.stated, self.expected.carried].map(|at| at - distance + 1..at + distance).to_vec()
    }

    fn is_other(&self, found: &Match, rung: Rung) -> bool {
        let other = effect(self.base, self.first, found, rung, Some(self.numbers));
        !self.known.iter().any(|known| known.equals(&other))
    }

    /// A fuzz candidate or an alignment, close or not, where the hunk is expected.
    fn rivals(&self) -> Result<bool, Failed> {
        let rows = old_rows(self.base, self.old, Rung::Exact);
        for place in [self.expected.stated, self.expected.carried] {
            if let Some(found) = fuzz_at(self.base, self.first, &rows, place, self.budget)?
                && self.is_other(&found, Rung::Fuzz1)
            {
                return Ok(true);
            }
            let here = place..place + 1;
            let here = Some(std::slice::from_ref(&here));
            for alignment in alignments(self.base, self.old, &rows, here, self.budget)? {
                if self.is_other(&alignment.found, Rung::Near) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
