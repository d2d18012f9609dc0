//! Operators on the result (spec: ifc-sdk.md §5.2).

use holdpoint_check::json::join;
use holdpoint_check::subset::{equal, matches, type_name};
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::binding::Binding;

/// What `approx` allows without a tolerance of its own.
const DEFAULT_TOLERANCE: f64 = 1e-6;

/// A failing operator: where below `expect`, what was expected, what stands there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Miss {
    pub(super) pointer: String,
    pub(super) expected: Value,
    pub(super) actual: Value,
}

/// Every failing value operator of `expect`, in its order. Operators on effects are left out.
pub(super) fn judge(expect: &Map<String, Value>, value: &Value) -> Vec<Miss> {
    expect.iter().flat_map(|(operator, operand)| one(operator, operand, value)).collect()
}

fn one(operator: &str, operand: &Value, value: &Value) -> Vec<Miss> {
    if operator == "at" {
        let places = operand.as_object().into_iter().flatten();
        return places.flat_map(|(path, inner)| below(path, inner, value)).collect();
    }
    let holds = match operator {
        "equals" => equal(operand, value),
        "contains" => contains(operand, value),
        "matches" => found(operand, value.as_str()),
        "count" => count(operand, value),
        "approx" => approx(operand, value),
        "rows" => rows(value).is_some_and(|rows| matches(operand, Some(rows)).is_ok()),
        "rowsAnyOrder" => rows(value).is_some_and(|rows| matches(&json!({"$unordered": operand}), Some(rows)).is_ok()),
        "columns" => rows(value).is_some_and(|rows| columns(rows) == *operand),
        "type" => operand == type_name(value),
        "mimeType" => value.get("mimeType") == Some(operand),
        "minBytes" => bytes(value).zip(operand.as_f64()).is_some_and(|(bytes, least)| bytes >= least),
        "maxBytes" => bytes(value).zip(operand.as_f64()).is_some_and(|(bytes, most)| bytes <= most),
        "regex" => found(operand, text(value)),
        "jsonShape" => shape(operand, value),
        // Operators on effects.
        _ => return Vec::new(),
    };
    if holds {
        return Vec::new();
    }
    vec![Miss { pointer: format!("/{operator}"), expected: operand.clone(), actual: value.clone() }]
}

/// The operators below a path; a missing value is null.
fn below(path: &str, inner: &Value, value: &Value) -> Vec<Miss> {
    let found = Binding::parse(path).and_then(|path| path.resolve(value).cloned()).unwrap_or_default();
    let mut misses = inner.as_object().map(|inner| judge(inner, &found)).unwrap_or_default();
    let place = join("/at", path);
    for miss in &mut misses {
        miss.pointer = format!("{place}{}", miss.pointer);
    }
    misses
}

fn contains(operand: &Value, value: &Value) -> bool {
    match (operand, value) {
        (Value::String(part), Value::String(text)) => text.contains(part.as_str()),
        _ => matches(operand, Some(value)).is_ok(),
    }
}

/// Patterns were compiled by the check already; linear time, so that no text can stall it.
fn found(pattern: &Value, text: Option<&str>) -> bool {
    pattern.as_str().zip(text).is_some_and(|(pattern, text)| Regex::new(pattern).is_ok_and(|p| p.is_match(text)))
}

fn count(operand: &Value, value: &Value) -> bool {
    let count = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        Value::String(text) => text.chars().count(),
        _ => return false,
    };
    within(operand, count)
}

/// A number, or `{equals?, min?, max?}`.
pub(super) fn within(operand: &Value, count: usize) -> bool {
    let count = count as f64;
    if let Some(exact) = operand.as_f64() {
        return (exact - count).abs() < f64::EPSILON;
    }
    let bound = |name: &str| operand.get(name).and_then(Value::as_f64);
    operand.is_object()
        && bound("equals").is_none_or(|exact| (exact - count).abs() < f64::EPSILON)
        && bound("min").is_none_or(|least| count >= least)
        && bound("max").is_none_or(|most| count <= most)
}

fn approx(operand: &Value, value: &Value) -> bool {
    let number = |name: &str| operand.get(name).and_then(Value::as_f64);
    let Some((want, have)) = number("value").zip(value.as_f64()) else { return false };
    let percent = number("percent").map(|percent| want.abs() * percent / 100.0);
    let tolerance = number("tolerance").or(percent).unwrap_or(DEFAULT_TOLERANCE);
    (want - have).abs() <= tolerance
}

/// The value if it is an array, or its member `rows`.
fn rows(value: &Value) -> Option<&Value> {
    let rows = if value.is_array() { value } else { value.get("rows")? };
    rows.is_array().then_some(rows)
}

/// The member names of all rows in order of first appearance.
fn columns(rows: &Value) -> Value {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.as_array().into_iter().flatten() {
        for name in row.as_object().into_iter().flat_map(Map::keys) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    json!(names)
}

/// The value or its `text` member.
fn text(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("text")?.as_str())
}

fn bytes(value: &Value) -> Option<f64> {
    text(value).map(|text| text.len() as f64)
}

/// The older form: types by name, an array's first element for all, objects member by member, else equality.
fn shape(operand: &Value, value: &Value) -> bool {
    const TYPES: [&str; 6] = ["array", "boolean", "null", "number", "object", "string"];
    match (operand, value) {
        (Value::Object(want), _)
            if want.len() == 1 && want.get("type").and_then(Value::as_str).is_some_and(|t| TYPES.contains(&t)) =>
        {
            want["type"] == type_name(value)
        }
        (Value::Object(want), Value::Object(have)) => {
            want.iter().all(|(key, want)| have.get(key).is_some_and(|have| shape(want, have)))
        }
        (Value::Array(want), Value::Array(have)) => want.first().is_none_or(|want| have.iter().all(|h| shape(want, h))),
        (Value::Object(_) | Value::Array(_), _) => false,
        _ => equal(operand, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators() {
        let cases = [
            (json!({"equals": {"a": 1, "b": [2]}}), json!({"b": [2.0], "a": 1}), true),
            (json!({"equals": null}), json!([]), false),
            (json!({"contains": "b"}), json!("abc"), true),
            (json!({"contains": {"a": {"$type": "number"}}}), json!({"a": 1, "b": 2}), true),
            (json!({"contains": {"$contains": {"n": 1}}}), json!([{"n": 1, "m": 2}]), true),
            (json!({"matches": "^a+$"}), json!("aaa"), true),
            (json!({"matches": "1"}), json!(1), false),
            (json!({"count": 2}), json!([1, 2]), true),
            (json!({"count": {"min": 1, "max": 2}}), json!("éé"), true),
            (json!({"count": {"min": 3}}), json!({"a": 1}), false),
            (json!({"count": 0}), json!(null), false),
            (json!({"approx": {"value": 10, "percent": 5}}), json!(10.4), true),
            (json!({"approx": {"value": 10, "tolerance": 0.1}}), json!(10.4), false),
            (json!({"approx": {"value": 0.3}}), json!(0.1 + 0.2), true),
            (json!({"rows": [{"a": 1}, {}]}), json!({"rows": [{"a": 1, "b": 2}, {"c": 3}]}), true),
            (json!({"rows": [{"a": 1}]}), json!([{"a": 1}, {"a": 2}]), false),
            (json!({"rowsAnyOrder": [{"a": 2}, {"a": 1}]}), json!([{"a": 1}, {"a": 2}]), true),
            (json!({"columns": ["a", "b"]}), json!([{"a": 1}, {"b": 2, "a": 3}]), true),
            (json!({"columns": ["b", "a"]}), json!([{"a": 1}, {"b": 2, "a": 3}]), false),
            (json!({"type": "array"}), json!([]), true),
            (json!({"minBytes": 3, "maxBytes": 3}), json!({"text": "aé"}), true),
            (json!({"regex": "b$"}), json!({"text": "ab"}), true),
            (json!({"mimeType": "text/csv"}), json!({"mimeType": "text/plain"}), false),
            (
                json!({"jsonShape": {"type": "wall", "l": [{"n": {"type": "number"}}]}}),
                json!({"type": "wall", "l": [{"n": 1}, {"n": 2}]}),
                true,
            ),
            (json!({"jsonShape": {"l": [{"n": {"type": "number"}}]}}), json!({"l": [{"n": 1}, {"n": "2"}]}), false),
            (json!({"exports": 5}), json!(1), true),
        ];
        for (expect, value, want) in cases {
            let misses = judge(expect.as_object().unwrap(), &value);
            assert_eq!(misses.is_empty(), want, "{expect} on {value}");
        }
    }

    #[test]
    fn at_names_its_place() {
        let expect =
            json!({"at": {"$.rows[0].n": {"equals": 3}, "$.none": {"equals": null}, "$[\"a/b\"]": {"type": "string"}}});
        let misses = judge(expect.as_object().unwrap(), &json!({"rows": [{"n": 2}], "a/b": 1}));
        let pointers: Vec<&str> = misses.iter().map(|miss| miss.pointer.as_str()).collect();
        assert_eq!(pointers, ["/at/$.rows[0].n/equals", "/at/$[\"a~1b\"]/type"]);
    }
}
