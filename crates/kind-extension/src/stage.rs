//! An install: staged against what is installed and what was granted of it, looked at as a person signs it (spec:
//! authoring.md §9, §9.1).
//!
//! Invariants: the tokens are those of `bundle.review`, byte for byte, in the page and at the edge; a grant that the
//! manifest does not declare is refused; one check of the files a preview.

use holdpoint_bundle::Files;
use holdpoint_change::{Base, Confirm, Facts, Preview, Staged, Tokens, Unit};
use holdpoint_check::{ApiError, Diagnostic, Report};
use holdpoint_sdk::capability::Confirmation;
use holdpoint_sdk::members::sdk;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::conversation::{Conversation, ToldFacts};
use super::judged::{judge_as, manifest_value};
use super::review::{MAX_REVIEWED_BYTES, compared, findings};
use super::{Origin, plan};
use crate::planning::Proposed;
use crate::wire::ReviewFacts;

/// A bundle that its user wants installed.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Proposal"))]
pub struct Install {
    pub files: Files,
    #[serde(default)]
    pub plan: Option<Value>,
    #[serde(default)]
    pub granted: Vec<String>,
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Test results as the page reports them.
    #[serde(default)]
    pub tests: Option<Value>,
    /// What led to it; kept beside the bundle, and part of no hash.
    #[serde(default)]
    pub conversation: Option<Conversation>,
}

/// What a revision keeps beside its files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Granted {
    pub id: String,
    pub name: String,
    pub version: String,
    pub content_hash: String,
    /// What the user granted, as the manifest writes it.
    pub granted: Vec<String>,
    pub origin: Origin,
    /// The SDK that it was installed under.
    pub sdk_version: String,
    pub plan_hash: Option<String>,
    /// Test results as they were reported.
    pub last_result: Option<Value>,
    /// The change that led to it, where it was told.
    pub change: Option<ToldFacts>,
}

/// The id that a manifest claims, whether or not the bundle holds: it names what would be replaced.
pub fn claimed_id(files: &Files) -> Option<String> {
    manifest_value(files)?.get("id")?.as_str().map(str::to_owned)
}

pub(super) fn stage(base: Base, install: &Install) -> Result<Staged, ApiError> {
    for files in base.files.iter().chain([&install.files]) {
        let bytes: usize = files.iter().map(|(path, text)| path.len() + text.len()).sum();
        if bytes > MAX_REVIEWED_BYTES {
            return Err(ApiError::over("MAX_REVIEWED_BYTES", MAX_REVIEWED_BYTES, bytes));
        }
    }
    let granted = granted_before(&base);
    let review = compared(&proposed(&base, granted.as_deref(), install));
    let manifest = manifest_value(&install.files).unwrap_or_default();
    let member = |name: &str| manifest[name].as_str().unwrap_or_default().to_owned();
    let facts = Granted {
        id: member("id"),
        name: member("name"),
        version: member("version"),
        content_hash: review.result_hash.clone(),
        granted: install.granted.clone(),
        origin: install.origin.unwrap_or_default(),
        sdk_version: sdk().version.clone(),
        plan_hash: install.plan.as_ref().map(plan::hash),
        last_result: install.tests.clone(),
        change: install.conversation.as_ref().map(|talk| talk.change.clone()),
    };
    Ok(Staged {
        after: Some(install.files.clone()),
        units: vec![Unit {
            key: Unit::WHOLE.to_owned(),
            before: review.base_hash.clone(),
            after: Some(review.result_hash.clone()),
        }],
        tokens: Tokens {
            base: review.base_hash.clone(),
            patch: Some(review.patch_id.clone()),
            result: Some(review.result_hash.clone()),
        },
        confirm: review.confirm_token.clone().map_or(Confirm::None, Confirm::Derived),
        typed: (review.confirmation == Confirmation::Type).then(|| facts.id.clone()),
        reasons: review.reasons.clone(),
        facts: Facts(json!(facts)),
        shown: json!(review),
        base,
        inverse: None,
    })
}

/// The first grant that the manifest does not declare as it is written (spec: authoring.md §8).
pub fn undeclared(install: &Install) -> Option<usize> {
    let manifest = manifest_value(&install.files).unwrap_or_default();
    let declared = manifest["capabilities"].as_array();
    let is_declared = |grant: &String| declared.into_iter().flatten().any(|own| own == grant.as_str());
    install.granted.iter().position(|grant| !is_declared(grant))
}

pub(super) fn preview(staged: Staged, install: &Install) -> Preview {
    let judged = judge_as(&install.files, install.origin.unwrap_or_default());
    let granted = granted_before(&staged.base);
    let (ok, diagnostics) = findings(&proposed(&staged.base, granted.as_deref(), install), &judged);
    let holds = !judged.diagnostics.iter().any(Diagnostic::is_error);
    // A grant of what is not declared is a fault of the request: the answer names it, and nothing is signed meanwhile.
    let ok = ok && undeclared(install).is_none();
    Preview { staged, report: Report { ok, diagnostics, more: json!(ReviewFacts { holds }) } }
}

/// Whether the signature's change is this one over what was granted of the same base at another time.
pub fn grants_moved(base: &Base, install: &Install, earlier: &[Vec<String>], signed: Option<&str>) -> bool {
    let patch = |granted: &Vec<String>| proposed(base, Some(granted), install).patch_id();
    signed.is_some_and(|signed| earlier.iter().any(|granted| patch(granted) == signed))
}

fn granted_before(base: &Base) -> Option<Vec<String>> {
    serde_json::from_value::<Granted>(base.facts.0.clone()).ok().map(|facts| facts.granted)
}

fn proposed<'a>(base: &'a Base, base_granted: Option<&'a [String]>, install: &'a Install) -> Proposed<'a> {
    Proposed {
        base: base.files.as_ref(),
        base_granted,
        files: &install.files,
        plan: install.plan.as_ref(),
        granted: Some(&install.granted),
        origin: install.origin.unwrap_or_default(),
    }
}
