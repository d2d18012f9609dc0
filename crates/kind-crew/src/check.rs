//! The check: what is asked of a package, in which order (spec: crew-package.md §6).
//!
//! Owns which file is read as what; the rules own what is said of it. Invariants: a file is read once, whoever names it;
//! what is over a limit of reading is an error answer, never a finding.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use holdpoint_bundle::Files;
use holdpoint_check::json::Document;
use holdpoint_check::{ApiError, Diagnostic, Report};
use serde::Deserialize;
use serde_json::Value;

use super::documents::graph::{self, Graph};
use super::documents::manifest::{Listing, Named};
use super::documents::markdown::{FileRole, Markdown};
use super::documents::step::{State, StepHead};
use super::documents::{items, json};
use super::limits::{MAX_BUNDLE_BYTES, MAX_FILES};
use super::policy::{AGENTS, ASSETS, Endings, MANIFEST, folder, is_safe};
use super::report::{Assets, Layout, More, Summary, Workflow, arranged};
use super::rules::graph::{Beside, files::is_step};
use super::rules::{self, Scope, assets::AssetLimits};
use super::schemas::Shape;

/// How a package is checked: `options` of `bundle.check`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Endings of text assets beside ours.
    pub asset_extensions: Vec<String>,
    /// Limits of assets; a higher one than ours has no effect.
    pub limits: Lowered,
}

/// Limits that a host lowers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Lowered {
    pub asset_bytes: Option<usize>,
    pub assets_bytes: Option<usize>,
    pub asset_count: Option<usize>,
}

impl Options {
    pub fn limits(&self) -> AssetLimits {
        let Lowered { asset_bytes, assets_bytes, asset_count } = self.limits;
        AssetLimits::lowered(asset_bytes, assets_bytes, asset_count)
    }

    pub fn endings(&self) -> Endings<'_> {
        Endings { more: &self.asset_extensions }
    }
}

#[cfg(test)]
thread_local! {
    /// Whole packages that this thread checked.
    pub static CHECKS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Checks a package: paths, manifest, agents, assets, then each workflow, then what is left over. The error: something
/// is too large to be read.
pub fn check(files: &Files, options: &Options) -> Result<Report<More>, ApiError> {
    #[cfg(test)]
    CHECKS.set(CHECKS.get() + 1);
    Ok(examine(files, options)?.report)
}

/// A package that was checked, and what lies beside it.
#[derive(Debug)]
pub struct Examined {
    /// The answer of the check.
    pub report: Report<More>,
    /// Files that are no part of the package.
    pub unexpected: Vec<String>,
}

/// As [`check`]; names every file that is no part of the package, however much there is to say.
pub fn examine(files: &Files, options: &Options) -> Result<Examined, ApiError> {
    bounded(files)?;
    let mut pass = Pass::of(files, options);
    let summary = pass.package()?;
    let ok = !pass.findings.iter().any(Diagnostic::is_error);
    let beside = pass.findings.iter().filter(|finding| finding.code == rules::files::PKG_UNEXPECTED_FILE.name);
    let unexpected = beside.filter_map(|finding| finding.path.clone()).collect();
    Ok(Examined { report: Report { ok, diagnostics: arranged(pass.findings), more: More { summary } }, unexpected })
}

/// Refuses a package that is too large to be read.
pub fn bounded(files: &Files) -> Result<(), ApiError> {
    let bytes: usize = files.values().map(String::len).sum();
    if files.len() > MAX_FILES {
        return Err(ApiError::over("MAX_FILES", MAX_FILES, files.len()));
    }
    if bytes > MAX_BUNDLE_BYTES {
        return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, bytes));
    }
    Ok(())
}

/// Refuses a change that makes a package too large to be read again; what gets smaller may be too large still.
pub fn still_bounded(before: &Files, after: &Files) -> Result<(), ApiError> {
    let bytes = |files: &Files| files.values().map(String::len).sum::<usize>();
    let grows = after.len() > before.len() || bytes(after) > bytes(before);
    if grows { bounded(after) } else { Ok(()) }
}

struct Pass<'f> {
    files: BTreeMap<&'f str, &'f str>,
    options: &'f Options,
    /// Files that are a part of the package.
    taken: BTreeSet<&'f str>,
    findings: Vec<Diagnostic>,
}

/// The two files of a workflow, where they can be looked up and are there.
struct Unit<'f> {
    graph: Option<&'f str>,
    document: Option<&'f str>,
    /// The folder of its step files, with its slash.
    steps: String,
}

/// Nodes, edges and entry of a usable graph.
type Counted = Option<(usize, usize, String)>;
/// A step file, and the node that names it first.
type Claimed<'f, 'g> = (Markdown<'f>, Option<(&'g Graph<'g>, usize)>);

impl<'f> Pass<'f> {
    fn of(files: &'f Files, options: &'f Options) -> Self {
        let (safe, others): (Vec<_>, Vec<_>) = files.iter().partition(|(path, _)| is_safe(path));
        Self {
            files: safe.into_iter().map(|(path, text)| (path.as_str(), text.as_str())).collect(),
            options,
            taken: BTreeSet::new(),
            findings: others.into_iter().map(|(path, _)| rules::files::unsafe_path().in_file(path.as_str())).collect(),
        }
    }

    fn find(&mut self, path: &str, found: impl IntoIterator<Item = Diagnostic>) {
        self.findings.extend(found.into_iter().map(|finding| finding.in_file(path)));
    }

    fn find_in(&mut self, path: &str, document: &Document<'_>, found: impl IntoIterator<Item = Diagnostic>) {
        self.find(path, placed(document, found));
    }

    /// A JSON document, where it is usable.
    fn json(&mut self, path: &'f str, shape: Shape) -> Result<Option<Document<'f>>, ApiError> {
        if !self.taken.insert(path) {
            return Ok(None);
        }
        let document = match json::read(self.files[path])? {
            Ok(document) => document,
            Err(finding) => {
                self.find(path, [finding]);
                return Ok(None);
            }
        };
        if shape == Shape::Graph {
            graph::bounded(&document.value)?;
        }
        let found = shape.judge_document(&document);
        let usable = found.is_empty();
        self.find(path, found);
        Ok(usable.then_some(document))
    }

    fn package(&mut self) -> Result<Option<Summary>, ApiError> {
        let manifest = if let Some((path, _)) = self.files.get_key_value(MANIFEST) {
            self.json(path, Shape::Manifest)?
        } else {
            self.find(MANIFEST, [rules::files::missing(MANIFEST)]);
            None
        };
        let Some(document) = manifest else {
            match self.files.get_key_value(AGENTS) {
                Some((path, _)) => drop(self.agents(path)?),
                None => self.find(AGENTS, [rules::files::missing(AGENTS)]),
            }
            self.assets();
            return Ok(None);
        };
        let manifest = Listing::of(&document.value);
        self.find_in(MANIFEST, &document, rules::manifest::check(&manifest));
        let agents = match self.named(&manifest.agents, &document) {
            Some(path) => self.agents(path)?,
            None => None,
        };
        let assets = self.assets();
        let units = manifest.units().iter().map(|unit| {
            let (graph, text) = (self.named(&unit.graph, &document), self.named(&unit.document, &document));
            let beside = if is_safe(unit.graph.path) { unit.graph.path } else { unit.document.path };
            Unit { graph, document: text, steps: format!("{}steps/", folder(beside)) }
        });
        let units: Vec<Unit<'f>> = units.collect();
        let graphs = self.units(&units, agents.as_ref())?;
        self.leftovers();
        let workflow = |(unit, graph): (&super::documents::manifest::ListedWorkflow<'_>, Counted)| {
            let (nodes, edges, entry) = graph.map_or((None, None, None), |it| (Some(it.0), Some(it.1), Some(it.2)));
            Workflow { id: unit.id.map(str::to_owned), nodes, edges, entry }
        };
        Ok(Some(Summary {
            mode: if manifest.is_multi() { Layout::Multi } else { Layout::Single },
            name: manifest.name.to_owned(),
            version: manifest.version.to_owned(),
            default_workflow: manifest.default_workflow().and_then(|unit| unit.id).map(str::to_owned),
            workflows: manifest.units().iter().zip(graphs).map(workflow).collect(),
            agents: agents.map(|document| items(&document.value, "agents").len()),
            assets,
        }))
    }

    /// A file that the manifest names; where it is missing, that is found there.
    fn named(&mut self, named: &Named<'_>, manifest: &Document<'_>) -> Option<&'f str> {
        if !is_safe(named.path) {
            return None;
        }
        let found = self.files.get_key_value(named.path).map(|(path, _)| *path);
        if found.is_none() {
            let finding = rules::files::missing(named.path).at_pointer(&*named.pointer);
            self.find_in(MANIFEST, manifest, [finding]);
        }
        found
    }

    fn agents(&mut self, path: &'f str) -> Result<Option<Document<'f>>, ApiError> {
        let document = self.json(path, Shape::Agents)?;
        if let Some(document) = &document {
            self.find_in(path, document, rules::agents::check(&document.value));
        }
        Ok(document)
    }

    fn assets(&mut self) -> Assets {
        let (limits, endings) = (self.options.limits(), self.options.endings());
        let below: Vec<_> =
            self.files.iter().filter(|(path, _)| path.starts_with(ASSETS)).map(|it| (*it.0, *it.1)).collect();
        let mut assets = Assets::default();
        for (path, text) in below {
            assets.count += 1;
            assets.bytes += rules::assets::bytes(text);
            self.find(path, rules::assets::check(path, text, &endings, &limits));
        }
        self.findings.extend(rules::assets::sums(assets.count, assets.bytes, &limits));
        assets
    }

    /// What is no part of the package, outside its assets.
    fn leftovers(&mut self) {
        let left = self.files.keys().filter(|path| !self.taken.contains(*path) && !path.starts_with(ASSETS));
        let left: Vec<&str> = left.copied().collect();
        self.findings.extend(left.into_iter().map(|path| rules::files::unexpected().in_file(path)));
    }

    /// Every workflow: graphs, documents, step files. Answers nodes, edges and entry of each usable graph.
    fn units(&mut self, units: &[Unit<'f>], agents: Option<&Document<'f>>) -> Result<Vec<Counted>, ApiError> {
        let mut values: BTreeMap<&str, Document<'f>> = BTreeMap::new();
        let mut documents: BTreeMap<&str, Markdown<'f>> = BTreeMap::new();
        for unit in units {
            if let Some(path) = unit.graph
                && let Some(document) = self.json(path, Shape::Graph)?
            {
                values.insert(path, document);
            }
        }
        for path in units.iter().filter_map(|unit| unit.document) {
            if self.taken.insert(path) {
                documents.insert(path, Markdown::read(self.files[path], FileRole::Workflow)?);
            }
        }
        let graphs: BTreeMap<&str, Graph<'_>> =
            values.iter().map(|(path, document)| (*path, Graph::of(&document.value))).collect();
        let of = |unit: &Unit<'f>| unit.graph.and_then(|path| graphs.get(path));

        // Each step file belongs to the node that names it first; of a graph that is listed again nothing is left.
        let mut steps: BTreeMap<&str, Claimed<'f, '_>> = BTreeMap::new();
        let mut walked = HashSet::new();
        let first = |unit: &&Unit<'f>| unit.graph.is_some_and(|path| walked.insert(path));
        for (unit, graph) in units.iter().filter(first).filter_map(|unit| Some((unit, of(unit)?))) {
            for (place, node) in graph.nodes.iter().enumerate().filter(|(_, node)| is_step(node.file, &unit.steps)) {
                if let Some((path, text)) = self.files.get_key_value(node.file)
                    && self.taken.insert(path)
                {
                    steps.insert(path, (Markdown::read(text, FileRole::Step)?, Some((graph, place))));
                }
            }
        }
        let unread: BTreeSet<&str> =
            units.iter().filter(|unit| of(unit).is_none()).map(|unit| unit.steps.as_str()).collect();
        for path in self.unnamed(units) {
            self.taken.insert(path);
            if is_below(path, &unread) {
                steps.insert(path, (Markdown::read(self.files[path], FileRole::Step)?, None));
            } else {
                self.find(path, [rules::files::unused()]);
            }
        }

        let ids = agents.map(|document| rules::agents::ids(&document.value));
        let files = self.files.clone();
        let has_asset = |path: &str| files.contains_key(path);
        let scope = Scope { agents: ids.as_ref(), has_asset: &has_asset, endings: self.options.endings() };
        let has_step = |node: &graph::Node<'_>| files.contains_key(node.file);
        let mut judged = HashSet::new();
        for unit in units {
            let graph = of(unit);
            let document = unit.document.and_then(|path| documents.get(path));
            if let (Some(path), Some(graph)) = (unit.graph, graph)
                && judged.insert(path)
            {
                let heads: Vec<&Value> =
                    graph.nodes.iter().filter_map(|node| Some(&steps.get(node.file)?.0.usable().ok()?.value)).collect();
                let state = document.and_then(|document| document.usable().ok()).map(|it| State::of(&it.value));
                let mut variables: HashSet<&str> = heads.iter().flat_map(|head| StepHead::of(head).sets).collect();
                variables.extend(state.into_iter().flat_map(|state| state.variables));
                let beside = Beside { scope, variables: &variables, steps: &unit.steps, has_step: &has_step };
                self.find_in(path, &values[path], rules::graph::check(graph, &beside));
            }
            if let (Some(path), Some(document)) = (unit.document, document)
                && judged.insert(path)
            {
                self.find(path, rules::document::check(document, graph, &scope));
            }
        }
        for (path, (file, node)) in &steps {
            self.find(path, rules::step::check(file, *node, &scope));
        }
        let row = |unit: &Unit<'f>| of(unit).map(|it| (it.nodes.len(), it.edges.len(), it.entry.to_owned()));
        Ok(units.iter().map(row).collect())
    }

    /// Step files that no node names.
    fn unnamed(&self, units: &[Unit<'f>]) -> Vec<&'f str> {
        let folders: BTreeSet<&str> = units.iter().map(|unit| unit.steps.as_str()).collect();
        let unnamed = |path: &&str| path.ends_with(".md") && is_below(path, &folders) && !self.taken.contains(path);
        self.files.keys().copied().filter(unnamed).collect()
    }
}

/// Whether a file lies in one of the folders or below it.
fn is_below(path: &str, folders: &BTreeSet<&str>) -> bool {
    path.match_indices('/').any(|(at, _)| folders.contains(&path[..=at]))
}

/// Findings with the ranges of their pointers.
pub fn placed(document: &Document<'_>, found: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let place = |finding: Diagnostic| match (&finding.pointer, finding.range) {
        (Some(pointer), None) => {
            let range = document.range(pointer);
            finding.at(range)
        }
        _ => finding,
    };
    found.into_iter().map(place).collect()
}
