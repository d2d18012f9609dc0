//! Bodies and answers of the editor's routes, as the OpenAPI document shows them (spec: script-tool.md §6).
//!
//! The Worker reads bodies member by member and puts most answers together, so these shapes are descriptions;
//! [`held`](super::held) holds them to the readers, to the types of the store and to the methods.
#![allow(clippy::struct_field_names)] // members are named by the spec

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

type Files = BTreeMap<String, String>;
type Members = Map<String, Value>;

/// A new script: empty, with all five files, or a sample's.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct NewScript {
    /// 1 to 200 characters.
    title: String,
    /// Path to text, all five files; not with a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_files: Option<Files>,
    /// `door-report`; not with files.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
}

/// A save by hand.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Save {
    /// The revision that the person saw.
    base_revision_id: String,
    /// Path to text, the changed files.
    virtual_files: Files,
}

/// A step on what the person saw.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct OnRevision {
    /// The revision that the person saw.
    base_revision_id: String,
}

/// Back to a revision or to a checkpoint; one of them is named.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Restore {
    /// The revision that the person saw.
    base_revision_id: String,
    /// To this revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision_id: Option<String>,
    /// To this checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint_id: Option<String>,
}

/// A name for the present revision.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct NewCheckpoint {
    /// 1 to 200 characters.
    title: String,
}

/// An object of which nothing is read.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Empty {}

/// A question in words.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ChatQuestion {
    /// The person's words; at most 20,000 characters.
    message: String,
    /// The open file; required where files are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_file: Option<String>,
    /// Path to text, the files that the model may read.
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_files: Option<Files>,
}

/// A stretch of the open file, in UTF-16 code units.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Selection {
    from: u32,
    to: u32,
}

/// A place in the open file, in UTF-16 code units.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Cursor {
    pos: u32,
}

/// How to propose.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct EditOptions {
    /// `patch-only` or `auto`; `auto` where a place is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
}

/// Where the person points, and how to propose.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<Selection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<Cursor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<EditOptions>,
}

/// The attempt that failed.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Feedback {
    /// Its ops.
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<Vec<Value>>,
    /// `error_details` of its preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_details: Option<Vec<Value>>,
    /// Why the person discarded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded_reason: Option<String>,
}

/// A request for a proposal.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct EditQuestion {
    tool_id: String,
    /// The person's words; at most 20,000 characters.
    message: String,
    /// The open file.
    active_file: String,
    /// Path to text, all five files.
    virtual_files: Files,
    #[serde(flatten)]
    place: Place,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<Feedback>,
}

/// What a preview looks at; as the input of `text.preview` with `virtual_files` for `files`.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct PreviewQuestion {
    tool_id: String,
    /// Path to text.
    virtual_files: Files,
    /// As proposed.
    ops: Vec<Members>,
    /// The open file.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_file: Option<String>,
    #[serde(flatten)]
    place: Place,
    /// Path to hunk ids: take only these changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<BTreeMap<String, Vec<String>>>,
}

/// An apply: the same ops, and what the person saw of them.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ApplyQuestion {
    #[serde(flatten)]
    preview: PreviewQuestion,
    /// The revision that the person saw.
    base_revision_id: String,
    /// Of the preview's `meta`.
    base_hash: String,
    /// Of the preview's `meta`.
    patch_id: String,
    /// Of the preview's `meta`.
    result_hash: String,
    /// Of the preview's `meta`, where the verdict is `confirm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirm_token: Option<String>,
}

/// A proposal that its person left.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Discard {
    tool_id: String,
}

/// A script in a list.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ScriptRow {
    tool_id: String,
    title: String,
    /// Its newest revision.
    revision_id: String,
    /// Ms since 1970.
    updated_at: i64,
}

/// A script as it stands.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Script {
    tool_id: String,
    title: String,
    /// Its newest revision.
    revision_id: String,
    /// Ms since 1970.
    updated_at: i64,
    /// Path to text.
    virtual_files: Files,
    /// Path to `sha256:` of the text.
    base_fingerprints: BTreeMap<String, String>,
    can_undo: bool,
    can_redo: bool,
    /// Files that changed since the apply which undo would take back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undo_blocked: Vec<String>,
}

/// A script after a step.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ScriptStep {
    revision_id: String,
    /// Path to text.
    virtual_files: Files,
    can_undo: bool,
    can_redo: bool,
    /// Path to `sha256:` of the text.
    base_fingerprints: BTreeMap<String, String>,
}

/// A change of a script.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ScriptRevision {
    revision_id: String,
    /// Ms since 1970.
    at: i64,
    /// `user:…`.
    who: String,
    /// `hand`, `apply`, `undo`, `redo`, `restore`.
    cause: String,
    /// Paths.
    changed_files: Vec<String>,
    /// The revision that an undo, redo or restore speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// What a person signed: hashes, verdict, tags, reasons, who confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<Members>,
}

/// A change of a script with the files after it.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ScriptRevisionWithFiles {
    #[serde(flatten)]
    revision: ScriptRevision,
    /// Path to text.
    virtual_files: Files,
}

/// A place in the history.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Checkpoint {
    checkpoint_id: String,
    /// Empty where nobody named it.
    title: String,
    /// Whether an apply made it.
    auto: bool,
    revision_id: String,
    /// Ms since 1970.
    at: i64,
}

/// What came of a request for a proposal.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Proposed {
    /// Whether the assistant is on for this call.
    enabled: bool,
    /// `ok`, `empty`, `truncated`, `parse_failed`, `non_patch_ops`, `incompatible_ops`, `timeout`, `upstream_error`,
    /// `context_exceeded`, `remote_fallback_required`, `cancelled`.
    outcome: String,
    /// For the person.
    assistant_message: String,
    /// For preview and apply; empty on every failure.
    ops: Vec<Members>,
    /// Path to `sha256:` of the text that was sent.
    base_fingerprints: BTreeMap<String, String>,
    /// What was tolerated in the model's answer.
    repairs: Vec<Value>,
    /// Why, where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// Whether the model was asked a second time.
    #[serde(skip_serializing_if = "Option::is_none")]
    repaired: Option<bool>,
    /// Of the thread, where a turn was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_id: Option<String>,
}

/// What a proposal would change: the answer of `text.preview`, and what `bundle.check` finds in the files after.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Preview {
    ok: bool,
    /// `clean`, `confirm`, `reject`.
    verdict: String,
    /// Path to text.
    after_virtual_files: Files,
    /// Paths.
    changed_files: Vec<String>,
    /// For people, one for each of `error_details`.
    errors: Vec<String>,
    /// Why ops cannot be applied.
    error_details: Vec<Members>,
    /// Hashes, reasons, tags, hunks, the token to confirm with.
    meta: Members,
    /// As `bundle.check` answers; `new: true` on those that the files before did not have.
    diagnostics: Vec<Members>,
}

/// A preview once more, and what was stored.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Applied {
    /// No where the fresh preview rejects.
    applied: bool,
    #[serde(flatten)]
    preview: Preview,
    /// The new revision, where it was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    can_undo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    can_redo: Option<bool>,
    /// Path to `sha256:` of the stored text.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_fingerprints: Option<BTreeMap<String, String>>,
}

/// Whether the thread had a proposal to discard.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Discarded {
    discarded: bool,
}

/// Whether something ran.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Stopped {
    cancelled: bool,
}

/// A message of the thread.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct ThreadMessage {
    message_id: String,
    turn_id: String,
    /// `user`, `assistant`.
    role: String,
    content: String,
    /// Ms since 1970.
    created_at: i64,
    /// Of its turn: `pending`, `complete`, `failed`, `cancelled`.
    status: String,
    /// `chat`, `edit_ops`.
    kind: String,
    correlation_id: String,
    /// Why its turn failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure_outcome: Option<String>,
    /// What became of its proposal: `applied`, `discarded`, `undone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<String>,
    /// Ms since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_at: Option<i64>,
}

/// The thread of a person on a script.
#[derive(JsonSchema, Serialize, Deserialize)]
pub struct Thread {
    /// The newest, oldest first.
    messages: Vec<ThreadMessage>,
    /// The script's present revision.
    base_version_id: String,
}
