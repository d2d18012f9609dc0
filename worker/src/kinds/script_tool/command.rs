//! What a script's project is asked.

use holdpoint_bundle::Files;
use holdpoint_kind_script::requests::{ApplyRequest, NewScriptRequest, PreviewRequest, Version};
use serde_json::Value;

use crate::project::ProjectCommand;

/// A command about a script.
pub type Command = ProjectCommand<ScriptCommand>;

pub enum ScriptCommand {
    Create(NewScriptRequest),
    Head,
    Rename { title: String },
    Delete,
    BringBack,
    Save { base: String, files: Files },
    Undo { base: String },
    Redo { base: String },
    Restore { base: String, to: Version },
    Revisions { cursor: Option<String>, limit: u32 },
    Revision { id: String },
    Checkpoint { title: String },
    Checkpoints { cursor: Option<String>, limit: u32 },
    Preview(PreviewRequest),
    Apply(Box<ApplyRequest>),
    Discard,
    History { limit: u32 },
    Clear,
    Cancel,
    Chat { body: Value },
    EditOps { body: Value },
}
