//! Search and replace blocks (spec: text-replies.md §1 "Form").
//!
//! Owns which texts are lists of blocks, where each block begins and ends, and which file it names. Invariant: what
//! stands between the markers of a block is content and never syntax.

use std::ops::Range;

use crate::codes::RejectCode;
use crate::fold::trimmed;
use crate::identity::file_name;
use crate::marks::{line_number, resembles_start};
use crate::patch::Unreadable;
use crate::syntax::{EnvelopeFile, drop_cr, envelope_file, is_fence, tag_outside};
use crate::tags::{Tag, Tags};
use crate::transport::{RawLine, is_blank_char};

/// The rule below the line numbers of a block.
const RULE: &str = "-----";
/// Characters of a marker line.
const MARKER: std::ops::RangeInclusive<usize> = 5..=9;

/// A block: the old text, and the new one in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// 1-based within the patch of its op.
    pub index: usize,
    pub old: Vec<RawLine>,
    pub new: Vec<RawLine>,
}

/// The blocks of a patch, in order.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    pub blocks: Vec<Block>,
    pub tags: Tags,
}

/// The length of a run of one sign, and what stands behind it; blanks at either end do not count.
fn run(line: &RawLine, sign: char) -> Option<(usize, &str)> {
    let text = line.text.trim_matches(' ');
    let rest = text.trim_start_matches(sign);
    let length = text.len() - rest.len();
    MARKER.contains(&length).then_some((length, rest))
}

/// Whether a blank and one of the words follow a run. Models close the word with a `>` of their own.
fn is_named(rest: &str, words: &[&str]) -> bool {
    let word = rest.strip_prefix(' ').map(|word| word.strip_suffix('>').unwrap_or(word));
    word.is_some_and(|word| words.contains(&word))
}

/// A run of `<`, alone or with its word, or one of `-` with it.
fn start(line: &RawLine) -> Option<usize> {
    let bare = run(line, '<').filter(|(_, rest)| rest.is_empty() || is_named(rest, &["SEARCH", "ORIGINAL"]));
    bare.or_else(|| run(line, '-').filter(|(_, rest)| is_named(rest, &["SEARCH"]))).map(|(length, _)| length)
}

fn divider(line: &RawLine) -> Option<usize> {
    run(line, '=').filter(|(_, rest)| rest.is_empty()).map(|(length, _)| length)
}

/// A run of `>`, alone or with its word, or one of `+` with it.
fn is_end(line: &RawLine) -> bool {
    run(line, '>').is_some_and(|(_, rest)| rest.is_empty() || is_named(rest, &["REPLACE", "UPDATED"]))
        || run(line, '+').is_some_and(|(_, rest)| is_named(rest, &["REPLACE"]))
}

/// Whether a text without any `@@` line holds a start, then a divider, then an end.
pub(crate) fn are_blocks(lines: &[RawLine]) -> bool {
    let mut rest = lines.iter();
    !lines.iter().any(|line| line.text.starts_with("@@"))
        && rest.any(|line| start(line).is_some())
        && rest.any(|line| divider(line).is_some())
        && rest.any(is_end)
}

/// Lines that begin a block.
pub(crate) fn count_blocks(lines: &[RawLine]) -> usize {
    lines.iter().filter(|line| start(line).is_some()).count()
}

/// Whether a text that is no list of blocks begins one: with its word, in whatever case, with an end somewhere, or as a
/// conflict with the names of its sides.
pub(crate) fn has_open_block(lines: &[RawLine]) -> bool {
    let named = |line: &RawLine| start(line).is_some() && !line.text.trim_matches(' ').ends_with('<');
    let side = |line: &RawLine, sign: char| run(line, sign).is_some_and(|(_, rest)| rest.starts_with(' '));
    let any = |test: &dyn Fn(&RawLine) -> bool| lines.iter().any(test);
    any(&|line| named(line) || resembles_start(&line.text))
        || (any(&|line| start(line).is_some()) && any(&is_end))
        || (any(&|line| side(line, '<')) && any(&|line| divider(line).is_some()) && any(&|line| side(line, '>')))
}

/// Reads a list of blocks of a file.
pub(crate) fn read(lines: &[RawLine], target: &str, base_is_empty: bool) -> Result<Blocks, Unreadable> {
    let mut read = Blocks { tags: Tags::from([Tag::ReadSearchReplace]), ..Blocks::default() };
    let mut at = 0;
    while at < lines.len() {
        let outside = lines[at..].iter().position(|line| start(line).is_some()).unwrap_or(lines.len() - at);
        let prose = &lines[at..at + outside];
        let index = read.blocks.len() + 1;
        let unreadable = |code| Unreadable { code, hunk_index: Some(index), hunk_header: None };
        check_prose(prose, target, base_is_empty).map_err(unreadable)?;
        tag_prose(prose, &mut read.tags);
        at += outside;
        let Some(length) = lines.get(at).and_then(start) else { break };
        if names_another(prose, target) {
            return Err(unreadable(RejectCode::WrongFile));
        }
        let (old, new, end) = parts(lines, at, length).ok_or(unreadable(RejectCode::UnsupportedFormat))?;
        for marker in [at, old.end, end] {
            drop_cr(&lines[marker], &mut read.tags);
        }
        read.blocks.push(Block { index, old: lines[old].to_vec(), new: lines[new].to_vec() });
        at = end + 1;
    }
    Ok(read)
}

/// Old lines, new lines and the end of the block that starts here; none without exactly one divider and one end.
fn parts(lines: &[RawLine], from: usize, length: usize) -> Option<(Range<usize>, Range<usize>, usize)> {
    let inside = from + 1;
    let end = inside + lines[inside..].iter().position(|line| is_end(line) || start(line).is_some())?;
    if start(&lines[end]).is_some() {
        return None;
    }
    let dividers: Vec<(usize, usize)> =
        (inside..end).filter_map(|at| divider(&lines[at]).map(|length| (at, length))).collect();
    let at = if let [(at, _)] = dividers[..] {
        at
    } else {
        // An underline of Markdown is content.
        let mut as_long = dividers.iter().filter(|(_, other)| *other == length).map(|(at, _)| *at);
        as_long.next().filter(|_| as_long.next().is_none())?
    };
    Some((inside..at, at + 1..end, end))
}

/// Lines at the start of a part that say where the block stands: `:start_line:N`, `:end_line:N`, a rule below them.
/// `None`: the rule has content behind it, so that what is content is not known.
pub(crate) fn numbers(part: &[RawLine]) -> Option<usize> {
    let count = part.iter().take_while(|line| line_number(&line.text).is_some()).count();
    let Some(rule) = part.get(count).filter(|_| count > 0) else { return Some(count) };
    let behind = rule.text.trim_matches(is_blank_char).strip_prefix(RULE).map(|rest| rest.trim_start_matches('-'));
    match behind {
        Some("") => Some(count + 1),
        Some(_) => None,
        None => Some(count),
    }
}

/// What is dropped outside of blocks. An end without a start may be a part of the change.
fn tag_prose(prose: &[RawLine], tags: &mut Tags) {
    for line in prose {
        if is_end(line) {
            tags.insert(Tag::DroppedDiffLikeText);
        } else {
            if is_fence(&line.text) {
                drop_cr(line, tags);
            }
            tag_outside(&line.text, tags);
        }
    }
}

/// Envelopes and file headers around blocks speak of the target, and of nothing but its text.
fn check_prose(prose: &[RawLine], target: &str, base_is_empty: bool) -> Result<(), RejectCode> {
    for (at, line) in prose.iter().enumerate() {
        let (fate, path) = match envelope_file(&line.text) {
            Some(named) => named,
            None => match header_path(prose, at) {
                Some(path) => (EnvelopeFile::Update, path),
                None => continue,
            },
        };
        match (fate, file_name(path)) {
            (EnvelopeFile::Delete | EnvelopeFile::Move, _) | (_, None) => return Err(RejectCode::CreateDelete),
            (EnvelopeFile::Add, _) if !base_is_empty => return Err(RejectCode::CreateDelete),
            (_, Some(name)) if name != target => return Err(RejectCode::WrongFile),
            _ => {}
        }
    }
    Ok(())
}

/// The path of a line of a file header, `--- P` with `+++ P` behind it; that of a creation is none.
fn header_path(prose: &[RawLine], at: usize) -> Option<&str> {
    let path = |at: usize, lead: &str| prose.get(at).and_then(|line| line.text.strip_prefix(lead));
    match (path(at, "--- "), path(at + 1, "+++ ")) {
        (Some(old), Some(_)) if old.trim_end() != "/dev/null" => Some(old),
        _ => at.checked_sub(1).and_then(|before| path(before, "--- ")).and(path(at, "+++ ")),
    }
}

/// Whether the line directly before a block, or before its opening fence, names another file.
fn names_another(prose: &[RawLine], target: &str) -> bool {
    let mut before = prose.iter().rev().map(|line| line.text.as_str());
    let Some(line) = before.next() else { return false };
    let names = |line: &str| named_path(line, target).map(|is_target| !is_target);
    names(line).or_else(|| is_fence(line).then(|| before.next().and_then(names)).flatten()).unwrap_or(false)
}

/// Whether a line that is a path, apart from fences and emphasis, names the target; none for any other line.
fn named_path(line: &str, target: &str) -> Option<bool> {
    let bare = line.trim_matches(|c: char| matches!(c, '`' | '*' | '#' | ' ' | '\t'));
    let bare = bare.strip_prefix("~~~").map_or(bare, |rest| rest.trim_start_matches('~'));
    let bare = bare.strip_suffix(':').unwrap_or(bare);
    let path = trimmed(bare.trim_matches(|c: char| matches!(c, '`' | '*' | ' ')));
    let is_target = path == target || file_name(path).as_deref() == Some(target);
    (is_target || is_path(path)).then_some(is_target)
}

/// A word with a folder or with the ending of a file.
fn is_path(word: &str) -> bool {
    /// Of the ending of a file.
    const LENGTH: usize = 5;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '\\' | '.' | '_' | '-' | '+' | '@' | '~');
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = (1..=LENGTH).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    let has_folder = word.contains('/') && word.chars().any(char::is_alphanumeric);
    !word.is_empty() && word.chars().all(is_part) && (is_ending || has_folder)
}

#[cfg(test)]
mod tests;
