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
    /// Its route, as logs name it.
    pub route: String,
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
