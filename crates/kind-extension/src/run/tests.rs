//! Laws of runs over random logs (spec: authoring.md §6); single rows are the corpus' (`run.replay`).

use holdpoint_sdk::capability::Confirmation;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::planning::{Purpose, Session};

use super::*;
use holdpoint_engine::attempt::Attempted as _;

mod failures;
mod once;
mod versions;
mod wrong;

fn planning() -> &'static dyn Planning {
    &crate::IfcExtension
}

fn plan() -> Value {
    json!({
        "summary": "Doors counter", "rationale": "Counts them.",
        "contributions": [{"kind": "command", "id": "doors.count", "label": "Count"}],
        "capabilities": ["model.read"], "triggers": [], "widgets": [],
        "tests": [{"name": "counts", "fixture": "house-small", "contribution": "doors.count", "assertionSummary": "7"}],
    })
}

fn manifest() -> Value {
    json!({
        "manifestVersion": 1, "id": "run.doors", "name": "Doors", "description": "Counts.", "version": "0.1.0",
        "engines": {"ifcLiteSdk": ">=1.0.0"}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"doors.count": "src/run.js"}},
        "contributes": {"commands": [{"id": "doors.count", "title": "Count"}]},
        "tests": [{"name": "counts", "command": "doors.count", "fixture": "house-small", "expect": {"equals": 7}}],
    })
}

fn code(extra: &str) -> String {
    format!("export default (ctx) => {{\n  {extra}\n  return ctx.bim.query.count(\"IfcDoor\");\n}};\n")
}

fn bundle(extra: &str) -> String {
    format!(
        "```hp:file path=\"manifest.json\"\n{}\n```\n```hp:file path=\"src/run.js\"\n{}```\n",
        manifest(),
        code(extra)
    )
}

/// The content hash of a bundle.
fn hash(extra: &str) -> String {
    let files = [("manifest.json", format!("{}\n", manifest())), ("src/run.js", code(extra))];
    holdpoint_bundle::content_hash(&files.map(|(path, text)| (path.to_owned(), text)).into())
}

fn event(at: u64, mut body: Value) -> Event {
    body["at"] = at.into();
    serde_json::from_value(body).expect("the tests write events correctly")
}

/// Every kind of event, good and bad replies among them.
fn bodies() -> Vec<Value> {
    let test = |ok: bool| {
        let diagnostics = if ok { json!([]) } else { json!([{"code": "EXPECT_FAILED", "pointer": "/tests/0/expect"}]) };
        json!({"type": "TestsDone", "tests": [{"name": "counts", "ok": ok, "diagnostics": diagnostics}]})
    };
    let files = json!({"manifest.json": manifest().to_string(), "src/run.js": code("")});
    let mut bodies = vec![
        json!({"type": "Asked", "text": "create a button that counts all doors"}),
        json!({"type": "Reply", "reply": format!("```hp:plan\n{}\n```\n", plan())}),
        json!({"type": "Approved", "plan_hash": planning().plan_hash(&plan())}),
        test(true),
        test(false),
        json!({"type": "TestsDone", "tests": []}),
        json!({"type": "HandEdit", "files": files}),
        json!({"type": "HandEdit", "files": {}}),
        json!({"type": "Adjust", "text": "put it left"}),
        json!({"type": "PlanEdited", "plan": {"summary": "x"}}),
        json!({"type": "AttemptTimeout", "partial": bundle("")}),
        json!({"type": "Refused", "code": "CONFLICT"}),
        json!({"type": "Stored", "revision_id": "r1"}),
        json!({"type": "Reply", "reply": bundle("")[..300].to_owned(), "finish_reason": "length"}),
    ];
    for reply in ["", "eval(\"1\");", "window.a;", "nope.b;"] {
        bodies.push(json!({"type": "Reply", "reply": bundle(reply)}));
    }
    bodies.push(json!({"type": "Reply", "reply": "I would rather not."}));
    bodies.push(json!({"type": "Choose", "result_hash": hash("")}));
    bodies.push(json!({"type": "Reply", "reply": once::reply("return bim.query.count(\"IfcDoor\");")}));
    bodies.push(json!({"type": "Promote", "files": once::promoted()}));
    bodies.push(json!({"type": "Asked", "text": "how many doors are there?"}));
    bodies.push(json!({"type": "Repair", "text": "It should be 5.", "files": files, "test": "then"}));
    for name in [
        "TransportError",
        "BudgetRefused",
        "TotalTimeout",
        "Cancel",
        "RunOnce",
        "AsTool",
        "Discard",
        "Retry",
        "AnotherVersion",
        "Install",
        "Queued",
    ] {
        bodies.push(json!({"type": name}));
    }
    bodies
}

/// Events that lead far more often than the others, so that random logs get somewhere.
fn log() -> impl Strategy<Value = Vec<Event>> {
    let bodies = bodies();
    let count = bodies.len();
    let index = prop_oneof![3 => 0..5usize, 3 => 12..18usize, 2 => 0..count];
    (prop::collection::vec((index, 0u64..40_000), 0..24), any::<bool>()).prop_map(move |(picks, straight)| {
        let mut at = 0;
        let lead = if straight { vec![0, 1, 2] } else { vec![] };
        lead.into_iter()
            .map(|index| (index, 1_000))
            .chain(picks)
            .map(|(index, step)| {
                at += step;
                event(at, bodies[index.min(count - 1)].clone())
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn laws(events in log()) {
        let base = Files::from([("README.md".to_owned(), "old\n".to_owned())]);
        let mut run = Run::start(planning(), base.clone());
        let (mut generations, mut opened, mut calls_open) = (0, 0, false);
        for event in &events {
            let before = run.clone();
            let effects = run.step(event);
            prop_assert_eq!(&run.base, &base, "the base never changes");
            for effect in &effects {
                match effect {
                    Effect::OpenRun => {
                        (generations, calls_open) = (0, true);
                        opened += 1;
                    }
                    Effect::CloseRun => calls_open = false,
                    Effect::CallModel(call) if matches!(call.purpose, Purpose::Generate | Purpose::Repair)
                        && event.kind != EventKind::TransportError => generations += 1,
                    _ => {}
                }
            }
            prop_assert!(generations <= 5, "at most five generations a run");
            if run.state() == StateName::Installed && before.state() != StateName::Installed {
                let installs = matches!(event.kind, EventKind::Install { .. });
                prop_assert!(installs && before.state() == StateName::Review);
                let shown = &run.attempts[run.current.unwrap()];
                prop_assert!(shown.check_ok() && shown.tests_pass());
                let mut mine = run.attempts[run.first()..].iter();
                prop_assert!(run.approved_plan().is_some() || mine.all(|one| one.id == AttemptId::HAND));
            }
            let signed = matches!(run.state(), StateName::Review | StateName::Installed);
            prop_assert!(!(signed && run.work == RunWork::Script), "a script is never reviewed");
            prop_assert!((run.state() == StateName::Answered) <= (run.work == RunWork::Script));
            let newly_opened = effects.contains(&Effect::OpenRun);
            let another = matches!(
                event.kind,
                EventKind::Choose { .. } | EventKind::Promote { .. } | EventKind::Cancel | EventKind::Discard
            );
            if let (Some(old), Some(new), false) = (before.best, run.best, newly_opened || another) {
                prop_assert!(run.attempts[new].rank() >= before.attempts[old].rank(), "best never gets worse");
            }
            if matches!(run.state(), StateName::Review | StateName::Failed | StateName::Cancelled) {
                prop_assert!(!calls_open, "every end closes the run");
            }
            let stays = |version: &VersionView| run.version(&version.result_hash).is_some();
            let counts = |version: &&VersionView| version.ok || version.number == AttemptId::HAND;
            prop_assert!(before.versions_view().iter().filter(counts).all(stays), "no version is ever lost");
            let waits = matches!(run.state(), StateName::Planning | StateName::Generating);
            prop_assert_eq!(run.call.is_some(), waits);
            prop_assert_eq!(run.messages(&Session::default()).is_some(), waits);
        }
        prop_assert!(opened <= events.len());
        let (again, effects) = Run::replay(planning(), base, &events);
        prop_assert_eq!(serde_json::to_string(&again.view()).unwrap(), serde_json::to_string(&run.view()).unwrap());
        prop_assert_eq!(effects.len(), events.len());
    }
}

fn replay(bodies: &[Value]) -> Run {
    let events: Vec<Event> = bodies.iter().enumerate().map(|(n, body)| event(n as u64 * 1_000, body.clone())).collect();
    Run::replay(planning(), Files::new(), &events).0
}

#[test]
fn words_instead_of_a_plan_are_shown() {
    let asked = bodies()[0].clone();
    let words = json!({"type": "Reply", "reply": "I only know five requests."});
    let view = replay(&[asked, words.clone(), words.clone(), words]).view();
    assert_eq!((view.state, view.reason), (StateName::Failed, Some(FailureReason::Plan)));
    assert_eq!(view.answer.as_deref(), Some("I only know five requests."));
    assert!(view.attempts.is_empty(), "words spend no attempts");
}

#[test]
fn the_view_of_a_repair() {
    let bodies = bodies();
    let [asked, plan, approved, passed, ..] = &bodies[..] else { unreachable!() };
    let broken = json!({"type": "Reply", "reply": bundle("eval(\"1\");"), "usage": {"input": 9_000, "output": 500}});
    let mended = json!({"type": "Reply", "reply": bundle("")});
    let events = [asked, plan, approved, &broken, &mended, passed].map(Clone::clone);
    let view = replay(&events).view();
    assert_eq!(view.state, StateName::Review);
    let verdicts: Vec<Verdict> = view.attempts.iter().map(|attempt| attempt.verdict).collect();
    assert_eq!(verdicts, [Verdict::CheckFailed, Verdict::Passed]);
    let finding = &view.attempts[0].findings[0];
    assert_eq!((&*finding.diagnostic.code, finding.snippet.len()), ("CODE_EVAL", 3));
    assert_eq!(view.capabilities[0].places[0].text, "bim.query.count");
    assert_eq!(view.review.unwrap().confirmation, Confirmation::Click);
    assert_eq!((view.tokens.input, view.tokens.left), (9_000, view.tokens.held - 9_500));
}

#[test]
fn host_fixes_spend_no_attempt() {
    let bodies = bodies();
    let [asked, plan, approved, ..] = &bodies[..] else { unreachable!() };
    let loose = bundle("").replace("\"activation\":[]", "\"activation\":[/* none */],").replace(",,", ",");
    let reply = json!({"type": "Reply", "reply": loose});
    let view = replay(&[asked, plan, approved, &reply].map(Clone::clone)).view();
    assert_eq!(view.state, StateName::Testing);
    assert_eq!(view.attempts[0].autofixes[0].code, "INVALID_JSON");
}

#[test]
fn a_hand_edit_that_fails_stays_beside_the_best_bundle() {
    let bodies = bodies();
    let [asked, plan, approved, passed, ..] = &bodies[..] else { unreachable!() };
    let good = json!({"type": "Reply", "reply": bundle("")});
    let edit = |extra: &str| {
        let files = json!({"manifest.json": manifest().to_string(), "src/run.js": code(extra)});
        json!({"type": "HandEdit", "files": files})
    };
    let view = replay(&[asked, plan, approved, &good, passed, &edit("window.a;")].map(Clone::clone)).view();
    assert_eq!((view.state, view.reason), (StateName::Failed, Some(FailureReason::Hand)));
    assert!(!view.files["src/run.js"].contains("window"), "the best bundle is the model's");
    assert!(view.edited.unwrap()["src/run.js"].contains("window.a;"));
    let mended = [asked, plan, approved, &good, passed, &edit("window.a;"), &edit("let a = 1;"), passed];
    let view = replay(&mended.map(Clone::clone)).view();
    assert_eq!((view.state, view.edited), (StateName::Review, None));
    assert!(view.files["src/run.js"].contains("let a = 1;"));
}

#[test]
fn a_failed_test_names_what_was_compared_and_the_file_that_threw() {
    let bodies = bodies();
    let [asked, plan, approved, ..] = &bodies[..] else { unreachable!() };
    let reply = json!({"type": "Reply", "reply": bundle("")});
    let wrong = json!({"type": "TestsDone", "tests": [
        {"name": "counts", "ok": false, "actual": {"rows": 3}, "diagnostics": [{
            "code": "EXPECT_FAILED", "path": "manifest.json", "pointer": "/tests/0/expect/equals",
            "args": {"operator": "equals", "expected": "7", "actual": "3"}}]},
        {"name": "other", "ok": false, "diagnostics": [{
            "code": "TEST_THREW", "path": "manifest.json", "pointer": "/tests/0", "args": {"file": "src/run.js"},
            "range": {"start": {"line": 2, "column": 3}, "end": {"line": 2, "column": 3}}}]},
    ]});
    let view = replay(&[asked, plan, approved, &reply, &wrong].map(Clone::clone)).view();
    let [compared, threw] = &view.attempts[0].findings[..] else { panic!("two findings") };
    assert_eq!((&compared.expected, &compared.actual), (&Some(json!(7)), &Some(json!(3))));
    assert_eq!((threw.diagnostic.path.as_deref(), threw.diagnostic.pointer.as_deref()), (Some("src/run.js"), None));
    assert_eq!(threw.snippet[1].mark.as_ref().map(|mark| mark.start), Some(3), "the snippet is of that file");
}

/// What the sheet of a log says, a word an entry.
fn sheet(bodies: &[Value]) -> Vec<String> {
    use crate::planning::SheetStep as S;
    let said = |step: &S| match step {
        S::Asked { text } => format!("asked {}", text.len()),
        S::Adjusted { text } => format!("adjusted {text}"),
        S::Plan { plan, edited, .. } => format!("plan {} {edited}", plan["summary"].as_str().unwrap_or_default()),
        S::Approved { .. } => "approved".to_owned(),
        S::Attempt(one) => {
            let found = one.finding.as_ref().map_or("", |finding| &finding.code);
            format!("attempt {:?} {} {}/{} {found}", one.number, one.ok, one.passed, one.tests)
        }
        S::Another => "another".to_owned(),
    };
    replay(bodies).view().sheet.iter().map(|entry| said(&entry.step).trim_end().to_owned()).collect()
}

#[test]
fn requests_plans_adjustments_versions_and_repairs_stay_on_the_sheet() {
    let bodies = bodies();
    let [asked, planned, _, passed, failed, ..] = &bodies[..] else { unreachable!() };
    let named = |summary: &str| {
        let mut plan = plan();
        plan["summary"] = summary.into();
        plan
    };
    let edited = |summary: &str| json!({"type": "PlanEdited", "plan": named(summary)});
    let approved = |summary: &str| json!({"type": "Approved", "plan_hash": planning().plan_hash(&named(summary))});
    let left = json!({"type": "Reply", "reply": format!("```hp:plan\n{}\n```\n", named("Left"))});
    let good = json!({"type": "Reply", "reply": bundle("")});
    let broken = json!({"type": "Reply", "reply": bundle("eval(\"1\");")});
    let adjust = json!({"type": "Adjust", "text": "put it left"});
    let another = json!({"type": "AnotherVersion"});
    let log = [
        asked.clone(),
        planned.clone(),
        adjust,
        left,
        edited("A"),
        edited("B"),
        approved("B"),
        broken,
        good.clone(),
        failed.clone(),
        good.clone(),
        passed.clone(),
        another,
        good,
        passed.clone(),
    ];
    let want = [
        "asked 37",
        "plan Doors counter false",
        "adjusted put it left",
        "plan Left false",
        "plan B true",
        "approved",
        "attempt Some(0) false 0/0 CODE_EVAL",
        "attempt Some(1) false 0/1 EXPECT_FAILED",
        "attempt Some(2) true 1/1",
        "another",
        "attempt Some(0) true 1/1",
    ];
    assert_eq!(sheet(&log), want);
    for end in 0..log.len() {
        let part = sheet(&log[..end]);
        let last = part.len().saturating_sub(1);
        assert_eq!(part[..last], want[..last], "what was entered stays, but for a plan that is edited on");
    }
}

#[test]
fn an_edit_that_is_taken_back_leaves_no_entry() {
    let bodies = bodies();
    let [asked, planned, ..] = &bodies[..] else { unreachable!() };
    let mut other = plan();
    other["summary"] = "x".into();
    let edited = |plan: Value| json!({"type": "PlanEdited", "plan": plan});
    let log = [asked.clone(), planned.clone(), edited(other), edited(plan())];
    assert_eq!(sheet(&log), ["asked 37", "plan Doors counter false"]);
    // What the state does not know leaves none either.
    let late = json!({"type": "Adjust", "text": "put it left"});
    assert_eq!(sheet(&[asked.clone(), late.clone(), late]), ["asked 37"]);
}

#[test]
fn files_that_a_person_brings_are_checked_tested_and_reviewed_without_a_plan_or_a_call() {
    let bodies = bodies();
    let brought = &bodies[6];
    assert_eq!(brought["type"], "HandEdit");
    let edit = &bodies[7];
    let events = [brought, &bodies[3]].map(Clone::clone);
    let (run, effects) = Run::replay(
        planning(),
        Files::new(),
        &events.iter().enumerate().map(|(at, body)| event(at as u64, body.clone())).collect::<Vec<_>>(),
    );
    assert_eq!(run.state(), StateName::Review);
    let calls = effects.iter().flatten().filter(|effect| matches!(effect, Effect::CallModel(_) | Effect::OpenRun));
    assert_eq!(calls.count(), 0);
    assert!(run.view().plan.is_none() && run.view().review.is_some());

    // Nobody planned it: no other version is written, and a bundle that fails its test is not asked for again.
    for (more, want) in [
        (vec![json!({"type": "AnotherVersion"})], StateName::Review),
        (vec![json!({"type": "Install"})], StateName::Installed),
        (vec![edit.clone()], StateName::Failed),
        (vec![edit.clone(), json!({"type": "Retry"})], StateName::Failed),
        (vec![edit.clone(), brought.clone(), bodies[3].clone()], StateName::Review),
        (vec![json!({"type": "Discard"})], StateName::Cancelled),
    ] {
        let log: Vec<Value> = events.iter().cloned().chain(more.clone()).collect();
        assert_eq!(replay(&log).state(), want, "{more:?}");
    }
    let failing = [brought.clone(), bodies[4].clone(), json!({"type": "Install"})];
    assert_eq!(replay(&failing).state(), StateName::Failed, "what fails its test cannot be installed");
}

#[test]
fn a_change_that_loses_an_approved_behaviour_is_repaired_before_review() {
    let mut before = manifest();
    before["tests"][0]["expect"] = json!({"equals": 7, "noEffect": true});
    let base = Files::from([("manifest.json".to_owned(), before.to_string()), ("src/run.js".to_owned(), code(""))]);
    let bodies = bodies();
    let [asked, planned, approved, passed, ..] = &bodies[..] else { unreachable!() };
    // It asks for less than what was approved, and the plan still names that test.
    let less = json!({"type": "Reply", "reply": bundle("")});
    let kept = bundle("").replace(&manifest().to_string(), &before.to_string());
    let kept = json!({"type": "Reply", "reply": kept});
    let log = [asked, planned, approved, &less, &kept, passed].map(Clone::clone);
    let events: Vec<Event> = log.iter().enumerate().map(|(n, body)| event(n as u64 * 1_000, body.clone())).collect();
    let view = Run::replay(planning(), base, &events).0.view();
    let verdicts: Vec<Verdict> = view.attempts.iter().map(|attempt| attempt.verdict).collect();
    assert_eq!((view.state, verdicts), (StateName::Review, vec![Verdict::CheckFailed, Verdict::Passed]));
    let finding = &view.attempts[0].findings[0];
    assert_eq!((&*finding.diagnostic.code, finding.stage), ("BEHAVIOUR_LOST", Stage::Plan));
    assert_eq!(finding.diagnostic.args["name"], "counts");
}
