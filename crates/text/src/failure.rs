//! From a failure to what people and models read of it (spec: text-engine.md §4 "error_details").
//!
//! Invariant: the snippets are bounded, whatever the lines are.

use std::collections::HashMap;

use crate::base::{Base, Budget, Form};
use crate::codes::RejectCode;
use crate::hint::hint;
use crate::place::{Failed, Hunk};
use crate::preview::{ErrorDetail, Nearest};

/// Body lines in a snippet.
const EXPECTED_LINES: usize = 12;
/// Base lines before and behind the line that a snippet is about.
const LINES_BEFORE: usize = 5;
const LINES_BEHIND: usize = 7;
/// Characters of a line in a snippet.
const SNIPPET_WIDTH: usize = 1_000;
/// Old lines, and places of each, that the search for the most similar place looks at.
const NEAREST_LINES: usize = 64;
const NEAREST_PLACES: usize = 256;

/// A failure of an op that has nothing to do with a hunk.
pub(crate) fn of_op(code: RejectCode, op_index: usize, target_file: &str) -> ErrorDetail {
    ErrorDetail {
        code,
        op_index: Some(op_index),
        target_file: Some(target_file.to_owned()),
        hunk_index: None,
        hunk_header: None,
        candidates: Vec::new(),
        expected_snippet: None,
        base_snippet: None,
        nearest: None,
        hint: code.hint().to_owned(),
    }
}

/// A failure of a hunk.
pub(crate) fn of_hunk(base: &Base<'_>, hunk: &Hunk, target_file: &str, failed: Failed, budget: &Budget) -> ErrorDetail {
    let stated = hunk.header.numbers.map(|numbers| numbers.old_start.max(1));
    let nearest = nearest(base, hunk, stated);
    let expected = hunk.readings.region().iter().take(EXPECTED_LINES).map(|line| narrow(&line.text));
    let about = stated.filter(|line| *line <= base.len()).or(nearest.map(|nearest| nearest.line)).or(stated);
    let hint = hint(base, hunk, &failed, nearest, budget);
    ErrorDetail {
        hint,
        hunk_index: Some(hunk.index),
        hunk_header: hunk.header_line(),
        candidates: failed.candidates,
        expected_snippet: Some(expected.collect::<Vec<_>>().join("\n")),
        base_snippet: about.and_then(|line| base_snippet(base, line)),
        nearest,
        ..of_op(failed.code, hunk.op_index, target_file)
    }
}

pub(crate) fn message(detail: &ErrorDetail) -> String {
    let mut place = detail.target_file.clone().unwrap_or_default();
    if let Some(hunk) = detail.hunk_index {
        place = format!("{place}, hunk {hunk}");
    }
    format!("{place}: {}", detail.code.message())
}

fn narrow(line: &str) -> String {
    match line.char_indices().nth(SNIPPET_WIDTH) {
        Some((end, _)) => format!("{}\u{2026}", &line[..end]),
        None => line.to_owned(),
    }
}

/// The base lines about a 1-based line.
fn base_snippet(base: &Base<'_>, line: usize) -> Option<String> {
    let at = line.min(base.len()).checked_sub(1)?;
    let lines = at.saturating_sub(LINES_BEFORE)..(at + LINES_BEHIND + 1).min(base.len());
    Some(lines.map(|at| narrow(base.content(at))).collect::<Vec<_>>().join("\n"))
}

/// The place where most old lines stand, but for white space around them; of several the nearest to the stated line.
fn nearest(base: &Base<'_>, hunk: &Hunk, stated: Option<usize>) -> Option<Nearest> {
    let reading = hunk.readings.first()?;
    let keys = base.keys(Form::Trimmed);
    let mut votes: HashMap<usize, usize> = HashMap::new();
    let mut count = 0;
    for (at, line) in reading.lines.iter().filter(|line| line.is_old()).take(NEAREST_LINES).enumerate() {
        count += 1;
        for place in keys.places(keys.key(&Form::Trimmed.of(&line.text))).iter().take(NEAREST_PLACES) {
            if let Some(start) = (*place as usize).checked_sub(at) {
                *votes.entry(start).or_default() += 1;
            }
        }
    }
    let far = |start: usize| stated.map_or(0, |line| (start + 1).abs_diff(line));
    let (start, best) = votes.into_iter().min_by_key(|(start, votes)| (count - votes, far(*start), *start))?;
    Some(Nearest { line: start + 1, similarity: best * 100 / count })
}
