//! What is logged of a command: metadata, never content (spec: script-tool.md §10).
//!
//! Invariant: every value here is an id, a number, a code or a tag of ours; nothing that a person or a model wrote
//! passes through this module.

use serde_json::{Value, json};

use super::ProjectCommand;
use crate::js::now_ms;

/// Logs one event of a command.
pub fn event<C>(name: &str, command: &ProjectCommand<C>, since: i64, mut fields: Value) {
    fields["event"] = json!(name);
    fields["route"] = json!(command.route);
    fields["correlation_id"] = json!(command.correlation_id);
    fields["tool_id"] = json!(command.bundle);
    fields["user_id"] = json!(command.principal.user_id);
    fields["elapsed_ms"] = json!(now_ms() - since);
    worker::console_log!("{fields}");
}
