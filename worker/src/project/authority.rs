//! The page's checks once more, where nobody can leave them out.

use holdpoint_author::plan;
use holdpoint_author::review::{self, CAPABILITY_REQUIRED, MAX_REVIEWED_BYTES, Proposed, Review};
use holdpoint_bundle::content_hash;
use holdpoint_check::Diagnostic;
use holdpoint_kinds::ifc_extension::{CheckOptions, Origin, Verified, verify as check};
use holdpoint_sdk::capability::Confirmation;
use holdpoint_store::Project as Store;
use holdpoint_store::project::{Files, Install};
use serde_json::{Value, json};

use super::{Proposal, Signature};
use crate::answer::Fault;
use crate::sql::ObjectSql;

const MANIFEST: &str = "manifest.json";

/// What a proposal would change, as its user has to see it. Stores nothing.
pub fn review(store: &Store<ObjectSql>, proposal: &Proposal) -> Result<Review, Fault> {
    let base = match claimed_id(&proposal.files) {
        Some(id) => Base::of(store, &id)?,
        None => None,
    };
    reviewed(base.as_ref(), proposal)
}

/// What stands installed, and what its user granted of it.
struct Base {
    files: Files,
    granted: Vec<String>,
}

impl Base {
    fn of(store: &Store<ObjectSql>, id: &str) -> Result<Option<Self>, Fault> {
        let (record, files) = (store.record(id)?, store.files(id)?);
        Ok(record.zip(files).map(|(record, files)| Self { files, granted: record.granted }))
    }
}

/// The proposal as an install, if it checks and is what its user signed.
pub fn verify(store: &Store<ObjectSql>, proposal: &Proposal, signature: &Signature) -> Result<Install, Fault> {
    let (report, verified) = check(&proposal.files, &CheckOptions { sdk_version: None, origin: origin(proposal)? });
    let Some(verified) = verified else { return Err(invalid(&report.diagnostics)) };
    let manifest = verified.manifest();
    let (id, version) = (manifest.id.clone(), manifest.version.clone());
    let base = Base::of(store, &id)?;
    let base_hash = base.as_ref().map(|base| content_hash(&base.files));
    let fresh = reviewed(base.as_ref(), proposal)?;
    let conflict = |reason: &str| {
        Fault::new(409, "CONFLICT", "This is not what was reviewed. Read the fresh review, then sign again.")
            .with("reason", reason.into())
            .with("review", json!(fresh))
    };
    if base_hash != proposal.base_hash {
        return Err(conflict("base_changed"));
    }
    check_grants(&verified, &proposal.granted)?;
    let needed = left_out(&fresh);
    if !needed.is_empty() {
        return Err(Fault::new(422, CAPABILITY_REQUIRED, "Grant what the diagnostics name. Nothing was stored.")
            .with("diagnostics", json!(needed)));
    }
    if fresh.patch_id != signature.patch_id {
        let moved = match &base {
            Some(base) => grants_moved(store, &id, base, proposal, signature)?,
            None => false,
        };
        return Err(conflict(if moved { "grants_changed" } else { "patch_changed" }));
    }
    if fresh.result_hash != signature.result_hash {
        return Err(conflict("result_changed"));
    }
    let confirm = |message: &str| Fault::new(409, "CONFIRMATION_REQUIRED", message).with("review", json!(fresh));
    if fresh.confirm_token.is_some() && fresh.confirm_token != signature.confirm_token {
        return Err(confirm("Read the reasons, then send the review's confirm_token."));
    }
    if fresh.confirmation == Confirmation::Type && signature.typed_id.as_deref() != Some(id.as_str()) {
        return Err(confirm("Type the extension's id to install it."));
    }
    Ok(Install {
        id,
        version,
        content_hash: content_hash(&proposal.files),
        files: proposal.files.clone(),
        base_hash: proposal.base_hash.clone(),
        granted: proposal.granted.clone(),
        origin: proposal.origin.clone().unwrap_or_else(|| "authored".to_owned()),
        sdk_version: holdpoint_sdk::members::sdk().version.clone(),
        last_result: signature.tests.clone(),
        plan_hash: proposal.plan.as_ref().map(plan::hash),
    })
}

/// The answer when the base moved between the check and the write.
pub fn conflict(store: &Store<ObjectSql>, proposal: &Proposal) -> Fault {
    let fault =
        Fault::new(409, "CONFLICT", "The extension changed since you looked. Read the fresh review, then sign again.")
            .with("reason", "base_changed".into());
    match review(store, proposal) {
        Ok(review) => fault.with("review", json!(review)),
        Err(fault) => fault,
    }
}

/// Whether the signature was good over what was granted of the same base before.
fn grants_moved(
    store: &Store<ObjectSql>,
    id: &str,
    base: &Base,
    proposal: &Proposal,
    signature: &Signature,
) -> Result<bool, Fault> {
    let earlier = store.grants_of(id, &content_hash(&base.files))?;
    Ok(earlier.iter().any(|before| {
        let proposed = Proposed {
            base: Some(&base.files),
            base_granted: Some(before),
            granted: Some(&proposal.granted),
            ..Proposed::new(&proposal.files)
        };
        proposed.patch_id() == signature.patch_id
    }))
}

/// `bundle.review`, as the page called it, so that the bytes are the same.
fn reviewed(base: Option<&Base>, proposal: &Proposal) -> Result<Review, Fault> {
    for files in base.map(|base| &base.files).into_iter().chain([&proposal.files]) {
        let bytes: usize = files.iter().map(|(path, text)| path.len() + text.len()).sum();
        if bytes > MAX_REVIEWED_BYTES {
            let message = format!("Send at most {MAX_REVIEWED_BYTES} bytes of files.");
            return Err(Fault::new(413, "INPUT_TOO_LARGE", message));
        }
    }
    Ok(review::review(&Proposed {
        base: base.map(|base| &base.files),
        base_granted: base.map(|base| base.granted.as_slice()),
        files: &proposal.files,
        plan: proposal.plan.as_ref(),
        granted: Some(&proposal.granted),
    }))
}

/// The id that a manifest claims, whether or not the bundle holds: it names what would be replaced.
fn claimed_id(files: &Files) -> Option<String> {
    let manifest: Value = serde_json::from_str(files.get(MANIFEST)?).ok()?;
    manifest["id"].as_str().map(str::to_owned)
}

fn origin(proposal: &Proposal) -> Result<Origin, Fault> {
    match proposal.origin.as_deref() {
        None => Ok(Origin::default()),
        Some(name) => serde_json::from_value(json!(name))
            .map_err(|_| Fault::invalid("/origin", "Write `authored`, `hand` or `promoted`.")),
    }
}

/// Nothing is granted that the manifest does not declare (spec: authoring.md §8).
fn check_grants(verified: &Verified, granted: &[String]) -> Result<(), Fault> {
    let declared = &verified.manifest().capabilities;
    match granted.iter().position(|grant| !declared.contains(grant)) {
        None => Ok(()),
        Some(index) => Err(Fault::invalid(
            &format!("/granted/{index}"),
            "Grant only what the manifest declares, written as there.",
        )),
    }
}

/// Findings of grants that are needed and were left out (spec: authoring.md §9.1).
fn left_out(fresh: &Review) -> Vec<&Diagnostic> {
    fresh.diagnostics.iter().filter(|finding| finding.code == CAPABILITY_REQUIRED).collect()
}

fn invalid(diagnostics: &[Diagnostic]) -> Fault {
    Fault::new(422, "BUNDLE_INVALID", "The bundle does not hold. Mend what the diagnostics name; nothing was stored.")
        .with("diagnostics", json!(diagnostics))
}
