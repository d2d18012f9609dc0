//! Bodies of a script's routes, and the two answers that are put together of others, as the OpenAPI document shows them
//! (spec: script-tool.md §6).
//!
//! They are read member by member, so that each wrong one is named at its place; these shapes describe them, and the
//! tests of the document hold them to the readers. Every other answer is shown as the type that is given.
#![allow(clippy::struct_field_names)]

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

type Members = Map<String, Value>;

/// A new script: empty, with all five files, or a sample's.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NewScript"))]
pub struct NewScriptBody {
    /// It has 1 to 200 characters.
    pub title: String,
    /// Path to text, all five files; not with a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_files: Option<Files>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Save"))]
pub struct SaveBody {
    /// The revision that the person saw.
    pub base_revision_id: String,
    /// Path to text, the changed files.
    pub virtual_files: Files,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RenameScript"))]
pub struct RenameBody {
    /// It has 1 to 200 characters.
    pub title: String,
}

/// A step on what the person saw.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OnRevision"))]
pub struct OnRevisionBody {
    /// The revision that the person saw.
    pub base_revision_id: String,
}

/// Back to a revision or to a checkpoint; one of them is named.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Restore"))]
pub struct RestoreBody {
    /// The revision that the person saw.
    pub base_revision_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint_id: Option<String>,
}

/// A name for the present revision.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NewCheckpoint"))]
pub struct NewCheckpointBody {
    /// It has 1 to 200 characters.
    pub title: String,
}

/// An object of which nothing is read.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Empty"))]
pub struct EmptyBody {}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChatQuestion"))]
pub struct ChatBody {
    /// The person's words; at most 20,000 characters.
    pub message: String,
    /// The open file; required where files are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_file: Option<String>,
    /// Path to text, the files that the model may read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_files: Option<Files>,
    /// Whether a provider outside the network may answer, where the usual one cannot; no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_remote_fallback: Option<bool>,
}

/// A stretch of the open file, in UTF-16 code units.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Selection"))]
pub struct SelectionBody {
    pub from: u32,
    pub to: u32,
}

/// A place in the open file, in UTF-16 code units.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Cursor"))]
pub struct CursorBody {
    pub pos: u32,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOptions"))]
pub struct EditOptionsBody {
    /// `patch-only` or `auto`; `auto` where a place is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// Where the person points, and how to propose.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Place"))]
pub struct PlaceBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<CursorBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<EditOptionsBody>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Feedback"))]
pub struct FeedbackBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_details: Option<Vec<Value>>,
    /// Why the person discarded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discarded_reason: Option<String>,
}

/// A request for a proposal.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditQuestion"))]
pub struct EditBody {
    pub tool_id: String,
    /// The person's words; at most 20,000 characters.
    pub message: String,
    pub active_file: String,
    /// Path to text, all five files.
    pub virtual_files: Files,
    #[serde(flatten)]
    pub place: PlaceBody,
    /// Whether a provider outside the network may answer, where the usual one cannot; no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_remote_fallback: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<FeedbackBody>,
}

/// What a preview looks at; as the input of `text.preview` with `virtual_files` for `files`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PreviewQuestion"))]
pub struct PreviewBody {
    pub tool_id: String,
    pub virtual_files: Files,
    pub ops: Vec<Members>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_file: Option<String>,
    #[serde(flatten)]
    pub place: PlaceBody,
    /// Path to hunk ids: take only these changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<BTreeMap<String, Vec<String>>>,
}

/// An apply: the same ops, and what the person saw of them.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ApplyQuestion"))]
pub struct ApplyBody {
    #[serde(flatten)]
    pub preview: PreviewBody,
    /// The revision that the person saw.
    pub base_revision_id: String,
    pub base_hash: String,
    pub patch_id: String,
    pub result_hash: String,
    /// Of the preview's `meta`, where the verdict is `confirm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_token: Option<String>,
}

/// A proposal that its person left.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Discard"))]
pub struct DiscardBody {
    pub tool_id: String,
}

/// What `bundle.check` finds in the files after.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Finding"))]
pub struct ScriptFinding {
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// Present, and true, where the files before did not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<bool>,
}

/// What a proposal would change: the answer of `text.preview`, and what is found in the files after.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Preview"))]
pub struct ScriptPreview {
    #[serde(flatten)]
    pub preview: holdpoint_text::Preview,
    pub diagnostics: Vec<ScriptFinding>,
}

/// A preview once more, and what was stored.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Applied"))]
pub struct ScriptApplied {
    #[serde(flatten)]
    pub applied: holdpoint_text::Applied,
    pub diagnostics: Vec<ScriptFinding>,
    /// The new revision, where it was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_undo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_redo: Option<bool>,
    /// Path to `sha256:` of the stored text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_fingerprints: Option<BTreeMap<String, String>>,
}
