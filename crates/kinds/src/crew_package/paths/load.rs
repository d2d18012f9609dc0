//! The workflows of a package as the report needs them: graph, document and steps, where they can be read.
//!
//! A package with errors has a report too, of what is usable in it; what is wrong is said by the check.

use std::collections::{BTreeMap, HashSet};

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::json::Document;
use serde_json::Value;

use crate::crew_package::check::bounded;
use crate::crew_package::documents::graph::{self, Graph};
use crate::crew_package::documents::manifest::Listing;
use crate::crew_package::documents::markdown::{FileRole, Markdown};
use crate::crew_package::documents::step::{State, StepHead};
use crate::crew_package::documents::{items, json, text};
use crate::crew_package::policy::MANIFEST;
use crate::crew_package::schemas::Shape;

/// The documents of a package that were read.
pub struct Loaded<'f> {
    manifest: Option<Document<'f>>,
    graphs: BTreeMap<&'f str, Document<'f>>,
    /// Workflow documents and step files that keep their schema.
    texts: BTreeMap<&'f str, Markdown<'f>>,
}

/// One workflow.
pub struct LoadedWorkflow<'l> {
    /// In the manifest.
    pub id: Option<&'l str>,
    /// `displayName`.
    pub name: Option<&'l str>,
    /// The file of the graph.
    pub path: &'l str,
    /// The graph with its places.
    pub document: &'l Document<'l>,
    /// The graph.
    pub graph: Graph<'l>,
    /// Variables that are set before the first node.
    pub given: HashSet<&'l str>,
    /// For each node, its step file where it is there.
    pub steps: Vec<Option<&'l Markdown<'l>>>,
    /// For each node, the variables that its step sets.
    pub sets: Vec<Vec<&'l str>>,
}

impl<'f> Loaded<'f> {
    /// Reads what can be read. The error: something is too large.
    pub fn of(files: &'f Files) -> Result<Self, ApiError> {
        bounded(files)?;
        let mut loaded = Self {
            manifest: usable(files, MANIFEST, Shape::Manifest)?,
            graphs: BTreeMap::new(),
            texts: BTreeMap::new(),
        };
        let Some(manifest) = &loaded.manifest else { return Ok(loaded) };
        for unit in Listing::of(&manifest.value).units() {
            let Some((path, _)) = files.get_key_value(unit.graph.path) else { continue };
            let Some(graph) = usable(files, path, Shape::Graph)? else { continue };
            let steps = items(&graph.value, "nodes").iter().map(|node| (text(node, "file"), FileRole::Step));
            for (path, role) in steps.chain([(unit.document.path, FileRole::Workflow)]) {
                if let Some((path, text)) = files.get_key_value(path)
                    && !loaded.texts.contains_key(path.as_str())
                {
                    loaded.texts.insert(path, Markdown::read(text, role)?);
                }
            }
            loaded.graphs.insert(path, graph);
        }
        Ok(loaded)
    }

    /// The workflows whose graph is usable, in the order of the manifest.
    pub fn units(&self) -> Vec<LoadedWorkflow<'_>> {
        let Some(manifest) = &self.manifest else { return Vec::new() };
        let listed = items(&manifest.value, "workflows");
        let entry = manifest.value.get("entry").into_iter();
        let rows: Vec<&Value> = if listed.is_empty() { entry.collect() } else { listed.iter().collect() };
        rows.into_iter().filter_map(|row| self.unit(row)).collect()
    }

    fn unit<'l>(&'l self, row: &'l Value) -> Option<LoadedWorkflow<'l>> {
        let (path, document) = self.graphs.get_key_value(text(row, "graph"))?;
        let graph = Graph::of(&document.value);
        let head = |markdown: &'l Markdown<'l>| Some(&markdown.usable().ok()?.value);
        let given = self.texts.get(text(row, "workflow")).and_then(head).map(|value| State::of(value).variables);
        let steps: Vec<Option<&'l Markdown<'l>>> = graph.nodes.iter().map(|node| self.texts.get(node.file)).collect();
        let sets = |step: Option<&'l Markdown<'l>>| step.and_then(head).map(|value| StepHead::of(value).sets);
        Some(LoadedWorkflow {
            id: row.get("id").and_then(Value::as_str),
            name: row.get("displayName").and_then(Value::as_str),
            path,
            document,
            given: given.into_iter().flatten().collect(),
            sets: steps.iter().map(|step| sets(*step).unwrap_or_default()).collect(),
            steps,
            graph,
        })
    }
}

fn usable<'f>(files: &'f Files, path: &str, shape: Shape) -> Result<Option<Document<'f>>, ApiError> {
    let Some(Ok(document)) = files.get(path).map(|text| json::read(text)).transpose()? else { return Ok(None) };
    if shape == Shape::Graph {
        graph::bounded(&document.value)?;
    }
    Ok(shape.judge(&document.value).is_empty().then_some(document))
}
