//! The context of a session, made from the package as the session sees it (spec: ai-sessions.md §7.3 "Building").
//!
//! Invariants: the body of no asset stands in it but that of the target; lists come sorted; what is absent is null, or
//! an empty list.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::text_hash;
use holdpoint_check::json::canonical;
use holdpoint_check::{ApiError, args, codes};
use serde_json::{Map, Value, json};

use super::domain::DomainProfile;
use super::envelope::Envelope;
use super::source::TextFacts;
use super::tools::{READ, WRITE};
use crate::dialect::graph::TYPES;
use crate::dialect::input::{
    BuilderSession as Session, SessionMode as Mode, Snapshot, StoredStep as Step, StoredWorkflow as Workflow,
    TargetType,
};
use crate::dialect::reader::IDENTIFIER;
use crate::documents::markdown::FileRole;
use crate::limits::{MAX_ASSET_BYTES, MAX_ASSETS, MAX_ASSETS_BYTES};
use crate::policy::ASSET_ENDINGS;
use crate::rules::assets::bytes;

codes! {
    /// the target of a session is not in the package, or its workflow is not
    AI_CONTEXT_BUILD_ERROR: Error, "Choose another target: `{id}` is not there." [id];
}

/// A context, and what its target cites.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    pub envelope: Envelope,
    pub referenced_asset_paths: BTreeSet<String>,
}

/// What of a session is told as the host gave it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    pub project_id: Value,
    pub target_id: Value,
}

/// Builds the context of a session. The error: its target is not there, or a text is too large.
pub fn build(session: &Session, given: &Given, snapshot: &Snapshot, domain: &DomainProfile) -> Result<Built, ApiError> {
    let package = Package { session, snapshot };
    if !package.has_target() {
        let locator = json!({"type": session.target_type, "id": given.target_id, "workflowId": session.workflow_id});
        let refusal = ApiError::of(&AI_CONTEXT_BUILD_ERROR, args! { id: session.target_id });
        return Err(refusal.status(404).with("locator", locator));
    }
    let target = package.target()?;
    let mut revisions: Map<String, Value> =
        snapshot.revisions.fields().into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
    revisions.insert("targetHash".to_owned(), json!(target.hash));
    let envelope = Envelope::of([
        json!({
            "projectId": given.project_id, "workflowId": session.workflow_id, "targetType": session.target_type,
            "targetId": given.target_id, "mode": session.mode,
        }),
        json!(domain),
        baseline(),
        target.snapshot,
        target.digest,
        json!({"read": READ, "write": WRITE, "apply": "human-only"}),
        revisions.into(),
    ]);
    Ok(Built { envelope, referenced_asset_paths: target.cited })
}

/// What holds for every package.
fn baseline() -> Value {
    json!({
        "schemaVersion": "1.1",
        "changeSetVersion": "1.0",
        "idPattern": IDENTIFIER,
        "nodeTypes": TYPES,
        "assetExtensions": ASSET_ENDINGS,
        "limits": {"assetBytes": MAX_ASSET_BYTES, "assetsBytes": MAX_ASSETS_BYTES, "assetCount": MAX_ASSETS},
    })
}

/// What is told of a target.
struct Target {
    snapshot: Value,
    digest: Value,
    hash: Option<String>,
    cited: BTreeSet<String>,
}

struct Package<'p> {
    session: &'p Session,
    snapshot: &'p Snapshot,
}

impl<'p> Package<'p> {
    fn id(&self) -> &'p str {
        &self.session.target_id
    }

    fn workflow(&self) -> Option<&'p Workflow> {
        self.snapshot.workflows.iter().find(|it| Some(it.id) == self.session.workflow_id)
    }

    fn steps(&self) -> impl Iterator<Item = &'p Step> {
        self.snapshot.steps.iter().filter(|it| Some(it.workflow_id) == self.session.workflow_id)
    }

    fn step(&self) -> Option<&'p Step> {
        self.steps().find(|it| it.node_id == self.id())
    }

    fn node(&self) -> Option<&'p Value> {
        list(&self.workflow()?.graph, "nodes").iter().find(|node| text(node, "id") == Some(self.id()))
    }

    fn agent(&self) -> Option<&'p Map<String, Value>> {
        self.snapshot.agents.iter().find(|agent| agent_id(agent) == self.id())
    }

    fn asset(&self) -> Option<&'p String> {
        self.snapshot.assets.get(self.id())
    }

    /// Whether the session can begin. A step is there as soon as it is a node: its text may be in an editor.
    fn has_target(&self) -> bool {
        let creates = self.session.mode == Mode::Create;
        match self.session.target_type {
            TargetType::Workflow => creates || self.workflow().is_some(),
            TargetType::Step => {
                self.workflow().is_some() && (creates || self.step().is_some() || self.node().is_some())
            }
            TargetType::Agent => creates || self.agent().is_some(),
            TargetType::Asset => creates || self.asset().is_some(),
        }
    }

    fn target(&self) -> Result<Target, ApiError> {
        match self.session.target_type {
            TargetType::Workflow => self.of_workflow(),
            TargetType::Step => self.of_step(),
            TargetType::Agent => self.of_agent(),
            TargetType::Asset => self.of_asset(),
        }
    }

    fn of_workflow(&self) -> Result<Target, ApiError> {
        let document = self.workflow().and_then(|it| it.document.as_deref());
        let source = document.map(|text| TextFacts::read(text, FileRole::Workflow)).transpose()?.unwrap_or_default();
        let graph = self.workflow().map_or(&Value::Null, |it| &it.graph);
        let row = |node: &Value| {
            let title = text(node, "title").unwrap_or_default();
            json!({"nodeId": node.get("id"), "type": node.get("type"), "title": title, "file": node.get("file")})
        };
        let mut nodes: Vec<&Value> = list(graph, "nodes").iter().collect();
        nodes.sort_by_key(|node| text(node, "id"));
        let index: Vec<Value> = nodes.into_iter().map(row).collect();
        Ok(Target {
            snapshot: json!({"workflow_md": document, "graph_json": graph, "step_index": index}),
            digest: json!({
                "agents": digest(self.agents(|_| true)),
                "assets": digest(self.assets(|_| true)),
                "variables": digest(self.variables(source.variables)?),
            }),
            hash: document.map(text_hash),
            cited: source.cited,
        })
    }

    fn of_step(&self) -> Result<Target, ApiError> {
        let markdown = self.step().map(|it| it.markdown.as_str());
        let source = markdown.map(|text| TextFacts::read(text, FileRole::Step)).transpose()?.unwrap_or_default();
        let document = self.workflow().and_then(|it| it.document.as_deref());
        let declared = document.map(|text| TextFacts::read(text, FileRole::Workflow)).transpose()?.unwrap_or_default();
        let edges = |end: &str| -> Vec<&Value> {
            let edges = self.workflow().map_or(&[][..], |it| list(&it.graph, "edges"));
            edges.iter().filter(|edge| text(edge, end) == Some(self.id())).collect()
        };
        Ok(Target {
            snapshot: json!({
                "step_markdown": markdown,
                "node_meta": self.node(),
                "adjacent_edges": {"incoming": edges("to"), "outgoing": edges("from")},
            }),
            digest: json!({
                "agents": digest(self.agents(|_| true)),
                "assets": digest(self.assets(|path| source.cited.contains(path))),
                "variables": digest(self.variables(declared.variables)?),
            }),
            hash: markdown.map(text_hash),
            cited: source.cited,
        })
    }

    fn of_agent(&self) -> Result<Target, ApiError> {
        let mut users: BTreeSet<(u64, &str)> = BTreeSet::new();
        for workflow in &self.snapshot.workflows {
            let uses = |node: &&Value| text(node, "agentId").is_some_and(|agent| agent.trim() == self.id());
            let nodes = list(&workflow.graph, "nodes").iter().filter(uses);
            users.extend(nodes.filter_map(|node| Some((workflow.id, text(node, "id")?))));
        }
        for step in &self.snapshot.steps {
            if TextFacts::read(&step.markdown, FileRole::Step)?.agent.as_deref() == Some(self.id()) {
                users.insert((step.workflow_id, &step.node_id));
            }
        }
        let users: Vec<Value> = users.into_iter().map(|(id, node)| json!({"workflowId": id, "nodeId": node})).collect();
        let agent = self.agent();
        Ok(Target {
            snapshot: json!({"agent_definition": agent, "referenced_steps": users}),
            digest: json!({"agents": digest(self.agents(|id| id != self.id()))}),
            hash: agent.map(|agent| text_hash(&canonical(&json!(agent)))),
            cited: BTreeSet::new(),
        })
    }

    fn of_asset(&self) -> Result<Target, ApiError> {
        let mut documents: BTreeSet<u64> = BTreeSet::new();
        for workflow in &self.snapshot.workflows {
            if let Some(document) = &workflow.document
                && TextFacts::read(document, FileRole::Workflow)?.cited.contains(self.id())
            {
                documents.insert(workflow.id);
            }
        }
        let mut steps: BTreeMap<(u64, &str), &str> = BTreeMap::new();
        for step in &self.snapshot.steps {
            if TextFacts::read(&step.markdown, FileRole::Step)?.cited.contains(self.id()) {
                steps.insert((step.workflow_id, &step.node_id), &step.path);
            }
        }
        let citing = documents.iter().map(|id| format!("workflow:{id}"));
        let citing: Vec<String> = citing.chain(steps.keys().map(|(_, node)| format!("step:{node}"))).collect();
        let row = |((id, node), path): (&(u64, &str), &&str)| json!({"workflowId": id, "nodeId": node, "path": path});
        let content = self.asset();
        Ok(Target {
            snapshot: json!({
                "path": self.id(), "content": content, "file_type": file_type(self.id()), "referenced_by": citing,
            }),
            digest: json!({"steps": digest(steps.iter().map(row).collect())}),
            hash: content.map(|text| text_hash(text)),
            cited: BTreeSet::new(),
        })
    }

    fn agents(&self, told: impl Fn(&str) -> bool) -> Vec<Value> {
        let mut agents: Vec<&Map<String, Value>> =
            self.snapshot.agents.iter().filter(|agent| told(agent_id(agent))).collect();
        agents.sort_by_key(|agent| agent_id(agent));
        let inner = |agent: &Map<String, Value>, part: &str, name: &str| {
            agent.get(part).and_then(|it| it.get(name)).cloned().unwrap_or_default()
        };
        let row = |agent: &Map<String, Value>| {
            let (name, role) = (inner(agent, "metadata", "name"), inner(agent, "persona", "role"));
            json!({"id": agent.get("id"), "name": name, "role": role})
        };
        agents.into_iter().map(row).collect()
    }

    fn assets(&self, told: impl Fn(&str) -> bool) -> Vec<Value> {
        let told = self.snapshot.assets.iter().filter(|(path, _)| told(path));
        told.map(|(path, text)| json!({"path": path, "bytes": bytes(text), "hash": text_hash(text)})).collect()
    }

    /// Those that the document declares and those that the steps of the workflow set, each once.
    fn variables(&self, declared: Vec<String>) -> Result<Vec<Value>, ApiError> {
        let mut names: BTreeSet<String> = declared.into_iter().collect();
        for step in self.steps() {
            names.extend(TextFacts::read(&step.markdown, FileRole::Step)?.variables);
        }
        Ok(names.into_iter().map(|name| json!({ "name": name })).collect())
    }
}

fn digest(items: Vec<Value>) -> Value {
    json!({"total": items.len(), "items": Value::Array(items), "truncated": false})
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name).and_then(Value::as_str)
}

fn agent_id(agent: &Map<String, Value>) -> &str {
    agent.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// The ending in lower case, without its dot.
pub fn file_type(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending.to_lowercase(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
