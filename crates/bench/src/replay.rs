//! Replay: every change between the versions, both ways round.
//!
//! What our diff says, git applies; what git says, we apply; what we say, we apply. Byte for byte, or the rig fails.

use std::path::Path;

use holdpoint_text::{DiffOptions, diff};

use crate::case::{Case, Class};
use crate::change::Change;
use crate::fault::Fault;
use crate::tools::{GitApply, Ours, Tool};

/// What a replay found.
#[derive(Debug, Default)]
pub struct Replay {
    /// Changed files, each replayed forwards and backwards.
    pub files: usize,
    /// What did not arrive, with who said it and who applied it.
    pub lost: Vec<String>,
}

/// Replays all changes.
pub fn run(changes: &[Change], work: &Path) -> Result<Replay, Fault> {
    let mut git = GitApply::new(work, false)?;
    let mut replay = Replay { files: changes.len(), ..Replay::default() };
    for change in changes {
        let path = change.path.as_str();
        let said = |before: &str, after: &str| {
            diff(before, after, &DiffOptions { path, ..DiffOptions::default() })
                .map(|diff| diff.unified)
                .map_err(|error| Fault::Told(error.to_string()))
        };
        let forwards = said(&change.before, &change.after)?;
        let backwards = said(&change.after, &change.before)?;
        let there = (change.before.as_str(), change.after.as_str());
        let back = (there.1, there.0);
        let roads = [
            ("our diff, git", there, &forwards, true),
            ("our diff backwards, git", back, &backwards, true),
            ("the diff of git, ours", there, &change.patch, false),
            ("our diff, ours", there, &forwards, false),
            ("our diff backwards, ours", back, &backwards, false),
        ];
        for (road, (base, after), patch, by_git) in roads {
            let case = Case {
                name: road.to_owned(),
                class: Class::Clean,
                path: path.to_owned(),
                base: base.to_owned(),
                patch: patch.clone(),
                after: Some(after.to_owned()),
            };
            let (answer, _) = if by_git { git.apply(&case)? } else { Ours.apply(&case)? };
            if answer != case.after {
                replay.lost.push(format!("{}/{path}: {road}", change.package));
            }
        }
    }
    Ok(replay)
}
