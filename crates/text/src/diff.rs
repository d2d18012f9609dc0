//! `text.diff`: how two texts differ, within the limits of a text (spec: text-engine.md §2).

pub use holdpoint_diff::{Diff, DiffLine, Hunk, LineKind, Stats};

use crate::error::TextError;
use crate::input::lines_of;
use crate::limits::MAX_CONTEXT;

/// How to show the difference.
#[derive(Debug, Clone)]
pub struct DiffOptions<'o> {
    /// Unchanged lines around a change, at most [`MAX_CONTEXT`].
    pub context: usize,
    /// The name in the unified form.
    pub path: &'o str,
}

impl Default for DiffOptions<'_> {
    fn default() -> Self {
        Self { context: 3, path: "file" }
    }
}

/// Compares two texts line by line; lines are equal when content and ending are. No script has fewer changed lines; this is
/// promised up to [`MAX_DIFF_EDITS`](crate::MAX_DIFF_EDITS) of them.
///
/// Errors: [`TextError::TooLarge`] over the limits, [`TextError::InvalidInput`] for the context.
pub fn diff(before: &str, after: &str, options: &DiffOptions<'_>) -> Result<Diff, TextError> {
    if options.context > MAX_CONTEXT {
        return Err(TextError::invalid("/context", format!("Give 0 to {MAX_CONTEXT} lines of context.")));
    }
    Ok(holdpoint_diff::diff(&lines_of(before)?, &lines_of(after)?, options.context, options.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_diff::lines;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_too_large() {
        let long = "\n".repeat(crate::limits::MAX_LINES + 1);
        let too_large = diff(&long, "", &DiffOptions::default());
        assert!(matches!(too_large, Err(TextError::TooLarge { limit: "MAX_LINES", .. })));
        let context = DiffOptions { context: 101, ..DiffOptions::default() };
        assert!(matches!(diff("", "", &context), Err(TextError::InvalidInput { .. })));
    }

    #[test]
    fn adversarial_texts_end() {
        let same = "a\n".repeat(20_000);
        let other: String = (0..20_000).map(|n| format!("{n}\n")).collect();
        let reversed: String = (0..2_000).rev().map(|n| format!("{n}\n")).collect();
        assert_eq!(diff(&same, &other, &DiffOptions::default()).unwrap().stats.added, 20_000);
        assert!(diff(&other, &reversed, &DiffOptions::default()).unwrap().stats.added == 1_999);
    }

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(vec!["a\n", "b\n", "c d\n", "e\r\n", "\n", "f"]), 0..12)
            .prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn hunks_rebuild_both_sides(before in text(), after in text(), context in 0usize..5) {
            let diff = diff(&before, &after, &DiffOptions { context, path: "x" }).unwrap();
            let side = |skip: LineKind| -> Vec<String> {
                diff.hunks.iter().map(|hunk| {
                    hunk.lines.iter().filter(|line| line.kind != skip)
                        .map(|line| format!("{}{}", line.text, line.eol.text())).collect()
                }).collect()
            };
            for (text, skip, place) in [
                (&before, LineKind::Insert, (|hunk: &Hunk| (hunk.old_start, hunk.old_count)) as fn(&Hunk) -> _),
                (&after, LineKind::Delete, |hunk: &Hunk| (hunk.new_start, hunk.new_count)),
            ] {
                for (hunk, want) in diff.hunks.iter().zip(side(skip)) {
                    let (start, count) = place(hunk);
                    let from = if count == 0 { start } else { start - 1 };
                    let have: String = lines(text)[from..from + count].iter()
                        .map(|line| format!("{}{}", line.content, line.ending.text())).collect();
                    prop_assert_eq!(have, want);
                }
            }
        }
    }
}
