//! Review, install and the ways back of a user's extensions: the page's checks once more, where nobody can leave them
//! out (spec: authoring.md §8, §9, §9.1, DESIGN §3).
//!
//! Invariants: nothing is stored that does not check; nothing is stored that differs from what its user named; what is
//! stale answers 409 with a fresh review and changes nothing.

mod perform;
pub mod routes;
mod told;

pub use perform::{ExtensionCommand, perform};
pub use told::{conversation_of, history};

use holdpoint_change::{Base, Change, Facts, Person, Preview, Signature, Why};
use holdpoint_check::read::read;
use holdpoint_check::{Diagnostic, args};
use holdpoint_engine::{self as engine, ApplyError, ApplyRequest, SeenRevision};
use holdpoint_kind::{Input, Kind};
use holdpoint_kind_extension::conversation;
use holdpoint_kind_extension::wire::{ExtensionRecord, ExtensionRevision, ReviewFacts};
use holdpoint_kind_extension::{Granted, IfcExtension, Install, Options, claimed_id, grants_moved, undeclared};
use holdpoint_store::codes::{
    BODY, EXTENSION, EXTENSION_CHANGED, FOUND, GRANT, GRANTS, NOTHING, REVIEW, REVIEWED, SEEN_REVIEW, SEEN_REVISION,
    TYPED,
};
use holdpoint_store::workspace::{self, Beside, Bundle, By, Cause, Head, Restored, Way, WriteError};
use holdpoint_store::{Page, Sql, Workspace};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ProjectNames, given};
use crate::answer::EdgeError;

/// All extensions of a user lie in one project.
pub const NAMES: ProjectNames = ProjectNames {
    kind: IfcExtension::ID,
    word: "user",
    prefix: "",
    reserves: false,
    refuse: |_| EdgeError::of(404, &EXTENSION, args! {}),
};

/// What can be done to an extension beside installing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Undo,
    Redo,
    Enable,
    Disable,
    Remove,
}

/// Facts of the bundle: that it is switched off, which holds until its next revision.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Switch {
    disabled: Option<Disabled>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Disabled {
    /// The revision that was switched off.
    revision: String,
    reason: Option<String>,
}

/// What a proposal would change, as its user has to see it. Stores nothing.
pub fn review<S: Sql>(workspace: &Workspace<S>, body: &Value) -> Result<Value, EdgeError> {
    let install = install(body)?;
    Ok(looked_at(standing(workspace, &install)?, &install)?.shown())
}

/// Installs a proposal, if it checks and is what its user signed.
pub fn installed<S: Sql>(
    workspace: &Workspace<S>,
    body: &Value,
    person: Person,
    by: &By<'_>,
) -> Result<ExtensionRecord, EdgeError> {
    let install = install(body)?;
    let talk = install.conversation.clone();
    if let Some(fault) = talk.as_ref().and_then(conversation::fault) {
        return Err(fault.status(400).into());
    }
    let signature = signature(body)?;
    let id = claimed_id(&install.files).unwrap_or_default();
    let words = talk.as_ref().map(told::Words::new);
    let told = words.as_ref().map(told::Words::session);
    let asked = ApplyRequest {
        bundle: Bundle { id: &id, kind: IfcExtension::ID, title: &id, owner: by.user, account: None },
        request: &install,
        signature: &signature,
        revision: seen_revision(body)?,
        texts: None,
        given: &given,
        by: *by,
    };
    let beside = |_: &Preview| told.as_ref().map_or(Beside::Nothing, Beside::Told);
    match engine::apply(workspace, &IfcExtension, &asked, person, beside) {
        Ok(applied) => record(&applied.head).ok_or_else(|| fault(WriteError::NotFound)),
        Err(error) => Err(not_installed(workspace, body, &asked, error)?),
    }
}

/// Does something to what stands installed with the content hash that its user saw; `None`: nothing is installed then.
pub fn act<S: Sql>(
    workspace: &Workspace<S>,
    id: &str,
    action: Action,
    seen: Option<&str>,
    reason: Option<String>,
    person: Person,
    by: &By<'_>,
) -> Result<Option<ExtensionRecord>, EdgeError> {
    let head = workspace.head(id)?.ok_or_else(|| fault(WriteError::NotFound))?;
    let switches = matches!(action, Action::Enable | Action::Disable);
    if switches && head.fingerprints.is_none() {
        return Err(fault(WriteError::NotFound));
    }
    let base = workspace.base(id)?;
    if content_hash(&base).as_deref() != seen {
        return Err(fault(WriteError::Stale { current: Box::new(base) }));
    }
    let walk = |way| workspace.step(id, way).map(Change::Restored).map_err(fault);
    let switch = |disabled| Facts(json!(Switch { disabled }));
    let change: Change<Restored> = match action {
        Action::Undo => walk(&Way::Back)?,
        Action::Redo => walk(&Way::Forth)?,
        Action::Remove => Change::Removed(person),
        Action::Enable => Change::Facts(switch(None), person),
        Action::Disable => Change::Facts(switch(Some(Disabled { revision: head.revision.id.clone(), reason })), person),
    };
    let bundle = Bundle::from(&head);
    let written = match action {
        Action::Remove => workspace.write_forgetting(&bundle, &base, change, by),
        _ => workspace.write(&bundle, &base, change, by),
    };
    Ok(record(&written.map_err(fault)?))
}

/// What is installed, as its user sees it; `None`: nothing is.
pub fn record(head: &Head) -> Option<ExtensionRecord> {
    head.fingerprints.as_ref()?;
    let here = head.here.as_ref()?;
    let facts = granted(&head.revision.facts);
    let switch: Switch = serde_json::from_value(head.facts.0.clone()).unwrap_or_default();
    let disabled = switch.disabled.filter(|disabled| disabled.revision == head.revision.id);
    let previous = head.previous.as_ref().filter(|previous| previous.stands).map(|previous| {
        let facts = granted(&previous.facts);
        json!({"version": facts.version, "content_hash": facts.content_hash, "revision_id": previous.id})
    });
    Some(ExtensionRecord {
        id: head.id.clone(),
        version: facts.version,
        content_hash: facts.content_hash,
        revision_id: here.id.clone(),
        granted: facts.granted,
        enabled: disabled.is_none(),
        disabled_reason: disabled.and_then(|disabled| disabled.reason),
        origin: facts.origin.name().to_owned(),
        installed_at: here.at,
        sdk_version: facts.sdk_version,
        last_result: facts.last_result,
        plan_hash: facts.plan_hash,
        previous,
        can_undo: head.can_go_back,
        can_redo: head.can_go_forth,
    })
}

/// One change of what is installed, as its user sees it.
pub fn revision(revision: workspace::Revision) -> ExtensionRevision {
    let after = revision.stands.then(|| granted(&revision.facts));
    ExtensionRevision {
        revision_id: revision.id,
        at: revision.at,
        actor: revision.actor,
        cause: if revision.cause == Cause::Apply { "install" } else { revision.cause.as_str() }.to_owned(),
        base_hash: revision.facts_before.as_ref().map(|facts| granted(facts).content_hash),
        content_hash: after.as_ref().map(|facts| facts.content_hash.clone()),
        version: after.map(|facts| facts.version),
    }
}

/// What happened to an extension, newest first. A cursor that no page gave is none.
pub fn revisions<S: Sql>(
    workspace: &Workspace<S>,
    id: &str,
    cursor: Option<&str>,
    limit: u32,
) -> Result<Page<ExtensionRevision>, EdgeError> {
    let page = match workspace.revisions(id, cursor, limit) {
        Err(WriteError::Cursor) => workspace.revisions(id, None, limit),
        page => page,
    };
    Ok(page.map_err(fault)?.map(revision))
}

/// A refusal in the words of these routes.
pub fn fault(refused: WriteError) -> EdgeError {
    match refused {
        WriteError::NotFound | WriteError::Cursor => EdgeError::of(404, &EXTENSION, args! {}),
        WriteError::Stale { current } => EdgeError::of(409, &EXTENSION_CHANGED, args! {})
            .with("reason", "base_changed")
            .with("base_hash", json!(content_hash(&current))),
        WriteError::NothingTo(action) => {
            EdgeError::of(409, &NOTHING, args! { action }).with("reason", format!("nothing_to_{action}"))
        }
        WriteError::Sql(error) => error.into(),
        // No inverse and no issued token is asked for here.
        WriteError::Blocked { .. } | WriteError::Token => EdgeError::internal("a refusal of another kind"),
    }
}

/// A refusal in the words of these routes: what does not hold is said before what moved, what is not granted behind it.
fn not_installed<S: Sql>(
    workspace: &Workspace<S>,
    body: &Value,
    asked: &ApplyRequest<'_, IfcExtension>,
    error: ApplyError,
) -> Result<EdgeError, EdgeError> {
    let install = asked.request;
    let (why, fresh) = match error {
        ApplyError::Request(error) => {
            let fault = EdgeError::from(error);
            // What is too large to be reviewed does not hold either, and the check says what is too large of it.
            return Ok(if fault.status == 413 { unsound(install).unwrap_or(fault) } else { fault });
        }
        // The base moved between the check and the write.
        ApplyError::Write(WriteError::Stale { .. }) => return Ok(stale("base_changed", review(workspace, body)?)),
        ApplyError::Write(refused) => return Ok(fault(refused)),
        ApplyError::Stale { why, fresh } => (why, fresh),
        ApplyError::NeedsConfirmation { fresh } => (Why::Confirmation, fresh),
        ApplyError::Invalid { fresh } => (Why::Invalid, fresh),
    };
    let diagnostics = &fresh.report.diagnostics;
    if !ReviewFacts::deserialize(&fresh.report.more).unwrap_or_default().holds {
        return Ok(invalid(diagnostics));
    }
    if why != Why::Base {
        if let Some(place) = undeclared(install) {
            return Ok(EdgeError::of(400, &GRANTS, args! {}).with("pointer", format!("/granted/{place}")));
        }
        let missing: Vec<&Diagnostic> = diagnostics.iter().filter(|finding| finding.code == GRANT.name).collect();
        if !missing.is_empty() {
            return Ok(EdgeError::of(422, &GRANT, args! {}).with("diagnostics", json!(missing)));
        }
    }
    not_signed(workspace, install, why, &fresh, asked.signature)
}

/// The answer to a bundle that does not hold; `None`: it does.
fn unsound(install: &Install) -> Option<EdgeError> {
    let options = Options { origin: install.origin.unwrap_or_default(), ..Options::default() };
    let report = IfcExtension.check(&install.files, Input { options: &options, given: &given }).ok()?;
    (!report.ok).then(|| invalid(&report.diagnostics))
}

fn invalid(diagnostics: &[Diagnostic]) -> EdgeError {
    EdgeError::of(422, &FOUND, args! {}).with("diagnostics", json!(diagnostics))
}

fn install(body: &Value) -> Result<Install, EdgeError> {
    read(body.clone())
        .map_err(|found| EdgeError::of(400, &BODY, args! { error: found.cause }).with("pointer", found.pointer))
}

/// What its person saw: a change and a result at least.
fn signature(body: &Value) -> Result<Signature, EdgeError> {
    for name in ["patch_id", "result_hash"] {
        if !body[name].is_string() {
            return Err(EdgeError::invalid(format!("/{name}"), &SEEN_REVIEW, args! {}));
        }
    }
    read(body.clone()).map_err(|found| EdgeError::invalid(found.pointer, &BODY, args! { error: found.cause }))
}

/// The newest revision that its person saw; null where there never was any.
fn seen_revision(body: &Value) -> Result<SeenRevision<'_>, EdgeError> {
    match body.get("base_revision_id") {
        None => Ok(SeenRevision::Any),
        Some(Value::Null) => Ok(SeenRevision::Newest(None)),
        Some(Value::String(revision)) => Ok(SeenRevision::Newest(Some(revision))),
        Some(_) => Err(EdgeError::invalid("/base_revision_id", &SEEN_REVISION, args! {})),
    }
}

/// What stands installed under the id that the proposal claims, and what its user granted of it.
fn standing<S: Sql>(workspace: &Workspace<S>, install: &Install) -> Result<Base, EdgeError> {
    let Some(id) = claimed_id(&install.files) else { return Ok(Base::default()) };
    Ok(workspace.base(&id)?)
}

fn looked_at(base: Base, install: &Install) -> Result<Preview, EdgeError> {
    Ok(engine::preview(&IfcExtension, base, install, &given)?)
}

fn not_signed<S: Sql>(
    workspace: &Workspace<S>,
    install: &Install,
    why: Why,
    fresh: &Preview,
    signature: &Signature,
) -> Result<EdgeError, EdgeError> {
    Ok(match why {
        Why::Confirmation => {
            let code = if fresh.staged.typed.is_some() { &TYPED } else { &REVIEW };
            EdgeError::of(409, code, args! {}).with("review", fresh.shown())
        }
        Why::Patch => {
            let base = &fresh.staged.base;
            let earlier = match (claimed_id(&install.files), &fresh.staged.tokens.base) {
                (Some(id), Some(hash)) => granted_of(workspace, &id, hash)?,
                _ => Vec::new(),
            };
            let moved = grants_moved(base, install, &earlier, signature.patch());
            conflict(if moved { "grants_changed" } else { "patch_changed" }, fresh)
        }
        why => conflict(why.conflict().map_or("result_changed", |reason| reason.name()), fresh),
    })
}

/// What its user granted of these contents whenever they stood: a signature over other grants than today's was good once.
fn granted_of<S: Sql>(workspace: &Workspace<S>, id: &str, hash: &str) -> Result<Vec<Vec<String>>, EdgeError> {
    let facts = workspace.facts_ever(id)?;
    let of_hash = facts.iter().map(granted).filter(|facts| facts.content_hash == hash);
    Ok(of_hash.map(|facts| facts.granted).collect())
}

fn conflict(reason: &str, fresh: &Preview) -> EdgeError {
    stale(reason, fresh.shown()).with("base_revision_id", json!(fresh.staged.base.revision))
}

fn stale(reason: &str, review: Value) -> EdgeError {
    EdgeError::of(409, &REVIEWED, args! {}).with("reason", reason).with("review", review)
}

/// What stands, as its user names it; `None`: nothing does.
fn content_hash(base: &Base) -> Option<String> {
    base.files.as_ref().map(|_| granted(&base.facts).content_hash)
}

fn granted(facts: &Facts) -> Granted {
    serde_json::from_value(facts.0.clone()).unwrap_or_default()
}
