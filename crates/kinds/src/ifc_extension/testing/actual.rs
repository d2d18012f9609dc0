//! What a failing operator says: expected and actual, cut for people and models (spec: ifc-sdk.md §5.4).

use holdpoint_sdk::cut::cut;
use serde_json::Value;

/// `expected E, actual A`.
pub(super) fn hint(expected: &Value, actual: &Value) -> String {
    format!("expected {}, actual {}", cut(expected).value, cut(actual).value)
}
