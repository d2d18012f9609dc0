//! What is logged of a command: metadata, never content (spec: script-tool.md §10).
//!
//! Invariant: every value here is an id, a number, a code or a tag of ours; nothing that a person or a model wrote
//! passes through this module.

use serde_json::{Value, json};

use super::ProjectCommand;
use crate::answer::with_members;
use crate::js::now_ms;

/// Logs one event of a command.
pub fn event<C>(name: &str, command: &ProjectCommand<C>, since: i64, fields: Value) {
    let of_the_command = json!({
        "event": name,
        "route": command.route,
        "correlation_id": command.correlation_id,
        "tool_id": command.bundle,
        "user_id": command.principal.user_id,
        "elapsed_ms": now_ms() - since,
    });
    worker::console_log!("{}", with_members(fields, of_the_command));
}
