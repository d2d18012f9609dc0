//! The path report: which ways lead through a workflow, and what is wrong on some of them.
//!
//! Counts paths, each of which uses an edge once; says which variable is read before it is set, which branch can never be
//! taken, and which asset is not there. Invariants: findings come from data flow over the graph, never from the paths that
//! are listed, so they are whole even where the count is not; the work is bounded, whatever the graph; findings are
//! warnings, with pointers as in crew-package.md §5.

mod branches;
mod flow;
mod load;
mod logic;
mod walk;

#[cfg(test)]
mod tests;

use holdpoint_bundle::Files;
use holdpoint_check::method::input;
use holdpoint_check::{ApiError, Diagnostic, args};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::check::{Options, placed};
use super::dialect::references::WORKFLOW_NOT_FOUND;
use holdpoint_kind::Codes;
use load::{Loaded, LoadedWorkflow};
use walk::{Remaining, Walk};

/// Findings of one kind in one workflow.
const MAX_FINDINGS: usize = 200;
/// Paths that are counted at most; a caller may want fewer.
pub const MAX_PATHS: usize = 10_000;
/// The codes of path reports.
pub const PATHS: Codes = &[flow::CODES, branches::CODES];

/// What `crew.paths` reads.
#[derive(Deserialize)]
struct Wanted {
    files: Files,
    #[serde(default)]
    workflow: Option<String>,
    #[serde(default)]
    max_paths: Option<usize>,
    #[serde(default)]
    options: Options,
}

/// The ways through one workflow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathReport {
    /// Of the manifest; null in a package of one workflow.
    pub id: Option<String>,
    /// Its name in the manifest.
    pub name: Option<String>,
    /// The file of its graph.
    pub graph: String,
    /// Paths that come to a node of type `end`.
    pub ends: usize,
    /// All paths: those, and those that come to a node that nothing leaves.
    pub count: usize,
    /// Whether all of them were counted.
    pub complete: bool,
    /// The nodes of a shortest path.
    pub shortest: Vec<String>,
    /// The nodes of a longest path that was counted.
    pub longest: Vec<String>,
    /// Paths, shortest first, as many as somebody looks at.
    pub paths: Vec<ListedPath>,
    /// In the order of the graph.
    pub findings: Vec<PathFinding>,
}

/// One way through a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedPath {
    /// Ids, a node once for each time that the path comes to it.
    pub nodes: Vec<String>,
    /// Places in the list of edges.
    pub edges: Vec<usize>,
    /// Whether it comes to an end.
    pub reaches_end: bool,
    /// Places in the list of findings.
    pub findings: Vec<usize>,
}

/// A finding, and what somebody must see to judge it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathFinding {
    /// A warning in the graph or in a step file.
    #[serde(flatten)]
    pub finding: Diagnostic,
    /// The node where it happens.
    pub node: String,
    /// The place of the edge that it is about.
    pub edge: Option<usize>,
    /// Nodes that set the variable.
    pub set_at: Vec<String>,
    /// Nodes of one path on which it happens, from the entry on.
    pub way: Vec<String>,
    /// How many of the counted paths it concerns: those that take the branch, or come to the node.
    pub affects: usize,
    /// Whether it concerns who takes the branch, and not who comes to the node.
    #[serde(skip)]
    pub is_of_branch: bool,
}

/// `crew.paths`.
pub fn crew_paths(value: Value) -> Result<Value, ApiError> {
    let wanted: Wanted = input(value)?;
    let most = wanted.max_paths.unwrap_or(MAX_PATHS).min(MAX_PATHS);
    Ok(json!({ "workflows": report(&wanted.files, wanted.workflow.as_deref(), most, &wanted.options)? }))
}

/// The report of all workflows whose graph can be read, or of one. Errors: `WORKFLOW_NOT_FOUND`, `INPUT_TOO_LARGE`.
pub fn report(
    files: &Files,
    workflow: Option<&str>,
    most: usize,
    options: &Options,
) -> Result<Vec<PathReport>, ApiError> {
    let loaded = Loaded::of(files)?;
    let units = loaded.units(workflow);
    if let (Some(id), true) = (workflow, units.is_empty()) {
        return Err(ApiError::of(&WORKFLOW_NOT_FOUND, args! { id }).status(404).with("pointer", "/workflow"));
    }
    let mut left = Remaining::default();
    units.iter().map(|unit| of(unit, files, most, options, &mut left)).collect()
}

fn of(
    unit: &LoadedWorkflow<'_>,
    files: &Files,
    most: usize,
    options: &Options,
    left: &mut Remaining,
) -> Result<PathReport, ApiError> {
    let graph = &unit.graph;
    let walk = Walk::through(graph, most, left);
    let dead = branches::dead(graph, &unit.document.value);
    let mut findings = flow::unset(unit, &dead);
    findings.extend(branches::findings(graph, &dead));
    findings.sort_by_key(|it| it.edge);
    for it in &mut findings {
        let placed = placed(unit.document, [it.finding.clone().in_file(unit.path)]);
        it.finding = placed.into_iter().next().unwrap_or_else(|| it.finding.clone());
    }
    findings.extend(flow::missing(unit, files, &options.endings())?);
    for it in &mut findings {
        it.affects = walk.affected(graph, it);
    }
    let listed = walk.listed(graph, &findings, left);
    let ids = |nodes: &[usize]| nodes.iter().map(|at| graph.nodes[*at].id.to_owned()).collect();
    Ok(PathReport {
        id: unit.id.map(str::to_owned),
        name: unit.name.map(str::to_owned),
        graph: unit.path.to_owned(),
        ends: walk.ends,
        count: walk.count,
        complete: walk.complete,
        shortest: ids(&walk.shortest),
        longest: ids(&walk.longest),
        paths: listed,
        findings,
    })
}

/// A way as a sentence has it: ids, of a long one the first and the last.
fn said(way: &[String]) -> String {
    /// Ids at each side of what is left out.
    const SIDE: usize = 4;
    if way.len() <= 2 * SIDE + 1 {
        return way.join(" → ");
    }
    format!("{} → … → {}", way[..SIDE].join(" → "), way[way.len() - SIDE..].join(" → "))
}
