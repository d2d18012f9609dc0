//! One operation of a change set, read from what was sent (spec: crew-package.md §8).
//!
//! Owns targets, payloads and their aliases. Invariant: an [`Operation`] is made of right shapes in a right
//! combination; its names are the canonical ones, and `at` and `key` still lead to what was sent.

use holdpoint_check::{args, codes};
use serde_json::{Map, Value};

use super::assets::tidy;
use super::input::TargetType;
use super::path::Path;
use super::payload::{self, AgentPatch, Text, WorkflowPayload};
use super::reader::{IDENTIFIER, Reader, is_identifier};

codes! {
    /// right shapes in a wrong combination
    AI_CHANGESET_CONTRACT_VIOLATION / PAYLOAD_MISSING: Error, "Add a payload: an upsert says what the object becomes.";
    AI_CHANGESET_CONTRACT_VIOLATION / PAYLOAD_FORBIDDEN: Error, "Remove the payload: a delete has none.";
    AI_CHANGESET_CONTRACT_VIOLATION / OBJECT_TWICE: Error, "Join the operations on {object}: each object has one." [object];
}

/// It counts the characters of a reason.
pub const MAX_REASON: usize = 2_000;

/// What an operation is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    Workflow(u64),
    Step { workflow: u64, node: String },
    Agent(String),
    Asset(String),
}

impl Object {
    pub fn kind(&self) -> TargetType {
        match self {
            Self::Workflow(_) => TargetType::Workflow,
            Self::Step { .. } => TargetType::Step,
            Self::Agent(_) => TargetType::Agent,
            Self::Asset(_) => TargetType::Asset,
        }
    }

    /// As an impact names it.
    pub fn object(&self) -> String {
        match self {
            Self::Workflow(id) => format!("workflow:{id}"),
            Self::Step { node, .. } => format!("step:{node}"),
            Self::Agent(id) => format!("agent:{id}"),
            Self::Asset(path) => format!("asset:{path}"),
        }
    }
}

/// What is done to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    Workflow(WorkflowPayload),
    Step { text: Text, path: Option<String>, agent: Option<String> },
    Agent(AgentPatch),
    Asset(Text),
    Delete,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    pub at: Path,
    /// Where it stood before old sections became operations.
    pub origin: Path,
    pub target: Object,
    pub action: Payload,
    pub reason: Option<String>,
}

/// Reads one operation; what is wrong with it is found.
pub fn read(reader: &mut Reader, at: &Path, origin: &Path, value: &Value) -> Option<Operation> {
    let members = reader.object(at, Some(value))?;
    let op = reader.one_of(&at.key("op"), members.get("op"), &["upsert", "delete"]);
    let kind = reader.one_of(&at.key("targetType"), members.get("targetType"), &TargetType::NAMES);
    let (op, kind) = (op?, TargetType::parse(kind?)?);
    reader.closed(at, members, &["op", "targetType", "target", "payload", "reason"]);
    let reason = members.get("reason").and_then(|reason| reader.sized(&at.key("reason"), Some(reason), MAX_REASON));
    let target = target(reader, &at.key("target"), kind, members.get("target"));
    let place = at.key("payload");
    let action = match (op, members.get("payload")) {
        ("delete", None) => Some(Payload::Delete),
        // Whatever it is, also null: a delete has none.
        ("delete", Some(_)) => {
            reader.find(&place, &PAYLOAD_FORBIDDEN, args! {});
            None
        }
        (_, None) => {
            reader.find(&place, &PAYLOAD_MISSING, args! {});
            None
        }
        (_, payload) => reader.object(&place, payload).and_then(|payload| self::action(reader, &place, kind, payload)),
    };
    Some(Operation {
        at: at.clone(),
        origin: origin.clone(),
        target: target?,
        action: action?,
        reason: reason.map(str::to_owned),
    })
}

fn target(reader: &mut Reader, at: &Path, kind: TargetType, value: Option<&Value>) -> Option<Object> {
    let members = reader.object(at, value)?;
    let workflow = |reader: &mut Reader| reader.integer(&at.key("workflowId"), members.get("workflowId"), 1);
    let id = |reader: &mut Reader, name: &str| {
        reader.formed(&at.key(name), members.get(name), IDENTIFIER, is_identifier).map(str::to_owned)
    };
    match kind {
        TargetType::Workflow => {
            reader.closed(at, members, &["workflowId"]);
            workflow(reader).map(Object::Workflow)
        }
        TargetType::Step => {
            reader.closed(at, members, &["workflowId", "nodeId"]);
            let (workflow, node) = (workflow(reader), id(reader, "nodeId"));
            Some(Object::Step { workflow: workflow?, node: node? })
        }
        TargetType::Agent => {
            reader.closed(at, members, &["agentId"]);
            id(reader, "agentId").map(Object::Agent)
        }
        TargetType::Asset => {
            reader.closed(at, members, &["path"]);
            let path = reader.worded(&at.key("path"), members.get("path"))?;
            Some(Object::Asset(tidy(path)))
        }
    }
}

fn action(reader: &mut Reader, at: &Path, kind: TargetType, members: &Map<String, Value>) -> Option<Payload> {
    match kind {
        TargetType::Workflow => payload::workflow(reader, at, members).map(Payload::Workflow),
        TargetType::Step => payload::step(reader, at, members),
        TargetType::Agent => payload::agent(reader, at, members).map(Payload::Agent),
        TargetType::Asset => payload::asset(reader, at, members).map(Payload::Asset),
    }
}

/// Two operations on one object: the later one is found.
pub fn once_each(reader: &mut Reader, operations: &[Operation]) {
    let mut seen = std::collections::HashSet::new();
    for operation in operations {
        if !seen.insert(&operation.target) {
            let object = format!("`{}`", operation.target.object());
            reader.find(&operation.at.key("target"), &OBJECT_TWICE, args! { object });
        }
    }
}
