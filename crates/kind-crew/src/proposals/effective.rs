//! The effective view of a session: its working files over what is stored (spec: ai-sessions.md §4).
//!
//! Invariant: what a working file hides is not there, and what it holds is there as it was written, also where it does
//! not hold; nodes follow their steps as an apply would make them.

use holdpoint_bundle::Files;
use holdpoint_change::Base;
use holdpoint_check::ApiError;

use super::super::Options;
use super::super::dialect::operation::Object;
use super::super::dialect::package::Package;
use super::super::dialect::sync::sync;
use super::super::dialect::view::{StepObject, View};
use super::super::documents::markdown::{FileRole, Markdown};
use super::super::facts::{PackageFacts, UNTITLED};
use super::object::{Content, WorkingFile};

/// A package as it is stored, with what its host allows of it.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The revision; `None`: none was made yet.
    pub revision: Option<String>,
    pub files: Files,
    pub facts: PackageFacts,
    pub view: View,
    /// Endings and limits of assets.
    pub options: Options,
}

impl Baseline {
    /// Of what is stored. The error: a file that cannot be read.
    pub fn of(base: &Base, options: Options) -> Result<Self, ApiError> {
        let view = Package::open(&base.files.clone().unwrap_or_default())?.view;
        Ok(Self::opened(base, view, options))
    }

    /// The same, of a package that was read already.
    pub fn opened(base: &Base, view: View, options: Options) -> Self {
        let facts = serde_json::from_value(base.facts.0.clone()).unwrap_or_else(|_| PackageFacts::new(UNTITLED));
        Self { revision: base.revision.clone(), files: base.files.clone().unwrap_or_default(), facts, view, options }
    }

    /// What a change of it is made on.
    pub fn base(&self) -> Base {
        Base {
            revision: self.revision.clone(),
            files: Some(self.files.clone()),
            facts: holdpoint_change::Facts(serde_json::json!(self.facts)),
        }
    }
}

/// See the module. The error: a step is too large to be read.
pub fn effective(head: &Baseline, working: &[WorkingFile]) -> Result<View, ApiError> {
    let mut view = head.view.clone();
    for file in working {
        if let Some(target) = file.target() {
            put(&mut view, &target, file.content.as_ref());
        }
    }
    follow(&mut view, working)?;
    Ok(view)
}

fn put(view: &mut View, target: &Object, content: Option<&Content>) {
    match (target, content) {
        (Object::Workflow(id), Some(Content::Workflow { document, graph })) => {
            let workflow = view.workflows.entry(*id).or_default();
            if let Some(document) = document {
                workflow.document = Some(document.clone());
            }
            if let Some(graph) = graph {
                workflow.graph = graph.clone();
            }
        }
        (Object::Step { workflow, node }, Some(Content::Step { path, text, .. })) => {
            let step = StepObject { path: path.clone(), text: text.clone() };
            view.steps.insert((*workflow, node.clone()), step);
        }
        (Object::Agent(id), Some(Content::Agent(agent))) => match view.agent(id) {
            Some(place) => view.agents[place].clone_from(agent),
            None => view.agents.push(agent.clone()),
        },
        (Object::Asset(path), Some(Content::Asset(text))) => {
            view.assets.insert(path.clone(), text.clone());
        }
        (Object::Workflow(id), None) => {
            view.workflows.remove(id);
            view.steps.retain(|(workflow, _), _| workflow != id);
        }
        (Object::Step { workflow, node }, None) => {
            view.steps.remove(&(*workflow, node.clone()));
        }
        (Object::Agent(id), None) => view.agents.retain(|agent| agent.get("id").is_none_or(|it| it != id.as_str())),
        (Object::Asset(path), None) => {
            view.assets.remove(path);
        }
        // A content is that of its object: the two are written together.
        _ => {}
    }
}

/// Nodes of graphs that the session did not write follow the steps that it wrote.
fn follow(view: &mut View, working: &[WorkingFile]) -> Result<(), ApiError> {
    let writes_graph = |id: u64| {
        let name = format!("workflow:{id}");
        let has_graph = |it: &WorkingFile| matches!(it.content, Some(Content::Workflow { graph: Some(_), .. }));
        working.iter().any(|it| it.object == name && has_graph(it))
    };
    for file in working {
        let (Some(Object::Step { workflow, node }), Some(Content::Step { text, .. })) = (file.target(), &file.content)
        else {
            continue;
        };
        if writes_graph(workflow) {
            continue;
        }
        let markdown = Markdown::read(text, FileRole::Step)?;
        if let (Ok(head), Some(object)) = (markdown.usable(), view.workflows.get_mut(&workflow)) {
            sync(&mut object.graph, workflow, &node, &head.value);
        }
    }
    Ok(())
}
