//! Putting placed hunks into the base (spec: text-engine.md §8 "Splice").
//!
//! Invariant: kept lines keep content and ending of the base; only inserted lines come from the patch.

use std::collections::{BTreeMap, HashSet};

use crate::base::Base;
use crate::place::Placed;
use crate::region::{BodyLine, Kind};
use crate::tags::{Tag, Tags};
use crate::transport::BOM;
use holdpoint_diff::LineEnding;

/// A line on its way into the base.
#[derive(Debug, Clone, Copy)]
struct Inserted<'p> {
    line: &'p BodyLine,
    /// Its hunk has a `\` line.
    marked_hunk: bool,
}

/// A line of the result.
struct Out<'p> {
    content: &'p str,
    ending: LineEnding,
    inserted: Option<Inserted<'p>>,
}

/// The text with all hunks in their places. `own_endings`: a line of the file's patch ends with CR, so each inserted line
/// brings its own ending.
pub(crate) fn splice(base: &Base<'_>, placed: &[Placed], own_endings: bool, tags: &mut Tags) -> String {
    let deleted: HashSet<usize> = placed.iter().flat_map(|hunk| hunk.deleted.iter().copied()).collect();
    let mut insertions: BTreeMap<usize, Vec<Inserted<'_>>> = BTreeMap::new();
    for hunk in placed {
        let marked_hunk = hunk.reading.lines.iter().any(|line| line.no_newline);
        let inserted = hunk.reading.lines.iter().filter(|line| line.kind == Kind::Insert);
        for (line, point) in inserted.zip(&hunk.points) {
            insertions.entry(*point).or_default().push(Inserted { line, marked_hunk });
        }
    }
    let dominant = base.dominant_ending();
    let mut out: Vec<Out<'_>> = Vec::with_capacity(base.len() + insertions.len());
    for at in 0..=base.len() {
        for inserted in insertions.get(&at).into_iter().flatten() {
            let ending = match (own_endings, inserted.line.cr) {
                (false, _) => neighbouring_ending(base, at, dominant),
                (true, true) => LineEnding::Crlf,
                (true, false) => LineEnding::Lf,
            };
            out.push(Out { content: &inserted.line.text, ending, inserted: Some(*inserted) });
        }
        if let Some(line) = base.lines.get(at).filter(|_| !deleted.contains(&at)) {
            out.push(Out { content: line.content, ending: line.ending, inserted: None });
        }
    }
    end_of_file(base, &mut out, dominant, tags);
    judge_markers(base, placed, &out, tags);
    if own_endings && brings_new_ending(base, &out) {
        tags.insert(Tag::LineEndingChange);
    }
    let mut text = String::with_capacity(out.iter().map(|line| line.content.len() + 2).sum());
    if base.bom {
        text.push(BOM);
    }
    for line in &out {
        text.push_str(line.content);
        text.push_str(line.ending.text());
    }
    text
}

/// The ending of the base line before an insertion point, else of the line after it, else the dominant one.
fn neighbouring_ending(base: &Base<'_>, at: usize, dominant: LineEnding) -> LineEnding {
    let before = at.checked_sub(1).and_then(|before| base.lines.get(before));
    before
        .or(base.lines.get(at))
        .map(|line| line.ending)
        .filter(|ending| *ending != LineEnding::None)
        .unwrap_or(dominant)
}

/// "End of file": what happens to the endings of the last line, old and new.
fn end_of_file(base: &Base<'_>, out: &mut [Out<'_>], dominant: LineEnding, tags: &mut Tags) {
    let Some((last, others)) = out.split_last_mut() else { return };
    for line in others.iter_mut().filter(|line| line.ending == LineEnding::None) {
        line.ending = dominant;
    }
    let Some(inserted) = last.inserted else { return };
    let had_final = base.lines.last().is_none_or(|line| line.ending != LineEnding::None);
    if inserted.line.no_newline {
        last.ending = LineEnding::None;
    } else if !inserted.marked_hunk && !had_final {
        last.ending = LineEnding::None;
        tags.insert(Tag::KeptFinalNewline);
    }
}

/// A `\` line that says nothing true about the base, or stands at an inserted line that is not last, is ignored.
fn judge_markers(base: &Base<'_>, placed: &[Placed], out: &[Out<'_>], tags: &mut Tags) {
    let last_inserted = out.last().and_then(|line| line.inserted).map(|inserted| std::ptr::from_ref(inserted.line));
    let unended = base.lines.last().filter(|line| line.ending == LineEnding::None).map(|_| base.len() - 1);
    for hunk in placed {
        let mut old = hunk.base_lines.iter();
        for line in &hunk.reading.lines {
            let is_true = if line.is_old() {
                unended.is_some() && old.next().copied().flatten() == unended
            } else {
                last_inserted == Some(std::ptr::from_ref(line))
            };
            if line.no_newline && !is_true {
                tags.insert(Tag::IgnoredNoNewlineMarker);
            }
        }
    }
}

/// An inserted line has an ending that the base, if it has endings, does not use anywhere.
fn brings_new_ending(base: &Base<'_>, out: &[Out<'_>]) -> bool {
    let used = |ending: LineEnding| base.lines.iter().any(|line| line.ending == ending);
    let (lf, crlf) = (used(LineEnding::Lf), used(LineEnding::Crlf));
    (lf || crlf)
        && out.iter().filter(|line| line.inserted.is_some()).any(|line| match line.ending {
            LineEnding::Lf => !lf,
            LineEnding::Crlf => !crlf,
            LineEnding::None => false,
        })
}

/// Characters that show nothing and can change what a reader sees; joiners are ordinary content.
fn is_invisible_content(character: char) -> bool {
    matches!(character,
        BOM | '\u{200b}' | '\u{2060}' | '\u{ad}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether the inserted texts of a change hold an invisible character that no deleted text of it holds.
pub(crate) fn adds_invisible<'t>(
    inserted: impl Iterator<Item = &'t str>,
    deleted: impl Iterator<Item = &'t str>,
) -> bool {
    let mut new = inserted.flat_map(str::chars).filter(|c| is_invisible_content(*c)).peekable();
    if new.peek().is_none() {
        return false;
    }
    let gone: HashSet<char> = deleted.flat_map(str::chars).filter(|c| is_invisible_content(*c)).collect();
    new.any(|character| !gone.contains(&character))
}
