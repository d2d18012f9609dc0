//! Approved behaviours stay: what the tests of an installed version expect, a later version expects too (spec:
//! authoring.md §9 "Kept behaviours", seed 000).
//!
//! A behaviour is a test that a person approved with the version in which it stands. Invariants: a test that the approved
//! plan still names may ask for more and never for less or for something else; one that the plan leaves out was given up
//! where the plan was signed, and stands in the review as weaker.

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Map, Value};

use super::judged::manifest_value;
use super::policy::MANIFEST;

codes! {
    /// an approved behaviour that a later version would lose
    BEHAVIOUR_LOST: Error,
        "Keep the test `{name}` as it was approved: the plan leaves this behaviour as it is." [name];
    BEHAVIOUR_LOST / GONE: Error, "Bring the test `{name}` back: this behaviour was approved and has to stay." [name];
}

/// What a test runs, and on which model: it stays what it was.
const RUNS: [&str; 7] = ["command", "lens", "exporter", "idsValidator", "trigger", "args", "fixture"];

/// One finding for each behaviour of `base` that `files` lost although the plan leaves it as it is.
pub fn lost(base: &Files, files: &Files, plan: &Value) -> Vec<Diagnostic> {
    let (Some(before), Some(after)) = (manifest_value(base), manifest_value(files)) else { return Vec::new() };
    let now = tests(&after);
    let planned: Vec<String> = tests(plan).into_iter().filter_map(name).map(plain).collect();
    let mut found = Vec::new();
    for old in tests(&before) {
        let Some(name) = name(old).filter(|name| planned.contains(&plain(name))) else { continue };
        let at = now.iter().position(|test| self::name(test) == Some(name));
        match at.and_then(|at| now.get(at)) {
            None => found.push(Diagnostic::of(&GONE, args! { name }).in_file(MANIFEST).at_pointer("/tests")),
            Some(new) if !keeps(old, new) => {
                let pointer = format!("/tests/{}/expect", at.unwrap_or_default());
                found.push(Diagnostic::of(&BEHAVIOUR_LOST, args! { name }).in_file(MANIFEST).at_pointer(pointer));
            }
            Some(_) => {}
        }
    }
    found
}

/// Names of the tests of one manifest that another one has too, and that run or expect something else there.
pub(crate) fn changed<'m>(before: &'m Value, after: &Value) -> Vec<&'m str> {
    let now = tests(after);
    let changed = |old: &&Value| now.iter().any(|new| name(new) == name(old) && !keeps(old, new));
    tests(before).into_iter().filter(changed).filter_map(name).collect()
}

/// Whether the same is run on the same model, and what was expected is expected still.
fn keeps(old: &Value, new: &Value) -> bool {
    let same = |member: &str| old.get(member) == new.get(member);
    let expect = |test: &Value| test.get("expect").and_then(Value::as_object).cloned().unwrap_or_default();
    RUNS.iter().all(|member| same(member)) && holds(&expect(old), &expect(new))
}

/// Whether every operator stands with its operand; paths into a value one by one.
fn holds(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    old.iter().all(|(operator, before)| match (new.get(operator), before) {
        (Some(Value::Object(after)), Value::Object(before)) if operator == "at" => {
            before.iter().all(|(path, old)| match (old, after.get(path)) {
                (Value::Object(old), Some(Value::Object(new))) => holds(old, new),
                (old, new) => new == Some(old),
            })
        }
        (after, before) => after == Some(before),
    })
}

fn tests(of: &Value) -> Vec<&Value> {
    of.get("tests").and_then(Value::as_array).into_iter().flatten().collect()
}

fn name(test: &Value) -> Option<&str> {
    test.get("name").and_then(Value::as_str)
}

/// A name as plans are compared with tests: case and spaces do not matter.
fn plain(name: impl AsRef<str>) -> String {
    name.as_ref().to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bundle(tests: &Value) -> Files {
        Files::from([(MANIFEST.to_owned(), json!({ "tests": tests }).to_string())])
    }

    fn test(name: &str, expect: &Value) -> Value {
        json!({"name": name, "command": "a.run", "fixture": "house-small", "expect": expect})
    }

    fn codes(base: &Value, after: &Value, planned: &[&str]) -> Vec<String> {
        let planned: Vec<Value> = planned.iter().map(|name| json!({ "name": name })).collect();
        let found = lost(&bundle(base), &bundle(after), &json!({ "tests": planned }));
        found.iter().map(|it| format!("{} {}", it.pointer.as_deref().unwrap_or_default(), it.message)).collect()
    }

    #[test]
    fn a_behaviour_may_become_stricter_and_nothing_else() {
        let old = json!({"equals": 1, "at": {"$.a": {"equals": 2}, "$.b": 3}});
        let cases = [
            (old.clone(), true),
            (json!({"equals": 1, "noEffect": true, "at": {"$.a": {"equals": 2}, "$.b": 3, "$.c": 4}}), true),
            (json!({"equals": 1, "at": {"$.a": {"equals": 2, "type": "number"}, "$.b": 3}}), true),
            (json!({"equals": 2, "at": {"$.a": {"equals": 2}, "$.b": 3}}), false),
            (json!({"equals": 1, "at": {"$.a": {"equals": "2"}, "$.b": 3}}), false),
            (json!({"equals": 1, "at": {"$.a": {"equals": 2}}}), false),
            (json!({"equals": 1}), false),
            (json!({}), false),
        ];
        for (new, kept) in cases {
            let found = codes(&json!([test("t", &old)]), &json!([test("u", &json!({})), test("t", &new)]), &["t"]);
            let want = "/tests/1/expect Keep the test `t` as it was approved: the plan leaves this behaviour as it is.";
            assert_eq!(found, if kept { vec![] } else { vec![want.to_owned()] }, "{new}");
        }
    }

    #[test]
    fn what_it_runs_and_on_which_model_is_part_of_it() {
        let old = test("t", &json!({"equals": 1}));
        for (member, value) in [("command", json!("a.other")), ("fixture", json!("empty-model")), ("args", json!({}))] {
            let mut new = old.clone();
            new[member] = value;
            assert_eq!(codes(&json!([old]), &json!([new]), &["t"]).len(), 1, "{member}");
        }
    }

    #[test]
    fn what_the_plan_gives_up_may_go_and_what_it_names_may_not() {
        let base = json!([test("A storey shows 0 %", &json!({"equals": 0})), test("b", &json!({"equals": 1}))]);
        let none = json!([]);
        assert_eq!(codes(&base, &none, &[]), Vec::<String>::new());
        let want = "/tests Bring the test `A storey shows 0 %` back: this behaviour was approved and has to stay.";
        assert_eq!(codes(&base, &none, &["a storey  shows 0 %"]), [want]);
        assert_eq!(codes(&json!([]), &none, &["b"]), Vec::<String>::new(), "a new extension has none");
    }

    #[test]
    fn a_manifest_that_cannot_be_read_says_so_elsewhere() {
        let broken = Files::from([(MANIFEST.to_owned(), "{".to_owned())]);
        assert!(lost(&broken, &broken, &json!({})).is_empty());
        assert!(lost(&bundle(&json!([test("t", &json!({}))])), &broken, &json!({"tests": [{"name": "t"}]})).is_empty());
        assert!(lost(&bundle(&json!({"tests": 1})), &bundle(&json!(null)), &json!([])).is_empty());
    }
}
