//! Limits of a bundle (spec: ifc-extension.md §1). Those of the code stand with the code analysis.

/// Files in a bundle (`LIMIT_FILES`).
pub const MAX_FILES: usize = 256;
/// Bytes of one file (`LIMIT_FILE_BYTES`).
pub const MAX_FILE_BYTES: usize = 262_144;
/// Bytes of all files (`LIMIT_BUNDLE_BYTES`).
pub const MAX_BUNDLE_BYTES: usize = 2_097_152;
/// It counts the bytes of `manifest.json` (`LIMIT_FILE_BYTES`).
pub const MAX_MANIFEST_BYTES: usize = 65_536;
/// It counts the bytes of `icon.svg` (`LIMIT_FILE_BYTES`).
pub const MAX_ICON_BYTES: usize = 8_192;
/// Bytes of a path (`PATH_TOO_LONG`).
pub const MAX_PATH_BYTES: usize = 200;
/// Segments of a path (`PATH_TOO_LONG`).
pub const MAX_PATH_SEGMENTS: usize = 8;
/// Arrays and objects open at once in a JSON file (`INVALID_JSON`).
pub const MAX_JSON_DEPTH: usize = 100;
/// Levels of nodes in a widget file (`WIDGET_TOO_LARGE`).
pub const MAX_WIDGET_DEPTH: usize = 32;
/// Nodes in a widget file (`WIDGET_TOO_LARGE`).
pub const MAX_WIDGET_NODES: usize = 500;
/// Findings of one check (then `DIAGNOSTICS_TRUNCATED`).
pub const MAX_DIAGNOSTICS: usize = 200;
/// Characters of a `when` condition.
pub const MAX_WHEN_CHARS: usize = 500;
/// Levels of a `when` condition.
pub const MAX_WHEN_DEPTH: usize = 32;
/// `MAX_CAPABILITIES`; the schema of the manifest refuses more.
pub const MAX_CAPABILITIES: usize = 64;
