//! What the routes of a script answer (spec: script-tool.md §6, §7).

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use serde::Serialize;
use serde_json::Value as Json;

/// A tool as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolItem {
    /// Its name everywhere; rises with time.
    pub tool_id: String,
    pub title: String,
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ThreadRole {
    User,
    Assistant,
}

/// A tool as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ScriptTool"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScriptTool"))]
pub struct Script {
    pub tool_id: String,
    pub title: String,
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScriptStep {
    pub revision_id: String,
    pub virtual_files: Files,
    /// Whether undo would do something now.
    pub can_undo: bool,
    /// Whether redo would do something now.
    pub can_redo: bool,
    /// Path to the fingerprint of its text.
    pub base_fingerprints: BTreeMap<String, String>,
}

impl From<Script> for ScriptStep {
    fn from(head: Script) -> Self {
        let Script { revision_id, virtual_files, can_undo, can_redo, base_fingerprints, .. } = head;
        Self { revision_id, virtual_files, can_undo, can_redo, base_fingerprints }
    }
}

/// One change of a tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolRevision {
    /// `rev_<number>`, rising within a tool.
    pub revision_id: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    #[serde(rename = "who")]
    pub actor: String,
    /// `hand`, `apply`, `undo`, `redo`, `restore`, `remove`.
    #[cfg_attr(feature = "ts", ts(type = "\"hand\" | \"apply\" | \"undo\" | \"redo\" | \"restore\" | \"remove\""))]
    pub cause: String,
    /// Paths in the order of their bytes.
    pub changed_files: Vec<String>,
    /// The revision that an undo, redo or restore speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub about: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub proposal: Option<Json>,
}

/// What a revision tells of what a person signed, beside what it keeps of the edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignedProposal {
    /// Who confirmed it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<String>,
    pub correlation_id: Option<String>,
}

/// A change with the files after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolRevisionWithFiles {
    #[serde(flatten)]
    pub revision: ToolRevision,
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
    pub revision_id: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
}

/// A message as its reader gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadMessage {
    pub message_id: String,
    pub turn_id: String,
    pub role: ThreadRole,
    pub content: String,
    /// In milliseconds since 1970, UTC.
    pub created_at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    #[cfg_attr(feature = "ts", ts(type = "\"pending\" | \"complete\" | \"failed\" | \"cancelled\""))]
    pub status: String,
    /// It is one of `chat` or `edit_ops`.
    #[cfg_attr(feature = "ts", ts(type = "\"chat\" | \"edit_ops\""))]
    pub kind: String,
    pub correlation_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failure_outcome: Option<String>,
    /// What became of its turn's proposal: `applied`, `discarded`, `undone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "\"applied\" | \"discarded\" | \"undone\""))]
    pub decision: Option<String>,
    /// When that was decided, ms since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub decided_at: Option<i64>,
}

/// A thread as its reader gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thread {
    /// The newest ones, with the oldest first.
    pub messages: Vec<ThreadMessage>,
    pub base_version_id: String,
}

/// What came of a discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Discarded {
    /// Whether the thread had a proposal that nobody had decided.
    pub discarded: bool,
}

/// What came of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stopped {
    /// Whether something ran that nobody had stopped.
    pub cancelled: bool,
}
