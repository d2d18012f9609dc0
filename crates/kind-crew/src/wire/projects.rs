//! Bodies and answers of projects, workflows, agents, assets and revisions (spec: crew-package.md §7 "HTTP").

use std::collections::BTreeMap;

use holdpoint_check::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// What a project, a copy or a workflow is to be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewName"))]
pub struct NameBody {
    pub name: String,
}

/// What of a workflow is to be another. What is not named stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewWorkflowChange"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewWorkflowChange", optional_fields))]
#[serde(rename_all = "camelCase", default)]
pub struct WorkflowBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Of several or none the one with the smallest number is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_default: Option<bool>,
    /// The whole text of `workflow.md`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub graph: Option<Object>,
    /// Step files by their path, from the package's root or from the workflow's folder (`steps/…`): the whole text, or null to remove the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, string | null>", optional))]
    pub steps: Option<BTreeMap<String, Option<String>>>,
}

/// All agents, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAgentsChange"))]
pub struct AgentsBody {
    pub agents: Vec<Object>,
}

/// An asset with its whole text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAssetChange"))]
pub struct AssetBody {
    pub path: String,
    pub content: String,
}

/// The parts of a form with an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewImport"))]
pub struct ImportBody {
    /// A `.bmad` or `.zip` file.
    pub file: String,
    /// What the project is to be called, if not as the package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_name: Option<String>,
}

/// The asset that is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAssetNamed"))]
pub struct AssetPathBody {
    pub path: String,
}

/// A project as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewProjectItem"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewProjectItem"))]
#[serde(rename_all = "camelCase")]
pub struct ProjectItem {
    /// Begins with `prj_` and rises with time.
    pub project_id: String,
    pub name: String,
    /// Number of its newest revision.
    pub revision: u64,
    /// When that was made, ms since 1970.
    pub updated_at: i64,
}

/// A project as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewProject"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewProject"))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    pub project_id: String,
    pub name: String,
    /// Number of its newest revision.
    pub revision: u64,
    /// In milliseconds since 1970, UTC.
    pub created_at: i64,
    /// In milliseconds since 1970, UTC.
    pub updated_at: i64,
    pub workflows: Vec<WorkflowItem>,
    pub agents: usize,
    pub agents_revision: u64,
    pub assets: AssetsSummary,
    pub assets_revision: u64,
    /// Whether undo would do something now.
    pub can_undo: bool,
    /// Whether redo would do something now.
    pub can_redo: bool,
    /// What the check says of the package.
    pub check: CheckSummary,
}

/// How many assets there are, and how large they are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAssetsSummary"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewAssetsSummary"))]
#[serde(rename_all = "camelCase")]
pub struct AssetsSummary {
    pub count: usize,
    pub bytes: usize,
}

/// How many findings a check has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewCheckSummary"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewCheckSummary"))]
#[serde(rename_all = "camelCase")]
pub struct CheckSummary {
    pub ok: bool,
    pub errors: usize,
    pub warnings: usize,
}

/// A workflow as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewWorkflowItem"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewWorkflowItem"))]
#[serde(rename_all = "camelCase")]
pub struct WorkflowItem {
    pub workflow_id: u64,
    pub name: String,
    pub is_default: bool,
    pub revision: u64,
    /// Null where the graph cannot be read.
    pub nodes: Option<usize>,
    /// Null where the graph cannot be read.
    pub edges: Option<usize>,
}

/// A workflow with its texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewWorkflow"))]
#[serde(rename_all = "camelCase")]
pub struct Workflow {
    #[serde(flatten)]
    pub item: WorkflowItem,
    /// The text of `workflow.md`; null where there is none.
    pub document: Option<String>,
    /// The graph; null where it cannot be read.
    pub graph: Option<Object>,
    pub steps: Vec<StepFile>,
    /// Findings of the files of this workflow.
    pub diagnostics: Vec<Diagnostic>,
    /// What was chosen for the writer.
    pub warnings: Vec<Diagnostic>,
    /// Number of the project's newest revision.
    pub project_revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewStepFile"))]
#[serde(rename_all = "camelCase")]
pub struct StepFile {
    /// The node that it belongs to, or waits for.
    pub node_id: String,
    pub path: String,
    pub markdown: String,
}

/// The workflows of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewWorkflows"))]
#[serde(rename_all = "camelCase")]
pub struct Workflows {
    pub workflows: Vec<WorkflowItem>,
    /// Number of the project's newest revision.
    pub project_revision: u64,
}

/// The agents of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAgents"))]
#[serde(rename_all = "camelCase")]
pub struct Agents {
    pub agents: Vec<Object>,
    pub revision: u64,
    /// Findings of the file of agents, and of what names them.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of the project's newest revision.
    pub project_revision: u64,
}

/// The assets of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAssets"))]
#[serde(rename_all = "camelCase")]
pub struct Assets {
    pub assets: Vec<Asset>,
    pub revision: u64,
    /// Number of the project's newest revision.
    pub project_revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAsset"))]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub path: String,
    /// Of a binary asset, of what it stands for.
    pub bytes: usize,
    /// `sha256:` and the hash of its text.
    pub hash: String,
    pub cited_by: Vec<String>,
    /// Null for a binary asset, and in the list unless `content=1` is asked for.
    pub content: Option<String>,
}

/// What a change of one asset left.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewAssetChanged"))]
#[serde(rename_all = "camelCase")]
pub struct AssetChanged {
    /// Null: it is not there any more.
    pub asset: Option<Asset>,
    pub revision: u64,
    pub warnings: Vec<Diagnostic>,
    /// Number of the project's newest revision.
    pub project_revision: u64,
}

/// The counters of the parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewCounters"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewCounters"))]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    pub workflows: BTreeMap<String, u64>,
    pub agents_revision: u64,
    pub assets_revision: u64,
}

/// All files of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewBundle"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewBundle"))]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    pub project_id: String,
    pub name: String,
    /// Number of the revision that they are.
    pub revision: u64,
    pub files: BTreeMap<String, String>,
    pub revisions: Counters,
    /// What the check says of them.
    pub diagnostics: Vec<Diagnostic>,
}

/// A change of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewRevision"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewRevision"))]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The number rises within the project.
    pub revision: u64,
    /// `create`, `save`, `import`, `apply`, `undo`, `redo`, `restore` or `remove`.
    pub cause: String,
    pub actor: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    /// The revision that a way back speaks of.
    pub about: Option<u64>,
    pub changed: Vec<String>,
    /// What the project was called then.
    pub name: String,
}

/// A step in the list of revisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewStepped"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewStepped"))]
#[serde(rename_all = "camelCase")]
pub struct Stepped {
    pub project: Project,
    pub changed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewDeleted"))]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    pub deleted: bool,
    pub warnings: Vec<Diagnostic>,
}

/// Where a text stands in a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewHit"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewHit"))]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    pub file: String,
    /// The first one is number 1.
    pub line: usize,
    /// Counted from 1 in Unicode characters.
    pub column: usize,
    /// The line, cut around the hit.
    pub text: String,
    /// As change sets name objects: `step:collect`.
    pub object: String,
    /// The workflow of a step or a workflow.
    pub workflow_id: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewHits"))]
#[serde(rename_all = "camelCase")]
pub struct Hits {
    pub items: Vec<Hit>,
    pub truncated: bool,
}

/// What an import made; its members are named as they always were.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewImported"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "CrewImported"))]
pub struct Imported {
    pub project_id: String,
    pub project_name: String,
    pub workflows_count: usize,
    pub agents_count: usize,
    pub warnings: Vec<Diagnostic>,
}

/// Whether a name is free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CrewNameChecked"))]
pub struct NameChecked {
    pub available: bool,
    pub suggested_name: String,
}
