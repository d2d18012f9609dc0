//! What plan, review and run ask of a check: its findings, and the manifest where it holds.

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, json};
use serde_json::Value;

use super::policy::MANIFEST;
use super::{Declared, Needed, Options, Origin, check};
use crate::planning::Manifest;

const MAX_JSON_DEPTH: usize = 100;

/// What the check says of a bundle.
#[derive(Debug, Clone)]
pub struct Judged {
    pub diagnostics: Vec<Diagnostic>,
    /// What it declares, in declared order.
    pub capabilities: Vec<Declared>,
    /// Who needs what of `capabilities`.
    pub needs: Vec<Needed>,
    /// The manifest, when it holds.
    pub manifest: Option<Manifest>,
}

/// Checks a bundle without a plan.
pub fn judge(files: &Files) -> Judged {
    judge_as(files, Origin::default())
}

/// Checks a bundle that comes from `origin`.
pub fn judge_as(files: &Files, origin: Origin) -> Judged {
    let report = check(files, &Options { origin, ..Options::default() });
    let value = report.more.manifest.filter(|_| report.manifest_holds);
    let text = || files.get(MANIFEST).cloned().unwrap_or_default();
    let manifest = value.map(|value| Manifest::new(MANIFEST, value, text()));
    Judged { diagnostics: report.diagnostics, capabilities: report.more.capabilities, needs: report.needs, manifest }
}

/// The manifest, when it holds.
pub fn manifest(files: &Files) -> Option<Manifest> {
    judge(files).manifest
}

/// The manifest as JSON, whether it holds or not.
pub fn manifest_value(files: &Files) -> Option<Value> {
    json::read(files.get(MANIFEST)?, MAX_JSON_DEPTH).ok().map(|document| document.value)
}
