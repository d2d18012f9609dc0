//! Bodies of the editor's routes, and the two answers that are put together of others, as the OpenAPI document shows
//! them (spec: script-tool.md §6).
//!
//! The Worker reads bodies member by member, so that each wrong one is named at its place; these shapes describe them,
//! and [`held`](super::held) holds them to the readers. Every other answer is shown as the type that is given.
#![allow(clippy::struct_field_names)] // members are named by the spec

use std::collections::BTreeMap;

use holdpoint_check::Diagnostic;
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
    /// Whether a provider outside the network may answer, where the usual one cannot; no.
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_remote_fallback: Option<bool>,
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
    /// Whether a provider outside the network may answer, where the usual one cannot; no.
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_remote_fallback: Option<bool>,
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

/// What `bundle.check` finds in the files after.
#[derive(JsonSchema, Serialize)]
pub struct Finding {
    #[serde(flatten)]
    diagnostic: Diagnostic,
    /// Present, and true, where the files before did not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<bool>,
}

/// What a proposal would change: the answer of `text.preview`, and what is found in the files after.
#[derive(JsonSchema, Serialize)]
pub struct Preview {
    #[serde(flatten)]
    preview: holdpoint_text::Preview,
    diagnostics: Vec<Finding>,
}

/// A preview once more, and what was stored.
#[derive(JsonSchema, Serialize)]
pub struct Applied {
    #[serde(flatten)]
    applied: holdpoint_text::Applied,
    diagnostics: Vec<Finding>,
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
