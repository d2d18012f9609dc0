//! Applying what a person signed (spec: crew-package.md §10.1).
//!
//! Invariants: every step before the write only looks; revision, counters, audit row, inverse and the word on the set are
//! one transaction; a set is applied once.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use holdpoint_change::{Preview, Signature};
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, Diagnostic, Report, args};
use holdpoint_engine::{self as engine, ApplyError, ApplyRequest, SeenRevision};
use holdpoint_kind_crew::facts::PackageFacts;
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::{
    AI_APPLY_FAILED, AI_VALIDATION_FAILED, ApplyBody, Issued, NOT_VALIDATED, OBJECTS_MOVED, REASONS, SeenPreview,
    changed_rows, findings, judge, moved, wants_confirmation,
};
use holdpoint_kind_crew::sessions::codes::NEEDS_SET;
use holdpoint_kind_crew::sessions::opening::object;
use holdpoint_kind_crew::sessions::rollout::Wants;
use holdpoint_kind_crew::wire::projects::Revision;
use holdpoint_kind_crew::wire::sessions::{NewRevision, SetApplied};
use holdpoint_kind_crew::{CrewPackage, Options, SetRequest, ShownSet};
use holdpoint_store::change_set::{Applies, ChangeSet, SetStatus};
use holdpoint_store::ledger::Principal;
use holdpoint_store::session::OwnSession;
use holdpoint_store::workspace::{self, Beside, Bundle, By, WriteError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::command::Sent;
use super::sets::{ShownTokens, closed, issued, nothing};
use super::told::Told;
use super::work::{Work, active, builder, record};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::kinds::crew_package::projects::saved;
use crate::kinds::given;

impl Work<'_> {
    /// `…/apply`, in a session of the path or of the body.
    pub fn apply_sent(&self, session: Option<&str>, sent: &Sent, principal: &Principal) -> Result<Value, EdgeError> {
        self.head()?;
        self.may(Wants::Apply)?;
        let session = match session {
            Some(id) => self.session(id)?,
            None => self.named(sent)?,
        };
        active(&session)?;
        let value = sent.value()?;
        object(value)?;
        let body: ApplyBody = read(value.clone()).map_err(ApiError::from)?;
        let id = body.change_set_id.as_deref();
        let set = self.set(&session, id.ok_or_else(|| ApiError::at("/changeSetId", &NEEDS_SET, args! {}))?)?;
        let done = self.apply(&session, &set, &body, principal);
        if let Err(fault) = &done {
            let kind = if fault.code == AI_APPLY_FAILED.name { "ai.apply.failed" } else { "ai.apply.blocked" };
            let outcome = if fault.code == AI_APPLY_FAILED.name { "failed" } else { "blocked" };
            let set = Some((set.number, set.version));
            self.tell(Some(&session), &Told { outcome, code: Some(&fault.code), set, ..Told::of(kind) })?;
        }
        done
    }

    fn apply(
        &self,
        session: &OwnSession,
        set: &ChangeSet,
        body: &ApplyBody,
        principal: &Principal,
    ) -> Result<Value, EdgeError> {
        match set.status {
            SetStatus::Validated => {}
            SetStatus::Staged => return Err(EdgeError::of(409, &NOT_VALIDATED, args! {})),
            SetStatus::Applied | SetStatus::Rejected => return Err(closed(set)),
        }
        if let Some(refused) = wants_confirmation(body) {
            return Err(refused.into());
        }
        let issued = issued(set).ok_or_else(nothing)?;
        let request = SetRequest {
            name: IdOf::ChangeSet.outside(set.number),
            session: builder(session)?,
            record: record(set)?,
            revisions: body.revision_base,
            options: Options::default(),
        };
        let stands = self.workspace.head(self.project)?.ok_or_else(nothing)?;
        let Some(signature) = signature(issued.patch(&request.name), set.shown(self.now), body)? else {
            return Err(self.judged_again(session, set, (&request, &issued), None)?);
        };
        let asked = ApplyRequest {
            bundle: Bundle::from(&stands),
            request: &request,
            signature: &signature,
            revision: SeenRevision::Any,
            texts: None,
            given: &given,
            by: By { user: self.user, now: self.now, asked: None },
        };
        let (inverse, told, event, applies) = (OnceCell::new(), OnceCell::new(), OnceCell::new(), OnceCell::new());
        let beside = |preview: &Preview| {
            let inverse: &String =
                inverse.get_or_init(|| preview.staged.inverse.clone().unwrap_or_default().to_string());
            let told = told.get_or_init(|| succeeded(session, set, preview));
            let event = event.get_or_init(|| self.event(Some(session), told));
            Beside::Set(applies.get_or_init(|| Applies { change_set: set.number, inverse, event }))
        };
        match engine::apply(&self.workspace, &CrewPackage, &asked, person(principal), beside) {
            Ok(applied) => {
                if let Some(told) = told.get() {
                    self.log(Some(session), told);
                }
                Ok(answer(session, &request.name, &applied.preview))
            }
            Err(ApplyError::NeedsConfirmation { fresh }) => {
                Err(EdgeError::of(409, &REASONS, args! {}).with("reasons", json!(fresh.staged.reasons)))
            }
            Err(ApplyError::Stale { fresh, .. } | ApplyError::Invalid { fresh }) => {
                Err(self.judged_again(session, set, (&request, &issued), Some(&fresh.report))?)
            }
            Err(ApplyError::Request(error)) => Err(error.into()),
            Err(ApplyError::Write(WriteError::NotFound)) => Err(closed(set)),
            Err(ApplyError::Write(WriteError::Sql(error))) => {
                worker::console_error!("{}", json!({"event": "apply_failed", "cause": error.code()}));
                Err(EdgeError::of(500, &AI_APPLY_FAILED, args! {}).with("cause", error.code()))
            }
            Err(ApplyError::Write(_)) => Err(EdgeError::of(500, &AI_APPLY_FAILED, args! {}).with("cause", "refused")),
        }
    }

    /// Why a set was not written: it is judged once more on what stands, and the verdict stored and shown. What does not
    /// hold any more is said before what moved, or was never shown.
    fn judged_again(
        &self,
        session: &OwnSession,
        set: &ChangeSet,
        (request, issued): (&SetRequest, &Issued),
        report: Option<&Report>,
    ) -> Result<EdgeError, EdgeError> {
        let judged = judge(&*self.head()?, &request.session, &request.record, request.revisions)?;
        let invalid = || EdgeError::of(422, &AI_VALIDATION_FAILED, args! {});
        if let Some(report) = report.filter(|report| judged.valid() && !report.ok) {
            let errors: Vec<&Diagnostic> =
                report.diagnostics.iter().filter(|found| found.new && found.is_error()).collect();
            return Ok(invalid().with("errors", json!(errors)));
        }
        self.keep(session, set, (&request.record, &judged))?;
        if !judged.valid() {
            return Ok(invalid().with("errors", findings(&judged.checked.verdict.errors)));
        }
        let objects = moved(issued, &judged);
        let preview = self.show_set(set, &judged.issued)?;
        let saved = self.saved(set, (issued, &judged.issued), &objects)?;
        let conflict = EdgeError::of(409, &OBJECTS_MOVED, args! {}).with("objects", json!(objects));
        Ok(conflict.with("preview", preview).with("saved", json!(saved)))
    }

    /// Who changed files of these objects since the set was judged, and when.
    fn saved(
        &self,
        set: &ChangeSet,
        (then, now): (&Issued, &Issued),
        objects: &[String],
    ) -> Result<Vec<Revision>, EdgeError> {
        let rows = then.rows.iter().chain(&now.rows).filter(|(object, ..)| objects.contains(object));
        let files: BTreeSet<&str> = rows.map(|(_, file, _)| file.as_str()).collect();
        let was_seen = |revision: &workspace::Revision| revision.at < set.updated;
        let touches =
            |revision: &workspace::Revision| revision.changed.keys().any(|path| files.contains(path.as_str()));
        saved(&self.workspace, self.project, was_seen, touches)
    }
}

/// What a person signs: what the request names, else what they were last shown; `None`: neither.
fn signature(validated: String, shown: Option<&str>, body: &ApplyBody) -> Result<Option<Signature>, EdgeError> {
    let ShownTokens { base, patch, result } = match (&body.preview, shown) {
        (Some(SeenPreview { base_hash, result_hash }), _) => {
            ShownTokens { base: base_hash.clone(), patch: validated, result: result_hash.clone() }
        }
        (None, Some(shown)) => serde_json::from_str(shown)?,
        (None, None) => return Ok(None),
    };
    let named = json!({
        "base_hash": base, "patch_id": patch, "result_hash": result, "confirm_token": body.confirm_token,
    });
    Ok(Some(serde_json::from_value(named)?))
}

fn shown(preview: &Preview) -> ShownSet {
    ShownSet::deserialize(&preview.staged.shown).unwrap_or_default()
}

/// The counters that the written revision has for this session.
fn new_revision(session: &OwnSession, preview: &Preview) -> NewRevision {
    let facts = PackageFacts::deserialize(&preview.staged.facts.0).unwrap_or_else(|_| PackageFacts::new(""));
    let revision = facts.revisions(session.part.and_then(|part| u64::try_from(part).ok()));
    NewRevision {
        workflow_revision: revision.workflow_revision,
        agents_revision: revision.agents_revision,
        assets_revision: revision.assets_revision,
    }
}

/// What is told of an apply.
fn succeeded(session: &OwnSession, set: &ChangeSet, preview: &Preview) -> Told<'static> {
    let shown = shown(preview);
    let mismatches = shown.warnings.iter().filter(|found| found.get("provided").is_some()).count();
    Told {
        set: Some((set.number, set.version)),
        objects: json!(shown.normalized.map(|normal| normal.impact.objects)),
        detail: json!({"newRevision": new_revision(session, preview), "revisionMismatchWarnings": mismatches}),
        ..Told::of("ai.apply.succeeded")
    }
}

fn answer(session: &OwnSession, id: &str, preview: &Preview) -> Value {
    let shown = shown(preview);
    json!(SetApplied {
        applied: true,
        session_id: session.id.clone(),
        session_status: "active",
        change_set_id: id.to_owned(),
        new_revision: new_revision(session, preview),
        changed: changed_rows(shown.meta.changed),
        warnings: json!(shown.warnings),
    })
}
