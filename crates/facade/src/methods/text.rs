//! Text: lines and diffs (spec: text-engine.md §2).

use holdpoint_text::{DiffError, DiffOptions, diff};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ErrorAnswer, Method, input};

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[("text.diff", text_diff)];

#[derive(Deserialize)]
struct DiffInput {
    before: String,
    after: String,
    #[serde(default = "default_context")]
    context: usize,
    #[serde(default = "default_path")]
    path: String,
}

fn default_context() -> usize {
    DiffOptions::default().context
}

fn default_path() -> String {
    DiffOptions::default().path.to_owned()
}

fn text_diff(value: Value) -> Result<Value, ErrorAnswer> {
    let DiffInput { before, after, context, path } = input(value)?;
    let answer = diff(&before, &after, &DiffOptions { context, path: &path }).map_err(|error| match error {
        DiffError::Context(_) => ErrorAnswer::invalid_input("/context", error.to_string()),
        DiffError::TooLarge { unit, limit, actual } => ErrorAnswer::new("INPUT_TOO_LARGE", error.to_string())
            .with(json!({ "unit": unit, "limit": limit, "actual": actual })),
    })?;
    Ok(json!(answer))
}
