//! A project as its user sees it.

use holdpoint_check::{Severity, args};
use holdpoint_kinds::crew_package::facts::{Facts, UNTITLED};
use holdpoint_kinds::crew_package::routes::codes::PROJECT_NOT_FOUND;
use holdpoint_kinds::crew_package::wire::projects::{AssetsSummary, CheckSummary, Project, WorkflowItem};
use holdpoint_kinds::crew_package::{Options, check};
use holdpoint_store::workspace::Head;
use holdpoint_store::{Files, Workspace};

use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// A project that is there.
pub struct Standing {
    pub head: Head,
    pub files: Files,
    pub facts: Facts,
}

impl Standing {
    /// Reads it; what was deleted, or never was, is not found.
    pub fn of(workspace: &Workspace<ObjectSql>, id: &str) -> Result<Self, EdgeError> {
        let missing = || EdgeError::of(404, &PROJECT_NOT_FOUND, args! {});
        let head = workspace.head(id)?.ok_or_else(missing)?;
        let base = workspace.base(id)?;
        let files = base.files.ok_or_else(missing)?;
        let facts = serde_json::from_value(base.facts.0).unwrap_or_else(|_| Facts::new(UNTITLED));
        Ok(Self { head, files, facts })
    }

    /// Number of its newest revision.
    pub fn revision(&self) -> u64 {
        number(&self.head.revision.id)
    }

    /// As a whole.
    pub fn project(&self) -> Result<Project, EdgeError> {
        let report = check(&self.files, &Options::default())?;
        let count = |severity: Severity| report.diagnostics.iter().filter(|found| found.severity == severity).count();
        let summary = report.more.summary.as_ref();
        let nodes = |id: u64| {
            summary.and_then(|summary| {
                summary.workflows.iter().find(|workflow| workflow.id.as_deref() == Some(id.to_string().as_str()))
            })
        };
        let item = |workflow: &holdpoint_kinds::crew_package::facts::WorkflowFacts| WorkflowItem {
            workflow_id: workflow.id,
            name: workflow.name.clone(),
            is_default: workflow.is_default,
            revision: workflow.revision,
            nodes: nodes(workflow.id).and_then(|found| found.nodes),
            edges: nodes(workflow.id).and_then(|found| found.edges),
        };
        Ok(Project {
            project_id: self.head.id.clone(),
            name: self.facts.name.clone(),
            revision: self.revision(),
            created_at: self.head.created,
            updated_at: self.head.updated,
            workflows: self.facts.workflows.iter().map(item).collect(),
            agents: summary.and_then(|summary| summary.agents).unwrap_or_default(),
            agents_revision: self.facts.agents_revision,
            assets: summary.map_or(AssetsSummary { count: 0, bytes: 0 }, |summary| AssetsSummary {
                count: summary.assets.count,
                bytes: summary.assets.bytes,
            }),
            assets_revision: self.facts.assets_revision,
            can_undo: false,
            can_redo: false,
            check: CheckSummary { ok: report.ok, errors: count(Severity::Error), warnings: count(Severity::Warning) },
        })
    }
}

/// The number of a revision.
pub fn number(id: &str) -> u64 {
    id.strip_prefix("rev_").and_then(|digits| digits.parse().ok()).unwrap_or_default()
}
