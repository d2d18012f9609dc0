//! What a shell answers: its groups of methods, and methods that ask the kinds which the shell holds.
//!
//! Invariant: nothing here names the table of all kinds, so that a module of the page links the checks of its own alone.

use holdpoint_bundle::Files;
use holdpoint_check::args;
use holdpoint_check::error::NO_JSON;
use holdpoint_kind::{CheckEntry, Counter};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::codes::{NO_KIND, UNKNOWN_METHOD};
use crate::methods::tokens;
use crate::{ApiError, Group, Method, input};

/// Files that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_FILES: usize = 10_000;
/// Bytes that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_BYTES: usize = 64 << 20;

/// What a method says of a text, for a check that asks for it.
type Grammar = fn(&str, &str) -> Option<Value>;

/// A part of the methods, and the kinds that they know.
#[derive(Clone, Copy)]
pub struct Shell {
    /// Methods that ask no kind.
    pub groups: &'static [&'static [Group]],
    pub kinds: &'static [&'static CheckEntry],
    /// How kinds count tokens, by the kind's id.
    pub counters: &'static [(&'static str, Counter)],
    /// What answers the needs of a check.
    pub grammar: Grammar,
}

/// A method that asks the kinds of its shell.
type AskingMethod = fn(&Shell, Value) -> Result<Value, ApiError>;

enum Found {
    Method(Method),
    /// One that every kind of the shell may have under this name.
    Shared,
    Asking(AskingMethod),
}

/// Every method of every kind of a table, as native programs call them: `native_shell!(holdpoint_kinds)`.
#[macro_export]
macro_rules! native_shell {
    ($kinds:ident) => {
        $crate::Shell {
            groups: &[$crate::NATIVE, $kinds::GROUPS],
            kinds: $kinds::CHECKS,
            counters: $kinds::COUNTERS,
            grammar: $crate::python_facts,
        }
    };
}

impl Shell {
    /// Of no method; others are this with more.
    pub const EMPTY: Self = Self { groups: &[], kinds: &[], counters: &[], grammar: |_, _| None };

    /// Calls a method. The answer is the output or `{"error": {…}}`.
    ///
    /// ```
    /// use serde_json::json;
    /// let answer = holdpoint_facade::Shell::EMPTY.call("no.such", json!({}));
    /// assert_eq!(answer["error"]["code"], "UNKNOWN_METHOD");
    /// ```
    pub fn call(&self, method: &str, input: Value) -> Value {
        self.answer(method, input).unwrap_or_else(|error| json!({ "error": error }))
    }

    /// Calls a method with JSON text; text that is no JSON answers `INVALID_JSON`.
    pub fn call_text(&self, method: &str, input: &str) -> String {
        let value = serde_json::from_str(input);
        let value = value.map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }));
        value.and_then(|value| self.answer(method, value)).unwrap_or_else(|error| json!({ "error": error })).to_string()
    }

    /// Every method by its name.
    pub fn names(&self) -> Vec<&'static str> {
        let kinds = self.kinds.iter().flat_map(|entry| entry.methods.iter().chain([&entry.shared]));
        let named =
            self.groups.iter().copied().flatten().chain(kinds).flat_map(|group| group.iter().map(|(name, _)| *name));
        let mut names: Vec<_> = named.chain(self.asking().map(|(name, _)| name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn answer(&self, name: &str, input: Value) -> Result<Value, ApiError> {
        match self.find(name) {
            Some(Found::Method(run)) => run(input),
            Some(Found::Asking(run)) => run(self, input),
            Some(Found::Shared) => self.shared(name, input),
            None => Err(ApiError::of(&UNKNOWN_METHOD, args! { method: name })),
        }
    }

    fn find(&self, name: &str) -> Option<Found> {
        if let Some((_, run)) = self.asking().find(|(asking, _)| *asking == name) {
            return Some(Found::Asking(run));
        }
        let own = self.kinds.iter().flat_map(|entry| entry.methods);
        if let Some(run) = self.groups.iter().copied().flatten().chain(own).find_map(|group| method_of(group, name)) {
            return Some(Found::Method(run));
        }
        self.kinds.iter().any(|entry| method_of(&entry.shared, name).is_some()).then_some(Found::Shared)
    }

    /// Methods that ask the kinds: none where the shell has neither kinds nor ways to count.
    fn asking(&self) -> impl Iterator<Item = (&'static str, AskingMethod)> + use<> {
        let check: Option<(&str, AskingMethod)> = (!self.kinds.is_empty()).then_some(("bundle.check", check));
        let count: Option<(&str, AskingMethod)> = (!self.counters.is_empty())
            .then_some(("tokens.estimate", |shell, value| tokens::estimate(shell.counters, value)));
        check.into_iter().chain(count)
    }

    /// A method of the kind that the input names.
    fn shared(&self, name: &str, value: Value) -> Result<Value, ApiError> {
        let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default();
        let having = || self.kinds.iter().filter_map(|entry| Some((entry.kind.id(), method_of(&entry.shared, name)?)));
        match having().find(|(id, _)| *id == kind) {
            Some((_, run)) => run(value),
            None => Err(no_kind(kind, having().map(|(id, _)| id))),
        }
    }
}

fn method_of(group: &Group, name: &str) -> Option<Method> {
    group.iter().find(|(own, _)| *own == name).map(|(_, run)| *run)
}

/// The Python grammar, for shells that hold it.
pub fn python_facts(method: &str, text: &str) -> Option<Value> {
    (method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}

#[derive(Deserialize)]
struct Check {
    kind: String,
    files: Files,
    #[serde(default)]
    options: Value,
}

fn check(shell: &Shell, value: Value) -> Result<Value, ApiError> {
    let Check { kind, files, options } = input(value)?;
    let known = || no_kind(&kind, shell.kinds.iter().map(|entry| entry.kind.id()));
    let found = shell.kinds.iter().find(|entry| entry.kind.id() == kind).ok_or_else(known)?;
    bounded(&files)?;
    let report = found.kind.check(&files, &options, &|need, text| (shell.grammar)(need.method, text))?;
    Ok(json!(report))
}

/// `INVALID_INPUT` for a kind that a method does not know.
fn no_kind<'i>(name: &str, known: impl Iterator<Item = &'i str>) -> ApiError {
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
