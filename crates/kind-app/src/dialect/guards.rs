//! What a rewrite of a file may have lost (spec: vite-app.md §3.3).

use std::collections::BTreeSet;

use holdpoint_check::{Diagnostic, LineIndex, args, codes};

use crate::policy::{ending, is_code};

codes! {
    /// a rewrite leaves fewer than three fifths of the lines
    SHRINK_SUSPECT: Warning, "Look whether something got lost: of {before} lines {after} are left." [before, after];
    /// a comment that stands for code that was left out
    ELISION_SUSPECT: Warning, "Look whether this comment stands for code that was left out.";
}

/// Lines from which a file may lose too many.
const MIN_LINES: usize = 40;
const LEADS: [&str; 6] = ["//", "/*", "*", "<!--", "{/*", "#"];
const WORDS: [&str; 9] = ["rest", "remaining", "existing", "previous", "unchanged", "same", "other", "omitted", "keep"];
const WHOLES: [&str; 6] = ["file", "code", "component", "imports", "function", "styles"];
const PHRASES: [&str; 3] = ["existing code", "remaining code", "previous code"];
const TAILS: [&str; 10] = [
    "here",
    "below",
    "above",
    "unchanged",
    "stays",
    "remains",
    "goes here",
    "stays the same",
    "remains unchanged",
    "as before",
];

/// Warnings about a text that takes the place of another one.
pub fn check(path: &str, before: &str, after: &str) -> Vec<Diagnostic> {
    let (old, new) = (before.lines().count(), after.lines().count());
    let mut found = Vec::new();
    if old >= MIN_LINES && new * 10 < old * 6 {
        found.push(Diagnostic::of(&SHRINK_SUSPECT, args! { before: old, after: new }).in_file(path));
    }
    let is_read = is_code(path) || matches!(ending(path).as_str(), "css" | "html");
    if is_read && let Some((start, end)) = elision(before, after) {
        let range = LineIndex::new(after).range(start, end);
        found.push(Diagnostic::of(&ELISION_SUSPECT, args! {}).in_file(path).at(range));
    }
    found
}

/// The first new comment that stands for code, without the blanks around it.
fn elision(before: &str, after: &str) -> Option<(usize, usize)> {
    let old: BTreeSet<&str> = before.lines().map(str::trim).collect();
    let mut at = 0;
    for line in after.split_inclusive('\n') {
        let trimmed = line.trim();
        if !old.contains(trimmed) && LEADS.iter().any(|lead| trimmed.starts_with(lead)) && stands_for_code(trimmed) {
            let start = at + (line.len() - line.trim_start().len());
            return Some((start, start + trimmed.len()));
        }
        at += line.len();
    }
    None
}

fn stands_for_code(comment: &str) -> bool {
    let front = |c: char| matches!(c, '/' | '*' | '#' | '<' | '!' | '{' | '-') || c.is_whitespace();
    let behind = |c: char| matches!(c, '*' | '/' | '>' | '-' | '}') || c.is_whitespace();
    let body = comment.trim_start_matches(front).trim_end_matches(behind).to_lowercase();
    let has_dots = ["...", "…"].iter().any(|dots| body.starts_with(dots) || body.ends_with(dots));
    let has_word = || body.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| WORDS.contains(&word));
    (has_dots && has_word()) || is_phrase(&body)
}

fn is_phrase(body: &str) -> bool {
    let body = body.strip_suffix('.').unwrap_or(body).trim_end();
    let rest_of = || {
        let rest = body.strip_prefix("the ").unwrap_or(body).strip_prefix("rest of ")?;
        let rest = rest.strip_prefix("the ").or_else(|| rest.strip_prefix("your ")).unwrap_or(rest);
        WHOLES.iter().find_map(|whole| rest.strip_prefix(whole))
    };
    let tail = rest_of().or_else(|| PHRASES.iter().find_map(|phrase| body.strip_prefix(phrase)));
    tail.is_some_and(|tail| {
        let words = tail.trim_start();
        words.is_empty() || (tail.starts_with(' ') && TAILS.contains(&words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_stand_for_code() {
        let suspect = [
            "// ... rest of the component",
            "{/* existing code here */}",
            "<!-- … unchanged -->",
            "# Rest of file stays the same.",
            "/* the rest of your imports */",
            "* previous code as before",
            "// keep the other handlers...",
        ];
        for line in suspect {
            assert!(elision("", &format!("a\n  {line}\nb")).is_some(), "{line}");
            assert!(elision(line, line).is_none(), "it was there: {line}");
        }
        for line in [
            "// The rest is drawn below.",
            "return 'rest...'",
            "// wait...",
            "// existing codes",
            "const rest = a // ...",
        ] {
            assert!(elision("", line).is_none(), "{line}");
        }
    }

    #[test]
    fn rewrites_that_lose_lines() {
        let lines = |n: usize| "a\n".repeat(n);
        let found = |before: usize, after: usize| check("a.md", &lines(before), &lines(after)).len();
        assert_eq!([found(40, 23), found(40, 24), found(39, 1), found(100, 59)], [1, 0, 0, 1]);
    }
}
