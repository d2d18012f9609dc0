//! PackageFacts of a revision of a package: its name, and how often each part has changed (spec: crew-package.md §10.1,
//! ai-sessions.md §2 "existing").
//!
//! Invariants: a counter begins at 1 and never goes back; whatever changes the bytes of a part raises its counter by one,
//! also a way back; the number of a workflow is never given twice.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};

use super::dialect::input::Revisions;
use super::places::{PackagePart, Places};

/// What a package without a name is called.
pub const UNTITLED: &str = "Untitled";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageFacts {
    pub name: String,
    pub workflows: Vec<WorkflowFacts>,
    /// Of the file of agents.
    pub agents_revision: u64,
    pub assets_revision: u64,
    /// Above every number that a workflow ever had.
    pub next_workflow_id: u64,
    /// Counters of workflows that are gone: one that comes back goes on from there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gone: BTreeMap<u64, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowFacts {
    pub id: u64,
    pub name: String,
    /// Of its document, its graph and its steps.
    pub revision: u64,
    /// Whether the manifest's `entry` names it.
    pub is_default: bool,
}

impl PackageFacts {
    /// Those of a package that has nothing yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            workflows: Vec::new(),
            agents_revision: 1,
            assets_revision: 1,
            next_workflow_id: 1,
            gone: BTreeMap::new(),
        }
    }

    /// Those of a package that came as a whole: nothing of it has changed yet.
    pub fn begun(name: &str, files: &Files) -> Self {
        Self { agents_revision: 1, assets_revision: 1, ..after(&Files::new(), files, &Self::new(name)) }
    }

    pub fn workflow(&self, id: u64) -> Option<&WorkflowFacts> {
        self.workflows.iter().find(|workflow| workflow.id == id)
    }

    /// The counters that a session about a workflow compares.
    pub fn revisions(&self, workflow: Option<u64>) -> Revisions {
        Revisions {
            workflow_revision: workflow.and_then(|id| self.workflow(id)).map(|workflow| workflow.revision),
            agents_revision: Some(self.agents_revision),
            assets_revision: Some(self.assets_revision),
        }
    }

    /// The number of the next workflow is given away.
    pub fn reserve(&mut self) -> u64 {
        let id = self.next_workflow_id;
        self.next_workflow_id = id.saturating_add(1);
        id
    }
}

/// The facts of files that come behind others: every part whose bytes differ counts on. `known` are the facts before.
pub fn after(before: &Files, after: &Files, known: &PackageFacts) -> PackageFacts {
    let (was, is) = (Places::of(before), Places::of(after));
    let changed = |part: PackagePart| was.files_of(before, part) != is.files_of(after, part);
    let next = |revision: u64, part: PackagePart| if changed(part) { revision.saturating_add(1) } else { revision };
    let mut gone = known.gone.clone();
    gone.extend(known.workflows.iter().map(|workflow| (workflow.id, workflow.revision)));
    let revision = |id: u64| match (known.workflow(id), gone.get(&id)) {
        (Some(known), _) => next(known.revision, PackagePart::Workflow(id)),
        (None, Some(last)) => last.saturating_add(1),
        (None, None) => 1,
    };
    let counted = is.workflows.iter().map(|listed| WorkflowFacts {
        id: listed.id,
        name: listed.name.clone(),
        revision: revision(listed.id),
        is_default: listed.is_default,
    });
    let workflows: Vec<WorkflowFacts> = counted.collect();
    gone.retain(|id, _| workflows.iter().all(|workflow| workflow.id != *id));
    let above = workflows.iter().map(|workflow| workflow.id.saturating_add(1)).max().unwrap_or(1);
    PackageFacts {
        name: known.name.clone(),
        workflows,
        agents_revision: next(known.agents_revision, PackagePart::Agents),
        assets_revision: next(known.assets_revision, PackagePart::Assets),
        next_workflow_id: known.next_workflow_id.max(above),
        gone,
    }
}
