//! What a project can be asked. `seen` is the revision that the person saw (`If-Match`): of the workflow, the agents or the
//! assets that are changed, else of the project.

use std::collections::BTreeMap;

use holdpoint_kind_crew::facts::PackageFacts;
use holdpoint_kind_crew::wire::projects::WorkflowBody;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub enum PackageCommand {
    Create { content: ProjectContent, is_import: bool },
    Show,
    Bundle { revision: Option<u64> },
    Revisions { cursor: Option<u64>, limit: u32 },
    Search { query: String },
    Workflows,
    Workflow { id: u64 },
    Agents,
    Assets { path: Option<String>, with_content: bool },
    Edit { edit: Edit, seen: Option<u64> },
    Delete { seen: Option<u64> },
    Step { step: ProjectStep, seen: Option<u64> },
}

/// The files of a project with its facts.
#[derive(Serialize, Deserialize)]
pub struct ProjectContent {
    pub files: BTreeMap<String, String>,
    pub facts: PackageFacts,
}

pub enum Edit {
    Rename { name: String },
    CreateWorkflow { name: String },
    DuplicateWorkflow { id: u64, name: String },
    PutWorkflow { id: u64, body: WorkflowBody },
    DeleteWorkflow { id: u64 },
    PutAgents { agents: Vec<Map<String, Value>> },
    CreateAsset { path: String, content: String },
    PutAsset { path: String, content: String },
    DeleteAsset { path: String },
}

/// Where a person goes in the history.
#[derive(Debug, Clone, Copy)]
pub enum ProjectStep {
    Undo,
    Redo,
    Restore { revision: u64 },
}
