//! From the text of an op to the lines of a patch (spec: text-engine.md §5 "Transport").
//!
//! Owns what can be mended without knowing what the lines mean to a file. Invariant: the content of a body line is
//! never changed here.

use crate::block::{are_blocks, count_blocks};
use crate::syntax::{is_envelope, is_fence, is_metadata};
use crate::tags::{Tag, Tags};

/// The lines of a patch, and what was mended on the way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transported {
    pub lines: Vec<RawLine>,
    pub tags: Tags,
    /// The lines are search and replace blocks.
    pub is_blocks: bool,
}

/// A line of a patch.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct RawLine {
    /// The name without its ending.
    pub text: String,
    /// The line ended with CR.
    pub cr: bool,
}

impl Transported {
    /// Lines that begin with `@@`, or blocks.
    pub fn hunk_lines(&self) -> usize {
        if self.is_blocks {
            return count_blocks(&self.lines);
        }
        self.lines.iter().filter(|line| line.text.starts_with("@@")).count()
    }
}

/// Mends what the way here did to the text. `split`: an element of `patch_lines` held a line feed.
pub(crate) fn transport(text: &str, split: bool) -> Transported {
    let mut tags = Tags::new();
    if split {
        tags.insert(Tag::SplitPatchLines);
    }
    // Line feeds at the end say nothing, and `patch_lines` may not have them.
    let mut text = text.trim_end_matches('\n');
    if let Some(rest) = text.strip_prefix(BOM) {
        tags.insert(Tag::StrippedBom);
        text = rest;
    }
    let normalized = normalized_line_endings(text, &mut tags);
    let mut text = normalized.as_deref().unwrap_or(text);
    let decoded = decoded_escaped_newlines(text);
    let renormalized;
    if let Some(decoded) = &decoded {
        tags.insert(Tag::DecodedEscapedNewlines);
        // The escapes hid the endings from the first look.
        renormalized = normalized_line_endings(decoded, &mut tags);
        text = renormalized.as_deref().unwrap_or(decoded);
    }
    let mut lines: Vec<RawLine> = text.split_inclusive('\n').map(raw_line).collect();
    // What stands between the markers of a block is content, whatever it looks like.
    let is_blocks = are_blocks(&lines);
    if !is_blocks {
        strip_invisible_chars(&mut lines, &mut tags);
        strip_leading_indentation(&mut lines, &mut tags);
    }
    Transported { lines, tags, is_blocks }
}

/// U+FEFF, which some programs put at the start of a text.
pub(crate) const BOM: char = '\u{feff}';

/// A CR at the end of a line, also of the last one, is its ending.
fn raw_line(line: &str) -> RawLine {
    let line = line.strip_suffix('\n').unwrap_or(line);
    match line.strip_suffix('\r') {
        Some(text) => RawLine { text: text.to_owned(), cr: true },
        None => RawLine { text: line.to_owned(), cr: false },
    }
}

/// `normalized_line_endings`, as far as it concerns the whole text: CR and no LF, or a CR before every LF.
fn normalized_line_endings(text: &str, tags: &mut Tags) -> Option<String> {
    let (cr, lf) = (text.contains('\r'), text.contains('\n'));
    let every = || text.match_indices('\n').all(|(at, _)| text[..at].ends_with('\r'));
    let normalized = match (cr, lf) {
        (true, false) => text.replace('\r', "\n"),
        (true, true) if every() => {
            let text = text.replace("\r\n", "\n");
            // The text was cut between CR and LF.
            match text.strip_suffix('\r') {
                Some(cut) => format!("{cut}\n"),
                None => text,
            }
        }
        _ => return None,
    };
    tags.insert(Tag::NormalizedLineEndings);
    Some(normalized)
}

/// `decoded_escaped_newlines`: one line that holds `\n` in two characters and is, decoded, a patch.
fn decoded_escaped_newlines(text: &str) -> Option<String> {
    let line = text.trim();
    if line.contains('\n') || !line.contains("\\n") {
        return None;
    }
    let decoded = decode_json_inside(line)?;
    decoded.lines().any(|line| line.starts_with("@@")).then_some(decoded)
}

/// The inside of a JSON string, decoded once; bare quotes are allowed.
fn decode_json_inside(text: &str) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            decoded.push(character);
            continue;
        }
        decoded.push(match rest.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            same @ ('"' | '\\' | '/') => same,
            'u' => {
                let unit = code_unit(&mut rest)?;
                if (0xd800..0xdc00).contains(&unit) {
                    if (rest.next()?, rest.next()?) != ('\\', 'u') {
                        return None;
                    }
                    let low = code_unit(&mut rest)?;
                    char::decode_utf16([unit, low]).next()?.ok()?
                } else {
                    char::from_u32(u32::from(unit))?
                }
            }
            _ => return None,
        });
    }
    Some(decoded)
}

fn code_unit(rest: &mut std::str::Chars<'_>) -> Option<u16> {
    let digits = rest.as_str().get(..4)?;
    let unit = u16::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    rest.nth(3);
    Some(unit)
}

/// Characters that show nothing and that programs leave in front of lines.
fn is_invisible(character: char) -> bool {
    matches!(character,
        BOM | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `stripped_invisible_chars`: at the start of a line when syntax or a body marker follows, and anywhere in a line
/// whose first visible text is `@@`.
fn strip_invisible_chars(lines: &mut [RawLine], tags: &mut Tags) {
    let flush = |line: &RawLine| line.text.trim_start_matches(is_invisible).starts_with("@@");
    // Where a header stands at the margin, `@@` behind a blank is the content of a context line.
    let indented = !lines.iter().any(flush);
    for line in lines {
        if !line.text.contains(is_invisible) {
            continue;
        }
        let visible = line.text.trim_start_matches(|c| is_invisible(c) || (indented && is_blank_char(c)));
        let stripped = if visible.starts_with("@@") {
            line.text.replace(is_invisible, "")
        } else {
            let rest = line.text.trim_start_matches(is_invisible);
            if rest.len() == line.text.len() || !(rest.starts_with([' ', '-', '+', '\\']) || is_syntax(rest)) {
                continue;
            }
            rest.to_owned()
        };
        line.text = stripped;
        tags.insert(Tag::StrippedInvisibleChars);
    }
}

fn is_syntax(line: &str) -> bool {
    is_fence(line) || is_envelope(line) || line.starts_with("diff --git ") || is_metadata(line)
}

pub(crate) fn is_blank_char(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// The leading blanks and tabs.
pub(crate) fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(is_blank_char).len()]
}

/// `stripped_leading_indentation`: every line that must stand at the margin has the same indentation.
fn strip_leading_indentation(lines: &mut [RawLine], tags: &mut Tags) {
    let mut run: Option<String> = None;
    for at in 0..lines.len() {
        if !stands_at_margin(lines, at) {
            continue;
        }
        let indentation = indentation(&lines[at].text);
        match &run {
            None if indentation.is_empty() => return,
            None => run = Some(indentation.to_owned()),
            Some(run) if run == indentation => {}
            Some(_) => return,
        }
    }
    let Some(run) = run else { return };
    for line in lines {
        if line.text.chars().all(is_blank_char) && !line.text.starts_with(&run) {
            line.text.clear();
        } else if let Some(rest) = line.text.strip_prefix(&run) {
            line.text = rest.to_owned();
        }
    }
    tags.insert(Tag::StrippedLeadingIndentation);
}

/// An `@@`, `diff --git`, file header or envelope line, but for its indentation.
fn stands_at_margin(lines: &[RawLine], at: usize) -> bool {
    let trimmed = |at: usize| lines.get(at).map_or("", |line| line.text.trim_start_matches(is_blank_char));
    let line = trimmed(at);
    if line.starts_with("--- ") {
        let next = trimmed(at + 1);
        return next.starts_with("+++ ") || next.starts_with("@@");
    }
    if line.starts_with("+++ ") {
        return (at > 0 && trimmed(at - 1).starts_with("--- ")) || trimmed(at + 1).starts_with("@@");
    }
    line.starts_with("@@") || line.starts_with("diff --git ") || is_envelope(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> (String, Vec<String>) {
        let Transported { lines, tags, .. } = transport(text, false);
        let lines: Vec<String> =
            lines.iter().map(|line| format!("{}{}", line.text, if line.cr { "<CR>" } else { "" })).collect();
        (lines.join("|"), tags.iter().map(|tag| tag.name()).collect())
    }

    #[test]
    fn each_rule() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("@@\n-a\n+b\n", "@@|-a|+b", &[]),
            ("\u{feff}@@\n-a", "@@|-a", &["stripped_bom"]),
            ("@@\r\n-a\r\n+b\r", "@@|-a|+b", &["normalized_line_endings"]),
            ("@@\r-a\r+b", "@@|-a|+b", &["normalized_line_endings"]),
            ("@@\n-a\n+b\r\n", "@@|-a|+b<CR>", &[]),
            ("@@\\n-a\\n+\\\"b\\u00e9\"", "@@|-a|+\"b\u{e9}\"", &["decoded_escaped_newlines"]),
            ("a\\nb", "a\\nb", &[]),
            ("@@\\r\\n-a\\r\\n+b", "@@|-a|+b", &["normalized_line_endings", "decoded_escaped_newlines"]),
            ("\u{200b}@@ \u{200b}-1\n\u{2060}-a\n+\u{200b}b", "@@ -1|-a|+\u{200b}b", &["stripped_invisible_chars"]),
            ("\t@@\n\t-a\n \n\t b", "@@|-a|| b", &["stripped_leading_indentation"]),
            ("@@\n  @@\n", "@@|  @@", &[]),
        ];
        for (text, want, tags) in cases {
            assert_eq!(
                mended(text),
                ((*want).to_owned(), tags.iter().map(|tag| (*tag).to_owned()).collect()),
                "{text:?}"
            );
        }
    }
}
