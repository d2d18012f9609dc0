//! A commit as data: what somebody's own tools make of a version in a repository.
//!
//! Invariant: only what never changes of a version is in it, neither names nor labels, so that it stays the same.

use holdpoint_bundle::{Files, content_hash};
use serde::Serialize;

use super::patch::MODE;
use crate::dialect::apply::{ChangedStatus, changes};
use crate::policy::pointer_hash;

/// A version on either side of an export.
#[derive(Debug, Clone, Copy)]
pub struct ExportedTree<'t> {
    pub revision_id: &'t str,
    pub files: &'t Files,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedCommit {
    /// A name for the branch.
    pub branch: String,
    /// Of the files that it is made on; that of no files without a version.
    pub base_files_hash: String,
    pub files_hash: String,
    pub title: String,
    pub body: String,
    /// The user who made the version.
    pub author: String,
    /// Files that are written, in the order of their paths.
    pub changes: Vec<CommittedFile>,
    /// Paths of files that are removed.
    pub deleted: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommittedFile {
    pub path: String,
    pub mode: String,
    pub status: ChangedStatus,
    /// The text of a file that is no binary one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The hash of the bytes of a binary file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

/// The commit that makes `from`, or nothing, into `to`.
pub fn commit(app: &str, from: Option<ExportedTree<'_>>, to: ExportedTree<'_>, author: &str) -> ExportedCommit {
    let nothing = Files::new();
    let before = from.map_or(&nothing, |from| from.files);
    let changed = changes(before, to.files);
    let written = changed.iter().filter_map(|one| {
        let text = to.files.get(&one.path)?;
        let blob = pointer_hash(text).map(|(hash, _)| hash.to_owned());
        let content = blob.is_none().then(|| text.clone());
        Some(CommittedFile { path: one.path.clone(), mode: MODE.to_owned(), status: one.status, content, blob })
    });
    let gone = changed.iter().filter(|one| one.status == ChangedStatus::Deleted);
    let files_hash = content_hash(to.files);
    let number = to.revision_id.trim_start_matches("rev_");
    let base = from.map_or(String::new(), |from| format!("Holdpoint-Base: {}\n", from.revision_id));
    ExportedCommit {
        branch: format!("holdpoint/{app}/{}", to.revision_id),
        base_files_hash: content_hash(before),
        title: format!("Version {number} of {app}"),
        body: format!(
            "Holdpoint-App: {app}\n{base}Holdpoint-Revision: {}\nHoldpoint-Files-Hash: {files_hash}\n",
            to.revision_id
        ),
        files_hash,
        author: author.to_owned(),
        changes: written.collect(),
        deleted: gone.map(|one| one.path.clone()).collect(),
    }
}
