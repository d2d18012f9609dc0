//! Finding the place of a search and replace block (spec: text-replies.md §1 "Placing").
//!
//! Owns what a block has that a hunk has not: the script between its two texts, blank lines at its end that the base
//! lacks, an old text that is empty or a part of a line. Invariant: a part of a line is placed only where no whole line
//! can be meant.

use super::elision::pieces_of_block;
use super::matching::Match;
use super::placer::Placer;

use super::{Failed, Hunk, Placed, Source};
use crate::base::{Base, Budget, Form, TooCostly};
use crate::block::Block;
use crate::codes::RejectCode;
use crate::header::HunkHeader;
use crate::preview::MarkedLines;
use crate::region::{BodyLine, Kind, Reading, Readings};
use crate::syntax::is_blank;
use crate::tags::{Tag, Tags};
use crate::transport::RawLine;
use holdpoint_diff::{Line, LineEnding, line_changes};

/// Letters and digits that a part of a line holds at least.
const PART_LETTERS: usize = 8;

/// The block as an unnumbered hunk on a base; none when its two texts are equal.
pub(crate) fn block_hunk(
    base: &Base<'_>,
    op_index: usize,
    block: &Block,
    budget: &Budget,
) -> Result<Option<Hunk>, TooCostly> {
    let lost = lost_blanks(base, &block.old, budget)?;
    let old = &block.old[..block.old.len() - lost];
    let new = &block.new[..block.new.len() - trailing_blanks(&block.new).min(lost)];
    let lines = match pieces_of_block(base, old, new) {
        Some(pieces) => pieces.into_iter().flat_map(|(old, new)| script(old, new)).collect(),
        None => script(old, new),
    };
    let reading = Reading { lines, tags: Tags::new() };
    Ok(reading.changes().then(|| Hunk {
        op_index,
        index: block.index,
        header: HunkHeader::default(),
        source: Source::Block,
        readings: Readings::certain(reading),
        reversed: false,
    }))
}

/// What a shortest script from the old to the new lines keeps, takes and brings.
fn script(old: &[RawLine], new: &[RawLine]) -> Vec<BodyLine> {
    fn line(raw: &RawLine) -> Line<'_> {
        Line { content: &raw.text, ending: if raw.cr { LineEnding::Crlf } else { LineEnding::Lf } }
    }
    let body = |kind: Kind| {
        move |raw: &RawLine| BodyLine { kind, text: raw.text.clone(), with_blank: None, cr: raw.cr, no_newline: false }
    };
    let [olds, news] = [old, new].map(|side| side.iter().map(line).collect::<Vec<_>>());
    let mut lines = Vec::with_capacity(old.len() + new.len());
    let mut at = 0;
    for change in line_changes(&olds, &news) {
        lines.extend(old[at..change.old.start].iter().map(body(Kind::Context)));
        lines.extend(old[change.old.clone()].iter().map(body(Kind::Delete)));
        lines.extend(new[change.new].iter().map(body(Kind::Insert)));
        at = change.old.end;
    }
    lines.extend(old[at..].iter().map(body(Kind::Context)));
    lines
}

fn trailing_blanks(lines: &[RawLine]) -> usize {
    lines.iter().rev().take_while(|line| is_blank(&line.text)).count()
}

/// How many of the blank lines at the end of an old text the base has not where the rest stands.
fn lost_blanks(base: &Base<'_>, old: &[RawLine], budget: &Budget) -> Result<usize, TooCostly> {
    let blanks = trailing_blanks(old);
    let core: Vec<&str> = old[..old.len() - blanks].iter().map(|line| line.text.as_str()).collect();
    if blanks == 0 {
        return Ok(0);
    }
    let blanks_at = |at: usize| (at..base.len()).take(blanks).take_while(|at| base.is_blank(*at)).count();
    for form in [Form::Exact, Form::Folded, Form::PlainFolded] {
        if let Some(most) = places(base, &core, form, budget)?.into_iter().map(|at| blanks_at(at + core.len())).max() {
            return Ok(blanks - most);
        }
    }
    Ok(0)
}

/// Where lines stand in a form, ascending; no lines stand everywhere.
fn places(base: &Base<'_>, lines: &[&str], form: Form, budget: &Budget) -> Result<Vec<usize>, TooCostly> {
    let keys = base.keys(form);
    let wanted: Vec<u32> = lines.iter().map(|line| keys.key(&form.of(line))).collect();
    let rarest = wanted.iter().enumerate().min_by_key(|(_, key)| keys.places(**key).len());
    let Some((rarest, key)) = rarest else { return Ok((0..=base.len()).collect()) };
    let mut found = Vec::new();
    for start in keys.places(*key).iter().filter_map(|at| (*at as usize).checked_sub(rarest)) {
        let here = keys.of_line.get(start..start + wanted.len()).unwrap_or_default();
        let equal = here.iter().zip(&wanted).take_while(|(here, wanted)| here == wanted).count();
        budget.take(equal + 1)?;
        if equal == wanted.len() {
            found.push(start);
        }
    }
    Ok(found)
}

/// Whether lines stand in a base exactly once.
pub(crate) fn stands_once(base: &Base<'_>, lines: &[&str], budget: &Budget) -> bool {
    places(base, lines, Form::Exact, budget).is_ok_and(|places| places.len() == 1)
}

/// The place of a block that changes something.
pub(crate) fn place_block(base: &Base<'_>, hunk: &Hunk, budget: &Budget) -> Result<Placed, Failed> {
    let placer = Placer { base, budget, hunk, carried: 0 };
    let reading = hunk.readings.first().ok_or(RejectCode::NoMatch)?;
    if reading.old_count() == 0 && !base.is_empty() {
        return placer.appended(reading);
    }
    match placer.place(None) {
        Err(failed) if failed.code == RejectCode::NoMatch => match inside_line(base, reading, budget)? {
            Some(part) => part.place(&placer),
            None => Err(failed),
        },
        placed => placed,
    }
}

/// A part of a base line.
struct Inside<'r> {
    line: usize,
    /// It counts the bytes of the line.
    from: usize,
    old: &'r str,
    new: Vec<&'r BodyLine>,
}

/// An old text of one line that is a part of exactly one base line, once in it.
fn inside_line<'r>(base: &Base<'_>, reading: &'r Reading, budget: &Budget) -> Result<Option<Inside<'r>>, TooCostly> {
    let filled = reading.lines.iter().filter(|line| line.is_old());
    let old: Vec<&BodyLine> = filled.collect();
    let blanks = old.iter().rev().take_while(|line| is_blank(&line.text)).count();
    let [part] = old[..old.len() - blanks] else { return Ok(None) };
    let part = part.text.as_str();
    if part.chars().filter(|c| c.is_alphanumeric()).nth(PART_LETTERS - 1).is_none() {
        return Ok(None);
    }
    budget.take(base.scan())?;
    let Some((line, from)) = base.only_place_inside(part) else { return Ok(None) };
    let mut new: Vec<&BodyLine> = reading.lines.iter().filter(|line| line.is_new()).collect();
    for _ in 0..blanks {
        if new.last().is_some_and(|line| is_blank(&line.text)) {
            new.pop();
        }
    }
    Ok(Some(Inside { line, from, old: part, new }))
}

impl Inside<'_> {
    /// The line goes, and comes again with the new text in the place of the old one.
    fn place(&self, placer: &Placer<'_, '_>) -> Result<Placed, Failed> {
        let line = placer.base.content(self.line);
        let (head, tail) = (&line[..self.from], &line[self.from + self.old.len()..]);
        let new = self.new.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
        if self.stands(placer.base, &new) {
            return Err(Failed::at(RejectCode::AlreadyApplied, [self.line as i64 + 1]));
        }
        let body =
            |kind, text: &str, cr| BodyLine { kind, text: text.to_owned(), with_blank: None, cr, no_newline: false };
        let spliced = format!("{head}{new}{tail}");
        let ends_in_cr = placer.base.lines[self.line].ending == LineEnding::Crlf;
        let mut lines = vec![body(Kind::Delete, line, false)];
        for (at, text) in spliced.split('\n').enumerate() {
            let is_last = at + 1 >= self.new.len();
            lines.push(body(Kind::Insert, text, if is_last { ends_in_cr } else { self.new[at].cr }));
        }
        let reading = Reading { lines, tags: Tags::new() };
        let found = Match::straight(self.line as i64, 1, 0, 0);
        let units = |text: &str| text.encode_utf16().count();
        // The byte order mark stands in front of the first line as sent.
        let from = units(head) + usize::from(placer.base.bom && self.line == 0);
        let part = Some((from, from + units(self.old)));
        let at = self.line + 1;
        let mark = MarkedLines { tag: Tag::MatchedInsideLine, from: at, to: at, part };
        Ok(placer.concluded(&reading, &found, 0, Tags::new())?.marked(vec![mark]))
    }

    /// The new text holds the old one and stands about it already.
    fn stands(&self, base: &Base<'_>, new: &str) -> bool {
        let height = new.matches('\n').count();
        let lines = self.line.saturating_sub(height)..(self.line + height + 1).min(base.len());
        let mut text = String::new();
        let mut from = self.from;
        for at in lines {
            if at == self.line {
                from += text.len();
            }
            text.push_str(base.content(at));
            text.push('\n');
        }
        let begins =
            |at: usize| from.checked_sub(at).and_then(|at| text.get(at..)).is_some_and(|rest| rest.starts_with(new));
        new.match_indices(self.old).any(|(at, _)| begins(at))
    }
}
