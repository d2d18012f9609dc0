//! Every pure capability as one method: JSON in, JSON out (spec: facade.md).
//!
//! Owns the dispatch table, the error answer and nothing else: a method reads its input, calls the crate that knows,
//! and writes the output. `bundle.test` is composed by those who have a sandbox (command line, page); its two pure
//! halves are here.

pub mod codes;
mod methods;
#[cfg(test)]
mod test;
pub mod testing;

pub use holdpoint_check::ApiError;
use holdpoint_check::args;
use holdpoint_check::error::NO_JSON;
use holdpoint_check::method::input;
pub use holdpoint_check::method::{Group, Method};
pub use methods::{ALL, ARCHIVE, CHECK, CORE, GATEWAY, PAGES};

use holdpoint_text::DiffOptions;
use serde_json::{Value, json};

/// Every method with its name, in the order of the reference.
pub fn table() -> impl Iterator<Item = (&'static str, Method)> {
    ALL.iter().copied().flat_map(methods_of)
}

fn methods_of(groups: &'static [&'static [Group]]) -> impl Iterator<Item = (&'static str, Method)> {
    groups.iter().flat_map(|groups| groups.iter()).flat_map(|group| group.iter().copied())
}

/// Calls a method. The answer is the output or `{"error": {…}}`.
///
/// ```
/// use serde_json::json;
/// let answer = holdpoint_facade::call("no.such", json!({}));
/// assert_eq!(answer["error"]["code"], "UNKNOWN_METHOD");
/// ```
pub fn call(method: &str, input: Value) -> Value {
    answer(table().find(|(name, _)| *name == method), method, input)
}

/// Calls a method of some groups with JSON text; text that is no JSON answers `INVALID_JSON`. A shell that holds a part
/// of the methods names its groups here, and links nothing of the others.
pub fn call_text(groups: &'static [&'static [Group]], method: &str, input: &str) -> String {
    let found = methods_of(groups).find(|(name, _)| *name == method);
    answer_text(input, |value| Ok(answer(found, method, value)))
}

fn answer(found: Option<(&str, Method)>, method: &str, input: Value) -> Value {
    let answer = match found {
        Some((_, run)) => run(input),
        None => Err(ApiError::of(&codes::UNKNOWN_METHOD, args! { method })),
    };
    answer.unwrap_or_else(|error| json!({ "error": error }))
}

/// `text.diff` of two texts, with the answer as JSON text: the same as by [`call_text`], without putting two whole texts
/// into JSON and taking them out again.
pub fn diff_text(before: &str, after: &str, context: usize) -> String {
    let options = DiffOptions { context, ..DiffOptions::default() };
    match holdpoint_text::diff(before, after, &options) {
        Ok(diff) => diff.to_json(),
        Err(error) => json!({ "error": holdpoint_change::text_error(&error) }).to_string(),
    }
}

/// The Python grammar over text, for the module that holds nothing else; text that is no JSON answers `INVALID_JSON`.
pub fn python_facts_text(input: &str) -> String {
    answer_text(input, methods::facts)
}

/// The archive of files, for the module that draws packages. Input `{path: text}`; the error is an error answer as JSON
/// text.
pub fn archive_text(input: &str) -> Result<Vec<u8>, String> {
    let files = serde_json::from_str(input).map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }));
    files.and_then(|files| holdpoint_kinds::packed(&files)).map_err(|error| json!({ "error": error }).to_string())
}

fn answer_text(input: &str, run: impl FnOnce(Value) -> Result<Value, ApiError>) -> String {
    let value = serde_json::from_str(input).map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }));
    value.and_then(run).unwrap_or_else(|error| json!({ "error": error })).to_string()
}
