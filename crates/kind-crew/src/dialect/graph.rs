//! A graph in its normal form, from the form of the package or of the editor (spec: crew-package.md §9.4 "Graph").
//!
//! Knows where each node and edge stood, so that findings lead to what was sent. Invariant: the normal form of a normal
//! form is itself.

use std::collections::{HashMap, HashSet};

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Map, Value};

use super::finding::{Phase, SetFinding};
use super::path::Path;
use super::payload::SentGraph;
use crate::schemas::Shape;

codes! {
    /// a node of the editor whose type is none of the five
    GRAPH_NODE_TYPE_UNKNOWN: Warning, "Write one of the five types: the node was taken as `step`.";
    /// a node with several edges, of which several or none are the default
    GRAPH_DEFAULT_MULTIPLE / DEFAULT_TAKEN: Warning, "Mark one edge of `{node}` as the default: the first marked one was taken." [node];
    GRAPH_DEFAULT_MISSING / DEFAULT_CHOSEN: Warning, "Mark one edge of `{node}` as the default: the first one was taken." [node];
}

pub const TYPES: [&str; 5] = ["step", "decision", "merge", "end", "subworkflow"];
/// Members of a node that the editor keeps in `data`.
const NODE_DATA: [&str; 5] = ["title", "description", "agentId", "inputs", "outputs"];
/// Members of an edge that the editor keeps in `data`.
const EDGE_DATA: [&str; 3] = ["conditionText", "conditionExpr", "isDefault"];

/// What the editor knows of a step file that is not there yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepDraft {
    pub goal: String,
    pub instructions: String,
    pub completion: String,
    pub sets_variables: Option<Value>,
}

impl StepDraft {
    /// Whether a step file can be written from it.
    pub fn is_whole(&self) -> bool {
        !self.goal.is_empty() && !self.instructions.is_empty()
    }
}

/// A graph in its normal form.
#[derive(Debug)]
pub struct Normal {
    pub value: Value,
    pub at: Path,
    /// For each node, where it stood in the list that was sent.
    pub nodes: Vec<usize>,
    pub edges: Vec<usize>,
    /// What the editor knows, by node.
    pub drafts: HashMap<String, StepDraft>,
    /// It keeps its schema: the rest of the check sees it.
    pub is_usable: bool,
    /// What was found on the way, and by its schema.
    pub findings: Vec<SetFinding>,
}

impl Normal {
    /// Brings a graph into its form. `old` is the graph that it replaces.
    pub fn of(sent: &SentGraph, workflow: u64, old: &Value) -> Self {
        let at = &sent.at;
        let mut making = Making {
            workflow,
            old: files(old),
            at,
            findings: Vec::new(),
            positions: Map::new(),
            drafts: HashMap::new(),
        };
        let (nodes, node_places) = making.nodes(list(&sent.value, "nodes"));
        let (edges, edge_places) = making.edges(list(&sent.value, "edges"), &nodes, &node_places);
        let mut value = Map::new();
        let own = |name: &str| sent.value.get(name).cloned();
        value.insert("schemaVersion".to_owned(), own("schemaVersion").unwrap_or_else(|| "1.1".into()));
        if let Some(entry) = own("entryNodeId").or_else(|| entry(&nodes, &edges)) {
            value.insert("entryNodeId".to_owned(), entry);
        }
        value.insert("nodes".to_owned(), nodes.into());
        // The editor sends no list of edges where there is none.
        if sent.value.contains_key("edges") || list(&sent.value, "nodes").iter().any(is_editor) {
            value.insert("edges".to_owned(), edges.into());
        }
        for (name, member) in sent.value.iter().filter(|(name, _)| *name != "viewport") {
            value.entry(name).or_insert_with(|| member.clone());
        }
        place(&mut value, making.positions);
        let value = Value::Object(value);
        let Making { drafts, findings, .. } = making;
        Self { at: at.clone(), nodes: node_places, edges: edge_places, drafts, is_usable: true, findings, value }
            .judged()
    }

    /// A graph as it was, so that every byte of it comes back.
    pub fn restored(sent: &SentGraph) -> Self {
        let value = Value::Object(sent.value.clone());
        Self {
            at: sent.at.clone(),
            nodes: (0..list(&sent.value, "nodes").len()).collect(),
            edges: (0..list(&sent.value, "edges").len()).collect(),
            drafts: HashMap::new(),
            is_usable: true,
            findings: Vec::new(),
            value,
        }
        .judged()
    }

    fn judged(self) -> Self {
        let mut normal = self;
        let faults = Shape::Graph.judge(&normal.value);
        normal.is_usable = faults.is_empty();
        let faults: Vec<SetFinding> = faults
            .into_iter()
            .map(|found| SetFinding::new(Phase::Bmad, normal.member(pointer(&found)), found))
            .collect();
        normal.findings.extend(faults);
        normal
    }

    /// Where a member of the normal form stood.
    pub fn member(&self, pointer: &str) -> Path {
        let mut path = self.at.clone();
        let mut here = Some(&self.value);
        let mut list = "";
        for (depth, token) in pointer.split('/').skip(1).enumerate() {
            let token = holdpoint_check::json::unescape(token);
            let index = token.parse::<usize>().ok().filter(|_| here.is_some_and(Value::is_array));
            path = match index {
                Some(index) => path.item(self.sent(list, depth, index)),
                None => path.key(&token),
            };
            if depth == 0 {
                list = ["nodes", "edges"].into_iter().find(|name| token == *name).unwrap_or_default();
            }
            here = here.and_then(|value| match index {
                Some(index) => value.get(index),
                None => value.get(token.as_str()),
            });
        }
        path
    }

    /// Where a rule's finding leads: a node's member, or a whole edge.
    pub fn rule(&self, pointer: &str) -> Path {
        let whole = || pointer.match_indices('/').nth(2).map_or(pointer, |(cut, _)| &pointer[..cut]);
        self.member(if pointer.starts_with("/edges/") { whole() } else { pointer })
    }

    fn sent(&self, list: &str, depth: usize, index: usize) -> usize {
        let places = match (list, depth) {
            ("nodes", 1) => &self.nodes,
            ("edges", 1) => &self.edges,
            _ => return index,
        };
        places.get(index).copied().unwrap_or(index)
    }
}

fn pointer(found: &Diagnostic) -> &str {
    found.pointer.as_deref().unwrap_or_default()
}

fn list<'v>(graph: &'v Map<String, Value>, name: &str) -> &'v [Value] {
    graph.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a node stands in the form of the editor.
fn is_editor(node: &Value) -> bool {
    node.get("data").is_some() || node.get("position").is_some()
}

/// The files of a graph's nodes by id.
fn files(graph: &Value) -> HashMap<&str, &str> {
    let nodes = graph.get("nodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let file = |node: &'_ Value| !text(node, "file").is_empty();
    nodes.iter().filter(|node| file(node)).map(|node| (text(node, "id"), text(node, "file"))).collect()
}

/// A path of a step file as it is meant: from the package root.
pub fn completed(path: &str, workflow: u64) -> String {
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    if rest.starts_with("steps/") { format!("workflows/{workflow}/{rest}") } else { rest.to_owned() }
}

struct Making<'g> {
    workflow: u64,
    old: HashMap<&'g str, &'g str>,
    at: &'g Path,
    findings: Vec<SetFinding>,
    positions: Map<String, Value>,
    drafts: HashMap<String, StepDraft>,
}

impl Making<'_> {
    fn nodes(&mut self, sent: &[Value]) -> (Vec<Value>, Vec<usize>) {
        let mut nodes: Vec<(usize, Value, Option<Value>)> = Vec::with_capacity(sent.len());
        for (index, node) in sent.iter().enumerate() {
            let Some(members) = node.as_object() else { continue };
            let (node, position) = self.node(index, members.clone(), is_editor(node));
            nodes.push((index, node.into(), position));
        }
        nodes.sort_by(|(_, left, _), (_, right, _)| text(left, "id").cmp(text(right, "id")));
        for (_, node, position) in &mut nodes {
            if let (Some(id), Some(position)) = (node.get("id").and_then(Value::as_str), position.take()) {
                self.positions.insert(id.to_owned(), position);
            }
        }
        nodes.into_iter().map(|(index, node, _)| (node, index)).unzip()
    }

    fn node(
        &mut self,
        index: usize,
        mut node: Map<String, Value>,
        is_editor: bool,
    ) -> (Map<String, Value>, Option<Value>) {
        let position = node.shift_remove("position");
        if is_editor {
            let data = node.shift_remove("data");
            let data = data.as_ref().and_then(Value::as_object);
            self.take_editor_data(index, &mut node, data);
        }
        for name in ["title", "description", "agentId"] {
            if node.get(name).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
                node.shift_remove(name);
            }
        }
        let id = node.get("id").and_then(Value::as_str);
        let file = match (node.get("file"), id) {
            (Some(Value::String(file)), _) => Some(file.clone()),
            (None, Some(id)) => {
                Some(self.old.get(id).map_or_else(|| format!("steps/{id}.md"), |file| (*file).to_owned()))
            }
            _ => None,
        };
        if let Some(file) = file {
            node.insert("file".to_owned(), completed(&file, self.workflow).into());
        }
        (node, position)
    }

    fn take_editor_data(&mut self, index: usize, node: &mut Map<String, Value>, data: Option<&Map<String, Value>>) {
        let member = |name: &str| data.and_then(|data| data.get(name));
        for name in NODE_DATA {
            if let Some(value) = member(name) {
                node.entry(name).or_insert_with(|| value.clone());
            }
        }
        if let Some(file) =
            member("stepFilePath").filter(|file| file.as_str().is_none_or(|file| !file.trim().is_empty()))
        {
            node.entry("file").or_insert_with(|| file.clone());
        }
        if node.get("type").is_some_and(|kind| kind.as_str().is_none_or(|kind| !TYPES.contains(&kind))) {
            let found = Diagnostic::of(&GRAPH_NODE_TYPE_UNKNOWN, args! {});
            let at = self.at.key("nodes").item(index).key("type");
            self.findings.push(SetFinding::new(Phase::Bmad, at, found));
            node.insert("type".to_owned(), "step".into());
        }
        let words = |name: &str| member(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        let draft = StepDraft {
            goal: words("goal"),
            instructions: words("instructions"),
            completion: words("completion"),
            sets_variables: member("setsVariables").filter(|list| list.is_array()).cloned(),
        };
        if let Some(id) = node.get("id").and_then(Value::as_str) {
            self.drafts.entry(id.to_owned()).or_insert(draft);
        }
    }

    fn edges(&mut self, sent: &[Value], nodes: &[Value], node_places: &[usize]) -> (Vec<Value>, Vec<usize>) {
        let mut edges: Vec<(usize, Map<String, Value>)> = sent
            .iter()
            .enumerate()
            .filter_map(|(index, edge)| Some((index, edge_of(edge.as_object()?.clone()))))
            .collect();
        let from = |edge: &Map<String, Value>| edge.get("from").and_then(Value::as_str).unwrap_or_default().to_owned();
        edges.sort_by_cached_key(|(_, edge)| {
            let id = edge.get("id").and_then(Value::as_str).map(str::to_owned);
            (from(edge), id.is_none(), id)
        });
        let place: HashMap<&str, usize> =
            nodes.iter().zip(node_places).rev().map(|(node, place)| (text(node, "id"), *place)).collect();
        for group in edges.chunk_by_mut(|(_, left), (_, right)| left.get("from") == right.get("from")) {
            let source = from(&group[0].1);
            self.branches(group, &source, place.get(source.as_str()).copied());
        }
        edges.into_iter().map(|(index, edge)| (Value::Object(edge), index)).unzip()
    }

    /// The edges of one source: each has a label, and one of several is the default.
    fn branches(&mut self, group: &mut [(usize, Map<String, Value>)], source: &str, node: Option<usize>) {
        let lone = group.len() == 1;
        for (place, (_, edge)) in group.iter_mut().enumerate() {
            let label = match edge.get("label") {
                Some(Value::String(label)) => label.trim().to_owned(),
                None => String::new(),
                Some(_) => continue,
            };
            let label = match (label.is_empty(), lone) {
                (false, _) => label,
                (true, true) => "next".to_owned(),
                (true, false) => format!("branch-{}", place + 1),
            };
            edge.insert("label".to_owned(), label.into());
        }
        let marks = |edge: &Map<String, Value>| edge.get("isDefault") == Some(&Value::Bool(true));
        let marked = group.iter().filter(|(_, edge)| marks(edge)).count();
        let chosen = group.iter().position(|(_, edge)| marks(edge)).unwrap_or_default();
        for (place, (_, edge)) in group.iter_mut().enumerate() {
            let kept = edge.get("isDefault").is_some_and(|mark| !mark.is_boolean());
            if !lone && place == chosen && !kept {
                edge.insert("isDefault".to_owned(), true.into());
            } else if !kept {
                edge.shift_remove("isDefault");
            }
        }
        let code = match marked {
            1 => return,
            0 => &DEFAULT_CHOSEN,
            _ => &DEFAULT_TAKEN,
        };
        if let (Some(node), false) = (node, lone) {
            let found = Diagnostic::of(code, args! { node: source });
            self.findings.push(SetFinding::new(Phase::Bmad, self.at.key("nodes").item(node), found));
        }
    }
}

fn edge_of(mut edge: Map<String, Value>) -> Map<String, Value> {
    for (old, name) in [("source", "from"), ("target", "to")] {
        if let Some(value) = edge.shift_remove(old) {
            edge.entry(name).or_insert(value);
        }
    }
    if let Some(Value::Object(mut data)) = edge.shift_remove("data") {
        for name in EDGE_DATA {
            if let Some(value) = data.shift_remove(name) {
                edge.entry(name).or_insert(value);
            }
        }
    }
    edge
}

/// The first node without an edge from another one, else the first decision, else the first node.
fn entry(nodes: &[Value], edges: &[Value]) -> Option<Value> {
    let other = |edge: &&Value| edge.get("from") != edge.get("to");
    let led: HashSet<&str> = edges.iter().filter(other).map(|edge| text(edge, "to")).collect();
    let start = nodes.iter().find(|node| !led.contains(text(node, "id")));
    let decision = || nodes.iter().find(|node| text(node, "type") == "decision");
    start.or_else(decision).or(nodes.first())?.get("id").cloned()
}

/// Keeps where the editor shows the nodes.
fn place(graph: &mut Map<String, Value>, positions: Map<String, Value>) {
    if positions.is_empty() || graph.get("metadata").is_some_and(|metadata| !metadata.is_object()) {
        return;
    }
    let metadata = graph.entry("metadata").or_insert_with(|| Map::new().into());
    let Some(metadata) = metadata.as_object_mut() else { return };
    let kept = metadata.entry("positions").or_insert_with(|| Map::new().into());
    if !kept.is_object() {
        *kept = Map::new().into();
    }
    if let Some(kept) = kept.as_object_mut() {
        kept.extend(positions);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn normal(graph: &Value, old: &Value) -> Normal {
        let sent = SentGraph { at: Path::of("g"), value: graph.as_object().cloned().unwrap() };
        Normal::of(&sent, 3, old)
    }

    fn found(normal: &Normal) -> Vec<String> {
        normal.findings.iter().map(|it| format!("{} {}", it.code, it.path)).collect()
    }

    #[test]
    fn files_are_those_of_the_old_graph_or_the_usual_ones() {
        let old = json!({"nodes": [{"id": "b", "type": "step", "file": "workflows/3/steps/02 b.md"}]});
        let graph = json!({"schemaVersion": "1.1", "entryNodeId": "a", "edges": [], "nodes": [
            {"id": "c", "type": "end", "file": "././steps/c.md", "title": " ", "agentId": "", "description": "\t"},
            {"id": "b", "type": "step"},
            {"id": "a", "type": "step", "file": "workflows/3/steps/x.md"},
            {"id": "d", "type": "step", "data": {"stepFilePath": "steps/y.md", "label": "gone"}},
        ]});
        let normal = normal(&graph, &old);
        let nodes = json!([
            {"id": "a", "type": "step", "file": "workflows/3/steps/x.md"},
            {"id": "b", "type": "step", "file": "workflows/3/steps/02 b.md"},
            {"id": "c", "type": "end", "file": "workflows/3/steps/c.md"},
            {"id": "d", "type": "step", "file": "workflows/3/steps/y.md"},
        ]);
        assert_eq!(normal.value["nodes"], nodes);
        assert_eq!(found(&normal), Vec::<String>::new());
        assert_eq!(normal.member("/nodes/0/file").as_str(), "g.nodes[2].file");
    }

    #[test]
    fn edges_stand_by_source_and_id_with_labels_and_one_default() {
        let edge = |from: &str, to: &str, more: Value| {
            let mut edge = json!({"from": from, "to": to});
            edge.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
            edge
        };
        let nodes: Vec<Value> = ["a", "b"].iter().map(|id| json!({"id": id, "type": "step"})).collect();
        let graph = json!({"nodes": nodes, "edges": [
            edge("b", "a", json!({"label": " ", "isDefault": true})),
            edge("a", "a", json!({"label": "z", "isDefault": true})),
            edge("a", "b", json!({"isDefault": true, "id": "2"})),
            {"source": "a", "target": "b", "id": "1", "label": " x ", "data": {"isDefault": false, "note": 1, "conditionExpr": {}}},
        ]});
        let normal = normal(&graph, &Value::Null);
        let edges = json!([
            {"id": "1", "label": "x", "from": "a", "to": "b", "conditionExpr": {}},
            {"from": "a", "to": "b", "isDefault": true, "id": "2", "label": "branch-2"},
            {"from": "a", "to": "a", "label": "z"},
            {"from": "b", "to": "a", "label": "next"},
        ]);
        assert_eq!(normal.value["edges"], edges);
        assert_eq!(normal.value["entryNodeId"], "a");
        assert_eq!(found(&normal), ["GRAPH_DEFAULT_MULTIPLE g.nodes[0]"]);
        assert_eq!(normal.rule("/edges/0/to").as_str(), "g.edges[3]");
        assert_eq!(normal.member("/edges/0/to").as_str(), "g.edges[3].to");
    }

    #[test]
    fn faults_of_the_schema_stand_where_they_were_sent() {
        let graph = json!({"edges": [{"from": "b", "to": "a", "label": 1, "isDefault": "yes"}], "mood": 1, "nodes": [
            {"id": "b", "type": "task", "inputs": ["x", 1]},
            {"id": "a", "type": "step", "position": {"x": 1}, "data": {"agentId": 5}, "zIndex": 2},
        ]});
        let normal = normal(&graph, &Value::Null);
        let mut faults = found(&normal);
        faults.sort();
        let want = [
            "edges[0].isDefault",
            "edges[0].label",
            "mood",
            "nodes[0].inputs[1]",
            "nodes[0].type",
            "nodes[1].agentId",
            "nodes[1].zIndex",
        ];
        assert_eq!(faults, want.map(|at| format!("PKG_SCHEMA_ERROR g.{at}")));
        assert!(!normal.is_usable);
        assert_eq!(normal.value["metadata"]["positions"], json!({"a": {"x": 1}}));
    }

    #[test]
    fn a_graph_without_edges_fails_its_schema_there() {
        assert_eq!(
            found(&normal(&json!({"nodes": [{"id": "a", "type": "end"}]}), &Value::Null)),
            ["PKG_SCHEMA_ERROR g.edges"]
        );
        let editor = normal(&json!({"nodes": [{"id": "a", "type": "end", "data": {}}]}), &Value::Null);
        assert_eq!((found(&editor), &editor.value["edges"]), (Vec::new(), &json!([])), "the editor sends none");
    }

    #[test]
    fn an_entry_is_the_start_else_a_decision_else_the_first() {
        let entry = |kinds: &[&str], edges: &[(&str, &str)]| {
            let node = |(at, kind): (usize, &&str)| json!({"id": at.to_string(), "type": kind});
            let nodes: Vec<Value> = kinds.iter().enumerate().map(node).collect();
            let edges: Vec<Value> = edges.iter().map(|(from, to)| json!({"from": from, "to": to})).collect();
            normal(&json!({"nodes": nodes, "edges": edges}), &Value::Null).value["entryNodeId"].clone()
        };
        assert_eq!(entry(&["step", "step"], &[("1", "0")]), "1");
        assert_eq!(entry(&["step", "step"], &[("0", "0"), ("0", "1")]), "0");
        assert_eq!(entry(&["step", "decision"], &[("0", "1"), ("1", "0")]), "1");
        assert_eq!(entry(&["step", "step"], &[("0", "1"), ("1", "0")]), "0");
    }
}
