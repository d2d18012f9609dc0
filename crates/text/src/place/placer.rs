//! Finding the place of one hunk (spec: text-engine.md §7 "Rungs", "Evidence", "No old lines").
//!
//! Owns the order in which the rules are asked. Invariant: the first rung with a candidate decides, unless its chosen
//! candidate lacks evidence.

use super::choose::{self, Choice, Expected, Question};
use super::doubt::doubts;
use super::effect::{Effect, Point, effect};
use super::elision::{is_elided, writes_elision};
use super::ladder::{Candidates, candidates};
use super::matching::{Match, old_lines, settled};
use super::second_look::{SecondLook, about};
use super::{Failed, Hunk, Placed, Rung, Source, already, indent, stated};
use crate::base::{Base, Budget, TooCostly};
use crate::codes::RejectCode;
use crate::fold::is_informative;
use crate::limits::FUZZ_OFFSET;
use crate::region::{BodyLine, Reading};
use crate::tags::{Tag, Tags};

/// One hunk, a base, and how far the hunk before was off.
pub(super) struct Placer<'p, 't> {
    pub base: &'p Base<'t>,
    pub budget: &'p Budget,
    pub hunk: &'p Hunk,
    /// c: the offset of the numbered hunk before.
    pub carried: i64,
}

impl<'t> Placer<'_, 't> {
    pub(super) fn expected(&self) -> Option<Expected> {
        self.hunk.header.numbers.map(|numbers| {
            let stated = stated(numbers.old_start);
            Expected { stated, carried: stated + self.carried }
        })
    }

    /// Its place; `forced` is that of an assigned hunk.
    pub fn place(&self, forced: Option<usize>) -> Result<Placed, Failed> {
        let first = self.hunk.readings.first().ok_or(RejectCode::NoMatch)?;
        if writes_elision(first) {
            return Err(RejectCode::Elision.into());
        }
        if self.base.is_empty() {
            let bare = self.hunk.readings.all().iter().find(|reading| reading.old_count() == 0);
            return self.inserted(bare.ok_or(RejectCode::NoMatch)?, 0, Tags::new());
        }
        if let Some(at) = forced {
            let found = Match::straight(at as i64, first.old_count(), 0, 0);
            let choice = Choice { index: 0, offset: 0, tags: Tags::from([Tag::AssignedInOrder]) };
            let candidates = Candidates { found: vec![found], ..Candidates::default() };
            return self.finish(first, &candidates, Rung::Exact, choice);
        }
        if let Some((reading, candidates)) = self.exact(first)? {
            let choice = self.question(&old_lines(reading)).choose(&candidates.found, Rung::Exact)?;
            return self.finish(reading, &candidates, Rung::Exact, choice);
        }
        if first.old_count() == 0 {
            return self.without_old_lines(first);
        }
        let stands = already::result_stands(self.base, self.hunk.readings.all(), self.expected(), self.budget)?;
        if !stands.is_empty() {
            let code = if self.hunk.reversed { RejectCode::Reversed } else { RejectCode::AlreadyApplied };
            return Err(Failed::at(code, stands.into_iter().map(|at| at + 1)));
        }
        for rung in [Rung::Blank, Rung::Whitespace, Rung::Unicode, Rung::Near] {
            if let Some(placed) = self.climb(first, rung)? {
                return Ok(placed);
            }
        }
        if is_elided(self.base, first) {
            return self.elided(first);
        }
        if self.hunk.header.numbers.is_some() {
            for rung in [Rung::Fuzz1, Rung::Fuzz2] {
                if let Some(placed) = self.climb(first, rung)? {
                    return Ok(placed);
                }
            }
        }
        Err(RejectCode::NoMatch.into())
    }

    fn question<'q>(&'q self, old: &'q [&'q BodyLine]) -> Question<'q, 't> {
        Question {
            base: self.base,
            budget: self.budget,
            old,
            anchors: &self.hunk.header.anchors,
            expected: self.expected(),
        }
    }

    fn candidates(&self, reading: &Reading, rung: Rung) -> Result<Candidates, TooCostly> {
        candidates(self.base, reading, rung, self.hunk.header.numbers, None, self.budget)
    }

    /// The first reading that has an exact candidate.
    fn exact<'r>(&'r self, first: &'r Reading) -> Result<Option<(&'r Reading, Candidates)>, TooCostly> {
        let found = self.candidates(first, Rung::Exact)?;
        if !found.found.is_empty() {
            return Ok(Some((first, found)));
        }
        for reading in self.hunk.readings.all().iter().skip(1) {
            let found = self.candidates(reading, Rung::Exact)?;
            if !found.found.is_empty() {
                return Ok(Some((reading, found)));
            }
        }
        Ok(None)
    }

    /// One of the looser rungs; `None` when it is empty.
    fn climb(&self, reading: &Reading, rung: Rung) -> Result<Option<Placed>, Failed> {
        let candidates = self.candidates(reading, rung)?;
        if !candidates.rivals.is_empty() {
            return Err(choose::competing(RejectCode::Ambiguous, &candidates.rivals));
        }
        if candidates.found.is_empty() {
            return Ok(None);
        }
        let old = old_lines(reading);
        let choice = self.question(&old).choose(&candidates.found, rung)?;
        if !self.has_evidence(&candidates.found[choice.index], &old, rung, candidates.level, choice.offset) {
            return Ok(None);
        }
        self.finish(reading, &candidates, rung, choice).map(Some)
    }

    /// "Evidence": the informative old lines that a candidate must match.
    fn has_evidence(&self, found: &Match, old: &[&BodyLine], rung: Rung, level: usize, offset: i64) -> bool {
        let here = self.hunk.header.numbers.is_some() && offset == 0;
        let wanted = match (rung, level) {
            (Rung::Exact, _) => 0,
            (Rung::Blank | Rung::Whitespace | Rung::Unicode, _) => 1,
            (Rung::Near, 1) => {
                if here {
                    2
                } else {
                    3
                }
            }
            (Rung::Near, _) => {
                if here {
                    3
                } else {
                    4
                }
            }
            (Rung::Fuzz1 | Rung::Fuzz2, _) => {
                if here {
                    1
                } else {
                    3
                }
            }
        };
        let (matched, left_out) = found.evidence(old);
        let fuzz_is_near = !matches!(rung, Rung::Fuzz1 | Rung::Fuzz2)
            || here
            || (offset.unsigned_abs() <= FUZZ_OFFSET as u64 && matched > 2 * left_out);
        matched >= wanted && fuzz_is_near
    }

    /// The second look, what is already there, unknown insertion points, indentation.
    fn finish(&self, reading: &Reading, candidates: &Candidates, rung: Rung, choice: Choice) -> Result<Placed, Failed> {
        let Choice { index, offset, mut tags } = choice;
        let found = &candidates.found[index];
        let numbers = self.hunk.header.numbers;
        let does = |one: &Match| effect(self.base, reading, one, rung, numbers);
        let effect = does(found);
        if let (Some(numbers), Some(expected), true) = (numbers, self.expected(), offset != 0) {
            let known: Vec<Effect> = about(&candidates.found, expected).map(does).collect();
            let first = self.hunk.readings.first().unwrap_or(reading);
            let old = old_lines(first);
            let (base, budget, known) = (self.base, self.budget, &known[..]);
            let second = SecondLook { base, budget, first, old: &old, numbers, expected, rung, chosen: found, known };
            if second.look()? {
                tags.insert(Tag::OtherMatches);
            }
        }
        self.refuse_what_stands(reading, found, &effect, rung, offset)?;
        if let Some((from, to)) = effect.unknown() {
            return Err(Failed::at(RejectCode::Ambiguous, (from..=to).take(10).map(|at| at as i64 + 1)));
        }
        if effect.inferred {
            tags.insert(Tag::InferredInsertSide);
        }
        tags.extend(rung.tag());
        let mut settled = settled(reading, self.base, found);
        if matches!(rung, Rung::Whitespace | Rung::Unicode)
            && indent::reindent(self.base, &mut settled, found).map_err(|_| RejectCode::IndentConflict)?
        {
            tags.insert(Tag::ReindentedInsert);
        }
        let marks = doubts(self.base, &settled, found, &effect, self.budget)?;
        Ok(self.placed(settled, found, &effect, rung, candidates.level, offset, tags).marked(marks))
    }

    /// "Already there", for a chosen candidate.
    fn refuse_what_stands(
        &self,
        reading: &Reading,
        found: &Match,
        effect: &Effect,
        rung: Rung,
        offset: i64,
    ) -> Result<(), Failed> {
        let numbers = self.hunk.header.numbers;
        let stands = if rung == Rung::Exact {
            let drifts = numbers.is_none() || offset != 0;
            let stands = already::insertion_stands(self.base, reading, found, drifts, self.budget)?;
            match self.expected().filter(|_| offset != 0 && stands.is_none()) {
                Some(expected) => already::result_stands_at(self.base, reading, expected, self.budget)?,
                None => stands,
            }
        } else {
            already::runs_stand(self.base, reading, found, effect, numbers, self.budget)?.then_some(found.place)
        };
        match stands {
            Some(place) => Err(Failed::at(RejectCode::AlreadyApplied, [place + 1])),
            None => Ok(()),
        }
    }

    /// A reading whose place is certain: what is already there, the side of its runs, and its doubts.
    pub(super) fn concluded(
        &self,
        reading: &Reading,
        found: &Match,
        offset: i64,
        tags: Tags,
    ) -> Result<Placed, Failed> {
        if let Some(place) = already::insertion_stands(self.base, reading, found, false, self.budget)? {
            return Err(Failed::at(RejectCode::AlreadyApplied, [place + 1]));
        }
        let effect = effect(self.base, reading, found, Rung::Exact, None);
        if let Some((from, to)) = effect.unknown() {
            return Err(Failed::at(RejectCode::Ambiguous, (from..=to).take(10).map(|at| at as i64 + 1)));
        }
        let marks = doubts(self.base, reading, found, &effect, self.budget)?;
        let settled = settled(reading, self.base, found);
        Ok(self.placed(settled, found, &effect, Rung::Exact, 0, offset, tags).marked(marks))
    }

    #[allow(clippy::too_many_arguments)]
    fn placed(
        &self,
        reading: Reading,
        found: &Match,
        effect: &Effect,
        rung: Rung,
        level: usize,
        offset: i64,
        mut tags: Tags,
    ) -> Placed {
        tags.extend(&reading.tags);
        if self.hunk.header.numbers.is_none() && self.hunk.source != Source::Block {
            tags.insert(Tag::RepairedMissingHunkRanges);
        }
        let known = |point: &Point| match point {
            Point::At(at) => *at,
            Point::Unknown { from, .. } => *from,
        };
        Placed {
            hunk: 0,
            place: found.place,
            offset,
            rung,
            level,
            deleted: effect.deleted.clone(),
            points: effect.points.iter().map(known).collect(),
            base_lines: (0..reading.old_count()).map(|old| found.base_line(old)).collect(),
            reading,
            tags,
            marks: Vec::new(),
        }
    }

    /// "No old lines", on a base that is not empty: after the line that the header names.
    fn without_old_lines(&self, reading: &Reading) -> Result<Placed, Failed> {
        let numbers = self.hunk.header.numbers.ok_or(RejectCode::NoAnchor)?;
        if numbers.old_count != 0 && numbers.old_start != 0 {
            return Err(RejectCode::NoAnchor.into());
        }
        let point = match numbers.old_start {
            0 => 0,
            start => start as i64 + self.carried,
        };
        let point = usize::try_from(point).ok().filter(|point| *point <= self.base.len());
        self.inserted(reading, point.ok_or(RejectCode::StaleOffset)?, Tags::from([Tag::UnverifiedPosition]))
    }

    /// A block without old text, on a base that is not empty: behind the last line, unless its lines end the file.
    pub(super) fn appended(&self, reading: &Reading) -> Result<Placed, Failed> {
        if writes_elision(reading) {
            return Err(RejectCode::Elision.into());
        }
        let end = self.base.len();
        let ending = Match::straight(end as i64, 0, 0, 0);
        if reading.lines.iter().any(|line| is_informative(&line.text))
            && let Some(place) = already::insertion_stands(self.base, reading, &ending, true, self.budget)?
        {
            return Err(Failed::at(RejectCode::AlreadyApplied, [place + 1]));
        }
        self.inserted(reading, end, Tags::from([Tag::AppendedAtEnd]))
    }

    /// A hunk of inserted lines in front of a base line. As in a diff, its place is the line before.
    fn inserted(&self, reading: &Reading, point: usize, tags: Tags) -> Result<Placed, Failed> {
        let effect = Effect { points: vec![Point::At(point); reading.new_count()], ..Effect::default() };
        let found = Match::straight(point as i64 - 1, 0, 0, 0);
        let marks = doubts(self.base, reading, &found, &effect, self.budget)?;
        Ok(self.placed(reading.clone(), &found, &effect, Rung::Exact, 0, 0, tags).marked(marks))
    }
}
