//! Normal paths (spec: vite-app.md §2, `normalise`).
//!
//! Raw text becomes a [`BundlePath`] here and nowhere else; the first fault in the order of the spec is the only one.

use std::fmt;

use holdpoint_check::{Code, codes};
use holdpoint_text::nfc;

/// How long a path may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathLimits {
    /// UTF-8 bytes of the normal path.
    pub bytes: usize,
    /// Segments of the normal path.
    pub segments: usize,
}

/// A normal path: relative, forward slashes, NFC, no empty, `.` or `..` segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BundlePath(String);

impl BundlePath {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The segments from the root down; at least one.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

codes! {
    /// a path without a name
    PATH_EMPTY: Error, "Give the file a name.";
    /// a path from a root, a drive or a home
    PATH_ABSOLUTE: Error, "Write the path relative to the bundle's root, without a leading slash, drive or `~`.";
    /// a path with `..` in it
    PATH_TRAVERSAL: Error, "Leave out `..`: a path names its folders from the bundle's root.";
    /// a path that ends with a slash
    PATH_IS_DIRECTORY: Error, "Name a file, not a folder: leave out the last slash.";
    /// it has a character outside A-Za-z0-9._-
    PATH_FORBIDDEN_CHAR: Error, "Leave out characters that are invisible, reserved or percent-encoded separators.";
    /// a segment with a blank at an edge or a dot at its end
    PATH_SEGMENT_EDGE: Error, "A folder or file name must not begin or end with a blank nor end with a dot.";
    /// a part is a device name
    PATH_RESERVED_NAME: Error, "Choose another name: this one is a device on Windows.";
    /// it is over MAX_PATH_BYTES or MAX_PATH_SEGMENTS
    PATH_TOO_LONG: Error, "Shorten the path: fewer folders or shorter names.";
    /// a path that normalising would change
    PATH_NOT_NORMAL: Error, "Write the path in its normal form.";
    /// files of keys, tokens or environments
    PATH_SECRET_FILE: Error, "Keep keys, tokens and environment files out of the bundle.";
    /// dependencies, build output, repository data
    PATH_BLOCKED_DIR: Error, "Keep build output, dependencies and repository data out of the bundle.";
    /// a segment that begins with a dot
    PATH_HIDDEN: Error, "Leave out hidden files and folders.";
    /// outside the places of the kind
    PATH_NOT_ALLOWED: Error, "Put the file where this kind of bundle expects it.";
    /// another ending than the folder takes
    PATH_EXTENSION_NOT_ALLOWED: Error, "Use an ending that this folder takes.";
}

/// Why a path is not taken. The text says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.code().says)]
pub enum PathError {
    Empty,
    Absolute,
    Traversal,
    IsDirectory,
    ForbiddenChar,
    SegmentEdge,
    ReservedName,
    TooLong,
    NotNormal,
    SecretFile,
    BlockedDir,
    Hidden,
    NotAllowed,
    ExtensionNotAllowed,
}

impl PathError {
    /// Its code; how severe it is, a kind may say otherwise.
    pub fn code(self) -> &'static Code {
        match self {
            Self::Empty => &PATH_EMPTY,
            Self::Absolute => &PATH_ABSOLUTE,
            Self::Traversal => &PATH_TRAVERSAL,
            Self::IsDirectory => &PATH_IS_DIRECTORY,
            Self::ForbiddenChar => &PATH_FORBIDDEN_CHAR,
            Self::SegmentEdge => &PATH_SEGMENT_EDGE,
            Self::ReservedName => &PATH_RESERVED_NAME,
            Self::TooLong => &PATH_TOO_LONG,
            Self::NotNormal => &PATH_NOT_NORMAL,
            Self::SecretFile => &PATH_SECRET_FILE,
            Self::BlockedDir => &PATH_BLOCKED_DIR,
            Self::Hidden => &PATH_HIDDEN,
            Self::NotAllowed => &PATH_NOT_ALLOWED,
            Self::ExtensionNotAllowed => &PATH_EXTENSION_NOT_ALLOWED,
        }
    }
}

/// The normal form of a raw path, or its first fault in the order of the spec.
pub fn normalise(raw: &str, limits: PathLimits) -> Result<BundlePath, PathError> {
    let slashed = raw.replace('\\', "/");
    let trimmed = slashed.trim_matches([' ', '\t', '\r', '\n']);
    if trimmed.is_empty() {
        return Err(PathError::Empty);
    }
    if is_absolute(trimmed) {
        return Err(PathError::Absolute);
    }
    if trimmed.split('/').any(|segment| segment == "..") {
        return Err(PathError::Traversal);
    }
    if trimmed.ends_with('/') {
        return Err(PathError::IsDirectory);
    }
    let composed = nfc(trimmed);
    let segments: Vec<&str> = composed.split('/').filter(|segment| !segment.is_empty() && *segment != ".").collect();
    if segments.is_empty() {
        return Err(PathError::Empty);
    }
    let path = segments.join("/");
    if path.chars().any(is_forbidden) || has_encoded_separator(&path) {
        return Err(PathError::ForbiddenChar);
    }
    if segments.iter().any(|segment| segment.starts_with(' ') || segment.ends_with([' ', '.'])) {
        return Err(PathError::SegmentEdge);
    }
    if segments.iter().any(|segment| is_device(segment)) {
        return Err(PathError::ReservedName);
    }
    if path.len() > limits.bytes || segments.len() > limits.segments {
        return Err(PathError::TooLong);
    }
    Ok(BundlePath(path))
}

fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    path.starts_with('/') || drive || path == "~" || path.starts_with("~/")
}

fn is_forbidden(character: char) -> bool {
    matches!(
        character,
        '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '<' | '>' | ':' | '"' | '|' | '?' | '*'
    )
}

fn has_encoded_separator(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["%2e", "%2f", "%5c"].iter().any(|encoded| lower.contains(encoded))
}

fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).to_ascii_lowercase();
    matches!(
        stem.as_bytes(),
        b"con" | b"prn" | b"aux" | b"nul" | [b'c', b'o', b'm', b'1'..=b'9'] | [b'l', b'p', b't', b'1'..=b'9']
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMITS: PathLimits = PathLimits { bytes: 20, segments: 3 };

    #[test]
    fn the_first_fault_in_order() {
        let cases = [
            ("src/a.js", Ok("src/a.js")),
            (" src\\a.js\n", Ok("src/a.js")),
            ("./a//b", Ok("a/b")),
            ("a\u{308}", Ok("ä")),
            (" \t", Err("PATH_EMPTY")),
            ("./.", Err("PATH_EMPTY")),
            ("/a", Err("PATH_ABSOLUTE")),
            ("\\a", Err("PATH_ABSOLUTE")),
            ("c:a", Err("PATH_ABSOLUTE")),
            ("~/a", Err("PATH_ABSOLUTE")),
            ("~", Err("PATH_ABSOLUTE")),
            ("a/../b", Err("PATH_TRAVERSAL")),
            ("../", Err("PATH_TRAVERSAL")),
            ("a/", Err("PATH_IS_DIRECTORY")),
            ("a\u{202e}b", Err("PATH_FORBIDDEN_CHAR")),
            ("a%2Eb", Err("PATH_FORBIDDEN_CHAR")),
            ("a?/b.", Err("PATH_FORBIDDEN_CHAR")),
            ("a /b", Err("PATH_SEGMENT_EDGE")),
            ("a./b", Err("PATH_SEGMENT_EDGE")),
            ("src/Com1.js", Err("PATH_RESERVED_NAME")),
            ("com0.js", Ok("com0.js")),
            ("a/b/c/d", Err("PATH_TOO_LONG")),
            ("aaaaaaaaaaaaaaaaaaaaa", Err("PATH_TOO_LONG")),
        ];
        for (raw, want) in cases {
            let have = normalise(raw, LIMITS);
            let have = have.as_ref().map(BundlePath::as_str).map_err(|fault| fault.code().name);
            assert_eq!(have, want, "{raw:?}");
        }
    }

    proptest! {
        #[test]
        fn normal_paths_stay(raw in "\\PC{0,40}") {
            if let Ok(path) = normalise(&raw, PathLimits { bytes: 400, segments: 40 }) {
                prop_assert_eq!(normalise(path.as_str(), PathLimits { bytes: 400, segments: 40 }), Ok(path.clone()));
                prop_assert!(path.segments().all(|segment| !segment.is_empty() && segment != ".."));
            }
        }
    }
}
