//! Limits of a package (spec: crew-package.md §2).

/// Files in a package (`INPUT_TOO_LARGE`).
pub const MAX_FILES: usize = 2_000;
/// Bytes of all files (`INPUT_TOO_LARGE`).
pub const MAX_BUNDLE_BYTES: usize = 16 << 20;
/// Bytes of one document (`INPUT_TOO_LARGE`).
pub const MAX_DOCUMENT_BYTES: usize = 1 << 20;
/// Nodes of a graph (`INPUT_TOO_LARGE`).
pub const MAX_NODES: usize = 1_000;
/// Edges of a graph (`INPUT_TOO_LARGE`).
pub const MAX_EDGES: usize = 5_000;
/// Arrays and objects open at once in JSON (`INPUT_TOO_LARGE`).
pub const MAX_JSON_DEPTH: usize = 64;
/// Values in a JSON document (`INPUT_TOO_LARGE`). The largest graph that its limits allow has fewer; a list of half a
/// million nothings would be told one by one.
pub const MAX_JSON_VALUES: usize = 100_000;
/// Bytes between the markers of a frontmatter (`INPUT_TOO_LARGE`).
pub const MAX_FRONTMATTER_BYTES: usize = 65_536;
/// Lists and mappings open at once in YAML (`INPUT_TOO_LARGE`).
pub const MAX_YAML_DEPTH: usize = 32;
/// Bytes of one asset (`ASSET_TOO_LARGE`); a host may lower it.
pub const MAX_ASSET_BYTES: usize = 262_144;
/// Bytes of all assets (`ASSET_TOTAL_EXCEEDED`); a host may lower it.
pub const MAX_ASSETS_BYTES: usize = 2_097_152;
/// Assets (`ASSET_COUNT_EXCEEDED`); a host may lower it.
pub const MAX_ASSETS: usize = 200;
/// Bytes of a path (`PKG_PATH_INVALID`).
pub const MAX_PATH_BYTES: usize = 1_024;
/// Characters of an agent's name or title (`AGENT_FIELD_LONG`).
pub const MAX_NAME_CHARS: usize = 100;
/// Characters of an agent's icon (`AGENT_FIELD_LONG`).
pub const MAX_ICON_CHARS: usize = 20;
/// Characters of an agent's role or way to talk (`AGENT_FIELD_LONG`).
pub const MAX_ROLE_CHARS: usize = 200;
/// Findings that one rule makes of one document, and that one check shows (then `DIAGNOSTICS_TRUNCATED`): a list of half
/// a million faults is told by its first ones.
pub const MAX_DIAGNOSTICS: usize = 2_000;
/// Workflows that may have a file of one that the manifest lists before them, where files are looked at by workflow; of more
/// the first of each file counts.
pub const MAX_SHARED: usize = 8;
/// Agents that are looked through for a hint.
pub const MAX_LOOKED_THROUGH: usize = 100;
/// A workflow's number from outside: numbers behind it are whole in every reader of JSON too, and never run out.
pub const MAX_WORKFLOW_ID: u64 = 1 << 52;
/// Bytes of an archive (`PKG_TOO_LARGE`).
pub const MAX_ZIP_BYTES: usize = 50 << 20;
/// Bytes of all files of an archive (`PKG_TOO_LARGE`).
pub const MAX_UNZIPPED_BYTES: usize = 100 << 20;
/// Files and folders of an archive (`PKG_TOO_LARGE`).
pub const MAX_ZIP_ENTRIES: usize = 5_000;
/// Characters of the name of an exported file, without its ending.
pub const MAX_FILE_NAME_CHARS: usize = 120;
