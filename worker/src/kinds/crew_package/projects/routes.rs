//! The routes of projects: what a request must say, before its project is asked.

use holdpoint_check::read::read;
use holdpoint_check::{ApiError, args};
use holdpoint_kind::Kind;
use holdpoint_kind_crew::CrewPackage;
use holdpoint_kind_crew::archive::{export, file_name};
use holdpoint_kind_crew::dialect::references::WORKFLOW_NOT_FOUND;
use holdpoint_kind_crew::facts::PackageFacts;
use holdpoint_kind_crew::hand::project_name;
use holdpoint_kind_crew::routes::codes::{PAGE_CURSOR, QUERY_TEXT, REVISION_NOT_FOUND, SEEN};
use holdpoint_kind_crew::routes::projects::Id;
use holdpoint_kind_crew::search::MAX_QUERY;
use holdpoint_kind_crew::wire::Listed as ListedPage;
use holdpoint_kind_crew::wire::projects::{AgentsBody, AssetBody, AssetPathBody, NameBody, ProjectItem, WorkflowBody};
use holdpoint_store::Page;
use holdpoint_store::ledger::Listed;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use worker::{Headers, Response};

use super::PackageCommand;
use super::command::{Edit, ProjectContent, ProjectStep};
use super::perform::{MakeTask, content, perform};
use super::shown::number;
use crate::account::AccountCommand;
use crate::answer::{Answer, EdgeError};
use crate::envelope::{given, language, named};
use crate::kinds::ProjectTask;
use crate::kinds::crew_package::{NAMES, once};
use crate::objects::ask;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::forward::new_id;
use crate::routes::{Edge, RouteRequest};

/// Items of a page (spec: ai-sessions.md §3 "Pagination").
const MOST: u32 = 100;

/// Answers a route of a project, there.
pub async fn handle(
    object: &Object,
    id: Id,
    head: ProjectCommand<()>,
    mut request: RouteRequest,
) -> Result<ObjectReply, EdgeError> {
    let sent = request.json()?;
    let (once, command) = match id {
        Id::Export => return Ok(ObjectReply::Response(exported(object, &head, &request)?)),
        Id::Duplicate => return duplicate(object, head, &request, &sent).await.map(ObjectReply::Json),
        Id::Create => {
            let facts = PackageFacts::new(&project_name(&name(&sent)?)?);
            let content = ProjectContent { files: holdpoint_store::Files::new(), facts };
            (once::of(&request, &sent)?, PackageCommand::Create { content, is_import: false })
        }
        _ => {
            let command = command(id, &request, &sent)?;
            (if is_once(id) { once::of(&request, &sent)? } else { None }, command)
        }
    };
    perform(object, &head, once.as_ref(), command).await.map(ObjectReply::Json)
}

/// Whether a route is a `POST`: those may be asked once.
fn is_once(id: Id) -> bool {
    matches!(id, Id::Undo | Id::Redo | Id::Restore | Id::CreateWorkflow | Id::DuplicateWorkflow | Id::CreateAsset)
}

/// What the project is asked.
fn command(id: Id, asked: &RouteRequest, sent: &Value) -> Result<PackageCommand, EdgeError> {
    let edit = |edit: Edit| Ok(PackageCommand::Edit { edit, seen: seen(asked)? });
    let step = |step: ProjectStep| Ok(PackageCommand::Step { step, seen: seen(asked)? });
    match id {
        Id::Create | Id::List | Id::Duplicate | Id::Export => Err(EdgeError::internal("a route of another hand")),
        Id::Show => Ok(PackageCommand::Show),
        Id::Rename => edit(Edit::Rename { name: name(sent)? }),
        Id::Delete => Ok(PackageCommand::Delete { seen: seen(asked)? }),
        Id::Undo => step(ProjectStep::Undo),
        Id::Redo => step(ProjectStep::Redo),
        Id::Restore => step(ProjectStep::Restore { revision: revision(asked)? }),
        Id::Bundle => Ok(PackageCommand::Bundle { revision: None }),
        Id::Revision => Ok(PackageCommand::Bundle { revision: Some(revision(asked)?) }),
        Id::Revisions => {
            let slice = asked.slice_of(MOST)?;
            let number = |text: String| whole(&text).ok_or_else(|| ApiError::at("/cursor", &PAGE_CURSOR, args! {}));
            Ok(PackageCommand::Revisions { cursor: slice.cursor.map(number).transpose()?, limit: slice.limit })
        }
        Id::Search => Ok(PackageCommand::Search { query: text(asked, "q", MAX_QUERY)? }),
        Id::Workflows => Ok(PackageCommand::Workflows),
        Id::CreateWorkflow => edit(Edit::CreateWorkflow { name: name(sent)? }),
        Id::Workflow => Ok(PackageCommand::Workflow { id: workflow(asked)? }),
        Id::PutWorkflow => edit(Edit::PutWorkflow { id: workflow(asked)?, body: body::<WorkflowBody>(sent)? }),
        Id::DeleteWorkflow => edit(Edit::DeleteWorkflow { id: workflow(asked)? }),
        Id::DuplicateWorkflow => edit(Edit::DuplicateWorkflow { id: workflow(asked)?, name: name(sent)? }),
        Id::Agents => Ok(PackageCommand::Agents),
        Id::PutAgents => edit(Edit::PutAgents { agents: body::<AgentsBody>(sent)?.agents }),
        Id::Assets => {
            let with_content = asked.query("content")?.is_some_and(|value| value == "1");
            Ok(PackageCommand::Assets { path: asked.query("path")?, with_content })
        }
        Id::CreateAsset => {
            let AssetBody { path, content } = body(sent)?;
            edit(Edit::CreateAsset { path, content })
        }
        Id::PutAsset => {
            let AssetBody { path, content } = body(sent)?;
            edit(Edit::PutAsset { path, content })
        }
        Id::DeleteAsset => edit(Edit::DeleteAsset { path: body::<AssetPathBody>(sent)?.path }),
    }
}

/// A copy has the files and begins its own history, in a project of its own.
async fn duplicate(
    object: &Object,
    head: ProjectCommand<()>,
    request: &RouteRequest,
    sent: &Value,
) -> Result<Value, EdgeError> {
    let name = project_name(&name(sent)?)?;
    let (once, seen) = (once::of(request, sent)?, seen(request)?);
    let ProjectContent { files, .. } = content(object, &head, seen)?;
    let (files, _) = holdpoint_kind_crew::hand::manifest::settled(&files, &name);
    let facts = PackageFacts::begun(&name, &files);
    let ProjectCommand { caller, principal, .. } = head;
    let key = once.as_ref().map(|once| once.key.clone());
    let id = new_id(&object.objects, &NAMES, caller.clone(), key).await?;
    let copy = object.objects.project_called(&caller.account, &format!("{}/{id}", NAMES.word))?;
    let content = ProjectContent { files, facts };
    ask(&copy, &ProjectTask::CrewPackage(MakeTask { caller, principal, id, once, content })).await
}

/// One's projects, as the account lists them.
pub async fn list(edge: &Edge, asked: &RouteRequest) -> Answer {
    let slice = asked.slice_of(MOST)?;
    if slice.cursor.as_ref().is_some_and(|cursor| !cursor.starts_with(NAMES.prefix)) {
        return Err(ApiError::at("/cursor", &PAGE_CURSOR, args! {}).into());
    }
    let caller = asked.caller()?;
    let account = edge.objects.account(&caller.account)?;
    let page: Page<Listed> =
        ask(&account, &AccountCommand::Bundles { caller, kind: CrewPackage::ID.to_owned(), slice }).await?;
    let Page { items, next_cursor } = page.map(|Listed { id, title, revision_id, updated_at, .. }| ProjectItem {
        project_id: id,
        name: title,
        revision: number(&revision_id),
        updated_at,
    });
    Ok(given(200, json!(ListedPage { items, next_cursor }), language(asked.request())?, asked.id())?)
}

/// The archive of a package.
fn exported(object: &Object, head: &ProjectCommand<()>, asked: &RouteRequest) -> Answer {
    let ProjectContent { files, facts } = content(object, head, None)?;
    let bytes = export(&files).map_err(EdgeError::from)?;
    let headers = Headers::new();
    headers.set("content-type", "application/zip")?;
    headers.set("cache-control", "no-store")?;
    headers.set("content-disposition", &disposition(&file_name(&facts.name)))?;
    Ok(named(Response::builder().with_status(200).with_headers(headers).fixed(bytes), asked.id())?)
}

/// A file's name, for clients that read ASCII only and for those that read UTF-8 (RFC 6266).
fn disposition(file: &str) -> String {
    let plain: String = file.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
    let encoded: String = file
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_graphic() && !matches!(letter, '"' | '\\' | '%') || letter == ' '
}

/// A body of a shape.
fn body<T: DeserializeOwned>(value: &Value) -> Result<T, EdgeError> {
    Ok(read(value.clone()).map_err(ApiError::from)?)
}

fn name(sent: &Value) -> Result<String, EdgeError> {
    Ok(body::<NameBody>(sent)?.name)
}

/// `If-Match`: a number, quoted or not.
fn seen(asked: &RouteRequest) -> Result<Option<u64>, EdgeError> {
    let Some(text) = asked.request().headers().get("if-match")? else { return Ok(None) };
    let text = text.trim();
    if text == "*" {
        return Ok(None);
    }
    let plain = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let wrong = || ApiError::at("/If-Match", &SEEN, args! {});
    Ok(Some(whole(plain).ok_or_else(wrong)?))
}

fn workflow(asked: &RouteRequest) -> Result<u64, EdgeError> {
    let id = asked.place("workflow_id");
    whole(&id).ok_or_else(|| EdgeError::of(404, &WORKFLOW_NOT_FOUND, args! { id }))
}

fn revision(asked: &RouteRequest) -> Result<u64, EdgeError> {
    whole(&asked.place("revision")).ok_or_else(|| EdgeError::of(404, &REVISION_NOT_FOUND, args! {}))
}

/// A number as it is given out: no sign, no zero in front.
fn whole(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|number| *number <= 1 << 53 && number.to_string() == text)
}

/// A text of the query.
pub fn text(asked: &RouteRequest, name: &'static str, limit: usize) -> Result<String, EdgeError> {
    let text = asked.query(name)?.unwrap_or_default();
    if (1..=limit).contains(&text.chars().count()) {
        return Ok(text);
    }
    Err(ApiError::at(format!("/{name}"), &QUERY_TEXT, args! { name, limit }).into())
}
