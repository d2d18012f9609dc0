//! Conversations about a package below `/projects/{project_id}/ai` (spec: ai-sessions.md §3).

use std::rc::Rc;

use holdpoint_gateway::Code;
use holdpoint_kinds::crew_package::routes::sessions::Id;
use serde::{Deserialize, Serialize};
use worker::{Response, State};

use super::once::Once;
use crate::answer::Answer;
use crate::js::Gone;
use crate::project::{Object, ProjectCommand};
use crate::routes::{Edge, Incoming};

/// What can be asked of the conversations about a package.
#[derive(Debug, Serialize, Deserialize)]
pub enum SessionAsk {}

/// Answers a route of sessions.
#[allow(clippy::unused_async)]
pub async fn answer(_: &Edge, id: Id, _: Incoming) -> Answer {
    match id {
        // The router answers what is gone.
        Id::StepDraft | Id::WorkflowStepDraft => Err(Code::NotFound.into()),
    }
}

/// Does what is asked.
#[allow(clippy::unused_async)]
pub async fn perform(
    _: &State,
    _: &Rc<Object>,
    asked: ProjectCommand<SessionAsk>,
    _: Option<&Once>,
    _: Gone,
) -> worker::Result<Response> {
    match asked.command {}
}
