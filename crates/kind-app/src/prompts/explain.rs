//! A difference that is to be explained, as a model reads it (spec: app-builder.md §9).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use holdpoint_bundle::Files;
use holdpoint_change::text_error;
use holdpoint_check::{ApiError, args};
use holdpoint_diff::unified_hunks;
use holdpoint_text::{DiffOptions, diff};

use crate::protocol::ExplainBody;
use crate::protocol::ask::NOTHING_DIFFERS;

/// The difference of two projects: all of it, that of one file, or one place of that.
///
/// Errors: there is none where it is asked for; a text is over the limits of a difference.
pub fn difference(before: &Files, after: &Files, asked: &ExplainBody) -> Result<String, ApiError> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut text = String::new();
    for path in paths.into_iter().filter(|path| asked.path.as_ref().is_none_or(|own| own == *path)) {
        let [old, new] = [before, after].map(|files| files.get(path).map_or("", String::as_str));
        let options = DiffOptions { path, ..DiffOptions::default() };
        let found = diff(old, new, &options).map_err(|error| text_error(&error))?;
        match &asked.hunk_id {
            None => text.push_str(&found.unified),
            Some(id) => {
                let own: Vec<_> = found.hunks.into_iter().filter(|hunk| hunk.id == *id).collect();
                if !own.is_empty() {
                    let _ = write!(text, "--- a/{path}\n+++ b/{path}\n{}", unified_hunks(&own));
                }
            }
        }
    }
    if text.is_empty() { Err(ApiError::at("/explain", &NOTHING_DIFFERS, args! {})) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, String)]) -> Files {
        all.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect()
    }

    /// Twenty lines; those that are named say something else.
    fn lines(other: &[usize]) -> String {
        let line = |n| if other.contains(&n) { format!("other {n}\n") } else { format!("line {n}\n") };
        (0..20).map(line).collect()
    }

    fn asked(path: Option<&str>, hunk: Option<String>) -> ExplainBody {
        ExplainBody { from: String::new(), to: String::new(), path: path.map(str::to_owned), hunk_id: hunk }
    }

    #[test]
    fn what_is_asked_about_is_told_and_nothing_else() {
        let before = files(&[("a.ts", lines(&[])), ("b.ts", lines(&[])), ("c.ts", lines(&[]))]);
        let after = files(&[("a.ts", lines(&[2, 15])), ("b.ts", lines(&[7])), ("c.ts", lines(&[]))]);
        let all = difference(&before, &after, &asked(None, None)).unwrap();
        assert!(all.contains("+other 2\n") && all.contains("+other 15\n") && all.contains("+other 7\n"));
        assert!(!all.contains("c.ts"));
        let one = difference(&before, &after, &asked(Some("a.ts"), None)).unwrap();
        assert!(one.contains("+other 15\n") && !one.contains("b.ts"));
        let options = DiffOptions::default();
        let hunks = diff(&before["a.ts"], &after["a.ts"], &options).unwrap().hunks;
        let place = difference(&before, &after, &asked(Some("a.ts"), Some(hunks[1].id.clone()))).unwrap();
        assert!(place.starts_with("--- a/a.ts\n+++ b/a.ts\n@@ -13,7 +13,7 @@\n"), "{place}");
        assert!(place.contains("+other 15\n") && !place.contains("other 2\n"), "{place}");
    }

    #[test]
    fn where_nothing_differs_there_is_nothing_to_explain() {
        let same = files(&[("a.ts", lines(&[]))]);
        let after = files(&[("a.ts", lines(&[1]))]);
        for (after, asked) in [
            (&same, asked(None, None)),
            (&after, asked(Some("b.ts"), None)),
            (&after, asked(Some("a.ts"), Some("gone".to_owned()))),
        ] {
            assert_eq!(difference(&same, after, &asked).unwrap_err().code, "INVALID_INPUT");
        }
    }
}
