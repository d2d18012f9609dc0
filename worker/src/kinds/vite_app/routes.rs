//! Apps below `/admin/apps` and `/public/apps` (spec: app-builder.md §3, §7).

use std::rc::Rc;

use futures_util::future::join_all;
use holdpoint_check::read::read;
use holdpoint_check::route::Page;
use holdpoint_check::{ApiError, args};
use holdpoint_kind::Kind;
use holdpoint_kind_app::ViteApp;
use holdpoint_kind_app::routes::codes::NO_REVISION;
use holdpoint_kind_app::routes::{AppRoute, Id};
use holdpoint_kind_app::scaffolds;
use holdpoint_store::ledger::Listed;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use worker::State;

use super::apps::{AppTask, behind};
use super::{AppDesk, NAMES, events, fault, object_of, proposals, served, shown, slice, turns};
use crate::account::{AccountCommand, Slice};
use crate::answer::{Answer, EdgeError, json_response};
use crate::js::Gone;
use crate::kinds::ProjectTask;
use crate::objects::ask;
use crate::project::once::Once;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::{Edge, RouteRequest};

/// Answers what no single app answers.
pub async fn answer(edge: &Edge, id: AppRoute, request: RouteRequest) -> Answer {
    match id {
        AppRoute::Public(id) => served::answer(edge, id, request).await,
        AppRoute::Admin(Id::Templates) => {
            edge.principal(&request.caller()?, request.route().scope.unwrap_or_default()).await?;
            Ok(json_response(200, &json!(shown::templates()))?)
        }
        AppRoute::Admin(Id::List) => list(edge, &request).await,
        AppRoute::Admin(_) => Err(EdgeError::internal("a route without a home")),
    }
}

/// One's apps: the account lists them, each project shows its own.
async fn list(edge: &Edge, request: &RouteRequest) -> Answer {
    let (caller, slice) = (request.caller()?, slice(request)?);
    let account = edge.objects.account(&caller.account)?;
    let listed = AccountCommand::Bundles { caller: caller.clone(), kind: ViteApp::ID.to_owned(), slice };
    let Page { items, next_cursor }: Page<Listed> = ask(&account, &listed).await?;
    let shown = items.into_iter().map(|Listed { id, .. }| {
        let project = edge.objects.project_called(&caller.account, &format!("{}/{id}", NAMES.word));
        async move { ask::<_, Value>(&project?, &ProjectTask::ViteApp(AppTask::Show { id })).await }
    });
    // One that was deleted meanwhile is left out.
    let items: Vec<Value> = join_all(shown).await.into_iter().filter_map(Result::ok).collect();
    Ok(json_response(200, &json!({"items": items, "next_cursor": next_cursor}))?)
}

/// Answers a route of an app, in its project.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: AppRoute,
    head: ProjectCommand<()>,
    mut request: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    let AppRoute::Admin(id) = id else { return Err(EdgeError::internal("a public route came here")) };
    match id {
        Id::Events => return Ok(ObjectReply::Response(events::follow(state, object, head, gone).await?)),
        Id::Log => {
            let revision = request.place("revision_id");
            return Ok(ObjectReply::Response(events::log(state, object, head, &revision, gone).await?));
        }
        Id::Export => return Ok(ObjectReply::Response(AppDesk::of(object, &head)?.export(&request).await?)),
        Id::SourceMap => return Ok(ObjectReply::Response(AppDesk::of(object, &head)?.source_map(&request).await?)),
        Id::Upload => {
            return Ok(ObjectReply::Json(json!(AppDesk::of(object, &head)?.upload(&mut request).await?)));
        }
        Id::Chat | Id::ChatEvents | Id::Cancel | Id::Conversations => {
            return turns::handle(state, object, id, head, request, gone).await;
        }
        Id::Proposal | Id::PreviewProposal | Id::ApplyProposal | Id::DiscardProposal => {
            return proposals::handle(state, object, id, head, request, gone).await;
        }
        _ => {}
    }
    let body = object_of(&mut request)?;
    let once = if is_once(id) { Once::read(&request, &request.request().path(), &body.to_string())? } else { None };
    let user = head.principal.user_id.clone();
    let _alone = Once::alone(once.as_ref(), object, &user).await?;
    let workspace = object.workspace()?;
    if let Some(answered) = Once::answered(once.as_ref(), &workspace, &user, crate::js::now_ms())? {
        return Ok(ObjectReply::Json(answered));
    }
    let desk = AppDesk::of(object, &head)?;
    let answer = perform(&desk, id, &request, body).await?;
    let answer = Once::keep(once.as_ref(), &workspace, &user, crate::js::now_ms(), answer)?;
    if is_write(id) {
        object.set_alarm().await;
        let (object, app) = (object.clone(), head.bundle.clone());
        state.wait_until(async move { behind(&object, &app).await });
    }
    Ok(ObjectReply::Json(answer))
}

/// Whether a request that is sent twice must be done once.
fn is_once(id: Id) -> bool {
    matches!(
        id,
        Id::Create
            | Id::Save
            | Id::Reset
            | Id::Restore
            | Id::RestoreCheckpoint
            | Id::Undo
            | Id::Redo
            | Id::RevertFile
            | Id::Publish
            | Id::Rollback
            | Id::Lock
            | Id::Scaffold
    )
}

/// Whether a build may be due behind it.
fn is_write(id: Id) -> bool {
    is_once(id) || matches!(id, Id::Change | Id::Retry | Id::PreviewToken)
}

async fn perform(desk: &AppDesk<'_>, id: Id, request: &RouteRequest, body: Value) -> Result<Value, EdgeError> {
    let revision = || request.place("revision_id");
    Ok(match id {
        Id::List
        | Id::Templates
        | Id::Events
        | Id::Log
        | Id::Export
        | Id::SourceMap
        | Id::Upload
        | Id::Chat
        | Id::ChatEvents
        | Id::Cancel
        | Id::Conversations
        | Id::Proposal
        | Id::PreviewProposal
        | Id::ApplyProposal
        | Id::DiscardProposal => return Err(EdgeError::internal("a route of another hand")),
        Id::Create => json!(desk.create(&sent(body)?).await?),
        Id::Show => json!(desk.app(&desk.present()?)?),
        Id::Change => json!(desk.change(&sent(body)?).await?),
        Id::Delete => json!(desk.delete().await?),
        Id::State => json!(desk.state(&request.request().url()?.origin().ascii_serialization())?),
        Id::Revisions => {
            let Slice { cursor, limit } = slice(request)?;
            desk.present()?;
            let page = desk.workspace.revisions(desk.id(), cursor.as_deref(), limit).map_err(fault)?;
            json!(Page { items: desk.versions(page.items)?, next_cursor: page.next_cursor })
        }
        Id::Revision => {
            desk.present()?;
            let (found, files) = desk.workspace.revision(desk.id(), &revision()).map_err(fault)?;
            let mut version = desk.version(found)?;
            version.files = files.filter(|_| request.query("include").ok().flatten().as_deref() == Some("files"));
            json!(version)
        }
        Id::Save => json!(desk.save(&sent(body)?).await?),
        Id::Validate => json!(desk.validate(&sent(body)?)?),
        Id::Reset => json!(desk.reset(&sent(body)?)?),
        Id::Build => {
            desk.present()?;
            json!(desk.build(&revision())?)
        }
        Id::Retry => json!(desk.retry(&revision(), body["force"] == true)?),
        Id::PreviewToken => {
            let console = request.request().url()?.origin().ascii_serialization();
            let address = desk.preview(&revision(), &console)?;
            desk.bring_back(&revision())?;
            json!(address)
        }
        Id::WorkingCopy => json!(desk.working_copy()?),
        Id::KeepWorkingCopy => json!(desk.keep_working_copy(sent(body)?)?),
        Id::Undo => json!(desk.undo(&sent(body)?)?),
        Id::Redo => json!(desk.redo(&sent(body)?)?),
        Id::Restore => json!(desk.restore(&sent(body)?)?),
        Id::RevertFile => json!(desk.revert_file(&sent(body)?).await?),
        Id::Checkpoints => {
            let Slice { cursor, limit } = slice(request)?;
            json!(desk.checkpoints(cursor.as_deref(), limit)?)
        }
        Id::Checkpoint => {
            let holdpoint_kind_app::requests::NamedCheckpointBody { label } = sent(body)?;
            json!(desk.checkpoint(&label)?)
        }
        Id::RenameCheckpoint => {
            let holdpoint_kind_app::requests::NamedCheckpointBody { label } = sent(body)?;
            json!(desk.rename_checkpoint(&request.place("checkpoint_id"), &label)?)
        }
        Id::RemoveCheckpoint => json!(desk.remove_checkpoint(&request.place("checkpoint_id"))?),
        Id::RestoreCheckpoint => json!(desk.restore_checkpoint(&request.place("checkpoint_id"), &sent(body)?)?),
        Id::Diff => json!(desk.compared(&asked(request, "from")?, &asked(request, "to")?)?),
        Id::Lock => json!(desk.renewed_lock(&sent(body)?, request).await?),
        Id::Scaffolds => {
            desk.present()?;
            json!(scaffolds::all())
        }
        Id::Scaffold => json!(desk.scaffold(&request.place("key"), &sent(body)?, request)?),
        Id::Health => json!(desk.health(request.query("revision_id")?).await?),
        Id::Publish => json!(desk.publish(&sent(body)?).await?),
        Id::Unpublish => json!(desk.unpublish().await?),
        Id::Rollback => json!(desk.rollback(&optional(body)?).await?),
        Id::Publications => {
            let Slice { cursor, limit } = slice(request)?;
            json!(desk.publications(cursor.as_deref(), limit)?)
        }
    })
}

/// A body of a shape.
fn sent<T: DeserializeOwned>(body: Value) -> Result<T, EdgeError> {
    Ok(read(body).map_err(ApiError::from)?)
}

/// The same of a body that may be left out.
fn optional<T: DeserializeOwned + Default>(body: Value) -> Result<T, EdgeError> {
    if body.is_null() { Ok(T::default()) } else { sent(body) }
}

/// A member of the query that must be there.
fn asked(request: &RouteRequest, name: &'static str) -> Result<String, EdgeError> {
    request.query(name)?.filter(|text| !text.is_empty()).ok_or_else(|| EdgeError::of(404, &NO_REVISION, args! {}))
}
