//! `If-Match`: who changes something says which revision they saw, and is shown what came meanwhile where it moved (spec:
//! crew-package.md §7 "HTTP").
//!
//! Invariant: where the revision is another one, nothing is written.

use holdpoint_check::args;
use holdpoint_kind_crew::facts::PackageFacts;
use holdpoint_kind_crew::places::{PackagePart, Places};
use holdpoint_kind_crew::routes::codes::PACKAGE_CHANGED;
use holdpoint_kind_crew::wire::projects::Revision;
use holdpoint_store::{Files, Workspace, workspace};
use holdpoint_text::{DiffOptions, diff};
use serde_json::{Value, json};

use super::command::Edit;
use super::saved::saved;
use super::shown::{Standing, facts, number};
use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// Bytes of a diff that are shown; of what is longer the paths are.
const MAX_DIFF_BYTES: usize = 200_000;
/// Revisions that are looked through for the one that was seen.
const MAX_LOOKED_THROUGH: usize = 2_000;
const PAGE: u32 = 100;

/// What an edit is about: a part, or the whole project.
pub fn part(edit: &Edit) -> Option<PackagePart> {
    match edit {
        Edit::Rename { .. } | Edit::CreateWorkflow { .. } => None,
        Edit::DuplicateWorkflow { id, .. } | Edit::PutWorkflow { id, .. } | Edit::DeleteWorkflow { id } => {
            Some(PackagePart::Workflow(*id))
        }
        Edit::PutAgents { .. } => Some(PackagePart::Agents),
        Edit::CreateAsset { .. } | Edit::PutAsset { .. } | Edit::DeleteAsset { .. } => Some(PackagePart::Assets),
    }
}

/// Refuses what was decided on another revision of a part; what is not there any more is said by whoever looks for it.
pub fn stands(
    workspace: &Workspace<ObjectSql>,
    standing: &Standing,
    part: Option<PackagePart>,
    seen: Option<u64>,
) -> Result<(), EdgeError> {
    let current = match part {
        None => Some(standing.revision()),
        Some(part) => counter(&standing.facts, part),
    };
    let (Some(seen), Some(current)) = (seen, current) else { return Ok(()) };
    if seen == current {
        return Ok(());
    }
    let head = match part {
        None => json!(standing.project()?),
        Some(PackagePart::Workflow(id)) => json!(standing.workflow(id, Vec::new())?),
        Some(PackagePart::Agents) => json!(standing.agents()?),
        Some(PackagePart::Assets) => json!(standing.assets(None, false)?),
    };
    let was = saw(workspace, standing, part, seen)?;
    let shown = was.map(|was| changes(&of_part(&was, part), &of_part(&standing.files, part)));
    let saved = since(workspace, standing, part, seen)?;
    let fault = EdgeError::of(409, &PACKAGE_CHANGED, args! {}).with("head", head).with("revision", current);
    Err(fault.with("diff", shown.unwrap_or_default()).with("saved", json!(saved)))
}

fn counter(facts: &PackageFacts, part: PackagePart) -> Option<u64> {
    match part {
        PackagePart::Workflow(id) => facts.workflow(id).map(|workflow| workflow.revision),
        PackagePart::Agents => Some(facts.agents_revision),
        PackagePart::Assets => Some(facts.assets_revision),
    }
}

/// Who changed the part since, and when.
fn since(
    workspace: &Workspace<ObjectSql>,
    standing: &Standing,
    part: Option<PackagePart>,
    seen: u64,
) -> Result<Vec<Revision>, EdgeError> {
    let of = |stored: &Value, part| counter(&facts(stored), part);
    let was_seen = |revision: &workspace::Revision| match part {
        None => number(&revision.id) <= seen,
        Some(part) => of(&revision.facts.0, part).is_some_and(|counter| counter <= seen),
    };
    let touches = |revision: &workspace::Revision| {
        let before = |part| revision.facts_before.as_ref().and_then(|facts| of(&facts.0, part));
        part.is_none_or(|part| of(&revision.facts.0, part) != before(part))
    };
    saved(workspace, &standing.head.id, was_seen, touches)
}

/// The files that somebody saw, where their revision is known.
fn saw(
    workspace: &Workspace<ObjectSql>,
    standing: &Standing,
    part: Option<PackagePart>,
    seen: u64,
) -> Result<Option<Files>, EdgeError> {
    let id = standing.head.id.as_str();
    let (mut cursor, mut looked) = (None::<String>, 0);
    while looked < MAX_LOOKED_THROUGH {
        let page = workspace.revisions(id, cursor.as_deref(), PAGE).map_err(super::perform::fault)?;
        for revision in &page.items {
            let is_it = match part {
                None => number(&revision.id) == seen,
                Some(part) => counter(&facts(&revision.facts.0), part) == Some(seen),
            };
            if is_it {
                return Ok(workspace.revision(id, &revision.id).map_err(super::perform::fault)?.1);
            }
        }
        looked += page.items.len();
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(None)
}

fn of_part(files: &Files, part: Option<PackagePart>) -> Files {
    let Some(part) = part else { return files.clone() };
    let owned = |(path, text): (&str, &str)| (path.to_owned(), text.to_owned());
    Places::of(files).files_of(files, part).into_iter().map(owned).collect()
}

/// Each changed file, unified as `git apply` takes it; null where it is too long.
fn changes(before: &Files, after: &Files) -> Value {
    let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut left = MAX_DIFF_BYTES;
    let one = |path: &&String| {
        let text = |files: &Files| files.get(*path).cloned();
        let (old, new) = (text(before), text(after));
        if old == new {
            return None;
        }
        let status = match (&old, &new) {
            (None, _) => "A",
            (_, None) => "D",
            _ => "M",
        };
        let options = DiffOptions { path, ..DiffOptions::default() };
        let told = diff(&old.unwrap_or_default(), &new.unwrap_or_default(), &options).ok().map(|diff| diff.unified);
        let told = told.filter(|told| told.len() <= left);
        left -= told.as_ref().map_or(0, String::len);
        Some(json!({"path": path, "status": status, "unified": told}))
    };
    paths.iter().filter_map(one).collect()
}
