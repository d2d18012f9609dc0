//! What of a proposal somebody takes: files, and hunks of them (spec: app-builder.md §10 "Proposals").
//!
//! Invariant: what is not chosen stays as it was, byte for byte; a choice of nothing changes nothing.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_change::text_error;
use holdpoint_check::json::join;
use holdpoint_check::{ApiError, args, codes};
use holdpoint_text::{DiffOptions, select};
use serde::{Deserialize, Serialize};

use crate::dialect::apply::changes;
use crate::policy::is_binary;

codes! {
    INVALID_INPUT / NOT_PROPOSED: Error, "Choose among the files of the proposal: `{path}` is none." [path];
    INVALID_INPUT / WHOLE_FILE: Error, "Take `{path}` whole or not at all: it holds no text." [path];
}

/// What is taken of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FileChoice {
    Whole(bool),
    /// Ids of hunks, as `text.diff` has them.
    Hunks(Vec<String>),
}

/// What is taken, by path; a file that is not named is taken whole.
pub type Choices = BTreeMap<String, FileChoice>;

/// The files with what is taken of a change.
pub fn pick(before: &Files, after: &Files, choices: &Choices) -> Result<Files, ApiError> {
    let changed = changes(before, after);
    let pointer = |path: &str| join("/accept", path);
    if let Some(path) = choices.keys().find(|path| !changed.iter().any(|one| one.path == **path)) {
        return Err(ApiError::at(pointer(path), &NOT_PROPOSED, args! { path }));
    }
    let mut picked = after.clone();
    for path in changed.iter().map(|one| &one.path) {
        let text = match choices.get(path) {
            None | Some(FileChoice::Whole(true)) => continue,
            Some(FileChoice::Whole(false)) => before.get(path).cloned(),
            Some(FileChoice::Hunks(_)) if is_binary(path) => {
                return Err(ApiError::at(pointer(path), &WHOLE_FILE, args! { path }));
            }
            Some(FileChoice::Hunks(ids)) => hunks(before.get(path), after.get(path), ids)?,
        };
        match text {
            Some(text) => picked.insert(path.clone(), text),
            None => picked.remove(path),
        };
    }
    Ok(picked)
}

/// A file with the chosen hunks; `None`: it is not there then.
fn hunks(before: Option<&String>, after: Option<&String>, ids: &[String]) -> Result<Option<String>, ApiError> {
    let text = |side: Option<&String>| side.map_or("", String::as_str).to_owned();
    let (old, new) = (text(before), text(after));
    let selected = select(&old, &new, ids, DiffOptions::default().context).map_err(|error| text_error(&error))?;
    Ok(if selected.text == new && !ids.is_empty() {
        after.cloned()
    } else if selected.text == old {
        before.cloned()
    } else {
        Some(selected.text)
    })
}

#[cfg(test)]
mod tests {
    use holdpoint_text::diff;

    use super::*;

    fn files(pairs: &[(&str, &str)]) -> Files {
        pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    fn sides() -> (Files, Files) {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let before = files(&[("a.ts", old), ("b.ts", "b\n"), ("gone.ts", "x\n"), ("p.png", "blob")]);
        let new = old.replace("1\n2\n", "one\n2\n").replace("12\n", "twelve\n");
        (before, files(&[("a.ts", &new), ("b.ts", "b\n"), ("new.ts", "n\n"), ("p.png", "blub")]))
    }

    #[test]
    fn files_and_hunks_are_taken_or_left() {
        let (before, after) = sides();
        let first = diff(&before["a.ts"], &after["a.ts"], &DiffOptions::default()).unwrap().hunks[0].id.clone();
        let choices = Choices::from([
            ("a.ts".to_owned(), FileChoice::Hunks(vec![first])),
            ("gone.ts".to_owned(), FileChoice::Whole(false)),
            ("new.ts".to_owned(), FileChoice::Hunks(Vec::new())),
        ]);
        let picked = pick(&before, &after, &choices).unwrap();
        assert!(picked["a.ts"].starts_with("one\n") && picked["a.ts"].ends_with("\n12\n"));
        assert_eq!(
            (picked.get("gone.ts"), picked.get("new.ts"), &picked["p.png"]),
            (before.get("gone.ts"), None, &after["p.png"])
        );
    }

    #[test]
    fn all_is_all_and_nothing_is_nothing() {
        let (before, after) = sides();
        assert_eq!(pick(&before, &after, &Choices::new()).unwrap(), after);
        let nothing = ["a.ts", "gone.ts", "new.ts", "p.png"].map(|path| (path.to_owned(), FileChoice::Whole(false)));
        assert_eq!(pick(&before, &after, &nothing.into()).unwrap(), before);
    }

    #[test]
    fn what_is_not_there_cannot_be_chosen() {
        let (before, after) = sides();
        let refused = |path: &str, choice| {
            let error = pick(&before, &after, &Choices::from([(path.to_owned(), choice)])).unwrap_err();
            (error.code, error.details.get("pointer").cloned())
        };
        let at = |pointer: &str| Some(serde_json::json!(pointer));
        assert_eq!(refused("b.ts", FileChoice::Whole(true)), ("INVALID_INPUT".to_owned(), at("/accept/b.ts")));
        assert_eq!(refused("p.png", FileChoice::Hunks(Vec::new())), ("INVALID_INPUT".to_owned(), at("/accept/p.png")));
        assert_eq!(refused("a.ts", FileChoice::Hunks(vec!["h9".to_owned()])).0, "UNKNOWN_HUNK");
    }
}
