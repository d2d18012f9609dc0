//! `propose`: the end of a run that changes something (spec: app-builder.md §10).
//!
//! Invariant: nothing is proposed behind a gate that failed; what could not be asked is said not to be verified.

use std::cell::RefCell;

use holdpoint_bundle::content_hash;
use holdpoint_check::{ApiError, args, codes};
use holdpoint_kind::protocol::Gate;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::builds::Builds;
use super::gates::{self, GATES, TestArguments, Verdict, Verified, verdict};
use super::scratch::Scratch;
use crate::dialect::apply::{Changed, apply};
use crate::renew::{LOCK, renew};
use crate::rules::package;

codes! {
    /// a proposal of a run that did not pass what it must
    PROPOSAL_REFUSED / GATE_FAILED: Error, "Repair what {gate} found, and propose again." [gate];
    PROPOSAL_REFUSED / NO_CHANGES: Error, "Change something first, or answer in words: nothing differs from the draft.";
}

/// The code of a proposal that a gate refused.
pub const PROPOSAL_REFUSED: &str = GATE_FAILED.name;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProposeArguments {
    summary: String,
    rationale: String,
    assumptions: Vec<String>,
}

/// What a run hands in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    pub operations: Vec<Value>,
    /// The entry of the draft that they are taken on.
    pub entry_file: String,
    pub summary: String,
    pub rationale: String,
    pub assumptions: Vec<String>,
    pub base_hash: String,
    pub patch_id: String,
    pub result_hash: String,
    #[serde(default, skip_deserializing)]
    pub changed: Vec<Changed>,
    pub verified: Verified,
    /// What made it, where that was no run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl Proposal {
    /// All that was said of it, a sentence a line.
    pub fn words(&self) -> String {
        let said = [&self.summary, &self.rationale].into_iter().chain(&self.assumptions);
        said.map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// Asks every gate that did not say yes to this tree yet, and hands in what is there.
pub(super) async fn propose(
    scratch: &RefCell<Scratch>,
    builds: &impl Builds,
    asked: &ProposeArguments,
) -> Result<Value, ApiError> {
    if !scratch.borrow().has_changes() {
        return Err(ApiError::of(&NO_CHANGES, args! {}));
    }
    renew_lock(&mut scratch.borrow_mut());
    let mut verified = Verified::default();
    for gate in GATES {
        let said = match gate {
            Gate::Place => continue,
            Gate::Check => gates::compile(scratch),
            Gate::Test => gates::test(scratch, builds, &TestArguments::default()).await?,
            Gate::Build => gates::build(scratch, builds).await?,
            Gate::Bundle => gates::bundle(scratch, builds).await?,
        };
        match verdict(&said) {
            Verdict::Passed => verified.note(*gate),
            Verdict::Skipped => {}
            Verdict::Failed => {
                let gate = name(*gate);
                return Err(with_said(ApiError::of(&GATE_FAILED, args! { gate }).with("gate", gate), &said));
            }
        }
    }
    let mut proposal = proposed(&scratch.borrow())?;
    proposal.verified = verified;
    proposal.summary.clone_from(&asked.summary);
    proposal.rationale.clone_from(&asked.rationale);
    proposal.assumptions.clone_from(&asked.assumptions);
    serde_json::to_value(proposal).map_err(|fault| ApiError::new("INTERNAL", fault.to_string()).status(500))
}

/// The changes of a run as they stand, whoever judged them.
pub fn proposed(scratch: &Scratch) -> Result<Proposal, ApiError> {
    let operations = scratch.operations()?;
    let draft = scratch.draft();
    let options = scratch.options().resolve()?;
    let edited = apply(&draft.files, Some(&draft.entry), &operations, &options);
    let (patch_id, changed) = edited.map(|done| (done.patch_id, done.changed)).unwrap_or_default();
    Ok(Proposal {
        operations,
        entry_file: draft.entry.clone(),
        base_hash: content_hash(&draft.files),
        patch_id,
        result_hash: scratch.hash(),
        changed,
        ..Proposal::default()
    })
}

/// Where packages changed and the lock was left alone, the lock follows.
fn renew_lock(scratch: &mut Scratch) {
    let changed = scratch.changed();
    let has = |path: &str| changed.iter().any(|one| one.path == path);
    if !has(package::PATH) || has(LOCK) || !scratch.files().contains_key(LOCK) {
        return;
    }
    // A project whose lock cannot be renewed is told so by its check, or by the build.
    let renewed = scratch.options().resolve().and_then(|options| renew(scratch.files(), &options));
    if let Ok(text) = renewed
        && scratch.files().get(LOCK) != Some(&text)
    {
        scratch.write(LOCK, text);
    }
}

fn name(gate: Gate) -> &'static str {
    match gate {
        Gate::Place | Gate::Check => "compile",
        Gate::Test => "tests",
        Gate::Build => "build",
        Gate::Bundle => "bundle",
    }
}

/// An error with what a gate said.
fn with_said(mut error: ApiError, said: &Value) -> ApiError {
    for name in ["diagnostics", "tests", "message", "summary", "code", "log_tail", "checks"] {
        if let Some(value) = said.get(name).filter(|value| !value.is_null()) {
            error.details.insert(name.to_owned(), value.clone());
        }
    }
    error
}
