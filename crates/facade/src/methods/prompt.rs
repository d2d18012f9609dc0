//! Prompts: each kind composes its own (spec: authoring.md §4, script-tool.md §3).

use holdpoint_kinds::KINDS;
use serde_json::Value;

use super::bundle::no_kind;
use crate::{ApiError, Group};

/// The methods of this file.
pub const METHODS: Group = &[("prompt.compose", prompt_compose)];

fn prompt_compose(value: Value) -> Result<Value, ApiError> {
    let name = value.get("kind").and_then(Value::as_str).unwrap_or_default();
    let composing = || KINDS.iter().filter_map(|kind| Some((kind.id(), kind.parts().prompt?)));
    let Some((_, compose)) = composing().find(|(id, _)| *id == name) else {
        return Err(no_kind(name, composing().map(|(id, _)| id)));
    };
    compose(value)
}
