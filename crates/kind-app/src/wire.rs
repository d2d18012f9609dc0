//! What the routes of apps answer (spec: app-builder.md §2, §3, §7, §8).
//!
//! Times are ISO 8601 in UTC with milliseconds, hashes `sha256:` and hex.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dialect::apply::Changed;
use crate::requests::AppSettings;

/// An app as its owner sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct App {
    pub id: String,
    pub tenant_id: String,
    pub name: String,
    /// The word of its address.
    pub slug: String,
    pub status: AppStatus,
    pub template_key: String,
    pub catalog_version: String,
    pub current_draft_revision_id: String,
    pub current_published_revision_id: Option<String>,
    pub published_url: Option<String>,
    pub created_by: String,
    pub created_at: String,
    pub updated_at: String,
    pub published_at: Option<String>,
    pub settings: AppSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AppStatus {
    Draft,
    Published,
    Archived,
}

/// What a build left (spec: app-builder.md §7 "dist manifest").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppDist {
    /// The document at its root.
    pub entry_html: String,
    pub assets: Vec<DistAsset>,
    pub total_bytes: u64,
    pub generated_at: String,
    pub uploaded_assets: usize,
    pub source_entry_file: Option<String>,
    pub build_tool_versions: BTreeMap<String, String>,
    /// Source maps, which are no part of what is served.
    pub maps: Vec<DistAsset>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DistAsset {
    pub path: String,
    /// How many bytes the file has.
    pub size: u64,
    pub sha256: String,
    pub content_type: String,
}

/// How the build of a revision stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BuildState {
    pub revision_id: String,
    /// One of `queued`, `running`, `succeeded` and `failed`.
    #[cfg_attr(feature = "ts", ts(type = "\"queued\" | \"running\" | \"succeeded\" | \"failed\""))]
    pub build_status: String,
    /// The number of the attempt, which rises with each retry.
    pub build_seq: i64,
    pub build_error: Option<String>,
    pub build_error_code: Option<String>,
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
    pub stage: Option<String>,
    pub attempts: u32,
    pub build_started_at: Option<String>,
    pub build_finished_at: Option<String>,
    pub dist_storage_prefix: Option<String>,
    pub dist_manifest: Option<AppDist>,
    /// How it is served: always `vite_static`.
    pub template_runtime: String,
    /// The last 64 KiB of the log.
    pub log_tail: String,
}

/// A revision of an app.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppVersion {
    pub id: String,
    pub app_id: String,
    /// The number of the revision, which rises in the app.
    pub number: u64,
    pub template_key: String,
    pub entry_file: String,
    pub files_hash: String,
    pub file_count: usize,
    pub source_revision_id: Option<String>,
    pub restored_from_revision_id: Option<String>,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"app_init\" | \"manual_save\" | \"file_revert\" | \"coding_run\" | \"scaffold\" \
                   | \"template_reset\" | \"restore\" | \"undo\" | \"redo\" | \"merge\"")
    )]
    pub origin_kind: String,
    pub label: Option<String>,
    pub changed: Vec<Changed>,
    pub created_by: String,
    pub created_at: String,
    #[cfg_attr(feature = "ts", ts(type = "\"queued\" | \"running\" | \"succeeded\" | \"failed\" | null"))]
    pub build_status: Option<String>,
    pub build_seq: Option<i64>,
    pub build_error_code: Option<String>,
    pub build_started_at: Option<String>,
    pub build_finished_at: Option<String>,
    /// How it is served: always `vite_static`.
    pub template_runtime: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub files: Option<Files>,
}

/// What a save answers: the draft after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedVersion {
    #[serde(flatten)]
    pub revision: AppVersion,
    /// Nothing was another, so there is no new revision.
    pub noop: bool,
    /// What came meanwhile was joined with it.
    pub merged: bool,
    /// Whether it was built before it counted.
    pub verified: bool,
    /// Warnings of the check, as it says them.
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
}

/// What a check of a save answers; nothing was stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValidatedSave {
    pub ok: bool,
    pub entry_file: String,
    pub file_count: usize,
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
}

/// What undo, redo and restore answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteppedVersion {
    pub revision: AppVersion,
    pub restored_from_revision_id: Option<String>,
    pub can_undo: bool,
    pub can_redo: bool,
}

/// What a file that was taken from another revision answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RevertedFile {
    pub revision: AppVersion,
    pub reverted_path: String,
    pub from_revision_id: String,
}

/// What a page of the builder begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BuilderState {
    pub app: App,
    pub templates: Vec<AppTemplate>,
    pub current_draft_revision: AppVersion,
    pub current_published_revision: Option<AppVersion>,
    /// Opens what the draft's build left; null without a preview origin.
    pub preview_token: Option<String>,
    /// Where that is looked at.
    pub preview_url: Option<String>,
    /// The request of the run that goes on.
    pub active_run: Option<String>,
    pub can_undo: bool,
    pub can_redo: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppTemplate {
    pub key: String,
    pub name: String,
    pub description: String,
    pub thumbnail: String,
    pub tags: Vec<String>,
    pub entry_file: String,
    pub style_tokens: BTreeMap<String, String>,
    /// The hash of its files.
    pub template_hash: String,
}

/// Where a revision is looked at, and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreviewAddress {
    pub revision_id: String,
    pub preview_token: String,
    pub preview_url: String,
    pub expires_at: String,
}

/// What a public page needs to know of an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppRuntime {
    pub app_id: String,
    pub slug: String,
    pub revision_id: String,
    /// How it is served: always `vite_static`.
    pub runtime_mode: String,
    pub published_url: String,
    pub asset_base_url: String,
    /// Where its API lies: always `/api/py`.
    pub api_base_path: String,
}

/// One change of what an address shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppPublication {
    pub publish_seq: i64,
    pub revision_id: String,
    /// One of `publish`, `rollback` and `unpublish`.
    #[cfg_attr(feature = "ts", ts(type = "\"publish\" | \"rollback\" | \"unpublish\""))]
    pub kind: String,
    pub published_by: String,
    pub at: String,
    /// Whether the address has it.
    pub done: bool,
}

/// What a user has not saved yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptWork {
    pub base_revision_id: String,
    pub files: Files,
    pub entry_file: Option<String>,
    pub updated_at: String,
}

/// A named place of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppCheckpoint {
    pub id: String,
    pub revision_id: String,
    pub label: String,
    /// One of `named` and `auto_run`.
    #[cfg_attr(feature = "ts", ts(type = "\"named\" | \"auto_run\""))]
    pub checkpoint_type: String,
    pub created_at: String,
}

/// What differs between two revisions, file by file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedVersions {
    pub from: String,
    pub to: String,
    pub files: Vec<ComparedFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedFile {
    #[serde(flatten)]
    pub changed: Changed,
    /// The answer of `text.diff` for its texts.
    #[cfg_attr(feature = "ts", ts(as = "holdpoint_text::Diff"))]
    pub diff: Value,
}

/// What stands in the way of publishing a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppHealth {
    pub revision_id: String,
    /// Whether nothing found refuses a publish.
    pub ok: bool,
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
}

/// That an app, or a checkpoint of one, is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedOfApp {
    /// What became of it: always `deleted`.
    pub status: String,
    pub id: String,
}
