//! What every failure does, row by row (spec: seed 000 §14; authoring.md §7).

use super::*;

/// A bundle with another manifest, other code, and a widget.
fn reply(manifest: &str, code: &str, widget: Option<&str>) -> Value {
    let file = |path: &str, text: &str| format!("```hp:file path=\"{path}\"\n{}\n```\n", text.trim_end());
    let widget = widget.map_or_else(String::new, |text| file("widgets/panel.json", text));
    json!({"type": "Reply", "reply": file("manifest.json", manifest) + &file("src/run.js", code) + &widget})
}

/// The bundle that passes, with one member of its manifest changed.
fn with(pointer: &str, value: Value) -> Value {
    let mut changed = manifest();
    *changed.pointer_mut(pointer).expect("the manifest has the member") = value;
    reply(&changed.to_string(), &code(""), None)
}

/// The log up to an approved plan, and what comes then.
fn approved(more: &[Value]) -> Run {
    let bodies = bodies();
    replay(&[&bodies[..3], more].concat())
}

/// What the model is told when it is asked to repair.
fn told(run: &Run) -> String {
    let call = run.view().pending.expect("a repair is asked for");
    assert_eq!((call.purpose, call.attempt), (Purpose::Repair, Some(1)));
    run.messages(&Session::default()).unwrap().unwrap().messages[1].content.clone()
}

#[test]
fn what_a_check_finds_is_repaired_with_what_is_allowed() {
    let mut docked = manifest();
    docked["contributes"]["dock"] =
        json!([{"id": "doors.panel", "title": "Doors", "widget": "widgets/panel.json", "slot": "dock.right"}]);
    let button = r#"{"type": "Button", "label": "Paint", "command": "rooms.paint"}"#;
    let cut = manifest().to_string().replace("\"tests\"", "tests");
    let rows = [
        ("manifest invalid JSON", reply(&cut, &code(""), None), "INVALID_JSON", "\"line\":1"),
        ("outside the catalogue", with("/capabilities/0", json!("walls.paint")), "UNKNOWN_CAPABILITY", "model.read"),
        (
            "wildcard in network.fetch",
            with("/capabilities/0", json!("network.fetch:*.example.org")),
            "CAPABILITY_HOST_WILDCARD",
            "",
        ),
        (
            "widget refs nonexistent command",
            reply(&docked.to_string(), &code(""), Some(button)),
            "UNKNOWN_COMMAND",
            "doors.count",
        ),
        (
            "undefined ctx field",
            reply(&manifest().to_string(), &code("ctx.window.open();"), None),
            "CODE_CTX_FIELD",
            "notify",
        ),
        ("fixture missing", with("/tests/0/fixture", json!("castle")), "UNKNOWN_FIXTURE", "house-small"),
    ];
    for (row, sent, code, help) in rows {
        let asked = told(&approved(&[sent]));
        assert!(asked.contains(code), "{row}: {code} in {asked}");
        assert!(asked.contains(help), "{row}: {help} in {asked}");
    }
}

#[test]
fn an_output_that_is_wrong_is_repaired_with_what_was_expected_and_what_came() {
    let failing = json!({"type": "TestsDone", "tests": [{"name": "counts", "ok": false, "actual": 3, "diagnostics": [{
        "code": "EXPECT_FAILED", "path": "manifest.json", "pointer": "/tests/0/expect/equals",
        "args": {"operator": "equals", "expected": "7", "actual": "3"}}]}]});
    let asked = told(&approved(&[reply(&manifest().to_string(), &code(""), None), failing]));
    for part in ["EXPECT_FAILED", "\"expected\":7", "\"actual\":3"] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[test]
fn an_output_that_passes_and_is_wrong_becomes_a_test_first() {
    let passed = bodies()[3].clone();
    let files = json!({"manifest.json": manifest().to_string(), "src/run.js": code("")});
    let wrong = json!({"type": "Repair", "text": "It should be 5.", "files": files, "test": "then"});
    let run = approved(&[reply(&manifest().to_string(), &code(""), None), passed, wrong]);
    assert_eq!(run.view().pending.map(|call| call.purpose), Some(Purpose::Test));
}

#[test]
fn a_budget_that_ends_leaves_the_bundle_to_be_edited_and_its_edit_is_checked_like_any() {
    let broken = reply(&manifest().to_string(), &code("window.a;"), None);
    let edit = |extra: &str| {
        let files = json!({"manifest.json": manifest().to_string(), "src/run.js": code(extra)});
        json!({"type": "HandEdit", "files": files})
    };
    let passed = bodies()[3].clone();
    for (end, reason) in [("BudgetRefused", FailureReason::Tokens), ("TotalTimeout", FailureReason::Wallclock)] {
        let ended = [broken.clone(), json!({"type": end})];
        let view = approved(&ended).view();
        assert_eq!((view.state, view.reason), (StateName::Failed, Some(reason)), "{end}");
        assert!(view.files["src/run.js"].contains("window.a;"), "{end}: the bundle is there");
        let next = |more: &[Value]| approved(&[&ended[..], more].concat()).state();
        assert_eq!(next(&[edit("eval('1');")]), StateName::Failed, "{end}: an edit is checked");
        assert_eq!(next(&[edit(""), passed.clone()]), StateName::Review, "{end}: and reviewed like all");
    }
}
