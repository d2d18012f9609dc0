//! Every pure capability as one method: JSON in, JSON out (spec: facade.md).
//!
//! Owns the dispatch, the error answer and the methods of no kind: a method reads its input, calls the crate that knows,
//! and writes the output. Which kinds there are, the shell says ([`Shell`]).

pub mod codes;
mod methods;
mod shell;
#[cfg(test)]
mod test;

pub use holdpoint_check::ApiError;
use holdpoint_check::args;
use holdpoint_check::error::NO_JSON;
use holdpoint_check::method::input;
pub use holdpoint_check::method::{Group, Method};
pub use methods::{NATIVE, TEXT};
pub use shell::{Shell, python_facts};

use holdpoint_text::DiffOptions;
use serde_json::json;

/// `text.diff` of two texts, with the answer as JSON text: the same as by [`Shell::call_text`], without putting two whole
/// texts into JSON and taking them out again.
pub fn diff_text(before: &str, after: &str, context: usize) -> String {
    let options = DiffOptions { context, ..DiffOptions::default() };
    match holdpoint_text::diff(before, after, &options) {
        Ok(diff) => diff.to_json(),
        Err(error) => json!({ "error": holdpoint_change::text_error(&error) }).to_string(),
    }
}

/// The Python grammar over text, for the module that holds nothing else; text that is no JSON answers `INVALID_JSON`.
pub fn python_facts_text(input: &str) -> String {
    let value = serde_json::from_str(input).map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }));
    value.and_then(methods::facts).unwrap_or_else(|error| json!({ "error": error })).to_string()
}
