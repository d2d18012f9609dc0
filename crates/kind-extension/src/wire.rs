//! What the routes of a user's extensions answer, and the bodies that they read (spec: authoring.md §8 "Record",
//! §9.1).

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Install;
use super::conversation::{Conversation, SpentOn};

/// What is installed under one id.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExtensionRecord {
    pub id: String,
    pub version: String,
    /// Canonical hash of the files.
    pub content_hash: String,
    /// The revision that stored these files.
    pub revision_id: String,
    pub granted: Vec<String>,
    /// Whether the host loads it.
    pub enabled: bool,
    #[serde(rename = "reason", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub disabled_reason: Option<String>,
    /// Where it came from: `authored`, `edited`, …
    pub origin: String,
    /// In milliseconds since 1970, UTC.
    pub installed_at: i64,
    /// The SDK that it was checked with.
    pub sdk_version: String,
    /// Test results as the page reported them, with who did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub last_result: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub plan_hash: Option<String>,
    /// `{version, content_hash, revision_id}` of what undo goes back to, where that is a version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub previous: Option<Json>,
    pub can_undo: bool,
    pub can_redo: bool,
}

/// One change of what is installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Revision"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Revision"))]
pub struct ExtensionRevision {
    /// `rev_<number>`, rising within a project.
    pub revision_id: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    #[serde(rename = "who")]
    pub actor: String,
    /// It is one of `install`, `undo`, `redo`, `remove`.
    pub cause: String,
    /// The version before; `None` where none was installed.
    pub base_hash: Option<String>,
    /// The version after; `None` where none is installed.
    pub content_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub version: Option<String>,
}

/// What led to a revision, and the signature that ended it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToldChange {
    #[serde(flatten)]
    pub conversation: Conversation,
    pub signed: HistoryEntry,
}

/// One change of anything that is or was installed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryEntry {
    pub extension: String,
    /// Its name at that time; the id where none is known.
    pub name: String,
    #[serde(flatten)]
    pub revision: ExtensionRevision,
    /// What was granted after it; none where nothing is installed.
    pub granted: Vec<String>,
    /// The number of the change that led to it; none where none was told.
    pub number: Option<u32>,
    pub change: Option<String>,
    pub spent: Option<SpentOn>,
}

/// The body of an install.
// What was signed is read as a `Signature`, which nothing but a request can make; it is described here.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Install"))]
pub struct InstallBody {
    #[serde(flatten)]
    pub install: Install,
    /// What the user saw installed.
    #[serde(default)]
    pub base_hash: Option<String>,
    /// The newest revision of the id that the user saw, null where there never was one. Where it is sent, what was removed
    /// or brought back meanwhile makes the signature stale.
    #[serde(default)]
    pub base_revision_id: Option<String>,
    pub patch_id: String,
    pub result_hash: String,
    /// Of the review, where a look was asked for.
    #[serde(default)]
    pub confirm_token: Option<String>,
    /// The extension's id, where it had to be typed.
    #[serde(default)]
    pub typed_id: Option<String>,
}

/// The body of a step: undo, redo, enable, disable, remove. The base may stand in the query instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Step"))]
pub struct StepBody {
    /// The content hash that the user saw; null for none.
    pub base_hash: Option<String>,
    #[serde(default)]
    pub reason: Option<String>,
}

impl StepBody {
    /// A body that may say nothing; `None`: it names no base, and nothing is no base. A reason that is no text is none.
    pub fn read(body: &Json) -> Option<Self> {
        let base_hash = match body.get("base_hash")? {
            Json::Null => None,
            Json::String(hash) => Some(hash.clone()),
            _ => return None,
        };
        Some(Self { base_hash, reason: reason(body) })
    }
}

/// Why a step is made, as far as it is told.
pub fn reason(body: &Json) -> Option<String> {
    body.get("reason")?.as_str().map(str::to_owned)
}

/// What a review says beside its findings.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewFacts {
    /// The bundle by itself has no errors, whatever is granted.
    pub holds: bool,
}
