//! What is asked of a project, in its object.

use std::rc::Rc;

use holdpoint_change::{Base, Change, Facts as Stored, Hand, HandCause};
use holdpoint_check::args;
use holdpoint_kinds::Kind;
use holdpoint_kinds::crew_package::CrewPackage;
use holdpoint_kinds::crew_package::facts::Facts;
use holdpoint_kinds::crew_package::routes::codes::{PACKAGE_CHANGED, PROJECT_NOT_FOUND, PROJECT_UNLISTED};
use holdpoint_store::Files;
use holdpoint_store::workspace::{Bundle, By, Refused};
use serde_json::{Value, json};
use worker::Response;

use super::ProjectAsk;
use super::shown::Standing;
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::now_ms;
use crate::kinds::crew_package::once::Once;
use crate::objects::reply;
use crate::project::{LIST_AGAIN_MS, Object, ProjectCommand};

/// Does it.
pub async fn perform(
    object: &Rc<Object>,
    asked: &ProjectCommand<()>,
    once: Option<&Once>,
    command: ProjectAsk,
) -> worker::Result<Response> {
    let _ = once;
    reply(answer(object, asked, command).await)
}

async fn answer(object: &Object, asked: &ProjectCommand<()>, command: ProjectAsk) -> Result<Value, EdgeError> {
    let workspace = object.workspace()?;
    let (id, user) = (asked.bundle.as_str(), asked.principal.user_id.as_str());
    let by = By { user, now: now_ms(), asked: None };
    match command {
        ProjectAsk::Show => Ok(json!(Standing::of(&workspace, id)?.project()?)),
        ProjectAsk::Create { name } => {
            // First the alarm: should this end halfway, it lists what was stored.
            object.wake(by.now + LIST_AGAIN_MS).await?;
            let account = &asked.caller.account;
            let bundle = Bundle { id, kind: CrewPackage::ID, title: &name, owner: user, account: Some(account) };
            let facts = Stored(json!(Facts::new(&name)));
            let hand = Hand { files: Files::new(), facts, cause: HandCause::Create, by: person(&asked.principal) };
            workspace.write(&bundle, &Base::default(), Change::Hand(hand), &by).map_err(fault)?;
            if !object.list_new(account, id).await {
                return Err(unlisted(id));
            }
            Ok(json!(Standing::of(&workspace, id)?.project()?))
        }
    }
}

/// A refusal in the words of these routes.
fn fault(refused: Refused) -> EdgeError {
    match refused {
        Refused::NotFound => EdgeError::of(404, &PROJECT_NOT_FOUND, args! {}),
        Refused::Stale { current } => {
            EdgeError::of(409, &PACKAGE_CHANGED, args! {}).with("revision", json!(current.revision))
        }
        Refused::Sql(error) => error.into(),
        _ => EdgeError::internal("a refusal of another kind"),
    }
}

/// It is stored, and its maker does not find it yet.
fn unlisted(id: &str) -> EdgeError {
    EdgeError::of(503, &PROJECT_UNLISTED, args! {}).with("projectId", id)
}
