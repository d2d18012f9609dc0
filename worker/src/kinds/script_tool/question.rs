//! What the Worker asks a tool's object.

use std::collections::BTreeMap;

use holdpoint_store::ledger::Principal;
use holdpoint_store::workspace::Way;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account::Caller;

/// Where a tool's object takes questions.
pub const EDITOR_PATH: &str = "/editor";

/// A question; the account has said who asks, and that the tool is theirs.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    /// For calls of a model.
    pub caller: Caller,
    /// Who asks.
    pub principal: Principal,
    /// Of the request.
    pub correlation_id: String,
    /// The tool.
    pub tool_id: String,
    /// The revision that the account lists, so that the list can follow.
    pub listed: Option<String>,
    /// An administrator measures (spec: script-tool.md §10 "Eval").
    pub eval: bool,
    /// What.
    pub ask: Ask,
}

/// See [`Question`].
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Ask {
    Create { title: String, files: BTreeMap<String, String> },
    Head,
    Save { base: String, files: BTreeMap<String, String> },
    Undo { base: String },
    Redo { base: String },
    Restore { base: String, to: Way },
    Revisions { cursor: Option<String>, limit: u32 },
    Revision { id: String },
    Checkpoint { title: String },
    Checkpoints { cursor: Option<String>, limit: u32 },
    Preview { body: Value },
    Apply { body: Value },
    Discard,
    History { limit: u32 },
    Clear,
    Cancel,
    Chat { body: Value },
    EditOps { body: Value },
}

impl Ask {
    /// Its route below `/api/v1/editor`, as logs name it.
    pub fn route(&self) -> &'static str {
        match self {
            Self::Create { .. } => "POST /tools",
            Self::Head => "GET /tools/{tool_id}",
            Self::Save { .. } => "PUT /tools/{tool_id}",
            Self::Undo { .. } => "POST /tools/{tool_id}/undo",
            Self::Redo { .. } => "POST /tools/{tool_id}/redo",
            Self::Restore { .. } => "POST /tools/{tool_id}/restore",
            Self::Revisions { .. } => "GET /tools/{tool_id}/revisions",
            Self::Revision { .. } => "GET /tools/{tool_id}/revisions/{revision_id}",
            Self::Checkpoint { .. } => "POST /tools/{tool_id}/checkpoints",
            Self::Checkpoints { .. } => "GET /tools/{tool_id}/checkpoints",
            Self::Preview { .. } => "POST /edit-ops/preview",
            Self::Apply { .. } => "POST /edit-ops/apply",
            Self::Discard => "POST /edit-ops/discard",
            Self::History { .. } => "GET /tools/{tool_id}/chat",
            Self::Clear => "DELETE /tools/{tool_id}/chat",
            Self::Cancel => "POST /tools/{tool_id}/chat/cancel",
            Self::Chat { .. } => "POST /tools/{tool_id}/chat",
            Self::EditOps { .. } => "POST /edit-ops",
        }
    }
}
