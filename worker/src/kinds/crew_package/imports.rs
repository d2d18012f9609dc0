//! Packages from a file, below `/packages/import` (spec: crew-package.md §7 "Import").
//!
//! Invariants: an archive is counted while it comes and taken whole or not at all; nobody has two projects of one name by an
//! import.

use holdpoint_bundle::bytes_hash;
use holdpoint_check::args;
use holdpoint_gateway::form::{boundary, parts};
use holdpoint_kind::Kind;
use holdpoint_kind_crew::CrewPackage;
use holdpoint_kind_crew::archive::{ImportOptions, PKG_INVALID_FORMAT, import, too_large};
use holdpoint_kind_crew::facts::PackageFacts;
use holdpoint_kind_crew::hand::{MAX_NAME, project_name};
use holdpoint_kind_crew::routes::codes::PKG_NAME_CONFLICT;
use holdpoint_kind_crew::routes::imports::Id;
use holdpoint_kind_crew::wire::projects::{Imported, NameChecked};
use serde_json::{Value, json};

use super::entry::ProjectEntry;
use super::projects::{ProjectContent, make, text};
use crate::account::AccountCommand;
use crate::answer::{Answer, EdgeError};
use crate::envelope::given;
use crate::kinds::crew_package::once;
use crate::objects::ask;
use crate::routes::{Edge, Incoming};

/// What a name becomes that is taken.
const IMPORTED: &str = "-imported";
/// How many names are tried before the person has to think of one.
const TRIES: u32 = 20;

/// Answers a route of imports.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let value = match id {
        Id::Import => imported(edge, &mut asked).await?,
        Id::CheckName => {
            let name = text(&asked, "name", MAX_NAME)?;
            let available = !is_taken(edge, &asked, &name).await?;
            let suggested_name = if available { name } else { suggested(edge, &asked, &name).await? };
            json!(NameChecked { available, suggested_name })
        }
    };
    given(asked.route().status, value, &asked)
}

async fn imported(edge: &Edge, asked: &mut Incoming) -> Result<Value, EdgeError> {
    let bytes = asked.bytes().map_err(over_the_limit)?;
    let kind = asked.request().headers().get("content-type")?.unwrap_or_default();
    let no_file = || EdgeError::of(400, &PKG_INVALID_FORMAT, args! {});
    let form = boundary(&kind).and_then(|boundary| parts(&bytes, &boundary)).ok_or_else(no_file)?;
    let part = |name: &str| form.iter().find(|part| part.name == name);
    let file = part("file").ok_or_else(no_file)?;
    let wanted = part("custom_name").map(|part| String::from_utf8_lossy(part.bytes).trim().to_owned());
    let wanted = wanted.filter(|name| !name.is_empty()).map(|name| project_name(&name)).transpose()?;
    let once = once::with(asked, &format!("{} {wanted:?}", bytes_hash(file.bytes)))?;
    let options =
        ImportOptions { file_name: file.file_name.as_deref(), name: wanted.as_deref(), ..ImportOptions::default() };
    let package = import(file.bytes, &options).map_err(EdgeError::from)?;
    let name = project_name(&package.name)?;
    // A request that is sent again is answered by its project, whose name it is that is taken.
    if is_taken(edge, asked, &name).await? && !ProjectEntry::is_made(edge, asked.caller()?, once.as_ref()).await? {
        return Err(taken(edge, asked, &name).await?);
    }
    let facts = PackageFacts::begun(&name, &package.files);
    let made = make(edge, asked, once, ProjectContent { files: package.files, facts }, true).await?;
    let summary = package.summary;
    Ok(json!(Imported {
        project_id: made["projectId"].as_str().unwrap_or_default().to_owned(),
        project_name: name,
        workflows_count: summary.as_ref().map_or(0, |summary| summary.workflows.len()),
        agents_count: summary.as_ref().and_then(|summary| summary.agents).unwrap_or_default(),
        warnings: package.warnings,
    }))
}

async fn taken(edge: &Edge, asked: &Incoming, name: &str) -> Result<EdgeError, EdgeError> {
    let suggested = suggested(edge, asked, name).await?;
    let fault = EdgeError::of(409, &PKG_NAME_CONFLICT, args! { name });
    Ok(fault.with("conflicting_name", name).with("suggested_name", suggested))
}

/// A name that is free.
async fn suggested(edge: &Edge, asked: &Incoming, name: &str) -> Result<String, EdgeError> {
    let longest = MAX_NAME - IMPORTED.len() - 3;
    let name: String = name.chars().take(longest).collect();
    let mut suggested = format!("{name}{IMPORTED}");
    for attempt in 2..TRIES {
        if !is_taken(edge, asked, &suggested).await? {
            break;
        }
        suggested = format!("{name}{IMPORTED}-{attempt}");
    }
    Ok(suggested)
}

async fn is_taken(edge: &Edge, asked: &Incoming, title: &str) -> Result<bool, EdgeError> {
    let caller = asked.caller()?;
    let account = edge.objects.account(&caller.account)?;
    let (kind, title) = (CrewPackage::ID.to_owned(), title.to_owned());
    ask(&account, &AccountCommand::IsTitled { caller, kind, title }).await
}

/// A form that is too large is an archive that is.
fn over_the_limit(fault: EdgeError) -> EdgeError {
    match fault.details.get("size").and_then(Value::as_u64) {
        Some(size) if fault.code == "REQUEST_TOO_LARGE" => {
            too_large(usize::try_from(size).unwrap_or(usize::MAX)).into()
        }
        _ => fault,
    }
}
