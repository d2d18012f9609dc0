//! Whole runs of the app builder: a model that is played, real tools on a real project, no runner (spec: app-builder.md
//! §10, §18 "Run").
#![allow(clippy::needless_pass_by_value)] // a table's cells are written in place

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{Frame, LogEnd, Names, Profile, Stamp, TokenUse};
use holdpoint_kind_app::packs;
use holdpoint_kind_app::prompts::AppSetting;
use holdpoint_kind_app::protocol::{AppTurn, ChatBody, ChatMode, RUN_MAX_TOKENS, RunEnd, RunNotes, RunProposal, of};
use holdpoint_kind_app::tools::{NoBuilds, ProjectFiles, Scratch, run};
use holdpoint_schema::Schema;
use serde_json::{Value, json};

use super::super::*;
use super::text;

/// What a model says in one call.
#[derive(Clone)]
enum Says {
    Words(String),
    Calls(Vec<(String, Value)>),
}

/// Says the words.
fn words(text: &str) -> Says {
    Says::Words(text.to_owned())
}

/// Calls tools.
fn calls(calls: Vec<(&str, Value)>) -> Says {
    Says::Calls(calls.into_iter().map(|(name, arguments)| (name.to_owned(), arguments)).collect())
}

/// What came of a run.
struct Played {
    scratch: Rc<RefCell<Scratch>>,
    outcome: &'static str,
    /// `Err`: the code of what its client hears instead of an answer.
    end: Result<RunNotes, String>,
    frames: Vec<Frame>,
    calls: usize,
    /// Messages of the last call.
    messages: Vec<Value>,
}

fn project() -> ProjectFiles {
    let pack = packs::find("blank-react").unwrap();
    ProjectFiles { files: pack.files.clone(), entry: pack.manifest.entry_file.clone() }
}

fn model() -> ModelSetting {
    let profile = Profile { window: 200_000, max_output: 16_000, margin: 0, system_cap: 200_000 };
    ModelSetting { profile, ..super::notes::model() }
}

/// Runs to the end with a model that says these in turn, and the last again and again.
fn play(body: Value, script: &[Says], tokens: u64) -> Played {
    play_on((project(), true), body, tokens, &mut |call, _| {
        script.get(call).unwrap_or_else(|| script.last().unwrap()).clone()
    })
}

/// Runs to the end with a model that sees which call it is and what was said; `loops`: whether it may call tools.
fn play_on(
    (draft, loops): (ProjectFiles, bool),
    body: Value,
    tokens: u64,
    model_says: &mut dyn FnMut(usize, &[Value]) -> Says,
) -> Played {
    let body = ChatBody::read(&body).unwrap();
    let options = serde_json::from_value(json!({ "catalog": "2026-11" })).unwrap();
    let scratch = Rc::new(RefCell::new(Scratch::new(draft, None, options)));
    let turn = AppTurn {
        body,
        scratch: scratch.clone(),
        app: AppSetting::default(),
        past: Vec::new(),
        recent: Vec::new(),
        about: None,
        loops,
        fixed_temperature: false,
    };
    let protocol = of(turn.body.mode(), loops);
    let prompt = turn.compose(&model(), &[]).unwrap();
    let (mut turn, effects) = Turn::new(protocol, Box::new(turn), model(), Vec::new(), prompt);
    let mut queue = VecDeque::from(effects);
    let mut played =
        Played { scratch, outcome: "", end: Err(String::new()), frames: Vec::new(), calls: 0, messages: Vec::new() };
    while let Some(effect) = queue.pop_front() {
        match effect {
            Effect::Call(call) => {
                assert_eq!(call.body.get("tools").is_some(), loops);
                played.messages = call.body["messages"].as_array().unwrap().clone();
                queue.extend(turn.step(Event::Admitted));
                let says = model_says(played.calls, &played.messages);
                played.calls += 1;
                let used = tokens * played.calls as u64;
                let calls = match says {
                    Says::Words(words) => {
                        queue.extend(turn.step(text(&words, 1)));
                        Vec::new()
                    }
                    Says::Calls(calls) => calls.into_iter().map(wire_call).collect(),
                };
                queue.extend(turn.step(Event::Used(TokenUse { input: used, ..TokenUse::default() })));
                queue.extend(turn.step(Event::Finished { reason: None, calls }));
            }
            Effect::Tool(tool) => {
                let work = run(&played.scratch, &NoBuilds, tool.name, &tool.arguments);
                let Poll::Ready(result) = pin!(work).poll(&mut Context::from_waker(Waker::noop())) else {
                    panic!("nothing waits without a runner")
                };
                queue.extend(turn.step(Event::ToolDone { id: tool.id, result }));
            }
            Effect::Open => played.frames.extend(protocol.frames(&Said::Opened(&Names::default()))),
            Effect::Emit(frame) => played.frames.push(frame),
            Effect::Close(close) => played.outcome = close.ending.outcome,
            Effect::Answer(ended) => played.end = Ok(RunNotes::of(&ended.reply.unwrap())),
            Effect::Refuse(refused) => played.end = Err(refused.code),
            _ => {}
        }
    }
    assert!(turn.is_over());
    played
}

fn wire_call((name, arguments): (String, Value)) -> wire::Tool {
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    wire::Tool { id: String::new(), name, arguments }
}

fn edit() -> Value {
    json!({ "input": "Change the heading to Lunch." })
}

fn stage(operation: Value) -> Says {
    calls(vec![("apply_patch_dry_run", json!({ "operations": [operation] }))])
}

fn new_file(path: &str, content: &str) -> Value {
    json!({ "op": "upsert_file", "path": path, "content": content })
}

fn propose() -> Says {
    calls(vec![("propose", json!({ "summary": "Done." }))])
}

/// Lines of the time line, begun calls aside.
fn titles(played: &Played) -> Vec<String> {
    let is_over = |frame: &&Frame| frame.name == "tool" && frame.data["data"]["status"] != "started";
    let title = |frame: &Frame| frame.data["data"]["title"].as_str().unwrap().to_owned();
    played.frames.iter().filter(is_over).map(title).collect()
}

#[test]
fn the_model_reads_stages_and_proposes() {
    let script = [
        calls(vec![("read_file", json!({ "path": "src/App.tsx" }))]),
        stage(new_file("src/new.ts", "export {};\n")),
        propose(),
    ];
    let played = play(edit(), &script, 10);
    assert_eq!((played.outcome, played.calls), ("unverified", 3), "nothing was built, so nothing is called verified");
    let Ok(RunNotes::Proposed { proposal }) = &played.end else { panic!("{:?}", played.end) };
    assert_eq!((proposal.operations.len(), proposal.summary.as_str()), (1, "Done."));
    assert_eq!(titles(&played), ["Read src/App.tsx", "Changed 1 file", "Handed the changes in"]);
    let names: Vec<&str> = played.frames.iter().map(|frame| frame.name).collect();
    assert_eq!(names[..2], ["status", "status"], "the start, and what was sent");
    assert_eq!(names.iter().filter(|name| **name == "usage").count(), 3);
}

#[test]
fn a_question_is_answered_in_words_as_they_come() {
    let played = play(json!({ "input": "Which file has the heading?" }), &[words("src/App.tsx has it.")], 10);
    assert_eq!((played.outcome, &played.end), ("answered", &Ok(RunNotes::Answered)));
    let words = played.frames.iter().filter(|frame| frame.name == "token");
    assert_eq!(words.map(|frame| frame.data["data"]["content"].clone()).collect::<Vec<_>>(), ["src/App.tsx has it."]);
    let asks = [calls(vec![("ask_user", json!({ "question": "Which heading?" }))])];
    let played = play(edit(), &asks, 10);
    assert_eq!((played.outcome, played.calls), ("needs_input", 1));
}

#[test]
fn an_edit_that_was_refused_is_repaired() {
    let script = [
        stage(new_file("lib/new.ts", "")),
        stage(new_file("src/new.ts", "import './gone';\n")),
        propose(),
        stage(new_file("src/new.ts", "export {};\n")),
        propose(),
    ];
    let played = play(edit(), &script, 10);
    assert_eq!((played.outcome, played.calls), ("unverified", 5));
    assert_eq!(
        titles(&played),
        [
            "A change was not taken",
            "Changed 1 file",
            "The proposal did not go through",
            "Changed 1 file",
            "Handed the changes in"
        ]
    );
    let refused = played.messages.iter().rev().find(|said| said["name"] == "propose").unwrap();
    let told: Value = serde_json::from_str(refused["content"].as_str().unwrap()).unwrap();
    assert_eq!(told["error"]["details"]["diagnostics"][0]["code"], "IMPORT_UNRESOLVED");
}

#[test]
fn the_same_findings_twice_end_a_run() {
    let script = [stage(new_file("src/new.ts", "import './gone';\n")), propose()];
    let played = play(edit(), &script, 10);
    assert_eq!((played.outcome, played.end, played.calls), ("failed", Err("LOOP_REPEATED_DIAGNOSTIC".to_owned()), 3));
    assert!(played.scratch.borrow().has_changes(), "what was staged can be kept");
}

#[test]
fn repairs_are_bounded() {
    let broken = |name: &str| stage(new_file("src/new.ts", &format!("import '{name}';\n")));
    let mut script = Vec::new();
    for name in ["./gone", "left-pad", "fs", "https://example.com/a.js", "zustand"] {
        script.extend([broken(name), propose()]);
    }
    let played = play(edit(), &script, 10);
    assert_eq!(
        (played.end, played.calls),
        (Err("RUN_LIMIT_REACHED".to_owned()), 8),
        "three repairs, and the next failure"
    );
}

#[test]
fn a_model_that_does_not_end_is_ended() {
    let looks = || calls(vec![("list_files", json!({}))]);
    let played = play(edit(), &[looks()], 10);
    assert_eq!((played.end, played.calls), (Err("RUN_LIMIT_REACHED".to_owned()), 24));
    let played = play(edit(), &[looks()], RUN_MAX_TOKENS / 3);
    assert_eq!(
        (played.end, played.calls),
        (Err("RUN_LIMIT_REACHED".to_owned()), 4),
        "tokens are asked before each call"
    );
    let many = calls(vec![("list_files", json!({})); 61]);
    assert_eq!(play(edit(), &[many], 10).end, Err("RUN_LIMIT_REACHED".to_owned()));
}

#[test]
fn what_is_not_listed_never_runs() {
    let script = [
        calls(vec![("publish", json!({})), ("write_file", json!({ "path": "src/App.tsx" }))]),
        words("Nothing can be published from here."),
    ];
    let played = play(edit(), &script, 10);
    assert_eq!(played.outcome, "answered");
    let codes: Vec<&Value> =
        played.frames.iter().filter(|frame| frame.name == "tool").map(|frame| &frame.data["data"]["code"]).collect();
    assert_eq!(codes, ["AI_TOOL_FORBIDDEN", "AI_TOOL_FORBIDDEN"]);
    assert!(!played.scratch.borrow().has_changes());
    let plan = json!({ "input": "Plan it.", "mode": "plan" });
    let script = [stage(new_file("src/new.ts", "export {};\n")), words("1. Change src/App.tsx.")];
    let played = play(plan, &script, 10);
    assert_eq!(played.outcome, "answered");
    assert!(!played.scratch.borrow().has_changes(), "a plan stages nothing");
}

#[test]
fn odd_arguments_are_mended_or_refused_and_the_run_goes_on() {
    let script = [
        calls(vec![
            ("read_file", json!({ "file_path": "src/App.tsx" })),
            ("read_file", json!({ "file": "a", "filename": "b" })),
            ("read_file", json!("no JSON")),
        ]),
        words("That is all."),
    ];
    let played = play(edit(), &script, 10);
    let over: Vec<&Value> = played
        .frames
        .iter()
        .filter(|frame| frame.name == "tool" && frame.data["data"]["status"] != "started")
        .map(|frame| &frame.data["data"])
        .collect();
    assert_eq!((&over[0]["status"], &over[0]["repaired"]), (&json!("ok"), &json!(true)));
    assert_eq!([&over[1]["code"], &over[2]["code"]], [&json!("TOOL_INPUT_INVALID"); 2]);
}

#[test]
fn words_and_one_object_hand_changes_in() {
    let script = [stage(new_file("src/new.ts", "export {};\n")), words("I added a file.")];
    let played = play(edit(), &script, 10);
    let Ok(RunNotes::Proposed { proposal }) = &played.end else { panic!("{:?}", played.end) };
    assert_eq!((played.outcome, proposal.summary.as_str()), ("unverified", "I added a file."));
    let whole = r#"{"operations": [{"op": "upsert_file", "path": "src/new.ts", "content": "export {};\n"}],
        "summary": "A file.", "rationale": "", "assumptions": []}"#;
    let played = play(edit(), &[words(whole)], 10);
    let Ok(RunNotes::Proposed { proposal }) = &played.end else { panic!("{:?}", played.end) };
    assert_eq!((played.calls, proposal.operations.len()), (1, 1));
    let played = play(edit(), &[words("{\"operations\": 3}"), words("It is done already.")], 10);
    assert_eq!((played.outcome, played.calls), ("answered", 2));
}

#[test]
fn a_model_without_the_loop_says_all_in_one_answer() {
    let once = |script: &[Says], body: Value| {
        let mut says = |call: usize, _: &[Value]| script.get(call).unwrap_or_else(|| script.last().unwrap()).clone();
        play_on((project(), false), body, 10, &mut says)
    };
    let whole = |content: &str| {
        let operations = json!([new_file("src/new.ts", content)]);
        words(&json!({ "operations": operations, "summary": "A file." }).to_string())
    };
    let played = once(&[whole("export {};\n")], edit());
    let Ok(RunNotes::Proposed { proposal }) = &played.end else { panic!("{:?}", played.end) };
    assert_eq!((played.outcome, played.calls, proposal.operations.len()), ("unverified", 1, 1));
    assert_eq!(titles(&played), ["Changed 1 file", "Handed the changes in"]);

    let played = once(&[whole("import './gone';\n")], edit());
    assert_eq!((played.end, played.calls), (Err("RUN_LIMIT_REACHED".to_owned()), 1), "a gate that refuses ends it");
    assert!(played.scratch.borrow().has_changes(), "what was staged can be kept");
    let played = once(&[words("{\"operations\": 3}")], edit());
    assert_eq!((played.end, played.calls), (Err("MODEL_OUTPUT_INVALID".to_owned()), 2), "the same is not asked thrice");
    let odd = [3, 4, 5].map(|n| words(&format!("{{\"operations\": {n}}}")));
    let played = once(&odd, edit());
    assert_eq!((played.end, played.calls), (Err("MODEL_OUTPUT_INVALID".to_owned()), 3));
    let played = once(&[words("{\"operations\": 3}"), whole("export {};\n")], edit());
    assert_eq!((played.outcome, played.calls), ("unverified", 2));
    let played = once(&[words("src/App.tsx has it.")], json!({ "input": "Which file?", "mode": "answer" }));
    assert_eq!((played.outcome, played.calls), ("answered", 1));
}

/// A file of the repository, as JSON.
fn stored(path: &str) -> Value {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs a request as the scripted model of a transcript answers it.
fn scripted(transcript: &Value, draft: ProjectFiles, request: &str) -> Played {
    let fits = |turn: &&Value, last: &Value| {
        let when = &turn["when"];
        let wants = when.get("tool_result_for").is_none_or(|name| *name == last["name"]);
        when["last_user_contains"] == request && wants
    };
    let mut says = |_: usize, messages: &[Value]| {
        let last = messages.last().unwrap();
        let turn = transcript["turns"].as_array().unwrap().iter().find(|turn| fits(turn, last));
        let reply = &turn.unwrap_or_else(|| panic!("{request} has no answer"))["reply"];
        match reply["tool_calls"].as_array() {
            Some(all) => {
                calls(all.iter().map(|call| (call["name"].as_str().unwrap(), call["arguments"].clone())).collect())
            }
            None => words(reply["text"].as_str().unwrap()),
        }
    };
    play_on((draft, true), json!({ "input": request }), 10, &mut says)
}

#[test]
fn every_task_of_the_benchmark_ends_as_it_should() {
    let benchmark = stored("tests/apps/benchmark.json");
    for task in benchmark["tasks"].as_array().unwrap() {
        let (id, template) = (task["id"].as_str().unwrap(), task["template"].as_str().unwrap());
        let pack = packs::find(template).unwrap();
        let mut draft = ProjectFiles { files: pack.files.clone(), entry: pack.manifest.entry_file.clone() };
        for seed in task["seed_operations"].as_array().unwrap() {
            let path = seed["path"].as_str().unwrap().to_owned();
            match seed["content"].as_str() {
                Some(content) => draft.files.insert(path, content.to_owned()),
                None => draft.files.remove(&path),
            };
        }
        let transcript = stored(&format!("fixtures/transcripts/apps/{template}.json"));
        let played = scripted(&transcript, draft, task["request"].as_str().unwrap());
        let wanted = task["expect"][0]["outcome"].as_str().unwrap();
        // Nothing is built here, so nothing is called verified.
        let wanted = if wanted == "succeeded" { "unverified" } else { wanted };
        assert_eq!(played.outcome, wanted, "{id}: {:?}", played.end);
    }
}

#[test]
fn the_scenes_end_as_they_should() {
    let scenes = stored("fixtures/transcripts/apps/scenes.json");
    let played = scripted(&scenes, project(), "Make the heading say \"Allotment club\", and add a counter button.");
    assert_eq!((played.outcome, played.calls), ("unverified", 3), "{:?}", played.end);
    let files = played.scratch.borrow().files().clone();
    assert!(files["src/App.tsx"].contains("<h1>Allotment club</h1>") && files.contains_key("src/Counter.tsx"));
    let played = scripted(&scenes, project(), "Add a note about opening hours below the heading.");
    assert_eq!((played.outcome, played.calls), ("unverified", 4), "{:?}", played.end);
    assert!(titles(&played).contains(&"A change was not taken".to_owned()));
    let played = scripted(&scenes, project(), "Change the colour.");
    let Ok(RunNotes::Asked { options, .. }) = &played.end else { panic!("{:?}", played.end) };
    assert_eq!(options.len(), 2);
}

#[test]
fn every_event_has_the_envelope_of_the_contract() {
    let schema = Schema::compile(stored("crates/kind-app/data/events.schema.json"), &[]);
    let script = [
        calls(vec![("read_file", json!({ "path": "src/App.tsx" })), ("publish", json!({}))]),
        stage(new_file("lib/new.ts", "")),
        stage(new_file("src/new.ts", "export {};\n")),
        words("I added a file."),
    ];
    let played = play(edit(), &script, 10);
    let protocol = of(ChatMode::Edit, true);
    let Ok(RunNotes::Proposed { proposal }) = &played.end else { panic!("{:?}", played.end) };
    let run = RunProposal {
        proposal_id: "cs_1".to_owned(),
        base_revision_id: "rev_1".to_owned(),
        proposal: (**proposal).clone(),
        changed: json!(played.scratch.borrow().changed()),
    };
    let answer = json!(RunEnd { outcome: played.outcome.to_owned(), summary: String::new(), proposal: Some(run) });
    let refused = ApiError::new("MODEL_UNAVAILABLE", "Try again.");
    let ending = |outcome, status| Ending { outcome, status };
    let ends = [
        (ending(played.outcome, TurnStatus::Complete), Ok(&answer)),
        (ending("failed", TurnStatus::Failed), Err(&refused)),
    ];
    let mut frames = played.frames.clone();
    for (ending, said) in &ends {
        let end = LogEnd { turn: 1, ending, said: *said, usage: TokenUse::default() };
        frames.extend(protocol.last(&end).unwrap());
    }
    let mut names = BTreeSet::new();
    for (at, frame) in frames.into_iter().enumerate() {
        names.insert(frame.name);
        let correlation = "0123456789abcdef0123456789abcdef";
        let stamp = Stamp { correlation, seq: at as i64 + 1, at: "2026-03-02T09:14:05.120Z" };
        let event = protocol.stamped(frame, &stamp).data;
        let found = schema.validate_value(&event).findings;
        assert!(found.is_empty(), "{event}: {found:#?}");
    }
    assert_eq!(names, ["done", "error", "patch_ops", "status", "token", "tool", "usage"].into());
}
