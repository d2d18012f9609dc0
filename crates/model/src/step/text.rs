//! Texts of a STEP file: to Unicode and back.
//!
//! Owns the fall-back for files that break the standard: bytes that are no UTF-8 are read as Windows-1252, which
//! is what exporters that forget to encode write. Invariant: `decode(encode(text)) == text`.

use std::borrow::Cow;

/// Unicode of the bytes 0x80..=0x9F in Windows-1252; the five that it leaves open stay control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text between the quotes of a literal, with `''` and the backslash directives resolved.
pub(crate) fn decode(raw: &[u8]) -> String {
    let text = unicode(raw);
    let text = if needs_joining(&text) { Cow::Owned(joined(&text)) } else { text };
    let text = if text.contains("''") { Cow::Owned(text.replace("''", "'")) } else { text };
    ifc_lite_core::decode_ifc_string(&text).into_owned()
}

/// Whether a directive may be broken by a line's end, or hold nothing.
fn needs_joining(text: &str) -> bool {
    text.contains('\\') && (text.contains(char::is_control) || text.contains("\\X2\\\\") || text.contains("\\X4\\\\"))
}

/// The text with each directive in one piece: exporters wrap long lines wherever they are, and the standard reads over
/// control characters. A run without letters goes.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (whole, behind) = directive(&rest[at..]).unwrap_or_else(|| ("\\".to_owned(), &rest[at + 1..]));
        out.push_str(&whole);
        rest = behind;
    }
    out + rest
}

/// The directive that a text begins with, without control characters, and what stands behind it.
fn directive(text: &str) -> Option<(String, &str)> {
    let (head, behind) = letters(text, 2)?;
    match head.as_str() {
        r"\\" => Some((head, behind)),
        r"\S" => letters(text, 4).filter(|(whole, _)| whole.starts_with(r"\S\")),
        r"\P" => letters(text, 4).filter(|(whole, _)| whole.ends_with('\\')),
        r"\X" => {
            let (head, behind) = letters(text, 4)?;
            if head == r"\X2\" || head == r"\X4\" { run(head, behind) } else { letters(text, 5) }
        }
        _ => None,
    }
}

/// The hexadecimal digits of a run up to `\X0\`, behind its head; nothing at all where there are none.
fn run(head: String, text: &str) -> Option<(String, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_hexdigit() && !letter.is_control())?;
    let digits: String = text[..end].chars().filter(char::is_ascii_hexdigit).collect();
    let (end, behind) = letters(&text[end..], 4).filter(|(end, _)| end == r"\X0\")?;
    Some((if digits.is_empty() { String::new() } else { head + &digits + &end }, behind))
}

/// So many first characters that are no control characters, and what stands behind them.
fn letters(text: &str, count: usize) -> Option<(String, &str)> {
    let shown = || text.char_indices().filter(|(_, letter)| !letter.is_control());
    let (at, last) = shown().nth(count - 1)?;
    Some((shown().take(count).map(|(_, letter)| letter).collect(), &text[at + last.len_utf8()..]))
}

/// Any bytes as text: UTF-8, else Windows-1252.
pub(crate) fn unicode(raw: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(raw) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(raw.iter().map(|byte| windows_1252(*byte)).collect()),
    }
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A literal with its quotes, ASCII only.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let plain = first == ' ' || first.is_ascii_graphic();
        let run = rest.find(|next: char| plain != (next == ' ' || next.is_ascii_graphic())).unwrap_or(rest.len());
        let (run, after) = rest.split_at(run);
        if plain {
            out.push_str(&run.replace('\\', "\\\\").replace('\'', "''"));
        } else if run.chars().all(|character| u32::from(character) <= 0xFFFF) {
            out.push_str("\\X2\\");
            out.extend(run.encode_utf16().map(|unit| format!("{unit:04X}")));
            out.push_str("\\X0\\");
        } else {
            out.push_str("\\X4\\");
            out.extend(run.chars().map(|character| format!("{:08X}", u32::from(character))));
            out.push_str("\\X0\\");
        }
        rest = after;
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_directive_and_the_fall_back() {
        let cases: &[(&[u8], &str)] = &[
            (br"K\X2\00E4\X0\llare", "Källare"),
            (br"\X4\0001F600\X0\", "😀"),
            (br"\X\E9t\X\E9", "été"),
            (br"\S\d", "ä"),
            (br"\PE\\S\P", "а"),
            ("Källare".as_bytes(), "Källare"),
            (b"K\xe4llare \x96 \x80", "Källare – €"),
            (b"it''s a \\\\ sign", r"it's a \ sign"),
            (br"\X2\zz\X0\", r"\X2\zz\X0\"),
            (br"a\X2\\X0\b\X4\\X0\c", "abc"),
            (b"K\\X2\\00\r\nE4\\X0\\llare", "Källare"),
            (b"K\\X2\\00E4\r\n00E5\\X0\\\nllare", "Käå\nllare"),
            (b"K\\X\n2\\00E4\\X\r\n0\\llare", "Källare"),
            (b"\\X\\\nE9t\\\nS\\d", "étä"),
            (b"a\\X2\\\n\\X0\\b", "ab"),
            (b"two\nlines \\X2\\00E4", "two\nlines \\X2\\00E4"),
            (b"C:\\\\X2\\\\\nnew", "C:\\X2\\\nnew"),
        ];
        for (raw, expected) in cases {
            assert_eq!(decode(raw), *expected);
        }
    }

    proptest! {
        #[test]
        fn decode_undoes_encode(text in any::<String>()) {
            let literal = encode(&text);
            prop_assert!(literal.is_ascii());
            prop_assert_eq!(decode(&literal.as_bytes()[1..literal.len() - 1]), text);
        }
    }
}
