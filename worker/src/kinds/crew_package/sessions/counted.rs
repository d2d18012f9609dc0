//! What was done, as a list and as numbers (spec: ai-sessions.md §3 audit, §10).

use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::sessions::metrics::{Counted, Thresholds, WINDOW_MS, metrics};
use holdpoint_kind_crew::wire::Listed;
use holdpoint_kind_crew::wire::sessions::AuditItem;
use holdpoint_store::audit::AuditEvent;
use serde_json::{Value, json};

use super::command::PageAsked;
use super::work::{Work, json_of, limit, page_fault};
use crate::answer::EdgeError;

impl Work<'_> {
    /// Ordered with the newest event first.
    pub fn audit(&self, session: Option<&str>, kind: Option<&str>, page: &PageAsked) -> Result<Value, EdgeError> {
        self.head()?;
        let limit = limit(page)?;
        let found = self.workspace.audit().list(self.project, (session, kind), page.cursor.as_deref(), limit);
        let found = found.map_err(|refused| page_fault(refused, "cursor"))?;
        let items = found.items.into_iter().map(|event| self.item(event)).collect();
        Ok(json!(Listed { items, next_cursor: found.next_cursor }))
    }

    pub fn metrics(&self) -> Result<Value, EdgeError> {
        self.head()?;
        let counted = |event: AuditEvent| Counted {
            detail: json_of(&event.detail),
            kind: event.kind,
            outcome: event.outcome,
            code: event.code,
            duration: event.duration,
        };
        let events = self.workspace.audit().since(self.project, self.now - WINDOW_MS)?;
        let events: Vec<Counted> = events.into_iter().map(counted).collect();
        let thresholds = Thresholds::read(|name| self.object.env.var(name).ok().map(|value| value.to_string()));
        Ok(json!(metrics(&events, &self.rollout(), &thresholds)))
    }

    fn item(&self, event: AuditEvent) -> AuditItem {
        AuditItem {
            id: IdOf::Event.outside(event.number),
            project_id: self.project.to_owned(),
            session_id: event.session,
            change_set_id: event.change_set.map(|number| IdOf::ChangeSet.outside(number)),
            suggestion_version: event.version,
            user_id: event.user,
            kind: event.kind,
            outcome: event.outcome,
            code: event.code,
            objects: json_of(&event.objects),
            detail: json_of(&event.detail),
            duration_ms: event.duration,
            at: event.at,
        }
    }
}
