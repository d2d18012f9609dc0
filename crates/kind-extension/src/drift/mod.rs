//! What a new version of the SDK does to an installed extension (spec: authoring.md §8).
//!
//! Owns the changelog as data, which of its entries an extension is touched by, and the outcome of a re-evaluation.
//! Knows nothing of where extensions are kept or how tests run: their result comes in. Invariant: an outcome follows
//! from the range, the check and the tests alone.

mod range;
mod uses;

use std::sync::LazyLock;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::schemas::SDK_CHANGES;
use serde::{Deserialize, Serialize};

use super::engines::{Range, Version};
use super::judged::manifest_value;
use super::{Options, Origin, check};
pub use range::{trial, widened};
pub use uses::Site;

/// What an entry of the changelog means for code that worked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Breaking,
    /// What worked may answer otherwise.
    Behaviour,
    Added,
}

/// One entry of the changelog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangelogEntry {
    /// The version that brought it, SemVer.
    pub version: Version,
    /// What it means for code that worked.
    pub kind: ChangeKind,
    /// `bim.query.property`, `bim.query`, `ctx.fetch`, `widget:TYPE`, `manifest:FIELD`, `fixture:ID`,
    /// `capability:SCOPE.ACTION`.
    pub members: Vec<String>,
    pub summary: String,
    /// What to do about it.
    pub migration: String,
}

/// An entry that touches an extension, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relevant {
    pub entry: ChangelogEntry,
    pub sites: Vec<Site>,
}

/// The changelog of this SDK, oldest first.
pub fn changes() -> &'static [ChangelogEntry] {
    static CHANGES: LazyLock<Vec<ChangelogEntry>> =
        LazyLock::new(|| serde_json::from_str(SDK_CHANGES).expect("the changelog of the SDK is in its own shape"));
    &CHANGES
}

/// Entries of `changes` after `from` and up to `to` that touch what the extension uses, in their order.
pub fn relevant(changes: &[ChangelogEntry], from: &Version, to: &Version, files: &Files) -> Vec<Relevant> {
    let new = |change: &&ChangelogEntry| change.version > *from && change.version <= *to;
    let mut uses = None;
    let mut found = Vec::new();
    for entry in changes.iter().filter(new) {
        let sites = uses.get_or_insert_with(|| uses::of(files)).touched(&entry.members);
        if !sites.is_empty() {
            found.push(Relevant { entry: entry.clone(), sites });
        }
    }
    found
}

/// What becomes of an extension under another SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DriftOutcome {
    Ok,
    /// It works; its range does not say so.
    RangeOnly,
    /// Nothing says that it works: it has no tests. It stays on, marked.
    Unknown,
    Broken,
}

/// What is known of an extension under another SDK before its tests ran.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The range of its manifest holds the version.
    pub satisfied: bool,
    /// Findings of the check but for the range.
    pub diagnostics: Vec<Diagnostic>,
    /// It has tests, and the check found no error: they decide.
    pub tested: bool,
}

/// Checks an extension under an SDK; a range that does not hold the version is no finding here.
pub fn checked(files: &Files, to: &Version) -> Checked {
    // One without tests was installed as it is: that is an outcome here, and no finding.
    let options = Options { origin: Origin::Promoted, ..Options::default() };
    let satisfied = range_of(files).map(|range| range.holds(to));
    let report = match satisfied {
        Some(false) => check(&trial(files), &options),
        _ => check(files, &Options { sdk_version: Some(to.clone()), ..options }),
    };
    let manifest = manifest_value(files).unwrap_or_default();
    let tests = manifest["tests"].as_array().is_some_and(|tests| !tests.is_empty());
    Checked { satisfied: satisfied == Some(true), tested: report.ok && tests, diagnostics: report.diagnostics }
}

fn range_of(files: &Files) -> Option<Range> {
    Range::parse(&range::written(files)?)
}

impl Checked {
    /// The outcome; `None` while the tests that decide have not run. `passed` is whether all of them did.
    pub fn outcome(&self, passed: Option<bool>) -> Option<DriftOutcome> {
        let failed = self.diagnostics.iter().any(Diagnostic::is_error);
        Some(match (self.satisfied, self.tested) {
            _ if failed => DriftOutcome::Broken,
            (true, false) => DriftOutcome::Unknown,
            (false, false) => DriftOutcome::Broken,
            (satisfied, true) => match (passed?, satisfied) {
                (true, true) => DriftOutcome::Ok,
                (true, false) => DriftOutcome::RangeOnly,
                (false, _) => DriftOutcome::Broken,
            },
        })
    }
}

#[cfg(test)]
mod tests;
