//! `bundle.diff`: what differs between two bundles (spec: facade.md, ifc-extension.md §7).

use std::collections::BTreeMap;

use holdpoint_sdk::capability::{self, CapabilityDiff};
use holdpoint_text::{Diff, DiffOptions, Stats};
use serde::{Deserialize, Serialize};

use super::{declared, weakened};
use crate::weakened::WeakenedTest;
use holdpoint_bundle::Files;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BundleDiff {
    /// Files that differ, in byte order of their paths.
    pub files: Vec<FileDiff>,
    pub stats: Stats,
    /// `capability.diff` of the two manifests.
    pub capabilities: CapabilityDiff,
    /// Tests that ask for less than before.
    pub weakened_tests: Vec<WeakenedTest>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileDiff {
    /// Its path; of a deleted file the one that it had.
    pub path: String,
    pub status: FileStatus,
    /// Of a renamed file: its path before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub from: Option<String>,
    /// `text.diff`; null when the texts are too large to compare.
    pub diff: Option<Diff>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FileStatus {
    Added,
    Modified,
    Deleted,
    Renamed,
}

/// Compares two bundles. A file that went and one that came with the same text are one renamed file.
pub fn diff(before: &Files, after: &Files) -> BundleDiff {
    let mut gone: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in before.iter().filter(|(path, _)| !after.contains_key(*path)) {
        gone.entry(text).or_default().push(path);
    }
    let mut files = Vec::new();
    for (path, text) in after {
        match before.get(path) {
            Some(old) if old == text => {}
            Some(old) => files.push(compare(path, FileStatus::Modified, None, old, text)),
            None => {
                let from = gone.get_mut(text.as_str()).filter(|_| !text.is_empty()).and_then(Vec::pop);
                let (status, old) = from.map_or((FileStatus::Added, ""), |_| (FileStatus::Renamed, text.as_str()));
                files.push(compare(path, status, from, old, text));
            }
        }
    }
    let left = gone.into_iter().flat_map(|(text, paths)| paths.into_iter().map(move |path| (path, text)));
    files.extend(left.map(|(path, text)| compare(path, FileStatus::Deleted, None, text, "")));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let stats = files.iter().filter_map(|file| file.diff.as_ref()).fold(Stats::default(), |sum, diff| Stats {
        added: sum.added + diff.stats.added,
        deleted: sum.deleted + diff.stats.deleted,
    });
    BundleDiff {
        files,
        stats,
        capabilities: capability::diff(&declared(before), &declared(after)),
        weakened_tests: weakened(Some(before), after),
    }
}

fn compare(path: &str, status: FileStatus, from: Option<&str>, old: &str, new: &str) -> FileDiff {
    let diff = holdpoint_text::diff(old, new, &DiffOptions { context: CONTEXT, path }).ok();
    FileDiff { path: path.to_owned(), status, from: from.map(str::to_owned), diff }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses() {
        let files = |list: &[(&str, &str)]| -> Files {
            list.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
        };
        let before = files(&[("src/a.js", "1;\n"), ("src/b.js", "2;\n"), ("src/c.js", "3;\n"), ("src/e.js", "")]);
        let after =
            files(&[("src/a.js", "1;\n"), ("src/b.js", "2;\n4;\n"), ("src/d.js", "3;\n"), ("src/f.js", "5;\n")]);
        let found = diff(&before, &after);
        let rows: Vec<_> =
            found.files.iter().map(|file| (file.path.as_str(), file.status, file.from.as_deref())).collect();
        assert_eq!(
            rows,
            [
                ("src/b.js", FileStatus::Modified, None),
                ("src/d.js", FileStatus::Renamed, Some("src/c.js")),
                ("src/e.js", FileStatus::Deleted, None),
                ("src/f.js", FileStatus::Added, None),
            ]
        );
        assert_eq!((found.stats.added, found.stats.deleted), (2, 0));
        assert!(diff(&before, &before).files.is_empty());
    }
}
