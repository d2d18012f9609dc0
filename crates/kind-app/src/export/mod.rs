//! Versions of an app as git and people take them: a patch, a commit, an archive (spec: app-builder.md §11).
//!
//! Invariants: the same two versions give the same bytes; a patch on the tree of the one gives the tree of the other, byte
//! for byte. Knows no store: the bytes of binary files are handed in.

mod archive;
mod binary;
mod commit;
mod patch;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args, codes};

use crate::dialect::apply::changes;
use crate::policy::pointer_hash;
pub use archive::zipped;
pub use commit::{CommittedFile, ExportedCommit, ExportedTree, commit};
pub use patch::patch;

codes! {
    INVALID_INPUT / EXPORT_FORMAT: Error, "Ask for one of `patch`, `commit` and `zip`.";
    ASSET_NOT_FOUND / NO_BYTES: Error, "Upload `{path}` once more: its bytes are not there." [path];
}

/// Bytes of binary files by their hash.
pub type BlobBytes = BTreeMap<String, Vec<u8>>;

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Patch,
    Commit,
    Zip,
}

impl ExportFormat {
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        match text {
            "patch" => Ok(Self::Patch),
            "commit" => Ok(Self::Commit),
            "zip" => Ok(Self::Zip),
            _ => Err(ApiError::at("/format", &EXPORT_FORMAT, args! {})),
        }
    }

    /// The hashes whose bytes it is made of, each once.
    pub fn blobs<'f>(self, from: &'f Files, to: &'f Files) -> BTreeSet<&'f str> {
        let hash = |text: &'f String| pointer_hash(text).map(|(hash, _)| hash);
        match self {
            Self::Commit => BTreeSet::new(),
            Self::Zip => to.values().filter_map(hash).collect(),
            Self::Patch => {
                let changed = changes(from, to);
                let sides = changed.iter().flat_map(|one| [from.get(&one.path), to.get(&one.path)]);
                sides.flatten().filter_map(hash).collect()
            }
        }
    }
}

/// The bytes that a file has on disk.
fn bytes<'b>(path: &str, text: &'b str, blobs: &'b BlobBytes) -> Result<&'b [u8], ApiError> {
    let Some((hash, _)) = pointer_hash(text) else { return Ok(text.as_bytes()) };
    let found = blobs.get(hash).map(Vec::as_slice);
    found.ok_or_else(|| ApiError::of(&NO_BYTES, args! { path }).status(404))
}
