//! A request that is answered once: the road of its script, and the ways to a tool.

use holdpoint_sdk::run::{Failure, Outcome, Place};

use super::*;
use crate::planning::RunWork;
use crate::script::{self, Promotion, SCRIPT};

const COUNTS: &str = "const doors = bim.query.byType(\"IfcDoor\");\nreturn doors.length;";

/// A reply with one script.
pub fn reply(source: &str) -> String {
    format!("```hp:file path=\"{SCRIPT}\"\n{source}\n```\n")
}

/// The bundle that a script becomes.
pub fn promoted() -> Files {
    let source = COUNTS.to_owned();
    script::promote(&Promotion { source, name: "Door count".to_owned(), ..Promotion::default() }).files.unwrap()
}

fn said(source: &str) -> Value {
    json!({"type": "Reply", "reply": reply(source)})
}

/// What the sandbox says of a script.
fn ran(source: &str, outcome: &Outcome) -> Value {
    let files = Files::from([(SCRIPT.to_owned(), source.to_owned())]);
    json!({"type": "TestsDone", "tests": [script::ran(&files, &json!({"outcome": outcome, "ms": 12.0, "model": "house.ifc"}))]})
}

fn answers(value: Value) -> Value {
    ran(COUNTS, &Outcome { value: Some(value), ..Outcome::default() })
}

fn once(bodies: &[Value]) -> Run {
    let asked = [json!({"type": "Asked", "text": "how many doors are there?"}), json!({"type": "RunOnce"})];
    replay(&[&asked, bodies].concat())
}

fn effects(run: &mut Run, body: Value) -> Vec<Effect> {
    run.step(&event(90_000, body))
}

#[test]
fn a_question_is_answered_by_a_script_that_runs_at_once() {
    let run = once(&[]);
    let request = &run.call.as_ref().unwrap().request;
    assert_eq!((request.purpose, request.attempt), (Purpose::Script, Some(0)));
    assert!(run.view().tokens.held > 0 && run.view().plan.is_none());
    let prompt = run.messages(&Session::default()).unwrap().unwrap();
    assert!(prompt.messages[1].content.contains("TASK: script."));

    let mut run = once(&[said(COUNTS)]);
    assert_eq!(run.state(), StateName::Testing);
    let shown = effects(&mut run, answers(json!(7)));
    assert!(matches!(shown[..], [Effect::CloseRun, Effect::ShowAnswer { .. }]));
    let view = run.view();
    assert_eq!((view.state, view.work, view.attempts_max), (StateName::Answered, RunWork::Script, 3));
    assert_eq!(view.tests[0].more["answer"]["figure"], 7.0);
    assert!(view.review.is_none() && view.versions.is_empty());
    let [reads] = &view.capabilities[..] else { panic!("one permission") };
    assert_eq!((reads.capability.as_str(), reads.places[0].line), ("model.read", Some(1)));
}

#[test]
fn a_script_may_read_the_model_and_nothing_else() {
    let run = once(&[said("bim.viewer.select(bim.query.byType(\"IfcDoor\"));\nreturn 1;")]);
    assert_eq!(run.state(), StateName::Generating, "it is written again");
    let finding = &run.view().attempts[0].findings[0];
    assert_eq!(finding.diagnostic.code, "CAPABILITY_UNDECLARED");
    assert_eq!(finding.diagnostic.path.as_deref(), Some(SCRIPT));
    let prompt = run.messages(&Session::default()).unwrap().unwrap();
    let told = &prompt.messages[1].content;
    assert!(
        told.contains("bim.viewer.select") && told.contains("CAPABILITY_UNDECLARED") && told.contains("TASK: script.")
    );
    // A bundle is no script.
    let run = once(&[json!({"type": "Reply", "reply": bundle("")})]);
    let codes: Vec<_> = run.view().attempts[0].findings.iter().map(|it| it.diagnostic.code.to_string()).collect();
    assert_eq!(codes, ["PATH_NOT_ALLOWED", "PATH_NOT_ALLOWED", "SCRIPT_MISSING"]);
}

#[test]
fn a_script_that_throws_is_mended_at_its_own_line() {
    let failure = Failure {
        code: "THREW".to_owned(),
        name: Some("TypeError".to_owned()),
        message: "cannot read `length` of undefined".to_owned(),
        at: Some(Place { path: "src/run.js".to_owned(), line: 5, column: 8 }),
        ..Failure::default()
    };
    let threw = ran(COUNTS, &Outcome { failure: Some(failure), ..Outcome::default() });
    let run = once(&[said(COUNTS), threw.clone()]);
    assert_eq!(run.state(), StateName::Generating);
    let finding = &run.view().attempts[0].findings[0];
    assert_eq!((&*finding.diagnostic.code, finding.snippet[1].number, &finding.test), ("THREW", 2, &None));
    assert!(finding.diagnostic.message.contains("src/script.js:2:8"));

    let empty = ran(COUNTS, &Outcome { value: Some(Value::Null), ..Outcome::default() });
    let run = once(&[said(COUNTS), threw.clone(), said("return;"), empty.clone(), said("return null;"), empty]);
    let view = run.view();
    assert_eq!((view.state, view.reason), (StateName::Failed, Some(FailureReason::Attempts)));
    assert_eq!(view.attempts.len(), 3, "two repairs and no more");
    assert_eq!(view.attempts[2].findings[0].diagnostic.code, "ANSWER_EMPTY");
    let mut run = run;
    let again = effects(&mut run, json!({"type": "Retry"}));
    assert!(matches!(again[..], [Effect::OpenRun, Effect::CallModel(_)]));
}

#[test]
fn replies_as_models_write_them() {
    for fence in ["```js", "```javascript", "~~~js", "```hp:file", "```ts"] {
        let mark = &fence[..3];
        let words = format!("Here it is:\n\n{fence}\n{COUNTS}\n{mark}\n");
        let run = once(&[json!({"type": "Reply", "reply": words})]);
        assert_eq!(run.state(), StateName::Testing, "{fence}");
        assert_eq!(run.files()[SCRIPT].trim_end(), COUNTS);
    }
    let words = once(&[json!({"type": "Reply", "reply": "Which doors are meant: those of the escape route?"})]);
    let view = words.view();
    assert_eq!(view.state, StateName::Failed);
    assert_eq!(view.answer.as_deref(), Some("Which doors are meant: those of the escape route?"));
    let nothing = once(&[json!({"type": "Reply", "reply": ""})]);
    assert_eq!((nothing.state(), nothing.view().answer), (StateName::Generating, None));
}

#[test]
fn a_script_that_ran_becomes_a_tool_without_a_model() {
    let mut run = once(&[said(COUNTS), answers(json!(7))]);
    let shown = effects(&mut run, json!({"type": "Promote", "files": promoted()}));
    assert!(matches!(shown[..], [Effect::RunTests { .. }]), "no model is asked: {shown:?}");
    let shown = effects(&mut run, json!({"type": "TestsDone", "tests": []}));
    assert!(matches!(shown[..], [Effect::ShowReview { .. }]));
    let view = run.view();
    assert_eq!((view.state, view.work, view.approved_at), (StateName::Review, RunWork::Promoted, None));
    assert_eq!(view.versions.len(), 1, "the script is no version of it");
    assert_eq!(view.review.unwrap().confirmation, Confirmation::Click);
    let shown = effects(&mut run, json!({"type": "Install"}));
    assert_eq!(shown, [Effect::Apply]);
    // One that failed, or runs, is no tool yet.
    let mut early = once(&[said(COUNTS)]);
    assert!(effects(&mut early, json!({"type": "Promote", "files": promoted()})).is_empty());
}

#[test]
fn a_script_is_edited_and_run_again_by_hand() {
    let edit = |source: &str| json!({"type": "HandEdit", "files": {SCRIPT: source}});
    let mut run = once(&[said(COUNTS), answers(json!(7))]);
    assert!(matches!(effects(&mut run, edit("return 1;"))[..], [Effect::RunTests { .. }]));
    assert!(effects(&mut run, answers(json!(1))).iter().all(|one| matches!(one, Effect::ShowAnswer { .. })));
    assert_eq!((run.state(), run.files()[SCRIPT].as_str()), (StateName::Answered, "return 1;"));
    let failed = effects(&mut run, edit("return window;"));
    assert!(matches!(failed[..], [Effect::ShowFailure { reason: FailureReason::Hand, .. }]), "no model is asked");
    assert_eq!(run.view().edited.unwrap()[SCRIPT], "return window;");
}

#[test]
fn just_run_it_once_and_back_asks_nothing_twice() {
    let asked = bodies()[0].clone();
    let plan = bodies()[1].clone();
    let mut run = replay(&[asked, plan]);
    assert!(matches!(effects(&mut run, json!({"type": "RunOnce"}))[..], [Effect::Reroute { .. }]));
    assert!(matches!(effects(&mut run, json!({"type": "RunOnce"}))[..], [Effect::OpenRun, Effect::CallModel(_)]));
    effects(&mut run, said(COUNTS));
    effects(&mut run, answers(json!(7)));
    assert_eq!(run.state(), StateName::Answered);
    let back = effects(&mut run, json!({"type": "AsTool"}));
    assert!(matches!(back[..], [Effect::ShowPlan { ok: true, .. }]), "the plan that stood is there again: {back:?}");
    assert_eq!((run.state(), run.work), (StateName::Gate, RunWork::Bundle));
    let hash = planning().plan_hash(run.planning.plan.as_ref().unwrap());
    effects(&mut run, json!({"type": "Approved", "plan_hash": hash}));
    assert_eq!(run.state(), StateName::Generating);
    assert_eq!(run.call.as_ref().unwrap().request.purpose, Purpose::Generate);
    let question = &mut once(&[said(COUNTS), answers(json!(7))]);
    effects(question, json!({"type": "AsTool"}));
    assert_eq!(question.state(), StateName::Planning, "a question without a plan gets one");
}

#[test]
fn what_a_script_saw_of_the_model_is_not_told() {
    let failure = Failure {
        code: "THREW".to_owned(),
        name: Some("Secret room 7".to_owned()),
        message: "the safe is behind wall W-7".to_owned(),
        at: Some(Place { path: "src/run.js".to_owned(), line: 5, column: 8 }),
        ..Failure::default()
    };
    let logs = vec![holdpoint_sdk::run::LogEntry { level: "info".into(), text: "every name of the model".into() }];
    let threw = ran(COUNTS, &Outcome { failure: Some(failure), logs, ..Outcome::default() });
    let run = once(&[said(COUNTS), threw]);
    let prompt = run.messages(&Session::default()).unwrap().unwrap();
    let told = &prompt.messages[1].content;
    for secret in ["Secret room", "behind wall", "every name"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    assert!(told.contains("THREW") && told.contains("return doors.length"), "its code and its line are told: {told}");
    let shown = &run.view().attempts[0].findings[0].diagnostic.message;
    assert!(shown.contains("behind wall"), "the person sees it");
}

#[test]
fn an_answer_that_stood_is_there_again() {
    let answered = || once(&[said(COUNTS), answers(json!(7))]);
    let again = json!({"type": "HandEdit", "files": {SCRIPT: format!("{COUNTS}\n")}});
    let stopped = ran(COUNTS, &Outcome { failure: Some(Failure::default()), ..Outcome::default() });
    let ways: [&[Value]; 5] = [
        &[again.clone(), stopped],
        &[again, json!({"type": "Cancel"})],
        &[json!({"type": "Promote", "files": promoted()}), json!({"type": "Cancel"})],
        &[
            json!({"type": "Promote", "files": promoted()}),
            json!({"type": "TestsDone", "tests": []}),
            json!({"type": "Discard"}),
        ],
        &[json!({"type": "AsTool"}), bodies()[1].clone(), json!({"type": "Cancel"})],
    ];
    for way in ways {
        let mut run = answered();
        for body in way {
            effects(&mut run, body.clone());
        }
        let view = run.view();
        assert_eq!((view.state, view.work), (StateName::Answered, RunWork::Script), "{way:?}");
        assert_eq!(view.tests[0].more["answer"]["figure"], 7.0, "{way:?}");
    }
    let mut first = once(&[]);
    effects(&mut first, json!({"type": "Cancel"}));
    assert_eq!(first.state(), StateName::Cancelled, "no answer stood");
}

#[test]
fn a_promoted_tool_that_a_person_edits_needs_tests() {
    let mut run = once(&[said(COUNTS), answers(json!(7))]);
    effects(&mut run, json!({"type": "Promote", "files": promoted()}));
    effects(&mut run, json!({"type": "TestsDone", "tests": []}));
    let mut files = promoted();
    let manifest = files["manifest.json"].replace("Door count", "Doors");
    files.insert("manifest.json".to_owned(), manifest);
    let failed = effects(&mut run, json!({"type": "HandEdit", "files": files}));
    assert!(matches!(failed[..], [Effect::ShowFailure { reason: FailureReason::Hand, .. }]));
    let view = run.view();
    assert_eq!(view.answer, None);
    assert_eq!(view.attempts.last().unwrap().findings[0].diagnostic.code, "TEST_MISSING");
    assert!(view.edited.is_some(), "the edit is kept");
    assert!(effects(&mut run, json!({"type": "Retry"})).is_empty(), "no plan is asked for behind it");
}

#[test]
fn a_change_that_is_run_once_begins_with_no_file_of_its_base() {
    let base: Files = promoted();
    let asked = json!({"type": "Asked", "text": "update the door count tool to count windows",
        "context": {"extensions": [{"id": "local.tools.door-count", "name": "door count"}]}});
    let plan = bodies()[1].clone();
    let once = json!({"type": "RunOnce"});
    let bodies = [asked, plan, once.clone(), once, said(COUNTS)];
    let events: Vec<Event> = bodies.iter().enumerate().map(|(n, body)| event(n as u64 * 1_000, body.clone())).collect();
    let mut run = Run::replay(planning(), base.clone(), &events).0;
    assert_eq!(run.state(), StateName::Testing, "{:?}", run.view().attempts);
    effects(&mut run, answers(json!(7)));
    let mut files = promoted();
    let other = files["manifest.json"].replace("local.tools.door-count", "local.tools.other");
    files.insert("manifest.json".to_owned(), other);
    effects(&mut run, json!({"type": "Promote", "files": files}));
    effects(&mut run, json!({"type": "TestsDone", "tests": []}));
    let view = run.view();
    assert_eq!((view.state, view.base.len()), (StateName::Review, 0), "a new tool changes nothing that is installed");
    assert_eq!(view.review.unwrap().base_hash, None);
}

#[test]
fn files_of_a_person_have_no_clock() {
    let mut run = once(&[said(COUNTS), answers(json!(7))]);
    run.step(&event(9_000_000, json!({"type": "HandEdit", "files": {SCRIPT: COUNTS}})));
    assert_eq!((run.state(), run.view().total_deadline_at), (StateName::Testing, None));
}
