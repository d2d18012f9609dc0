//! Bodies and answers of sessions and their change sets (spec: ai-sessions.md §3, §4, §10).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Listed;
use super::turns::TurnKept;

type Object = Map<String, Value>;

/// What a session shall be about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewNewSession"))]
#[serde(rename_all = "camelCase")]
pub struct NewSessionBody {
    /// Of a workflow or a step; a new workflow may leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<u64>,
    /// It is one of `workflow`, `step`, `agent`, `asset`.
    pub target_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<String>,
    /// It is one of `create`, `optimize`.
    pub mode: String,
    /// The first turn starts at once with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_prompt: Option<String>,
}

/// What a session is about, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSession"))]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// `as_` and sixteen hex digits.
    pub session_id: String,
    pub project_id: String,
    pub workflow_id: Option<u64>,
    pub target_type: String,
    pub target_id: String,
    pub mode: String,
    /// It is one of `active`, `cancelled`, `failed`.
    pub status: String,
    /// In milliseconds since 1970, UTC.
    pub created_at: i64,
    /// Of its last activity, ms since 1970.
    pub updated_at: i64,
}

/// A session as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSessionListed"))]
#[serde(rename_all = "camelCase")]
pub struct SessionListed {
    #[serde(flatten)]
    pub session: SessionItem,
    /// The first words that were said in it, in one line; null before.
    pub title: Option<String>,
    /// Of its newest change set: `staged`, `validated`, `applied`, `rejected`; null where there is none.
    pub suggestion_status: Option<String>,
}

/// A session that was just made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSessionMade"))]
#[serde(rename_all = "camelCase")]
pub struct SessionMade {
    #[serde(flatten)]
    pub session: SessionItem,
    /// What the first turn would send.
    pub context_envelope: Value,
    pub latest_suggestion: Value,
    /// Of the first turn, where it was started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The newest change set of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSuggestion"))]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    pub version: i64,
    pub change_set_id: String,
    /// It is one of `staged`, `validated`, `applied`, `rejected`.
    pub status: String,
    pub change_set: Value,
}

/// A message of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewMessage"))]
#[serde(rename_all = "camelCase")]
pub struct MessageItem {
    pub id: String,
    pub turn_id: String,
    pub role: String,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_args: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_result: Option<Value>,
    /// It is one of `ok`, `failed`.
    pub status: &'static str,
    pub client_message_id: Option<String>,
    pub change_set_id: Option<String>,
    /// In milliseconds since 1970, UTC.
    pub created_at: i64,
    /// Of an answer: what its turn gave beside the words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<TurnKept>,
    /// Of words whose turn has no answer: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
}

/// A session with what was said and proposed in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSessionShown"))]
#[serde(rename_all = "camelCase")]
pub struct SessionShown {
    pub session: SessionListed,
    pub latest_suggestion: Option<Suggestion>,
    /// What its newest validation said.
    pub validation: Value,
    pub preview: Value,
    pub active_turn: Option<ActiveTurn>,
    pub messages: Listed<MessageItem>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewActiveTurn"))]
#[serde(rename_all = "camelCase")]
pub struct ActiveTurn {
    pub turn_id: String,
}

/// What the next turn would send.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewContext"))]
#[serde(rename_all = "camelCase")]
pub struct ContextShown {
    pub context_envelope: Value,
    pub trim_report: Value,
    pub referenced_asset_paths: Vec<String>,
    pub prompt_signature: String,
    pub tokens: Value,
}

/// A set for a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewStage"))]
#[serde(rename_all = "camelCase")]
pub struct StageBody {
    pub session_id: String,
    pub change_set: Object,
}

/// A stored set by its id, or a text without one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewValidate"))]
#[serde(rename_all = "camelCase")]
pub struct ValidateBody {
    pub session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_set_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion_version: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_set: Option<Object>,
}

/// A set of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSetNamed"))]
#[serde(rename_all = "camelCase")]
pub struct SetBody {
    pub session_id: String,
    pub change_set_id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewApply"))]
#[serde(rename_all = "camelCase")]
pub struct ApplyShape {
    /// Where the path names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    pub change_set_id: String,
    pub confirm_source: String,
    /// The counters that were seen; one that is missing is not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision_base: Option<Object>,
    /// `{baseHash, resultHash}` of the preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Object>,
    /// Of the preview, where it asks for a confirmation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_token: Option<String>,
}

/// A set that was staged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewStaged"))]
#[serde(rename_all = "camelCase")]
pub struct SetStaged {
    pub change_set_id: String,
    pub status: &'static str,
    pub suggestion_version: i64,
    pub warnings: Value,
}

/// A verdict, with the preview that it issues.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewValidated"))]
#[serde(rename_all = "camelCase")]
pub struct SetValidated {
    pub valid: bool,
    pub schema_failed: bool,
    pub change_set_id: Option<String>,
    pub session_id: String,
    pub status: Option<&'static str>,
    pub errors: Value,
    pub warnings: Value,
    pub meta: Value,
    pub normalized_change_set: Value,
    /// `{changeSetId, baseHash, resultHash, confirm[], confirmToken}`, where the set holds.
    pub preview: Value,
}

/// What a person looks at before an apply.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewPreview"))]
#[serde(rename_all = "camelCase")]
pub struct PreviewShown {
    pub preview: Value,
    /// `{object, file, status, before, after}` of each file.
    pub changed: Value,
    pub validation: Value,
    pub impact: Value,
}

/// A set that was applied.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewApplied"))]
#[serde(rename_all = "camelCase")]
pub struct SetApplied {
    pub applied: bool,
    pub session_id: String,
    pub session_status: &'static str,
    pub change_set_id: String,
    pub new_revision: NewRevision,
    pub changed: Value,
    pub warnings: Value,
}

/// The counters after an apply; null where the session is in no workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewNewRevision"))]
#[serde(rename_all = "camelCase")]
pub struct NewRevision {
    pub workflow_revision: Option<u64>,
    pub agents_revision: Option<u64>,
    pub assets_revision: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSessionCancelled"))]
#[serde(rename_all = "camelCase")]
pub struct SessionCancelled {
    pub cancelled: bool,
    pub session_id: String,
    /// Open sets that this rejected.
    pub rejected_count: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSetDiscarded"))]
pub struct SetDiscarded {
    pub discarded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewSessionDeleted"))]
pub struct SessionDeleted {
    pub deleted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAuditEvent"))]
#[serde(rename_all = "camelCase")]
pub struct AuditItem {
    pub id: String,
    pub project_id: String,
    pub session_id: Option<String>,
    pub change_set_id: Option<String>,
    pub suggestion_version: Option<i64>,
    pub user_id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub outcome: String,
    pub code: Option<String>,
    pub objects: Value,
    pub detail: Value,
    pub duration_ms: Option<i64>,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
}
