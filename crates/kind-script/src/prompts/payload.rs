//! What stands in the user message: minified JSON with keys in a fixed order (spec: script-tool.md §3, §6, §8).
//!
//! Invariants: a file is whole or not there; edit-ops payloads carry all five; files come in canonical order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::context::{Cursor, Location, Selection};
use crate::policy::VirtualFile;

/// Texts by file, in canonical order.
pub type VirtualFiles = BTreeMap<VirtualFile, String>;

/// Failures of an attempt that the model is told of.
const MAX_FAILURES: usize = 20;
/// Characters of each text of a failure.
const MAX_FAILURE_CHARS: usize = 4_000;
/// Items of each list of a failure.
const MAX_FAILURE_ITEMS: usize = 40;

/// The attempt that failed, as the page or the server describes it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Feedback {
    pub error_details: Vec<Value>,
    /// Why the person did not take it.
    pub discarded_reason: Option<String>,
}

#[derive(Serialize)]
struct EditOps<'p> {
    message: &'p str,
    active_file: VirtualFile,
    virtual_files: &'p VirtualFiles,
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<Selection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<Cursor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_attempt: Option<Value>,
}

/// The payload of an edit: `message`, `active_file`, `virtual_files`, then what is present of `selection`, `cursor`,
/// `previous_attempt`.
pub fn edit_ops(
    message: &str,
    active_file: VirtualFile,
    virtual_files: &VirtualFiles,
    location: &Location,
    feedback: Option<&Feedback>,
) -> String {
    let previous_attempt = feedback.map(previous_attempt);
    let Location { selection, cursor } = *location;
    json!(EditOps { message, active_file, virtual_files, selection, cursor, previous_attempt }).to_string()
}

/// Members of a failure: the model's name, and that of the preview.
const FAILURE: &[(&str, &str)] = &[
    ("code", "code"),
    ("target_file", "target_file"),
    ("hunk_header", "hunk_header"),
    ("expected_lines", "expected_snippet"),
    ("actual_lines", "base_snippet"),
    ("competing_lines", "candidates"),
    ("hint", "hint"),
];

/// What failed: code, file, hunk header, expected lines, the lines that are really there, competing line numbers, hint.
pub fn previous_attempt(feedback: &Feedback) -> Value {
    let failure = |detail: &Value| -> Value {
        let members = FAILURE.iter().filter_map(|(name, source)| {
            let value = detail.get(source).filter(|value| !value.is_null())?;
            Some(((*name).to_owned(), bounded(value)))
        });
        members.collect::<Map<_, _>>().into()
    };
    let failures: Vec<Value> = feedback.error_details.iter().take(MAX_FAILURES).map(failure).collect();
    let mut attempt = Map::from_iter([("failures".to_owned(), Value::Array(failures))]);
    if let Some(reason) = &feedback.discarded_reason {
        attempt.insert("discarded_reason".to_owned(), cut(reason).into());
    }
    attempt.into()
}

/// The same value, short: the client describes the attempt, so nothing keeps it from being long.
fn bounded(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(items) => items.iter().take(MAX_FAILURE_ITEMS).map(bounded).collect(),
        Value::Object(_) => Value::Null,
        other => other.clone(),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_FAILURE_CHARS).collect()
}

#[derive(Serialize)]
struct Chat<'p> {
    kind: &'static str,
    schema_version: u32,
    message: &'p str,
    active_file: VirtualFile,
    virtual_files: BTreeMap<VirtualFile, &'p str>,
    omitted_virtual_file_ids: Vec<VirtualFile>,
}

/// The payload of a chat with the first `kept` files: the active one, then canonical order.
pub fn chat(message: &str, active_file: VirtualFile, files: &VirtualFiles, kept: usize) -> (String, Vec<VirtualFile>) {
    let others = files.keys().copied().filter(|file| *file != active_file);
    let order = files.contains_key(&active_file).then_some(active_file).into_iter().chain(others);
    let taken: Vec<VirtualFile> = order.take(kept).collect();
    let omitted: Vec<VirtualFile> = files.keys().copied().filter(|file| !taken.contains(file)).collect();
    let payload = Chat {
        kind: "editor_chat_user_payload",
        schema_version: 1,
        message,
        active_file,
        virtual_files: files
            .iter()
            .filter(|(file, _)| taken.contains(file))
            .map(|(file, text)| (*file, text.as_str()))
            .collect(),
        omitted_virtual_file_ids: omitted.clone(),
    };
    (json!(payload).to_string(), omitted)
}
