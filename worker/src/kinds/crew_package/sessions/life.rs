//! How long sessions live (spec: ai-sessions.md §2, behind the table).

use holdpoint_store::audit::NewEvent;
use holdpoint_store::session::OwnSession;
use serde_json::json;

use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::project::Object;

const DAY_MS: i64 = 86_400_000;

/// Life times, in ms.
#[derive(Debug, Clone, Copy)]
pub struct Life {
    /// Of a transcript, after its last message.
    pub keep_ms: i64,
    /// Of an active session that nobody uses.
    pub idle_ms: i64,
}

impl Life {
    /// Of a deployment.
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
pub fn ring(object: &Object) -> Result<(), EdgeError> {
    let (workspace, life, now) = (object.workspace()?, Life::of(object), now_ms());
    let idle = workspace.sessions(life.keep_ms).cancel_idle(now, life.idle_ms)?;
    let event = |session: &OwnSession| {
        worker::console_log!("{}", json!({"event": "ai.session.cancelled", "code": "IDLE", "session_id": session.id}));
        let OwnSession { id, bundle, user, .. } = session;
        let told = NewEvent {
            bundle,
            session: Some(id),
            change_set: None,
            user,
            kind: "ai.session.cancelled",
            outcome: "ok",
            code: Some("IDLE"),
            objects: "[]".to_owned(),
            detail: json!({"mode": session.mode, "target": session.target}).to_string(),
            duration: None,
        };
        workspace.audit().tell(&told, now)
    };
    idle.iter().try_for_each(event)?;
    Ok(())
}

/// When it has something to do.
pub fn next_ring(object: &Object) -> Result<Option<i64>, EdgeError> {
    let life = Life::of(object);
    Ok(object.workspace()?.sessions(life.keep_ms).next_idle(life.idle_ms)?)
}
