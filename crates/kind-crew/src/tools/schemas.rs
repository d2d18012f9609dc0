//! JSON Schemas of the arguments of tools (spec: ai-sessions.md §6).
//!
//! Types are exact and members closed. A session and a project may be named: whether they are the right ones is looked
//! at by the tool.

/// Of a tool that takes nothing of its own.
pub const SESSION: &str = r#"{"type": "object", "additionalProperties": false,
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"}}}"#;

pub const WORKFLOW: &str = r#"{"type": "object", "additionalProperties": false, "required": ["workflowId"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "workflowId": {"type": "integer", "minimum": 1}}}"#;

/// A step, by one of two names.
pub const STEP: &str = r#"{"type": "object", "additionalProperties": false, "required": ["workflowId"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "workflowId": {"type": "integer", "minimum": 1},
    "nodeId": {"type": "string", "minLength": 1, "description": "The id of its node."},
    "stepPath": {"type": "string", "minLength": 1, "description": "Its file, instead of nodeId."}}}"#;

pub const AGENT: &str = r#"{"type": "object", "additionalProperties": false, "required": ["agentId"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "agentId": {"type": "string", "minLength": 1}}}"#;

/// A part of an asset.
pub const ASSET: &str = r#"{"type": "object", "additionalProperties": false, "required": ["path"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "path": {"type": "string", "minLength": 1},
    "offset": {"type": "integer", "minimum": 0, "description": "The first character, from 0."},
    "limit": {"type": "integer", "minimum": 1, "description": "Characters, at most 16000."}}}"#;

/// What references are asked of.
pub const REFS: &str = r#"{"type": "object", "additionalProperties": false, "required": ["locator"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "locator": {"type": "object", "additionalProperties": false, "required": ["type"],
      "description": "{type, id} of a workflow, step, agent or asset; or {type, value} of an id or a path.",
      "properties": {
        "type": {"enum": ["workflow", "step", "agent", "asset", "id", "path"]},
        "id": {"type": ["string", "integer"]},
        "value": {"type": "string", "minLength": 1},
        "workflowId": {"type": "integer", "minimum": 1, "description": "Of a step."}}}}}"#;

/// A change set that is to be staged.
pub const STAGE: &str = r#"{"type": "object", "additionalProperties": false, "required": ["changeSet"],
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "changeSet": {"type": "object", "description": "As the output contract has it."}}}"#;

/// A staged change set; the open one where none is named.
pub const CHANGE_SET: &str = r#"{"type": "object", "additionalProperties": false,
  "properties": {"sessionId": {"type": "string"}, "projectId": {"type": "string"},
    "changeSetId": {"type": "string", "minLength": 1}}}"#;
