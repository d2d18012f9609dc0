//! What is asked of a crew package in its project.

use std::rc::Rc;

use worker::{Response, State};

use super::{CrewAsk, CrewCommand, projects, sessions, turns};
use crate::js::Gone;
use crate::project::{Object, ProjectCommand};

pub async fn perform(
    state: &State,
    object: &Rc<Object>,
    asked: ProjectCommand<CrewAsk>,
    gone: Gone,
) -> worker::Result<Response> {
    let (head, CrewAsk { once, command }) = asked.split();
    match command {
        CrewCommand::Project(command) => projects::perform(object, &head, once.as_ref(), command).await,
        CrewCommand::Session(command) => {
            sessions::perform(state, object, head.with(command), once.as_ref(), gone).await
        }
        CrewCommand::Turn(command) => turns::perform(state, object, head.with(command), once, gone).await,
    }
}
