//! Tests that ask for less than before (spec: ifc-extension.md §7, `weakened_tests`).
//!
//! Why: a repair that makes a test pass by asking less must be seen by the person who approves it.

use holdpoint_check::code::Sentence;
use holdpoint_check::{args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::kept;

codes! {
    /// a test that asks for less than before
    TEST_WEAKENED / REMOVED: Info, "the test was removed or renamed";
    TEST_WEAKENED / FIXTURE: Info, "the fixture was changed to {fixture}" [fixture];
    TEST_WEAKENED / OPERATOR_REMOVED: Info, "`{operator}` was removed" [operator];
    TEST_WEAKENED / OPERATOR_REMOVED_AT: Info, "`{operator}` at {path} was removed" [operator, path];
    TEST_WEAKENED / EQUALS_REPLACED: Info, "`equals` was replaced by another operator";
    TEST_WEAKENED / EQUALS_REPLACED_AT: Info, "`equals` at {path} was replaced by another operator" [path];
    TEST_WEAKENED / CHANGED: Info, "it runs or expects something else than was approved";
    TEST_WEAKENED / WIDENED: Info, "the range of `{operator}` was widened" [operator];
    TEST_WEAKENED / WIDENED_AT: Info, "the range of `{operator}` at {path} was widened" [operator, path];
}

/// The fixture in which nothing can be found.
const EMPTY_FIXTURE: &str = "empty-model";

/// A test that asks for less than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WeakenedTest {
    pub name: String,
    /// What became weaker, for people.
    pub reason: String,
    /// What the reason is said from in other languages; its code is `TEST_WEAKENED`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
}

/// Those and tests that a person approved and that run or expect something else now, without asking for less: a
/// behaviour that is lost or changed.
pub fn changed_behaviours(before: &Value, after: &Value) -> Vec<WeakenedTest> {
    let mut out = weakened_tests(before, after);
    let Sentence { message: reason, args, .. } = Sentence::of(&CHANGED, args! {});
    for name in kept::changed(before, after) {
        if out.iter().all(|known| known.name != name) {
            out.push(WeakenedTest { name: name.to_owned(), reason: reason.clone(), args: args.clone() });
        }
    }
    out
}

/// Compares the tests of two manifests, in the order of the first; each reason is one row.
pub fn weakened_tests(before: &Value, after: &Value) -> Vec<WeakenedTest> {
    let mut out = Vec::new();
    let list = |manifest: &'_ Value| manifest.get("tests").and_then(Value::as_array).cloned().unwrap_or_default();
    let now = list(after);
    for old in list(before) {
        let Some(name) = old.get("name").and_then(Value::as_str) else { continue };
        let mut weaker = |Sentence { message: reason, args, .. }: Sentence| {
            out.push(WeakenedTest { name: name.to_owned(), reason, args });
        };
        let Some(new) = now.iter().find(|test| test.get("name") == old.get("name")) else {
            weaker(Sentence::of(&REMOVED, args! {}));
            continue;
        };
        if new.get("fixture").is_some_and(|fixture| fixture == EMPTY_FIXTURE)
            && old.get("fixture") != new.get("fixture")
        {
            weaker(Sentence::of(&FIXTURE, args! { fixture: EMPTY_FIXTURE }));
        }
        let expect = |test: &Value| test.get("expect").and_then(Value::as_object).cloned().unwrap_or_default();
        operators(&expect(&old), &expect(new), None, &mut weaker);
    }
    out
}

/// Compares the operators of a test, or of the value at a path of its result.
fn operators(old: &Map<String, Value>, new: &Map<String, Value>, path: Option<&str>, weaker: &mut dyn FnMut(Sentence)) {
    for (operator, before) in old {
        let Some(after) = new.get(operator) else {
            let replaced = operator == "equals" && new.keys().any(|name| !old.contains_key(name));
            weaker(match path {
                Some(path) if replaced => Sentence::of(&EQUALS_REPLACED_AT, args! { path }),
                Some(path) => Sentence::of(&OPERATOR_REMOVED_AT, args! { operator, path }),
                None if replaced => Sentence::of(&EQUALS_REPLACED, args! {}),
                None => Sentence::of(&OPERATOR_REMOVED, args! { operator }),
            });
            continue;
        };
        if operator == "at" {
            nested(before, after, path, weaker);
        } else if wider(operator, before, after) {
            weaker(match path {
                Some(path) => Sentence::of(&WIDENED_AT, args! { operator, path }),
                None => Sentence::of(&WIDENED, args! { operator }),
            });
        }
    }
}

fn nested(before: &Value, after: &Value, place: Option<&str>, weaker: &mut dyn FnMut(Sentence)) {
    let empty = Map::new();
    let after = after.as_object().unwrap_or(&empty);
    for (path, old) in before.as_object().into_iter().flatten() {
        let new = after.get(path).and_then(Value::as_object).unwrap_or(&empty);
        let path = place.map_or_else(|| path.clone(), |place| format!("{place} at {path}"));
        operators(old.as_object().unwrap_or(&empty), new, Some(&path), weaker);
    }
}

/// Whether an operand lets more values pass: a tolerance that grew, a bound that moved outward or went.
fn wider(operator: &str, before: &Value, after: &Value) -> bool {
    let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_f64);
    match operator {
        "approx" => ["tolerance", "percent"].iter().any(|name| number(after, name) > number(before, name)),
        "minBytes" => after.as_f64() < before.as_f64(),
        "maxBytes" => after.as_f64() > before.as_f64(),
        "count" => range(after).0 < range(before).0 || range(after).1 > range(before).1,
        "exports" | "viewer" | "mutations" | "notifications" | "logs" | "requests" | "ui" => list_wider(before, after),
        "contains" | "rows" | "rowsAnyOrder" | "storage" => tolerances_grew(before, after),
        "error" => before.is_object() && (after == &Value::Bool(true) || lost_members(before, after)),
        _ => false,
    }
}

fn list_wider(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Array(_), Value::Array(_)) => tolerances_grew(before, after),
        (Value::Array(_), _) => true,
        (Value::Number(_), Value::Object(_)) => after.get("count").is_none_or(|count| range(count) != range(before)),
        (Value::Object(_), Value::Object(_)) => {
            lost_members(before, after)
                || before.get("count").zip(after.get("count")).is_some_and(|(old, new)| wider("count", old, new))
        }
        _ => false,
    }
}

fn lost_members(before: &Value, after: &Value) -> bool {
    before.as_object().into_iter().flatten().any(|(name, _)| after.get(name).is_none())
}

/// The values that a count takes.
fn range(count: &Value) -> (f64, f64) {
    let bound = |name: &str, open: f64| count.get(name).and_then(Value::as_f64).unwrap_or(open);
    if let Some(exact) = count.as_f64().or_else(|| count.get("equals").and_then(Value::as_f64)) {
        return (exact, exact);
    }
    (bound("min", 0.0), bound("max", f64::INFINITY))
}

/// `$tolerance` anywhere inside grew, or a plain value became a matcher with one.
fn tolerances_grew(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            if new.contains_key("$approx") {
                let tolerance = |object: &Map<String, Value>| object.get("$tolerance").and_then(Value::as_f64);
                return !old.contains_key("$approx") || tolerance(new) > tolerance(old);
            }
            old.iter().any(|(name, old)| new.get(name).is_none_or(|new| tolerances_grew(old, new)))
        }
        (Value::Array(old), Value::Array(new)) => {
            new.len() < old.len() || old.iter().zip(new).any(|(old, new)| tolerances_grew(old, new))
        }
        (old, Value::Object(new)) => !old.is_object() && new.keys().any(|name| name.starts_with('$')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_counts_as_weaker() {
        let manifest = |fixture: &str, expect: Value| json!({"tests": [{"name": "t", "command": "c", "fixture": fixture, "expect": expect}]});
        let cases = [
            (json!({"equals": 1}), json!({"equals": 2}), ""),
            (json!({"equals": 1}), json!({"type": "number"}), "`equals` was replaced by another operator"),
            (json!({"equals": 1, "noEffect": true}), json!({"equals": 1}), "`noEffect` was removed"),
            (
                json!({"approx": {"value": 1}}),
                json!({"approx": {"value": 1, "percent": 5}}),
                "the range of `approx` was widened",
            ),
            (json!({"count": 3}), json!({"count": {"min": 1}}), "the range of `count` was widened"),
            (json!({"count": {"min": 1}}), json!({"count": 3}), ""),
            (json!({"exports": 1}), json!({"exports": {"count": 1}}), ""),
            (json!({"exports": [{}]}), json!({"exports": 1}), "the range of `exports` was widened"),
            (
                json!({"at": {"$.n": {"equals": 1}}}),
                json!({"at": {"$.n": {"type": "number"}}}),
                "`equals` at $.n was replaced by another operator",
            ),
            (json!({"rows": [{"n": 1}]}), json!({"rows": [{"n": {"$any": true}}]}), "the range of `rows` was widened"),
        ];
        for (before, after, want) in cases {
            let found =
                weakened_tests(&manifest("house-small", before.clone()), &manifest("house-small", after.clone()));
            let reasons: Vec<String> = found.into_iter().map(|weakened| weakened.reason).collect();
            assert_eq!(reasons.join("; "), want, "{before} to {after}");
        }
        let changed = |before: Value, after: Value| {
            let [before, after] = [before, after].map(|expect| manifest("house-small", expect));
            let found = changed_behaviours(&before, &after);
            found.into_iter().map(|weakened| weakened.reason).collect::<Vec<_>>()
        };
        let other = "it runs or expects something else than was approved";
        assert_eq!(changed(json!({"equals": 1}), json!({"equals": 2})), [other]);
        assert_eq!(changed(json!({"equals": 1}), json!({"type": "number"})).len(), 1, "one row where it is weaker");
        assert!(changed(json!({"equals": 1}), json!({"equals": 1, "noEffect": true})).is_empty(), "it asks for more");
        let found = weakened_tests(&manifest("house-small", json!({})), &manifest("empty-model", json!({})));
        assert_eq!(found[0].reason, "the fixture was changed to empty-model");
        assert_eq!(json!(found[0].args), json!({"case": "FIXTURE", "fixture": "empty-model"}));
        let found = weakened_tests(&manifest("house-small", json!({})), &json!({}));
        assert_eq!(found[0].reason, "the test was removed or renamed");
    }
}
