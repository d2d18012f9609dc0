//! Where the files of a package lie, and what a path may be (spec: crew-package.md §1, §2).
//!
//! Owns the words for places; knows nothing of what stands in the files. Paths are judged as given: nothing is repaired.

use holdpoint_bundle::{FilePolicy, PathLimits};

use super::limits::MAX_PATH_BYTES;

pub const MANIFEST: &str = "bmad.json";
/// Where the agents stand when no manifest says so.
pub const AGENTS: &str = "agents.json";
/// The folder of the assets.
pub const ASSETS: &str = "assets/";
/// The folder of products of a run, which lie outside the package.
pub const ARTIFACTS: &str = "artifacts/";
/// How a tool call names the package and the project.
pub const MOUNTS: [&str; 2] = [PACKAGE, "@project/"];
/// How a tool call names the package.
pub const PACKAGE: &str = "@pkg/";
/// How the text of a binary asset begins.
pub const BINARY: &str = "base64:";
/// The endings of text assets; a host may add others.
pub const ASSET_ENDINGS: [&str; 5] = [".md", ".txt", ".json", ".yaml", ".yml"];

/// What the engine knows of places. Which file belongs to a package is said by its manifest, not by a list of folders,
/// so [`check`](super::check) judges paths itself.
pub const POLICY: FilePolicy = FilePolicy {
    limits: PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_BYTES / 2 },
    root_files: &[MANIFEST, AGENTS, "workflow.md", "workflow.graph.json"],
    places: &[],
};

/// Whether a path stays inside the package and means the same everywhere.
pub fn is_safe(path: &str) -> bool {
    let bytes = path.as_bytes();
    let plain = |byte: &u8| !matches!(byte, b'\\' | 0..=0x1f | 0x7f);
    let drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    bytes.len() <= MAX_PATH_BYTES
        && !drive
        && bytes.iter().all(plain)
        && path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

/// Whether a character may stand in the path of an asset.
pub fn is_asset_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'/' | b'-')
}

/// Whether a path is one of an asset, whatever its ending.
pub fn is_asset_path(path: &str) -> bool {
    path.starts_with(ASSETS) && path.bytes().all(is_asset_byte) && is_safe(path)
}

/// The endings that assets may have: ours, and those that the host adds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Endings<'o> {
    /// Of the host, with or without the dot.
    pub more: &'o [String],
}

impl Endings<'_> {
    /// Whether a file has an allowed ending, in any case, and a name in front of it.
    pub fn allow(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path).as_bytes();
        let has = |ending: &str| {
            let ending = ending.strip_prefix('.').unwrap_or(ending).as_bytes();
            let dot = name.len().checked_sub(ending.len() + 1).filter(|dot| *dot > 0 && !ending.is_empty());
            dot.is_some_and(|dot| name[dot] == b'.' && name[dot + 1..].eq_ignore_ascii_case(ending))
        };
        ASSET_ENDINGS.into_iter().chain(self.more.iter().map(String::as_str)).any(has)
    }

    /// As a hint lists them.
    pub fn listed(&self) -> Vec<&str> {
        ASSET_ENDINGS.into_iter().chain(self.more.iter().map(String::as_str)).collect()
    }
}

/// The folder of a file, with its slash; empty at the root.
pub fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_and_unsafe_paths() {
        let long = format!("{}/b", "a".repeat(1_022));
        for path in ["a", "a/b.md", "å/ö 1.md", "..a/b..", "ab:c", "1:b", "å:b", long.as_str()] {
            assert!(is_safe(path), "{path}");
        }
        let longer = format!("{long}b");
        let refused = [
            "", "/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", "a\\b", "c:a", "C:", "a\n", "a\u{7f}", "a\0", &longer,
        ];
        for path in refused {
            assert!(!is_safe(path), "{path:?}");
        }
    }

    #[test]
    fn asset_paths_and_endings() {
        for path in ["assets/a", "assets/a/B_9-x.md", "assets/.md"] {
            assert!(is_asset_path(path), "{path}");
        }
        for path in
            ["assets", "assets/", "Assets/a", "assets/a b", "assets/å", "assets//a", "assets/../a", "a/assets/b"]
        {
            assert!(!is_asset_path(path), "{path}");
        }
        let endings = Endings { more: &[".csv".to_owned(), "tsv".to_owned(), String::new()] };
        for path in
            ["assets/a.md", "assets/a.YML", "assets/a.b.Json", "assets/a.CSV", "assets/a.tsv", "a.yaml", "assets/..md"]
        {
            assert!(endings.allow(path), "{path}");
        }
        for path in ["assets/.md", "assets/.CSV", "assets/a", "assets/md", "assets/a.png", "assets/x.md/a", ""] {
            assert!(!endings.allow(path), "{path}");
        }
        assert!(!Endings::default().allow("assets/a.csv"));
    }
}
