//! The line that names a file's encoding (PEP 263): one that Python does not know keeps it from reading the file.

use ruff_text_size::{TextRange, TextSize};

/// Encodings whose names go on with a number or a region.
const FAMILIES: [&str; 13] =
    ["iso8859", "cp", "windows", "latin", "mac", "koi8", "big5", "gb", "euc", "shiftjis", "sjis", "iso2022", "ibm"];
/// All others, and usual names of theirs.
const NAMES: [&str; 26] = [
    "utf7", "big5", "shiftjis", "sjis", "ascii", "usascii", "646", "u8", "l1", "l2", "l9", "johab", "hz", "hzgb2312",
    "tis620", "ptcp154", "kz1048", "rk1048", "palmos", "hkscs", "cyrillic", "greek", "hebrew", "arabic", "korean",
    "chinese",
];
const MARK: char = '\u{feff}';

/// What is wrong with the encoding that a file names.
pub fn fault(text: &str) -> Option<(TextRange, String)> {
    let (name, at) = named(text)?;
    let plain = plain(name);
    let is_utf8 = matches!(plain.as_str(), "utf8" | "u8" | "utf8sig");
    let range = |from: usize, to: usize| {
        let size = |at: usize| TextSize::try_from(at).unwrap_or_default();
        TextRange::new(size(from), size(to.max(from)))
    };
    let whole = range(at, at + name.len());
    if text.starts_with(MARK) && !is_utf8 {
        return Some((whole, format!("encoding problem: {name} with BOM")));
    }
    let has_number = |family: &&str| {
        let rest = plain.strip_prefix(*family).unwrap_or_default();
        rest.contains(|c: char| c.is_ascii_digit())
            || matches!(
                rest,
                "roman" | "greek" | "cyrillic" | "turkish" | "jp" | "kr" | "k" | "hkscs" | "r" | "u" | "t"
            )
    };
    let is_known = is_utf8 || NAMES.contains(&plain.as_str()) || FAMILIES.iter().any(has_number);
    if !is_known {
        return Some((whole, format!("unknown encoding: {name}")));
    }
    let is_ascii = matches!(plain.as_str(), "ascii" | "usascii" | "646");
    let foreign = text.char_indices().find(|(_, c)| !c.is_ascii()).filter(|_| is_ascii)?;
    Some((range(foreign.0, foreign.0), "'ascii' codec can't decode what stands here".to_owned()))
}

/// The name, in the first two lines, and where it stands; a line in front of it may only be a comment or blank.
fn named(text: &str) -> Option<(&str, usize)> {
    let mut at = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    for _ in 0..2 {
        let end = text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end + 1);
        let end = if text[..end].ends_with('\r') && text[end..].starts_with('\n') { end + 1 } else { end };
        let line = &text[at..end];
        let rest = line.trim_start_matches([' ', '\t', '\u{c}']).trim_end_matches(['\n', '\r']);
        if !rest.is_empty() && !rest.starts_with('#') {
            return None;
        }
        let mut from = 0;
        while let Some(found) = rest[from..].find("coding") {
            from += found + "coding".len();
            let Some(behind) = rest[from..].strip_prefix([':', '=']) else { continue };
            let behind = behind.trim_start_matches([' ', '\t']);
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            let name = &behind[..behind.find(|c| !is_part(c)).unwrap_or(behind.len())];
            if !name.is_empty() {
                return Some((name, at + line.trim_end_matches(['\n', '\r']).len() - behind.len()));
            }
        }
        at = end;
    }
    None
}

/// A name as Python compares it.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn names() {
        let known =
            ["utf-8", "UTF8", "utf_8_sig", "latin-1", "iso-8859-15", "cp1252", "windows-1252", "euc-jp", "shift_jis"];
        for name in known {
            for line in [
                "# -*- coding: NAME -*-\n",
                "#!/bin/x\n# coding=NAME\n",
                "\n#coding:NAME",
                "#\r\n# vim: fileencoding=NAME :",
            ] {
                assert_eq!(fault(&line.replace("NAME", name)), None, "{line} {name}");
            }
        }
        let cases = [
            ("# coding: nonsense\n", Some(10)),
            ("#!x\r\n# coding: nonsense\r\n", Some(15)),
            ("# coding: ascii\nx = 'å'\n", Some(21)),
            ("\u{feff}# coding: latin-1\n", Some(13)),
            ("\u{feff}# coding: utf-8\n", None),
            ("x = 1\n# coding: nonsense\n", None),
            ("#\n#\n# coding: nonsense\n", None),
            ("# coding nonsense\n", None),
            ("# my encoding: is good\n", Some(15)),
            ("x = '# coding: nonsense'\n", None),
        ];
        for (text, at) in cases {
            assert_eq!(fault(text).map(|(range, _)| range.start().to_u32()), at, "{text}");
        }
    }
}
