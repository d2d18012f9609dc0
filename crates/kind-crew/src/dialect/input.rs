//! What a caller gives beside the change set: the package as it stands, and the session (spec: crew-package.md §9).
//!
//! Invariant: what is wrong here is the caller's fault and an error answer, told in a fixed order; a wrong change set
//! never is.

use std::collections::BTreeMap;

use holdpoint_check::error::ALLOWED;
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, Code, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::assets::tidy;
use crate::limits::{MAX_BUNDLE_BYTES, MAX_FILES, MAX_JSON_DEPTH};

codes! {
    INVALID_INPUT / NO_SESSION: Error, "Give a session.";
    INVALID_INPUT / NO_SNAPSHOT: Error, "Give the package as it stands.";
    INVALID_INPUT / NO_CHANGE_SET: Error, "Give a change set.";
    INVALID_INPUT / NO_TARGET: Error, "Give the id of the target.";
    INVALID_INPUT / NO_WORKFLOW: Error, "Give the number of the workflow.";
}

/// The package as the session sees it: what is stored, with what the session has staged.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Snapshot {
    pub workflows: Vec<StoredWorkflow>,
    /// The step files that belong to a node, or wait for one.
    pub steps: Vec<StoredStep>,
    /// The agents, in their order.
    pub agents: Vec<Map<String, Value>>,
    pub assets: BTreeMap<String, String>,
    pub revisions: Revisions,
}

#[derive(Debug, Clone, Deserialize)]
pub struct StoredWorkflow {
    pub id: u64,
    #[serde(default)]
    pub document: Option<String>,
    #[serde(default)]
    pub graph: Value,
}

/// The step file of a node.
#[derive(Debug, Clone, Deserialize)]
pub struct StoredStep {
    pub workflow_id: u64,
    pub node_id: String,
    pub path: String,
    pub markdown: String,
}

/// How often each part of a package has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Revisions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_revision: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents_revision: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assets_revision: Option<u64>,
}

impl Revisions {
    /// Each counter with its name.
    pub fn fields(self) -> [(&'static str, Option<u64>); 3] {
        [
            ("workflowRevision", self.workflow_revision),
            ("agentsRevision", self.agents_revision),
            ("assetsRevision", self.assets_revision),
        ]
    }
}

/// What a change set or one of its operations is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetType {
    Workflow,
    Step,
    Agent,
    Asset,
}

impl TargetType {
    pub const NAMES: [&'static str; 4] = ["workflow", "step", "agent", "asset"];

    pub fn parse(name: &str) -> Option<Self> {
        let all = [Self::Workflow, Self::Step, Self::Agent, Self::Asset];
        all.into_iter().zip(Self::NAMES).find(|(_, own)| *own == name).map(|(it, _)| it)
    }

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Whether a session makes something or works on what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionMode {
    Create,
    Optimize,
}

impl SessionMode {
    pub const NAMES: [&'static str; 2] = ["create", "optimize"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// The session that a change set comes from: it may change its target, and little else.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BuilderSession {
    pub target_type: TargetType,
    /// Its id; of an asset the tidy path.
    pub target_id: String,
    pub mode: SessionMode,
    /// The workflow of its target, where it has one.
    pub workflow_id: Option<u64>,
}

impl BuilderSession {
    /// Reads a session; the error is at the first member that is wrong.
    pub fn read(value: Option<&Value>) -> Result<Self, ApiError> {
        let members = value.and_then(Value::as_object).ok_or_else(|| refused("/session", &NO_SESSION))?;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let target_type = text("target_type")
            .and_then(TargetType::parse)
            .ok_or_else(|| allowed("/session/target_type", "`workflow`, `step`, `agent`, `asset`"))?;
        let mode = match text("mode") {
            Some("create") => SessionMode::Create,
            Some("optimize") => SessionMode::Optimize,
            _ => return Err(allowed("/session/mode", "`create`, `optimize`")),
        };
        let no_target = || refused("/session/target_id", &NO_TARGET);
        let target_id = text("target_id").filter(|id| !id.trim().is_empty()).ok_or_else(no_target)?;
        let given = members.get("workflow_id").filter(|value| !value.is_null());
        let workflow_id = given.and_then(Value::as_u64).filter(|id| *id > 0);
        let needed = matches!(target_type, TargetType::Workflow | TargetType::Step);
        if target_type == TargetType::Workflow && workflow_id.is_some_and(|id| id.to_string() != target_id) {
            return Err(no_target());
        }
        if workflow_id.is_none() && (needed || given.is_some()) {
            return Err(refused("/session/workflow_id", &NO_WORKFLOW));
        }
        let target_id = if target_type == TargetType::Asset { tidy(target_id) } else { target_id.to_owned() };
        Ok(Self { target_type, target_id, mode, workflow_id })
    }
}

/// Reads a package; whatever is wrong with it, the error is at its root.
pub fn snapshot(value: Option<Value>) -> Result<Snapshot, ApiError> {
    let read = value.and_then(|value| read::<Snapshot>(value).ok());
    let snapshot = read.ok_or_else(|| refused("/snapshot", &NO_SNAPSHOT))?;
    let files = snapshot.workflows.len() * 2 + snapshot.steps.len() + snapshot.assets.len();
    if files > MAX_FILES { Err(ApiError::over("MAX_FILES", MAX_FILES, files)) } else { Ok(snapshot) }
}

/// Refuses what is too large or too deep to be looked at. Follows the value with a list of its own, so that no depth
/// exhausts the stack.
pub fn bounded(value: &Value) -> Result<(), ApiError> {
    let mut bytes = 0;
    let mut waiting = vec![(value, 1)];
    while let Some((value, depth)) = waiting.pop() {
        match value {
            Value::String(text) => bytes += text.len(),
            Value::Array(items) => waiting.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => {
                bytes += members.keys().map(String::len).sum::<usize>();
                waiting.extend(members.values().map(|member| (member, depth + 1)));
            }
            _ => {}
        }
        let open = usize::from(value.is_array() || value.is_object());
        if depth + open > MAX_JSON_DEPTH + 1 {
            return Err(ApiError::over("MAX_JSON_DEPTH", MAX_JSON_DEPTH, depth));
        }
        if bytes > MAX_BUNDLE_BYTES {
            return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, bytes));
        }
    }
    Ok(())
}

fn refused(pointer: &str, code: &'static Code) -> ApiError {
    ApiError::at(pointer, code, args! {})
}

fn allowed(pointer: &str, allowed: &str) -> ApiError {
    ApiError::at(pointer, &ALLOWED, args! { allowed })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_wrong_member_of_a_session_is_named() {
        let good = json!({"target_type": "workflow", "mode": "create", "target_id": "3", "workflow_id": 3});
        let with = |name: &str, value: Value| {
            let mut session = good.clone();
            session[name] = value;
            session
        };
        let cases = [
            (good.clone(), None),
            (json!([]), Some("/session")),
            (json!({}), Some("/session/target_type")),
            (with("target_type", json!("file")), Some("/session/target_type")),
            (with("mode", json!(null)), Some("/session/mode")),
            (with("target_id", json!(3)), Some("/session/target_id")),
            (with("target_id", json!("\t ")), Some("/session/target_id")),
            (with("target_id", json!("03")), Some("/session/target_id")),
            (with("workflow_id", json!(null)), Some("/session/workflow_id")),
            (with("workflow_id", json!("3")), Some("/session/workflow_id")),
            (with("workflow_id", json!(0)), Some("/session/workflow_id")),
            (json!({"target_type": "step", "mode": "create", "target_id": "a"}), Some("/session/workflow_id")),
            (json!({"target_type": "agent", "mode": "create", "target_id": "a", "workflow_id": null}), None),
            (json!({"target_type": "asset", "mode": "create", "target_id": "a"}), None),
        ];
        for (session, want) in cases {
            let have = BuilderSession::read(Some(&session)).err().map(|error| error.details["pointer"].clone());
            assert_eq!(have, want.map(Value::from), "{session}");
        }
    }
}
