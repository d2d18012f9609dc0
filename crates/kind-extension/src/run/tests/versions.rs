//! Versions stay and can be chosen (spec: authoring.md §9 "Author another version").

use super::*;

/// A log that leads to a review of `first`.
fn reviewed(first: &str) -> Vec<Value> {
    let bodies = bodies();
    let [asked, planned, approved, passed, ..] = &bodies[..] else { unreachable!() };
    let log = [asked.clone(), planned.clone(), approved.clone(), reply(first), passed.clone()];
    log.to_vec()
}

fn reply(extra: &str) -> Value {
    json!({"type": "Reply", "reply": bundle(extra)})
}

fn edit(extra: &str) -> Value {
    json!({"type": "HandEdit", "files": {"manifest.json": format!("{}\n", manifest()), "src/run.js": code(extra)}})
}

fn passed() -> Value {
    bodies()[3].clone()
}

fn choose(extra: &str) -> Value {
    json!({"type": "Choose", "result_hash": hash(extra)})
}

fn named(name: &str) -> Value {
    json!({"type": name})
}

/// Each version: its code, who wrote it, whether it passes, whether it is shown.
fn versions(view: &RunView) -> Vec<String> {
    let line = |text: &str| text.lines().nth(1).unwrap_or_default().trim().to_owned();
    let one = |it: &VersionView| {
        assert!(it.files.is_empty() || it.result_hash == holdpoint_bundle::content_hash(&it.files));
        let who = if it.number == AttemptId::HAND { "hand" } else { "model" };
        let code = it.files.get("src/run.js").map_or_else(String::new, |text| line(text));
        let marks = [who, &code, if it.ok { "" } else { "fails" }, if it.shown { "shown" } else { "" }];
        marks.into_iter().filter(|mark| !mark.is_empty()).collect::<Vec<_>>().join(" ")
    };
    view.versions.iter().map(one).collect()
}

#[test]
fn a_hand_edit_stays_when_another_version_is_written() {
    let mut log = reviewed("");
    log.extend([edit("let mine = 1;"), passed(), named("AnotherVersion"), reply("let other = 1;"), passed()]);
    let view = replay(&log).view();
    assert_eq!(
        (view.state, view.attempts.len()),
        (StateName::Review, 1),
        "the sheet shows the attempts of this version"
    );
    assert_eq!(versions(&view), ["model", "hand let mine = 1;", "model let other = 1; shown"]);

    log.push(choose("let mine = 1;"));
    let run = replay(&log);
    let view = run.view();
    assert_eq!((view.state, view.attempt), (StateName::Review, Some(AttemptId::HAND)));
    assert_eq!(versions(&view), ["model", "hand let mine = 1; shown", "model let other = 1;"]);
    assert_eq!(view.review.as_ref().unwrap().result_hash, hash("let mine = 1;"), "what is signed is what is shown");
    assert_eq!(view.tests.len(), 1, "its tests stand as they ran");

    // What is signed is what was chosen; a signature of another version only shows the review again.
    let install = |extra: &str| json!({"type": "Install", "confirmation": {"result_hash": hash(extra)}});
    let signed = |extra: &str| {
        let log: Vec<Value> = log.iter().cloned().chain([install(extra)]).collect();
        replay(&log).view()
    };
    assert_eq!(signed("let other = 1;").state, StateName::Review);
    let installed = signed("let mine = 1;");
    assert_eq!(installed.state, StateName::Installed);
    assert!(installed.files["src/run.js"].contains("let mine = 1;"));
}

#[test]
fn an_edit_of_an_earlier_version_goes_on_from_it() {
    let mut log = reviewed("");
    log.extend([named("AnotherVersion"), reply("let other = 1;"), passed(), choose(""), edit("window.a;")]);
    let view = replay(&log).view();
    assert_eq!((view.state, view.reason), (StateName::Failed, Some(FailureReason::Hand)));
    assert_eq!(view.files["src/run.js"], code(""), "the best bundle is the one that it builds on");
    assert!(view.edited.unwrap()["src/run.js"].contains("window.a;"));
    log.extend([edit("let mine = 1;"), passed()]);
    let view = replay(&log).view();
    assert_eq!(versions(&view), ["model", "model let other = 1;", "hand window.a; fails", "hand let mine = 1; shown"]);
    // One that fails can be gone on with, and not signed.
    log.extend([choose("window.a;"), named("Install")]);
    let view = replay(&log).view();
    assert_eq!((view.state, view.reason), (StateName::Failed, Some(FailureReason::Hand)));
    assert!(view.edited.unwrap()["src/run.js"].contains("window.a;"));
}

#[test]
fn what_was_stopped_discarded_or_failed_leaves_what_was_there() {
    let ends: [Vec<Value>; 4] = [
        vec![named("Discard")],
        vec![named("AnotherVersion"), named("Cancel")],
        vec![named("AnotherVersion"), named("BudgetRefused")],
        vec![named("AnotherVersion"), reply("eval(\"1\");"), named("TotalTimeout")],
    ];
    for end in ends {
        let log: Vec<Value> =
            reviewed("").into_iter().chain([edit("let mine = 1;"), passed()]).chain(end.iter().cloned()).collect();
        let view = replay(&log).view();
        assert!(matches!(view.state, StateName::Cancelled | StateName::Failed), "{end:?}");
        assert!(view.versions.iter().all(|one| !one.files.is_empty()));
        for extra in ["", "let mine = 1;"] {
            let log: Vec<Value> = log.iter().cloned().chain([choose(extra)]).collect();
            let view = replay(&log).view();
            assert_eq!((view.state, &view.files["src/run.js"]), (StateName::Review, &code(extra)), "{end:?}");
        }
    }
}

#[test]
fn while_something_is_written_the_versions_are_named_and_none_is_chosen() {
    let mut log = reviewed("");
    log.extend([edit("let mine = 1;"), passed(), named("AnotherVersion")]);
    let run = replay(&log);
    assert_eq!(versions(&run.view()), ["model", "hand"], "without their files");
    log.push(choose(""));
    assert_eq!(json!(replay(&log).view()), json!(run.view()), "an event that the state does not know changes nothing");
    log.push(reply(""));
    log.push(passed());
    let view = replay(&log).view();
    assert_eq!(versions(&view), ["model shown", "hand let mine = 1;"], "equal bundles are one version");
}

#[test]
fn a_repair_of_its_own_plan_leaves_the_versions_and_their_plan() {
    let mut before = reviewed("");
    let plan = replay(&before).view().plan.unwrap();
    let mut wrong = manifest();
    wrong["tests"][0]["expect"] = json!({"equals": 8});
    let files = json!({"manifest.json": wrong.to_string(), "src/run.js": code("")});
    before.extend([edit("let mine = 1;"), passed()]);
    before.push(json!({"type": "Repair", "text": "It should be 8.", "files": files}));
    before.push(bodies()[4].clone());
    let run = replay(&before);
    assert_eq!(run.state(), StateName::Generating);
    let prompt = run.messages(&Session::default()).unwrap().unwrap();
    assert!(prompt.messages[1].content.contains("EXPECT_FAILED"), "it is told what is wrong with those files");
    before.extend([named("Cancel"), choose("let mine = 1;")]);
    let view = replay(&before).view();
    assert_eq!(view.state, StateName::Review);
    assert_eq!(view.plan.unwrap().plan_hash, plan.plan_hash, "it is judged by the plan that it was written for");
}

#[test]
fn files_that_a_person_brings_have_versions_too() {
    let log = [edit(""), passed(), edit("let mine = 1;"), passed(), choose(""), edit("let more = 1;"), passed()];
    let view = replay(&log).view();
    assert_eq!(view.state, StateName::Review);
    assert_eq!(versions(&view), ["hand", "hand let mine = 1;", "hand let more = 1; shown"]);
    assert!(view.plan.is_none());
}
