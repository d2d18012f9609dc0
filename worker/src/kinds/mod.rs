//! What the edge does for one kind only: a file a kind, over the one gate (ENGINE §3, §9).
//!
//! A kind stages and checks, `holdpoint_change::sign` compares; what stands here is how a kind's routes say it.

pub mod ifc_extension;
pub mod script_tool;

use holdpoint_kinds::Need;
use serde_json::{Value, json};

/// What the checks of all kinds may need: here every grammar is at hand.
fn given(need: &Need, text: &str) -> Option<Value> {
    (need.method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}
