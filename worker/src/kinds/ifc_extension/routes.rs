//! A user's extensions below `/api/v1/extensions` (spec: authoring.md §9.1).
//!
//! The account says who asks; the user's project answers.

use holdpoint_check::args;
use holdpoint_kind_extension::routes::Id;
use holdpoint_store::codes::SEEN_BASE;
use serde_json::Value;

use super::{Action, ExtensionCommand};
use crate::answer::{Answer, EdgeError, json_response};
use crate::kinds::KindCommand;
use crate::objects::ask;
use crate::project::ProjectCommand;
use crate::project::once::Once;
use crate::routes::{Edge, Incoming};

const MAX_REASON: usize = 200;

/// Answers a route of extensions.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let command = KindCommand::IfcExtension(read(id, &mut asked)?);
    let (caller, route) = (asked.caller()?, asked.route());
    // A body takes its time, and a project believes who is said to ask.
    let principal = edge.principal(&caller, route.scope.unwrap_or_default()).await?;
    let project = edge.objects.project(&caller.account, &format!("user/{}", principal.user_id))?;
    let answer: Value = ask(
        &project,
        &ProjectCommand {
            caller,
            principal,
            correlation_id: asked.id().to_owned(),
            route: route.name(),
            bundle: asked.place("id"),
            listed: None,
            eval: false,
            command,
        },
    )
    .await?;
    Ok(json_response(route.status, &answer)?)
}

fn read(id: Id, asked: &mut Incoming) -> Result<ExtensionCommand, EdgeError> {
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
fn step(asked: &mut Incoming, action: Action) -> Result<ExtensionCommand, EdgeError> {
    let (body, in_query) = (asked.json()?, asked.query("base_hash")?);
    let base_hash = match (&body["base_hash"], in_query) {
        (_, Some(hash)) => Some(hash),
        (Value::String(hash), None) => Some(hash.clone()),
        (Value::Null, None) if body.get("base_hash").is_some() => None,
        _ => return Err(EdgeError::invalid("/base_hash", &SEEN_BASE, args! {})),
    };
    let reason = body["reason"].as_str().map(|text| text.chars().take(MAX_REASON).collect());
    let once = Once::read(asked, &asked.request().path(), &format!("{base_hash:?} {action:?}"))?;
    Ok(ExtensionCommand::Step { once, action, base_hash, reason })
}
