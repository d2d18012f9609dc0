//! How a session begins (spec: ai-sessions.md §3 "Creating").

use holdpoint_kind_crew::dialect::input::BuilderSession;
use holdpoint_kind_crew::dialect::view::View;
use holdpoint_kind_crew::prompts::turn::{Packed, domain, packed};
use holdpoint_kind_crew::proposals::Baseline;
use holdpoint_kind_crew::sessions::opening::{Opening, object};
use holdpoint_kind_crew::sessions::rollout::Wants;
use holdpoint_kind_crew::tools::{Names, Sight};
use holdpoint_store::session::{NewSession, OwnSession};
use holdpoint_text::hex;
use serde_json::{Value, json};

use super::command::Sent;
use super::told::Told;
use super::work::Work;
use crate::answer::EdgeError;
use crate::js::random;

impl Work<'_> {
    /// What a new session shall be about.
    pub fn opening(&self, sent: &Sent) -> Result<Opening, EdgeError> {
        let head = self.head()?;
        self.may(Wants::Work)?;
        let body = sent.value()?;
        object(body)?;
        let reserved = self.sessions().highest_part(self.project)?.and_then(|part| u64::try_from(part).ok());
        let next = reserved.map_or(0, |part| part + 1).max(head.facts.next_workflow_id);
        Ok(Opening::read(body, &head.view, next)?)
    }

    /// Makes a session, with what its first turn would send.
    pub fn open(&self, opening: &Opening, window: Option<u64>) -> Result<(OwnSession, Value), EdgeError> {
        let head = self.head()?;
        let Opening { session, waits, .. } = opening;
        let id = format!("as_{}", hex(&random::<8>()?));
        let packed = self.packed(&id, session, &head, &head.view, window)?;
        let target = format!("{}:{}", session.target_type.name(), session.target_id);
        let new = NewSession {
            id: &id,
            bundle: self.project,
            user: self.user,
            target: &target,
            part: session.workflow_id.and_then(|id| i64::try_from(id).ok()),
            waits: *waits,
            mode: session.mode.name(),
            facts: "{}",
        };
        let made = self.sessions().open(&new, self.now)?;
        self.tell(Some(&made), &Told::of("ai.session.created"))?;
        Ok((made, json!(packed.trimmed.envelope)))
    }

    /// What a call in a session would carry.
    pub fn packed(
        &self,
        id: &str,
        session: &BuilderSession,
        head: &Baseline,
        view: &View,
        window: Option<u64>,
    ) -> Result<Packed, EdgeError> {
        let domain = domain(view, &head.facts)?;
        let names = Names { session: id.to_owned(), project: self.project.to_owned(), user: self.user.to_owned() };
        let target_id = json!(session.target_id);
        let sight = Sight { names: &names, session, target_id: &target_id, view, facts: &head.facts, domain: &domain };
        Ok(packed(&sight, &[], window)?)
    }
}
