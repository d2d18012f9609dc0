//! Bodies and answers of turns (spec: ai-sessions.md §3, §5).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::sessions::Suggestion;

type Object = Map<String, Value>;

/// What is said, with what an editor has open of the session's target. Contexts of other types are not looked at.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewMessageSent"))]
#[serde(rename_all = "camelCase", default)]
pub struct MessageBody {
    pub content: String,
    /// The page's own name for it, at most 64 characters: sent again under it after a failure, it stands once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_context: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_node: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_context: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_context: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset_context: Option<Object>,
    /// Keys of objects that the context leaves out, as `asset:assets/a.md`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewTurnResult"))]
#[serde(rename_all = "camelCase")]
pub struct TurnResult {
    pub session_id: String,
    pub turn_id: String,
    pub message_id: String,
    /// Never the text of a file.
    pub assistant_summary: String,
    pub has_change: bool,
    pub suggestion_version: Option<i64>,
    pub change_set_id: Option<String>,
    pub valid: Option<bool>,
    pub latest_suggestion: Option<Suggestion>,
    pub normalized_change_set: Value,
    /// `{valid, schemaFailed, errors, warnings, meta}`; null where nothing was proposed.
    pub validation: Value,
    pub preview: Value,
    pub errors: Vec<Value>,
    pub warnings: Vec<Value>,
    pub notes: Vec<Value>,
    pub assumptions: Vec<Value>,
    /// `{kind, payload}` of each event of the turn.
    pub runtime_trace: Vec<Value>,
    pub usage: TurnUsage,
}

/// What a transcript keeps of a result, under the names that it has there. Of long lists the first are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewTurnKept"))]
#[serde(rename_all = "camelCase", default)]
pub struct TurnKept {
    pub has_change: bool,
    pub suggestion_version: Option<i64>,
    pub valid: Option<bool>,
    pub warnings: Vec<Value>,
    pub notes: Vec<Value>,
    pub assumptions: Vec<Value>,
    pub usage: TurnUsage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewTurnUsage"))]
#[serde(rename_all = "camelCase", default)]
pub struct TurnUsage {
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub iterations: u32,
    /// Answers that were sent back.
    pub repairs: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewTurnStopped"))]
pub struct Stopped {
    pub stopped: bool,
}
