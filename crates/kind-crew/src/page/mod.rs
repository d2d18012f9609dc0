//! A package as pages show and edit it (spec: crew-package.md §1, §3, §4).
//!
//! Owns what a page sees of the texts, and how they are changed; whether they are right is the check's matter. It reads
//! with the readers of the check and needs no schema, so a page holds it where it draws. Invariants: what cannot be read
//! is empty or left out, and is no error; an edit leaves every byte that it is not about; a text that cannot be read is
//! not changed.
//!
//! ```
//! use holdpoint_kind_crew::page::{set_field, step};
//! let text = "---\nnodeId: a # why\n---\n# A\n";
//! assert_eq!(step(text).body, "# A\n");
//! assert_eq!(set_field(text, "nodeId", &"b".into()), "---\nnodeId: \"b\" # why\n---\n# A\n");
//! ```

mod agents;
mod cited;
#[cfg(feature = "ts")]
pub mod declared;
mod field;
mod graph;
mod members;
mod package;
mod step;

#[cfg(test)]
mod tests;

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::method::{Group, input};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::archive::file_name;
use super::check::bounded;
use super::documents::json as read_json;

pub use cited::Citing;
pub use field::set_field;
pub use package::{ShownAsset, ShownPackage, ShownWorkflow, read};
pub use step::{StepFields, StepText, new_step, step};

/// The methods of this folder.
pub const METHODS: Group = &[
    ("crew.file_name", crew_file_name),
    ("crew.new_step", crew_new_step),
    ("crew.read", crew_read),
    ("crew.set_field", crew_set_field),
    ("crew.step", crew_step),
];

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct NewStep {
    node: Map<String, Value>,
}

#[derive(Deserialize)]
struct ToRead {
    files: Files,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct ToSet {
    text: String,
    field: String,
    value: Value,
}

#[derive(Deserialize)]
struct StepFile {
    text: String,
}

fn crew_file_name(value: Value) -> Result<Value, ApiError> {
    let Named { name } = input(value)?;
    Ok(json!({ "file": file_name(&name) }))
}

fn crew_new_step(value: Value) -> Result<Value, ApiError> {
    let NewStep { node } = input(value)?;
    Ok(json!({ "text": new_step(&Value::Object(node)) }))
}

fn crew_read(value: Value) -> Result<Value, ApiError> {
    let ToRead { files, name } = input(value)?;
    bounded(&files)?;
    Ok(json!(read(&files, &name)))
}

fn crew_set_field(value: Value) -> Result<Value, ApiError> {
    let ToSet { text, field, value } = input(value)?;
    Ok(json!({ "text": set_field(&text, &field, &value) }))
}

fn crew_step(value: Value) -> Result<Value, ApiError> {
    let StepFile { text } = input(value)?;
    Ok(json!(step(&text)))
}

/// The value of a JSON file; `None` where it is not there or cannot be read.
fn value(files: &Files, path: &str) -> Option<Value> {
    Some(read_json::read(files.get(path)?).ok()?.ok()?.value)
}

#[cfg(feature = "schema")]
pub mod reference;
