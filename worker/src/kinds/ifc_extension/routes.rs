//! A user's extensions below `/api/v1/extensions` (spec: authoring.md §9.1).
//!
//! The account says who asks; the user's project answers.

use holdpoint_check::args;
use holdpoint_kind_extension::routes::Id;
use holdpoint_kind_extension::wire::{self, StepBody};
use holdpoint_store::codes::SEEN_BASE;

use super::{Action, ExtensionCommand, perform};
use crate::answer::EdgeError;
use crate::project::once::Once;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::RouteRequest;

const MAX_REASON: usize = 200;

/// Answers a route of extensions, in its user's project.
pub fn handle(
    object: &Object,
    id: Id,
    mut head: ProjectCommand<()>,
    mut request: RouteRequest,
) -> Result<ObjectReply, EdgeError> {
    let command = read(id, &mut request)?;
    head.bundle = request.place("id");
    perform(object, &head, command).map(ObjectReply::Json)
}

fn read(id: Id, asked: &mut RouteRequest) -> Result<ExtensionCommand, EdgeError> {
    Ok(match id {
        Id::List => {
            let slice = asked.slice()?;
            ExtensionCommand::List { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Install => {
            let body = asked.json()?;
            let once = Once::read(asked, &asked.request().path(), &body.to_string())?;
            ExtensionCommand::Install { once, body }
        }
        Id::Review => ExtensionCommand::Review { body: asked.json()? },
        Id::Show => ExtensionCommand::Get,
        Id::Revisions => {
            let slice = asked.slice()?;
            ExtensionCommand::Revisions { cursor: slice.cursor, limit: slice.limit }
        }
        Id::History => {
            let slice = asked.slice()?;
            ExtensionCommand::History { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Conversation => {
            let slice = asked.slice()?;
            ExtensionCommand::Conversation { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Revision => ExtensionCommand::Revision { revision: asked.place("revision") },
        Id::Remove => step(asked, Action::Remove)?,
        Id::Undo => step(asked, Action::Undo)?,
        Id::Redo => step(asked, Action::Redo)?,
        Id::Enable => step(asked, Action::Enable)?,
        Id::Disable => step(asked, Action::Disable)?,
    })
}

/// A step names the base that its user saw: in the body, or, where clients send none with DELETE, in the query.
fn step(asked: &mut RouteRequest, action: Action) -> Result<ExtensionCommand, EdgeError> {
    let body = asked.json()?;
    let StepBody { base_hash, reason } = match asked.query("base_hash")? {
        Some(hash) => StepBody { base_hash: Some(hash), reason: wire::reason(&body) },
        None => StepBody::read(&body).ok_or_else(|| EdgeError::invalid("/base_hash", &SEEN_BASE, args! {}))?,
    };
    let reason = reason.map(|text| text.chars().take(MAX_REASON).collect());
    let once = Once::read(asked, &asked.request().path(), &format!("{base_hash:?} {action:?}"))?;
    Ok(ExtensionCommand::Step { once, action, base_hash, reason })
}
