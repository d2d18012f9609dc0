//! What is told of conversations: an audit row and a log line each (spec: ai-sessions.md §10).
//!
//! Invariant: every value here is an id, a number, a code or a tag of ours; nothing that a person or a model wrote passes
//! through this module.

use holdpoint_kind_crew::ids::IdOf;
use holdpoint_store::audit::NewEvent;
use holdpoint_store::session::OwnSession;
use serde_json::{Value, json};

use super::work::Work;
use crate::answer::{EdgeError, with_members};
use crate::js::now_ms;

#[derive(Clone)]
pub struct Told<'t> {
    pub kind: &'static str,
    /// It is one of `ok`, `failed`, `blocked`.
    pub outcome: &'static str,
    pub code: Option<&'t str>,
    /// Number and version of the change set.
    pub set: Option<(i64, i64)>,
    pub objects: Value,
    pub detail: Value,
}

impl Told<'_> {
    pub fn of(kind: &'static str) -> Self {
        Self { kind, outcome: "ok", code: None, set: None, objects: json!([]), detail: json!({}) }
    }
}

impl Work<'_> {
    /// Tells an event by itself.
    pub fn tell(&self, session: Option<&OwnSession>, told: &Told<'_>) -> Result<(), EdgeError> {
        self.workspace.audit().tell(&self.event(session, told), now_ms())?;
        self.log(session, told);
        Ok(())
    }

    /// An event for a transaction that tells it.
    pub fn event<'e>(&'e self, session: Option<&'e OwnSession>, told: &'e Told<'_>) -> NewEvent<'e> {
        let detail = match session {
            Some(session) => with_members(told.detail.clone(), json!({"mode": session.mode, "target": session.target})),
            None => told.detail.clone(),
        };
        NewEvent {
            bundle: self.project,
            session: session.map(|session| session.id.as_str()),
            change_set: told.set,
            user: self.user,
            kind: told.kind,
            outcome: told.outcome,
            code: told.code,
            objects: told.objects.to_string(),
            detail: detail.to_string(),
            duration: Some(now_ms() - self.now),
        }
    }

    /// The log line of an event that a transaction told.
    pub fn log(&self, session: Option<&OwnSession>, told: &Told<'_>) {
        let line = json!({
            "event": told.kind, "outcome": told.outcome, "code": told.code, "project_id": self.project,
            "user_id": self.user, "session_id": session.map(|session| &session.id),
            "target": session.map(|session| &session.target), "mode": session.map(|session| &session.mode),
            "change_set_id": told.set.map(|(number, _)| IdOf::ChangeSet.outside(number)),
            "suggestion_version": told.set.map(|(_, version)| version), "objects": told.objects,
            "detail": told.detail, "elapsed_ms": now_ms() - self.now,
        });
        worker::console_log!("{line}");
    }
}
