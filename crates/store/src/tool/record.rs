//! The shapes that a [`Tool`](super::Tool) takes and gives (spec: script-tool.md §6).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::blob::Files;
use crate::sql::SqlError;

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// No such tool, revision or checkpoint.
    #[error("there is no such tool, revision or checkpoint: list what there is")]
    NotFound,
    /// A list was asked to go on where none of its pages ended.
    #[error("no page ended there: give back the cursor of the page before")]
    Cursor,
    /// The tool moved since the caller looked.
    #[error("the tool changed since you looked: look again, then repeat")]
    Stale {
        /// Its present revision.
        current: String,
    },
    /// Files of the apply changed since, so it cannot be undone or redone alone.
    #[error("{} changed since: restore a revision instead", paths.join(", "))]
    Blocked {
        /// Those files, in byte order.
        paths: Vec<String>,
    },
    /// There is no apply to go to.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// The database failed.
    #[error(transparent)]
    Sql(#[from] SqlError),
}

/// A tool as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ScriptTool"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScriptTool"))]
pub struct Head {
    /// Its name everywhere.
    pub tool_id: String,
    /// Who made it.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub owner: String,
    /// For people.
    pub title: String,
    /// Its newest revision.
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
    /// The five texts.
    pub virtual_files: Files,
    /// Path to the fingerprint of its text.
    pub base_fingerprints: BTreeMap<String, String>,
    /// Whether undo would do something now.
    pub can_undo: bool,
    /// Whether redo would do something now.
    pub can_redo: bool,
    /// Files that changed since the apply which undo would take back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub undo_blocked: Vec<String>,
}

/// A tool after a step: what a page puts into its editors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScriptStep"))]
pub struct Step {
    /// Its newest revision.
    pub revision_id: String,
    /// The five texts.
    pub virtual_files: Files,
    /// Whether undo would do something now.
    pub can_undo: bool,
    /// Whether redo would do something now.
    pub can_redo: bool,
    /// Path to the fingerprint of its text.
    pub base_fingerprints: BTreeMap<String, String>,
}

impl From<Head> for Step {
    fn from(head: Head) -> Self {
        let Head { revision_id, virtual_files, can_undo, can_redo, base_fingerprints, .. } = head;
        Self { revision_id, virtual_files, can_undo, can_redo, base_fingerprints }
    }
}

/// A new tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct NewTool {
    pub id: String,
    /// Whose list it belongs in.
    pub account: String,
    pub owner: String,
    pub title: String,
    pub files: Files,
}

/// What a person signed, with the files it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Apply {
    /// The changed files, whole.
    pub files: Files,
    /// Ids, tags, verdict, who confirmed: kept with the revision.
    pub proposal: Json,
    /// The user whose thread it belongs to.
    pub user: String,
    /// Of the turn that proposed it, if the thread has one.
    pub correlation_id: String,
}

/// Where a restore goes: which name an id was given under decides, never the id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// To the files of a revision.
    Revision(String),
    /// To the files that a checkpoint points to.
    Checkpoint(String),
}

/// One change of a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ToolRevision"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ToolRevision"))]
pub struct Revision {
    /// `rev_<number>`, rising within a tool.
    pub revision_id: String,
    /// Ms since 1970.
    pub at: i64,
    /// Who.
    #[serde(rename = "who")]
    pub actor: String,
    /// `hand`, `apply`, `undo`, `redo`, `restore`.
    #[cfg_attr(feature = "ts", ts(type = "\"hand\" | \"apply\" | \"undo\" | \"redo\" | \"restore\""))]
    pub cause: String,
    /// Paths, in byte order.
    pub changed_files: Vec<String>,
    /// The revision that an undo, redo or restore speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub about: Option<String>,
    /// What a person signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub proposal: Option<Json>,
}

/// A change with the files after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ToolRevisionWithFiles"))]
pub struct RevisionWithFiles {
    /// The change.
    #[serde(flatten)]
    pub revision: Revision,
    /// The five texts.
    pub virtual_files: Files,
}

/// A place in the history with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkpoint {
    /// `cp_<number>`, rising within a tool.
    pub checkpoint_id: String,
    /// Empty where nobody named it.
    pub title: String,
    /// Whether an apply made it.
    pub auto: bool,
    /// What it points to.
    pub revision_id: String,
    /// Ms since 1970.
    pub at: i64,
}

/// Why a revision exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Hand,
    Apply,
    Undo,
    Redo,
    Restore,
}

impl Cause {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hand => "hand",
            Self::Apply => "apply",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Restore => "restore",
        }
    }
}

pub(super) fn revision_id(number: i64) -> String {
    format!("rev_{number}")
}

pub(super) fn checkpoint_id(number: i64) -> String {
    format!("cp_{number}")
}

/// The number in an id; only the id as it was given out counts.
pub(super) fn number(id: &str, prefix: &str) -> Option<i64> {
    let digits = id.strip_prefix(prefix)?;
    let number: i64 = digits.parse().ok()?;
    (number.to_string() == digits).then_some(number)
}
