//! What a person signs: base, result, difference, permissions, and why a look is needed (spec: authoring.md §9).
//!
//! Invariant: same base, files, plan and grants, same bytes, in the page and at the edge; whatever differs changes
//! `patch_id`, so nothing stale can be signed.

mod diff;

use holdpoint_bundle::content_hash;
use holdpoint_check::Diagnostic;
use holdpoint_check::order::arrange;
use holdpoint_kinds::ifc_extension::weakened::weakened_tests;
use holdpoint_sdk::capability::{self, Capability, CapabilityDiff, Confirmation, parse};
use holdpoint_text::hash_records;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Files, kind, plan};

pub use diff::{BundleDiff, FileDiff, Status, diff};

const MAX_DIAGNOSTICS: usize = 200;

/// Why a person has to look: something red was added, something was added, a test asks for less.
const HIGH_RISK_ADDED: &str = "high_risk_added";
const CAPABILITY_ADDED: &str = "capability_added";
const WEAKENED_TESTS: &str = "weakened_tests";

/// The answer of `bundle.review`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Review {
    /// Content hash of the bundle before; `null` when it is not installed.
    pub base_hash: Option<String>,
    /// Hash of both and of the sorted grants.
    pub patch_id: String,
    /// Content hash of the bundle after.
    pub result_hash: String,
    /// `bundle.diff` of both.
    pub diff: BundleDiff,
    /// `capability.diff` of what was declared before and what is granted now.
    pub capabilities: CapabilityDiff,
    /// Tests that ask for less than before.
    pub weakened_tests: Vec<WeakenedTest>,
    /// How the person confirms.
    pub confirmation: Confirmation,
    /// Why an extra confirmation is asked for; empty exactly when none is.
    pub reasons: Vec<String>,
    /// To be sent back with the signature, where a confirmation is asked for.
    pub confirm_token: Option<String>,
    /// Findings of `bundle.check`, with the plan's conformity where a plan is given.
    pub diagnostics: Vec<Diagnostic>,
}

/// A test that asks for less than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[allow(missing_docs)]
pub struct WeakenedTest {
    pub name: String,
    pub reason: String,
}

/// Reviews `files` over `base` (`None`: not installed). Without `granted` everything declared is granted; what is
/// granted beyond the declared does not count.
pub fn review(base: Option<&Files>, files: &Files, plan: Option<&Value>, granted: Option<&[String]>) -> Review {
    let base_hash = base.map(content_hash);
    let result_hash = content_hash(files);
    let (before, after) = (base.map(declared).unwrap_or_default(), declared(files));
    let grants = match granted {
        None => after,
        Some(granted) => {
            let named: Vec<Capability> = granted.iter().filter_map(|text| parse(text).ok()).collect();
            named.into_iter().filter(|grant| after.iter().any(|own| own.covers(grant))).collect()
        }
    };
    let mut forms: Vec<&str> = grants.iter().map(Capability::canonical).collect();
    forms.sort_unstable();
    forms.dedup();
    let patch_id = hash_records([
        ("base_hash", base_hash.as_deref().unwrap_or_default()),
        ("result_hash", &result_hash),
        ("grants", &forms.join("\n")),
    ]);
    let capabilities = capability::diff(&before, &grants);
    let weakened = weakened(base, files);
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
        diagnostics: findings(files, plan),
    }
}

fn findings(files: &Files, plan: Option<&Value>) -> Vec<Diagnostic> {
    let mut found = kind::check(files).diagnostics;
    found.extend(plan.map(|plan| plan::conformity(plan, files)).unwrap_or_default());
    arrange(&mut found, MAX_DIAGNOSTICS);
    found
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
pub(crate) fn weakened(base: Option<&Files>, files: &Files) -> Vec<WeakenedTest> {
    let manifest = |files: &Files| kind::manifest_value(files).unwrap_or_default();
    let Some(base) = base else { return Vec::new() };
    weakened_tests(&manifest(base), &manifest(files))
        .into_iter()
        .map(|test| WeakenedTest { name: test.name, reason: test.reason })
        .collect()
}

/// Capabilities that the manifest declares and that parse.
pub(crate) fn declared(files: &Files) -> Vec<Capability> {
    let manifest = kind::manifest_value(files).unwrap_or_default();
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
            (Some(&old), bundle(&["network.fetch:a.org"], &json!({"equals": 1})), Type, vec!["high_risk_added"]),
        ];
        for (base, files, want, reasons) in cases {
            let review = review(base, &files, None, None);
            assert_eq!((review.confirmation, review.reasons), (want, reasons.into_iter().map(str::to_owned).collect()));
            assert_eq!(review.confirm_token.is_none(), want == Nothing);
        }
    }

    #[test]
    fn whatever_differs_changes_the_patch() {
        let files = bundle(&["model.read", "viewer.read"], &json!({}));
        let id = |base: Option<&Files>, granted: Option<&[String]>| review(base, &files, None, granted).patch_id;
        let all = id(None, None);
        assert_ne!(all, id(Some(&Files::new()), None));
        assert_ne!(all, id(None, Some(&["model.read".into()])));
        assert_eq!(all, id(None, Some(&["viewer.read".into(), "model.read".into(), "network.fetch:a.org".into()])));
    }
}
