//! A project and its parts as their user sees them.

use holdpoint_bundle::text_hash;
use holdpoint_check::json::read as read_json;
use holdpoint_check::{Diagnostic, Report, Severity, args};
use holdpoint_kind_crew::dialect::operation::Object;
use holdpoint_kind_crew::dialect::package::Package;
use holdpoint_kind_crew::dialect::references::{ASSET_NOT_FOUND, WORKFLOW_NOT_FOUND};
use holdpoint_kind_crew::dialect::uses::Uses;
use holdpoint_kind_crew::facts::{PackageFacts, UNTITLED, WorkflowFacts};
use holdpoint_kind_crew::limits::MAX_JSON_DEPTH;
use holdpoint_kind_crew::places::{PackagePart, Places};
use holdpoint_kind_crew::policy::ASSETS;
use holdpoint_kind_crew::routes::codes::PROJECT_NOT_FOUND;
use holdpoint_kind_crew::rules::assets::{is_binary, size};
use holdpoint_kind_crew::wire::projects::{
    Agents, Asset, Assets, AssetsSummary, Bundle, CheckSummary, Counters, Project, Revision, StepFile, Workflow,
    WorkflowItem, Workflows,
};
use holdpoint_kind_crew::{More, Options, check};
use holdpoint_store::workspace::{self, Head};
use holdpoint_store::{Files, Workspace};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// A project that is there.
pub struct Standing {
    pub head: Head,
    pub files: Files,
    pub facts: PackageFacts,
}

impl Standing {
    /// Reads it; what was deleted, or never was, is not found.
    pub fn of(workspace: &Workspace<ObjectSql>, id: &str) -> Result<Self, EdgeError> {
        let missing = || EdgeError::of(404, &PROJECT_NOT_FOUND, args! {});
        let head = workspace.head(id)?.ok_or_else(missing)?;
        let base = workspace.base(id)?;
        let files = base.files.ok_or_else(missing)?;
        let facts = facts(&base.facts.0);
        Ok(Self { head, files, facts })
    }

    /// Number of its newest revision.
    pub fn revision(&self) -> u64 {
        number(&self.head.revision.id)
    }

    fn check(&self) -> Result<Report<More>, EdgeError> {
        Ok(check(&self.files, &Options::default())?)
    }

    pub fn project(&self) -> Result<Project, EdgeError> {
        let report = self.check()?;
        let count = |severity: Severity| report.diagnostics.iter().filter(|found| found.severity == severity).count();
        let assets = || self.files.iter().filter(|(path, _)| path.starts_with(ASSETS));
        Ok(Project {
            project_id: self.head.id.clone(),
            name: self.facts.name.clone(),
            revision: self.revision(),
            created_at: self.head.created,
            updated_at: self.head.updated,
            workflows: self.items(),
            agents: self.list_of_agents().len(),
            agents_revision: self.facts.agents_revision,
            assets: AssetsSummary {
                count: assets().count(),
                bytes: assets().map(|(_, text)| size(text).unwrap_or(text.len())).sum(),
            },
            assets_revision: self.facts.assets_revision,
            can_undo: self.can_undo(),
            can_redo: self.head.can_go_forth,
            check: CheckSummary { ok: report.ok, errors: count(Severity::Error), warnings: count(Severity::Warning) },
        })
    }

    /// Whether there is a revision before this one: before the first there was no project.
    pub fn can_undo(&self) -> bool {
        self.head.previous.is_some()
    }

    pub fn workflows(&self) -> Workflows {
        Workflows { workflows: self.items(), project_revision: self.revision() }
    }

    fn items(&self) -> Vec<WorkflowItem> {
        let places = Places::of(&self.files);
        self.facts.workflows.iter().map(|workflow| self.item(&places, workflow)).collect()
    }

    fn item(&self, places: &Places, workflow: &WorkflowFacts) -> WorkflowItem {
        let graph = places.workflow(workflow.id).and_then(|listed| object(&self.files, &listed.graph));
        let count = |list: &str| graph.as_ref().and_then(|graph| Some(graph.get(list)?.as_array()?.len()));
        WorkflowItem {
            workflow_id: workflow.id,
            name: workflow.name.clone(),
            is_default: workflow.is_default,
            revision: workflow.revision,
            nodes: count("nodes"),
            edges: count("edges"),
        }
    }

    /// One workflow with its texts, and what an edit said.
    pub fn workflow(&self, id: u64, warnings: Vec<Diagnostic>) -> Result<Workflow, EdgeError> {
        let places = Places::of(&self.files);
        let missing = || EdgeError::of(404, &WORKFLOW_NOT_FOUND, args! { id });
        let (facts, listed) = (self.facts.workflow(id).ok_or_else(missing)?, places.workflow(id).ok_or_else(missing)?);
        let is_its = |path: &str| places.part(path) == Some(PackagePart::Workflow(id));
        let report = self.check()?;
        let graph = object(&self.files, &listed.graph);
        let node_of = |path: &str| {
            let nodes = graph.as_ref()?.get("nodes")?.as_array()?;
            let mut nodes = nodes.iter().filter_map(|node| NodeFile::deserialize(node).ok());
            Some(nodes.find(|node| node.file == path)?.id)
        };
        let name_of = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.strip_suffix(".md").unwrap_or(name).to_owned()
        };
        let step = |(path, text): (&&str, &&str)| StepFile {
            node_id: node_of(path).unwrap_or_else(|| name_of(path)),
            path: (*path).to_owned(),
            markdown: (*text).to_owned(),
        };
        let files = places.files_of(&self.files, PackagePart::Workflow(id));
        let steps = files.iter().filter(|(path, _)| **path != listed.document && **path != listed.graph).map(step);
        Ok(Workflow {
            item: self.item(&places, facts),
            document: self.files.get(&listed.document).cloned(),
            steps: steps.collect(),
            graph,
            diagnostics: found(report, is_its),
            warnings,
            project_revision: self.revision(),
        })
    }

    /// The agents, and what is found about them anywhere.
    pub fn agents(&self) -> Result<Agents, EdgeError> {
        let path = Places::of(&self.files).agents;
        let is_about = |found: &Diagnostic| found.path.as_ref() == Some(&path) || found.code.starts_with("AGENT_");
        Ok(Agents {
            agents: self.list_of_agents(),
            revision: self.facts.agents_revision,
            diagnostics: self.check()?.diagnostics.into_iter().filter(is_about).collect(),
            project_revision: self.revision(),
        })
    }

    fn list_of_agents(&self) -> Vec<Map<String, Value>> {
        let document = object(&self.files, &Places::of(&self.files).agents).unwrap_or_default();
        let list = document.get("agents").and_then(Value::as_array).cloned().unwrap_or_default();
        list.into_iter().filter_map(|agent| if let Value::Object(agent) = agent { Some(agent) } else { None }).collect()
    }

    /// The assets: all of them, or one that must be there.
    pub fn assets(&self, path: Option<&str>, with_content: bool) -> Result<Assets, EdgeError> {
        if let Some(path) = path
            && !(path.starts_with(ASSETS) && self.files.contains_key(path))
        {
            return Err(EdgeError::of(404, &ASSET_NOT_FOUND, args! { file: path }).with("path", path));
        }
        let uses = self.uses();
        let wanted = |file: &str| file.starts_with(ASSETS) && path.is_none_or(|path| path == file);
        let assets = self.files.iter().filter(|(file, _)| wanted(file));
        Ok(Assets {
            assets: assets.map(|(file, text)| asset(file, text, &uses, with_content || path.is_some())).collect(),
            revision: self.facts.assets_revision,
            project_revision: self.revision(),
        })
    }

    /// One asset, where it is there.
    pub fn asset(&self, path: &str) -> Option<Asset> {
        self.files.get(path).map(|text| asset(path, text, &self.uses(), true))
    }

    fn uses(&self) -> Uses {
        let options = Options::default();
        let uses = Package::open(&self.files).and_then(|package| Uses::of(&package.view, &options.endings()));
        uses.unwrap_or_default()
    }

    pub fn bundle(&self) -> Result<Bundle, EdgeError> {
        let (id, revision) = (self.head.id.clone(), self.revision());
        bundle(id, revision, self.files.clone(), &self.facts)
    }
}

/// All files of some revision.
pub fn bundle(project_id: String, revision: u64, files: Files, facts: &PackageFacts) -> Result<Bundle, EdgeError> {
    let workflows = facts.workflows.iter().map(|workflow| (workflow.id.to_string(), workflow.revision));
    Ok(Bundle {
        project_id,
        name: facts.name.clone(),
        revision,
        diagnostics: check(&files, &Options::default())?.diagnostics,
        files,
        revisions: Counters {
            workflows: workflows.collect(),
            agents_revision: facts.agents_revision,
            assets_revision: facts.assets_revision,
        },
    })
}

/// A change of a project.
pub fn revision(revision: workspace::Revision) -> Revision {
    Revision {
        revision: number(&revision.id),
        cause: revision.cause.as_str().to_owned(),
        actor: revision.actor,
        at: revision.at,
        about: revision.about.as_deref().map(number),
        changed: revision.changed.into_keys().collect(),
        name: facts(&revision.facts.0).name,
    }
}

/// The facts of a revision.
pub fn facts(stored: &Value) -> PackageFacts {
    serde_json::from_value(stored.clone()).unwrap_or_else(|_| PackageFacts::new(UNTITLED))
}

/// The number of a revision.
pub fn number(id: &str) -> u64 {
    id.strip_prefix("rev_").and_then(|digits| digits.parse().ok()).unwrap_or_default()
}

fn asset(path: &str, text: &str, uses: &Uses, with_content: bool) -> Asset {
    Asset {
        path: path.to_owned(),
        bytes: size(text).unwrap_or(text.len()),
        hash: text_hash(text),
        cited_by: uses.by(&Object::Asset(path.to_owned())).cloned().collect(),
        content: (with_content && !is_binary(text)).then(|| text.to_owned()),
    }
}

/// A JSON file that holds an object.
fn object(files: &Files, path: &str) -> Option<Map<String, Value>> {
    match read_json(files.get(path)?, MAX_JSON_DEPTH).ok()?.value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn found(report: Report<More>, of: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    report.diagnostics.into_iter().filter(|found| found.path.as_deref().is_some_and(&of)).collect()
}

/// The file of a node of a graph.
#[derive(Deserialize)]
struct NodeFile {
    id: String,
    file: String,
}
