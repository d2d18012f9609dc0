//! Proposals of runs: looked at, taken, left (spec: app-builder.md §10 "Proposals").
//!
//! Invariants: what is written is what its person saw, and goes through the gate; a draft that moved is joined with the
//! proposal before it is shown, and never behind a signature.

use std::cell::OnceCell;
use std::rc::Rc;

use holdpoint_bundle::Files;
use holdpoint_change::{Base, Preview, Signature, text_error};
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, Diagnostic, args};
use holdpoint_engine::{self as engine, ApplyError, ApplyRequest, SeenRevision};
use holdpoint_kind_app::ViteApp;
use holdpoint_kind_app::accept::Choices;
use holdpoint_kind_app::behaviours::compared;
use holdpoint_kind_app::claims::claims;
use holdpoint_kind_app::dialect::apply::{apply, changes};
use holdpoint_kind_app::dialect::patch::told;
use holdpoint_kind_app::merge::{ProjectSide, merge};
use holdpoint_kind_app::proposals::{
    ApplyProposalBody, CLOSED, DiscardedProposal, NO_PROPOSAL, PROPOSAL_STALE, PreviewProposalBody, ProposalState,
    ProposalView, ProposedFile, ResultBuild, StoredProposal,
};
use holdpoint_kind_app::requests::{SaveGate, whole};
use holdpoint_kind_app::routes::Id;
use holdpoint_kind_app::routes::codes::{BUILDER_COMPILE_FAILED, DOUBTFUL_EDIT, MERGE_CONFLICT};
use holdpoint_kind_app::stage::{AppProfile, AppRequest, AppRevision, options};
use holdpoint_kind_app::tools::Verified;
use holdpoint_store::audit::NewEvent;
use holdpoint_store::build::AppliedBuild;
use holdpoint_store::change_set::{Applies, ChangeSet, JudgedSet, SetStatus};
use holdpoint_store::workspace::{Beside, Bundle, By, Head};
use holdpoint_text::DiffOptions;
use serde_json::{Value, json};
use worker::State;

use super::builds;
use super::gate::Gated;
use super::shown::facts;
use super::{AppDesk, fault, object_of, profile};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::{Gone, now_ms};
use crate::kinds::given;
use crate::project::once::Once;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::RouteRequest;

/// Answers a route of proposals, in the project of the app.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    head: ProjectCommand<()>,
    mut request: RouteRequest,
    _: Gone,
) -> Result<ObjectReply, EdgeError> {
    let (body, named) = (object_of(&mut request)?, request.place("proposal_id"));
    let once = match id {
        Id::ApplyProposal => Once::read(&request, &request.request().path(), &body.to_string())?,
        _ => None,
    };
    let user = head.principal.user_id.clone();
    let _alone = Once::alone(once.as_ref(), object, &user).await?;
    let workspace = object.workspace()?;
    if let Some(answered) = Once::answered(once.as_ref(), &workspace, &user, now_ms())? {
        return Ok(ObjectReply::Json(answered));
    }
    let desk = AppDesk::of(object, &head)?;
    desk.present()?;
    let console = request.request().url()?.origin().ascii_serialization();
    let answer = match id {
        Id::PreviewProposal => {
            let asked: PreviewProposalBody =
                if body.is_null() { PreviewProposalBody::default() } else { read(body).map_err(ApiError::from)? };
            let (mut view, result) = desk.looked_at(&named, asked.accept, &console)?;
            holds(&view)?;
            if let Some(result) = result {
                desk.look_at(result.set, &result.key)?;
                if view.preview_url.is_none() && view.build.is_none() && desk.can_build() {
                    view.build = Some(ResultBuild::queued());
                    let (object, head) = (object.clone(), head.clone());
                    state.wait_until(async move { result.build(&object, &head).await });
                }
            }
            json!(view)
        }
        Id::ApplyProposal => desk.apply_proposal(&named, body, &console).await?,
        Id::DiscardProposal => json!(desk.discard_proposal(&named)?),
        _ => json!(desk.proposal(&named, None, &console)?),
    };
    let answer = Once::keep(once.as_ref(), &workspace, &user, now_ms(), answer)?;
    if id == Id::ApplyProposal {
        object.set_alarm().await;
        let (object, app) = (object.clone(), head.bundle.clone());
        state.wait_until(async move { super::apps::behind(&object, &app).await });
    }
    Ok(ObjectReply::Json(answer))
}

/// What a proposal, or a choice of it, would make of the draft.
struct ProposalResult {
    set: i64,
    own: AppProfile,
    facts: AppRevision,
    files: Files,
    /// What its build is known by.
    key: String,
}

impl ProposalResult {
    /// Builds it, unless something else is looked at before that is done.
    async fn build(self, object: &Object, head: &ProjectCommand<()>) {
        let Ok(desk) = AppDesk::of(object, head) else { return };
        if let Err(fault) = desk.gate_once(&self.own, &self.facts, &self.files).await {
            worker::console_error!("{}", json!({"event": "build_fault", "code": fault.code}));
        }
    }
}

/// A proposal on the draft as it is now.
struct Judged {
    request: AppRequest,
    preview: Preview,
}

/// Refuses a picked result that does not compile.
fn holds(view: &ProposalView) -> Result<(), EdgeError> {
    let is_error = |found: &Value| found.get("severity").and_then(Value::as_str) == Some("error");
    if view.state == ProposalState::Applied || !view.diagnostics.iter().any(is_error) {
        return Ok(());
    }
    Err(compile_failed(view.diagnostics.clone()))
}

fn compile_failed(diagnostics: Vec<Value>) -> EdgeError {
    EdgeError::of(422, &BUILDER_COMPILE_FAILED, args! {}).with("diagnostics", diagnostics)
}

impl AppDesk<'_> {
    /// A proposal of this user, as it is stored.
    pub fn stored_proposal(&self, id: &str) -> Result<(ChangeSet, StoredProposal), EdgeError> {
        let none = || EdgeError::of(404, &NO_PROPOSAL, args! {});
        let number = id.strip_prefix("cs_").and_then(|number| number.parse().ok()).ok_or_else(none)?;
        let set = self.workspace.change_sets().numbered(number)?.filter(|set| set.user == self.user());
        let set = set.ok_or_else(none)?;
        let stored = serde_json::from_str(&set.content)?;
        Ok((set, stored))
    }

    /// A proposal on the draft as it is now, or what is chosen of it.
    pub fn proposal(&self, id: &str, accept: Option<Choices>, console: &str) -> Result<ProposalView, EdgeError> {
        Ok(self.looked_at(id, accept, console)?.0)
    }

    /// The same, with what it would make of the draft while it can be applied.
    fn looked_at(
        &self,
        id: &str,
        accept: Option<Choices>,
        console: &str,
    ) -> Result<(ProposalView, Option<ProposalResult>), EdgeError> {
        let (set, stored) = self.stored_proposal(id)?;
        if !set.status.is_open() {
            return Ok((self.closed_view(id, &set, &stored)?, None));
        }
        let head = self.present()?;
        let judged = self.judged(&head, &stored, accept)?;
        let view = Self::view(id, &set, &stored, &judged)?;
        let own = profile(&head);
        let facts: AppRevision = serde_json::from_value(judged.preview.staged.facts.0.clone())?;
        let key = builds::key(&own.settings, &facts);
        let is_built = self.workspace.builds().reusable(self.id(), &key, now_ms())?.is_some();
        // Without an origin for previews there is no address, which is no fault of the proposal.
        let preview_url =
            is_built.then(|| self.address(&key, console).ok()).flatten().map(|address| address.preview_url);
        let build = if is_built { None } else { self.result_build(&key)? };
        let files = judged.preview.staged.after.unwrap_or_default();
        let result = ProposalResult { set: set.number, own, facts, files, key };
        Ok((ProposalView { preview_url, build, ..view }, Some(result)))
    }

    /// By what the build of a proposal's result is known: of the choice that was looked at last, else of all of it.
    pub fn result_key(&self, id: &str) -> Result<String, EdgeError> {
        let (set, _) = self.stored_proposal(id)?;
        if let Some(key) = self.object.work.results.borrow().get(&set.number) {
            return Ok(key.clone());
        }
        let none = || EdgeError::of(404, &NO_PROPOSAL, args! {});
        Ok(self.looked_at(id, None, "")?.1.ok_or_else(none)?.key)
    }

    fn judged(&self, head: &Head, stored: &StoredProposal, accept: Option<Choices>) -> Result<Judged, EdgeError> {
        let base = self.workspace.base(self.id())?;
        let request =
            AppRequest { accept, origin: stored.proposal.origin.clone(), ..self.on_draft(head, &base, stored)? };
        let preview = engine::preview(&ViteApp, base, &request, &given)?;
        Ok(Judged { request, preview })
    }

    /// The operations of a proposal on the draft: where that moved, what a merge of both leaves.
    fn on_draft(&self, head: &Head, base: &Base, stored: &StoredProposal) -> Result<AppRequest, EdgeError> {
        let (own, rules) = (&stored.proposal, self.rules(&profile(head)));
        if head.revision.id == stored.base_revision_id {
            let entry_file = Some(own.entry_file.clone());
            return Ok(AppRequest {
                operations: own.operations.clone(),
                entry_file,
                accept: None,
                rules,
                origin: None,
            });
        }
        let (older, before) = self.workspace.revision(self.id(), &stored.base_revision_id).map_err(fault)?;
        let (older, before) = (facts(&older), before.unwrap_or_default());
        let theirs = apply(&before, Some(&own.entry_file), &own.operations, &options(Some(&older), &rules).resolve()?)?;
        let known = facts(&head.revision);
        let draft = base.files.clone().unwrap_or_default();
        let joined = merge(
            ProjectSide { files: &before, entry_file: &older.entry_file },
            ProjectSide { files: &draft, entry_file: &known.entry_file },
            ProjectSide { files: &theirs.files, entry_file: &theirs.entry_file },
        );
        let (files, entry) = joined.map_err(|conflicts| {
            EdgeError::of(409, &MERGE_CONFLICT, args! {})
                .with("latest_revision_id", head.revision.id.clone())
                .with("conflicts", json!(conflicts))
        })?;
        Ok(AppRequest { operations: whole(&draft, &files), entry_file: Some(entry), accept: None, rules, origin: None })
    }

    fn view(id: &str, set: &ChangeSet, stored: &StoredProposal, judged: &Judged) -> Result<ProposalView, EdgeError> {
        let staged = &judged.preview.staged;
        let before = staged.base.files.clone().unwrap_or_default();
        let after = staged.after.clone().unwrap_or_default();
        let mut files = Vec::new();
        for one in changes(&before, &after) {
            let side = |files: &Files| files.get(&one.path).cloned().unwrap_or_default();
            let options = DiffOptions { path: &one.path, ..DiffOptions::default() };
            let diff =
                holdpoint_text::diff(&side(&before), &side(&after), &options).map_err(|error| text_error(&error))?;
            files.push(ProposedFile { path: one.path.clone(), status: one.status.id().to_owned(), diff: json!(diff) });
        }
        let token = |token: &Option<String>| token.clone().unwrap_or_default();
        let is_whole = staged.tokens.result.as_ref() == Some(&stored.proposal.result_hash);
        Ok(ProposalView {
            id: id.to_owned(),
            request_id: stored.request_id.clone(),
            base_revision_id: staged.base.revision.clone().unwrap_or_default(),
            base_hash: token(&staged.tokens.base),
            patch_id: token(&staged.tokens.patch),
            result_hash: token(&staged.tokens.result),
            operations: judged.request.operations.clone(),
            files,
            diagnostics: findings(&judged.preview),
            // What was picked, or joined with a newer draft, was not built.
            verified: if is_whole { stored.proposal.verified } else { Verified::default() },
            state: state(set),
            summary: stored.proposal.summary.clone(),
            rationale: stored.proposal.rationale.clone(),
            assumptions: stored.proposal.assumptions.clone(),
            behaviours: compared(&before, &after),
            claims: match judged.request.accept {
                None => claims(&stored.proposal.words(), &before, &after).iter().map(told).collect(),
                Some(_) => Vec::new(),
            },
            confirm_token: staged.shown.get("confirm_token").and_then(Value::as_str).map(str::to_owned),
            preview_url: None,
            build: None,
        })
    }

    /// A proposal of which nothing can be taken any more.
    fn closed_view(&self, id: &str, set: &ChangeSet, stored: &StoredProposal) -> Result<ProposalView, EdgeError> {
        let own = &stored.proposal;
        let (older, before) = self.workspace.revision(self.id(), &stored.base_revision_id).map_err(fault)?;
        let options = options(Some(&facts(&older)), &self.rules(&profile(&self.present()?)));
        let before = before.unwrap_or_default();
        let done = apply(&before, Some(&own.entry_file), &own.operations, &options.resolve()?)?;
        let file = |one: &holdpoint_kind_app::dialect::apply::Changed| ProposedFile {
            path: one.path.clone(),
            status: one.status.id().to_owned(),
            diff: Value::Null,
        };
        Ok(ProposalView {
            id: id.to_owned(),
            request_id: stored.request_id.clone(),
            base_revision_id: stored.base_revision_id.clone(),
            base_hash: own.base_hash.clone(),
            patch_id: own.patch_id.clone(),
            result_hash: own.result_hash.clone(),
            operations: own.operations.clone(),
            files: done.changed.iter().map(file).collect(),
            diagnostics: done.diagnostics.iter().map(told).collect(),
            verified: own.verified,
            state: state(set),
            summary: own.summary.clone(),
            rationale: own.rationale.clone(),
            assumptions: own.assumptions.clone(),
            behaviours: compared(&before, &done.files),
            claims: claims(&own.words(), &before, &done.files).iter().map(told).collect(),
            confirm_token: None,
            preview_url: None,
            build: None,
        })
    }

    /// Writes what its person signed of a proposal, as one step.
    async fn apply_proposal(&self, id: &str, body: Value, console: &str) -> Result<Value, EdgeError> {
        let asked: ApplyProposalBody = read(body.clone()).map_err(ApiError::from)?;
        let signature: Signature = read(body).map_err(ApiError::from)?;
        let (set, stored) = self.stored_proposal(id)?;
        if !set.status.is_open() {
            return Err(EdgeError::of(409, &CLOSED, args! {}));
        }
        let head = self.present()?;
        let judged = self.judged(&head, &stored, asked.accept.clone())?;
        let view = Self::view(id, &set, &stored, &judged)?;
        holds(&view)?;
        let seen = [&asked.base_hash, &asked.patch_id, &asked.result_hash];
        let is_other = asked.base_revision_id.as_ref().is_some_and(|seen| *seen != head.revision.id);
        if is_other || seen != [&view.base_hash, &view.patch_id, &view.result_hash] {
            return Err(stale(&view));
        }
        let own = profile(&head);
        let next: AppRevision = serde_json::from_value(judged.preview.staged.facts.0.clone())?;
        let files = judged.preview.staged.after.clone().unwrap_or_default();
        if own.settings.save_gate == SaveGate::Build
            && let Gated::Failed { diagnostics, .. } = self.gate(&own, &next, &files).await?
        {
            return Err(compile_failed(diagnostics));
        }
        // Only what waits to be applied can be; one that was parked is taken by the person who looks at it.
        if set.status == SetStatus::Staged {
            let judged = JudgedSet { valid: true, validation: "{}", again: None };
            self.workspace.change_sets().judge(&set, &judged, now_ms(), &[])?;
        }
        let head = self.present()?;
        let request = ApplyRequest {
            bundle: Bundle::from(&head),
            request: &judged.request,
            signature: &signature,
            revision: SeenRevision::Newest(Some(&view.base_revision_id)),
            texts: None,
            given: &given,
            by: By { user: self.user(), now: now_ms(), asked: None },
        };
        let key = builds::key(&own.settings, &next);
        let event = self.applied_event(&set);
        let applies = Applies { change_set: set.number, inverse: "{}", event: &event };
        let built = OnceCell::new();
        let beside = |_: &Preview| Beside::Built(built.get_or_init(|| AppliedBuild { set: Some(&applies), key: &key }));
        let written = engine::apply(&self.workspace, &ViteApp, &request, person(&self.head.principal), beside);
        self.object.work.changed();
        match written {
            Ok(applied) => {
                self.tell_applied(&applied.head.revision);
                let mut version = self.version(applied.head.revision.clone())?;
                version.files = self.workspace.files(self.id())?;
                Ok(json!(version))
            }
            Err(ApplyError::NeedsConfirmation { fresh }) => Err(EdgeError::of(409, &DOUBTFUL_EDIT, args! {})
                .with("confirm_token", fresh.staged.shown.get("confirm_token").cloned().unwrap_or_default())
                .with("reasons", json!(fresh.staged.reasons))),
            Err(ApplyError::Stale { .. }) => Err(stale(&self.proposal(id, asked.accept, console)?)),
            Err(ApplyError::Invalid { fresh }) => Err(compile_failed(findings(&fresh))),
            Err(ApplyError::Request(error)) => Err(error.into()),
            Err(ApplyError::Write(refused)) => Err(fault(refused)),
        }
    }

    fn applied_event<'e>(&'e self, set: &'e ChangeSet) -> NewEvent<'e> {
        NewEvent {
            bundle: self.id(),
            session: Some(&set.session),
            change_set: Some((set.number, set.version)),
            user: self.user(),
            kind: "app.proposal.applied",
            outcome: "ok",
            code: None,
            objects: "[]".to_owned(),
            detail: "{}".to_owned(),
            duration: None,
        }
    }

    fn discard_proposal(&self, id: &str) -> Result<DiscardedProposal, EdgeError> {
        let (set, _) = self.stored_proposal(id)?;
        let event = NewEvent { kind: "app.proposal.discarded", ..self.applied_event(&set) };
        let done = self.workspace.change_sets().discard(&set, self.now, &event)?;
        if !done && set.status == SetStatus::Applied {
            return Err(EdgeError::of(409, &CLOSED, args! {}));
        }
        Ok(DiscardedProposal { id: id.to_owned(), state: ProposalState::Discarded })
    }
}

fn stale(view: &ProposalView) -> EdgeError {
    EdgeError::of(409, &PROPOSAL_STALE, args! {}).with("preview", json!(view))
}

fn findings(preview: &Preview) -> Vec<Value> {
    preview.report.diagnostics.iter().map(|found: &Diagnostic| told(found)).collect()
}

fn state(set: &ChangeSet) -> ProposalState {
    match set.status {
        SetStatus::Validated => ProposalState::Open,
        SetStatus::Staged => ProposalState::Parked,
        SetStatus::Applied => ProposalState::Applied,
        SetStatus::Rejected => ProposalState::Discarded,
    }
}
