//! Operators on effects (spec: ifc-sdk.md §5.3).

use holdpoint_check::subset::matches;
use holdpoint_sdk::run::{Failure, Outcome};
use serde_json::{Map, Value, json};

use super::values::{Miss, within};

/// Failures that no test can expect: the run was ended, it did not end.
const EXHAUSTED: [&str; 5] = ["FUEL", "TIMEOUT", "MEMORY", "STACK", "FIXTURE_FAILED"];

/// Every failing effect operator of `expect`, in its order; `error` is judged apart.
pub(super) fn judge(expect: &Map<String, Value>, outcome: &Outcome) -> Vec<Miss> {
    let miss = |(operator, operand): (&String, &Value)| {
        let actual = subject(operator, outcome)?;
        let holds = match operator.as_str() {
            "storage" => matches(operand, Some(&actual)).is_ok(),
            "noEffect" => operand != &Value::Bool(true) || is_quiet(outcome),
            _ => list(operand, actual.as_array().map_or(&[][..], Vec::as_slice)),
        };
        (!holds).then(|| Miss { pointer: format!("/{operator}"), expected: operand.clone(), actual })
    };
    expect.iter().filter_map(miss).collect()
}

/// What an operator looks at; `None` for operators on the result.
fn subject(operator: &str, outcome: &Outcome) -> Option<Value> {
    let effects = &outcome.effects;
    Some(match operator {
        "exports" => json!(effects.exports),
        "viewer" => json!(effects.viewer),
        "mutations" => json!(effects.mutations),
        "notifications" => json!(effects.notifications),
        "requests" => json!(effects.requests),
        "ui" => json!(effects.ui),
        "logs" => json!(outcome.logs),
        "storage" => json!(effects.storage),
        "noEffect" => json!({
            "exports": effects.exports.len(), "viewer": effects.viewer.len(), "mutations": effects.mutations.len(),
            "notifications": effects.notifications.len(), "requests": effects.requests.len(), "ui": effects.ui.len(),
            "storageWrites": effects.storage_writes,
        }),
        _ => return None,
    })
}

fn is_quiet(outcome: &Outcome) -> bool {
    let effects = &outcome.effects;
    let lists =
        [&effects.exports, &effects.viewer, &effects.mutations, &effects.notifications, &effects.requests, &effects.ui];
    lists.iter().all(|list| list.is_empty()) && effects.storage_writes == 0
}

/// How many, or which in order, or `{count?, every?, some?}`.
fn list(operand: &Value, items: &[Value]) -> bool {
    match operand {
        Value::Number(_) => within(operand, items.len()),
        Value::Array(_) => matches(operand, Some(&json!(items))).is_ok(),
        Value::Object(wanted) => {
            let fits = |name: &str, item: &Value| wanted.get(name).is_none_or(|want| matches(want, Some(item)).is_ok());
            wanted.get("count").is_none_or(|count| within(count, items.len()))
                && items.iter().all(|item| fits("every", item))
                && (wanted.get("some").is_none() || items.iter().any(|item| fits("some", item)))
        }
        _ => false,
    }
}

/// Whether a failure may be expected at all.
pub(super) fn can_be_expected(failure: &Failure) -> bool {
    !EXHAUSTED.contains(&failure.code.as_str())
}

/// Whether the call failed as `error` says: `true`, or `{code?, name?, message?}`.
pub(super) fn failed_so(operand: &Value, failure: &Failure) -> bool {
    let Some(wanted) = operand.as_object() else { return *operand == Value::Bool(true) };
    let text = |name: &str| wanted.get(name).map(|want| want.as_str().unwrap_or_default());
    let code = |want: &str| {
        let plain = want.strip_prefix("TEST_").unwrap_or(want);
        failure.sdk_code.as_deref() == Some(want) || failure.code == plain
    };
    text("code").is_none_or(code)
        && text("name").is_none_or(|want| failure.name.as_deref() == Some(want))
        && text("message").is_none_or(|want| failure.message.contains(want))
}
