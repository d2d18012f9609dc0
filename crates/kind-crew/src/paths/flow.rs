//! `PATH_VARIABLE_UNSET`, `PATH_ASSET_MISSING`: what is needed on a path and not there.
//!
//! A variable is unset at a node when the node is reached through nodes none of which sets it: one search a variable, over
//! the graph and not over its paths.

use std::collections::{BTreeSet, HashMap, VecDeque};

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::Value;

use super::branches::Dead;
use super::load::LoadedWorkflow;
use super::{MAX_FINDINGS, PathFinding, said};
use crate::documents::graph::Graph;
use crate::documents::step::StepHead;
use crate::policy::Endings;
use crate::rules::graph::variables::named;
use crate::rules::{Scope, citations};

codes! {
    /// a condition reads a variable that is not set on some path
    PATH_VARIABLE_UNSET: Warning, "Set `{name}` before `{node}` decides: on the way {way} nothing sets it." [name, node, way];
    /// a step on a path needs an asset that is not in the package
    PATH_ASSET_MISSING: Warning, "Add `{file}`, or take it out of `{node}`: the way {way} comes there." [file, node, way];
}

/// Variables that are looked at in one workflow.
const MAX_VARIABLES: usize = 1_000;

/// Which nodes are reached, and from where each of them first.
pub struct Reach {
    from: Vec<Option<usize>>,
    entry: usize,
    reached: Vec<bool>,
}

impl Reach {
    /// The nodes of a shortest way to a node.
    pub fn way(&self, graph: &Graph<'_>, to: usize) -> Option<Vec<String>> {
        if !self.reached[to] {
            return None;
        }
        let mut way = vec![to];
        let mut at = to;
        while at != self.entry {
            at = self.from[at]?;
            way.push(at);
        }
        Some(way.into_iter().rev().map(|at| graph.nodes[at].id.to_owned()).collect())
    }
}

/// What the entry reaches by branches that can be taken; nothing is reached through a node that stops the search.
pub fn reach(graph: &Graph<'_>, dead: &[Option<Dead>], entry: usize, stops: impl Fn(usize) -> bool) -> Reach {
    let mut reach = Reach { from: vec![None; graph.nodes.len()], entry, reached: vec![false; graph.nodes.len()] };
    if stops(entry) {
        return reach;
    }
    reach.reached[entry] = true;
    let mut waiting = VecDeque::from([entry]);
    while let Some(node) = waiting.pop_front() {
        for (_, to) in graph.leaving_places(node).filter(|(at, _)| dead[*at].is_none()) {
            if !reach.reached[to] && !stops(to) {
                reach.reached[to] = true;
                reach.from[to] = Some(node);
                waiting.push_back(to);
            }
        }
    }
    reach
}

/// Variables that a condition reads before they are set, on some path. The search stops at nodes that set the variable:
/// their own branches come after.
pub fn unset(unit: &LoadedWorkflow<'_>, dead: &[Option<Dead>]) -> Vec<PathFinding> {
    let graph = &unit.graph;
    let Some(entry) = graph.place(graph.entry) else { return Vec::new() };
    let mut findings = Vec::new();
    for Variable { name, reads, setters } in variables(unit) {
        let mut sets = vec![false; graph.nodes.len()];
        for at in &setters {
            sets[*at] = true;
        }
        let reach = reach(graph, dead, entry, |at| sets[at]);
        for at in reads {
            let node = graph.edges[at].from;
            let Some(way) = graph.place(node).and_then(|place| reach.way(graph, place)) else { continue };
            let finding = Diagnostic::of(&PATH_VARIABLE_UNSET, args! { name, node, way: said(&way) });
            findings.push(PathFinding {
                finding: finding.at_pointer(format!("/edges/{at}/conditionExpr")).with_hint(format!("Name: {name}.")),
                node: node.to_owned(),
                edge: Some(at),
                set_at: setters.iter().map(|at| graph.nodes[*at].id.to_owned()).collect(),
                way,
                affects: 0,
                is_of_branch: false,
            });
            if findings.len() == MAX_FINDINGS {
                return findings;
            }
        }
    }
    findings
}

/// A variable that conditions cannot do without.
struct Variable<'v> {
    name: &'v str,
    /// Places of the edges that read it, in rising order.
    reads: Vec<usize>,
    /// Places of the nodes that set it, in rising order.
    setters: Vec<usize>,
}

/// The first variables that conditions read and that are not set before the first node, in the order of the edges.
fn variables<'l>(unit: &'l LoadedWorkflow<'_>) -> Vec<Variable<'l>> {
    let mut variables: Vec<Variable<'l>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let conditions = unit.graph.sound_edges().filter_map(|(at, edge)| Some((at, edge.condition?)));
    let reads = conditions.flat_map(|(at, condition)| needed(condition).into_iter().map(move |name| (at, name)));
    for (at, name) in reads.filter(|(_, name)| !unit.given.contains(name)) {
        let known = places.get(name).copied();
        if known.is_none() && variables.len() < MAX_VARIABLES {
            places.insert(name, variables.len());
            variables.push(Variable { name, reads: vec![at], setters: Vec::new() });
        } else if let Some(place) = known {
            variables[place].reads.push(at);
        }
    }
    for (node, sets) in unit.sets.iter().enumerate() {
        for place in sets.iter().filter_map(|name| places.get(name)) {
            let setters = &mut variables[*place].setters;
            if setters.last() != Some(&node) {
                setters.push(node);
            }
        }
    }
    variables
}

/// Variables that a condition cannot do without: read without another value to take instead.
fn needed(condition: &Value) -> BTreeSet<&str> {
    let mut needed = BTreeSet::new();
    let mut waiting = vec![condition];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(members) if value.pointer("/var/1").is_some_and(|instead| !instead.is_null()) => {
                waiting.extend(members.iter().filter(|(name, _)| *name != "var").map(|(_, value)| value));
            }
            Value::Object(members) => {
                needed.extend(named(value));
                waiting.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    needed
}

/// Assets that a step needs which some path comes to.
pub fn missing(unit: &LoadedWorkflow<'_>, files: &Files, endings: &Endings<'_>) -> Result<Vec<PathFinding>, ApiError> {
    let graph = &unit.graph;
    let Some(entry) = graph.place(graph.entry) else { return Ok(Vec::new()) };
    let dead = vec![None; graph.edges.len()];
    let reach = reach(graph, &dead, entry, |_| false);
    let has_asset = |path: &str| files.contains_key(path);
    let scope = Scope { agents: None, has_asset: &has_asset, endings: *endings };
    let mut findings = Vec::new();
    for (at, step) in unit.steps.iter().enumerate().filter_map(|(at, step)| Some((at, (*step)?))) {
        let Some(way) = reach.way(graph, at) else { continue };
        let head = step.usable().ok();
        let inputs = head.map(|head| StepHead::of(&head.value).inputs).unwrap_or_default();
        let node = graph.nodes[at].id;
        for found in citations::check(step, &inputs, &scope) {
            let file = found.args.get("file").and_then(Value::as_str).unwrap_or_default();
            let finding = Diagnostic::of(&PATH_ASSET_MISSING, args! { file, node, way: said(&way) });
            let range = found.range.or_else(|| Some(head?.range(found.pointer.as_deref()?)));
            let finding = Diagnostic { pointer: found.pointer, range, hint: found.hint, ..finding };
            findings.push(PathFinding {
                finding: finding.in_file(graph.nodes[at].file),
                node: node.to_owned(),
                edge: None,
                set_at: Vec::new(),
                way: way.clone(),
                affects: 0,
                is_of_branch: false,
            });
            if findings.len() == MAX_FINDINGS {
                return Ok(findings);
            }
        }
    }
    Ok(findings)
}
