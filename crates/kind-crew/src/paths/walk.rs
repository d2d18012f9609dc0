//! Counting: every way from the entry that uses an edge once.
//!
//! A graph of forty nodes can have more paths than anybody can count, so the walk stops at a number of paths and at a
//! number of steps. Edges that lead to an end soonest are tried first: what is counted then are the plain ways. Invariant:
//! no recursion, and no more than [`MAX_STEPS`] edges are walked.

use std::collections::{BinaryHeap, VecDeque};

use super::{ListedPath, PathFinding};
use crate::documents::graph::Graph;

/// Edges that one walk takes, there and back.
const MAX_STEPS: usize = 500_000;
const MAX_LISTED: usize = 100;
/// Nodes of all listed paths together; the first path is listed whatever its length.
const MAX_LISTED_NODES: usize = 10_000;
/// Walks as long as that, and lists as long as that, which the workflows of a package have together; what a workflow has
/// in any case is this part of one.
const WHOLE: usize = 4;
const LEAST: usize = 500;

/// What is left for the workflows of a package: the first ones take what they need.
#[derive(Debug)]
pub struct Remaining {
    steps: usize,
    nodes: usize,
}

impl Default for Remaining {
    fn default() -> Self {
        Self { steps: WHOLE * MAX_STEPS, nodes: WHOLE * MAX_LISTED_NODES }
    }
}

pub struct Walk {
    /// Paths that come to an end.
    pub ends: usize,
    pub count: usize,
    pub complete: bool,
    /// Nodes of a shortest path, whether or not it was counted.
    pub shortest: Vec<usize>,
    /// Nodes of a longest path that was counted.
    pub longest: Vec<usize>,
    /// Of counted paths, how many use an edge.
    by_edge: Vec<usize>,
    /// Of counted paths, how many come to a node.
    by_node: Vec<usize>,
    /// Edges of the shortest of the counted paths, shortest first.
    listed: Vec<Vec<usize>>,
    entry: Option<usize>,
}

/// A node of the path that is walked, and the edges that are still to be tried.
struct Stop {
    node: usize,
    /// The edge that led here; the entry has none.
    came: Option<usize>,
    tried: usize,
    /// Paths that were counted when the path came here.
    before: usize,
}

/// What is where in a graph, by places.
struct Map {
    /// For each node its edges, those first that lead to a last node soonest; edges that never do are left out.
    ways: Vec<Vec<usize>>,
    /// Where each edge leads; of an edge with an unknown end, nowhere.
    to: Vec<usize>,
    /// Nodes at which a path is over.
    last: Vec<bool>,
}

impl Map {
    fn of(graph: &Graph<'_>) -> Self {
        let nodes = graph.nodes.len();
        let to: Vec<usize> = (0..graph.edges.len()).map(|at| graph.target(at).unwrap_or(usize::MAX)).collect();
        let mut ways = vec![Vec::new(); nodes];
        let mut back = vec![Vec::new(); nodes];
        for (from, own) in ways.iter_mut().enumerate() {
            for (at, to) in graph.leaving_places(from) {
                own.push(at);
                back[to].push(from);
            }
        }
        let last: Vec<bool> = (0..nodes).map(|at| graph.nodes[at].kind == "end" || ways[at].is_empty()).collect();
        let mut far = vec![usize::MAX; nodes];
        let mut waiting: VecDeque<usize> = (0..nodes).filter(|at| last[*at]).collect();
        for at in &waiting {
            far[*at] = 0;
        }
        while let Some(node) = waiting.pop_front() {
            for from in &back[node] {
                if far[*from] == usize::MAX {
                    far[*from] = far[node] + 1;
                    waiting.push_back(*from);
                }
            }
        }
        for edges in &mut ways {
            edges.retain(|at| far[to[*at]] < usize::MAX);
            edges.sort_by_key(|at| far[to[*at]]);
        }
        Self { ways, to, last }
    }

    /// The nodes from the entry to the nearest last node: always along the edge that leads there soonest.
    fn shortest(&self, entry: usize) -> Vec<usize> {
        let mut nodes = vec![entry];
        let mut at = entry;
        while !self.last[at] {
            let Some(edge) = self.ways[at].first() else { return Vec::new() };
            at = self.to[*edge];
            nodes.push(at);
        }
        nodes
    }
}

impl Walk {
    /// Counts at most so many paths.
    pub fn through(graph: &Graph<'_>, most: usize, left: &mut Remaining) -> Self {
        let map = Map::of(graph);
        let entry = graph.place(graph.entry);
        let mut walk = Self {
            ends: 0,
            count: 0,
            complete: true,
            shortest: entry.map(|entry| map.shortest(entry)).unwrap_or_default(),
            longest: Vec::new(),
            by_edge: vec![0; graph.edges.len()],
            by_node: vec![0; graph.nodes.len()],
            listed: Vec::new(),
            entry,
        };
        if let Some(entry) = entry {
            let steps = left.steps.clamp(MAX_STEPS / LEAST, MAX_STEPS);
            left.steps = left.steps.saturating_sub(walk.run(graph, &map, entry, (most, steps)));
        }
        walk
    }

    /// Answers how many edges it took, of so many at most.
    fn run(&mut self, graph: &Graph<'_>, map: &Map, entry: usize, (most, most_steps): (usize, usize)) -> usize {
        let mut used = vec![false; graph.edges.len()];
        let mut here = vec![0_usize; graph.nodes.len()];
        let mut kept: BinaryHeap<(usize, usize, Vec<usize>)> = BinaryHeap::new();
        let mut longest = 0;
        let mut steps = 0;
        let mut stops = vec![Stop { node: entry, came: None, tried: 0, before: 0 }];
        here[entry] = 1;
        while let Some(stop) = stops.last_mut() {
            let node = stop.node;
            if map.last[node] && stop.tried == 0 {
                if self.count == most {
                    self.complete = false;
                    break;
                }
                stop.tried = usize::MAX;
                self.count += 1;
                self.ends += usize::from(graph.nodes[node].kind == "end");
                let length = stops.len();
                if length > longest {
                    longest = length;
                    self.longest = stops.iter().map(|stop| stop.node).collect();
                }
                if kept.len() < MAX_LISTED || kept.peek().is_some_and(|(worst, ..)| length < *worst) {
                    kept.push((length, self.count, stops.iter().filter_map(|stop| stop.came).collect()));
                    if kept.len() > MAX_LISTED {
                        kept.pop();
                    }
                }
                continue;
            }
            let next = map.ways[node].iter().skip(stop.tried.min(map.ways[node].len())).position(|at| !used[*at]);
            let next = if map.last[node] { None } else { next };
            if let Some(skipped) = next {
                if steps == most_steps {
                    self.complete = false;
                    break;
                }
                steps += 1;
                let edge = map.ways[node][stop.tried + skipped];
                stop.tried += skipped + 1;
                used[edge] = true;
                let to = map.to[edge];
                here[to] += 1;
                stops.push(Stop { node: to, came: Some(edge), tried: 0, before: self.count });
                continue;
            }
            stops.pop().into_iter().for_each(|stop| self.left(&stop, &mut used, &mut here));
        }
        // Where the walk broke off, what was counted on the path that it was on counts too.
        while let Some(stop) = stops.pop() {
            self.left(&stop, &mut used, &mut here);
        }
        self.listed = kept.into_sorted_vec().into_iter().map(|(_, _, edges)| edges).collect();
        steps
    }

    /// Goes back from a node: the paths that were counted since use its edge, and came to it.
    fn left(&mut self, stop: &Stop, used: &mut [bool], here: &mut [usize]) {
        let through = self.count - stop.before;
        here[stop.node] -= 1;
        if here[stop.node] == 0 {
            self.by_node[stop.node] += through;
        }
        if let Some(edge) = stop.came {
            self.by_edge[edge] += through;
            used[edge] = false;
        }
    }

    /// How many of the counted paths a finding concerns: those that come to its node; where a branch is about, those
    /// that take it.
    pub fn affected(&self, graph: &Graph<'_>, it: &PathFinding) -> usize {
        match it.edge.filter(|_| it.is_of_branch) {
            Some(edge) => self.by_edge.get(edge).copied().unwrap_or_default(),
            None => graph.place(&it.node).map_or(0, |node| self.by_node[node]),
        }
    }

    /// The paths that somebody looks at, with the findings on each.
    pub fn listed(&self, graph: &Graph<'_>, findings: &[PathFinding], left: &mut Remaining) -> Vec<ListedPath> {
        let Some(entry) = self.entry else { return Vec::new() };
        let most = left.nodes.clamp(MAX_LISTED_NODES / LEAST, MAX_LISTED_NODES);
        // For each finding the branch that it is about, and its node.
        let of = |it: &PathFinding| (it.edge.filter(|_| it.is_of_branch), graph.place(&it.node));
        let concern: Vec<(Option<usize>, Option<usize>)> = findings.iter().map(of).collect();
        let mut total = 0;
        let mut listed = Vec::new();
        for edges in &self.listed {
            total += edges.len() + 1;
            if total > most && !listed.is_empty() {
                break;
            }
            let places: Vec<usize> =
                std::iter::once(entry).chain(edges.iter().filter_map(|at| graph.target(*at))).collect();
            let (mut takes, mut comes_to) = (vec![false; graph.edges.len()], vec![false; graph.nodes.len()]);
            for at in edges {
                takes[*at] = true;
            }
            for at in &places {
                comes_to[*at] = true;
            }
            let concerns = |(branch, node): &(Option<usize>, Option<usize>)| match branch {
                Some(edge) => takes[*edge],
                None => node.is_some_and(|node| comes_to[node]),
            };
            let found = concern.iter().enumerate().filter(|(_, it)| concerns(it)).map(|(at, _)| at).collect();
            let reaches_end = places.last().is_some_and(|at| graph.nodes[*at].kind == "end");
            let nodes = places.into_iter().map(|at| graph.nodes[at].id.to_owned()).collect();
            listed.push(ListedPath { nodes, edges: edges.clone(), reaches_end, findings: found });
            left.nodes = left.nodes.saturating_sub(edges.len() + 1);
        }
        listed
    }
}
