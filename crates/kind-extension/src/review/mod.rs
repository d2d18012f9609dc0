//! What a person signs: base, result, difference, permissions, and why a look is needed (spec: authoring.md §9).
//!
//! Invariant: same base, files, plan and grants, same bytes, in the page and at the edge; whatever differs changes
//! `patch_id`, so nothing stale can be signed.

mod diff;
mod needs;

use crate::weakened::{WeakenedTest, changed_behaviours, weakened_tests};
use holdpoint_bundle::content_hash;
use holdpoint_check::Diagnostic;
use holdpoint_check::order::arrange;
use holdpoint_sdk::capability::{self, Capability, CapabilityDiff, Confirmation, parse};
use holdpoint_text::hash_records;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Origin;
use crate::judged::{self, Judged};
use crate::plan;
use holdpoint_bundle::Files;

pub use diff::{BundleDiff, FileDiff, FileStatus, diff};
pub use needs::{CAPABILITY_REQUIRED, CODES, CapabilityUse, UsePlace, uses};

const MAX_DIAGNOSTICS: usize = 200;
/// Bytes of the files of a bundle that is reviewed (`INPUT_TOO_LARGE`).
pub const MAX_REVIEWED_BYTES: usize = 8 << 20;

/// Why a person has to look: something red was added, something was added, a test asks for less.
const HIGH_RISK_ADDED: &str = "high_risk_added";
const CAPABILITY_ADDED: &str = "capability_added";
const WEAKENED_TESTS: &str = "weakened_tests";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Review {
    /// Content hash of the bundle before; `null` when it is not installed.
    pub base_hash: Option<String>,
    /// Hash of both, of the sorted grants and, where something is installed, of the sorted grants before.
    pub patch_id: String,
    /// Content hash of the bundle after.
    pub result_hash: String,
    pub diff: BundleDiff,
    /// `capability.diff` of what was granted before and what is granted now.
    pub capabilities: CapabilityDiff,
    /// Behaviours that were approved and would be lost: tests that ask for less than before, or for something else.
    pub weakened_tests: Vec<WeakenedTest>,
    pub confirmation: Confirmation,
    /// Why an extra confirmation is asked for; empty exactly when none is.
    pub reasons: Vec<String>,
    /// To be sent back with the signature, where a confirmation is asked for.
    pub confirm_token: Option<String>,
    /// Findings of `bundle.check`, with the plan's conformity where a plan is given, and `CAPABILITY_REQUIRED` for
    /// each grant that was left out and is needed: then nothing can be installed.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    /// The installed files; `None`: it is not installed.
    pub base: Option<&'a Files>,
    /// What its user granted of the base; `None`: everything that the base declares.
    pub base_granted: Option<&'a [String]>,
    /// What is to be installed.
    pub files: &'a Files,
    pub plan: Option<&'a Value>,
    /// What is granted now; `None`: everything declared. What is granted beyond the declared does not count.
    pub granted: Option<&'a [String]>,
    /// Where it comes from: what was promoted may have no tests.
    pub origin: Origin,
}

impl<'a> Proposed<'a> {
    /// A bundle over nothing, with everything that it declares granted.
    pub fn new(files: &'a Files) -> Self {
        Self { base: None, base_granted: None, files, plan: None, granted: None, origin: Origin::Authored }
    }

    /// What was granted before: nothing where nothing is installed.
    fn before(&self) -> Vec<Capability> {
        match (self.base, self.base_granted) {
            (None, _) => Vec::new(),
            (Some(base), None) => declared(base),
            (Some(_), Some(granted)) => parsed(granted),
        }
    }

    fn grants(&self) -> Vec<Capability> {
        let declared = declared(self.files);
        let Some(granted) = self.granted else { return declared };
        parsed(granted).into_iter().filter(|grant| declared.iter().any(|own| own.covers(grant))).collect()
    }

    /// What is signed: base, result, grants and, where something is installed, the grants before.
    pub fn patch_id(&self) -> String {
        let (base_hash, result_hash) = (self.base.map(content_hash), content_hash(self.files));
        let (granted, base_granted) = (forms(&self.grants()), forms(&self.before()));
        let mut records = vec![
            ("base_hash", base_hash.as_deref().unwrap_or_default()),
            ("result_hash", result_hash.as_str()),
            ("grants", granted.as_str()),
        ];
        if self.base.is_some() {
            records.push(("base_granted", base_granted.as_str()));
        }
        hash_records(records)
    }
}

/// Reviews what is proposed, with what the check says of it.
pub fn review(proposed: &Proposed) -> Review {
    Review {
        diagnostics: findings(proposed, &judged::judge_as(proposed.files, proposed.origin)).1,
        ..compared(proposed)
    }
}

/// What is proposed, compared with what stands: a review without findings.
///
/// A right is compared with what was granted, never with what the old bundle declared: one that was taken away is new
/// again.
pub fn compared(proposed: &Proposed) -> Review {
    let Proposed { base, files, .. } = *proposed;
    let base_hash = base.map(content_hash);
    let result_hash = content_hash(files);
    let patch_id = proposed.patch_id();
    let grants = proposed.grants();
    let capabilities = capability::diff(&proposed.before(), &grants);
    let weakened = base.map(|base| changed_behaviours(&manifest(base), &manifest(files))).unwrap_or_default();
    let (confirmation, reasons) = confirmation(&capabilities, !weakened.is_empty());
    let confirm_token = (!reasons.is_empty())
        .then(|| hash_records([("confirm", ""), ("patch_id", &patch_id), ("reasons", &reasons.join("\n"))]));
    Review {
        base_hash,
        patch_id,
        result_hash,
        diff: diff(base.unwrap_or(&Files::new()), files),
        capabilities,
        weakened_tests: weakened,
        confirmation,
        reasons: reasons.into_iter().map(str::to_owned).collect(),
        confirm_token,
        diagnostics: Vec::new(),
    }
}

fn parsed(list: &[String]) -> Vec<Capability> {
    list.iter().filter_map(|text| parse(text).ok()).collect()
}

/// Canonical forms, sorted, one a line.
fn forms(list: &[Capability]) -> String {
    let mut forms: Vec<&str> = list.iter().map(Capability::canonical).collect();
    forms.sort_unstable();
    forms.dedup();
    forms.join("\n")
}

/// Whether nothing stands in the way of an install, and all findings: of the check, of the plan's conformity, and a
/// `CAPABILITY_REQUIRED` for each grant that is missing. A plan's findings are told and stop nothing.
pub fn findings(proposed: &Proposed, judged: &Judged) -> (bool, Vec<Diagnostic>) {
    let mut found = needs::missing(judged, &proposed.grants());
    found.extend(judged.diagnostics.iter().cloned());
    let ok = !found.iter().any(Diagnostic::is_error);
    let of = |plan| plan::conformity_with(plan, judged.manifest.as_ref(), proposed.files);
    found.extend(proposed.plan.map(of).unwrap_or_default());
    arrange(&mut found, MAX_DIAGNOSTICS);
    (ok, found)
}

fn confirmation(capabilities: &CapabilityDiff, weakened: bool) -> (Confirmation, Vec<&'static str>) {
    let (mut confirmation, mut reasons) = match capabilities.confirmation {
        none @ Confirmation::None => (none, Vec::new()),
        click @ Confirmation::Click => (click, vec![CAPABILITY_ADDED]),
        typed @ Confirmation::Type => (typed, vec![HIGH_RISK_ADDED]),
    };
    if weakened {
        reasons.push(WEAKENED_TESTS);
        if confirmation == Confirmation::None {
            confirmation = Confirmation::Click;
        }
    }
    (confirmation, reasons)
}

/// Tests that ask for less than in the base; none for a new extension.
pub fn weakened(base: Option<&Files>, files: &Files) -> Vec<WeakenedTest> {
    let Some(base) = base else { return Vec::new() };
    weakened_tests(&manifest(base), &manifest(files))
}

fn manifest(files: &Files) -> Value {
    judged::manifest_value(files).unwrap_or_default()
}

/// Capabilities that the manifest declares and that parse.
pub fn declared(files: &Files) -> Vec<Capability> {
    let manifest = manifest(files);
    let list = manifest.get("capabilities").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|item| parse(item.as_str()?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Confirmation::{Click, None as Nothing, Type};
    use super::*;

    fn bundle(capabilities: &[&str], expect: &Value) -> Files {
        let manifest = json!({"capabilities": capabilities, "tests": [{"name": "t", "expect": expect}]});
        Files::from([("manifest.json".to_owned(), manifest.to_string())])
    }

    #[test]
    fn what_asks_for_a_look() {
        let old = bundle(&["model.read"], &json!({"equals": 1}));
        let cases = [
            (None, bundle(&[], &json!({})), Nothing, vec![]),
            (None, bundle(&["model.read"], &json!({})), Click, vec!["capability_added"]),
            (Some(&old), old.clone(), Nothing, vec![]),
            (Some(&old), bundle(&["model.read"], &json!({"type": "number"})), Click, vec!["weakened_tests"]),
            (Some(&old), bundle(&["model.read"], &json!({"equals": 2})), Click, vec!["weakened_tests"]),
            (Some(&old), bundle(&["network.fetch:a.org"], &json!({"equals": 1})), Type, vec!["high_risk_added"]),
        ];
        for (base, files, want, reasons) in cases {
            let review = review(&Proposed { base, ..Proposed::new(&files) });
            assert_eq!((review.confirmation, review.reasons), (want, reasons.into_iter().map(str::to_owned).collect()));
            assert_eq!(review.confirm_token.is_none(), want == Nothing);
        }
    }

    #[test]
    fn whatever_differs_changes_the_patch() {
        let files = bundle(&["model.read", "viewer.read"], &json!({}));
        let id = |base: Option<&Files>, granted: Option<&[String]>| {
            review(&Proposed { base, granted, ..Proposed::new(&files) }).patch_id
        };
        let all = id(None, None);
        assert_ne!(all, id(Some(&Files::new()), None));
        assert_ne!(all, id(None, Some(&["model.read".into()])));
        assert_eq!(all, id(None, Some(&["viewer.read".into(), "model.read".into(), "network.fetch:a.org".into()])));
    }

    #[test]
    fn a_right_that_was_taken_away_is_new_again() {
        let (old, new) = (bundle(&["model.read", "viewer.read"], &json!({})), bundle(&["viewer.read"], &json!({})));
        let granted = ["model.read".to_owned()];
        let asked = |base_granted: Option<&[String]>| {
            review(&Proposed { base: Some(&old), base_granted, ..Proposed::new(&new) })
        };
        let taken = asked(Some(&granted));
        assert_eq!(taken.capabilities.added, ["viewer.read"]);
        assert_eq!(taken.capabilities.removed, ["model.read"]);
        assert_eq!((taken.confirmation, taken.reasons.as_slice()), (Click, ["capability_added".to_owned()].as_slice()));
        let declared = asked(None);
        assert_eq!((declared.confirmation, declared.confirm_token), (Nothing, None));
        assert_eq!(taken.base_hash, declared.base_hash, "the base is its content, whatever was granted of it");
    }

    #[test]
    fn grants_before_are_part_of_the_patch() {
        let files = bundle(&["model.read", "viewer.read"], &json!({}));
        let id = |base: Option<&Files>, granted: &[&str]| {
            let granted: Vec<String> = granted.iter().map(ToString::to_string).collect();
            review(&Proposed { base, base_granted: Some(&granted), ..Proposed::new(&files) }).patch_id
        };
        let all = id(Some(&files), &["model.read", "viewer.read"]);
        assert_eq!(all, id(Some(&files), &["viewer.read", "model.read", "viewer.read"]), "order and doubles");
        assert_eq!(all, review(&Proposed { base: Some(&files), ..Proposed::new(&files) }).patch_id, "all by default");
        assert_ne!(all, id(Some(&files), &["model.read"]));
        assert_ne!(id(Some(&files), &[]), id(None, &[]));
        assert_eq!(id(None, &["model.read"]), id(None, &[]), "nothing was granted of what is not installed");
    }
}
