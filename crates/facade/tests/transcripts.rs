//! The stored transcripts, driven through the authoring run as the page drives it: prompts, replies, autofixes, check and
//! tests are the product's own; only the model's turn is chosen here, by the words of the prompt as the server chooses it.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail it")]

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;

use holdpoint_author::Files;
use holdpoint_author::run::{Effect, Event, EventKind, Reply, Run, StateName};
use holdpoint_kinds::ifc_extension::prompts::{BUILT, EXAMPLE};
use holdpoint_kinds::ifc_extension::testing::{self, TestReport};
use holdpoint_kinds::planning::{Purpose, Session};
use holdpoint_model::{Model, fixtures};
use holdpoint_sandbox::Sandbox;
use holdpoint_sdk::run::{self, Outcome, Profile};
use serde_json::{Value, json};

/// Between two events of a log, in milliseconds.
const STEP_MS: u64 = 1_000;

/// A turn's words and reply.
struct Turn {
    words: Vec<String>,
    text: String,
    finish: String,
}

fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn turns(name: &str) -> Vec<Turn> {
    let path = format!("{}/../../fixtures/transcripts/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let transcript: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let turn = |turn: &Value| Turn {
        words: turn["when"]["last_user_contains"].as_array().unwrap().iter().map(|word| folded(&text(word))).collect(),
        text: text(&turn["reply"]["text"]),
        finish: turn["reply"]["finish"].as_str().unwrap_or("stop").to_owned(),
    };
    transcript["turns"].as_array().unwrap().iter().map(turn).collect()
}

fn tested(files: &Files) -> TestReport {
    let one = |run: &run::TestRun| -> Result<Outcome, String> {
        let text = fixtures::write(&run.fixture).map_err(|error| format!("{error:?}"))?;
        let model = Model::open(text, &run.fixture).map_err(|error| format!("{error:?}"))?;
        Ok(Sandbox::new(vec![model], "2026-01-01T00:00:00.000Z").run(&run.program))
    };
    testing::test(files, Profile::DryRun, |runs| runs.iter().map(one).collect::<Result<Vec<_>, _>>()).unwrap()
}

/// Walks a request until the run waits for a person's signature or ends; `edit` may change the plan before it is signed.
fn walk(name: &str, request: &str, edit: impl Fn(&mut Value) -> bool) -> Run {
    let turns = turns(name);
    let planning = holdpoint_kinds::find("ifc-extension").and_then(|kind| kind.parts().planning).unwrap();
    let mut run = Run::start(planning, Files::new());
    let mut at = 0;
    let mut step = |run: &mut Run, kind: EventKind| {
        at += STEP_MS;
        run.step(&Event { at, kind })
    };
    let asked = EventKind::Asked { text: request.to_owned(), context: None };
    let mut effects = VecDeque::from(step(&mut run, asked));
    let mut edited = false;
    while let Some(effect) = effects.pop_front() {
        let event = match effect {
            Effect::CallModel(_) => {
                let prompt = run.messages(&Session::default()).unwrap().unwrap();
                let message = folded(&prompt.messages.last().unwrap().content);
                let turn = turns.iter().find(|turn| turn.words.iter().all(|word| message.contains(word)));
                let turn = turn.unwrap_or_else(|| panic!("{name} has no turn for: {message}"));
                let (reply, finish_reason) = (Some(turn.text.clone()), Some(turn.finish.clone()));
                EventKind::Reply(Reply { reply, finish_reason, ..Reply::default() })
            }
            Effect::RunTests { .. } => {
                let tests = json!(tested(run.files()).tests);
                EventKind::TestsDone { tests: serde_json::from_value(tests).unwrap() }
            }
            Effect::ShowPlan { plan_hash, ok } => {
                assert!(ok, "{name}: {:?}", run.view().plan);
                let mut plan = run.view().plan.unwrap().plan;
                if !edited && edit(&mut plan) {
                    edited = true;
                    EventKind::PlanEdited { plan }
                } else {
                    EventKind::Approved { plan_hash }
                }
            }
            _ => continue,
        };
        effects.extend(step(&mut run, event));
    }
    run
}

/// The attempts of a run, one line each: verdict and codes of the errors, once each.
fn story(run: &Run) -> String {
    let view = run.view();
    let mut story = String::new();
    for attempt in &view.attempts {
        let errors = attempt.findings.iter().filter(|finding| finding.diagnostic.is_error());
        let mut codes: Vec<&str> = errors.map(|finding| finding.diagnostic.code.as_ref()).collect();
        codes.dedup();
        let line = format!("{:?} {}", attempt.verdict, codes.join(" "));
        writeln!(story, "{}", line.trim_end()).unwrap();
    }
    write!(story, "{:?} {:?}", view.state, view.reason).unwrap();
    story
}

#[test]
fn each_request_fails_its_check_then_a_test_then_passes() {
    let cases = [
        ("10-fire-rating-coverage", "Add a panel that shows fire-rating coverage by storey"),
        ("10-fire-rating-coverage", "Add a panel that shows fire-rating coverage by storey, on the left"),
        ("20-external-walls", "Make a button that selects external walls without a U-value"),
        ("30-colour-doors", "Add a button that colours doors by fire rating: EI 30, EI 60, none"),
        ("40-find-form", "Add a panel with a form to find elements"),
        ("50-follow-selection", "Add a panel that follows the selection"),
    ];
    for (name, request) in cases {
        let run = walk(name, request, |_| false);
        let story = story(&run);
        let verdicts: Vec<&str> = story.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(verdicts, ["CheckFailed", "TestsFailed", "Passed", "Review"], "{request}\n{story}");
    }
}

#[test]
fn an_edited_plan_is_followed() {
    let left = |plan: &mut Value| {
        let dock =
            plan["contributions"].as_array_mut().unwrap().iter_mut().find(|part| part["kind"] == "dock").unwrap();
        dock["slot"] = json!("dock.left");
        true
    };
    let run = walk("10-fire-rating-coverage", "Add a panel that shows fire-rating coverage by storey", left);
    assert_eq!(run.view().state, StateName::Review, "{}", story(&run));
    assert!(run.files()["manifest.json"].contains("dock.left"));
}

#[test]
fn one_never_gets_right() {
    let run = walk("60-escape-routes", "Add a panel that checks escape routes", |_| false);
    insta::assert_snapshot!(story(&run), @r"
    CheckFailed CODE_CTX_FIELD
    TestsFailed EXPECT_FAILED
    TestsFailed EXPECT_FAILED
    TestsFailed TEST_THREW
    TestsFailed EXPECT_FAILED
    Failed Some(Attempts)
    ");
    assert!(run.view().best.is_some() && !run.files().is_empty(), "the best bundle is kept");
}

#[test]
fn one_is_refused_in_prose() {
    let run = walk("70-print-drawings", "Make a button to print the drawings", |_| false);
    insta::assert_snapshot!(story(&run), @r"
    ReplyFailed REPLY_EMPTY MANIFEST_MISSING PLAN_UNCHECKABLE
    ReplyFailed REPLY_EMPTY MANIFEST_MISSING PLAN_UNCHECKABLE
    Failed Some(Stalled)
    ");
    assert!(!run.view().replies.is_empty(), "the words of the model are kept");
}

#[test]
fn one_is_cut_and_continued() {
    let run = walk("80-doors-by-width", "Add a panel that lists doors by width", |_| false);
    insta::assert_snapshot!(story(&run), @r"
    Passed
    Review None
    ");
    let calls = run.view().replies.iter().filter(|reply| reply.purpose == Purpose::Continue).count();
    assert_eq!(calls, 1, "the cut file was asked for once more, in the same attempt");
}

/// The prompt's list of what works is the sandbox's.
#[test]
fn the_prompt_says_what_is_built() {
    // `ctx.fetch` answers in tests alone.
    let built: Vec<&str> = holdpoint_sandbox::built::members().filter(|path| *path != "ctx.fetch").collect();
    assert_eq!(BUILT.lines().collect::<Vec<_>>(), built);
}

/// The example in the prompt passes its check and its tests (spec: authoring.md §4, section 10).
#[test]
fn the_example_passes() {
    let files: Files = EXAMPLE.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let report = tested(&files);
    assert!(report.ok && !report.tests.is_empty(), "{report:?}");
}
