//! The stored transcripts go the way that they are meant to go: the plan holds, attempt 1 fails its check, attempt 2 a
//! test, attempt 3 passes (and the others as their names say).

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use std::fmt::Write as _;
use std::fs;

use holdpoint_author::{kind, plan, reply};
use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_kinds::ifc_extension::testing;
use holdpoint_model::{Model, fixtures};
use holdpoint_sandbox::Sandbox;
use holdpoint_sdk::run::{Outcome, Profile, Run};
use serde_json::Value;

/// A turn's words and reply.
struct Turn {
    words: Vec<String>,
    text: String,
    finish: String,
}

fn turns(name: &str) -> Vec<Turn> {
    let path = format!("{}/../../fixtures/transcripts/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let transcript: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let turn = |turn: &Value| Turn {
        words: turn["when"]["last_user_contains"].as_array().unwrap().iter().map(text).collect(),
        text: text(&turn["reply"]["text"]),
        finish: turn["reply"]["finish"].as_str().unwrap_or("stop").to_owned(),
    };
    transcript["turns"].as_array().unwrap().iter().map(turn).collect()
}

/// The first turn whose words all stand in a message, as the server chooses it.
fn answer<'t>(turns: &'t [Turn], message: &str) -> &'t Turn {
    turns.iter().find(|turn| turn.words.iter().all(|word| message.contains(word))).expect(message)
}

fn runs(runs: &[Run]) -> Result<Vec<Outcome>, String> {
    let one = |run: &Run| {
        let text = fixtures::write(&run.fixture).map_err(|error| format!("{error:?}"))?;
        let model = Model::open(text, &run.fixture).map_err(|error| format!("{error:?}"))?;
        Ok(Sandbox::new(vec![model], "2026-01-01T00:00:00.000Z").run(&run.program))
    };
    runs.iter().map(one).collect()
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code.to_string()).collect()
}

/// What becomes of each attempt, one line each, as the run decides it: reply, check, plan, tests.
fn walk(name: &str, request: &str, extra: &str) -> String {
    let turns = turns(name);
    let read = |turn: &Turn, base: &Files| {
        reply::parse(Some(&turn.text), &[], base, Some(&turn.finish), kind::policy()).unwrap()
    };
    let planned = read(answer(&turns, &format!("{request} {extra} TASK: plan")), &Files::new()).plan.expect("a plan");
    let report = plan::check(&planned, None, None);
    let mut story = format!("plan {:?}\n", codes(&report.diagnostics));

    let mut files = Files::new();
    let mut message = format!("{request} {planned} TASK: generate");
    for attempt in 0..5 {
        let mut parsed = read(answer(&turns, &message), &files);
        if let Some(cut) = &parsed.incomplete {
            writeln!(story, "{attempt} cut in {cut}").unwrap();
            parsed = read(answer(&turns, &format!("{request} {planned} TASK: continue")), &parsed.files);
        }
        files = parsed.files;
        let mut found = codes(&parsed.diagnostics);
        let mut stage = "reply";
        if found.is_empty() {
            stage = "check";
            let report = testing::test(&files, Profile::DryRun, runs).unwrap();
            found = codes(&report.diagnostics);
            found.extend(codes(&plan::conformity(&planned, &files)));
            if found.is_empty() {
                stage = "tests";
                found = report.tests.iter().flat_map(|test| codes(&test.diagnostics)).collect();
                assert_eq!(report.ok, found.is_empty(), "{report:?}");
            }
        }
        writeln!(story, "{attempt} {stage} {found:?}").unwrap();
        if found.is_empty() {
            break;
        }
        let manifest = files.get("manifest.json").map_or("", String::as_str);
        message = format!("{request} {planned} {found:?} {manifest} TASK: repair");
    }
    story
}

#[test]
fn three_attempts() {
    let cases = [
        ("10-fire-rating-coverage", "rating coverage", "", "\"CODE_CTX_FIELD\", \"PLAN_EXTRA_CAPABILITY\""),
        ("10-fire-rating-coverage", "rating coverage", "on the left", "\"CODE_CTX_FIELD\", \"PLAN_EXTRA_CAPABILITY\""),
        ("20-external-walls", "without a u-value", "", "\"CAPABILITY_UNDECLARED\""),
        ("30-colour-doors", "doors by fire rating", "", "\"CODE_SDK_METHOD\""),
        ("40-find-form", "with a form", "", "\"CODE_CTX_FIELD\""),
        ("50-follow-selection", "follows the selection", "", "\"CODE_CTX_FIELD\""),
    ];
    for (name, request, extra, first) in cases {
        let story = walk(name, request, extra);
        let lines: Vec<&str> = story.lines().collect();
        assert_eq!(lines.len(), 4, "{name}\n{story}");
        assert_eq!(lines[..2], ["plan []", &format!("0 check [{first}]")], "{name}\n{story}");
        assert!(lines[2].starts_with("1 tests [\"EXPECT_FAILED\""), "{name}\n{story}");
        assert_eq!(lines[3], "2 tests []", "{name}\n{story}");
    }
}

#[test]
fn never_right() {
    insta::assert_snapshot!(walk("60-escape-routes", "escape route", ""), @r#"
    plan []
    0 check ["CODE_CTX_FIELD"]
    1 tests ["EXPECT_FAILED"]
    2 tests ["EXPECT_FAILED"]
    3 tests ["TEST_THREW"]
    4 tests ["EXPECT_FAILED"]
    "#);
}

#[test]
fn refused_in_prose() {
    let story = walk("70-print-drawings", "print the drawings", "");
    assert!(story.starts_with("plan []\n0 reply [\"REPLY_EMPTY\"]\n"), "{story}");
}

#[test]
fn cut_and_continued() {
    insta::assert_snapshot!(walk("80-doors-by-width", "doors by width", ""), @r#"
    plan []
    0 cut in src/list.js
    0 tests []
    "#);
}
