//! Whether the shapes of the editor's routes are those that are read and given.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_author::editor::{self as rules, ChatAsk, EditAsk, EditTurn, Effect, Event, Setting, files, text};
use holdpoint_kinds::script_tool::limits::{HISTORY_LIMIT, MAX_HISTORY_LIMIT, MAX_MESSAGE_CHARS};
use holdpoint_kinds::script_tool::outcome::Outcome;
use holdpoint_kinds::script_tool::profile::Profile;
use holdpoint_kinds::script_tool::prompts::Host;
use holdpoint_store::ledger::ToolRow;
use holdpoint_store::thread::{Message, Role};
use holdpoint_store::tool::{self, Head};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::shapes::{
    Applied, ApplyQuestion, ChatQuestion, Checkpoint, EditQuestion, Preview, PreviewQuestion, Proposed, Script,
    ScriptRevision, ScriptRow, ThreadMessage,
};
use crate::call;

/// Fails unless the shape has every member of the value, and the value every required member of the shape.
fn holds<T: JsonSchema + Serialize + DeserializeOwned>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{}: {error}", T::schema_name()));
    assert_eq!(json!(read), *value, "{} has not all members", T::schema_name());
}

/// The members of a shape, and those that it requires.
fn members<T: JsonSchema>() -> (BTreeSet<String>, BTreeSet<String>) {
    let schema = json!(SchemaGenerator::default().into_root_schema_for::<T>());
    let all = schema["properties"].as_object().unwrap().keys().cloned().collect();
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    (all, required.map(str::to_owned).collect())
}

/// Fails unless the reader takes the body, needs what the shape requires, and refuses another type of every member at
/// its place.
fn is_read<T: JsonSchema + Serialize + DeserializeOwned>(
    body: &Value,
    free: &[&str],
    read: impl Fn(&Value) -> Result<(), rules::AskError>,
) {
    let (all, required) = members::<T>();
    let given: BTreeSet<String> = body.as_object().unwrap().keys().cloned().collect();
    assert_eq!(given, all, "the example of {} has every member", T::schema_name());
    holds::<T>(body);
    read(body).unwrap();
    for name in all.iter().filter(|name| !free.contains(&name.as_str())) {
        let mut without = body.clone();
        without.as_object_mut().unwrap().shift_remove(name);
        assert_eq!(read(&without).is_err(), required.contains(name), "{} without `{name}`", T::schema_name());
        let mut other = body.clone();
        other[name.as_str()] = json!(17);
        let fault = read(&other).expect_err(name);
        let pointer = fault.details()["pointer"].as_str().unwrap_or_default().to_owned();
        let at_place = pointer.starts_with(&format!("/{name}"));
        assert!(at_place, "{}: `{name}` is refused at `{pointer}`", T::schema_name());
    }
}

fn five() -> Value {
    json!({
        "tool.py": "x = 1\n", "entrypoint.txt": "", "settings_schema.json": "", "input_schema.json": "",
        "usage_instructions.md": "",
    })
}

fn edit_body() -> Value {
    json!({
        "tool_id": "t", "message": "Say two.", "active_file": "tool.py", "virtual_files": five(),
        "selection": {"from": 0, "to": 1}, "cursor": {"pos": 1}, "options": {"mode": "patch-only"},
        "feedback": {"ops": [], "error_details": [], "discarded_reason": "no"},
    })
}

#[test]
fn bodies_of_model_calls_are_read_as_described() {
    // The script is named before the body is read; members of `options` are read one by one, so it takes anything.
    is_read::<EditQuestion>(&edit_body(), &["tool_id", "options"], |body| EditAsk::read(body).map(drop));
    let chat = json!({"message": "Why?", "active_file": "tool.py", "virtual_files": {"tool.py": ""}});
    // Files need an open one.
    is_read::<ChatQuestion>(&chat, &["active_file"], |body| ChatAsk::read(body).map(drop));
    assert!(ChatAsk::read(&json!({"message": "Why?", "virtual_files": {"tool.py": ""}})).is_err());
    assert_eq!(MAX_MESSAGE_CHARS, 20_000, "the shapes say so");
    assert_eq!((HISTORY_LIMIT, MAX_HISTORY_LIMIT), (60, 200), "the routes say so");
    assert!(files(&json!({"virtual_files": {"tool.py": ""}}), false).is_ok(), "the changed files");
    assert!(files(&json!({"virtual_files": {"tool.py": ""}}), true).is_err(), "all five files");
    assert!(text(&json!({}), "base_revision_id").is_err());
}

#[test]
fn proposals_are_answered_as_described() {
    let setting = Setting {
        alias: "default".to_owned(),
        model: "scripted-1".to_owned(),
        profile: Profile::ORDINARY,
        host: Host::default(),
        constrained: false,
    };
    let answered = |said: &str| {
        let ask = EditAsk::read(&edit_body()).unwrap();
        let call = rules::edit_ops(&setting, &ask, &[], None).unwrap();
        let (mut turn, _) = EditTurn::new(setting.clone(), ask, vec![], call);
        turn.step(Event::Admitted);
        turn.step(Event::Text { text: said.to_owned(), now: 1 });
        let mut effects = turn.step(Event::Finished { reason: Some("stop".to_owned()) });
        if let [Effect::Call(_)] = effects.as_slice() {
            turn.step(Event::Admitted);
            turn.step(Event::Text { text: said.to_owned(), now: 2 });
            effects = turn.step(Event::Finished { reason: Some("stop".to_owned()) });
        }
        effects
            .into_iter()
            .find_map(|effect| if let Effect::Answer(answer) = effect { Some(json!(answer)) } else { None })
    };
    let patch = |old: &str| {
        let lines = ["@@ -1 +1 @@".to_owned(), format!("-{old}"), "+x = 2".to_owned()];
        json!({"assistant_message": "Two.", "ops": [{"op": "patch", "target_file": "tool.py", "patch_lines": lines}]})
    };
    let mut taken = BTreeSet::new();
    for said in [patch("x = 1").to_string(), patch("no such line").to_string(), "I cannot.".to_owned()] {
        let mut answer = answered(&said).unwrap();
        answer["turn_id"] = json!("turn_1");
        holds::<Proposed>(&answer);
        taken.extend(answer.as_object().unwrap().keys().cloned());
    }
    assert_eq!(taken, members::<Proposed>().0, "members that no proposal has");
    let outcomes = json!(SchemaGenerator::default().into_root_schema_for::<Proposed>());
    let told = outcomes["properties"]["outcome"]["description"].as_str().unwrap();
    // The reader names every outcome to who sends none.
    let all = serde_json::from_value::<Outcome>(json!("?")).unwrap_err().to_string();
    let names: Vec<&str> = all.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 10, "{all}");
    for name in names {
        assert!(told.contains(&format!("`{name}`")), "{name} is not described");
    }
}

#[test]
fn previews_and_applies_are_as_described() {
    let op = json!({"op": "patch", "target_file": "tool.py", "patch": "@@ -1 +1 @@\n-x = 1\n+x = 2\n"});
    let mut body = json!({
        "tool_id": "t", "virtual_files": five(), "ops": [op], "active_file": "tool.py",
        "selection": {"from": 0, "to": 1}, "cursor": {"pos": 1}, "options": {"mode": "patch-only"}, "accept": {},
    });
    assert_eq!(members::<PreviewQuestion>().0, body.as_object().unwrap().keys().cloned().collect());
    holds::<PreviewQuestion>(&body);
    body.as_object_mut().unwrap().shift_remove("accept");
    let mut input = body.clone();
    let files = input.as_object_mut().unwrap().shift_remove("virtual_files");
    input["files"] = json!(files);
    let given = |mut answer: Value| {
        assert_eq!(answer["error"], Value::Null);
        answer["diagnostics"] = json!([]);
        answer
    };
    let preview = given(call("text.preview", input.clone()));
    holds::<Preview>(&preview);
    for name in ["base_hash", "patch_id", "result_hash"] {
        body[name] = preview["meta"][name].clone();
        input[name] = preview["meta"][name].clone();
    }
    body["base_revision_id"] = json!("rev_1");
    body["confirm_token"] = json!("t");
    holds::<ApplyQuestion>(&body);
    let mut applied = given(call("text.apply", input));
    holds::<Applied>(&applied);
    for (name, value) in [("revision_id", json!("rev_2")), ("can_undo", json!(true)), ("can_redo", json!(false))] {
        applied[name] = value;
    }
    applied["base_fingerprints"] = json!({});
    holds::<Applied>(&applied);
}

#[test]
fn rows_of_the_store_are_as_described() {
    let name = || "x".to_owned();
    let head = Head {
        tool_id: name(),
        owner: name(),
        title: name(),
        revision_id: name(),
        updated_at: 1,
        virtual_files: BTreeMap::new(),
        base_fingerprints: BTreeMap::new(),
        can_undo: true,
        can_redo: false,
        undo_blocked: vec![name()],
    };
    holds::<Script>(&json!(head));
    holds::<Script>(&json!(Head { undo_blocked: vec![], ..head }));
    // Whose they are is known: lists are of one's own.
    let row = ToolRow { tool_id: name(), owner: String::new(), title: name(), revision_id: name(), updated_at: 1 };
    holds::<ScriptRow>(&json!(row));
    let revision = tool::Revision {
        revision_id: name(),
        at: 1,
        actor: name(),
        cause: name(),
        changed_files: vec![],
        about: Some(name()),
        proposal: Some(json!({})),
    };
    holds::<ScriptRevision>(&json!(revision));
    holds::<ScriptRevision>(&json!(tool::Revision { about: None, proposal: None, ..revision }));
    let checkpoint = tool::Checkpoint { checkpoint_id: name(), title: name(), auto: true, revision_id: name(), at: 1 };
    holds::<Checkpoint>(&json!(checkpoint));
    let message = Message {
        message_id: name(),
        turn_id: name(),
        role: Role::User,
        content: name(),
        created_at: 1,
        status: name(),
        kind: name(),
        correlation_id: name(),
        failure_outcome: Some(name()),
        decision: Some(name()),
        decided_at: Some(1),
    };
    holds::<ThreadMessage>(&json!(message));
    let plain = Message { failure_outcome: None, decision: None, decided_at: None, ..message };
    holds::<ThreadMessage>(&json!(plain));
}
