//! Operations as they are meant: whole texts, whole agents, normal graphs, a step for each step file (spec:
//! crew-package.md §9.4).
//!
//! Owns what every operation leads to and where its parts were sent; says what stops that. Invariant: an operation that
//! cannot be made leaves its object as it was.

use std::collections::{BTreeMap, HashMap, HashSet};

use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::{Map, Value};

use super::agent::merged;
use super::edits::whole;
use super::finding::{Phase, SetFinding};
use super::graph::{Normal, completed};
use super::operation::{Object, Operation, Payload};
use super::path::Path;
use super::payload::{Text, WorkflowPayload};
use super::view::{NodeFiles, View};
use crate::documents::graph::bounded;
use crate::documents::markdown::{FileRole, Markdown};

codes! {
    AI_CHANGESET_CONTRACT_VIOLATION / STEP_TWICE: Error, "Write step `{node}` in one place: another part of the set does too." [node];
}

/// A text that an operation leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    pub at: Path,
    pub text: String,
    /// Its edits could not be made: it is the old text.
    pub failed: bool,
}

/// Where the parts of a step were sent.
#[derive(Debug, Clone, PartialEq)]
pub struct StepPlaces {
    pub workflow: Path,
    pub node: Path,
    pub path: Path,
    pub agent: Path,
}

/// The step that an operation leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct StepWork {
    pub text: Written,
    pub path: String,
    /// As it was sent, completed.
    pub sent_path: Option<String>,
    pub agent: Option<String>,
    pub places: StepPlaces,
}

/// What an operation leads to.
#[derive(Debug)]
pub enum Work {
    Workflow { text: Option<Written>, graph: Option<Normal> },
    Step(StepWork),
    Agent { agent: Map<String, Value>, patch: Value },
    Asset(Written),
    Delete,
}

/// Where an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    Sent,
    /// It was a step file of a workflow's payload.
    StepFile,
    /// It was made from a node of the editor.
    Generated,
}

/// An operation with what it leads to.
#[derive(Debug)]
pub struct Compiled {
    /// The operation that was sent.
    pub at: Path,
    pub origin: Path,
    pub source: Provenance,
    pub target: Object,
    pub reason: Option<String>,
    pub work: Work,
}

impl Compiled {
    /// The workflow that it is in.
    pub fn workflow(&self) -> Option<u64> {
        match self.target {
            Object::Workflow(id) | Object::Step { workflow: id, .. } => Some(id),
            Object::Agent(_) | Object::Asset(_) => None,
        }
    }

    /// Where its target was sent.
    pub fn target_at(&self) -> Path {
        self.at.key("target")
    }
}

/// Compiles operations on a package.
#[derive(Debug)]
pub struct Compiler<'v> {
    before: &'v View,
    /// Graphs of the set that are to be seen, and those of the package.
    files: BTreeMap<u64, NodeFiles>,
    /// What takes a set back brings every byte back, line endings too.
    is_inverse: bool,
    /// What stops the whole check.
    pub violations: Vec<SetFinding>,
    /// What was found on the way.
    pub findings: Vec<SetFinding>,
    pub operations: Vec<Compiled>,
}

impl<'v> Compiler<'v> {
    /// Compiles all of them. The error: a document is too large.
    pub fn run(before: &'v View, operations: Vec<Operation>, is_inverse: bool) -> Result<Self, ApiError> {
        let files = before.workflows.iter().map(|(id, workflow)| (*id, NodeFiles::of(&workflow.graph))).collect();
        let (violations, findings) = (Vec::new(), Vec::new());
        let mut compiler = Self { before, files, is_inverse, violations, findings, operations: Vec::new() };
        let mut graphs = compiler.graphs(&operations)?;
        let mut named: HashSet<Object> = operations.iter().map(|operation| operation.target.clone()).collect();
        for operation in operations {
            compiler.operation(operation, &mut graphs, &mut named)?;
        }
        Ok(compiler)
    }

    /// All graphs first: operations see each other's, whatever their order.
    fn graphs(&mut self, operations: &[Operation]) -> Result<HashMap<u64, Normal>, ApiError> {
        let mut graphs = HashMap::new();
        for operation in operations {
            let (Object::Workflow(id), Payload::Workflow(payload)) = (&operation.target, &operation.action) else {
                continue;
            };
            let Some(sent) = &payload.graph else { continue };
            bounded(&Value::Object(sent.value.clone()))?;
            let normal =
                if self.is_inverse { Normal::restored(sent) } else { Normal::of(sent, *id, self.before.graph(*id)) };
            self.findings.extend(normal.findings.iter().cloned());
            if normal.is_usable {
                self.files.insert(*id, NodeFiles::of(&normal.value));
            }
            graphs.insert(*id, normal);
        }
        Ok(graphs)
    }

    fn operation(
        &mut self,
        operation: Operation,
        graphs: &mut HashMap<u64, Normal>,
        named: &mut HashSet<Object>,
    ) -> Result<(), ApiError> {
        let Operation { at, origin, target, action, reason } = operation;
        let work = match (action, &target) {
            (Payload::Workflow(payload), Object::Workflow(id)) => {
                let WorkflowPayload { text, step_files, .. } = payload;
                let graph = graphs.remove(id);
                let steps = self.step_files(*id, &at, &origin, reason.as_ref(), step_files, named)?;
                if text.is_some() || graph.is_some() {
                    let text = text.map(|text| self.document(*id, &text));
                    let work = Work::Workflow { text, graph };
                    self.operations.push(Compiled { at, origin, source: Provenance::Sent, target, reason, work });
                }
                self.operations.extend(steps);
                return Ok(());
            }
            (Payload::Step { text, path, agent }, Object::Step { workflow, node }) => {
                let payload = at.key("payload");
                let places = StepPlaces {
                    workflow: at.key("target").key("workflowId"),
                    node: at.key("target").key("nodeId"),
                    path: payload.key("stepPath"),
                    agent: payload.key("agentId"),
                };
                let current = self.before.step(*workflow, node).map_or("", |step| step.text.as_str());
                let known = self.before.step(*workflow, node).is_some();
                let text = self.written(&text, current, known);
                let sent = path.map(|path| completed(&path, *workflow));
                let path = self.step_path(*workflow, node, sent.as_deref());
                Work::Step(StepWork { text, path, sent_path: sent, agent, places })
            }
            (Payload::Agent(patch), Object::Agent(id)) => {
                let current = self.before.agent(id).map(|place| &self.before.agents[place]);
                let agent = merged(id, &patch, current, &mut self.findings);
                Work::Agent { agent, patch: Value::Object(patch.members) }
            }
            (Payload::Asset(text), Object::Asset(path)) => {
                let current = self.before.assets.get(path);
                let text = self.written(&text, current.map_or("", String::as_str), current.is_some());
                Work::Asset(text)
            }
            // A payload is that of its target: the two were read together.
            (_, _) => Work::Delete,
        };
        self.operations.push(Compiled { at, origin, source: Provenance::Sent, target, reason, work });
        Ok(())
    }

    fn document(&mut self, id: u64, text: &Text) -> Written {
        let document = self.before.workflows.get(&id);
        let current = document.and_then(|workflow| workflow.document.as_deref()).unwrap_or_default();
        self.written(text, current, document.is_some())
    }

    /// A text; what cannot be edited because it is not there is found by those who look for it.
    fn written(&mut self, sent: &Text, current: &str, known: bool) -> Written {
        let at = sent.at().clone();
        if let (true, Text::Whole { text, .. }) = (self.is_inverse, sent) {
            return Written { at, text: text.clone(), failed: false };
        }
        match whole(sent, current) {
            Ok(text) => Written { at, text: text.into_owned(), failed: false },
            Err(finding) => {
                self.findings.extend(known.then_some(*finding));
                Written { at, text: current.to_owned(), failed: true }
            }
        }
    }

    /// What was sent, else the node's file, else the stored path, else the usual one.
    fn step_path(&self, workflow: u64, node: &str, sent: Option<&str>) -> String {
        let of_node = || self.files.get(&workflow).and_then(|files| files.file(node));
        let stored = || self.before.step(workflow, node).map(|step| step.path.as_str());
        let sent = sent.filter(|path| of_node() == Some(path) || super::steps::is_step_path(path, workflow));
        let known = sent.or_else(of_node).or_else(stored);
        known.map_or_else(|| format!("workflows/{workflow}/steps/{node}.md"), str::to_owned)
    }

    /// Step files of a workflow's payload, as operations of their own.
    fn step_files(
        &mut self,
        workflow: u64,
        at: &Path,
        origin: &Path,
        reason: Option<&String>,
        sent: Vec<(Path, String, String)>,
        named: &mut HashSet<Object>,
    ) -> Result<Vec<Compiled>, ApiError> {
        let mut files: Vec<(String, Path, String)> =
            sent.into_iter().map(|(place, path, text)| (completed(&path, workflow), place, text)).collect();
        files.sort();
        let mut steps = Vec::with_capacity(files.len());
        for (path, place, text) in files {
            let node = self.node_of(workflow, &path, &text)?;
            let target = Object::Step { workflow, node: node.clone() };
            if !named.insert(target.clone()) {
                let found = Diagnostic::of(&STEP_TWICE, args! { node });
                self.violations.push(SetFinding::new(Phase::Schema, place, found));
                continue;
            }
            let workflow_at = at.key("target").key("workflowId");
            let places =
                StepPlaces { workflow: workflow_at, node: place.clone(), path: place.clone(), agent: place.clone() };
            let real = self.step_path(workflow, &node, Some(&path));
            let list = place.as_str().strip_prefix(at.as_str()).unwrap_or_default().to_owned();
            let current = self.before.step(workflow, &node).map_or("", |step| step.text.as_str());
            let text = self.written(&Text::Whole { at: place.clone(), text }, current, true);
            let work = Work::Step(StepWork { text, path: real, sent_path: Some(path), agent: None, places });
            steps.push(Compiled {
                at: at.clone(),
                origin: Path::of(format!("{origin}{list}")),
                source: Provenance::StepFile,
                target,
                reason: reason.cloned(),
                work,
            });
        }
        Ok(steps)
    }

    /// The node whose file it is, else the one that the frontmatter names, else the one with the file's name.
    fn node_of(&self, workflow: u64, path: &str, text: &str) -> Result<String, ApiError> {
        if let Some(node) = self.files.get(&workflow).and_then(|files| files.node(path)) {
            return Ok(node.to_owned());
        }
        let markdown = Markdown::read(text, FileRole::Step)?;
        let named = markdown.head.as_ref().ok().and_then(|head| head.value.get("nodeId")?.as_str());
        let file = path.rsplit('/').next().unwrap_or(path);
        Ok(named.unwrap_or_else(|| file.strip_suffix(".md").unwrap_or(file)).to_owned())
    }

    /// The nodes that operations see.
    pub fn files(&self, workflow: u64) -> Option<&NodeFiles> {
        self.files.get(&workflow)
    }
}
