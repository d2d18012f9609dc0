//! The answer of a check (spec: crew-package.md §6).

use holdpoint_check::Diagnostic;
use serde::Serialize;

use super::hints;

/// What the check answers beside its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct More {
    /// What the package is made of; null without a usable manifest.
    pub summary: Option<Summary>,
}

/// What the package is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How workflows are laid out.
    pub mode: Mode,
    /// Of the manifest.
    pub name: String,
    /// Of the manifest.
    pub version: String,
    /// The listed workflow that opens first.
    pub default_workflow: Option<String>,
    /// In the order of the manifest.
    pub workflows: Vec<Workflow>,
    /// How many; null when their document is not usable.
    pub agents: Option<usize>,
    /// All of them.
    pub assets: Assets,
}

/// How workflows are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One at the root.
    Single,
    /// One folder a workflow.
    Multi,
}

/// A workflow; what its graph would say is null when that is not usable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Workflow {
    pub id: Option<String>,
    pub nodes: Option<usize>,
    pub edges: Option<usize>,
    pub entry: Option<String>,
}

/// Files under `assets/`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Assets {
    /// How many.
    pub count: usize,
    /// Of all, binary ones decoded.
    pub bytes: usize,
}

/// Findings in their order, path, position, pointer, code; each with a hint.
pub fn arranged(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut findings: Vec<Diagnostic> = findings.into_iter().map(hints::named).collect();
    findings.sort_by_cached_key(|finding| {
        let place = finding.range.map(|range| (range.start, range.end));
        (finding.path.clone(), place, finding.pointer.clone(), finding.code.clone())
    });
    findings
}
