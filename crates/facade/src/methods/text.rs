//! Text: diffs, selection of hunks, and the preview and application of proposed edits (spec: text-engine.md).

use holdpoint_change::text_error;
use holdpoint_text::{ApplyInput, DiffOptions, GateTokens, RawPreview, TextError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{ApiError, Group, input};

/// The methods of this file.
pub const METHODS: Group = &[
    ("text.diff", text_diff),
    ("text.select", text_select),
    ("text.preview", text_preview),
    ("text.apply", text_apply),
];

#[derive(Deserialize)]
struct DiffInput {
    before: String,
    after: String,
    #[serde(default = "default_context")]
    context: usize,
    #[serde(default = "default_path")]
    path: String,
}

#[derive(Deserialize)]
struct SelectInput {
    before: String,
    after: String,
    accept: Vec<String>,
    #[serde(default = "default_context")]
    context: usize,
}

fn default_context() -> usize {
    DiffOptions::default().context
}

fn default_path() -> String {
    DiffOptions::default().path.to_owned()
}

fn text_diff(value: Value) -> Result<Value, ApiError> {
    let DiffInput { before, after, context, path } = input(value)?;
    answered(holdpoint_text::diff(&before, &after, &DiffOptions { context, path: &path }))
}

fn text_select(value: Value) -> Result<Value, ApiError> {
    let SelectInput { before, after, accept, context } = input(value)?;
    answered(holdpoint_text::select(&before, &after, &accept, context))
}

fn text_preview(value: Value) -> Result<Value, ApiError> {
    let mut raw: RawPreview = input(value)?;
    let accept = raw.accept.take();
    answered(raw.resolve().and_then(|proposal| match accept {
        Some(accept) => holdpoint_text::preview_accepted(&proposal, &accept),
        None => Ok(holdpoint_text::preview(&proposal)),
    }))
}

fn text_apply(value: Value) -> Result<Value, ApiError> {
    let mut raw: RawPreview = input(value.clone())?;
    let tokens: GateTokens = input(value)?;
    let accept = raw.accept.take();
    answered(raw.resolve().and_then(|preview| holdpoint_text::apply(&ApplyInput { preview, accept, tokens })))
}

fn answered(answer: Result<impl Serialize, TextError>) -> Result<Value, ApiError> {
    answer.map(|answer| json!(answer)).map_err(|error| text_error(&error))
}

#[cfg(test)]
pub mod reference;
