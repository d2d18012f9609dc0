//! `text.select`: only the accepted hunks of a diff (spec: text-engine.md §2).

use serde::Serialize;

use crate::diff::{DiffOptions, LineKind, Stats, diff};
use crate::error::TextError;
use holdpoint_diff::lines;

/// A text with only some of the changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Selected {
    pub text: String,
    pub stats: Stats,
}

/// `before` with only the hunks of its diff to `after` whose ids are accepted. All ids give `after`, none gives
/// `before`, byte for byte.
///
/// Errors: those of [`diff`], [`TextError::UnknownHunk`].
pub fn select(before: &str, after: &str, accept: &[String], context: usize) -> Result<Selected, TextError> {
    let diff = diff(before, after, &DiffOptions { context, ..DiffOptions::default() })?;
    let known = |id: &String| diff.hunks.iter().any(|hunk| hunk.id == *id);
    let ids: Vec<String> = accept.iter().filter(|id| !known(id)).cloned().collect();
    if !ids.is_empty() {
        return Err(TextError::UnknownHunk { ids });
    }
    let old = lines(before);
    let mut selected = Selected { text: String::with_capacity(before.len()), stats: Stats::default() };
    let mut at = 0;
    for hunk in diff.hunks.iter().filter(|hunk| accept.contains(&hunk.id)) {
        let start = if hunk.old_count == 0 { hunk.old_start } else { hunk.old_start - 1 };
        selected.text.extend(old[at..start].iter().flat_map(|line| [line.content, line.ending.text()]));
        for line in &hunk.lines {
            match line.kind {
                LineKind::Delete => selected.stats.deleted += 1,
                LineKind::Insert => selected.stats.added += 1,
                LineKind::Context => {}
            }
            if line.kind != LineKind::Delete {
                selected.text.push_str(&line.text);
                selected.text.push_str(line.eol.text());
            }
        }
        at = start + hunk.old_count;
    }
    selected.text.extend(old[at..].iter().flat_map(|line| [line.content, line.ending.text()]));
    Ok(selected)
}
