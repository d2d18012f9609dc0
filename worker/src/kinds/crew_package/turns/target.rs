//! A session with the package as it sees it (spec: ai-sessions.md §4 "effective view").

use std::rc::Rc;

use holdpoint_kind_crew::dialect::input::BuilderSession;
use holdpoint_kind_crew::dialect::view::View;
use holdpoint_kind_crew::prompts::domain::DomainProfile;
use holdpoint_kind_crew::prompts::history::{Past, PastChange};
use holdpoint_kind_crew::prompts::turn::domain;
use holdpoint_kind_crew::proposals::{Baseline, effective};
use holdpoint_kind_crew::tools::{Names, Sight};
use holdpoint_store::session::{OwnSession, Role, Sessions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::EdgeError;
use crate::kinds::crew_package::sessions::{Work, builder};
use crate::sql::ObjectSql;

pub struct SessionTarget {
    pub names: Names,
    pub own: OwnSession,
    pub session: BuilderSession,
    /// The target as it was named.
    pub target_id: Value,
}

/// What a session sees at one moment.
pub struct Seen {
    pub head: Rc<Baseline>,
    /// The same, with what the session staged.
    pub view: View,
    /// The field that the project works in.
    pub domain: DomainProfile,
}

impl SessionTarget {
    /// The session of a row.
    pub fn of(own: OwnSession) -> Result<Self, EdgeError> {
        let session = builder(&own)?;
        let names = Names { session: own.id.clone(), project: own.bundle.clone(), user: own.user.clone() };
        Ok(Self { names, target_id: json!(session.target_id), session, own })
    }

    pub fn seen(&self, work: &Work<'_>) -> Result<Seen, EdgeError> {
        let head = work.head()?;
        let view = effective(&head, &work.working(&self.own)?)?;
        let domain = domain(&view, &head.facts)?;
        Ok(Seen { head, view, domain })
    }

    /// The same for a tool.
    pub fn sight<'s>(&'s self, seen: &'s Seen) -> Sight<'s> {
        Sight {
            names: &self.names,
            session: &self.session,
            target_id: &self.target_id,
            view: &seen.view,
            facts: &seen.head.facts,
            domain: &seen.domain,
        }
    }
}

/// What is read of what a turn kept.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KeptRecord {
    objects: Vec<String>,
}

/// What was said in a session, oldest first, with what was proposed.
pub fn past(sessions: &Sessions<'_, ObjectSql>, session: &str) -> Result<Vec<Past>, EdgeError> {
    let mut all = Vec::new();
    for said in sessions.past(session)? {
        let record: Option<KeptRecord> =
            said.record.as_deref().map(serde_json::from_str).transpose().map_err(EdgeError::from)?;
        let assistant = said.role == Role::Assistant;
        let change = said.change_set.filter(|_| assistant).map(|(version, status)| PastChange {
            version: version.unsigned_abs(),
            status,
            objects: record.unwrap_or_default().objects,
        });
        let role = if assistant { "assistant" } else { "user" };
        all.push(Past { role: role.to_owned(), content: said.content, change });
    }
    Ok(all)
}
