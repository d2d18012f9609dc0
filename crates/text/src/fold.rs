//! The forms in which two lines may be equal (spec: text-engine.md §7 "Rungs").

use std::borrow::Cow;

use crate::nfc::nfc;
use crate::transport::is_blank_char;

/// Trimmed of blanks and tabs.
pub(crate) fn trimmed(line: &str) -> &str {
    line.trim_matches(is_blank_char)
}

/// Trimmed, runs of blanks and tabs folded to one blank.
pub(crate) fn folded(line: &str) -> Cow<'_, str> {
    let line = trimmed(line);
    if !line.contains('\t') && !line.contains("  ") {
        return Cow::Borrowed(line);
    }
    let mut folded = String::with_capacity(line.len());
    for word in line.split(is_blank_char).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    Cow::Owned(folded)
}

/// Quotes, dashes, the ellipsis and blanks in their plain forms, then NFC.
pub(crate) fn plain(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len());
    for character in line.chars() {
        match character {
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => plain.push('\''),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => plain.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '\u{2026}' => plain.push_str("..."),
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => plain.push(' '),
            other => plain.push(other),
        }
    }
    Cow::Owned(nfc(&plain).into_owned())
}

/// At least three letters or digits.
pub(crate) fn is_informative(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphanumeric()).nth(2).is_some()
}

pub(crate) const COMMENTS: [&str; 5] = ["#", "//", "--", "/*", "<!--"];

/// Text left out: `...` or `…` after blanks, an optional comment lead and an optional bracket.
pub(crate) fn is_elision(line: &str) -> bool {
    let blanks = |line| str::trim_start_matches(line, is_blank_char);
    let mut rest = blanks(line);
    for lead in COMMENTS {
        if let Some(after) = rest.strip_prefix(lead) {
            rest = blanks(after);
            break;
        }
    }
    if let Some(after) = rest.strip_prefix(['[', '(', '<', '{']) {
        rest = blanks(after);
    }
    rest.starts_with("...") || rest.starts_with('\u{2026}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(folded("\t a \t b  c "), "a b c");
        assert_eq!(trimmed("\t a  b "), "a  b");
        assert_eq!(plain("\u{201c}a\u{201d}\u{a0}\u{2014} e\u{301}\u{2026}"), "\"a\" - \u{e9}...");
    }

    #[test]
    fn informative_and_elided() {
        for (line, informative, elision) in [
            ("} // a1", false, false),
            ("a_b_c", true, false),
            ("    # ... rest of the code", true, true),
            ("/* \u{2026} */", false, true),
            ("<!-- [...] -->", false, true),
            ("let x = [...a];", true, false),
            ("...", false, true),
        ] {
            assert_eq!((is_informative(line), is_elision(line)), (informative, elision), "{line}");
        }
    }
}
