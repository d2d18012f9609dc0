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
use holdpoint_kind_crew::wire::projects::{Imported, NameChecked};
use serde_json::{Value, json};

use super::projects::{PackageCommand, ProjectContent, perform, text};
use crate::account::{AccountCommand, Caller};
use crate::answer::{Answer, EdgeError};
use crate::envelope::{given, language};
use crate::kinds::crew_package::once;
use crate::objects::{Objects, ask};
use crate::project::{Object, ProjectCommand};
use crate::routes::{Edge, RouteRequest};

/// What a name becomes that is taken.
const IMPORTED: &str = "-imported";
/// How many names are tried before the person has to think of one.
const TRIES: u32 = 20;

/// Says whether a name is free, and one that is.
pub async fn name_checked(edge: &Edge, asked: &RouteRequest) -> Answer {
    let (names, name) =
        (TitleCheck { objects: &edge.objects, caller: asked.caller()? }, text(asked, "name", MAX_NAME)?);
    let available = !names.is_taken(&name).await?;
    let suggested_name = if available { name } else { names.suggested(&name).await? };
    Ok(given(200, json!(NameChecked { available, suggested_name }), language(asked.request())?, asked.id())?)
}

/// Makes the project of a file, in that project.
pub async fn imported(object: &Object, head: ProjectCommand<()>, mut asked: RouteRequest) -> Result<Value, EdgeError> {
    let bytes = asked.bytes().map_err(over_the_limit)?;
    let kind = asked.request().headers().get("content-type")?.unwrap_or_default();
    let no_file = || EdgeError::of(400, &PKG_INVALID_FORMAT, args! {});
    let form = boundary(&kind).and_then(|boundary| parts(&bytes, &boundary)).ok_or_else(no_file)?;
    let part = |name: &str| form.iter().find(|part| part.name == name);
    let file = part("file").ok_or_else(no_file)?;
    let wanted = part("custom_name").map(|part| String::from_utf8_lossy(part.bytes).trim().to_owned());
    let wanted = wanted.filter(|name| !name.is_empty()).map(|name| project_name(&name)).transpose()?;
    let once = once::with(&asked, &format!("{} {wanted:?}", bytes_hash(file.bytes)))?;
    let options =
        ImportOptions { file_name: file.file_name.as_deref(), name: wanted.as_deref(), ..ImportOptions::default() };
    let package = import(file.bytes, &options).map_err(EdgeError::from)?;
    let name = project_name(&package.name)?;
    let names = TitleCheck { objects: &object.objects, caller: head.caller.clone() };
    // A request that is sent again is answered by its project, whose name it is that is taken.
    if names.is_taken(&name).await? && (once.is_none() || object.workspace()?.head(&head.bundle)?.is_none()) {
        return Err(names.taken(&name).await?);
    }
    let facts = PackageFacts::begun(&name, &package.files);
    let content = ProjectContent { files: package.files, facts };
    perform(object, &head, once.as_ref(), PackageCommand::Create { content, is_import: true }).await?;
    let summary = package.summary;
    Ok(json!(Imported {
        project_id: head.bundle,
        project_name: name,
        workflows_count: summary.as_ref().map_or(0, |summary| summary.workflows.len()),
        agents_count: summary.as_ref().and_then(|summary| summary.agents).unwrap_or_default(),
        warnings: package.warnings,
    }))
}

/// What the account knows of the names of somebody's projects.
struct TitleCheck<'t> {
    objects: &'t Objects,
    caller: Caller,
}

impl TitleCheck<'_> {
    async fn taken(&self, name: &str) -> Result<EdgeError, EdgeError> {
        let suggested = self.suggested(name).await?;
        let fault = EdgeError::of(409, &PKG_NAME_CONFLICT, args! { name });
        Ok(fault.with("conflicting_name", name).with("suggested_name", suggested))
    }

    /// A name that is free.
    async fn suggested(&self, name: &str) -> Result<String, EdgeError> {
        let longest = MAX_NAME - IMPORTED.len() - 3;
        let name: String = name.chars().take(longest).collect();
        let mut suggested = format!("{name}{IMPORTED}");
        for attempt in 2..TRIES {
            if !self.is_taken(&suggested).await? {
                break;
            }
            suggested = format!("{name}{IMPORTED}-{attempt}");
        }
        Ok(suggested)
    }

    async fn is_taken(&self, title: &str) -> Result<bool, EdgeError> {
        let account = self.objects.account(&self.caller.account)?;
        let (kind, title) = (CrewPackage::ID.to_owned(), title.to_owned());
        ask(&account, &AccountCommand::IsTitled { caller: self.caller.clone(), kind, title }).await
    }
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
