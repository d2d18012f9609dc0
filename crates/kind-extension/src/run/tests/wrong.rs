//! What a person says is wrong: the test first, then the repair (spec: authoring.md §7).

use super::*;

fn files(tests: &Value, extra: &str) -> Value {
    let mut manifest = manifest();
    manifest["tests"] = tests.clone();
    json!({"manifest.json": format!("{manifest}\n"), "src/run.js": code(extra)})
}

fn known() -> Value {
    manifest()["tests"].clone()
}

fn with_new() -> Value {
    let mut tests = known();
    let new = json!({"name": "not those", "command": "doors.count", "fixture": "house-small", "expect": {"equals": 5}});
    tests.as_array_mut().unwrap().push(new);
    tests
}

/// A reply that writes the files of a bundle.
fn reply(files: &Value) -> Value {
    let block = |(path, text): (&String, &Value)| {
        format!("```hp:file path=\"{path}\"\n{}```\n", text.as_str().expect("a file is a text"))
    };
    json!({"type": "Reply", "reply": files.as_object().unwrap().iter().map(block).collect::<String>()})
}

fn done(results: &[(&str, bool)]) -> Value {
    let test = |(name, ok): &(&str, bool)| {
        let diagnostics =
            if *ok { json!([]) } else { json!([{"code": "EXPECT_FAILED", "pointer": "/tests/1/expect"}]) };
        json!({"name": name, "ok": ok, "diagnostics": diagnostics})
    };
    json!({"type": "TestsDone", "tests": results.iter().map(test).collect::<Vec<_>>()})
}

fn wrong(test: &str) -> Value {
    json!({"type": "Repair", "text": "It says 7. It should have been 5.", "files": files(&known(), ""), "test": test})
}

fn purpose(run: &Run) -> Option<(Purpose, Option<u32>)> {
    run.view().pending.map(|call| (call.purpose, call.attempt))
}

#[test]
fn a_test_that_fails_comes_first_and_then_the_repair() {
    let mut log = vec![wrong("then")];
    let run = replay(&log);
    assert_eq!(purpose(&run), Some((Purpose::Test, Some(0))));
    let prompt = run.messages(&Session::default()).unwrap().unwrap();
    let asked = &prompt.messages[1].content;
    assert!(asked.contains("TASK: test") && asked.contains("should have been 5"), "{asked}");
    assert!(asked.contains("doors.count"), "it is told the bundle that is wrong");

    log.extend([reply(&files(&with_new(), "")), done(&[("counts", true), ("not those", false)])]);
    let run = replay(&log);
    assert_eq!(purpose(&run), Some((Purpose::Repair, Some(1))));
    let asked = run.messages(&Session::default()).unwrap().unwrap().messages[1].content.clone();
    assert!(asked.contains("EXPECT_FAILED") && asked.contains("not those"), "{asked}");

    log.extend([reply(&files(&with_new(), "let mended = 1;")), done(&[("counts", true), ("not those", true)])]);
    let view = replay(&log).view();
    assert_eq!(view.state, StateName::Review);
    assert!(view.files["manifest.json"].contains("not those"));
}

#[test]
fn what_shows_nothing_is_asked_for_again() {
    let cases = [
        ("no new test", files(&known(), ""), vec![("counts", true)]),
        ("it passes as the code stands", files(&with_new(), ""), vec![("counts", true), ("not those", true)]),
        ("the code is touched", files(&with_new(), "let x = 1;"), vec![("counts", true), ("not those", false)]),
        ("another test fails too", files(&with_new(), ""), vec![("counts", false), ("not those", false)]),
    ];
    for (why, sent, results) in cases {
        let run = replay(&[wrong("then"), reply(&sent), done(&results)]);
        assert_eq!(purpose(&run), Some((Purpose::Test, Some(1))), "{why}");
        let asked = run.messages(&Session::default()).unwrap().unwrap().messages[1].content.clone();
        assert!(asked.contains("TEST_FIRST"), "{why}: {asked}");
    }
}

#[test]
fn other_members_of_the_manifest_stay() {
    let mut sent = files(&with_new(), "");
    let mut manifest: Value = serde_json::from_str(sent["manifest.json"].as_str().unwrap()).unwrap();
    manifest["description"] = "Counts other doors.".into();
    sent["manifest.json"] = format!("{manifest}\n").into();
    let run = replay(&[wrong("then"), reply(&sent), done(&[("counts", true), ("not those", false)])]);
    assert_eq!(purpose(&run), Some((Purpose::Test, Some(1))));
}

#[test]
fn a_repair_does_not_get_round_the_new_test() {
    let shown = [wrong("then"), reply(&files(&with_new(), "")), done(&[("counts", true), ("not those", false)])];
    let mut other = with_new();
    other[1]["expect"] = json!({"equals": 7});
    for tests in [known(), other] {
        let mut log = shown.to_vec();
        log.push(reply(&files(&tests, "")));
        let run = replay(&log);
        assert_eq!(purpose(&run), Some((Purpose::Repair, Some(2))), "{tests}");
        let asked = run.messages(&Session::default()).unwrap().unwrap().messages[1].content.clone();
        assert!(asked.contains("not those"), "{asked}");
    }
}

#[test]
fn the_test_alone_ends_with_it_and_a_person_goes_on() {
    let mut log = vec![wrong("alone"), reply(&files(&with_new(), "")), done(&[("counts", true), ("not those", false)])];
    let run = replay(&log);
    assert_eq!((run.state(), run.reason()), (StateName::Failed, Some(FailureReason::Test)));
    assert!(run.files()["manifest.json"].contains("not those"));

    let mut by_hand = log.clone();
    by_hand.push(json!({"type": "HandEdit", "files": files(&with_new(), "let mine = 1;")}));
    by_hand.push(done(&[("counts", true), ("not those", true)]));
    assert_eq!(replay(&by_hand).state(), StateName::Review);

    log.extend([json!({"type": "Retry"}), done(&[("counts", true), ("not those", false)])]);
    assert_eq!(purpose(&replay(&log)), Some((Purpose::Repair, Some(1))), "again is the repair of the test that stands");
}

#[test]
fn what_was_reviewed_before_stays_to_be_chosen() {
    let bodies = bodies();
    let mut log = vec![bodies[0].clone(), bodies[1].clone(), bodies[2].clone()];
    log.extend([reply(&files(&known(), "")), bodies[3].clone(), wrong("then"), json!({"type": "Cancel"})]);
    let before = holdpoint_bundle::content_hash(&serde_json::from_value(files(&known(), "")).unwrap());
    log.push(json!({"type": "Choose", "result_hash": before}));
    assert_eq!(replay(&log).state(), StateName::Review);
}
