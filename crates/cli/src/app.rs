//! `holdpoint app export`: a version of an app as a commit in somebody's own clone (spec: app-builder.md §11).
//!
//! Invariants: nothing is pushed; neither the files of the clone nor the branch that is checked out change; the branch is
//! there with its whole commit, or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::args::AppExportArgs;
use crate::edge::{EdgeClient, piped};
use crate::exit::{CommandError, Exit};
use crate::terminal::visible;

/// Holds the key with which the edge is asked; as an argument everybody on the machine could read it.
const KEY: &str = "HOLDPOINT_KEY";
/// The name of a commit that is not there.
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

/// What is read of a commit; its files come as a patch.
#[derive(Deserialize)]
struct ExportedMessage {
    title: String,
    body: String,
}

#[derive(Deserialize)]
struct ShownApp {
    current_draft_revision_id: String,
}

pub fn export(options: &AppExportArgs) -> Result<Exit, CommandError> {
    let clone = Clone::open(&options.into)?;
    clone.takes(&options.branch)?;
    let edge = edge_of(options)?;
    let to = match &options.to {
        Some(to) => to.clone(),
        None => edge.read::<ShownApp>("")?.current_draft_revision_id,
    };
    let from = options.from.as_ref().map_or(String::new(), |from| format!("&from={from}"));
    let export = |format: &str| format!("/builder/export?to={to}{from}&format={format}");
    let ExportedMessage { title, body } = edge.read(&export("commit"))?;
    let patch = edge.get(&export("patch"))?;
    let commit = clone.commit(&patch, &format!("{title}\n\n{body}"), &options.branch)?;
    let branch = visible(&options.branch);
    writeln!(io::stdout(), "{branch}: {commit}\nNothing was pushed. To send it: git push origin {branch}")?;
    Ok(Exit::Passed)
}

/// The edge, at the address of the app.
fn edge_of(options: &AppExportArgs) -> Result<EdgeClient, CommandError> {
    let is_id = |id: &&String| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let ids = [Some(&options.app), options.from.as_ref(), options.to.as_ref()];
    if let Some(wrong) = ids.into_iter().flatten().find(|id| !is_id(id)) {
        return Err(CommandError::Usage(format!("`{wrong}` is no id of an app or a version.")));
    }
    EdgeClient::of(&options.edge, &format!("/admin/apps/{}", options.app), KEY)
}

/// A clone of somebody's repository.
struct Clone {
    folder: PathBuf,
    /// Where the folder lies in the repository; empty at its root.
    prefix: String,
    /// The commit that is checked out; `None` before the first one.
    head: Option<String>,
}

impl Clone {
    /// A clone in which everything is committed.
    fn open(folder: &Path) -> Result<Self, CommandError> {
        let mut clone = Self { folder: folder.to_owned(), prefix: String::new(), head: None };
        clone.prefix = clone.line(&["rev-parse", "--show-prefix"])?;
        if !clone.line(&["status", "--porcelain"])?.is_empty() {
            let shown = folder.display();
            return Err(CommandError::Usage(format!(
                "{shown} holds changes that are not committed. Commit or stash them first."
            )));
        }
        clone.head = clone.line(&["rev-parse", "--verify", "--quiet", "HEAD"]).ok();
        Ok(clone)
    }

    /// Refuses what can be no new branch.
    fn takes(&self, branch: &str) -> Result<(), CommandError> {
        if branch.starts_with('-') || self.line(&["check-ref-format", "--branch", branch]).is_err() {
            return Err(CommandError::Usage(format!("`{branch}` is no name of a branch.")));
        }
        let is_there = self.line(&["show-ref", "--verify", &reference(branch)]).is_ok();
        let is_next = self.line(&["symbolic-ref", "--quiet", "HEAD"]).is_ok_and(|head| head == reference(branch));
        if is_there || is_next {
            return Err(CommandError::Usage(format!(
                "The clone has a branch `{branch}` already. Choose another name."
            )));
        }
        Ok(())
    }

    /// Makes a branch with a commit that has what is checked out, changed by a patch. Answers its name.
    fn commit(&self, patch: &[u8], message: &str, branch: &str) -> Result<String, CommandError> {
        let index = self.line(&["rev-parse", "--git-path", "holdpoint-export-index"])?;
        let index = std::path::absolute(self.folder.join(index))?;
        let made = self.tree(&index, patch);
        let _ = std::fs::remove_file(&index);
        let tree = made?;
        let parent = self.head.as_ref().map_or(Vec::new(), |head| vec!["-p", head.as_str()]);
        let arguments = [&["commit-tree", tree.as_str()], parent.as_slice()].concat();
        let commit = self.run(&arguments, message.as_bytes(), None)?;
        self.line(&["update-ref", &reference(branch), &commit, NO_COMMIT])?;
        Ok(commit)
    }

    /// The tree of what is checked out, changed by a patch, made in an index of its own.
    fn tree(&self, index: &Path, patch: &[u8]) -> Result<String, CommandError> {
        let begin = self.head.as_deref().unwrap_or("--empty");
        self.run(&["read-tree", begin], b"", Some(index))?;
        let before = self.run(&["write-tree"], b"", Some(index))?;
        if !patch.is_empty() {
            let below = format!("--directory={}", self.prefix);
            let apply = self.run(&["apply", "--cached", &below, "-"], patch, Some(index));
            apply.map_err(|error| {
                let hint = "With --from name the version that the clone holds; without it the clone must hold none of the files.";
                CommandError::Usage(format!("The version does not fit what is checked out. {hint}\n{error}"))
            })?;
        }
        let after = self.run(&["write-tree"], b"", Some(index))?;
        if before == after {
            return Err(CommandError::Usage("The clone holds this version already.".to_owned()));
        }
        Ok(after)
    }

    fn line(&self, arguments: &[&str]) -> Result<String, CommandError> {
        self.run(arguments, b"", None)
    }

    /// What git says, without its last line end.
    fn run(&self, arguments: &[&str], input: &[u8], index: Option<&Path>) -> Result<String, CommandError> {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(&self.folder);
        if let Some(index) = index {
            git.env("GIT_INDEX_FILE", index);
        }
        let said = piped(&mut git, input)?;
        Ok(String::from_utf8_lossy(&said).trim_end().to_owned())
    }
}

fn reference(branch: &str) -> String {
    format!("refs/heads/{branch}")
}
