//! An object of a package as a session has it (spec: ai-sessions.md §2 `ai_session_working_files`, §4).
//!
//! Owns what stands in a working file, how it is hashed and how it is written as an operation. Invariant: `patches` say
//! how the content came from what was stored, or there are none because a whole text was written.

use holdpoint_bundle::text_hash;
use holdpoint_check::json::canonical;
use holdpoint_text::replace_once;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::dialect::agent::merged;
use super::super::dialect::operation::Object;
use super::super::dialect::path::Path;
use super::super::dialect::payload::{AgentPatch, MAX_EDITS};
use super::super::dialect::view::{StepObject, View};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// The parts of a workflow that were written.
    Workflow {
        document: Option<String>,
        graph: Option<Value>,
    },
    /// The step of a node.
    Step {
        path: String,
        text: String,
        /// As the operation repeated it.
        agent: Option<String>,
    },
    Agent(Map<String, Value>),
    Asset(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkingFile {
    /// It is one of `workflow:12`, `step:step-collect`, `agent:clerk`, `asset:assets/policies/a.md`.
    pub object: String,
    /// The workflow that a step is in.
    pub workflow: Option<u64>,
    /// What it is; `None`: it is hidden.
    pub content: Option<Content>,
    /// Of what was stored when it was written first; `None`: it was not there.
    pub base_hash: Option<String>,
    /// The last reason that was given for it.
    pub reason: Option<String>,
    /// Edits of a text, or patches of an agent, in turn, where it was never written whole.
    pub patches: Option<Vec<Value>>,
}

impl WorkingFile {
    pub fn target(&self) -> Option<Object> {
        let (kind, name) = self.object.split_once(':')?;
        Some(match (kind, self.workflow) {
            ("workflow", _) => Object::Workflow(name.parse().ok()?),
            ("step", Some(workflow)) => Object::Step { workflow, node: name.to_owned() },
            ("agent", _) => Object::Agent(name.to_owned()),
            ("asset", _) => Object::Asset(name.to_owned()),
            _ => return None,
        })
    }

    /// A fresh one of an object that stands like this.
    pub fn of(target: &Object, base: &View) -> Self {
        let workflow = if let Object::Step { workflow, .. } = target { Some(*workflow) } else { None };
        Self {
            object: target.object(),
            workflow,
            content: None,
            base_hash: base_hash(target, base),
            reason: None,
            patches: Some(Vec::new()),
        }
    }

    /// As an operation of a change set: in the normal form, or with the edits that cannot be made.
    pub fn operation(&self, target: &Object, broken: bool) -> Value {
        let (kind, place) = match target {
            Object::Workflow(id) => ("workflow", json!({ "workflowId": id })),
            Object::Step { workflow, node } => ("step", json!({"workflowId": workflow, "nodeId": node})),
            Object::Agent(id) => ("agent", json!({ "agentId": id })),
            Object::Asset(path) => ("asset", json!({ "path": path })),
        };
        let edits = || {
            let edits = self.patches.iter().flatten().take(MAX_EDITS).cloned().collect::<Vec<_>>();
            json!({ "edits": edits })
        };
        let payload = self.content.as_ref().map(|content| match content {
            Content::Workflow { document, graph } => {
                let mut members = Map::new();
                match document {
                    Some(_) if broken => members.extend(edits().as_object().cloned().unwrap_or_default()),
                    Some(text) => drop(members.insert("workflowMarkdown".to_owned(), text.as_str().into())),
                    None => {}
                }
                if let Some(graph) = graph {
                    members.insert("graph".to_owned(), graph.clone());
                }
                Value::Object(members)
            }
            Content::Step { path, text, agent } => {
                let mut members = if broken { edits() } else { json!({ "stepMarkdown": text }) };
                members["stepPath"] = path.as_str().into();
                if let Some(agent) = agent {
                    members["agentId"] = agent.as_str().into();
                }
                members
            }
            Content::Agent(agent) => json!({"agent": agent, "replace": true}),
            Content::Asset(_) if broken => edits(),
            Content::Asset(text) => json!({ "content": text }),
        });
        let mut operation = json!({"op": "delete", "targetType": kind, "target": place});
        if let Some(payload) = payload {
            operation["op"] = "upsert".into();
            operation["payload"] = payload;
        }
        if let Some(reason) = &self.reason {
            operation["reason"] = reason.as_str().into();
        }
        operation
    }

    /// Whether nothing differs from what is stored; parts of a workflow that do not differ are left out.
    pub fn is_idle(&mut self, target: &Object, base: &View) -> bool {
        let Some(content) = &mut self.content else { return !base.has(target) };
        match (content, target) {
            (Content::Workflow { document, graph }, Object::Workflow(id)) => {
                let stored = base.workflows.get(id);
                if document.is_some() && stored.and_then(|it| it.document.as_ref()) == document.as_ref() {
                    *document = None;
                }
                if stored.is_some_and(|it| graph.as_ref() == Some(&it.graph)) {
                    *graph = None;
                }
                document.is_none() && graph.is_none()
            }
            (Content::Step { path, text, .. }, Object::Step { workflow, node }) => {
                let stored = base.step(*workflow, node);
                stored.is_some_and(|it| it.path == *path && it.text == *text)
            }
            (Content::Agent(agent), Object::Agent(id)) => {
                base.agent(id).is_some_and(|place| base.agents[place] == *agent)
            }
            (Content::Asset(text), Object::Asset(path)) => base.assets.get(path) == Some(text),
            _ => false,
        }
    }

    /// Makes it anew on what is stored now, where that is not what it was made on. `false`: its edits cannot be made
    /// there, so it stays as it is.
    pub fn rebase(&mut self, target: &Object, base: &View) -> bool {
        let now = base_hash(target, base);
        if now == self.base_hash {
            return true;
        }
        self.base_hash = now;
        let patches = self.patches.as_deref().filter(|patches| !patches.is_empty());
        let (Some(patches), Some(content)) = (patches, &mut self.content) else { return true };
        match (content, target) {
            (Content::Workflow { document: Some(text), .. }, Object::Workflow(id)) => {
                let stored = base.workflows.get(id).and_then(|it| it.document.as_deref());
                replayed(text, stored, patches)
            }
            (Content::Step { path, text, .. }, Object::Step { workflow, node }) => {
                let stored = base.step(*workflow, node);
                if let Some(stored) = stored {
                    path.clone_from(&stored.path);
                }
                replayed(text, stored.map(|it| it.text.as_str()), patches)
            }
            (Content::Asset(text), Object::Asset(path)) => {
                replayed(text, base.assets.get(path).map(String::as_str), patches)
            }
            (Content::Agent(agent), Object::Agent(id)) => {
                let mut current = base.agent(id).map(|place| base.agents[place].clone());
                for patch in patches {
                    let members = patch.as_object().cloned().unwrap_or_default();
                    let patch = AgentPatch { at: Path::default(), members, replace: false };
                    current = Some(merged(id, &patch, current.as_ref(), &mut Vec::new()));
                }
                if let Some(current) = current {
                    *agent = current;
                }
                true
            }
            _ => true,
        }
    }
}

/// Makes all edits on what is stored, or none of them.
fn replayed(text: &mut String, stored: Option<&str>, patches: &[Value]) -> bool {
    let Some(stored) = stored else { return false };
    let part = |patch: &Value, name: &str| patch[name].as_str().unwrap_or_default().to_owned();
    let made = patches.iter().try_fold(stored.to_owned(), |text, patch| {
        replace_once(&text, &part(patch, "find"), &part(patch, "replace")).ok()
    });
    match made {
        Some(made) => {
            *text = made;
            true
        }
        None => false,
    }
}

/// The hash of what is stored of an object; `None`: it is not there.
fn base_hash(target: &Object, base: &View) -> Option<String> {
    let hashed = |value: Value| text_hash(&canonical(&value));
    match target {
        Object::Workflow(id) => {
            base.workflows.get(id).map(|it| hashed(json!({"document": it.document, "graph": it.graph})))
        }
        Object::Step { workflow, node } => {
            base.step(*workflow, node).map(|StepObject { path, text }| hashed(json!([path, text])))
        }
        Object::Agent(id) => base.agent(id).map(|place| hashed(Value::Object(base.agents[place].clone()))),
        Object::Asset(path) => base.assets.get(path).map(|text| text_hash(text)),
    }
}
