//! A save on an older draft, joined with what came meanwhile, file by file (spec: app-builder.md §4 "Merge").
//!
//! Invariants: what one side left alone is the other's; a file is there exactly where no conflict names it.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};

/// A project in one state: its files and the one that starts it.
#[derive(Debug, Clone, Copy)]
pub struct ProjectSide<'a> {
    pub files: &'a Files,
    pub entry_file: &'a str,
}

/// A file that both sides changed, each in its own way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileConflict {
    pub path: String,
    /// One of `text`, `deleted` and `entry`.
    pub reason: String,
}

/// Joins two projects that come from one; an error names every conflict, in the order of paths.
pub fn merge(
    base: ProjectSide<'_>,
    ours: ProjectSide<'_>,
    theirs: ProjectSide<'_>,
) -> Result<(Files, String), Vec<FileConflict>> {
    let mut conflicts = Vec::new();
    let mut files = Files::new();
    let paths: BTreeSet<&String> = [base, ours, theirs].iter().flat_map(|side| side.files.keys()).collect();
    for path in paths {
        let [before, our, their] = [base, ours, theirs].map(|side| side.files.get(path));
        let taken = if our == before || our == their {
            Ok(their.cloned())
        } else if their == before {
            Ok(our.cloned())
        } else if let (Some(our), Some(their)) = (our, their) {
            // Where there was nothing, the two texts have no line in common.
            let before = before.map_or("", String::as_str);
            holdpoint_diff::merge(before, our, their).text.map(Some).ok_or("text")
        } else {
            Err("deleted")
        };
        match taken {
            Ok(Some(text)) => drop(files.insert(path.clone(), text)),
            Ok(None) => {}
            Err(reason) => conflicts.push(FileConflict { path: path.clone(), reason: reason.to_owned() }),
        }
    }
    let entry = if ours.entry_file == base.entry_file { theirs.entry_file } else { ours.entry_file };
    if theirs.entry_file != base.entry_file && theirs.entry_file != entry {
        conflicts.push(FileConflict { path: entry.to_owned(), reason: "entry".to_owned() });
    }
    if conflicts.is_empty() { Ok((files, entry.to_owned())) } else { Err(conflicts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(pairs: &[(&str, &str)]) -> Files {
        pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    fn merged(base: &Files, ours: &Files, theirs: &Files) -> Result<Files, Vec<String>> {
        let side = |files| ProjectSide { files, entry_file: "m" };
        let both = [merge(side(base), side(ours), side(theirs)), merge(side(base), side(theirs), side(ours))];
        assert_eq!(both[0], both[1], "the sides are alike");
        let [first, _] = both;
        first
            .map(|(files, _)| files)
            .map_err(|all| all.iter().map(|one| format!("{} {}", one.path, one.reason)).collect())
    }

    #[test]
    fn each_side_keeps_what_the_other_left_alone() {
        let base = files(&[("a", "1\n2\n3\n4\n5\n"), ("b", "x"), ("c", "y")]);
        let ours = files(&[("a", "0\n2\n3\n4\n5\n"), ("b", "x"), ("d", "new")]);
        let theirs = files(&[("a", "1\n2\n3\n4\n6\n"), ("b", "z"), ("c", "y"), ("e", "other")]);
        let want = files(&[("a", "0\n2\n3\n4\n6\n"), ("b", "z"), ("d", "new"), ("e", "other")]);
        assert_eq!(merged(&base, &ours, &theirs), Ok(want));
        assert_eq!(merged(&base, &base, &theirs), Ok(theirs.clone()));
        assert_eq!(merged(&base, &ours, &ours), Ok(ours));
    }

    #[test]
    fn what_both_changed_is_named() {
        let base = files(&[("a", "1\n"), ("b", "x"), ("c", "y")]);
        let ours = files(&[("a", "2\n"), ("b", "z"), ("n", "1")]);
        let theirs = files(&[("a", "3\n"), ("c", "w"), ("n", "2")]);
        let want = ["a text", "b deleted", "c deleted", "n text"].map(str::to_owned).to_vec();
        assert_eq!(merged(&base, &ours, &theirs), Err(want));
    }

    #[test]
    fn two_entries_are_a_conflict_and_one_is_taken() {
        let all = files(&[("m", ""), ("n", ""), ("o", "")]);
        let side = |entry_file| ProjectSide { files: &all, entry_file };
        let entry = |base, ours, theirs| merge(side(base), side(ours), side(theirs)).map(|(_, entry)| entry);
        assert_eq!(entry("m", "n", "m"), Ok("n".to_owned()));
        assert_eq!(entry("m", "m", "o"), Ok("o".to_owned()));
        assert_eq!(entry("m", "n", "n"), Ok("n".to_owned()));
        assert_eq!(entry("m", "n", "o").unwrap_err()[0].reason, "entry");
    }
}
