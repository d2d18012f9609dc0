//! What a line means outside the body of a hunk (spec: text-engine.md §5 "Syntax").

use crate::tags::{Tag, Tags};
use crate::transport::{RawLine, is_blank_char};

/// Three or more backticks or tildes, after optional blanks.
pub(crate) fn is_fence(line: &str) -> bool {
    let line = line.trim_start_matches(is_blank_char);
    line.starts_with("```") || line.starts_with("~~~")
}

/// A line of the `*** Begin Patch` envelope.
pub(crate) fn is_envelope(line: &str) -> bool {
    let frame = ["*** Begin Patch", "*** End Patch", "*** End of File"];
    frame.contains(&line.trim_end()) || envelope_file(line).is_some()
}

/// What an envelope does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnvelopeFile {
    Update,
    Add,
    Delete,
    Move,
}

/// The envelope lines that name a file.
pub(crate) fn envelope_file(line: &str) -> Option<(EnvelopeFile, &str)> {
    let kinds = [
        ("*** Update File: ", EnvelopeFile::Update),
        ("*** Add File: ", EnvelopeFile::Add),
        ("*** Delete File: ", EnvelopeFile::Delete),
        ("*** Move to: ", EnvelopeFile::Move),
    ];
    kinds.into_iter().find_map(|(lead, kind)| Some((kind, line.strip_prefix(lead)?)))
}

/// A line that git writes about a file beside its paths.
pub(crate) fn is_metadata(line: &str) -> bool {
    const LEADS: [&str; 10] = [
        "old mode ",
        "new mode ",
        "new file mode ",
        "deleted file mode ",
        "similarity index ",
        "dissimilarity index ",
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
    ];
    LEADS.iter().any(|lead| line.starts_with(lead)) || is_index(line)
}

/// `index HEX..HEX`, with or without a mode.
fn is_index(line: &str) -> bool {
    let Some((old, new)) = line.strip_prefix("index ").and_then(|rest| rest.split_once("..")) else { return false };
    let new = new.split(' ').next().unwrap_or(new).trim_end();
    let hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b',');
    hex(old) && hex(new)
}

/// `-`, `+` or `*`, one blank, then a letter, digit or one of ``_ ` " ' * (``.
pub(crate) fn is_bullet(line: &str) -> bool {
    let mut characters = line.chars();
    matches!(characters.next(), Some('-' | '+' | '*'))
        && characters.next() == Some(' ')
        && characters.next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '`' | '"' | '\'' | '*' | '('))
}

/// Two or more characters, all `-` or `+`.
pub(crate) fn is_rule(line: &str) -> bool {
    line.len() >= 2 && line.bytes().all(|byte| matches!(byte, b'-' | b'+'))
}

/// `--` or `-- `: what follows is the signature of a mail.
pub(crate) fn is_signature(line: &str) -> bool {
    matches!(line, "--" | "-- ")
}

/// Only blanks and tabs, or nothing.
pub(crate) fn is_blank(line: &str) -> bool {
    line.chars().all(is_blank_char)
}

/// A line of syntax loses its CR.
pub(crate) fn drop_cr(line: &RawLine, tags: &mut Tags) {
    if line.cr {
        tags.insert(Tag::NormalizedLineEndings);
    }
}

/// The tag of a line that belongs to no hunk and no header.
pub(crate) fn tag_outside(line: &str, tags: &mut Tags) {
    let tag = if is_blank(line) {
        return;
    } else if is_fence(line) {
        Tag::StrippedCodeFences
    } else if is_envelope(line) {
        Tag::StrippedPatchWrappers
    } else if is_metadata(line) {
        Tag::IgnoredGitMetadata
    } else if looks_like_change(line) && !is_bullet(line) {
        Tag::DroppedDiffLikeText
    } else {
        Tag::DroppedTextOutsideHunks
    };
    tags.insert(tag);
}

/// Begins with a marker of change and is neither a rule nor the rest of a file header.
pub(crate) fn looks_like_change(line: &str) -> bool {
    line.starts_with(['+', '-']) && !is_rule(line) && !line.starts_with("--- ") && !line.starts_with("+++ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_and_how() {
        let cases = [
            ("```diff", Some(Tag::StrippedCodeFences)),
            ("  ~~~", Some(Tag::StrippedCodeFences)),
            ("*** End Patch", Some(Tag::StrippedPatchWrappers)),
            ("index 0a1b..2c3d 100644", Some(Tag::IgnoredGitMetadata)),
            ("index of things..", Some(Tag::DroppedTextOutsideHunks)),
            ("- a bullet", Some(Tag::DroppedTextOutsideHunks)),
            ("-gone", Some(Tag::DroppedDiffLikeText)),
            ("+  come", Some(Tag::DroppedDiffLikeText)),
            ("----", Some(Tag::DroppedTextOutsideHunks)),
            ("--- a/x", Some(Tag::DroppedTextOutsideHunks)),
            ("Here you are:", Some(Tag::DroppedTextOutsideHunks)),
            (" \t", None),
        ];
        for (line, want) in cases {
            let mut tags = Tags::new();
            tag_outside(line, &mut tags);
            assert_eq!(tags.first().copied(), want, "{line:?}");
        }
    }
}
