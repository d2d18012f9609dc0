//! The shapes that [`ChangeSets`](super::ChangeSets) takes and gives.

use crate::sql::SqlError;

/// Where a change set stands (spec: crew-package.md §10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetStatus {
    Staged,
    Validated,
    Applied,
    Rejected,
}

impl SetStatus {
    const ALL: [Self; 4] = [Self::Staged, Self::Validated, Self::Applied, Self::Rejected];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Validated => "validated",
            Self::Applied => "applied",
            Self::Rejected => "rejected",
        }
    }

    /// Whether something may still become of it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Staged | Self::Validated)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, SqlError> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or_else(|| SqlError("a change set has a status of another schema".to_owned()))
    }
}

/// A change set as it is stored; its texts are the kind's own JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Unique in its project, rising.
    pub number: i64,
    pub session: String,
    pub user: String,
    /// From 1, rising within the session.
    pub version: i64,
    pub content: String,
    /// What its newest validation said.
    pub validation: Option<String>,
    /// What takes it back, once it is applied.
    pub inverse: Option<String>,
    pub status: SetStatus,
    /// What its user was last shown of it, and when.
    pub(crate) shown: Option<(String, i64)>,
    /// The number of the revision that applied it.
    pub revision: Option<i64>,
    /// In milliseconds since 1970, UTC.
    pub created: i64,
    /// In milliseconds since 1970, UTC.
    pub updated: i64,
}

/// How long what somebody was shown of a change set stands for a signature.
pub const SHOWN_MS: i64 = 30 * 86_400_000;

impl ChangeSet {
    /// What its user was last shown of it, the kind's own JSON; `None`: nothing, or too long ago.
    pub fn shown(&self, now: i64) -> Option<&str> {
        self.shown.as_ref().filter(|(_, at)| now - at < SHOWN_MS).map(|(shown, _)| shown.as_str())
    }
}

/// A change set about to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewSet<'n> {
    pub session: &'n str,
    pub bundle: &'n str,
    pub user: &'n str,
    pub content: &'n str,
    /// All working files of the session from now on, in order.
    pub working: &'n [WorkingRow],
}

#[derive(Debug, Clone, Copy)]
pub struct JudgedSet<'j> {
    /// Whether it may be applied.
    pub valid: bool,
    pub validation: &'j str,
    /// The set and the working files of its session as they were made again on a newer base.
    pub again: Option<(&'j str, &'j [WorkingRow])>,
}

/// An object as a session has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingRow {
    /// The part of the bundle that it is in; 0 outside all parts.
    pub part: i64,
    /// Its name in that part.
    pub object: String,
    /// What it is; the kind's own JSON.
    pub content: String,
    /// It hides what is stored.
    pub deleted: bool,
    /// Of what it was made on; `None`: it was not there.
    pub base_hash: Option<String>,
}

/// What an apply of a change set writes beside its revision, in the same transaction.
#[derive(Debug, Clone, Copy)]
pub struct Applies<'a> {
    pub change_set: i64,
    /// What takes it back; the kind's own JSON.
    pub inverse: &'a str,
    /// What is told of it.
    pub event: &'a crate::audit::NewEvent<'a>,
}
