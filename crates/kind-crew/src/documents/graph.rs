//! A graph that keeps its schema, and what can be asked of it (spec: crew-package.md §5).
//!
//! Raw JSON becomes a [`Graph`] here, once; rules hold the type. Invariant: an edge with an unknown end takes no part in
//! anything but the finding about it.

use std::collections::HashMap;

use holdpoint_check::ApiError;
use serde_json::Value;

use super::{items, said, text};
use crate::limits::{MAX_EDGES, MAX_NODES};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<'v> {
    pub id: &'v str,
    pub kind: &'v str,
    pub file: &'v str,
    /// It is trimmed and not blank.
    pub agent: Option<&'v str>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge<'v> {
    pub from: &'v str,
    pub to: &'v str,
    pub label: &'v str,
    pub is_default: bool,
    pub condition: Option<&'v Value>,
}

#[derive(Debug)]
pub struct Graph<'v> {
    pub entry: &'v str,
    /// In the order of the list.
    pub nodes: Vec<Node<'v>>,
    /// In the order of the list.
    pub edges: Vec<Edge<'v>>,
    /// Id → place of the first node that has it.
    places: HashMap<&'v str, usize>,
    /// For each edge, the places of the nodes that it leads from and to; nothing where one of them is unknown.
    ends: Vec<Option<(usize, usize)>>,
    /// For each node, the places of the sound edges that leave it, and of the nodes that they lead to.
    leaving: Vec<Vec<(usize, usize)>>,
}

/// Refuses a graph with too many nodes or edges, whatever else is wrong with it.
pub fn bounded(value: &Value) -> Result<(), ApiError> {
    for (member, limit, most) in [("nodes", "MAX_NODES", MAX_NODES), ("edges", "MAX_EDGES", MAX_EDGES)] {
        let count = value.get(member).and_then(Value::as_array).map_or(0, Vec::len);
        if count > most {
            return Err(ApiError::over(limit, most, count));
        }
    }
    Ok(())
}

impl<'v> Graph<'v> {
    /// Of a value that keeps the schema.
    pub fn of(value: &'v Value) -> Self {
        let node = |node: &'v Value| Node {
            id: text(node, "id"),
            kind: text(node, "type"),
            file: text(node, "file"),
            agent: said(node, "agentId"),
        };
        let edge = |edge: &'v Value| Edge {
            from: text(edge, "from"),
            to: text(edge, "to"),
            label: text(edge, "label"),
            is_default: edge.get("isDefault").and_then(Value::as_bool).unwrap_or_default(),
            condition: edge.get("conditionExpr"),
        };
        let nodes: Vec<Node<'v>> = items(value, "nodes").iter().map(node).collect();
        let edges: Vec<Edge<'v>> = items(value, "edges").iter().map(edge).collect();
        let mut places = HashMap::new();
        for (at, node) in nodes.iter().enumerate() {
            places.entry(node.id).or_insert(at);
        }
        let mut leaving = vec![Vec::new(); nodes.len()];
        let ends: Vec<Option<(usize, usize)>> =
            edges.iter().map(|edge| Some((*places.get(edge.from)?, *places.get(edge.to)?))).collect();
        for (at, (from, to)) in ends.iter().enumerate().filter_map(|(at, ends)| Some((at, (*ends)?))) {
            leaving[from].push((at, to));
        }
        Self { entry: text(value, "entryNodeId"), nodes, edges, places, ends, leaving }
    }

    /// The place of the first node with an id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Whether an id stands twice; then what follows from edges is not known.
    pub fn has_repeated_ids(&self) -> bool {
        self.places.len() < self.nodes.len()
    }

    /// Sound edges with their places in the list.
    pub fn sound_edges(&self) -> impl Iterator<Item = (usize, &Edge<'v>)> {
        let sound = self.ends.iter().enumerate().filter(|(_, ends)| ends.is_some());
        sound.map(|(at, _)| (at, &self.edges[at]))
    }

    /// The node that a sound edge leads to.
    pub fn target(&self, edge: usize) -> Option<usize> {
        self.ends.get(edge).copied().flatten().map(|(_, to)| to)
    }

    /// Sound edges that leave a node.
    pub fn leaving(&self, node: usize) -> impl ExactSizeIterator<Item = &Edge<'v>> {
        self.leaving[node].iter().map(|(at, _)| &self.edges[*at])
    }

    /// Sound edges that leave a node, with the nodes that they lead to.
    pub fn leaving_places(&self, node: usize) -> impl Iterator<Item = (usize, usize)> {
        self.leaving[node].iter().copied()
    }

    /// Nodes that the edges of a node lead to.
    pub fn after(&self, node: usize) -> impl Iterator<Item = usize> {
        self.leaving[node].iter().map(|(_, to)| *to)
    }

    /// Nodes that no edge from another node leads to.
    pub fn starts(&self) -> Vec<usize> {
        let mut led = vec![false; self.nodes.len()];
        for (_, to) in self.ends.iter().flatten().filter(|(from, to)| from != to) {
            led[*to] = true;
        }
        (0..self.nodes.len()).filter(|at| !self.place(self.nodes[*at].id).is_some_and(|first| led[first])).collect()
    }

    /// Which nodes a node reaches, itself too.
    pub fn reached(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        seen[from] = true;
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            for next in self.after(node) {
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        seen
    }

    /// The cycles: strongly connected components of two nodes or more, and nodes with an edge to themselves. Each lists
    /// its nodes in rising order. (Tarjan's algorithm with a stack of its own, so that no chain exhausts ours.)
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut tarjan = Tarjan {
            number: vec![0; self.nodes.len()],
            low: vec![0; self.nodes.len()],
            on_stack: vec![false; self.nodes.len()],
            ..Tarjan::default()
        };
        for root in 0..self.nodes.len() {
            if tarjan.number[root] == 0 {
                tarjan.visit(root, self);
            }
        }
        let mut cycles = tarjan.found;
        cycles.retain(|nodes| nodes.len() > 1 || self.after(nodes[0]).any(|next| next == nodes[0]));
        for nodes in &mut cycles {
            nodes.sort_unstable();
        }
        cycles
    }
}

#[derive(Default)]
struct Tarjan {
    /// The order in which nodes were met, from 1; 0 was not met.
    number: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    met: usize,
    found: Vec<Vec<usize>>,
}

impl Tarjan {
    fn meet(&mut self, node: usize) {
        self.met += 1;
        self.number[node] = self.met;
        self.low[node] = self.met;
        self.on_stack[node] = true;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize, graph: &Graph<'_>) {
        let next = |node: usize| graph.after(node).collect::<Vec<usize>>().into_iter();
        self.meet(root);
        let mut path = vec![(root, next(root))];
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            if let Some(to) = rest.next() {
                if self.number[to] == 0 {
                    self.meet(to);
                    path.push((to, next(to)));
                } else if self.on_stack[to] {
                    self.low[node] = self.low[node].min(self.number[to]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.low[node] == self.number[node] {
                self.close(node);
            }
        }
    }

    /// Takes a component off the stack.
    fn close(&mut self, root: usize) {
        let from = self.stack.iter().rposition(|node| *node == root).unwrap_or_default();
        let nodes = self.stack.split_off(from);
        for node in &nodes {
            self.on_stack[*node] = false;
        }
        self.found.push(nodes);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test::graph;

    #[test]
    fn a_long_chain_is_no_deep_call() {
        let chain: Vec<(usize, usize)> = (1..200_000).map(|at| (at - 1, at)).collect();
        let value = graph(200_000, &chain);
        let graph = Graph::of(&value);
        assert!(graph.cycles().is_empty());
        assert!(graph.reached(0).into_iter().all(|reached| reached));
    }

    #[test]
    fn limits_of_a_graph() {
        let edges = vec![(0, 0); 5_000];
        assert!(bounded(&graph(1_000, &edges)).is_ok());
        assert_eq!(bounded(&graph(1_001, &[])).unwrap_err().details["limit"], "MAX_NODES");
        assert_eq!(bounded(&graph(1, &[edges, vec![(0, 0)]].concat())).unwrap_err().details["limit"], "MAX_EDGES");
    }

    proptest! {
        /// A cycle is what reaches itself, by the slow definition.
        #[test]
        fn cycles_are_what_reaches_itself(edges in prop::collection::vec((0_usize..9, 0_usize..9), 0..24)) {
            let value = graph(8, &edges);
            let graph = Graph::of(&value);
            let reach: Vec<Vec<bool>> = (0..8)
                .map(|from| {
                    let mut all = vec![false; 8];
                    for next in graph.after(from) {
                        graph.reached(next).iter().enumerate().for_each(|(at, reached)| all[at] |= reached);
                    }
                    all
                })
                .collect();
            let mut wanted: Vec<Vec<usize>> = Vec::new();
            for (node, from) in reach.iter().enumerate() {
                let members: Vec<usize> = (0..8).filter(|other| from[*other] && reach[*other][node]).collect();
                if from[node] && !wanted.contains(&members) {
                    wanted.push(members);
                }
            }
            let mut found = graph.cycles();
            found.sort();
            wanted.sort();
            prop_assert_eq!(found, wanted);
        }
    }
}
