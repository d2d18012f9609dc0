//! The five virtual files (spec: script-tool.md §1).
//!
//! Owns their names, order and limits. Invariant: the set is closed; wherever the files are listed for a person or a
//! model, they come in the order of [`VirtualFile::ALL`].

use std::fmt;

use holdpoint_bundle::{FilePolicy, Files, PathLimits, text_hash};
use serde::{Deserialize, Serialize};

use super::limits::{MAX_ENTRYPOINT_BYTES, MAX_SCHEMA_BYTES, MAX_TOOL_BYTES, MAX_USAGE_BYTES};

/// One of the five files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum VirtualFile {
    #[serde(rename = "tool.py")]
    Tool,
    /// The name of one function.
    #[serde(rename = "entrypoint.txt")]
    Entrypoint,
    /// JSON Schema of the settings, or empty.
    #[serde(rename = "settings_schema.json")]
    SettingsSchema,
    /// JSON Schema of the input, or empty.
    #[serde(rename = "input_schema.json")]
    InputSchema,
    #[serde(rename = "usage_instructions.md")]
    Usage,
}

impl VirtualFile {
    /// All five in canonical order.
    pub const ALL: [Self; 5] = [Self::Tool, Self::Entrypoint, Self::SettingsSchema, Self::InputSchema, Self::Usage];

    pub const fn id(self) -> &'static str {
        match self {
            Self::Tool => "tool.py",
            Self::Entrypoint => "entrypoint.txt",
            Self::SettingsSchema => "settings_schema.json",
            Self::InputSchema => "input_schema.json",
            Self::Usage => "usage_instructions.md",
        }
    }

    /// The file of a path; letter case counts.
    pub fn parse(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.id() == path)
    }

    /// Bytes that it may have.
    pub const fn limit(self) -> usize {
        match self {
            Self::Tool => MAX_TOOL_BYTES,
            Self::Entrypoint => MAX_ENTRYPOINT_BYTES,
            Self::SettingsSchema | Self::InputSchema => MAX_SCHEMA_BYTES,
            Self::Usage => MAX_USAGE_BYTES,
        }
    }
}

/// The places of this kind: the five files, at the root.
pub const POLICY: FilePolicy = FilePolicy {
    limits: PathLimits { bytes: MAX_PATH_BYTES, segments: 1 },
    root_files: &["tool.py", "entrypoint.txt", "settings_schema.json", "input_schema.json", "usage_instructions.md"],
    places: &[],
};
/// Longer than any of the five.
const MAX_PATH_BYTES: usize = 32;

impl fmt::Display for VirtualFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

/// `base_fingerprints` (spec §6): for each file `sha256:` and the hex digest of its exact UTF-8 bytes.
pub fn fingerprints(files: &Files) -> Files {
    files.iter().map(|(path, text)| (path.clone(), text_hash(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_what_the_wire_says() {
        for file in VirtualFile::ALL {
            assert_eq!(serde_json::to_value(file).unwrap(), file.id());
            assert_eq!(VirtualFile::parse(file.id()), Some(file));
        }
        assert_eq!(VirtualFile::parse("Tool.py"), None);
    }

    #[test]
    fn a_fingerprint_is_the_plain_digest() {
        let files = Files::from([("tool.py".to_owned(), "abc".to_owned())]);
        let want = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(fingerprints(&files)["tool.py"], want);
    }
}
