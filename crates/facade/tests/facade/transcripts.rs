//! The stored transcripts, driven through the authoring run as the page drives it: prompts, replies, autofixes, check and
//! tests are the product's own, and the model's turn is the scripted server's.

use std::collections::VecDeque;
use std::fmt::Write as _;

use holdpoint_engine::Files;
use holdpoint_kind_extension::planning::{Planning as _, Purpose, Session};
use holdpoint_kind_extension::prompts::EXAMPLE;
use holdpoint_kind_extension::run::{
    Effect, Event, EventKind, Reply, Run, SCRIPT_PROFILE, StateName, TestFirst, TestResult,
};
use holdpoint_kind_extension::script::{self, ScriptAnswer};
use holdpoint_kind_extension::testing::{self, HostCall, TestReport};
use holdpoint_model::fixtures;
use holdpoint_provider::Transcript;
use holdpoint_sandbox::{ModelFile, OpenError, Sandbox};
use holdpoint_sdk::run::{self, Outcome, Profile, Program};
use serde_json::{Value, json};

/// Between two events of a log, in milliseconds.
const STEP_MS: u64 = 1_000;

/// What the scripted model has of a transcript.
fn transcript(name: &str) -> Vec<Transcript> {
    let path = format!("{}/../../fixtures/transcripts/{name}.json", env!("CARGO_MANIFEST_DIR"));
    holdpoint_provider::load(&[path.into()]).unwrap()
}

fn tested(files: &Files) -> TestReport {
    let one = |run: &run::TestRun| -> Result<Outcome, String> {
        let text = match &run.content {
            Some(content) => fixtures::synthetic(content)?,
            None => fixtures::write(&run.fixture).map_err(|error| format!("{error:?}"))?,
        };
        let sandbox = on(&run.fixture, text).map_err(|error| format!("{error:?}"))?;
        Ok(sandbox.run(&run.program))
    };
    testing::test(files, Profile::DryRun, |runs| runs.iter().map(one).collect::<Result<Vec<_>, _>>()).unwrap()
}

/// A sandbox with one model.
fn on(name: &str, text: String) -> Result<Sandbox, OpenError> {
    let mut sandbox = Sandbox::new("2026-01-01T00:00:00.000Z");
    sandbox.open(ModelFile { name: name.to_owned(), bytes: text.into_bytes() })?;
    Ok(sandbox)
}

/// What a script says of a fixture, with what the page lets it do.
fn answered(files: &Files) -> TestResult {
    let call = script::call(files).unwrap();
    let asked = HostCall::Command { id: call.command, args: None };
    let program = testing::call(&call.files, &asked, "en").ok().flatten().unwrap().program;
    let grants = call.granted.map(str::to_owned).into();
    let sandbox = on("office-fire", fixtures::write("office-fire").unwrap()).unwrap();
    let outcome = sandbox.run(&Program { grants, ..program });
    script::ran(files, &json!({"outcome": outcome, "ms": 1.0, "model": "office-fire"}))
}

/// Walks a request until the run waits for a person's signature or ends; `edit` may change the plan before it is signed.
fn walk(name: &str, request: &str, edit: impl Fn(&mut Value) -> bool) -> Run {
    let mut run = Run::start(&holdpoint_kind_extension::IfcExtension, Files::new());
    let asked = EventKind::Asked { text: request.to_owned(), context: None };
    drive(&mut run, name, asked, edit);
    run
}

/// What a person does with a run, and everything that follows until the next person is asked.
fn drive(run: &mut Run, name: &str, event: EventKind, edit: impl Fn(&mut Value) -> bool) {
    let turns = transcript(name);
    let mut at = run.view().updated_at;
    let mut step = |run: &mut Run, kind: EventKind| {
        at += STEP_MS;
        run.step(&Event { at, kind })
    };
    let mut effects = VecDeque::from(step(run, event));
    let mut edited = false;
    while let Some(effect) = effects.pop_front() {
        let event = match effect {
            Effect::CallModel(_) => {
                let prompt = run.messages(&Session::default()).unwrap().unwrap();
                let message = &prompt.messages.last().unwrap().content;
                let said = holdpoint_provider::said(&turns, message);
                let (text, finish) = said.unwrap_or_else(|| panic!("{name} has no turn for: {message}"));
                let (reply, finish_reason) = (Some(text), Some(finish));
                EventKind::Reply(Reply { reply, finish_reason, ..Reply::default() })
            }
            Effect::Reroute { .. } => EventKind::RunOnce,
            Effect::RunTests { profile, .. } if profile == SCRIPT_PROFILE => {
                EventKind::TestsDone { tests: vec![answered(run.files())] }
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
        effects.extend(step(run, event));
    }
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
    let left = (REQUESTS[0].0, "Add a panel that shows fire-rating coverage by storey, on the left");
    for (name, request) in REQUESTS[..5].iter().copied().chain([left]) {
        let run = walk(name, request, |_| false);
        let story = story(&run);
        let verdicts: Vec<&str> = story.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(verdicts, ["CheckFailed", "TestsFailed", "Passed", "Review"], "{request}\n{story}");
    }
}

#[test]
fn what_a_person_says_is_wrong_becomes_a_test_and_then_a_repair() {
    let mut run = walk(REQUESTS[0].0, REQUESTS[0].1, |_| false);
    let text = "In Fire rating coverage, Level 1 · Rated shows 22. It should have been 20.".to_owned();
    let files = run.files().clone();
    let wrong = EventKind::Repair { text, files, changelog: None, test: Some(TestFirst::Then) };
    drive(&mut run, "09-fire-rating-is-wrong", wrong, |_| false);
    assert_eq!(story(&run), "TestsFailed EXPECT_FAILED\nPassed\nReview None");
    assert!(run.files()["manifest.json"].contains("a placeholder is no rating"));
}

#[test]
fn each_question_is_answered_and_the_answer_counts_what_is_there() {
    let questions = [
        ("How many doors are there?", "doors."),
        ("How many windows are there?", "windows."),
        ("Hur många dörrar finns det?", "dörrar."),
        ("Which walls have no fire rating?", "walls have no fire rating."),
        ("Which doors are without a fire rating?", "doors have no fire rating."),
        ("Which is the largest room?", "spaces"),
    ];
    for (question, said) in questions {
        let view = walk("90-questions", question, |_| false).view();
        assert_eq!(view.state, StateName::Answered, "{question}: {:?}", view.attempts);
        let answer: ScriptAnswer = serde_json::from_value(view.tests[0].more["answer"].clone()).unwrap();
        assert!(answer.text.contains(said), "{question}: {}", answer.text);
        let rows = &answer.tables[0];
        if let Some(figure) = answer.figure.filter(|_| rows.of_elements) {
            assert_eq!(rows.total.to_string(), figure.to_string(), "{question}");
        }
    }
    let repaired = walk("90-questions", "Which is the largest room?", |_| false).view();
    assert_eq!(repaired.attempts.len(), 2, "its first script names a quantity without its set");
}

/// What people ask, and the transcript that answers.
const REQUESTS: [(&str, &str); 6] = [
    ("10-fire-rating-coverage", "Add a panel that shows fire-rating coverage by storey"),
    ("20-external-walls", "Make a button that selects external walls without a U-value"),
    ("30-colour-doors", "Add a button that colours doors by fire rating: EI 30, EI 60, none"),
    ("40-find-form", "Add a panel with a form to find elements"),
    ("50-follow-selection", "Add a panel that follows the selection"),
    ("80-doors-by-width", "Add a panel that lists doors by width"),
];

/// What a person may do to a plan on its card: each change of it, as the card writes it.
fn edits(plan: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let parts = plan["contributions"].as_array().unwrap();
    for (at, part) in parts.iter().enumerate() {
        let (kind, id) = (&part["kind"], part["id"].as_str().unwrap());
        let used = |other: &Value| kind == "command" && other["command"] == part["id"];
        let mut without = plan.clone();
        without["contributions"] = parts.iter().filter(|other| *other != part && !used(other)).cloned().collect();
        let tests = without["tests"].as_array_mut().unwrap();
        let mut declined = vec![json!({"kind": kind, "id": id})];
        if kind == "command" {
            declined
                .extend(parts.iter().filter(|other| used(other)).map(|it| json!({"kind": it["kind"], "id": it["id"]})));
            let mine = tests.iter().filter(|test| test["contribution"] == id);
            declined.extend(mine.map(|test| json!({"kind": "test", "id": test["name"]})));
            tests.retain(|test| test["contribution"] != id);
        }
        let left = |path: &Value| without["contributions"].as_array().unwrap().iter().any(|it| it["widget"] == *path);
        let widgets: Value =
            plan["widgets"].as_array().unwrap().iter().filter(|it| left(&it["path"])).cloned().collect();
        without["widgets"] = widgets;
        without["declined"] = declined.into();
        all.push((format!("without {kind} {id}"), without));

        let mut renamed = plan.clone();
        let name = format!("Mine {at}");
        for other in renamed["contributions"].as_array_mut().unwrap() {
            if other["id"] == part["id"] && other["kind"] == *kind {
                other["label"] = json!(name);
                other["labelPinned"] = json!(true);
            }
        }
        all.push((format!("{id} is called {name}"), renamed));
        for slot in ["left", "bottom", "right"] {
            let Some((place, _)) = part["slot"].as_str().and_then(|slot| slot.split_once('.')) else { continue };
            let mut moved = plan.clone();
            moved["contributions"][at]["slot"] = json!(format!("{place}.{slot}"));
            all.push((format!("{id} stands {slot}"), moved));
        }
    }
    for (at, test) in plan["tests"].as_array().unwrap().iter().enumerate() {
        for fixture in ["house-small", "office-fire", "empty-model"] {
            let mut other = plan.clone();
            other["tests"][at]["fixture"] = json!(fixture);
            all.push((format!("{} on {fixture}", test["name"]), other));
        }
        let mut without = plan.clone();
        without["tests"].as_array_mut().unwrap().remove(at);
        without["declined"] = json!([{"kind": "test", "id": test["name"]}]);
        all.push((format!("without the test {}", test["name"]), without));
        let mut worded = plan.clone();
        worded["tests"][at]["assertionSummary"] = json!("Something else altogether");
        all.push((format!("other words for {}", test["name"]), worded));
    }
    all
}

/// Whatever a person does to a plan: what is reviewed is as in the plan, or the model says that it cannot follow it.
#[test]
fn an_edited_plan_is_followed_or_refused_in_words() {
    let planning = &holdpoint_kind_extension::IfcExtension;
    let (mut followed, mut refused) = (0, 0);
    for (name, request) in REQUESTS {
        let plan = walk(name, request, |_| false).approved_plan().cloned().unwrap();
        for (what, edited) in edits(&plan) {
            if !planning.check_plan(&edited, None, None).ok {
                continue; // It could not be approved.
            }
            let run = walk(name, request, |plan| {
                plan.clone_from(&edited);
                true
            });
            let view = run.view();
            let told = format!("{name}, {what}\n{}\n{:?}", story(&run), view.replies.last());
            if view.state == StateName::Review {
                let found = view.review.unwrap().diagnostics;
                assert!(!found.iter().any(|one| one.code.starts_with("PLAN_")), "{told}\n{found:?}");
                followed += 1;
            } else {
                let words = &view.replies.last().unwrap().text;
                assert!(words.starts_with("I cannot follow this plan"), "{told}");
                refused += 1;
            }
        }
    }
    assert!(followed > 50 && refused > 10, "{followed} followed, {refused} refused");
}

#[test]
fn what_the_edited_plan_left_out_is_in_no_file() {
    let (name, request) = REQUESTS[0];
    let run = walk(name, request, |plan| {
        let without = edits(plan).into_iter().find(|(what, _)| what.contains("coverage.export")).unwrap().1;
        plan.clone_from(&without);
        true
    });
    assert_eq!(run.view().state, StateName::Review, "{}", story(&run));
    assert!(run.files().values().all(|text| !text.to_lowercase().contains("csv")), "{:?}", run.files());
    assert!(!run.files().contains_key("src/export.js"));
}

/// A wish at the gate takes back nothing that a person decided there.
#[test]
fn another_plan_keeps_what_was_taken_out() {
    let (name, request) = REQUESTS[0];
    let turns = transcript(name);
    let planning = &holdpoint_kind_extension::IfcExtension;
    let mut run = Run::start(planning, Files::new());
    let answer = |run: &mut Run, at: u64| {
        let prompt = run.messages(&Session::default()).unwrap().unwrap();
        let (text, _) = holdpoint_provider::said(&turns, &prompt.messages.last().unwrap().content).unwrap();
        run.step(&Event { at, kind: EventKind::Reply(Reply { reply: Some(text), ..Reply::default() }) });
    };
    run.step(&Event { at: 0, kind: EventKind::Asked { text: request.to_owned(), context: None } });
    answer(&mut run, 1);
    let plan = run.view().plan.unwrap().plan;
    let (_, without) = edits(&plan).into_iter().find(|(what, _)| what.contains("coverage.export")).unwrap();
    run.step(&Event { at: 2, kind: EventKind::PlanEdited { plan: without } });
    run.step(&Event { at: 3, kind: EventKind::Adjust { text: "Put it on the left".to_owned() } });
    answer(&mut run, 4);
    let plan = run.view().plan.unwrap().plan;
    let ids: Vec<&str> =
        plan["contributions"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["fire.coverage.table", "fire.coverage.panel"]);
    assert_eq!(plan["contributions"][1]["slot"], "dock.left");
    assert_eq!(plan["declined"].as_array().unwrap().len(), 2, "it stays said, so that the bundle is judged by it");
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

/// The example in the prompt passes its check and its tests (spec: authoring.md §4, section 10).
#[test]
fn the_example_passes() {
    let files: Files = EXAMPLE.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let report = tested(&files);
    assert!(report.ok && !report.tests.is_empty(), "{report:?}");
}
