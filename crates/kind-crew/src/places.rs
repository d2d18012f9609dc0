//! Which file of a package belongs to which part (spec: crew-package.md §1).
//!
//! Read from the manifest, also where other documents do not hold. Invariant: no file belongs to two parts.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use serde_json::Value;

use super::documents::json;
use super::documents::manifest::Listing;
use super::documents::text;
use super::policy::{AGENTS, ASSETS, MANIFEST, folder};
use super::schemas::Shape;

/// The folder of the workflows.
pub const WORKFLOWS: &str = "workflows/";

/// What is counted by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackagePart {
    /// The document, the graph and the steps of a workflow.
    Workflow(u64),
    Agents,
    Assets,
}

/// A workflow that the manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedWorkflow {
    pub id: u64,
    /// Its display name, else one made of its number.
    pub name: String,
    pub document: String,
    pub graph: String,
    pub is_default: bool,
}

/// The parts of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    pub agents: String,
    pub workflows: Vec<ListedWorkflow>,
}

impl ListedWorkflow {
    /// What a workflow is called that nobody named.
    pub fn unnamed(id: u64) -> String {
        format!("Workflow {id}")
    }

    /// A workflow where Holdpoint puts it.
    pub fn placed(id: u64, name: &str) -> Self {
        let folder = format!("{WORKFLOWS}{id}/");
        Self {
            id,
            name: name.to_owned(),
            document: format!("{folder}workflow.md"),
            graph: format!("{folder}workflow.graph.json"),
            is_default: false,
        }
    }

    /// Its folder, with the slash.
    pub fn folder(&self) -> &str {
        folder(&self.graph)
    }
}

impl Places {
    /// Those of files; of a package without a usable manifest there are agents and assets only.
    pub fn of(files: &Files) -> Self {
        let manifest = files.get(MANIFEST).and_then(|text| json::read(text).ok()?.ok()).map(|document| document.value);
        let manifest = manifest.filter(|value| Shape::Manifest.judge(value).is_empty());
        let Some(manifest) = manifest else { return Self { agents: AGENTS.to_owned(), workflows: Vec::new() } };
        let said = Listing::of(&manifest);
        let default = said.default_workflow().and_then(|unit| unit.id);
        let rows = manifest["workflows"].as_array().map_or(&[][..], Vec::as_slice).iter();
        let listed = said.listed.iter().zip(rows).filter_map(|(unit, row)| {
            let id = unit.id?.parse().ok().filter(|id| *id > 0)?;
            Some(ListedWorkflow {
                id,
                name: name_of(row, id),
                document: unit.document.path.to_owned(),
                graph: unit.graph.path.to_owned(),
                is_default: unit.id == default,
            })
        });
        let by_id: BTreeMap<u64, ListedWorkflow> = listed.map(|workflow| (workflow.id, workflow)).collect();
        Self { agents: said.agents.path.to_owned(), workflows: by_id.into_values().collect() }
    }

    pub fn workflow(&self, id: u64) -> Option<&ListedWorkflow> {
        self.workflows.iter().find(|workflow| workflow.id == id)
    }

    /// The part that a file belongs to; `None`: the manifest, or nothing's.
    pub fn part(&self, path: &str) -> Option<PackagePart> {
        if path.starts_with(ASSETS) {
            return Some(PackagePart::Assets);
        }
        if path == self.agents {
            return Some(PackagePart::Agents);
        }
        let owns = |workflow: &&ListedWorkflow| {
            let folder = workflow.folder();
            path == workflow.document
                || path == workflow.graph
                || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with("steps/"))
        };
        self.workflows.iter().find(owns).map(|workflow| PackagePart::Workflow(workflow.id))
    }

    /// The files of a part.
    pub fn files_of<'f>(&self, files: &'f Files, part: PackagePart) -> BTreeMap<&'f str, &'f str> {
        let of = |path: &&String| self.part(path) == Some(part);
        files.iter().filter(|(path, _)| of(path)).map(|(path, text)| (path.as_str(), text.as_str())).collect()
    }
}

fn name_of(row: &Value, id: u64) -> String {
    let name = text(row, "displayName").trim();
    if name.is_empty() { ListedWorkflow::unnamed(id) } else { name.to_owned() }
}
