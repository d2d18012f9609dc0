//! Prompts: each kind composes its own, and says in its own way what of a context or a conversation fits (spec:
//! authoring.md §4, script-tool.md §3, §8, ai-sessions.md §7).

use holdpoint_kinds::{KINDS, Parts};
use serde_json::Value;

use super::bundle::no_kind;
use crate::{ApiError, Group, Method};

/// The methods of this file.
pub const METHODS: Group = &[
    ("prompt.compose", |value| of_kind(value, |parts| parts.prompt)),
    ("history.window", |value| of_kind(value, |parts| parts.window)),
    ("context.pack", |value| of_kind(value, |parts| parts.context)),
];

/// The method of the kind that an input names.
pub(super) fn of_kind(value: Value, method: fn(Parts) -> Option<Method>) -> Result<Value, ApiError> {
    let name = value.get("kind").and_then(Value::as_str).unwrap_or_default();
    let having = || KINDS.iter().filter_map(|kind| Some((kind.id(), method(kind.parts())?)));
    match having().find(|(id, _)| *id == name) {
        Some((_, run)) => run(value),
        None => Err(no_kind(name, having().map(|(id, _)| id))),
    }
}
