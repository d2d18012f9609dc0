//! Verdicts as routes say them: the members of the facade in the writing of HTTP bodies (spec: ai-sessions.md, head).

use serde_json::{Map, Value, json};

use super::super::dialect::check::SetVerdict;
use super::super::dialect::finding::SetFinding;
use super::super::dialect::meta::ChangeMeta;

/// Members of a verdict and of its rows that are written in another way there.
const NAMES: [(&str, &str); 6] = [
    ("base_hash", "baseHash"),
    ("result_hash", "resultHash"),
    ("graph_sync", "graphSync"),
    ("workflow_id", "workflowId"),
    ("node_id", "nodeId"),
    ("schema_failed", "schemaFailed"),
];

pub fn findings(findings: &[SetFinding]) -> Value {
    json!(findings)
}

/// What stands beside a verdict.
pub fn meta(meta: &ChangeMeta) -> Value {
    let mut told = renamed(json!(meta));
    for name in ["changed", "graphSync"] {
        if let Some(rows) = told.get_mut(name).and_then(Value::as_array_mut) {
            for row in rows {
                *row = renamed(row.take());
            }
        }
    }
    told
}

/// Rows of what changed, as the facade writes them, in the writing of HTTP bodies.
pub fn changed_rows(rows: Vec<Value>) -> Value {
    rows.into_iter().map(renamed).collect()
}

/// `{valid, schemaFailed, errors, warnings, meta}`.
pub fn verdict_members(verdict: &SetVerdict) -> Value {
    json!({
        "valid": verdict.valid, "schemaFailed": verdict.schema_failed, "errors": findings(&verdict.errors),
        "warnings": findings(&verdict.warnings), "meta": meta(&verdict.meta),
    })
}

fn renamed(value: Value) -> Value {
    let Value::Object(members) = value else { return value };
    let name = |name: String| {
        let other = NAMES.into_iter().find(|(facade, _)| *facade == name);
        other.map_or(name, |(_, http)| http.to_owned())
    };
    Value::Object(members.into_iter().map(|(own, value)| (name(own), value)).collect::<Map<_, _>>())
}
