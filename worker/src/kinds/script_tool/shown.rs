//! What an apply answers, and what logs and captures read of a preview.

use std::collections::BTreeMap;

use holdpoint_change::Preview;
use holdpoint_kind_script::wire::Script;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an answer to an apply says beside its preview.
#[derive(Serialize)]
pub struct ApplyMembers {
    pub applied: bool,
    #[serde(flatten)]
    pub head: Option<AppliedHead>,
}

#[derive(Serialize)]
pub struct AppliedHead {
    revision_id: String,
    can_undo: bool,
    can_redo: bool,
    base_fingerprints: BTreeMap<String, String>,
}

impl From<&Script> for AppliedHead {
    fn from(head: &Script) -> Self {
        Self {
            revision_id: head.revision_id.clone(),
            can_undo: head.can_undo,
            can_redo: head.can_redo,
            base_fingerprints: head.base_fingerprints.clone(),
        }
    }
}

/// The numbers, codes and tags of a preview.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PreviewFacts {
    pub ok: bool,
    pub verdict: Value,
    pub error_details: Vec<ErrorDetail>,
    pub meta: PreviewMeta,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ErrorDetail {
    pub code: Value,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PreviewMeta {
    pub normalizations_applied: Value,
    pub fuzz_level_used: Value,
    pub max_offset: Value,
    pub hunks: Vec<HunkFacts>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct HunkFacts {
    pub rung: Value,
}

impl From<&Preview> for PreviewFacts {
    fn from(preview: &Preview) -> Self {
        serde_json::from_value(preview.staged.shown.clone()).unwrap_or_default()
    }
}
