//! The routes of turns, before the project is asked.

use std::rc::Rc;

use holdpoint_kind_crew::routes::turns::Id;
use worker::State;

use super::{TurnCommand, perform};
use crate::answer::EdgeError;
use crate::envelope::language;
use crate::js::Gone;
use crate::kinds::crew_package::once;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::RouteRequest;

const LAST_EVENT: &str = "last-event-id";

/// Answers a route of turns, in their project.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    head: ProjectCommand<()>,
    mut asked: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    let session = asked.place("session_id");
    let mut once = None;
    let command = match id {
        Id::Message => {
            let body = asked.json();
            if let Ok(body) = &body {
                once = once::of(&asked, body)?;
            }
            TurnCommand::Message { session, body, stream: streams(&asked)?, language: spoken(&asked)? }
        }
        Id::Events => {
            let behind = asked.request().headers().get(LAST_EVENT)?;
            TurnCommand::Events { session, turn: asked.place("turn_id"), behind, language: spoken(&asked)? }
        }
        Id::Stop => TurnCommand::Stop { session, turn: asked.place("turn_id") },
    };
    perform(state, object, head, command, once, gone).await
}

/// Whether a client reads events.
fn streams(asked: &RouteRequest) -> Result<bool, EdgeError> {
    let accepts = asked.request().headers().get("accept")?.unwrap_or_default();
    Ok(asked.query("stream")?.as_deref() == Some("1") || accepts.contains("text/event-stream"))
}

fn spoken(asked: &RouteRequest) -> Result<Option<String>, EdgeError> {
    Ok(language(asked.request())?.map(str::to_owned))
}
