//! Lines that other programs write around an edit: markers of blocks, of conflicts and of patches.
//!
//! Why: models mix the dialects up, and what is read as content is written into the file. Invariant: no proposal is
//! `clean` that puts such a line into a file which had none like it.

use std::collections::HashSet;

use crate::syntax::is_envelope;
use crate::transport::is_blank_char;

/// Characters of a marker that also stands without a word.
const MARKER: std::ops::RangeInclusive<usize> = 5..=9;
/// Characters of a marker of conflicts, and of the rule below the line numbers of a block.
const CONFLICT: usize = 7;

/// Whether `after` has a line of an edit that `before` does not have.
pub fn adds_mark(before: &str, after: &str) -> bool {
    let mut known: Option<HashSet<&str>> = None;
    let mut above = "";
    after.split('\n').any(|line| {
        let line = bare(line);
        let above = std::mem::replace(&mut above, line);
        is_mark_below(line, above)
            && !known.get_or_insert_with(|| before.split('\n').map(bare).collect()).contains(line)
    })
}

/// A line without what editors do not show.
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| is_blank_char(c) || c == '\r')
}

/// Whether a line is a mark; a rule as long as the words above it is the underline of a heading.
fn is_mark_below(line: &str, above: &str) -> bool {
    let is_rule = run(line, '=') == line.len() || run(line, '-') == line.len();
    let is_as_long = above.chars().count().abs_diff(line.len()) <= 1;
    is_mark(line) && !(is_rule && is_as_long && is_title(above))
}

/// Whether a line has words and is no mark, also not one behind the sign of a hunk.
fn is_title(line: &str) -> bool {
    let behind_sign = line.strip_prefix(['+', '-']).unwrap_or(line);
    line.contains(char::is_alphanumeric) && !is_mark(line) && !is_mark(bare(behind_sign))
}

/// Whether a line, without blanks at its ends, is a mark of an edit.
pub(crate) fn is_mark(line: &str) -> bool {
    // Some dialects want marks in content to be written with a backslash.
    let line = line.strip_prefix('\\').unwrap_or(line);
    match line.bytes().next() {
        Some(sign @ (b'<' | b'>' | b'|')) => is_side(line, char::from(sign)),
        Some(b'=') => run(line, '=') == line.len() && MARKER.contains(&line.len()),
        Some(b'-') => run(line, '-') == line.len() && line.len() == CONFLICT || names(line, '-', "SEARCH"),
        Some(b'+') => names(line, '+', "REPLACE"),
        Some(b':') => line_number(line).is_some(),
        Some(b'*') => is_envelope(line),
        Some(b'@') => line.strip_prefix("@@ -").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
        _ => false,
    }
}

/// `<<<<<<<`, `>>>>>>>` and `|||||||`, alone, with the word of a block, or with the name of a side of a conflict.
fn is_side(line: &str, sign: char) -> bool {
    let length = run(line, sign);
    let rest = &line[length..];
    let is_word = ["SEARCH", "ORIGINAL", "REPLACE", "UPDATED"].iter().any(|word| rest.trim_start().starts_with(word));
    let alone = sign != '|' && (rest.is_empty() || is_word) && MARKER.contains(&length);
    alone || length == CONFLICT && (rest.is_empty() || rest.starts_with(' '))
}

/// A run of a sign, a blank and a word, with or without a closing `>`.
fn names(line: &str, sign: char, word: &str) -> bool {
    let length = run(line, sign);
    let rest = line[length..].trim_start();
    MARKER.contains(&length) && rest.strip_suffix('>').unwrap_or(rest) == word
}

/// Bytes of the run of a sign at the start.
fn run(line: &str, sign: char) -> usize {
    line.len() - line.trim_start_matches(sign).len()
}

/// `:start_line:N` and `:end_line:N`, which say where a block stands.
pub(crate) fn line_number(line: &str) -> Option<&str> {
    let line = bare(line);
    let number = line.strip_prefix(":start_line:").or_else(|| line.strip_prefix(":end_line:"))?.trim_start();
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
}

/// Whether a line begins a block in a way that is not read: another case, too few signs, no blank, a frame.
pub(crate) fn resembles_start(line: &str) -> bool {
    let line = bare(line);
    let signs = |c: char| matches!(c, '<' | '-' | '\u{2550}' | '\u{2554}' | '\u{2557}' | '[' | '>' | ']' | ':' | ' ');
    let word = line.trim_matches(signs);
    // `--- search` may be the header of a file.
    let is_loud = matches!(word, "SEARCH" | "ORIGINAL");
    let begins =
        ["<<<", "-----", "\u{2554}"].iter().any(|lead| line.starts_with(lead)) || is_loud && line.starts_with("---");
    begins && ["search", "original"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        let cases = [
            ("<<<<<<< SEARCH", true),
            ("<<<<<<< SEARCH>", true),
            ("<<<<< ORIGINAL", true),
            ("<<<<<<< HEAD", true),
            ("<<<<<<<", true),
            ("|||||||", true),
            ("||||||| base", true),
            ("=======", true),
            ("=====", true),
            (">>>>>>> REPLACE", true),
            (">>>>>>>> REPLACE", true),
            (">>>>>>> main", true),
            ("------- SEARCH", true),
            ("------- SEARCH>", true),
            ("+++++++ REPLACE", true),
            ("-------", true),
            (":start_line:12", true),
            (":end_line: 3", true),
            (":start_line:", true),
            ("\\=======", true),
            ("*** Begin Patch", true),
            ("@@ -1,2 +1,2 @@", true),
            ("a <<<<<<< b", false),
            ("<<< here", false),
            (">>> print(1)", false),
            (">>>>> a quote of a quote", false),
            ("==========", false),
            ("x = 1", false),
            ("---", false),
            ("----------", false),
            ("------- a", false),
            ("@@", false),
            (":start_line: of the block", false),
            ("", false),
        ];
        for (line, want) in cases {
            assert_eq!(is_mark(line), want, "{line}");
        }
    }

    #[test]
    fn what_stood_there_and_headings_are_no_doubt() {
        let cases = [
            ("a\n", "a\n=======\n", true),
            ("a\n=======\n", "=======\nb\n", false),
            ("a\r\n=======\r\n", "=======\nb\n", false),
            ("", "Title\n=====\n", false),
            ("", "    Returns\n    -------\n", false),
            ("", ":start_line:3\n-------\n", true),
            ("", "return first + second\n-------\n", true),
            ("", "+<<<<<<<\n-------\n", true),
            ("", "+>>>>>>> a\n=========\n", true),
            ("", "- - - -\n-------\n", true),
            ("", "  >>>>>>> REPLACE", true),
        ];
        for (before, after, want) in cases {
            assert_eq!(adds_mark(before, after), want, "{after}");
        }
    }

    #[test]
    fn starts_that_are_not_read() {
        for line in [
            "<<<<<<<SEARCH",
            "<<< SEARCH",
            "<<<<<<< search",
            "---SEARCH---",
            "\u{2554}\u{2550}\u{2550} SEARCH \u{2550}\u{2557}",
            "<<<<<<<<<< SEARCH",
        ] {
            assert!(resembles_start(line), "{line}");
        }
        for line in ["search", "--- a/search", "<search>", "--search", "<<<<<<< HEAD", "--- search"] {
            assert!(!resembles_start(line), "{line}");
        }
    }
}
