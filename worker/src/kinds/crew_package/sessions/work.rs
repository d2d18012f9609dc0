//! A project at work for one of its users: what stands, which session is meant, who may (spec: ai-sessions.md §12
//! "Gates").

use std::cell::RefCell;
use std::rc::Rc;

use holdpoint_check::{ApiError, args};
use holdpoint_kind_crew::Options;
use holdpoint_kind_crew::dialect::input::{BuilderSession, SessionMode, TargetType};
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::{AI_CHANGESET_NOT_FOUND, Baseline, Record, WorkingFile};
use holdpoint_kind_crew::routes::codes::PROJECT_NOT_FOUND;
use holdpoint_kind_crew::sessions::codes::{
    AI_SESSION_NOT_ACTIVE, AI_SESSION_NOT_FOUND, NEEDS_SESSION, PAGE_LIMIT, WHERE_IT_ENDED,
};
use holdpoint_kind_crew::sessions::opening::{object, text};
use holdpoint_kind_crew::sessions::rollout::{Rollout, Wants};
use holdpoint_store::Workspace;
use holdpoint_store::change_set::{ChangeSet, WorkingRow};
use holdpoint_store::session::{OwnSession, Sessions, Standing};
use holdpoint_store::workspace::WriteError;
use serde_json::Value;

use super::command::{PageAsked, Sent};
use super::life::Life;
use super::told::Told;
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::project::Object;
use crate::sql::ObjectSql;

/// The mode of a session that makes something.
const CREATE: &str = "create";
/// Items of a page (spec: ai-sessions.md §3 "Pagination").
const MOST: u32 = 100;
const PAGE: u32 = 50;

pub struct Work<'w> {
    pub object: &'w Object,
    pub workspace: Rc<Workspace<ObjectSql>>,
    /// The project, which is its bundle.
    pub project: &'w str,
    pub user: &'w str,
    pub now: i64,
    pub life: Life,
    /// The package as it was read last.
    pub read: RefCell<Option<Rc<Baseline>>>,
}

impl<'w> Work<'w> {
    pub fn of(object: &'w Object, project: &'w str, user: &'w str) -> Result<Self, EdgeError> {
        let workspace = object.workspace()?;
        Ok(Self { object, workspace, project, user, now: now_ms(), life: Life::of(object), read: RefCell::default() })
    }

    /// The package as it stands, read once a revision; what is gone is not found.
    pub fn head(&self) -> Result<Rc<Baseline>, EdgeError> {
        let base = self.workspace.base(self.project)?;
        if base.files.is_none() {
            return Err(EdgeError::of(404, &PROJECT_NOT_FOUND, args! {}));
        }
        if let Some(read) = self.read.borrow().as_ref().filter(|read| read.revision == base.revision) {
            return Ok(read.clone());
        }
        let head = Rc::new(Baseline::of(&base, Options::default())?);
        *self.read.borrow_mut() = Some(head.clone());
        Ok(head)
    }

    pub fn sessions(&self) -> Sessions<'_, ObjectSql> {
        self.workspace.sessions(self.life.keep_ms)
    }

    pub fn rollout(&self) -> Rollout {
        Rollout::read(|name| self.object.env.var(name).ok().map(|value| value.to_string()))
    }

    /// Refuses what the deployment has switched off, and tells it.
    pub fn may(&self, wants: Wants) -> Result<(), EdgeError> {
        let Some(code) = self.rollout().refuses(self.user, wants) else { return Ok(()) };
        self.tell(None, &Told { outcome: "blocked", code: Some(code.name), ..Told::of("ai.rollout.blocked") })?;
        Err(EdgeError::of(403, code, args! {}))
    }

    /// A session of this user. One whose workflow is gone has failed.
    pub fn session(&self, id: &str) -> Result<OwnSession, EdgeError> {
        let head = self.end_lost()?;
        let found = self.sessions().own(self.project, self.user, id, self.now)?;
        let mut session = found.ok_or_else(|| EdgeError::of(404, &AI_SESSION_NOT_FOUND, args! {}))?;
        let is_there = match session.target.split_once(':') {
            Some(("agent", name)) => head.view.agent(name).is_some(),
            Some(("asset", path)) => head.view.assets.contains_key(path),
            _ => false,
        };
        session.settled = is_there && session.mode == CREATE && self.workspace.change_sets().any_applied(id)?;
        Ok(session)
    }

    /// Sessions in workflows that are gone have failed.
    pub fn end_lost(&self) -> Result<Rc<Baseline>, EdgeError> {
        let head = self.head()?;
        let parts: Vec<i64> = head.view.workflows.keys().filter_map(|id| i64::try_from(*id).ok()).collect();
        self.sessions().fail_without(self.project, Some(&parts), self.now)?;
        Ok(head)
    }

    /// The session that a body names.
    pub fn named(&self, sent: &Sent) -> Result<OwnSession, EdgeError> {
        let body = sent.value()?;
        object(body)?;
        let id = text(body, "sessionId")?;
        self.session(id.ok_or_else(|| ApiError::at("/sessionId", &NEEDS_SESSION, args! {}))?)
    }

    /// A set of a session by its id.
    pub fn set(&self, session: &OwnSession, id: &str) -> Result<ChangeSet, EdgeError> {
        let found = match IdOf::ChangeSet.number(id) {
            Some(number) => self.workspace.change_sets().get(&session.id, number)?,
            None => None,
        };
        found.ok_or_else(|| EdgeError::of(404, &AI_CHANGESET_NOT_FOUND, args! {}))
    }

    /// What a session has beside what is stored.
    pub fn working(&self, session: &OwnSession) -> Result<Vec<WorkingFile>, EdgeError> {
        let rows = self.workspace.change_sets().working(&session.id)?;
        rows.iter().map(|row| Ok(serde_json::from_str(&row.content)?)).collect()
    }
}

/// Refuses what is done in a session that has ended.
pub fn active(session: &OwnSession) -> Result<(), EdgeError> {
    if session.standing == Standing::Active {
        return Ok(());
    }
    Err(EdgeError::of(409, &AI_SESSION_NOT_ACTIVE, args! { status: session.standing.as_str() }))
}

/// A session as change sets see it. One that made its agent or asset works on what is there from then on.
pub fn builder(session: &OwnSession) -> Result<BuilderSession, EdgeError> {
    let (kind, target_id) = session.target.split_once(':').unwrap_or_default();
    let target_type = TargetType::parse(kind).ok_or_else(|| EdgeError::internal("a session without a target"))?;
    let makes = session.mode == CREATE && !session.settled;
    let mode = if makes { SessionMode::Create } else { SessionMode::Optimize };
    let workflow_id = session.part.and_then(|part| u64::try_from(part).ok());
    Ok(BuilderSession { target_type, target_id: target_id.to_owned(), mode, workflow_id })
}

/// A set as it was sent in a session: whoever knows the mode that the session was made with may go on writing it.
pub fn in_mode(session: &OwnSession, mut change_set: Value) -> Value {
    if session.settled && change_set["mode"] == CREATE {
        change_set["mode"] = SessionMode::Optimize.name().into();
    }
    change_set
}

/// What is stored of a set.
pub fn record(set: &ChangeSet) -> Result<Record, EdgeError> {
    Ok(serde_json::from_str(&set.content)?)
}

pub fn rows(files: &[WorkingFile]) -> Result<Vec<WorkingRow>, EdgeError> {
    let row = |file: &WorkingFile| -> Result<WorkingRow, EdgeError> {
        Ok(WorkingRow {
            part: file.workflow.and_then(|id| i64::try_from(id).ok()).unwrap_or_default(),
            object: file.object.clone(),
            content: serde_json::to_string(file)?,
            deleted: file.content.is_none(),
            base_hash: file.base_hash.clone(),
        })
    };
    files.iter().map(row).collect()
}

/// How long a page is.
pub fn limit(page: &PageAsked) -> Result<u32, ApiError> {
    let Some(text) = &page.limit else { return Ok(PAGE) };
    let limit = text.parse::<u32>().ok().filter(|limit| (1..=MOST).contains(limit));
    limit.ok_or_else(|| ApiError::at("/limit", &PAGE_LIMIT, args! { most: MOST }))
}

/// A page that could not be read; `name` is that of its cursor.
pub fn page_fault(refused: WriteError, name: &str) -> EdgeError {
    match refused {
        WriteError::Cursor => ApiError::at(format!("/{name}"), &WHERE_IT_ENDED, args! {}).into(),
        WriteError::Sql(error) => error.into(),
        _ => EdgeError::internal("a list refused"),
    }
}

/// A text as the JSON that it is; null where it is none.
pub fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
