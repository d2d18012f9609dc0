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
    /// For people.
    pub title: String,
    /// Its newest revision.
    pub revision_id: String,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
}

/// Whose sentence it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ThreadRole {
    User,
    Assistant,
}

/// A tool as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ScriptTool"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ScriptTool"))]
pub struct Script {
    /// Its name everywhere.
    pub tool_id: String,
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScriptStep {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolRevisionWithFiles {
    /// The change.
    #[serde(flatten)]
    pub revision: ToolRevision,
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

/// A message as its reader gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadMessage {
    /// `msg_<number>`.
    pub message_id: String,
    /// `turn_<number>`.
    pub turn_id: String,
    /// Whose.
    pub role: ThreadRole,
    /// The words.
    pub content: String,
    /// Ms since 1970.
    pub created_at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    #[cfg_attr(feature = "ts", ts(type = "\"pending\" | \"complete\" | \"failed\" | \"cancelled\""))]
    pub status: String,
    /// `chat` or `edit_ops`.
    #[cfg_attr(feature = "ts", ts(type = "\"chat\" | \"edit_ops\""))]
    pub kind: String,
    /// Of its turn.
    pub correlation_id: String,
    /// Why its turn failed.
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
    /// The newest, oldest first.
    pub messages: Vec<ThreadMessage>,
    /// The tool's present revision.
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
