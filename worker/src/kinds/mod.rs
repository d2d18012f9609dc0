//! The one table of the kinds at the edge: a folder a kind, over the one gate (ENGINE §3, §9).
//!
//! A kind stages and checks, `holdpoint_change::sign` compares; what stands in a folder is how a kind's routes say it.

pub mod ifc_extension;
pub mod script_tool;

use holdpoint_kinds::Need;
pub use holdpoint_kinds::routes::Id;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::routes::{Asked, Edge};

/// Answers a route of a kind.
pub async fn answer(edge: &Edge, id: Id, asked: Asked) -> Answer {
    match id {
        Id::IfcExtension(id) => ifc_extension::routes::answer(edge, id, asked).await,
        Id::ScriptTool(id) => script_tool::routes::answer(edge, id, asked).await,
    }
}

/// What the checks of all kinds may need: here every grammar is at hand.
fn given(need: &Need, text: &str) -> Option<Value> {
    (need.method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}
