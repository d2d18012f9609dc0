//! The ways back (ENGINE §5): along the list of revisions, or the inverse of one revision's own files.
//!
//! Reads only: what comes out is written by [`Workspace::write`], on the revision that it was made on and on no other.
//! Invariant: a file that changed since is never overwritten by an inverse: it is merged where that is asked for and clean, else
//! the inverse is refused and names the file.

use std::collections::BTreeMap;

use holdpoint_bundle::text_hash;
use holdpoint_change::Facts;
use holdpoint_diff::merge;
use serde::{Deserialize, Serialize};

use super::{Cause, Workspace, WriteError};
use crate::blob::{self, Files, Manifest, read_json};
use crate::sql::{Sql, SqlError, params};
use crate::workspace::revision::Changed;

/// What a revision held: only [`Workspace::step`] and [`Workspace::inverse`] make one.
///
/// ```
/// use holdpoint_store::Sql;
/// use holdpoint_store::workspace::{OnLater, WriteError, Restored, Way, Workspace};
/// fn back<S: Sql>(workspace: &Workspace<S>) -> Result<[Restored; 2], WriteError> {
///     Ok([workspace.step("a", &Way::Back)?, workspace.inverse("a", "rev_1", OnLater::Refuse)?])
/// }
/// ```
/// ```compile_fail
/// use holdpoint_store::Sql;
/// use holdpoint_store::workspace::{OnLater, WriteError, Restored, Way, Workspace};
/// fn back<S: Sql>(workspace: &Workspace<S>) -> Result<[Restored; 2], WriteError> {
///     let made = Restored { bundle: "a".into(), files: None, ..workspace.step("a", &Way::Back)? };
///     Ok([made, workspace.inverse("a", "rev_1", OnLater::Refuse)?])
/// }
/// ```
///
/// It neither goes out nor comes in nor is copied:
///
/// ```
/// fn is_copied<T: Clone>() {}
/// is_copied::<holdpoint_store::workspace::Head>();
/// ```
/// ```compile_fail
/// fn is_copied<T: Clone>() {}
/// is_copied::<holdpoint_store::workspace::Restored>();
/// ```
/// ```compile_fail
/// fn comes_in<T: serde::de::DeserializeOwned>() {}
/// comes_in::<holdpoint_store::workspace::Restored>();
/// ```
#[derive(Debug)]
#[must_use = "what was restored is not written yet"]
pub struct Restored {
    pub(super) bundle: String,
    /// The revision that it was made on.
    pub(super) on: i64,
    pub(super) files: Option<Manifest>,
    /// Texts of `files` that no revision had before, by their hash.
    pub(super) merged: BTreeMap<String, String>,
    pub(super) facts: Facts,
    pub(super) cause: Cause,
    /// The revision that it speaks of.
    pub(super) about: Option<i64>,
    pub(super) goes: Goes,
}

/// What it does to the list of revisions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goes {
    /// Moves the cursor to a place.
    To(i64),
    On,
    /// Comes behind the cursor, and a revision's files count as taken back.
    Inverse(i64),
}

/// Where to go in the list of revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// To the place before, last of all to where the bundle was not there yet.
    Back,
    Forth,
    /// To the files of a revision, wherever it is.
    Revision(String),
    /// To the files that a checkpoint points to.
    Checkpoint(String),
}

/// Lines of a text that an inverse merges: the work of a merge grows with their square.
pub const MAX_MERGED_LINES: usize = 100_000;

/// What an inverse does with files that changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnLater {
    Refuse,
    /// Takes the change back in three ways: from what it left, to what stands now and to what stood before it. Where the two
    /// touch the same lines, or one is an edit and the other a deletion, it is refused and names the file.
    Merge,
}

impl Restored {
    /// The facts that it brings along: those that the revision had.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The same with other facts: a kind that counts its changes counts this one too.
    pub fn with_facts(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }
}

impl<S: Sql> Workspace<S> {
    /// The files that it brings along; `None`: the bundle was not there.
    pub fn restored_files(&self, restored: &Restored) -> Result<Option<Files>, SqlError> {
        let Some(manifest) = &restored.files else { return Ok(None) };
        let text = |(path, hash): (&String, &String)| {
            let text = restored.merged.get(hash).cloned().map_or_else(|| blob::get(&self.sql, hash), Ok)?;
            Ok((path.clone(), text))
        };
        manifest.iter().map(text).collect::<Result<_, SqlError>>().map(Some)
    }

    /// What stood elsewhere in the history of a bundle, with the facts that it had.
    pub fn step(&self, bundle: &str, way: &Way) -> Result<Restored, WriteError> {
        let row = self.row(bundle)?.ok_or(WriteError::NotFound)?;
        let (cause, about, goes) = match way {
            Way::Back if row.cursor == 0 => return Err(WriteError::NothingTo("undo")),
            Way::Back => (Cause::Undo, self.number_at(bundle, row.cursor - 1)?, Goes::To(row.cursor - 1)),
            Way::Forth => {
                let next = self.number_at(bundle, row.cursor + 1)?.ok_or(WriteError::NothingTo("redo"))?;
                (Cause::Redo, Some(next), Goes::To(row.cursor + 1))
            }
            Way::Revision(id) => (Cause::Restore, Some(self.number_of(bundle, id)?), Goes::On),
            Way::Checkpoint(id) => (Cause::Restore, Some(self.number_of_checkpoint(bundle, id)?), Goes::On),
        };
        let (files, facts) = match about {
            Some(number) => (self.manifest(number)?, self.numbered(number)?.facts),
            None => (None, Facts::default()),
        };
        let merged = BTreeMap::new();
        Ok(Restored { bundle: bundle.to_owned(), on: row.head, files, merged, facts, cause, about, goes })
    }

    /// The files of a bundle without those changes that a revision made. The inverse of an undo is a redo. Facts stay as they
    /// are now.
    pub fn inverse(&self, bundle: &str, of: &str, later: OnLater) -> Result<Restored, WriteError> {
        let row = self.row(bundle)?.ok_or(WriteError::NotFound)?;
        let number = self.number_of(bundle, of)?;
        let mut files = self.manifest(row.head)?.unwrap_or_default();
        let (mut merged, mut blocked) = (BTreeMap::new(), Vec::new());
        for (path, (before, after)) in self.changed(number)? {
            let now = files.get(&path).cloned();
            let is_merged = later == OnLater::Merge;
            let text = if now == after || is_merged && now == before {
                Some(before)
            } else if is_merged {
                self.merged([&after, &now, &before])?.map(|text| {
                    let hash = text_hash(&text);
                    merged.insert(hash.clone(), text);
                    Some(hash)
                })
            } else {
                None
            };
            let Some(text) = text else {
                blocked.push(path);
                continue;
            };
            match text {
                Some(hash) => files.insert(path, hash),
                None => files.remove(&path),
            };
        }
        if !blocked.is_empty() {
            return Err(WriteError::Blocked { paths: blocked });
        }
        let taken_back = self.sql.first("SELECT number FROM revision WHERE undone_by = ?", params![number])?;
        let taken_back: Option<i64> = taken_back.map(|row| row.get(0)).transpose()?;
        let (cause, about) = match taken_back {
            Some(again) => (Cause::Redo, again),
            None => (Cause::Undo, number),
        };
        Ok(Restored {
            bundle: bundle.to_owned(),
            on: row.head,
            files: Some(files),
            merged,
            facts: self.numbered(row.head)?.facts,
            cause,
            about: Some(about),
            goes: Goes::Inverse(number),
        })
    }

    /// The newest applied change of a bundle that nothing took back: what [`inverse`](Self::inverse) is asked for by an
    /// undo.
    pub fn standing(&self, bundle: &str) -> Result<Option<String>, SqlError> {
        let row = self.sql.first(
            "SELECT id FROM revision WHERE bundle = ? AND cause = 'apply' AND undone_by IS NULL
             ORDER BY number DESC LIMIT 1",
            params![bundle],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    /// The newest undo of an applied change behind which nothing but undo and redo came: what a redo takes back.
    pub fn taken_back(&self, bundle: &str) -> Result<Option<String>, SqlError> {
        let row = self.sql.first(
            "SELECT undo.id FROM revision AS applied JOIN revision AS undo ON undo.number = applied.undone_by
             WHERE applied.bundle = ? AND applied.cause = 'apply' AND undo.number >
               (SELECT coalesce(max(number), 0) FROM revision WHERE bundle = ? AND cause NOT IN('undo', 'redo'))
             ORDER BY undo.number DESC LIMIT 1",
            params![bundle, bundle],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    /// Notes that a revision's files were taken back, and that what it had taken back itself stands again.
    pub(super) fn note_inverse(&self, of: i64, by: i64) -> Result<(), SqlError> {
        self.sql.execute("UPDATE revision SET undone_by = NULL WHERE undone_by = ?", params![of])?;
        self.sql.execute("UPDATE revision SET undone_by = ? WHERE number = ?", params![by, of])
    }

    /// What two changes of a text make of it: hashes of it, ours and theirs. `None`: a conflict, or one of them is not there or
    /// has more than [`MAX_MERGED_LINES`].
    fn merged(&self, hashes: [&Option<String>; 3]) -> Result<Option<String>, SqlError> {
        let [Some(base), Some(ours), Some(theirs)] = hashes else { return Ok(None) };
        let texts = [blob::get(&self.sql, base)?, blob::get(&self.sql, ours)?, blob::get(&self.sql, theirs)?];
        if texts.iter().any(|text| text.lines().count() > MAX_MERGED_LINES) {
            return Ok(None);
        }
        Ok(merge(&texts[0], &texts[1], &texts[2]).text)
    }

    fn number_at(&self, bundle: &str, place: i64) -> Result<Option<i64>, SqlError> {
        let select = "SELECT number FROM revision WHERE bundle = ? AND place = ?";
        self.sql.first(select, params![bundle, place])?.map(|row| row.get(0)).transpose()
    }

    fn changed(&self, number: i64) -> Result<Changed, SqlError> {
        let row = self.sql.first("SELECT changed FROM revision WHERE number = ?", params![number])?;
        read_json(&row.ok_or_else(|| SqlError(format!("revision {number} is gone")))?.get::<String>(0)?)
    }
}
