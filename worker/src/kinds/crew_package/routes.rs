//! Crew packages below `/projects`, `/packages` and `/users` (spec: crew-package.md §7 "HTTP", ai-sessions.md §3).

use std::rc::Rc;

use holdpoint_kind_crew::routes::{CrewRoute, imports::Id as ImportId};
use worker::State;

use super::{imports, profile, projects, sessions, turns};
use crate::answer::{Answer, EdgeError};
use crate::js::Gone;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::{Edge, RouteRequest};

/// Answers what the account knows.
pub async fn answer(edge: &Edge, id: CrewRoute, request: RouteRequest) -> Answer {
    match id {
        CrewRoute::Profile(id) => profile::answer(edge, id, request).await,
        CrewRoute::Import(_) => imports::name_checked(edge, &request).await,
        CrewRoute::Project(_) => projects::list(edge, &request).await,
        CrewRoute::Session(_) | CrewRoute::Turn(_) => Err(EdgeError::internal("a route without a home")),
    }
}

/// Answers a route of a project, there.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: CrewRoute,
    head: ProjectCommand<()>,
    request: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    match id {
        CrewRoute::Project(id) => projects::handle(object, id, head, request).await,
        CrewRoute::Import(ImportId::Import) => imports::imported(object, head, request).await.map(ObjectReply::Json),
        CrewRoute::Session(id) => sessions::handle(state, object, id, head, request).await.map(ObjectReply::Json),
        CrewRoute::Turn(id) => turns::handle(state, object, id, head, request, gone).await,
        CrewRoute::Import(ImportId::CheckName) | CrewRoute::Profile(_) => {
            Err(EdgeError::internal("a route of the account"))
        }
    }
}
