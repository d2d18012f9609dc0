//! The package as objects, before a change set and after it (spec: crew-package.md §9.1 "effective result").
//!
//! Owns looking things up; decides nothing.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::input::Snapshot;
use super::operation::Object;

#[derive(Debug, Clone, Default)]
pub struct WorkflowObject {
    pub document: Option<String>,
    /// Null where there is none.
    pub graph: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StepObject {
    pub path: String,
    pub text: String,
}

/// All objects of a package.
#[derive(Debug, Clone, Default)]
pub struct View {
    pub workflows: BTreeMap<u64, WorkflowObject>,
    pub steps: BTreeMap<(u64, String), StepObject>,
    pub agents: Vec<Map<String, Value>>,
    pub assets: BTreeMap<String, String>,
}

impl View {
    /// The objects of a snapshot; of two with one name the first.
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut view = Self { agents: snapshot.agents.clone(), assets: snapshot.assets.clone(), ..Self::default() };
        for workflow in &snapshot.workflows {
            view.workflows.entry(workflow.id).or_insert_with(|| WorkflowObject {
                document: workflow.document.clone(),
                graph: workflow.graph.clone(),
            });
        }
        for step in &snapshot.steps {
            let key = (step.workflow_id, step.node_id.clone());
            let own = || StepObject { path: step.path.clone(), text: step.markdown.clone() };
            view.steps.entry(key).or_insert_with(own);
        }
        view
    }

    /// Where an agent stands in the list.
    pub fn agent(&self, id: &str) -> Option<usize> {
        self.agents.iter().position(|agent| agent_id(agent) == id)
    }

    /// Whether an object is there.
    pub fn has(&self, target: &Object) -> bool {
        match target {
            Object::Workflow(id) => self.workflows.contains_key(id),
            Object::Step { workflow, node } => self.steps.contains_key(&(*workflow, node.clone())),
            Object::Agent(id) => self.agent(id).is_some(),
            Object::Asset(path) => self.assets.contains_key(path),
        }
    }

    /// The graph of a workflow; null where there is none.
    pub fn graph(&self, workflow: u64) -> &Value {
        self.workflows.get(&workflow).map_or(&Value::Null, |workflow| &workflow.graph)
    }

    /// The step of a node.
    pub fn step(&self, workflow: u64, node: &str) -> Option<&StepObject> {
        self.steps.get(&(workflow, node.to_owned()))
    }

    /// The steps of a workflow with their nodes.
    pub fn steps_of(&self, workflow: u64) -> impl Iterator<Item = (&str, &StepObject)> {
        let from = self.steps.range((workflow, String::new())..);
        let own = from.take_while(move |((id, _), _)| *id == workflow);
        own.map(|((_, node), step)| (node.as_str(), step))
    }
}

/// The id of an agent; empty where it has none.
pub fn agent_id(agent: &Map<String, Value>) -> &str {
    agent.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// The nodes of a graph, whether or not it keeps its schema.
pub fn nodes(graph: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let list = graph.get("nodes").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(|node| Some((node.get("id")?.as_str()?, node)))
}

/// Where the steps of a graph's nodes lie.
#[derive(Debug, Default)]
pub struct NodeFiles {
    by_node: HashMap<String, String>,
    by_file: HashMap<String, String>,
}

impl NodeFiles {
    /// Of a graph; of two nodes with one id or file the first.
    pub fn of(graph: &Value) -> Self {
        let mut files = Self::default();
        for (id, node) in nodes(graph) {
            let file = node.get("file").and_then(Value::as_str).unwrap_or_default();
            files.by_node.entry(id.to_owned()).or_insert_with(|| file.to_owned());
            if !file.is_empty() {
                files.by_file.entry(file.to_owned()).or_insert_with(|| id.to_owned());
            }
        }
        files
    }

    /// Whether a node is in the graph.
    pub fn has(&self, node: &str) -> bool {
        self.by_node.contains_key(node)
    }

    /// The file of a node.
    pub fn file(&self, node: &str) -> Option<&str> {
        self.by_node.get(node).map(String::as_str).filter(|file| !file.is_empty())
    }

    /// The node of a file.
    pub fn node(&self, file: &str) -> Option<&str> {
        self.by_file.get(file).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number behind the largest one is none: the search for steps up to it panicked.
    #[test]
    fn the_largest_number_of_a_workflow_has_steps_too() {
        let step = StepObject { path: "p".to_owned(), text: String::new() };
        let steps = [(1, "a"), (u64::MAX, "b"), (u64::MAX, "c")];
        let steps = steps.map(|(id, node)| ((id, node.to_owned()), step.clone())).into();
        let view = View { steps, ..View::default() };
        let of = |id: u64| view.steps_of(id).map(|(node, _)| node.to_owned()).collect::<Vec<_>>();
        assert_eq!((of(1), of(2), of(u64::MAX)), (vec!["a".to_owned()], vec![], vec!["b".to_owned(), "c".to_owned()]));
    }
}
