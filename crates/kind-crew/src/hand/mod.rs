//! What a person does to a package by hand, as functions from files to files (spec: crew-package.md §7 "HTTP", "Upkeep of
//! the manifest").
//!
//! Owns what an edit leaves and what it refuses; knows no storage and no person. Invariants: a refusal leaves nothing;
//! what is sent keeps the rules of its own document, while old faults of other documents stand in nobody's way; the
//! manifest names what is there; files that an edit is not about keep their bytes.

pub mod agents;
pub mod assets;
pub mod manifest;
mod order;
#[cfg(test)]
mod tests;
pub mod workflows;

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::json;

use super::check::still_bounded;
use super::facts::{self, PackageFacts, UNTITLED};
use super::routes::codes::VALIDATION_ERROR;
use super::{Options, check};

codes! {
    /// a name that is empty, too long or no line of text
    NAME_INVALID: Error, "Give a name of 1 to {limit} characters, without line breaks." [limit];
}

/// Characters of the name of a project or a workflow.
pub const MAX_NAME: usize = 200;

/// What an edit left.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    /// All files.
    pub files: Files,
    /// With its counters.
    pub facts: PackageFacts,
    /// The workflow that it made.
    pub workflow: Option<u64>,
    /// What was chosen for the person, and what they should know.
    pub warnings: Vec<Diagnostic>,
}

impl Edited {
    fn of(before: &Files, after: Files, known: &PackageFacts, warnings: Vec<Diagnostic>) -> Result<Self, ApiError> {
        still_bounded(before, &after)?;
        let facts = facts::after(before, &after, known);
        Ok(Self { files: after, facts, workflow: None, warnings })
    }
}

/// Gives a project another name. A blank one is `Untitled`.
pub fn rename(files: &Files, known: &PackageFacts, name: &str) -> Result<Edited, ApiError> {
    let named = PackageFacts { name: project_name(name)?, ..known.clone() };
    let (after, warnings) = manifest::settled(files, &named.name);
    Edited::of(files, after, &named, warnings)
}

/// The name of a project, as it is kept.
pub fn project_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    if name.is_empty() { Ok(UNTITLED.to_owned()) } else { valid_name(name) }
}

/// A name without blanks around it.
fn valid_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control);
    if fits {
        return Ok(name.to_owned());
    }
    Err(invalid(&[Diagnostic::of(&NAME_INVALID, args! { limit: MAX_NAME }).at_pointer("/name")]))
}

/// `VALIDATION_ERROR`.
fn invalid(diagnostics: &[Diagnostic]) -> ApiError {
    ApiError::of(&VALIDATION_ERROR, args! {}).status(400).with("diagnostics", json!(diagnostics))
}

/// Refuses files in which one of those that were written does not keep its rules.
fn judged(files: &Files, written: &BTreeSet<String>) -> Result<(), ApiError> {
    let report = check(files, &Options::default())?;
    let is_theirs =
        |found: &Diagnostic| found.is_error() && found.path.as_ref().is_some_and(|path| written.contains(path));
    let faults: Vec<Diagnostic> = report.diagnostics.into_iter().filter(is_theirs).collect();
    if faults.is_empty() { Ok(()) } else { Err(invalid(&faults)) }
}
