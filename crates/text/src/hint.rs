//! What the author of a hunk that has no place must send instead (spec: text-replies.md §6).
//!
//! Written for a model that sees nothing but its own reply and this sentence. Invariant: the work is bounded, and a line
//! that is quoted is short.

use std::collections::HashSet;

use crate::base::{Base, Budget, Form, words};
use crate::codes::RejectCode;
use crate::fold::{is_informative, trimmed};
use crate::place::{Failed, Hunk, distance};
use crate::preview::Nearest;
use crate::region::BodyLine;
use crate::transport::indentation;

/// Characters of a quoted line.
const QUOTED: usize = 200;
/// Base lines whose distance is measured: those that share most words.
const MEASURED: usize = 8;
/// Old lines that are looked at.
const LOOKED: usize = 500;
/// Lines above a place among which the beginning of its block is looked for.
const ABOVE: usize = 2_000;

/// The hint of a failed hunk.
pub(crate) fn hint(base: &Base<'_>, hunk: &Hunk, failed: &Failed, nearest: Option<Nearest>, budget: &Budget) -> String {
    let told = match failed.code {
        RejectCode::NoMatch => first_difference(base, hunk, nearest, budget),
        RejectCode::Ambiguous => places(base, &failed.candidates),
        _ => None,
    };
    told.unwrap_or_else(|| failed.code.hint().to_owned())
}

/// The first old line that differs, and the base line that is most like it.
fn first_difference(base: &Base<'_>, hunk: &Hunk, nearest: Option<Nearest>, budget: &Budget) -> Option<String> {
    let reading = hunk.readings.first()?;
    let old: Vec<&BodyLine> = reading.lines.iter().filter(|line| line.is_old()).take(LOOKED).collect();
    let keys = base.keys(Form::Folded);
    let is_nowhere = |line: &BodyLine| keys.places(keys.key(&Form::Folded.of(&line.text))).is_empty();
    let start = nearest.map(|nearest| nearest.line - 1);
    let differs = |(at, line): &(usize, &&BodyLine)| {
        start.is_some_and(|start| base.lines.get(start + at).is_none_or(|base| base.content != line.text))
    };
    let known =
        old.iter().enumerate().find(|(_, line)| is_nowhere(line)).or_else(|| old.iter().enumerate().find(differs));
    let (at, line) = known?;
    let wanted = quoted(&line.text);
    let found = match start.and_then(|start| base.lines.get(start + at)).filter(|_| !is_nowhere(line)) {
        Some(_) => start.map(|start| start + at),
        None => most_similar(base, &line.text, start.map(|start| start + at), budget),
    };
    let Some(found) = found else {
        return Some(format!(
            "No line of the file is like `{wanted}`. Look at the file again, and send this hunk again with its text as it \
             stands."
        ));
    };
    let says = quoted(base.content(found));
    Some(format!(
        "The file has no line `{wanted}` there; line {} reads `{says}`. Send this hunk again with the text as it stands.",
        found + 1
    ))
}

/// The base line with the smallest distance to a line; on a tie the nearest to where it was expected.
fn most_similar(base: &Base<'_>, line: &str, expected: Option<usize>, budget: &Budget) -> Option<usize> {
    let bytes: usize = base.lines.iter().map(|line| line.content.len()).sum();
    if !is_informative(line) || !budget.may_read(bytes) {
        return None;
    }
    let wanted: HashSet<&str> = words(line).collect();
    let far = |at: usize| expected.map_or(0, |expected| expected.abs_diff(at));
    let shared = |at: usize| words(base.content(at)).filter(|word| wanted.contains(word)).count();
    let mut likely: Vec<(usize, usize)> = (0..base.len()).map(|at| (shared(at), at)).filter(|(n, _)| *n > 0).collect();
    likely.sort_by_key(|(shared, at)| (std::cmp::Reverse(*shared), far(*at), *at));
    likely.truncate(MEASURED);
    let length = trimmed(line).chars().count();
    let measured = likely.into_iter().filter_map(|(_, at)| {
        if !budget.may_read(length * length) {
            return None;
        }
        // What differs in more than half of its characters is another line.
        Some((distance(line, base.content(at), length / 2)?, far(at), at))
    });
    measured.min().map(|(_, _, at)| at)
}

/// The places that compete, each with the line above it that begins a block.
fn places(base: &Base<'_>, candidates: &[i64]) -> Option<String> {
    let place = |line: &i64| {
        let at = usize::try_from(*line - 1).ok().filter(|at| *at < base.len());
        match at.and_then(|at| block_above(base, at)) {
            Some(head) => format!("line {line} (in `{}`)", quoted(trimmed(base.content(head)))),
            None => format!("line {line}"),
        }
    };
    let places: Vec<String> = candidates.iter().map(place).collect();
    (places.len() > 1).then(|| {
        format!(
            "The lines of this hunk stand at {}. Send it again with the text as it stands around the place that you mean, \
             until only that place fits.",
            places.join(", ")
        )
    })
}

/// The nearest line above a place that begins a block.
fn block_above(base: &Base<'_>, at: usize) -> Option<usize> {
    (at.saturating_sub(ABOVE)..=at).rev().find(|at| begins_block(base.content(*at)))
}

/// A function, a class or a heading.
fn begins_block(line: &str) -> bool {
    const OPENING: [&str; 4] = ["def", "class", "fn", "function"];
    let heading =
        indentation(line).is_empty() && line.trim_start_matches('#').starts_with(' ') && line.starts_with('#');
    heading || words(line).take(5).any(|word| OPENING.contains(&word)) && !is_prose(line)
}

/// A comment may speak of functions.
fn is_prose(line: &str) -> bool {
    ["//", "#", "*", "/*", "--"].iter().any(|lead| trimmed(line).starts_with(lead))
}

/// A line as it stands, unless it is long.
fn quoted(line: &str) -> String {
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}\u{2026}", &line[..end]),
        None => line.to_owned(),
    }
}
