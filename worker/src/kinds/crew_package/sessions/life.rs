//! How long sessions live (spec: ai-sessions.md §2, behind the table).

use holdpoint_store::Workspace;
use holdpoint_store::audit::NewEvent;
use holdpoint_store::session::OwnSession;
use serde_json::json;

use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::project::Object;
use crate::sql::ObjectSql;

const DAY_MS: i64 = 86_400_000;

/// Life times, each in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Life {
    /// Of a transcript, after its last message.
    pub keep_ms: i64,
    /// Of an active session that nobody uses.
    pub idle_ms: i64,
}

impl Life {
    pub fn of(object: &Object) -> Self {
        let number = |name: &str, most: i64| {
            let said = object.env.var(name).ok().and_then(|value| value.to_string().parse::<i64>().ok());
            said.filter(|ms| (1..most).contains(ms)).unwrap_or(most)
        };
        Self {
            keep_ms: number("AI_TRANSCRIPT_TTL_MS", 180 * DAY_MS),
            idle_ms: number("AI_SESSION_IDLE_MS", 30 * DAY_MS),
        }
    }
}

/// What the alarm of a project does: sessions that nobody uses are cancelled.
pub fn on_alarm(object: &Object) -> Result<(), EdgeError> {
    let (workspace, life, now) = (object.workspace()?, Life::of(object), now_ms());
    let idle = workspace.sessions(life.keep_ms).cancel_idle(now, life.idle_ms)?;
    idle.iter().try_for_each(|session| tell(&workspace, session, ("ai.session.cancelled", "ok", "IDLE"), now))
}

/// Tells of a turn that ended with its object.
pub fn interrupted(object: &Object, session: &str, code: &str) -> Result<(), EdgeError> {
    let (workspace, life) = (object.workspace()?, Life::of(object));
    match workspace.sessions(life.keep_ms).by_id(session)? {
        Some(session) => tell(&workspace, &session, ("ai.message.sent", "failed", code), now_ms()),
        None => Ok(()),
    }
}

/// An event that no request is behind.
fn tell(
    workspace: &Workspace<ObjectSql>,
    session: &OwnSession,
    (kind, outcome, code): (&'static str, &str, &str),
    now: i64,
) -> Result<(), EdgeError> {
    worker::console_log!("{}", json!({"event": kind, "code": code, "session_id": session.id}));
    let OwnSession { id, bundle, user, .. } = session;
    let told = NewEvent {
        bundle,
        session: Some(id),
        change_set: None,
        user,
        kind,
        outcome,
        code: Some(code),
        objects: "[]".to_owned(),
        detail: json!({"mode": session.mode, "target": session.target}).to_string(),
        duration: None,
    };
    Ok(workspace.audit().tell(&told, now)?)
}

/// When it has something to do.
pub fn next_alarm(object: &Object) -> Result<Option<i64>, EdgeError> {
    let life = Life::of(object);
    Ok(object.workspace()?.sessions(life.keep_ms).next_idle(life.idle_ms)?)
}
