//! The routes of projects: what a request must say, before its project is asked.

use holdpoint_check::read::read;
use holdpoint_check::{ApiError, args};
use holdpoint_gateway::Code;
use holdpoint_kinds::Kind;
use holdpoint_kinds::crew_package::CrewPackage;
use holdpoint_kinds::crew_package::routes::codes::PAGE_CURSOR;
use holdpoint_kinds::crew_package::routes::projects::Id;
use holdpoint_kinds::crew_package::wire::Listed as ListedPage;
use holdpoint_kinds::crew_package::wire::projects::{NameBody, ProjectItem};
use holdpoint_store::Page;
use holdpoint_store::ledger::Listed;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::ProjectAsk;
use super::shown::number;
use crate::account::AccountCommand;
use crate::answer::{Answer, EdgeError};
use crate::envelope::given;
use crate::kinds::crew_package::entry::Entry;
use crate::kinds::crew_package::once::Once;
use crate::kinds::crew_package::{CrewCommand, ID};
use crate::objects::ask;
use crate::routes::{Edge, Incoming};

/// Items of a page (spec: ai-sessions.md §3 "Pagination").
const MOST: u32 = 100;

/// Answers a route of projects.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let value = match id {
        Id::Create => create(edge, &mut asked).await?,
        Id::List => list(edge, &asked).await?,
        Id::Show => Entry::of(edge, &asked).await?.ask(&asked, None, CrewCommand::Project(ProjectAsk::Show)).await?,
        _ => return Err(Code::NotFound.into()),
    };
    Ok(given(asked.route().status, &value, asked.id())?)
}

/// A body of a shape.
fn body<T: DeserializeOwned>(value: &Value) -> Result<T, EdgeError> {
    Ok(read(value.clone()).map_err(ApiError::from)?)
}

async fn create(edge: &Edge, asked: &mut Incoming) -> Result<Value, EdgeError> {
    let sent = asked.json()?;
    let NameBody { name } = body(&sent)?;
    let once = Once::of(asked, &sent)?;
    let entry = Entry::new(edge, asked.caller()?, once.as_ref()).await?;
    entry.ask(asked, once, CrewCommand::Project(ProjectAsk::Create { name })).await
}

/// One's projects, as the account lists them.
async fn list(edge: &Edge, asked: &Incoming) -> Result<Value, EdgeError> {
    let slice = asked.slice_of(MOST)?;
    if slice.cursor.as_ref().is_some_and(|cursor| !cursor.starts_with(ID)) {
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
    Ok(json!(ListedPage { items, next_cursor }))
}
