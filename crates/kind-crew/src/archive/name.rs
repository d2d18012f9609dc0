//! What a package and its file are called.

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use serde_json::Value;

use crate::dialect::package::written;
use crate::documents::{json, text};
use crate::limits::MAX_FILE_NAME_CHARS;
use crate::policy::MANIFEST;

/// A package without a name.
const UNTITLED: &str = "Untitled";
/// Characters that no file name has everywhere.
const REFUSED: &str = "\\/:*?\"<>|";

/// The name of an exported file: runs of refused characters become `-`, blanks one space. What turns the direction of a
/// name goes: its ending would look like another one.
pub fn file_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut in_run = false;
    for letter in name.chars() {
        let is_refused = REFUSED.contains(letter);
        match letter {
            _ if is_refused && in_run => {}
            _ if is_refused => plain.push('-'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ if !letter.is_whitespace() && !letter.is_control() => plain.push(letter),
            _ if !plain.ends_with(' ') => plain.push(' '),
            _ => {}
        }
        in_run = is_refused;
    }
    let short: String = plain.trim().chars().take(MAX_FILE_NAME_CHARS).collect();
    let short = short.trim_end_matches([' ', '.']);
    format!("{}.bmad", if short.is_empty() { UNTITLED } else { short })
}

/// The files with the name that somebody gave, and the name; the manifest's own where nobody did.
pub fn given(mut files: Files, wanted: Option<&str>) -> Result<(Files, String), ApiError> {
    let Some(Ok(document)) = files.get(MANIFEST).map(|text| json::read(text)).transpose()? else {
        return Ok((files, UNTITLED.to_owned()));
    };
    let mut manifest = document.value;
    let own = Some(text(&manifest, "name").trim()).filter(|name| !name.is_empty());
    let wanted = wanted.map(str::trim).filter(|name| !name.is_empty());
    let name = wanted.or(own).unwrap_or(UNTITLED).to_owned();
    if own != Some(&name) {
        manifest["name"] = Value::from(name.as_str());
        files.insert(MANIFEST.to_owned(), written(&manifest));
    }
    Ok((files, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let long = format!("{}.", "å".repeat(119));
        let cases = [
            ("Claims desk", "Claims desk"),
            ("a/b\\c:*?d", "a-b-c-d"),
            ("a - / b", "a - - b"),
            ("<<\"x\">>", "-x-"),
            ("  a \t\n b  ", "a b"),
            ("v1.0...", "v1.0"),
            ("v1. .", "v1"),
            ("...", "Untitled"),
            ("", "Untitled"),
            (" \u{2003}", "Untitled"),
            ("a\u{0}b\r\nc", "a b c"),
            ("理赔／北", "理赔／北"),
            ("a\u{202e}fdp\u{2066}.exe", "afdp.exe"),
            (&"å".repeat(130), &"å".repeat(120)),
            (&format!("{long}{long}"), &"å".repeat(119)),
        ];
        for (name, want) in cases {
            assert_eq!(file_name(name), format!("{want}.bmad"), "{name:?}");
        }
    }
}
