//! Workflows side by side: nodes with their steps, edges, documents.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use holdpoint_check::ApiError;
use serde::Serialize;
use serde_json::Value;

use super::Became;
use super::members::{MemberCompared, by_member, counted_lines, of_texts};
use super::side::{Side, SideWorkflow};
use crate::dialect::package::written;
use crate::dialect::view::nodes;
use crate::documents::body::{Headed, Section};
use crate::documents::items;
use crate::documents::markdown::{FileRole, Markdown};

/// A workflow before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkflowCompared {
    /// In the manifest; null in a package of one workflow.
    pub id: Option<String>,
    /// Its name in the manifest.
    pub name: Option<String>,
    /// The workflow with all that is in it.
    pub status: Became,
    /// How many nodes, edges and members differ.
    pub changes: usize,
    /// The graphs as they are, for drawing; null where there is none.
    pub before: Value,
    pub after: Value,
    /// All nodes: those of the later graph in its order, then those that are gone.
    pub nodes: Vec<NodeCompared>,
    /// All edges in the same order.
    pub edges: Vec<EdgeCompared>,
    /// Of its row in the manifest, its document and its graph, without nodes, edges and places.
    pub members: Vec<MemberCompared>,
}

/// A node with its step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeCompared {
    pub id: String,
    /// Its title, else its id.
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub status: Became,
    /// Members of node and frontmatter, sections of the body; a place only where it differs.
    pub members: Vec<MemberCompared>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EdgeCompared {
    /// Its place in the list of the earlier graph.
    pub before: Option<usize>,
    /// Its place in the list of the later graph.
    pub after: Option<usize>,
    pub status: Became,
    /// What differs; of one that came or went all that it has.
    pub members: Vec<MemberCompared>,
}

impl WorkflowCompared {
    /// Whether something differs beside its nodes.
    pub fn has_changes_of_its_own(&self) -> bool {
        !self.members.is_empty() || self.edges.iter().any(|edge| edge.status != Became::Same)
    }
}

/// All workflows: those of the later package in its order, then those that are gone.
pub fn compare(old: &Side<'_>, new: &Side<'_>) -> Result<Vec<WorkflowCompared>, ApiError> {
    let mut seen = BTreeSet::new();
    let ids = new.workflows.iter().chain(&old.workflows).map(|(id, _)| id).filter(|id| seen.insert(*id));
    let (before, after) = (old.by_id(), new.by_id());
    let one = |id: &String| workflow(id, before.get(id.as_str()).copied(), after.get(id.as_str()).copied());
    ids.map(one).collect()
}

fn workflow(
    id: &str,
    old: Option<&SideWorkflow<'_>>,
    new: Option<&SideWorkflow<'_>>,
) -> Result<WorkflowCompared, ApiError> {
    let graph = |side: Option<&SideWorkflow<'_>>| side.map_or(Value::Null, |side| side.graph.clone());
    let (before, after) = (graph(old), graph(new));
    let row = |side: Option<&SideWorkflow<'_>>| side.map_or(Value::Null, |side| side.row.clone());
    let (old_row, new_row) = (row(old), row(new));
    // The row of a package of one workflow is told with the manifest.
    let mut members = if id.is_empty() { Vec::new() } else { by_member(&old_row, &new_row, &["id"]) };
    members.extend(by_member(&without_places(&before), &without_places(&after), &["nodes", "edges"]));
    let text = |side: Option<&'_ SideWorkflow<'_>>| side.map_or("", |side| side.document).to_owned();
    members.extend(file(&text(old), &text(new), FileRole::Workflow)?);
    let nodes = both_nodes(old, new)?;
    let edges = edges(items(&before, "edges"), items(&after, "edges"));
    let differing = nodes.iter().map(|node| node.status).chain(edges.iter().map(|edge| edge.status));
    let differing = differing.filter(|status| *status != Became::Same).count();
    if differing + members.len() == 0 && before != after {
        // Only the order of nodes or edges.
        members.extend(counted_lines("graph", &written(&before), &written(&after)));
    }
    let changes = differing + members.len();
    let name = [&new_row, &old_row].into_iter().find_map(|row| row.get("displayName")?.as_str());
    Ok(WorkflowCompared {
        id: Some(id.to_owned()).filter(|id| !id.is_empty()),
        name: name.map(str::to_owned),
        status: Became::of(old.is_some(), new.is_some(), changes == 0),
        changes,
        nodes,
        edges,
        members,
        before,
        after,
    })
}

/// A graph without the places of its nodes, which are told with each of them.
fn without_places(graph: &Value) -> Value {
    let mut graph = graph.clone();
    if let Some(metadata) = graph.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("positions");
        if metadata.is_empty() {
            graph.as_object_mut().map(|graph| graph.remove("metadata"));
        }
    }
    graph
}

fn both_nodes(old: Option<&SideWorkflow<'_>>, new: Option<&SideWorkflow<'_>>) -> Result<Vec<NodeCompared>, ApiError> {
    let all = |side: Option<&SideWorkflow<'_>>| -> (Vec<String>, BTreeMap<String, Value>) {
        let mut ids = Vec::new();
        let mut whole = BTreeMap::new();
        for (id, node) in side.into_iter().flat_map(|side| nodes(&side.graph)) {
            let place = side.and_then(|side| side.graph.get("metadata")?.get("positions")?.get(id)).cloned();
            let mut node = node.as_object().cloned().unwrap_or_default();
            if let Some(place) = place {
                node.insert("position".to_owned(), place);
            }
            ids.push(id.to_owned());
            whole.entry(id.to_owned()).or_insert(Value::Object(node));
        }
        (ids, whole)
    };
    let ((old_ids, old_nodes), (new_ids, new_nodes)) = (all(old), all(new));
    let mut seen = BTreeSet::new();
    let mut compared = Vec::new();
    for id in new_ids.iter().chain(&old_ids).filter(|id| seen.insert(*id)) {
        let (before, after) = (old_nodes.get(id), new_nodes.get(id));
        let mut members = by_member(before.unwrap_or(&Value::Null), after.unwrap_or(&Value::Null), &["id"]);
        let text = |side: Option<&SideWorkflow<'_>>| {
            side.and_then(|side| side.steps.get(id).copied()).unwrap_or_default().to_owned()
        };
        // A step repeats what its node says: told once.
        let told: HashMap<String, MemberCompared> = members.iter().map(|it| (it.member.clone(), it.clone())).collect();
        let of_step = file(&text(old), &text(new), FileRole::Step)?;
        members.extend(of_step.into_iter().filter(|member| told.get(&member.member) != Some(member)));
        let node = after.or(before);
        let said = |member: &str| node.and_then(|node| node.get(member)?.as_str()).unwrap_or_default().to_owned();
        let title = said("title");
        compared.push(NodeCompared {
            id: id.clone(),
            name: if title.trim().is_empty() { id.clone() } else { title },
            kind: said("type"),
            status: Became::of(before.is_some(), after.is_some(), members.is_empty()),
            members,
        });
    }
    Ok(compared)
}

/// Members of the frontmatter, sections, and the rest of the body; of a file without frontmatter its text.
fn file(before: &str, after: &str, role: FileRole) -> Result<Vec<MemberCompared>, ApiError> {
    if before == after {
        return Ok(Vec::new());
    }
    let (old, new) = (Parts::of(before, role)?, Parts::of(after, role)?);
    let mut members = by_member(&old.head, &new.head, &["schemaVersion", "nodeId", "transitions"]);
    members.extend(of_texts(&old.texts, &new.texts));
    if members.is_empty() {
        // Blanks, or what the graph says better.
        members.extend(counted_lines("text", before, after));
    }
    Ok(members)
}

/// A file in parts that people know.
struct Parts {
    head: Value,
    /// The three sections, then all else.
    texts: [(&'static str, String); 4],
}

impl Parts {
    fn of(text: &str, role: FileRole) -> Result<Self, ApiError> {
        let markdown = Markdown::read(text, role)?;
        let head = markdown.head.as_ref().map_or(Value::Null, |head| head.value.clone());
        let Some(body) = markdown.body.as_ref().filter(|_| head.is_object()) else {
            let rest = ["goal", "instructions", "completion"].map(|name| (name, String::new()));
            let [goal, instructions, completion] = rest;
            return Ok(Self { head, texts: [goal, instructions, completion, ("text", text.to_owned())] });
        };
        let section = |section: Section| body.section(section).map_or("", |it| &text[it.content.clone()]).to_owned();
        let mut rest = String::new();
        let mut at = body.from;
        let first = |it: &&Headed| body.section(it.section) == Some(*it);
        for it in body.sections.iter().filter(first) {
            rest.push_str(&text[at..it.heading.start]);
            at = it.content.end;
        }
        rest.push_str(&text[at..]);
        let [goal, instructions, completion] = Section::ALL.map(section);
        Ok(Self {
            head,
            texts: [("goal", goal), ("instructions", instructions), ("completion", completion), ("text", rest)],
        })
    }
}

/// Pairs the edges of two graphs: by id, then by ends and label, by ends, by source and label.
fn edges(before: &[Value], after: &[Value]) -> Vec<EdgeCompared> {
    let mut other: Vec<Option<usize>> = vec![None; after.len()];
    let mut taken = vec![false; before.len()];
    let ways: [&[&str]; 4] = [&["id"], &["from", "to", "label"], &["from", "to"], &["from", "label"]];
    for way in ways {
        let key = |edge: &Value| -> Option<Vec<String>> {
            way.iter().map(|member| edge.get(member)?.as_str().map(str::to_owned)).collect()
        };
        let mut waiting: BTreeMap<Vec<String>, VecDeque<usize>> = BTreeMap::new();
        for (at, edge) in before.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            if let Some(key) = key(edge) {
                waiting.entry(key).or_default().push_back(at);
            }
        }
        for (at, edge) in after.iter().enumerate().filter(|(at, _)| other[*at].is_none()).collect::<Vec<_>>() {
            other[at] = key(edge).and_then(|key| waiting.get_mut(&key)?.pop_front());
            if let Some(at) = other[at] {
                taken[at] = true;
            }
        }
    }
    let of = |before_at: Option<usize>, after_at: Option<usize>| {
        let value = |list: &[Value], at: Option<usize>| at.map_or(Value::Null, |at| list[at].clone());
        let members = by_member(&value(before, before_at), &value(after, after_at), &[]);
        let status = Became::of(before_at.is_some(), after_at.is_some(), members.is_empty());
        EdgeCompared { before: before_at, after: after_at, status, members }
    };
    let kept = other.iter().enumerate().map(|(at, other)| of(*other, Some(at)));
    let gone = (0..before.len()).filter(|at| !taken[*at]).map(|at| of(Some(at), None));
    kept.chain(gone).collect()
}
