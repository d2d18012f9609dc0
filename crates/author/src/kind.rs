//! The kind that is authored: the one place where this crate asks a kind for its rules.
//!
//! Owns nothing; a second kind would make this a trait. Until then the functions name what the run needs of a kind.

use holdpoint_bundle::FilePolicy;
use holdpoint_check::{Diagnostic, Range, json};
use holdpoint_kinds::ifc_extension::{self, CheckOptions};
pub use holdpoint_kinds::ifc_extension::{Declared, Needed};
use serde_json::Value;

use crate::Files;

/// The name of the kind.
pub const IFC_EXTENSION: &str = "ifc-extension";
/// The manifest's path.
pub const MANIFEST: &str = "manifest.json";

const MAX_JSON_DEPTH: usize = 100;

/// Where files may lie.
pub fn policy() -> &'static FilePolicy {
    &ifc_extension::policy::POLICY
}

/// A manifest without errors, with the places of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// Its JSON.
    pub value: Value,
    text: String,
}

impl Manifest {
    /// Where the value at a pointer stands.
    pub fn range(&self, pointer: &str) -> Option<Range> {
        json::read(&self.text, MAX_JSON_DEPTH).ok().map(|document| document.range(pointer))
    }

    /// Names of the tests, in order.
    pub fn test_names(&self) -> Vec<&str> {
        let tests = self.value.get("tests").and_then(Value::as_array).into_iter().flatten();
        tests.filter_map(|test| test.get("name").and_then(Value::as_str)).collect()
    }
}

/// What the check says of a bundle.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Findings of `bundle.check`.
    pub diagnostics: Vec<Diagnostic>,
    /// What it declares, in declared order.
    pub capabilities: Vec<Declared>,
    /// Who needs what of `capabilities`.
    pub needs: Vec<Needed>,
    /// The manifest, when it holds.
    pub manifest: Option<Manifest>,
}

/// Checks a bundle without a plan.
pub fn check(files: &Files) -> Judged {
    let report = ifc_extension::check(files, &CheckOptions::default());
    let value = report.manifest.filter(|_| report.manifest_holds);
    let manifest = value.map(|value| Manifest { value, text: files.get(MANIFEST).cloned().unwrap_or_default() });
    Judged { diagnostics: report.diagnostics, capabilities: report.capabilities, needs: report.needs, manifest }
}

/// The manifest, when it holds.
pub fn manifest(files: &Files) -> Option<Manifest> {
    check(files).manifest
}

/// The manifest as JSON, whether it holds or not.
pub fn manifest_value(files: &Files) -> Option<Value> {
    json::read(files.get(MANIFEST)?, MAX_JSON_DEPTH).ok().map(|document| document.value)
}
