//! `PATH_BRANCH_DEAD`: a branch that can never be taken.
//!
//! A default is taken when nothing else holds, so its condition says nothing of whether it is taken.

use std::cell::OnceCell;
use std::collections::HashMap;

use holdpoint_check::json::canonical;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::flow::{Reach, reach};
use super::{MAX_FINDINGS, PathFinding, logic};
use crate::documents::graph::Graph;
use crate::documents::{items, said};

codes! {
    /// a branch whose condition never holds, is that of an earlier branch, or which nothing leads to
    PATH_BRANCH_DEAD / CONDITION_FALSE: Warning,
        "Change the condition of `{name}` at `{node}`, or remove the branch: it never holds." [name, node];
    PATH_BRANCH_DEAD / CONDITION_REPEATED: Warning,
        "Give `{name}` at `{node}` a condition of its own: `{other}` before it has the same." [name, node, other];
    PATH_BRANCH_DEAD / SOURCE_UNREACHABLE: Warning,
        "Lead a way to `{node}`, or remove its branch `{name}`: the entry does not reach it." [name, node];
}

/// Why a branch is never taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dead {
    False,
    /// An earlier branch of the same node, by its place, has the same condition.
    Repeated(usize),
    /// The entry does not reach its node.
    Unreachable,
}

/// For each edge, why it is never taken; edges with an unknown end are the check's.
pub fn dead(graph: &Graph<'_>, value: &Value) -> Vec<Option<Dead>> {
    let reached = graph.place(graph.entry).map(|entry| graph.reached(entry));
    let rows = items(value, "edges");
    let mut seen: HashMap<(usize, String), usize> = HashMap::new();
    let mut dead = vec![None; graph.edges.len()];
    for (at, edge) in graph.sound_edges() {
        let Some(from) = graph.place(edge.from) else { continue };
        let condition = match edge.condition {
            Some(condition) => Some(canonical(condition)),
            None => rows.get(at).and_then(|row| said(row, "conditionText")).map(|text| format!("\"{text}")),
        };
        let before = condition.map(|condition| *seen.entry((from, condition)).or_insert(at));
        dead[at] = if reached.as_ref().is_some_and(|reached| !reached[from]) {
            Some(Dead::Unreachable)
        } else if edge.is_default {
            None
        } else if edge.condition.is_some_and(|condition| logic::known(condition) == Some(false)) {
            Some(Dead::False)
        } else {
            before.filter(|before| *before < at).map(Dead::Repeated)
        };
    }
    dead
}

/// The findings, with pointers of the graph.
pub fn findings(graph: &Graph<'_>, dead: &[Option<Dead>]) -> Vec<PathFinding> {
    let all = OnceCell::new();
    let of = |(at, why): (usize, &Option<Dead>)| {
        let edge = &graph.edges[at];
        let (name, node) = (edge.label.trim(), edge.from);
        let finding = match (*why)? {
            Dead::False => Diagnostic::of(&CONDITION_FALSE, args! { name, node }),
            Dead::Repeated(other) => {
                let other = graph.edges[other].label.trim();
                Diagnostic::of(&CONDITION_REPEATED, args! { name, node, other })
            }
            Dead::Unreachable => Diagnostic::of(&SOURCE_UNREACHABLE, args! { name, node }),
        };
        let reach = all.get_or_init(|| reached(graph, dead)).as_ref();
        let mut way = reach.and_then(|reach| way(graph, reach, edge.from)).unwrap_or_default();
        way.extend((*why != Some(Dead::Unreachable)).then(|| edge.to.to_owned()));
        Some(PathFinding {
            finding: finding.at_pointer(format!("/edges/{at}")).with_hint(format!("Node: {node}.")),
            node: node.to_owned(),
            edge: Some(at),
            set_at: Vec::new(),
            way,
            affects: 0,
            is_of_branch: true,
        })
    };
    dead.iter().enumerate().filter_map(of).take(MAX_FINDINGS).collect()
}

/// What the entry reaches by branches that can be taken.
fn reached(graph: &Graph<'_>, dead: &[Option<Dead>]) -> Option<Reach> {
    Some(reach(graph, dead, graph.place(graph.entry)?, |_| false))
}

/// A shortest way from the entry to a node.
fn way(graph: &Graph<'_>, reach: &Reach, to: &str) -> Option<Vec<String>> {
    reach.way(graph, graph.place(to)?)
}
