//! Hunks, changed words and the unified form (spec: text-engine.md §2).

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::lines::{Line, LineEnding};
use crate::script::{Change, changes};
use crate::spans::{Spans, spans};

/// The difference of two texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextDiff"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TextDiff"))]
pub struct Diff {
    /// Changes whose unchanged gap is at most twice the context share a hunk.
    pub hunks: Vec<Hunk>,
    pub stats: Stats,
    /// As `git apply` takes it; empty when the texts are equal.
    pub unified: String,
}

impl Diff {
    /// As JSON text, written here so that it is compiled for speed with the rest of this crate.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a diff has no map and no number that JSON lacks")
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LineCounts"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LineCounts"))]
pub struct Stats {
    pub added: usize,
    pub deleted: usize,
}

/// One place of change; with a count of 0 a start is the line before, 0 at the top.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hunk {
    pub id: String,
    pub old_start: usize,
    pub old_count: usize,
    pub new_start: usize,
    pub new_count: usize,
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk. `spans` are UTF-16 `[start, end)` of the words that its partner lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DiffLine {
    pub kind: LineKind,
    pub text: String,
    pub eol: LineEnding,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub spans: Option<Spans>,
}

/// What happens to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    Context,
    Delete,
    Insert,
}

/// Compares two texts by their lines. No script has fewer changed lines. `context` is how many unchanged lines stand around a
/// change, `path` is the name in the unified form.
pub fn diff(old: &[Line<'_>], new: &[Line<'_>], context: usize, path: &str) -> Diff {
    let changes = changes(old, new);
    let stats = Stats {
        added: changes.iter().map(|change| change.new.len()).sum(),
        deleted: changes.iter().map(|change| change.old.len()).sum(),
    };
    let hunks: Vec<Hunk> = groups(&changes, context).map(|group| hunk(group, old, new, context)).collect();
    let unified = unified(&hunks, path);
    Diff { hunks, stats, unified }
}

/// The shortest script from `old` to `new`: stretches that differ, in order; everything else is equal on both sides.
pub fn line_changes(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<Change> {
    changes(old, new)
}

fn groups(changes: &[Change], context: usize) -> impl Iterator<Item = &[Change]> {
    changes.chunk_by(move |left, right| right.old.start - left.old.end <= 2 * context)
}

fn hunk(group: &[Change], old: &[Line<'_>], new: &[Line<'_>], context: usize) -> Hunk {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let lead = context.min(first.old.start);
    let tail = context.min(old.len() - last.old.end);
    let old_range = first.old.start - lead..last.old.end + tail;
    let new_range = first.new.start - lead..last.new.end + tail;

    let mut rows = Vec::new();
    let mut at = old_range.start;
    for change in group {
        rows.extend(old[at..change.old.start].iter().map(|line| row(LineKind::Context, line, None)));
        let (gone, come) = (&old[change.old.clone()], &new[change.new.clone()]);
        let mut pairs: Vec<_> = gone.iter().zip(come).map(|(a, b)| spans(a.content, b.content)).collect();
        pairs.resize(gone.len().max(come.len()), None);
        let words =
            |index: usize, new: bool| pairs[index].as_ref().map(|(a, b)| if new { b.clone() } else { a.clone() });
        rows.extend(gone.iter().enumerate().map(|(i, line)| row(LineKind::Delete, line, words(i, false))));
        rows.extend(come.iter().enumerate().map(|(i, line)| row(LineKind::Insert, line, words(i, true))));
        at = change.old.end;
    }
    rows.extend(old[at..old_range.end].iter().map(|line| row(LineKind::Context, line, None)));

    let start = |range: &std::ops::Range<usize>| if range.is_empty() { range.start } else { range.start + 1 };
    let (old_start, new_start) = (start(&old_range), start(&new_range));
    let (old_count, new_count) = (old_range.len(), new_range.len());
    Hunk {
        id: format!("{old_start},{old_count}+{new_start},{new_count}"),
        old_start,
        old_count,
        new_start,
        new_count,
        lines: rows,
    }
}

fn row(kind: LineKind, line: &Line<'_>, spans: Option<Spans>) -> DiffLine {
    DiffLine { kind, text: line.content.to_owned(), eol: line.ending, spans }
}

fn unified(hunks: &[Hunk], path: &str) -> String {
    if hunks.is_empty() {
        return String::new();
    }
    format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n{}", unified_hunks(hunks))
}

/// Hunks as `git apply` takes them, to stand behind lines that name the file.
pub fn unified_hunks(hunks: &[Hunk]) -> String {
    let mut text = String::new();
    for hunk in hunks {
        let range = |start: usize, count: usize| match count {
            1 => start.to_string(),
            _ => format!("{start},{count}"),
        };
        let (old, new) = (range(hunk.old_start, hunk.old_count), range(hunk.new_start, hunk.new_count));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "@@ -{old} +{new} @@");
        for line in &hunk.lines {
            text.push(match line.kind {
                LineKind::Context => ' ',
                LineKind::Delete => '-',
                LineKind::Insert => '+',
            });
            text.push_str(&line.text);
            text.push_str(match line.eol {
                LineEnding::None => "\n\\ No newline at end of file\n",
                ending => ending.text(),
            });
        }
    }
    text
}
