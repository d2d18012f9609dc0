//! The routes of sessions: what a request says, before its project is asked.

use std::rc::Rc;

use holdpoint_gateway::Code;
use holdpoint_kind_crew::routes::sessions::Id;
use serde_json::Value;
use worker::State;

use super::command::{PageAsked, Sent, SessionCommand, WhichAsked};
use super::perform;
use crate::answer::EdgeError;
use crate::envelope::language;
use crate::kinds::crew_package::once;
use crate::project::{Object, ProjectCommand};
use crate::routes::RouteRequest;

/// Answers a route of sessions, in their project.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    head: ProjectCommand<()>,
    mut asked: RouteRequest,
) -> Result<Value, EdgeError> {
    let command = command(id, &mut asked)?;
    let sent = match &command {
        SessionCommand::Open { sent }
        | SessionCommand::Stage { sent }
        | SessionCommand::Validate { sent }
        | SessionCommand::Discard { sent }
        | SessionCommand::Revert { sent }
        | SessionCommand::Apply { sent, .. } => Some(&sent.body),
        _ => None,
    };
    let once = match (sent, &command) {
        (Some(body), _) => once::of(&asked, body)?,
        (None, SessionCommand::Cancel { .. }) => once::with(&asked, "")?,
        (None, _) => None,
    };
    perform(state, object, head, command, once.as_ref()).await
}

fn command(id: Id, asked: &mut RouteRequest) -> Result<SessionCommand, EdgeError> {
    let session = asked.place("session_id");
    let page = |asked: &RouteRequest, cursor: &str| -> Result<PageAsked, EdgeError> {
        Ok(PageAsked { cursor: asked.query(cursor)?, limit: asked.query("limit")? })
    };
    Ok(match id {
        Id::Open => SessionCommand::Open { sent: sent(asked) },
        Id::List => {
            let which = WhichAsked {
                target_type: asked.query("targetType")?,
                target_id: asked.query("targetId")?,
                workflow_id: asked.query("workflowId")?,
                status: asked.query("status")?,
            };
            SessionCommand::List { which, page: page(asked, "cursor")? }
        }
        Id::Show => {
            let all = asked.query("include")?.is_some_and(|list| list.split(',').any(|word| word == "tool"));
            let language = language(asked.request())?.map(str::to_owned);
            SessionCommand::Show { session, all, page: page(asked, "before")?, language }
        }
        Id::Delete => SessionCommand::Delete { session },
        Id::Context => SessionCommand::Context { session },
        Id::Preview => SessionCommand::Preview { session, set: asked.query("changeSetId")? },
        Id::ApplyInSession => SessionCommand::Apply { session: Some(session), sent: sent(asked) },
        Id::Cancel => SessionCommand::Cancel { session },
        Id::Stage => SessionCommand::Stage { sent: sent(asked) },
        Id::Validate => SessionCommand::Validate { sent: sent(asked) },
        Id::Discard => SessionCommand::Discard { sent: sent(asked) },
        Id::Revert => SessionCommand::Revert { sent: sent(asked) },
        Id::Apply => SessionCommand::Apply { session: None, sent: sent(asked) },
        Id::Audit => SessionCommand::Audit {
            session: asked.query("sessionId")?,
            kind: asked.query("type")?,
            page: page(asked, "cursor")?,
        },
        Id::Metrics => SessionCommand::Metrics,
        // The router answers what is gone.
        Id::StepDraft | Id::WorkflowStepDraft => return Err(Code::NotFound.into()),
    })
}

/// A body as it came: what is wrong with it is said behind the gates.
fn sent(asked: &mut RouteRequest) -> Sent {
    match asked.json() {
        Ok(body) => Sent { body, fault: None },
        Err(fault) => Sent { body: Value::Null, fault: Some((fault.status, fault.0)) },
    }
}
