//! JSON files that the bundler or the compiler reads (spec: vite-app.md §4 "Parsing").

use holdpoint_check::json::{Document, read};
use holdpoint_check::{Diagnostic, LineIndex, args, codes};

use crate::limits::MAX_SYNTAX_DEPTH;

codes! {
    /// a JSON file that does not parse
    JSON_INVALID: Error, "Correct the JSON: {what}" [what];
}

/// How a file is read; `None` for one that nobody reads as JSON.
pub fn is_read(path: &str) -> Option<Json> {
    let is_config =
        (path.starts_with("tsconfig") && path.ends_with(".json") && !path.contains('/')) || path == "jsconfig.json";
    if is_config {
        return Some(Json::Commented);
    }
    (path.starts_with("src/") && path.ends_with(".json")).then_some(Json::Strict)
}

/// What is taken beside strict JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Json {
    Strict,
    /// JSON with comments and trailing commas.
    Commented,
}

pub fn check(path: &str, text: &str, json: Json) -> Option<Diagnostic> {
    let blanked;
    let read_text = match json {
        Json::Strict => text,
        Json::Commented => {
            blanked = without_comments(text);
            &blanked
        }
    };
    read(read_text, MAX_SYNTAX_DEPTH).err().map(|fault| {
        let finding = Diagnostic::of(&JSON_INVALID, args! { what: fault.message }).in_file(path);
        match fault.range {
            // Blanks have the length of what they stand for in bytes, not in columns.
            Some(range) => {
                let (blank, own) = (LineIndex::new(read_text), LineIndex::new(text));
                finding.at(own.range(blank.offset(range.start), blank.offset(range.end)))
            }
            None => finding,
        }
    })
}

/// A commented file as a document, where it is one.
pub fn commented(text: &str) -> Option<serde_json::Value> {
    let text = without_comments(text);
    read(&text, MAX_SYNTAX_DEPTH).ok().map(|Document { value, .. }| value)
}

/// The text with blanks for comments and for commas in front of a closing bracket; lines stay lines.
fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut at, mut comma, mut last) = (0, None, b'[');
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                comma = None;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while bytes.get(at).is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
                    bytes[at] = b' ';
                    at += 1;
                }
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/").map_or(bytes.len(), |length| at + 2 + length + 2);
                let inside = &mut bytes[at..end];
                inside.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
                at = end;
                continue;
            }
            b',' => comma = (!b"[{,:".contains(&last)).then_some(at),
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    bytes[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => comma = None,
        }
        last = byte;
        at += 1;
    }
    // Only whole characters were made blank.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_commas_of_configuration() {
        let text = "\u{feff}{ // é\n \"a\": [1, 2,], /* b, */ \"c\": \"//,}\",\n}";
        assert!(check("tsconfig.json", text, Json::Commented).is_none());
        assert!(check("src/a.json", text, Json::Strict).is_some());
        for wrong in ["{,}", "[1,,2]", "{\"a\": 1 \"b\"}", "/* open", "{} x"] {
            let found = check("tsconfig.json", wrong, Json::Commented);
            assert_eq!(found.map(|one| one.code), Some("JSON_INVALID".into()), "{wrong}");
        }
    }
}
