//! Codes that no other test names, provoked.

use holdpoint_kind_extension::run::{Event, Run};
use serde_json::{Value, json};

use super::call;
use super::root;

/// The input of a case of the corpus.
fn case(id: &str) -> Value {
    let text = std::fs::read_to_string(root().join("tests/corpus/ifc-extension.jsonl")).unwrap();
    let mark = format!("\"{id}\"");
    let line = text.lines().find(|line| line.contains(&mark)).unwrap();
    serde_json::from_str::<Value>(line).unwrap()["input"].take()
}

/// The case with some values replaced.
fn with(mut case: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        *case.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value.clone();
    }
    case
}

fn patch(base: &str, patch: &str) -> Value {
    json!({"files": {"a.py": base}, "ops": [{"op": "patch", "target_file": "a.py", "patch": patch}]})
}

#[test]
fn methods_answer_them() {
    let plan = || case("IFC-PLN-022");
    let large: Value = (0..9).map(|n| (format!("src/{n}.js"), json!(" ".repeat(250_000)))).collect();
    let two = "def a():\n    x = 1\n    y = 2\n\ndef b():\n    z = 3\n";
    let anchored = |anchor: &str| patch(two, &format!("@@ {anchor}\n     x = 1\n-    y = 2\n+    y = 3\n"));
    let marked = "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n";
    let dear = format!("@@\n{0} y\n{0}-x\n+w\n", " x\n".repeat(300));
    let untriggered = [("/plan/triggers", json!([])), ("/plan/contributions/2/refreshOn", json!([]))];
    let mut declined = with(plan(), &[("/plan/tests/1/name", json!("another"))]);
    declined["plan"]["declined"] = json!([{"kind": "test", "id": "csv has a header"}]);
    let cases = [
        ("no.such", json!({}), "UNKNOWN_METHOD"),
        ("reply.parse", json!({"tool_calls": [{"name": "install_extension", "arguments": {}}]}), "AI_TOOL_FORBIDDEN"),
        ("bundle.check", json!({"kind": "ifc-extension", "files": large}), "LIMIT_BUNDLE_BYTES"),
        ("plan.check", with(plan(), &untriggered), "PLAN_EXTRA_TRIGGER"),
        ("plan.check", with(plan(), &[("/plan/tests/1/fixture", json!("office-fire"))]), "PLAN_TEST_CHANGED"),
        ("plan.check", declined, "PLAN_EXTRA_TEST"),
        ("text.preview", anchored("def nothing():"), "anchor_not_found"),
        ("text.preview", anchored("def b():"), "anchor_mismatch"),
        ("text.preview", patch("a\nb\n", marked), "ignored_no_newline_marker"),
        ("text.preview", patch(&"x\n".repeat(20_000), &dear), "too_costly"),
    ];
    for (method, input, code) in cases {
        let answer = call(method, input).to_string();
        assert!(answer.contains(&format!("\"{code}\"")), "{method} does not answer {code}: {answer}");
    }
}

#[test]
fn runs_tell_them() {
    let run = || case("IFC-RUN-002");
    let cut = |count: usize, changes: &[(&str, Value)]| {
        let mut run = with(run(), changes);
        run["events"].as_array_mut().unwrap().truncate(count);
        run
    };
    let replied = run().pointer("/events/3/reply").and_then(Value::as_str).unwrap().to_owned();
    let late = json!({"type": "AttemptTimeout", "at": 50_000, "partial": replied});
    let mut adjusted = cut(2, &[]);
    let planned = adjusted["events"][1].clone();
    for at in 0..12 {
        let events = adjusted["events"].as_array_mut().unwrap();
        events.push(json!({"type": "Adjust", "at": 6_000 + at * 10, "text": "also count windows"}));
        let mut again = planned.clone();
        again["at"] = json!(6_005 + at * 10);
        events.push(again);
    }
    let mut elsewhere = cut(4, &[]);
    elsewhere["base"] = json!({"src/run.js": "", "lib/other.js": "\u{feff}// x\r\n"});
    let cases = [
        (cut(4, &[("/events/3", late)]), "ATTEMPT_TIMEOUT"),
        (cut(5, &[("/events/4/tests/0/ok", json!(false))]), "TEST_FAILED"),
        (cut(5, &[("/events/4/tests", json!([]))]), "TEST_NOT_RUN"),
        (elsewhere.clone(), "BYTE_ORDER_MARK"),
        (elsewhere, "LINE_ENDINGS"),
        (adjusted, "PLAN_ADJUSTMENTS_USED"),
    ];
    for (input, code) in cases {
        let events: Vec<Event> = serde_json::from_value(input["events"].clone()).unwrap();
        let base = serde_json::from_value(input["base"].clone()).unwrap_or_default();
        let planning = &holdpoint_kind_extension::IfcExtension;
        let (run, _) = Run::replay(planning, base, &events);
        let shown = json!(run.view()).to_string();
        assert!(shown.contains(&format!("\"{code}\"")), "a run does not tell {code}: {shown}");
    }
}
