//! The one table of the kinds at the edge: a folder a kind, over the one gate (ENGINE §3, §8).
//!
//! A kind stages and checks, `holdpoint_change::sign` compares; what stands in a folder is how a kind's routes say it.

pub mod crew_package;
pub mod ifc_extension;
pub mod script_tool;
pub mod vite_app;

use std::rc::Rc;

use holdpoint_kind::NeedError;
pub use holdpoint_kinds::routes::Id;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{Request, State};

use crate::answer::{Answer, EdgeError};
use crate::js::Gone;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::{Edge, RouteRequest};
pub use script_tool::settings::EditorSettings as TurnSettings;
pub use vite_app::AppWork as KindWork;

/// How the projects of a kind are called and found.
pub struct ProjectNames {
    pub kind: &'static str,
    /// What names of its objects begin with.
    pub word: &'static str,
    /// What ids of its bundles begin with.
    pub prefix: &'static str,
    /// Whether an `Idempotency-Key` leads to the project that it made.
    pub reserves: bool,
    /// Why a request has no bundle, in the kind's words.
    pub refuse: fn(MissingBundle<'_>) -> EdgeError,
}

/// A bundle that a request names and its caller does not have.
#[derive(Debug, Clone, Copy)]
pub enum MissingBundle<'n> {
    /// There is none of the kind.
    Absent,
    /// Of another user of the account.
    Foreign(&'n str),
    /// The body has no such member.
    Not(&'static str),
}

pub fn names(id: Id) -> &'static ProjectNames {
    match id {
        Id::CrewPackage(_) => &crew_package::NAMES,
        Id::IfcExtension(_) => &ifc_extension::NAMES,
        Id::ScriptTool(_) => &script_tool::NAMES,
        Id::ViteApp(_) => &vite_app::NAMES,
    }
}

/// Answers a route of a kind whose home is the account.
pub async fn answer(edge: &Edge, id: Id, request: RouteRequest) -> Answer {
    match id {
        Id::CrewPackage(id) => crew_package::routes::answer(edge, id, request).await,
        Id::ScriptTool(_) => script_tool::routes::list(edge, &request).await,
        Id::ViteApp(id) => vite_app::routes::answer(edge, id, request).await,
        Id::IfcExtension(_) => Err(EdgeError::internal("a route without a home")),
    }
}

/// Answers a request in its object.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    head: ProjectCommand<()>,
    request: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    match id {
        Id::CrewPackage(id) => crew_package::routes::handle(state, object, id, head, request, gone).await,
        Id::IfcExtension(id) => ifc_extension::routes::handle(object, id, head, request),
        Id::ScriptTool(id) => script_tool::routes::handle(state, object, id, head, request, gone).await,
        Id::ViteApp(id) => vite_app::routes::handle(state, object, id, head, request, gone).await,
    }
}

/// What another object asks of a project.
#[derive(Serialize, Deserialize)]
pub enum ProjectTask {
    CrewPackage(crew_package::MakeTask),
    ViteApp(vite_app::AppTask),
}

pub async fn perform(object: &Object, task: ProjectTask) -> Result<Value, EdgeError> {
    match task {
        ProjectTask::CrewPackage(task) => crew_package::make(object, task).await,
        ProjectTask::ViteApp(task) => vite_app::perform(object, task),
    }
}

/// What the alarm of a project does for its kinds.
pub async fn on_alarm(object: &Object) -> Result<(), EdgeError> {
    crew_package::on_alarm(object)?;
    vite_app::on_alarm(object).await
}

/// Answers what was asked of the origin of built apps; `None`: the address is of another origin.
pub async fn assets(edge: &Edge, request: &Request) -> Option<Answer> {
    vite_app::assets(edge, request).await
}

/// What is told of a turn that nobody drove to its end: the code says why. `session` is its slot.
pub fn interrupted(object: &Object, session: &str, code: &str) -> Result<(), EdgeError> {
    crew_package::interrupted(object, session, code)
}

/// When one of them has something to do.
pub fn next_alarm(object: &Object) -> Result<Option<i64>, EdgeError> {
    let next = [crew_package::next_alarm(object)?, vite_app::next_alarm(object)?];
    Ok(next.into_iter().flatten().min())
}

/// What the checks of all kinds may need: here every grammar is at hand.
fn given(need: &NeedError, text: &str) -> Option<Value> {
    (need.method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}
