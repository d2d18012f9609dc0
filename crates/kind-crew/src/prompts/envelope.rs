//! The context of a session: seven members, of whatever is in them (spec: ai-sessions.md §7.3).
//!
//! What stands in an envelope is JSON for a model: nothing here reads more of it than is said below. Invariants: it has
//! exactly its seven members; in a prompt no text of it can end the block that it stands in.

use holdpoint_check::json::canonical;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::dialect::assets::tidy;
use crate::dialect::input::{BuilderSession, TargetType};

pub const KEYS: [&str; 7] = [
    "session_meta",
    "domain_profile",
    "normative_baseline",
    "target_snapshot",
    "dependency_digest",
    "tool_capabilities",
    "revision_info",
];
/// The member that lists what the target depends on.
pub const DIGEST: &str = "dependency_digest";

/// A context of seven members.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Envelope(Map<String, Value>);

impl Envelope {
    /// The envelope of these values, in the order of [`KEYS`].
    pub fn of(values: [Value; 7]) -> Self {
        Self(KEYS.map(str::to_owned).into_iter().zip(values).collect())
    }

    /// An envelope that a host gives: an object with exactly the seven members.
    pub fn read(value: &Value) -> Option<Self> {
        let members = value.as_object()?;
        let whole = members.len() == KEYS.len() && KEYS.iter().all(|key| members.contains_key(*key));
        whole.then(|| Self(members.clone()))
    }

    /// Whether it tells of the target of a session: its type and id, and the workflow where both name one.
    pub fn is_of(&self, session: &BuilderSession) -> bool {
        let told = |name: &str| self.0["session_meta"].get(name).filter(|value| !value.is_null());
        let workflow = told("workflowId").zip(session.workflow_id);
        let is_asset = session.target_type == TargetType::Asset;
        let tidied = |id: &str| if is_asset { tidy(id) } else { id.to_owned() };
        told("targetType").and_then(Value::as_str) == Some(session.target_type.name())
            && told("targetId").and_then(Value::as_str).map(tidied) == Some(session.target_id.clone())
            && workflow.is_none_or(|(told, own)| told.as_u64() == Some(own))
    }

    pub fn member_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.0.get_mut(key)
    }

    /// As JSON in one form.
    pub fn canonical(&self) -> String {
        canonical(&Value::Object(self.0.clone()))
    }

    /// As it stands in a prompt: without the bodies of other assets, and without a sign that could end its block.
    pub fn digest(&self) -> String {
        let mut whole = Value::Object(self.0.clone());
        let items = whole.pointer_mut("/dependency_digest/assets/items").and_then(Value::as_array_mut);
        for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
            item.shift_remove("content");
        }
        canonical(&whole).replace('<', "\\u003c")
    }
}
