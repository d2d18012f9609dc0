//! `edit_ops_patch_only`: the JSON Schema for providers that decode under one (spec: script-tool.md §3).
//!
//! Strict in the sense of such providers: no further properties, every key required. It never replaces the parser.

use serde_json::{Value, json};

use crate::policy::VirtualFile;

/// The name under which a provider gets it.
pub const NAME: &str = "edit_ops_patch_only";

pub fn edit_ops_patch_only() -> Value {
    json!({
        "type": "object",
        "properties": {
            "assistant_message": { "type": "string" },
            "ops": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "op": { "type": "string", "enum": ["patch"] },
                        "target_file": { "type": "string", "enum": VirtualFile::ALL },
                        "patch_lines": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
                    },
                    "required": ["op", "target_file", "patch_lines"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["assistant_message", "ops"],
        "additionalProperties": false,
    })
}
