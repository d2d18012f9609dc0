//! The example packages and what the scripted model answers about them: each package is clean, each answer does on the
//! real texts what its words promise.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_kind::claims::claims;
use holdpoint_kind_crew::archive::{ImportOptions, export, import};
use holdpoint_kind_crew::claims::{changed, names};
use holdpoint_kind_crew::dialect::check::{CheckInput, Checked, check as check_set};
use holdpoint_kind_crew::dialect::input::{BuilderSession, Revisions};
use holdpoint_kind_crew::dialect::package::Package;
use holdpoint_kind_crew::dialect::view::{View, agent_id};
use holdpoint_kind_crew::paths::{MAX_PATHS, report};
use holdpoint_kind_crew::policy::MANIFEST;
use holdpoint_kind_crew::prompts::methods::{context_pack, prompt_compose};
use holdpoint_kind_crew::{Options, check};
use serde_json::{Value, json};

const PACKAGES: [&str; 3] = ["claims-desk", "publishing", "post-mortem"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn files(package: &str) -> Files {
    fn below(folder: &Path, root: &Path, files: &mut Files) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                below(&entry.path(), root, files);
            } else {
                let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(path, std::fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    let root = fixtures().join("crew").join(package);
    let mut files = Files::new();
    below(&root, &root, &mut files);
    files
}

/// The turns of the scripted model, in the order in which they are looked at.
fn turns() -> Vec<Value> {
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(fixtures().join("transcripts").join(name)).unwrap()).unwrap()
    };
    let both = [read("06-crew-scenes.json"), read("07-crew-examples.json")];
    both.iter().flat_map(|it| it["turns"].as_array().unwrap().clone()).collect()
}

/// Whether all occur, in any case, as the scripted model looks for them.
fn occur(wanted: &Value, text: &str) -> bool {
    let text = text.to_lowercase();
    wanted.as_array().is_none_or(|wanted| wanted.iter().all(|it| text.contains(&it.as_str().unwrap().to_lowercase())))
}

/// What the scripted model answers to these words in this session, before any tool was called.
fn reply<'t>(turns: &'t [Value], system: &str, words: &str) -> &'t Value {
    let fits = |turn: &&Value| {
        let when = &turn["when"];
        occur(&when["system_contains"], system)
            && occur(&when["last_user_contains"], words)
            && when.get("tool_result_for").is_none()
    };
    &turns.iter().find(fits).unwrap()["reply"]
}

fn session(target_type: &str, target: &str, mode: &str, workflow: Option<u64>) -> Value {
    json!({"target_type": target_type, "target_id": target, "mode": mode, "workflow_id": workflow, "project_id": "prj_1"})
}

/// The system prompt of a session on these files.
fn system(files: &Files, view: &View, session: &Value) -> String {
    let workflow = |(id, it): (&u64, &holdpoint_kind_crew::dialect::view::WorkflowObject)| json!({"id": id, "name": "W", "is_default": *id == 1, "document": it.document, "graph": it.graph});
    let step = |((workflow, node), it): (&(u64, String), &holdpoint_kind_crew::dialect::view::StepObject)| json!({"workflow_id": workflow, "node_id": node, "path": it.path, "markdown": it.text});
    let assets: BTreeMap<&String, &String> = files.iter().filter(|(path, _)| path.starts_with("assets/")).collect();
    let snapshot = json!({
        "workflows": view.workflows.iter().map(workflow).collect::<Vec<_>>(),
        "steps": view.steps.iter().map(step).collect::<Vec<_>>(),
        "agents": view.agents, "assets": assets,
        "revisions": {"workflowRevision": 1, "agentsRevision": 1, "assetsRevision": 1},
    });
    let packed = context_pack(json!({"session": session, "snapshot": snapshot})).unwrap();
    let composed = prompt_compose(json!({
        "target_type": session["target_type"], "mode": session["mode"], "user_prompt": "x",
        "context_envelope": packed["envelope"], "write_policy": {"allowApply": false, "requiresValidation": true},
        "merge_system": true,
    }));
    composed.unwrap()["messages"][0]["content"].as_str().unwrap().to_owned()
}

/// The workflows of a manifest with their names.
fn called(manifest: &Value) -> Vec<(u64, &str)> {
    let rows = manifest["workflows"].as_array().unwrap().iter();
    rows.map(|row| (row["id"].as_str().unwrap().parse().unwrap(), row["displayName"].as_str().unwrap())).collect()
}

fn checked(view: &View, session: &Value, change_set: &Value) -> Result<Checked, ApiError> {
    let options = Options::default();
    check_set(CheckInput {
        before: view.clone(),
        revisions: Revisions::default(),
        session: &BuilderSession::read(Some(session))?,
        change_set,
        base: None,
        endings: options.endings(),
        limits: options.limits(),
        is_inverse: false,
    })
}

#[test]
fn the_example_packages_are_clean() {
    for package in PACKAGES {
        let files = files(package);
        let checked = check(&files, &Options::default()).unwrap();
        assert_eq!(checked.diagnostics, [], "{package}");
        let summary = checked.more.summary.unwrap();
        assert!(summary.workflows.len() >= 2 && summary.agents.unwrap() >= 5 && summary.assets.count >= 5, "{package}");
        for paths in report(&files, None, MAX_PATHS, &Options::default()).unwrap() {
            assert_eq!(paths.findings, [], "{package} {:?}", paths.name);
            assert!(paths.complete && paths.ends == paths.count && paths.count > 1, "{package} {:?}", paths.name);
        }
        let bytes = export(&files).unwrap();
        assert_eq!(import(&bytes, &ImportOptions::default()).unwrap().files, files, "{package}");
    }
}

/// Somebody opens any object of an example and writes a few words: what comes back is a valid change that says what it
/// does; once it is there, the model says so.
#[test]
fn every_object_of_the_examples_can_be_improved_in_words() {
    let turns = turns();
    let mut improved = 0;
    for package in PACKAGES {
        let files = files(package);
        let manifest: Value = serde_json::from_str(&files[MANIFEST]).unwrap();
        let opened = Package::open(&files).unwrap();
        let mut view = opened.view.clone();
        let mut sessions: Vec<Value> =
            view.workflows.keys().map(|id| session("workflow", &id.to_string(), "optimize", Some(*id))).collect();
        sessions.extend(view.steps.keys().map(|(id, node)| session("step", node, "optimize", Some(*id))));
        sessions.extend(view.agents.iter().map(|agent| session("agent", agent_id(agent), "optimize", None)));
        sessions.extend(view.assets.keys().map(|path| session("asset", path, "optimize", None)));
        for session in sessions {
            let prompt = system(&files, &view, &session);
            let says = |words: &str| -> Value {
                serde_json::from_str(reply(&turns, &prompt, words)["text"].as_str().unwrap()).unwrap()
            };
            let unknown = says("Translate this into Finnish");
            assert_eq!(unknown["responseType"], "chat", "{session}");
            assert!(unknown["assistantSummary"].as_str().unwrap().contains("This request is not among them"));
            let answer = says("Improve this step");
            assert_eq!(answer["responseType"], "change", "{session}");
            let Checked { verdict, after, .. } = checked(&view, &session, &answer["changeSet"]).unwrap();
            assert_eq!((&verdict.errors[..], &verdict.warnings[..]), (&[][..], &[][..]), "{session}");
            let names = names(&[&view, &after], &called(&manifest));
            let summary = answer["assistantSummary"].as_str().unwrap();
            assert_eq!(claims(summary, &names, &changed(&verdict.meta), "en"), [], "{summary}");
            view = after;
            let again = reply(&turns, &system(&opened.with(&view), &view, &session), "Improve this step");
            let again: Value = serde_json::from_str(again["text"].as_str().unwrap()).unwrap();
            assert_eq!(again["responseType"], "chat", "{session}");
            improved += 1;
        }
        let after = opened.with(&view);
        assert_eq!(check(&after, &Options::default()).unwrap().diagnostics, [], "{package}, all improved");
    }
    assert!(improved > 80, "{improved}");
}

#[test]
fn a_new_workflow_can_be_begun_in_words() {
    let files = files("publishing");
    let view = Package::open(&files).unwrap().view;
    let session = session("workflow", "3", "create", Some(3));
    let turns = turns();
    let answer = reply(&turns, &system(&files, &view, &session), "Make a start");
    let answer: Value = serde_json::from_str(answer["text"].as_str().unwrap()).unwrap();
    let verdict = checked(&view, &session, &answer["changeSet"]).unwrap().verdict;
    assert_eq!((&verdict.errors[..], &verdict.warnings[..]), (&[][..], &[][..]));
}

#[test]
fn scenes_are_what_they_are_called() {
    let files = files("claims-desk");
    let view = Package::open(&files).unwrap().view;
    let session = session("step", "assess-damage", "optimize", Some(1));
    let system = system(&files, &view, &session);
    let turns = turns();
    let said = |words: &str| reply(&turns, &system, words)["text"].as_str().map(str::to_owned);
    let verdict = |words: &str| {
        let answer: Value = serde_json::from_str(&said(words).unwrap()).unwrap();
        checked(&view, &session, &answer["changeSet"]).unwrap().verdict
    };
    let called = |words: &str| -> Vec<String> {
        let calls = reply(&turns, &system, words)["tool_calls"].clone();
        calls.as_array().unwrap().iter().map(|call| call["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(said("What does this step need?").unwrap().contains("\"chat\""));
    assert!(verdict("Improve this step").valid);
    assert_eq!(called("Read what it cites first."), ["builder.step.read"]);
    assert_eq!(called("Look at everything at once.").len(), 4);
    assert!(serde_json::from_str::<Value>(&said("Answer without JSON first.").unwrap()).is_err());
    let codes = |words: &str| -> Vec<String> { verdict(words).errors.iter().map(|it| it.code.to_string()).collect() };
    assert_eq!(codes("Forget the goal first."), ["STEP_MISSING_GOAL"]);
    assert_eq!(codes("Never get it right."), ["STEP_NODE_ID_MISMATCH"]);
    let refused = |code: &str| format!("Your answer was refused. Repair it.\n{{\"errors\":[{{\"code\":\"{code}\"}}]}}");
    assert!(verdict(&refused("AI_BAD_RESPONSE")).valid && verdict(&refused("STEP_MISSING_GOAL")).valid);
    assert!(!verdict(&refused("STEP_NODE_ID_MISMATCH")).valid, "it never gets it right");
    assert_eq!(called("Apply it yourself."), ["builder.change.apply"]);
    assert_eq!(called("Read the hostile message."), ["builder.asset.read"]);
    assert!(files["assets/samples/hostile-message.md"].contains("call builder.change.apply"));
    assert_eq!(called("Keep reading for ever."), ["builder.asset.read"]);
    assert_eq!(called("Stage it by tool."), ["builder.change.stage"]);
    let more: Value = serde_json::from_str(&said("Say more than you do.").unwrap()).unwrap();
    let verdict = checked(&view, &session, &more["changeSet"]).unwrap().verdict;
    let names = names(&[&view], &[]);
    let found = claims(more["assistantSummary"].as_str().unwrap(), &names, &changed(&verdict.meta), "en");
    let codes: Vec<&str> = found.iter().map(|it| it.code.as_ref()).collect();
    assert_eq!(codes, ["SUMMARY_CLAIMS_UNCHANGED", "SUMMARY_CLAIMS_UNCHANGED", "SUMMARY_OMITS_CHANGE"]);
}

#[test]
fn the_scripted_crew_answers_nobody_else() {
    for turn in turns() {
        assert_eq!(turn["when"]["has_tool"], "builder.context.get");
        assert_eq!(turn["when"]["system_contains"][0], "You are the Builder.");
    }
}
