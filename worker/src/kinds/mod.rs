//! The one table of the kinds at the edge: a folder a kind, over the one gate (ENGINE §3, §8).
//!
//! A kind stages and checks, `holdpoint_change::sign` compares; what stands in a folder is how a kind's routes say it.

pub mod crew_package;
pub mod ifc_extension;
pub mod script_tool;

use std::rc::Rc;

use holdpoint_kind::NeedError;
pub use holdpoint_kinds::routes::Id;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{Response, State};

use crate::answer::{Answer, EdgeError};
use crate::js::Gone;
use crate::project::{Object, ProjectCommand};
use crate::routes::{Edge, Incoming};
pub use script_tool::settings::EditorSettings as TurnSettings;

/// What a project can be asked.
#[derive(Debug, Serialize, Deserialize)]
pub enum KindCommand {
    CrewPackage(crew_package::CrewAsk),
    IfcExtension(ifc_extension::ExtensionCommand),
    ScriptTool(script_tool::ScriptCommand),
}

/// Answers a route of a kind.
pub async fn answer(edge: &Edge, id: Id, asked: Incoming) -> Answer {
    match id {
        Id::CrewPackage(id) => crew_package::routes::answer(edge, id, asked).await,
        Id::IfcExtension(id) => ifc_extension::routes::answer(edge, id, asked).await,
        Id::ScriptTool(id) => script_tool::routes::answer(edge, id, asked).await,
    }
}

/// Does what a project is asked, in its object.
pub async fn perform(
    state: &State,
    object: &Rc<Object>,
    asked: ProjectCommand<KindCommand>,
    gone: Gone,
) -> worker::Result<Response> {
    let (head, command) = asked.split();
    match command {
        KindCommand::CrewPackage(command) => crew_package::perform(state, object, head.with(command), gone).await,
        KindCommand::IfcExtension(command) => ifc_extension::perform(object, &head, command),
        KindCommand::ScriptTool(command) => script_tool::perform(state, object, head.with(command), gone).await,
    }
}

/// What the alarm of a project does for its kinds.
pub fn on_alarm(object: &Object) -> Result<(), EdgeError> {
    crew_package::on_alarm(object)
}

/// What is told of a turn that nobody drove to its end: the code says why. `session` is its slot.
pub fn interrupted(object: &Object, session: &str, code: &str) -> Result<(), EdgeError> {
    crew_package::interrupted(object, session, code)
}

/// When one of them has something to do.
pub fn next_alarm(object: &Object) -> Result<Option<i64>, EdgeError> {
    crew_package::next_alarm(object)
}

/// What the checks of all kinds may need: here every grammar is at hand.
fn given(need: &NeedError, text: &str) -> Option<Value> {
    (need.method == "python.facts").then(|| json!(holdpoint_python::facts(text)))
}
