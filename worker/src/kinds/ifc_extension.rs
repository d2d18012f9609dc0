//! Review and install of an extension: the page's checks once more, where nobody can leave them out (spec: authoring.md
//! §9, §9.1, DESIGN §3).

use holdpoint_change::{Approved, Base, Facts, Person, Preview, Signature, Why, sign};
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, Diagnostic};
use holdpoint_kinds::Kind;
use holdpoint_kinds::ifc_extension::review::CAPABILITY_REQUIRED;
use holdpoint_kinds::ifc_extension::{Granted, IfcExtension, Install, claimed_id, grants_moved, undeclared};
use holdpoint_store::Project as Store;
use holdpoint_store::project::Install as Stored;
use serde_json::{Value, json};

use super::given;
use crate::answer::Fault;
use crate::sql::ObjectSql;

/// What a proposal would change, as its user has to see it. Stores nothing.
pub fn review(store: &Store<ObjectSql>, body: &Value) -> Result<Value, Fault> {
    let install = install(body)?;
    Ok(looked_at(standing(store, &install)?, &install)?.shown())
}

/// The proposal as an install, if it checks and is what its user signed.
pub fn verify(store: &Store<ObjectSql>, body: &Value, by: Person) -> Result<Stored, Fault> {
    let install = install(body)?;
    let signature: Signature = read(body.clone()).map_err(ApiError::from)?;
    let fresh = looked_at(standing(store, &install)?, &install)?;
    if fresh.report.more["holds"] != json!(true) {
        let message = "The bundle does not hold. Mend what the diagnostics name; nothing was stored.";
        return Err(Fault::new(422, "BUNDLE_INVALID", message).with("diagnostics", json!(fresh.report.diagnostics)));
    }
    let is_missing = |finding: &&Diagnostic| finding.code == CAPABILITY_REQUIRED;
    let missing: Vec<Diagnostic> = fresh.report.diagnostics.iter().filter(is_missing).cloned().collect();
    match sign(fresh, &signature, by, true) {
        Err((Why::Base, fresh)) => Err(conflict("base_changed", &fresh)),
        _ if undeclared(&install).is_some() => {
            let pointer = format!("/granted/{}", undeclared(&install).unwrap_or_default());
            Err(Fault::invalid(&pointer, "Grant only what the manifest declares, written as there."))
        }
        _ if !missing.is_empty() => {
            let message = "Grant what the diagnostics name. Nothing was stored.";
            Err(Fault::new(422, CAPABILITY_REQUIRED, message).with("diagnostics", json!(missing)))
        }
        Err((why, fresh)) => Err(refused(store, &install, why, &fresh, &signature)?),
        Ok(approved) => Ok(stored(&approved, body)),
    }
}

/// The answer when the base moved between the check and the write.
pub fn conflict_now(store: &Store<ObjectSql>, body: &Value) -> Fault {
    match review(store, body) {
        Ok(review) => stale("base_changed", review),
        Err(fault) => fault,
    }
}

fn install(body: &Value) -> Result<Install, Fault> {
    read(body.clone()).map_err(|found| Fault::invalid(&found.pointer, format!("Correct the body: {}.", found.cause)))
}

/// What stands installed under the id that the proposal claims, and what its user granted of it.
fn standing(store: &Store<ObjectSql>, install: &Install) -> Result<Base, Fault> {
    let Some(id) = claimed_id(&install.files) else { return Ok(Base::default()) };
    let (Some(record), Some(files)) = (store.record(&id)?, store.files(&id)?) else { return Ok(Base::default()) };
    let facts = Granted { id, version: record.version, granted: record.granted, ..Granted::default() };
    Ok(Base { revision: Some(record.revision_id), files: Some(files), facts: Facts(json!(facts)) })
}

fn looked_at(base: Base, install: &Install) -> Result<Preview, Fault> {
    let staged = IfcExtension.stage(base, install)?;
    Ok(IfcExtension.preview(staged, install, &given).map_err(ApiError::from)?)
}

fn refused(
    store: &Store<ObjectSql>,
    install: &Install,
    why: Why,
    fresh: &Preview,
    signature: &Signature,
) -> Result<Fault, Fault> {
    Ok(match why {
        Why::Confirmation => {
            let message = match &fresh.staged.typed {
                Some(_) => "Read the reasons, send the review's confirm_token, and type the extension's id.",
                None => "Read the reasons, then send the review's confirm_token.",
            };
            Fault::new(409, "CONFIRMATION_REQUIRED", message).with("review", fresh.shown())
        }
        Why::Patch => {
            let base = &fresh.staged.base;
            let earlier = match (claimed_id(&install.files), &fresh.staged.tokens.base) {
                (Some(id), Some(hash)) => store.grants_of(&id, hash)?,
                _ => Vec::new(),
            };
            let moved = grants_moved(base, install, &earlier, signature.patch());
            conflict(if moved { "grants_changed" } else { "patch_changed" }, fresh)
        }
        why => conflict(why.conflict().map_or("result_changed", |reason| reason.name()), fresh),
    })
}

fn conflict(reason: &str, fresh: &Preview) -> Fault {
    stale(reason, fresh.shown())
}

fn stale(reason: &str, review: Value) -> Fault {
    Fault::new(409, "CONFLICT", "This is not what was reviewed. Read the fresh review, then sign again.")
        .with("reason", reason.into())
        .with("review", review)
}

fn stored(approved: &Approved, body: &Value) -> Stored {
    let staged = approved.staged();
    let facts: Granted = serde_json::from_value(staged.facts.0.clone()).unwrap_or_default();
    Stored {
        id: facts.id,
        version: facts.version,
        content_hash: staged.tokens.result.clone().unwrap_or_default(),
        files: staged.after.clone().unwrap_or_default(),
        base_hash: staged.tokens.base.clone(),
        granted: facts.granted,
        origin: facts.origin.name().to_owned(),
        sdk_version: facts.sdk_version,
        last_result: body.get("tests").filter(|tests| !tests.is_null()).cloned(),
        plan_hash: facts.plan_hash,
    }
}
