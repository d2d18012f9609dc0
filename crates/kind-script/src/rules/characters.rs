//! `TOOL_CONTROL_CHARACTER`, `TOOL_BIDI_CONTROL`: characters that nobody sees.
//!
//! Why: a control character breaks readers; a direction control shows code in another order than it runs.

use holdpoint_check::{Diagnostic, LineIndex, Range, args, codes};

use crate::policy::VirtualFile;

codes! {
    /// the text has a control character
    TOOL_CONTROL_CHARACTER: Error, "Remove the control character {name}." [name];
    /// a character that changes the direction of text
    TOOL_BIDI_CONTROL: Warning,
        "Remove {name}, or write it as an escape: it changes the direction in which text is shown." [name];
}

/// Whether further rules may look at the file.
pub fn check(file: VirtualFile, text: &str, findings: &mut Vec<Diagnostic>) -> bool {
    if let Some((range, name)) = first(text, is_control) {
        findings.push(Diagnostic::of(&TOOL_CONTROL_CHARACTER, args! { name }).in_file(file.id()).at(range));
        return false;
    }
    if let Some((range, name)) = first(text, is_bidi) {
        findings.push(Diagnostic::of(&TOOL_BIDI_CONTROL, args! { name }).in_file(file.id()).at(range));
    }
    true
}

fn first(text: &str, is: fn(char) -> bool) -> Option<(Range, String)> {
    let (at, found) = text.char_indices().find(|(_, character)| is(*character))?;
    let range = LineIndex::new(text).range(at, at + found.len_utf8());
    Some((range, format!("U+{:04X}", u32::from(found))))
}

fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{1f}' | '\u{7f}') && !matches!(character, '\t' | '\n' | '\r' | '\u{c}')
}

fn is_bidi(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_and_what_is_not() {
        let cases = [
            ("a\tb\nc\r\nd\re\u{c}f", ""),
            ("a\u{0}b", "TOOL_CONTROL_CHARACTER 1:2-1:3"),
            ("\n\u{7f}", "TOOL_CONTROL_CHARACTER 2:1-2:2"),
            ("a\u{b}", "TOOL_CONTROL_CHARACTER 1:2-1:3"),
            ("\u{85}\u{2028}\u{200b}\u{feff}", ""),
            ("🙂\u{202e}a\u{2066}", "TOOL_BIDI_CONTROL 1:3-1:4"),
            ("\u{200e}", "TOOL_BIDI_CONTROL 1:1-1:2"),
            ("\u{202e}\u{1}", "TOOL_CONTROL_CHARACTER 1:2-1:3"),
        ];
        for (text, want) in cases {
            let mut findings = Vec::new();
            check(VirtualFile::Usage, text, &mut findings);
            let found: Vec<String> = findings
                .iter()
                .map(|finding| {
                    let range = finding.range.unwrap();
                    let (start, end) = (range.start, range.end);
                    format!("{} {}:{}-{}:{}", finding.code, start.line, start.column, end.line, end.column)
                })
                .collect();
            assert_eq!(found.join(", "), want, "{text:?}");
        }
    }
}
