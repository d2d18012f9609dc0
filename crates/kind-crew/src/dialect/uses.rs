//! Who uses which agent and cites which asset (spec: crew-package.md §4 "Citations", §9.4 `affected`).

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::ApiError;
use serde_json::Value;

use super::operation::Object;
use super::view::{View, nodes};
use crate::documents::citations;
use crate::documents::markdown::{FileRole, Markdown};
use crate::policy::Endings;

/// Agents and assets with the objects that need them.
#[derive(Debug, Default)]
pub struct Uses {
    agents: BTreeMap<String, BTreeSet<String>>,
    assets: BTreeMap<String, BTreeSet<String>>,
}

impl Uses {
    pub fn of(view: &View, endings: &Endings<'_>) -> Result<Self, ApiError> {
        let mut uses = Self::default();
        for (id, workflow) in &view.workflows {
            for (node, value) in nodes(&workflow.graph) {
                let agent = value.get("agentId").and_then(Value::as_str);
                uses.agent(agent, &Object::Step { workflow: *id, node: node.to_owned() });
            }
            if let Some(document) = &workflow.document {
                uses.cites(document, &Object::Workflow(*id), endings);
            }
        }
        for ((workflow, node), step) in &view.steps {
            let target = Object::Step { workflow: *workflow, node: node.clone() };
            uses.cites(&step.text, &target, endings);
            let markdown = Markdown::read(&step.text, FileRole::Step)?;
            let agent = markdown.head.as_ref().ok().and_then(|head| head.value.get("agentId")?.as_str());
            uses.agent(agent, &target);
        }
        Ok(uses)
    }

    fn agent(&mut self, agent: Option<&str>, by: &Object) {
        if let Some(agent) = agent.map(str::trim).filter(|agent| !agent.is_empty()) {
            self.agents.entry(agent.to_owned()).or_default().insert(by.object());
        }
    }

    fn cites(&mut self, text: &str, by: &Object, endings: &Endings<'_>) {
        for citation in citations::in_text(text, 0, endings) {
            self.assets.entry(citation.path.to_owned()).or_default().insert(by.object());
        }
    }

    /// Who needs an agent or an asset.
    pub fn by(&self, target: &Object) -> impl Iterator<Item = &String> {
        let objects = match target {
            Object::Agent(id) => self.agents.get(id),
            Object::Asset(path) => self.assets.get(path),
            Object::Workflow(_) | Object::Step { .. } => None,
        };
        objects.into_iter().flatten()
    }
}
