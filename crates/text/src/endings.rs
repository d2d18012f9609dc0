//! Line endings of what is put into a text by dialects without hunks (spec: text-engine.md §1, §8 "Endings of inserted
//! lines").
//!
//! Owns the one rule: endings never take part in finding a place, kept lines keep theirs, and new lines take those of
//! the text around them. Invariant: a text that has endings gets none that it does not use.

use std::borrow::Cow;

use holdpoint_diff::{LineEnding, lines};

use crate::base::Base;

/// A whole text that takes the place of another: in CRLF where that has it, however it was sent, since who writes a text
/// anew sees no line ends. What was sent in CRLF stays in it, and where both mix them each line keeps its own.
///
/// ```
/// use holdpoint_text::with_endings_of;
/// assert_eq!(with_endings_of("a\r\n", "a\nb\n"), "a\r\nb\r\n");
/// assert_eq!(with_endings_of("a\n", "a\r\nb\r\n"), "a\r\nb\r\n");
/// ```
pub fn with_endings_of<'t>(base: &str, text: &'t str) -> Cow<'t, str> {
    let ((base_lf, base_crlf), (lf, crlf)) = (endings_of(base), endings_of(text));
    let mixes = base_lf > 0 && crlf > 0;
    if lf == 0 || base_crlf == 0 || mixes || Base::new(base).dominant_ending() != LineEnding::Crlf {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
}

/// How often LF and CRLF end a line.
fn endings_of(text: &str) -> (usize, usize) {
    let crlf = text.matches("\r\n").count();
    (text.matches('\n').count() - crlf, crlf)
}

/// What stands in the place of a part of a text: `new` with the endings of `text[from..to]` where its lines stay, else
/// with that of the line that the part ends in, else with those around it.
pub(crate) fn adapted(text: &str, from: usize, to: usize, new: &str) -> String {
    let (old, new) = (pieces(&text[from..to]), pieces(new));
    let (head, tail) = kept(&old, &new);
    let ends = |piece: &&(&str, LineEnding)| piece.1 != LineEnding::None;
    let deleted = old[..old.len() - tail].iter().rfind(ends).map(|(_, ending)| *ending);
    let behind = || pieces(&text[to..]).first().copied().filter(|piece| ends(&piece)).map(|(_, ending)| ending);
    let before = || pieces(&text[..from]).iter().rfind(ends).map(|(_, ending)| *ending);
    let around = deleted.or_else(behind).or_else(before).or_else(|| old.iter().find(ends).map(|(_, ending)| *ending));
    let mut out = String::with_capacity(new.iter().map(|(content, _)| content.len() + 2).sum());
    for (at, (content, own)) in new.iter().enumerate() {
        out.push_str(content);
        if *own != LineEnding::None {
            let stays = stays(&old, (head, tail), new.len(), at).filter(|ending| *ending != LineEnding::None);
            out.push_str(stays.or(around).unwrap_or(*own).text());
        }
    }
    out
}

/// Contents and endings, the piece behind the last ending included.
fn pieces(text: &str) -> Vec<(&str, LineEnding)> {
    let mut pieces: Vec<_> = lines(text).iter().map(|line| (line.content, line.ending)).collect();
    if pieces.last().is_none_or(|(_, ending)| *ending != LineEnding::None) {
        pieces.push(("", LineEnding::None));
    }
    pieces
}

/// How many pieces stay at the start and at the end.
fn kept(old: &[(&str, LineEnding)], new: &[(&str, LineEnding)]) -> (usize, usize) {
    let head = old.iter().zip(new).take_while(|(old, new)| old.0 == new.0 && old.1 != LineEnding::None).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old.0 == new.0).count();
    (head, tail)
}

/// The ending of an old piece that stays as the new piece at `at` of `count`.
fn stays(old: &[(&str, LineEnding)], (head, tail): (usize, usize), count: usize, at: usize) -> Option<LineEnding> {
    let from_end = count - at;
    if at < head {
        Some(old[at].1)
    } else if from_end <= tail {
        Some(old[old.len() - from_end].1)
    } else {
        None
    }
}

/// A text with whole lines replaced: the `count` lines from the 0-based line `at`.
///
/// ```
/// use holdpoint_text::replace_lines;
/// assert_eq!(replace_lines("a\r\nb", 1, 1, &["x", "y"]), "a\r\nx\r\ny");
/// ```
pub fn replace_lines(text: &str, at: usize, count: usize, new: &[&str]) -> String {
    let all: Vec<(&str, LineEnding)> = lines(text).iter().map(|line| (line.content, line.ending)).collect();
    let dominant = Base::new(text).dominant_ending();
    let end = (at + count).min(all.len());
    let start = at.min(end);
    let (before, old, behind) = (&all[..start], &all[start..end], &all[end..]);
    let new: Vec<(&str, LineEnding)> = new.iter().map(|content| (*content, LineEnding::Lf)).collect();
    let (head, tail) = kept(old, &new);
    let beside = old[..old.len() - tail].last().or(before.last()).or(behind.first()).map(|(_, ending)| *ending);
    let beside = beside.filter(|ending| *ending != LineEnding::None).unwrap_or(dominant);
    let ending = |at: usize| stays(old, (head, tail), new.len(), at).unwrap_or(beside);
    let made = new.iter().enumerate().map(|(at, (content, _))| (*content, ending(at)));
    let mut out: Vec<(&str, LineEnding)> = before.iter().copied().chain(made).chain(behind.iter().copied()).collect();
    for (_, ending) in &mut out {
        if *ending == LineEnding::None {
            *ending = dominant;
        }
    }
    if let (Some(last), Some((_, LineEnding::None))) = (out.last_mut(), all.last()) {
        last.1 = LineEnding::None;
    }
    out.iter().flat_map(|(content, ending)| [*content, ending.text()]).collect()
}

#[cfg(test)]
mod tests;
