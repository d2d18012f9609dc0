//! A package's files as objects, and changed objects as files again (spec: crew-package.md §10.1 "Applying to files").
//!
//! Invariants: a file that no change is about keeps its bytes; what is written anew has two blanks of indent and a last
//! newline, in lines that end as those of the file did.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args, codes};
use holdpoint_text::with_endings_of;
use serde_json::{Value, json};

use super::meta::{document_file, graph_file};
use super::view::{StepObject, View, WorkflowObject, nodes};
use crate::documents::manifest::Listing;
use crate::documents::markdown::{FileRole, Markdown};
use crate::documents::{items, json as read_json};
use crate::hand::manifest::{SCHEMA_VERSION, begun};
use crate::policy::{AGENTS, ASSETS, MANIFEST, folder};
use crate::schemas::Shape;

codes! {
    INVALID_INPUT / NO_PACKAGE: Error, "Mend `{file}` first: changes are applied to a package that can be read." [file];
}

/// Where a workflow's two files lie.
#[derive(Debug, Clone)]
struct Places {
    document: String,
    graph: String,
}

/// A package that can be read, and what it is made of.
#[derive(Debug)]
pub struct Package<'f> {
    files: &'f Files,
    /// Null where there is none yet.
    manifest: Value,
    agents_file: String,
    agents: Value,
    workflows: BTreeMap<u64, Places>,
    pub view: View,
}

impl<'f> Package<'f> {
    /// Reads a package of many workflows, or one that has none yet. The error names the first file that cannot be read.
    pub fn open(files: &'f Files) -> Result<Self, ApiError> {
        if !files.contains_key(MANIFEST) {
            return Self::begun(files);
        }
        let manifest = json_of(files, MANIFEST, Shape::Manifest)?;
        let said = Listing::of(&manifest);
        let agents_file = said.agents.path.to_owned();
        let agents = agents_of(files, &agents_file)?;
        let listed = said.listed.iter().filter_map(|unit| {
            let places = Places { document: unit.document.path.to_owned(), graph: unit.graph.path.to_owned() };
            Some((unit.id?.parse().ok().filter(|id| *id > 0)?, places))
        });
        let workflows: BTreeMap<u64, Places> = listed.collect();
        let files_of = workflows.values().flat_map(|places| [&places.document, &places.graph]);
        // A file that is an asset too would be written by whoever may write that.
        let is_shared = files_of.chain([&agents_file]).any(|path| path.starts_with(ASSETS));
        if !said.is_multi() || is_shared {
            return Err(no_package(MANIFEST));
        }
        let view = view(files, &workflows, &agents)?;
        Ok(Self { files, manifest, agents_file, agents, workflows, view })
    }

    /// A package without workflows: no manifest, no agents until somebody makes the first one.
    fn begun(files: &'f Files) -> Result<Self, ApiError> {
        let agents = agents_of(files, AGENTS)?;
        let workflows = BTreeMap::new();
        let view = view(files, &workflows, &agents)?;
        Ok(Self { files, manifest: Value::Null, agents_file: AGENTS.to_owned(), agents, workflows, view })
    }

    /// The files with other objects. The manifest lists new workflows; [`hand::manifest`](crate::hand::manifest)
    /// brings it in order.
    pub fn with(&self, after: &View) -> Files {
        let mut files = self.files.clone();
        let mut manifest = None;
        for (id, workflow) in &after.workflows {
            let places = self.workflows.get(id).cloned();
            let places = places.unwrap_or_else(|| Places { document: document_file(*id), graph: graph_file(*id) });
            let before = self.view.workflows.get(id);
            if before.is_none() {
                list(manifest.get_or_insert_with(|| self.manifest.clone()), *id, &places);
            }
            if let Some(document) = &workflow.document
                && before.and_then(|before| before.document.as_ref()) != Some(document)
            {
                files.insert(places.document, document.clone());
            }
            if !workflow.graph.is_null() && before.map(|before| &before.graph) != Some(&workflow.graph) {
                rewrite(&mut files, places.graph, &workflow.graph);
            }
        }
        if let Some(manifest) = manifest {
            rewrite(&mut files, MANIFEST.to_owned(), &manifest);
        }
        self.steps(after, &mut files);
        if after.agents != self.view.agents {
            let mut agents = self.agents.clone();
            agents["agents"] = after.agents.iter().cloned().map(Value::Object).collect();
            rewrite(&mut files, self.agents_file.clone(), &agents);
        }
        files.retain(|path, _| !self.view.assets.contains_key(path) || after.assets.contains_key(path));
        files.extend(after.assets.iter().map(|(path, text)| (path.clone(), text.clone())));
        files
    }

    fn steps(&self, after: &View, files: &mut Files) {
        let kept: BTreeSet<&str> = after.steps.values().map(|step| step.path.as_str()).collect();
        for (key, step) in &self.view.steps {
            if after.steps.get(key) != Some(step) && !kept.contains(step.path.as_str()) {
                files.remove(&step.path);
            }
        }
        for (key, step) in &after.steps {
            if self.view.steps.get(key) != Some(step) {
                files.insert(step.path.clone(), step.text.clone());
            }
        }
    }
}

fn no_package(file: &str) -> ApiError {
    ApiError::of(&NO_PACKAGE, args! { file }).with("pointer", format!("/files/{}", holdpoint_check::json::escape(file)))
}

/// The agents; of a package that has none yet an empty list.
fn agents_of(files: &Files, path: &str) -> Result<Value, ApiError> {
    if files.contains_key(path) {
        return json_of(files, path, Shape::Agents);
    }
    Ok(json!({"schemaVersion": SCHEMA_VERSION, "agents": []}))
}

/// A document that keeps its schema.
fn json_of(files: &Files, path: &str, shape: Shape) -> Result<Value, ApiError> {
    let text = files.get(path).ok_or_else(|| no_package(path))?;
    let document = read_json::read(text)?.map_err(|_| no_package(path))?;
    if shape.judge(&document.value).is_empty() { Ok(document.value) } else { Err(no_package(path)) }
}

fn view(files: &Files, workflows: &BTreeMap<u64, Places>, agents: &Value) -> Result<View, ApiError> {
    let mut view = View {
        agents: items(agents, "agents").iter().filter_map(Value::as_object).cloned().collect(),
        assets: files
            .iter()
            .filter(|(path, _)| path.starts_with(ASSETS))
            .map(|(path, text)| (path.clone(), text.clone()))
            .collect(),
        ..View::default()
    };
    for (id, places) in workflows {
        let graph = files.get(&places.graph).map(|text| read_json::read(text)).transpose()?;
        let graph = graph.and_then(Result::ok).map_or(Value::Null, |document| document.value);
        let steps = format!("{}steps/", folder(&places.graph));
        let mut named = BTreeSet::new();
        for (node, value) in nodes(&graph) {
            let file = value.get("file").and_then(Value::as_str).unwrap_or_default();
            if let Some(text) = files.get(file).filter(|_| named.insert(file)) {
                let step = StepObject { path: file.to_owned(), text: text.clone() };
                view.steps.entry((*id, node.to_owned())).or_insert(step);
            }
        }
        let waits = |path: &str| path.starts_with(&steps) && path.ends_with(".md") && !named.contains(path);
        for (path, text) in files.iter().filter(|(path, _)| waits(path)) {
            let markdown = Markdown::read(text, FileRole::Step)?;
            let said = markdown.head.as_ref().ok().and_then(|head| head.value.get("nodeId")?.as_str());
            let name = path.rsplit('/').next().unwrap_or(path);
            // A file that says it is another's step is still there: no name of a node has a slash.
            let names = [said, name.strip_suffix(".md"), Some(path.as_str())];
            let is_free = |node: &&str| !view.steps.contains_key(&(*id, (*node).to_owned()));
            let node = names.into_iter().flatten().find(is_free).unwrap_or(path).to_owned();
            view.steps.insert((*id, node), StepObject { path: path.clone(), text: text.clone() });
        }
        view.workflows.insert(*id, WorkflowObject { document: files.get(&places.document).cloned(), graph });
    }
    Ok(view)
}

/// Lists a new workflow, where its number puts it.
fn list(manifest: &mut Value, id: u64, places: &Places) {
    if manifest.is_null() {
        *manifest = begun(&places.document, &places.graph);
    }
    let item = json!({"id": id.to_string(), "workflow": places.document, "graph": places.graph});
    let Some(list) = manifest.get_mut("workflows").and_then(Value::as_array_mut) else { return };
    let number = |item: &Value| item.get("id").and_then(Value::as_str).and_then(|id| id.parse::<u64>().ok());
    let place = list.iter().position(|other| number(other).is_some_and(|other| other > id)).unwrap_or(list.len());
    list.insert(place, item);
}

fn rewrite(files: &mut Files, path: String, value: &Value) {
    let text = written(value);
    let text = match files.get(&path) {
        Some(old) => with_endings_of(old, &text).into_owned(),
        None => text,
    };
    files.insert(path, text);
}

/// JSON as Holdpoint writes it.
pub fn written(value: &Value) -> String {
    format!("{value:#}\n")
}
