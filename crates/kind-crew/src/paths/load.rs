//! The workflows of a package as the report needs them: graph, document and steps, where they can be read.
//!
//! A package with errors has a report too, of what is usable in it; what is wrong is said by the check.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::json::Document;
use serde_json::Value;

use crate::check::bounded;
use crate::documents::graph::{self, Graph};
use crate::documents::manifest::{Listing, Shared};
use crate::documents::markdown::{FileRole, Markdown};
use crate::documents::step::{State, StepHead};
use crate::documents::{items, json, text};
use crate::policy::MANIFEST;
use crate::schemas::Shape;

/// The documents of a package that were read.
pub struct Loaded<'f> {
    manifest: Option<Document<'f>>,
    graphs: BTreeMap<&'f str, Document<'f>>,
    /// Workflow documents and step files that keep their schema.
    texts: BTreeMap<&'f str, Markdown<'f>>,
}

/// Names that several workflows may have.
type Names<'l> = Rc<HashSet<&'l str>>;

pub struct LoadedWorkflow<'l> {
    pub id: Option<&'l str>,
    pub name: Option<&'l str>,
    /// The file of the graph.
    pub path: &'l str,
    /// The graph with its places.
    pub document: &'l Document<'l>,
    pub graph: Graph<'l>,
    /// Variables that are set before the first node.
    pub given: Names<'l>,
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
        let mut seen = HashSet::new();
        for unit in Listing::of(&manifest.value).units() {
            let Some((path, _)) = files.get_key_value(unit.graph.path) else { continue };
            if seen.insert(path)
                && let Some(graph) = usable(files, path, Shape::Graph)?
            {
                loaded.graphs.insert(path, graph);
            }
            let Some(graph) = loaded.graphs.get(path.as_str()) else { continue };
            let steps = items(&graph.value, "nodes").iter().map(|node| (text(node, "file"), FileRole::Step));
            for (path, role) in steps.chain([(unit.document.path, FileRole::Workflow)]) {
                if let Some((path, text)) = files.get_key_value(path)
                    && !loaded.texts.contains_key(path.as_str())
                {
                    loaded.texts.insert(path, Markdown::read(text, role)?);
                }
            }
        }
        Ok(loaded)
    }

    /// The workflows whose graph is usable, or those with that id, in the order of the manifest. Of many that have one
    /// graph the first ones count.
    pub fn units(&self, wanted: Option<&str>) -> Vec<LoadedWorkflow<'_>> {
        let Some(manifest) = &self.manifest else { return Vec::new() };
        let listed = items(&manifest.value, "workflows");
        let entry = manifest.value.get("entry").into_iter();
        let rows: Vec<&Value> = if listed.is_empty() { entry.collect() } else { listed.iter().collect() };
        let is_wanted = |row: &&Value| wanted.is_none_or(|id| row.get("id").and_then(Value::as_str) == Some(id));
        let mut shared = Shared::default();
        let rows = rows.into_iter().filter(is_wanted).filter(|row| shared.takes([text(row, "graph")]));
        let mut given = HashMap::new();
        rows.filter_map(|row| self.unit(row, &mut given)).collect()
    }

    /// A workflow; `given` are the variables of documents that were asked before.
    fn unit<'l>(&'l self, row: &'l Value, given: &mut HashMap<&'l str, Names<'l>>) -> Option<LoadedWorkflow<'l>> {
        let (path, document) = self.graphs.get_key_value(text(row, "graph"))?;
        let graph = Graph::of(&document.value);
        let head = |markdown: &'l Markdown<'l>| Some(&markdown.usable().ok()?.value);
        let variables = |path: &str| {
            let state = self.texts.get(path).and_then(head).map(State::of);
            Rc::new(state.into_iter().flat_map(|state| state.variables).collect())
        };
        let document_path = text(row, "workflow");
        let given = given.entry(document_path).or_insert_with(|| variables(document_path));
        let steps: Vec<Option<&'l Markdown<'l>>> = graph.nodes.iter().map(|node| self.texts.get(node.file)).collect();
        let sets = |step: Option<&'l Markdown<'l>>| step.and_then(head).map(|value| StepHead::of(value).sets);
        Some(LoadedWorkflow {
            id: row.get("id").and_then(Value::as_str),
            name: row.get("displayName").and_then(Value::as_str),
            path,
            document,
            given: given.clone(),
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
