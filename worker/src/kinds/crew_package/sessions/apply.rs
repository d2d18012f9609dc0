//! Applying what a person signed (spec: crew-package.md §10.1).
//!
//! Invariants: every step before the write only looks; revision, counters, audit row, inverse and the word on the set are
//! one transaction; a set is applied once.

use std::collections::BTreeSet;

use holdpoint_change::{Preview, Signature};
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, args};
use holdpoint_engine::{self as engine, ApplyError, Signed};
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::{
    AI_APPLY_FAILED, AI_VALIDATION_FAILED, ApplyBody, Applying, Issued, NOT_VALIDATED, OBJECTS_MOVED, REASONS, Ready,
    apply, findings, stored, wants_confirmation,
};
use holdpoint_kind_crew::sessions::codes::NEEDS_SET;
use holdpoint_kind_crew::sessions::opening::object;
use holdpoint_kind_crew::sessions::rollout::Wants;
use holdpoint_kind_crew::wire::projects::Revision;
use holdpoint_kind_crew::wire::sessions::{NewRevision, SetApplied};
use holdpoint_store::change_set::{Applies, ChangeSet, SetStatus};
use holdpoint_store::ledger::Principal;
use holdpoint_store::session::OwnSession;
use holdpoint_store::workspace::{self, Beside, Bundle, By, WriteError};
use serde_json::{Value, json};

use super::command::Sent;
use super::sets::{closed, nothing, stored_undo};
use super::told::Told;
use super::work::{Work, active, builder, json_of, record};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::kinds::crew_package::projects::saved;

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
        let id = IdOf::ChangeSet.outside(set.number);
        let (head, own, past) = (self.head()?, builder(session)?, record(set)?);
        let issued = set.validation.as_ref().and_then(|text| stored(&json_of(text))).ok_or_else(nothing)?;
        match apply(&head, &own, (&id, &past), &issued, body)? {
            Applying::Stale(judged, objects) => {
                self.keep(session, set, (&past, &judged))?;
                let preview = self.issue(set, &judged.issued)?;
                let saved = self.saved(set, (&issued, &judged.issued), &objects)?;
                let conflict = EdgeError::of(409, &OBJECTS_MOVED, args! {}).with("objects", json!(objects));
                Err(conflict.with("preview", preview).with("saved", json!(saved)))
            }
            Applying::Invalid(judged) => {
                self.keep(session, set, (&past, &judged))?;
                let invalid = EdgeError::of(422, &AI_VALIDATION_FAILED, args! {});
                Err(invalid.with("errors", findings(&judged.checked.verdict.errors)))
            }
            Applying::Ready(ready) => self.write(session, (set, &id), body, *ready, principal),
        }
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

    fn write(
        &self,
        session: &OwnSession,
        (set, id): (&ChangeSet, &str),
        body: &ApplyBody,
        ready: Ready,
        principal: &Principal,
    ) -> Result<Value, EdgeError> {
        let Ready { judged, preview, undo, facts } = ready;
        let reasons = preview.staged.reasons.clone();
        let needs = || EdgeError::of(409, &REASONS, args! {}).with("reasons", json!(reasons));
        let seen = json!({
            "base_hash": judged.issued.base_hash, "patch_id": id, "result_hash": judged.issued.result_hash,
            "confirm_token": body.confirm_token,
        });
        let signature: Signature = serde_json::from_value(seen)?;
        let base = preview.staged.base.clone();
        let verdict = &judged.checked.verdict;
        let revision = facts.revisions(session.part.and_then(|part| u64::try_from(part).ok()));
        let new_revision = NewRevision {
            workflow_revision: revision.workflow_revision,
            agents_revision: revision.agents_revision,
            assets_revision: revision.assets_revision,
        };
        let changed = meta_changed(&json!(holdpoint_kind_crew::proposals::meta(&verdict.meta)));
        let mismatches = verdict.warnings.iter().filter(|found| found.moved.is_some()).count();
        let told = Told {
            set: Some((set.number, set.version)),
            objects: json!(verdict.normalized.as_ref().map(|normal| &normal.impact.objects)),
            detail: json!({"newRevision": new_revision, "revisionMismatchWarnings": mismatches}),
            ..Told::of("ai.apply.succeeded")
        };
        let stands = self.workspace.head(self.project)?.ok_or_else(nothing)?;
        let by = By { user: self.user, now: self.now, asked: None };
        let event = self.event(Some(session), &told);
        let applies = Applies { change_set: set.number, inverse: &stored_undo(&undo), event: &event };
        let signed = Signed { bundle: &Bundle::from(&stands), base: &base, fresh: preview, signature: &signature };
        let beside = |_: &Preview| Beside::Set(&applies);
        match engine::write_signed(&self.workspace, signed, person(principal), true, &by, beside) {
            Ok(_) => {}
            Err(ApplyError::NeedsConfirmation { .. }) => return Err(needs()),
            Err(ApplyError::Write(WriteError::NotFound)) => return Err(closed(set)),
            Err(ApplyError::Write(WriteError::Sql(error))) => {
                worker::console_error!("{}", json!({"event": "apply_failed", "cause": error.code()}));
                return Err(EdgeError::of(500, &AI_APPLY_FAILED, args! {}).with("cause", error.code()));
            }
            Err(ApplyError::Write(_)) => {
                return Err(EdgeError::of(500, &AI_APPLY_FAILED, args! {}).with("cause", "refused"));
            }
            Err(_) => return Err(EdgeError::internal("what was shown is not what is signed")),
        }
        self.log(Some(session), &told);
        Ok(json!(SetApplied {
            applied: true,
            session_id: session.id.clone(),
            session_status: "active",
            change_set_id: id.to_owned(),
            new_revision,
            changed,
            warnings: findings(&verdict.warnings),
        }))
    }
}

/// The rows of a verdict.
fn meta_changed(meta: &Value) -> Value {
    meta["changed"].clone()
}
