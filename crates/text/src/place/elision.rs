//! Text left out with dots (spec: text-engine.md §7 "Left-out text", text-replies.md §3).
//!
//! Invariant: lines of the base stand for an ellipsis only where every piece around it is found exactly and at one
//! place; an ellipsis is never written in the place of code.

use super::choose::Expected;
use super::matching::{Match, old_lines};
use super::placer::Placer;
use super::rows::{find, old_rows};
use super::{Failed, Placed, Rung};
use crate::base::{Base, Form};
use crate::codes::RejectCode;
use crate::fold::{COMMENTS, is_elision, is_informative, trimmed};
use crate::limits::MAX_OFFSET;
use crate::preview::MarkedLines;
use crate::region::{BodyLine, Kind, Reading};
use crate::syntax::is_blank;
use crate::tags::{Tag, Tags};
use crate::transport::{RawLine, indentation};

/// The two texts of a block between two elisions.
type Sides<'b> = (&'b [RawLine], &'b [RawLine]);

/// A block in pieces, each elision a piece of its own: when its elisions are no lines of the base and stand in both of
/// its texts in the same order.
pub(super) fn pieces_of_block<'b>(base: &Base<'_>, old: &'b [RawLine], new: &'b [RawLine]) -> Option<Vec<Sides<'b>>> {
    let dots = |side: &[RawLine]| -> Vec<usize> { (0..side.len()).filter(|at| is_elision(&side[*at].text)).collect() };
    let (olds, news) = (dots(old), dots(new));
    let is_same = |(a, b): (&usize, &usize)| trimmed(&old[*a].text) == trimmed(&new[*b].text);
    if olds.is_empty() || olds.len() != news.len() || !olds.iter().zip(&news).all(is_same) {
        return None;
    }
    let keys = base.keys(Form::PlainFolded);
    if olds.iter().any(|at| !keys.places(keys.key(&Form::PlainFolded.of(&old[*at].text))).is_empty()) {
        return None;
    }
    let (mut a, mut b) = (0, 0);
    let mut pieces = Vec::new();
    for (old_at, new_at) in olds.into_iter().zip(news) {
        pieces.push((&old[a..old_at], &new[b..new_at]));
        pieces.push((&old[old_at..=old_at], &old[old_at..=old_at]));
        (a, b) = (old_at + 1, new_at + 1);
    }
    pieces.push((&old[a..], &new[b..]));
    Some(pieces)
}

/// Whether a reading writes an ellipsis that none of its old lines has: code that was left out. Dots that spread a value
/// are code, dots inside a comment of several lines are prose, and bare dots may be all of a body.
pub(super) fn writes_elision(reading: &Reading) -> bool {
    let lines = &reading.lines;
    if !lines.iter().any(|line| line.kind == Kind::Insert && is_elision(&line.text)) {
        return false;
    }
    let mut same: Vec<&str> =
        lines.iter().filter(|line| line.is_old() && is_elision(&line.text)).map(|line| trimmed(&line.text)).collect();
    // `def f(): ...` on one line becomes two.
    let mut bodies =
        lines.iter().filter(|line| line.kind == Kind::Delete && line.text.trim_end().ends_with("...")).count();
    (0..lines.len()).filter(|at| lines[*at].kind == Kind::Insert && is_elision(&lines[*at].text)).any(|at| {
        let text = trimmed(&lines[at].text);
        if let Some(known) = same.iter().position(|line| *line == text) {
            same.swap_remove(known);
            return false;
        }
        if is_whole_body(lines, at) {
            if is_pure(lines, at) {
                return false;
            }
            bodies = bodies.wrapping_sub(1);
            return bodies == usize::MAX;
        }
        !spreads(text) && !goes_on(lines, at)
    })
}

/// A comment that goes on in the next line.
fn goes_on(lines: &[BodyLine], at: usize) -> bool {
    let lead = |line: &BodyLine| COMMENTS.into_iter().find(|lead| trimmed(&line.text).starts_with(lead));
    let next = lines[at + 1..].iter().find(|line| line.is_new());
    lead(&lines[at]).is_some() && next.is_some_and(|next| lead(next) == lead(&lines[at]) && !is_elision(&next.text))
}

/// `...values,`: no comment, no blank behind the dots, and not prose.
fn spreads(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("...") else { return false };
    let begins = rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '(' | '[' | '{' | '"' | '\''));
    let ends = rest.ends_with([',', ';', ')', ']', '}', '(', '[', '{', '?', '>']);
    begins && (ends || !rest.contains([' ', '.', '\u{2026}']) || is_path_of_names(rest))
}

/// `a.b.c`: names and dots, each dot between names.
fn is_path_of_names(text: &str) -> bool {
    text.split('.').all(|name| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')))
}

/// Bare dots behind a line that opens a body, with nothing else in that body.
fn is_whole_body(lines: &[BodyLine], at: usize) -> bool {
    let line = &lines[at].text;
    let filled = |line: &&BodyLine| line.is_new() && !is_blank(&line.text);
    let opens = lines[..at].iter().rev().find(filled).is_some_and(|before| trimmed(&before.text).ends_with(':'));
    let next = lines[at + 1..].iter().find(filled);
    trimmed(line) == "..." && opens && next.is_none_or(|next| indentation(&next.text).len() < indentation(line).len())
}

/// The run of a line takes nothing away.
fn is_pure(lines: &[BodyLine], at: usize) -> bool {
    let run = |line: &&BodyLine| line.kind != Kind::Context;
    let mut run = lines[..at].iter().rev().take_while(run).chain(lines[at..].iter().take_while(run));
    run.all(|line| line.kind == Kind::Insert)
}

/// The old lines of a reading that are elisions and no lines of the base.
pub(super) fn is_elided(base: &Base<'_>, reading: &Reading) -> bool {
    let old = old_lines(reading);
    old.iter().zip(old_rows(base, &old, Rung::Exact)).any(|(line, row)| is_elision(&line.text) && row.is_nowhere())
}

/// A piece of a hunk between two elisions, and where it stands.
struct Piece {
    reading: Reading,
    old: usize,
    at: usize,
}

impl Placer<'_, '_> {
    /// The place of a hunk with elisions that are no lines of the base: its pieces in order, each found exactly and at
    /// one place, with the lines between them for the dots.
    pub(super) fn elided(&self, reading: &Reading) -> Result<Placed, Failed> {
        let pieces = self.pieces(reading)?;
        let mut expanded = Reading { lines: Vec::new(), tags: reading.tags.clone() };
        let mut end = pieces.first().map_or(0, |piece| piece.at);
        let start = end as i64;
        let mut stay = Vec::new();
        for piece in pieces {
            self.budget.take(piece.at - end)?;
            if piece.at > end {
                stay.push(MarkedLines { tag: Tag::MatchedElision, from: end + 1, to: piece.at, part: None });
            }
            expanded.lines.extend((end..piece.at).map(|at| context(self.base.content(at))));
            expanded.lines.extend(piece.reading.lines);
            end = piece.at + piece.old;
        }
        let offset = match self.expected() {
            Some(expected) => near(expected, start)?,
            None => 0,
        };
        let found = Match::straight(start, expanded.old_count(), 0, 0);
        Ok(self.concluded(&expanded, &found, offset, Tags::from([Tag::MatchedElision]))?.marked(stay))
    }

    fn pieces(&self, reading: &Reading) -> Result<Vec<Piece>, Failed> {
        let mut pieces = cut(self.base, reading).ok_or(RejectCode::Elision)?;
        let informs = |piece: &Piece| old_lines(&piece.reading).iter().any(|line| is_informative(&line.text));
        let first = pieces.iter().position(informs).ok_or(RejectCode::Elision)?;
        let only = |places: Vec<usize>| match places[..] {
            [at] => Ok(at),
            _ => Err(Failed::from(RejectCode::Elision)),
        };
        pieces[first].at = only(self.places(&pieces[first])?)?;
        for at in first + 1..pieces.len() {
            let end = pieces[at - 1].at + pieces[at - 1].old;
            pieces[at].at = only(self.places(&pieces[at])?.into_iter().filter(|place| *place >= end).collect())?;
        }
        for at in (0..first).rev() {
            let (old, begin) = (pieces[at].old, pieces[at + 1].at);
            let before = |place: &usize| place + old <= begin;
            pieces[at].at = only(self.places(&pieces[at])?.into_iter().filter(before).collect())?;
        }
        Ok(pieces)
    }

    fn places(&self, piece: &Piece) -> Result<Vec<usize>, Failed> {
        let old = old_lines(&piece.reading);
        Ok(find(self.base, &old_rows(self.base, &old, Rung::Exact), self.budget)?)
    }
}

fn near(expected: Expected, place: i64) -> Result<i64, Failed> {
    if expected.distance(place) > MAX_OFFSET as u64 {
        return Err(Failed::at(RejectCode::StaleOffset, [place + 1]));
    }
    Ok(expected.offset(place))
}

/// The pieces between the elisions; none when an elision is deleted, or a piece has nothing that could be found.
fn cut(base: &Base<'_>, reading: &Reading) -> Option<Vec<Piece>> {
    let mut parts: Vec<Vec<BodyLine>> = vec![Vec::new()];
    let nowhere = |line: &BodyLine| old_rows(base, &[line], Rung::Exact).iter().all(super::rows::Row::is_nowhere);
    for line in &reading.lines {
        if line.is_old() && is_elision(&line.text) && nowhere(line) {
            if line.kind == Kind::Delete {
                return None;
            }
            parts.push(Vec::new());
        } else {
            parts.last_mut()?.push(line.clone());
        }
    }
    let piece = |lines: Vec<BodyLine>| {
        let reading = Reading { lines, tags: Tags::new() };
        let old = reading.old_count();
        (old > 0).then_some(Piece { reading, old, at: 0 })
    };
    parts.into_iter().filter(|lines| !lines.is_empty()).map(piece).collect()
}

fn context(text: &str) -> BodyLine {
    BodyLine { kind: Kind::Context, text: text.to_owned(), with_blank: None, cr: false, no_newline: false }
}
