//! What a script's project is asked.

use std::collections::BTreeMap;

use holdpoint_store::workspace::Way;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::project::ProjectCommand;

/// A command about a script.
pub type Command = ProjectCommand<ScriptCommand>;

#[derive(Debug, Serialize, Deserialize)]
pub enum ScriptCommand {
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
