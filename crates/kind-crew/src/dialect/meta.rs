//! What a change set would do, told beside its verdict (spec: crew-package.md §9.4 `meta`).

use std::collections::BTreeSet;

use holdpoint_bundle::text_hash;
use holdpoint_check::json::canonical;
use serde::Serialize;
use serde_json::{Map, Value};

use super::compile::{Compiled, Work};
use super::impact::arranged;
use super::operation::Object;
use super::path::Path;
use super::sync::Synced;
use super::uses::Uses;
use super::view::View;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ChangeMeta {
    /// Always no: only a person applies.
    #[serde(rename = "allowWrite")]
    pub allow_write: bool,
    pub legacy: bool,
    /// Where each operation of the normal form came from.
    pub origins: Vec<Path>,
    pub changed: Vec<ChangedRow>,
    pub graph_sync: Vec<Synced>,
    pub affected: Vec<String>,
    /// What a person must confirm.
    pub confirm: Vec<&'static str>,
    pub bumps: Bumps,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Bumps {
    pub workflow: bool,
    pub agents: bool,
    pub assets: bool,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ChangeStatus {
    A,
    M,
    D,
    #[serde(rename = "unchanged")]
    Unchanged,
}

/// A file that an operation is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedRow {
    pub object: String,
    pub file: String,
    pub status: ChangeStatus,
    pub base_hash: Option<String>,
    pub result_hash: Option<String>,
    /// The texts that the hashes are of.
    #[serde(skip)]
    pub texts: (Option<String>, Option<String>),
}

impl ChangedRow {
    fn new(target: &Object, file: String, base: Option<String>, result: Option<String>, moved: bool) -> Self {
        let blank = base.as_ref().is_none_or(|base| base.trim().is_empty());
        let status = match (&base, &result) {
            (base, result) if base == result && !moved => ChangeStatus::Unchanged,
            (_, None) => ChangeStatus::D,
            (_, Some(_)) if blank => ChangeStatus::A,
            (_, Some(_)) => ChangeStatus::M,
        };
        let hash = |text: &Option<String>| text.as_deref().map(text_hash);
        let (base_hash, result_hash) = (hash(&base), hash(&result));
        Self { object: target.object(), file, status, base_hash, result_hash, texts: (base, result) }
    }
}

/// The path of a workflow's document.
pub fn document_file(workflow: u64) -> String {
    format!("workflows/{workflow}/workflow.md")
}

/// The path of a workflow's graph.
pub fn graph_file(workflow: u64) -> String {
    format!("workflows/{workflow}/workflow.graph.json")
}

/// Rows of the operations in their order, then of the graphs that follow their steps.
pub fn changed(operations: &[Compiled], synced: &[Synced], before: &View, after: &View) -> Vec<ChangedRow> {
    let mut rows = Vec::new();
    for operation in operations {
        let target = &operation.target;
        match (target, &operation.work) {
            (Object::Workflow(id), Work::Workflow { text, graph }) => {
                let document = |view: &View| view.workflows.get(id).and_then(|workflow| workflow.document.clone());
                if text.is_some() {
                    rows.push(ChangedRow::new(target, document_file(*id), document(before), document(after), false));
                }
                if graph.is_some() {
                    rows.push(graph_row(*id, before, after));
                }
            }
            (Object::Step { workflow, node }, _) => {
                let (base, result) = (before.step(*workflow, node), after.step(*workflow, node));
                let Some(file) = result.or(base).map(|step| step.path.clone()) else { continue };
                let moved = base.zip(result).is_some_and(|(base, result)| base.path != result.path);
                let text = |step: Option<&super::view::StepObject>| step.map(|step| step.text.clone());
                rows.push(ChangedRow::new(target, file, text(base), text(result), moved));
            }
            (Object::Agent(id), _) => {
                let agent = |view: &View| {
                    view.agent(id).map(|place| canonical(&Value::Object(Map::clone(&view.agents[place]))))
                };
                if let (base, result) = (agent(before), agent(after))
                    && (base.is_some() || result.is_some())
                {
                    rows.push(ChangedRow::new(target, format!("agents/{id}.json"), base, result, false));
                }
            }
            (Object::Asset(path), _) => {
                let (base, result) = (before.assets.get(path), after.assets.get(path));
                if base.is_some() || result.is_some() {
                    rows.push(ChangedRow::new(target, path.clone(), base.cloned(), result.cloned(), false));
                }
            }
            (Object::Workflow(_), _) => {}
        }
    }
    let workflows: BTreeSet<u64> = synced.iter().map(|synced| synced.workflow_id).collect();
    rows.extend(workflows.into_iter().map(|id| graph_row(id, before, after)));
    rows
}

fn graph_row(id: u64, before: &View, after: &View) -> ChangedRow {
    let graph = |view: &View| {
        let graph = view.graph(id);
        let is_blank = graph.is_null() || graph.as_object().is_some_and(Map::is_empty);
        (!is_blank).then(|| canonical(graph))
    };
    ChangedRow::new(&Object::Workflow(id), graph_file(id), graph(before), graph(after), false)
}

/// Which counters the rows move.
pub fn bumps(rows: &[ChangedRow]) -> Bumps {
    let moves = |kinds: &[&str]| {
        let of = |row: &&ChangedRow| kinds.iter().any(|kind| row.object.starts_with(kind));
        rows.iter().filter(of).any(|row| row.status != ChangeStatus::Unchanged)
    };
    Bumps { workflow: moves(&["workflow:", "step:"]), agents: moves(&["agent:"]), assets: moves(&["asset:"]) }
}

/// Objects outside the set that need what it touches.
pub fn affected(operations: &[Compiled], uses: &Uses) -> Vec<String> {
    let own: BTreeSet<String> = operations.iter().map(|operation| operation.target.object()).collect();
    let users = operations.iter().flat_map(|operation| uses.by(&operation.target));
    arranged(users.filter(|object| !own.contains(*object)).cloned())
}
