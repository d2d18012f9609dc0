//! The normal form of a change set: what is stored, previewed and applied (spec: crew-package.md §9.4).
//!
//! Invariant: read again, a valid one is valid and its own normal form.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::compile::{Compiled, Work};
use super::impact::Impact;
use super::input::{Revisions, SessionMode, TargetType};
use super::operation::Object;

/// A change set with canonical names, whole texts, whole agents and normal graphs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Normalized {
    pub schema_version: String,
    pub target_type: TargetType,
    pub mode: SessionMode,
    pub operations: Vec<NormalOperation>,
    pub impact: Impact,
    pub revisions: Revisions,
    pub extensions: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalOperation {
    pub op: &'static str,
    pub target_type: TargetType,
    pub target: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl NormalOperation {
    /// Of what an operation leads to.
    pub fn of(operation: &Compiled) -> Self {
        let payload = payload(&operation.work);
        Self {
            op: if payload.is_some() { "upsert" } else { "delete" },
            target_type: operation.target.kind(),
            target: target(&operation.target),
            payload,
            reason: operation.reason.clone(),
        }
    }
}

fn target(target: &Object) -> Value {
    match target {
        Object::Workflow(id) => json!({ "workflowId": id }),
        Object::Step { workflow, node } => json!({ "workflowId": workflow, "nodeId": node }),
        Object::Agent(id) => json!({ "agentId": id }),
        Object::Asset(path) => json!({ "path": path }),
    }
}

fn payload(work: &Work) -> Option<Value> {
    let mut members = Map::new();
    let mut add = |name: &str, value: Value| members.insert(name.to_owned(), value);
    match work {
        Work::Workflow { text, graph } => {
            if let Some(text) = text {
                add("workflowMarkdown", text.text.as_str().into());
            }
            if let Some(graph) = graph {
                add("graph", graph.value.clone());
            }
        }
        Work::Step(step) => {
            add("stepMarkdown", step.text.text.as_str().into());
            add("stepPath", step.path.as_str().into());
            if let Some(agent) = &step.agent {
                add("agentId", agent.as_str().into());
            }
        }
        Work::Agent { agent, .. } => {
            add("agent", Value::Object(agent.clone()));
            add("replace", true.into());
        }
        Work::Asset(text) => {
            add("content", text.text.as_str().into());
        }
        Work::Delete => return None,
    }
    Some(Value::Object(members))
}
