//! Workflows by hand: made, changed, copied, removed.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::json::escape;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::{Value, json};

use super::manifest::{SCHEMA_VERSION, relisted};
use super::order::{GRAPH, ordered};
use super::{Edited, invalid, judged, valid_name};
use crate::dialect::generate::step_file;
use crate::dialect::graph::{Normal, StepDraft};
use crate::dialect::package::written;
use crate::dialect::path::Path;
use crate::dialect::references::WORKFLOW_NOT_FOUND;
use crate::documents::json as read_json;
use crate::facts::PackageFacts;
use crate::places::{ListedWorkflow, PackagePart, Places};
use crate::policy::is_safe;
use crate::wire::projects::WorkflowBody;

codes! {
    /// the only workflow would go
    WORKFLOW_LAST: Error, "Keep one workflow, or add another one first.";
    STEP_PATH_INVALID / STEP_PLACE: Error, "Put the step below `{folder}`, in a file that ends in .md." [folder];
}

/// What a new workflow asks of its first step.
const GOAL: &str = "Say what this step is for.";
const INSTRUCTIONS: &str = "Say how it is done, and what it leaves behind.";
/// What it says of its end.
const END_GOAL: &str = "Say when the work is done.";
const END_INSTRUCTIONS: &str = "Say what is handed over, and to whom.";

/// Adds a small workflow that holds: one step and an end.
pub fn create(files: &Files, known: &PackageFacts, name: &str) -> Result<Edited, ApiError> {
    let name = valid_name(name)?;
    let mut known = known.clone();
    let listed = ListedWorkflow::placed(known.reserve(), &name);
    let mut after = files.clone();
    let steps = format!("{}steps/", listed.folder());
    let node = |id: &str, kind: &str, title: &str| json!({"id": id, "type": kind, "file": format!("{steps}{id}.md"), "title": title});
    let graph = json!({
        "schemaVersion": SCHEMA_VERSION,
        "entryNodeId": "start",
        "nodes": [node("end", "end", "End"), node("start", "step", "Start")],
        "edges": [{"from": "start", "to": "end", "label": "next"}],
    });
    // The steps name no ways out: the graph does, and changes more often.
    let alone = Normal {
        value: json!({}),
        at: Path::of("graph"),
        nodes: Vec::new(),
        edges: Vec::new(),
        drafts: std::collections::HashMap::default(),
        is_usable: true,
        findings: Vec::new(),
    };
    for (at, goal, instructions) in [(0, END_GOAL, END_INSTRUCTIONS), (1, GOAL, INSTRUCTIONS)] {
        let node = &graph["nodes"][at];
        let draft = StepDraft { goal: goal.to_owned(), instructions: instructions.to_owned(), ..StepDraft::default() };
        let path = node["file"].as_str().unwrap_or_default().to_owned();
        after.insert(path, step_file(node, &draft, &alone));
    }
    after.insert(listed.graph.clone(), written(&graph));
    after.insert(listed.document.clone(), document(&name));
    added(files, after, &known, listed)
}

/// A workflow document that nothing has happened in yet.
fn document(name: &str) -> String {
    format!(
        "---\nschemaVersion: \"{SCHEMA_VERSION}\"\nworkflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n\n# {name}\n"
    )
}

/// Copies a workflow with its steps under another number.
pub fn duplicate(files: &Files, known: &PackageFacts, id: u64, name: &str) -> Result<Edited, ApiError> {
    let places = Places::of(files);
    let original = places.workflow(id).ok_or_else(|| missing(id))?;
    let name = valid_name(name)?;
    let mut known = known.clone();
    let copy = ListedWorkflow::placed(known.reserve(), &name);
    let moved = |path: &str| path.strip_prefix(original.folder()).map(|rest| format!("{}{rest}", copy.folder()));
    let mut after = files.clone();
    for (path, text) in places.files_of(files, PackagePart::Workflow(id)) {
        let (to, text) = if path == original.graph {
            (Some(copy.graph.clone()), copied_graph(text, &moved))
        } else if path == original.document {
            (Some(copy.document.clone()), text.to_owned())
        } else {
            (moved(path), text.to_owned())
        };
        if let Some(to) = to {
            after.insert(to, text);
        }
    }
    added(files, after, &known, copy)
}

/// A graph whose nodes have their files elsewhere; one that cannot be read stays as it is.
fn copied_graph(text: &str, moved: &impl Fn(&str) -> Option<String>) -> String {
    let Some(mut graph) = value(text) else { return text.to_owned() };
    for node in graph.get_mut("nodes").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(to) = node.get("file").and_then(Value::as_str).and_then(moved) {
            node["file"] = to.into();
        }
    }
    written(&graph)
}

fn added(before: &Files, after: Files, known: &PackageFacts, mut listed: ListedWorkflow) -> Result<Edited, ApiError> {
    let id = listed.id;
    let mut workflows = Places::of(before).workflows;
    listed.is_default = workflows.is_empty();
    workflows.push(listed);
    let (after, warnings) = relisted(after, &known.name, workflows);
    Ok(Edited { workflow: Some(id), ..Edited::of(before, after, known, warnings)? })
}

/// Removes a workflow with its folder. The last one stays.
pub fn delete(files: &Files, known: &PackageFacts, id: u64) -> Result<Edited, ApiError> {
    let places = Places::of(files);
    let gone = places.workflow(id).ok_or_else(|| missing(id))?;
    if places.workflows.len() == 1 {
        return Err(ApiError::of(&WORKFLOW_LAST, args! {}).status(409));
    }
    let mut after = files.clone();
    after.retain(|path, _| places.part(path) != Some(PackagePart::Workflow(id)));
    let left = places.workflows.iter().filter(|other| other.id != gone.id).cloned().collect();
    let (after, warnings) = relisted(after, &known.name, left);
    Edited::of(files, after, known, warnings)
}

/// Changes what is named of a workflow.
pub fn change(files: &Files, known: &PackageFacts, id: u64, sent: &WorkflowBody) -> Result<Edited, ApiError> {
    let mut places = Places::of(files);
    let listed = places.workflow(id).ok_or_else(|| missing(id))?.clone();
    let mut after = files.clone();
    let mut touched = BTreeSet::new();
    let mut write = |path: &str, text: Option<String>| {
        if after.get(path) != text.as_ref() {
            touched.insert(path.to_owned());
        }
        match text {
            Some(text) => after.insert(path.to_owned(), text),
            None => after.remove(path),
        };
    };
    if let Some(document) = &sent.document {
        write(&listed.document, Some(document.clone()));
    }
    if let Some(graph) = &sent.graph {
        let old = files.get(&listed.graph).and_then(|text| value(text));
        let graph = ordered(Value::Object(graph.clone()), old.as_ref(), &GRAPH);
        if old.as_ref() != Some(&graph) {
            write(&listed.graph, Some(written(&graph)));
        }
    }
    for (path, text) in sent.steps.iter().flatten() {
        write(&step_path(&listed, path)?, text.clone());
    }
    for workflow in &mut places.workflows {
        let is_it = workflow.id == id;
        if let (true, Some(name)) = (is_it, &sent.name) {
            workflow.name = valid_name(name)?;
        }
        match sent.is_default {
            Some(true) => workflow.is_default = is_it,
            Some(false) if is_it => workflow.is_default = false,
            _ => {}
        }
    }
    let (after, warnings) = relisted(after, &known.name, places.workflows);
    judged(&after, &touched)?;
    Edited::of(files, after, known, warnings)
}

/// The path of a step from the package's root.
fn step_path(workflow: &ListedWorkflow, sent: &str) -> Result<String, ApiError> {
    let folder = format!("{}steps/", workflow.folder());
    let path = if sent.starts_with("steps/") { format!("{}{sent}", workflow.folder()) } else { sent.to_owned() };
    if path.starts_with(&folder) && path.ends_with(".md") && is_safe(&path) {
        return Ok(path);
    }
    let found = Diagnostic::of(&STEP_PLACE, args! { folder }).at_pointer(format!("/steps/{}", escape(sent)));
    Err(invalid(&[found]))
}

fn missing(id: u64) -> ApiError {
    ApiError::of(&WORKFLOW_NOT_FOUND, args! { id }).status(404)
}

fn value(text: &str) -> Option<Value> {
    Some(read_json::read(text).ok()?.ok()?.value)
}
