//! Bundles: check, and changes of files (spec: facade.md, ifc-extension.md §7, script-tool.md §2).

use holdpoint_bundle::Files;
use holdpoint_check::args;
use holdpoint_kinds::{KINDS, find};
use serde::Deserialize;
use serde_json::{Value, json};

use super::prompt::of_kind;
use crate::codes::NO_KIND;
use crate::{ApiError, Group, Method, input};

/// The methods of this file, for shells that hold the Python grammar.
pub const METHODS: Group = &[("bundle.check", |value| check(value, facts)), APPLY];
/// The same where the grammar is a module of its own: its answer comes as an option.
pub const GIVEN_FACTS: Group = &[("bundle.check", |value| check(value, |_, _| None)), APPLY];

/// Operations on files mean what their kind says.
const APPLY: (&str, Method) = ("files.apply", |value| of_kind(value, |parts| parts.apply));

/// Files that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_FILES: usize = 10_000;
/// Bytes that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_BYTES: usize = 64 << 20;

#[derive(Deserialize)]
struct Check {
    kind: String,
    files: Files,
    #[serde(default)]
    options: Value,
}

/// What a method says of a text.
type Grammar = fn(&str, &str) -> Option<Value>;

fn facts(method: &str, text: &str) -> Option<Value> {
    (method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}

fn check(value: Value, grammar: Grammar) -> Result<Value, ApiError> {
    let Check { kind, files, options } = input(value)?;
    let known = || no_kind(&kind, KINDS.iter().map(|kind| kind.id()));
    let found = find(&kind).ok_or_else(known)?;
    bounded(&files)?;
    let report = found.check(&files, &options, &|need, text| grammar(need.method, text))?;
    Ok(json!(report))
}

/// `INVALID_INPUT` for a kind that a method does not know.
pub(super) fn no_kind<'i>(name: &str, known: impl Iterator<Item = &'i str>) -> ApiError {
    let known: Vec<String> = known.map(|id| format!("`{id}`")).collect();
    ApiError::at("/kind", &NO_KIND, args! { kind: name, known: known.join(", ") })
}

fn bounded(files: &Files) -> Result<(), ApiError> {
    let bytes: usize = files.iter().map(|(path, text)| path.len() + text.len()).sum();
    let over = |limit, max, actual| if actual > max { Err(ApiError::over(limit, max, actual)) } else { Ok(()) };
    over("MAX_INPUT_FILES", MAX_INPUT_FILES, files.len())?;
    over("MAX_INPUT_BYTES", MAX_INPUT_BYTES, bytes)
}

#[cfg(test)]
pub mod reference;
