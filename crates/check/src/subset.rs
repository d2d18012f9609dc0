//! Subset matching: what a case or a test expects of a value (spec: facade.md, ifc-sdk.md §5.2).
//!
//! Objects need the expected keys, arrays match item by item. `$any $absent $contains $unordered $match $approx $type`
//! stand for more than one value. Invariant: matching is pure and its work is bounded by the two sizes
//! (`$unordered` by their product).

use regex::Regex;
use serde_json::{Map, Value};

use crate::json::escape;

/// Where and why a value is not what was expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// JSON Pointer into the actual value.
    pub pointer: String,
    pub expected: Value,
    /// What stands there; `None` where nothing does.
    pub actual: Option<Value>,
}

/// The first mismatch, or `Ok` when `actual` holds everything that `expected` names.
pub fn matches(expected: &Value, actual: Option<&Value>) -> Result<(), Mismatch> {
    at(expected, actual, &mut String::new())
}

/// Equality in which numbers compare as numbers (1 equals 1.0) and object order does not matter.
pub fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => left == right,
    }
}

/// `array boolean null number object string`.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn at(expected: &Value, actual: Option<&Value>, pointer: &mut String) -> Result<(), Mismatch> {
    let miss = |pointer: &str| {
        Err(Mismatch { pointer: pointer.to_owned(), expected: expected.clone(), actual: actual.cloned() })
    };
    if let Some(holds) = expected.as_object().and_then(|object| special(object, actual)) {
        return if holds { Ok(()) } else { miss(pointer) };
    }
    match (expected, actual) {
        (Value::Object(want), Some(Value::Object(have))) => want
            .iter()
            .try_for_each(|(key, want)| nested(pointer, &escape(key), |pointer| at(want, have.get(key), pointer))),
        (Value::Array(want), Some(Value::Array(have))) if want.len() == have.len() => {
            want.iter().zip(have).enumerate().try_for_each(|(index, (want, have))| {
                nested(pointer, &index.to_string(), |pointer| at(want, Some(have), pointer))
            })
        }
        (want, Some(have)) if !want.is_object() && equal(want, have) => Ok(()),
        _ => miss(pointer),
    }
}

fn nested<T>(pointer: &mut String, segment: &str, run: impl FnOnce(&mut String) -> T) -> T {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(segment);
    let answer = run(pointer);
    pointer.truncate(length);
    answer
}

/// Whether a `$` operator holds; `None` when the object is an ordinary one.
fn special(object: &Map<String, Value>, actual: Option<&Value>) -> Option<bool> {
    let (name, operand) = object.iter().find(|(key, _)| key.starts_with('$'))?;
    let holds = match name.as_str() {
        "$any" => actual.is_some(),
        "$absent" => actual.is_none(),
        "$contains" => actual.is_some_and(|actual| contains(operand, actual)),
        "$unordered" => match (operand, actual) {
            (Value::Array(want), Some(Value::Array(have))) => unordered(want, have),
            _ => false,
        },
        "$match" => match (operand, actual) {
            (Value::String(pattern), Some(Value::String(text))) => {
                Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
            }
            _ => false,
        },
        "$approx" => match (operand.as_f64(), actual.and_then(Value::as_f64)) {
            (Some(want), Some(have)) => {
                let tolerance = object.get("$tolerance").and_then(Value::as_f64).unwrap_or(1e-6);
                (want - have).abs() <= tolerance
            }
            _ => false,
        },
        "$type" => actual.is_some_and(|actual| operand == type_name(actual)),
        _ => return None,
    };
    Some(holds)
}

fn contains(operand: &Value, actual: &Value) -> bool {
    match (operand, actual) {
        (Value::String(part), Value::String(text)) => text.contains(part.as_str()),
        (_, Value::Array(items)) => items.iter().any(|item| matches(operand, Some(item)).is_ok()),
        _ => false,
    }
}

/// The same number of elements, and a way to pair them all (augmenting paths, so greedy choices do not matter).
fn unordered(want: &[Value], have: &[Value]) -> bool {
    fn pair(want: usize, fits: &[Vec<usize>], owner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &have in &fits[want] {
            if !std::mem::replace(&mut seen[have], true)
                && (owner[have].is_none_or(|other| pair(other, fits, owner, seen)))
            {
                owner[have] = Some(want);
                return true;
            }
        }
        false
    }
    if want.len() != have.len() {
        return false;
    }
    let fits: Vec<Vec<usize>> = want
        .iter()
        .map(|want| (0..have.len()).filter(|index| matches(want, Some(&have[*index])).is_ok()).collect())
        .collect();
    let mut owner = vec![None; have.len()];
    (0..want.len()).all(|index| pair(index, &fits, &mut owner, &mut vec![false; have.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn subset() {
        let cases = [
            (json!({"a": 1}), json!({"a": 1.0, "b": 2}), true),
            (json!([1, 2]), json!([1, 2, 3]), false),
            (json!({"a": {"$absent": true}}), json!({"b": 1}), true),
            (json!({"a": {"$absent": true}}), json!({"a": null}), false),
            (json!({"a": {"$any": true}}), json!({"a": null}), true),
            (json!({"$contains": "b"}), json!("abc"), true),
            (json!({"$contains": {"n": 1}}), json!([{"n": 2}, {"n": 1, "m": 0}]), true),
            (json!({"$unordered": [{"$any": true}, 1]}), json!([1, 2]), true),
            (json!({"$unordered": [1, 1]}), json!([1, 2]), false),
            (json!({"$match": "^a+$"}), json!("aaa"), true),
            (json!({"$approx": 42.9, "$tolerance": 0.1}), json!(42.857), true),
            (json!({"$type": "array"}), json!([]), true),
            (json!({}), json!([]), false),
            (json!({}), json!({"x": 1}), true),
        ];
        for (expected, actual, want) in cases {
            assert_eq!(matches(&expected, Some(&actual)).is_ok(), want, "{expected} against {actual}");
        }
    }

    #[test]
    fn names_the_place() {
        let miss = matches(&json!({"a": [{"b": 1}]}), Some(&json!({"a": [{"b": 2}]}))).unwrap_err();
        assert_eq!(miss.pointer, "/a/0/b");
    }
}
