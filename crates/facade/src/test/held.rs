//! Whether the shapes of the editor's routes are those that are read and given.

use std::collections::BTreeSet;

use holdpoint_check::ApiError;
use holdpoint_kind_script::bodies::{ApplyBody, ChatBody, EditBody, PreviewBody, ScriptApplied, ScriptPreview};
use holdpoint_kind_script::limits::{HISTORY_LIMIT, MAX_HISTORY_LIMIT, MAX_MESSAGE_CHARS};
use holdpoint_kind_script::protocol::{ChatAsk, EditAsk, files, text};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::call;

/// Fails unless the shape has every member of the body, and the body every required member of the shape.
fn holds<T: JsonSchema + Serialize + DeserializeOwned>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{}: {error}", T::schema_name()));
    assert_eq!(json!(read), *value, "{} has not all members", T::schema_name());
}

/// The members of a shape that is read, and those that it requires.
fn members<T: JsonSchema>() -> (BTreeSet<String>, BTreeSet<String>) {
    of(&SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<T>())
}

/// Fails unless an answer has every member that its shape requires, and only members of its shape.
fn gives<T: JsonSchema>(answer: &Value) {
    let (all, required) =
        of(&SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>());
    let given: BTreeSet<String> = answer.as_object().unwrap().keys().cloned().collect();
    assert!(given.is_superset(&required), "{} lacks {:?}", T::schema_name(), &required - &given);
    assert!(given.is_subset(&all), "{} has not {:?}", T::schema_name(), &given - &all);
}

fn of(schema: &Schema) -> (BTreeSet<String>, BTreeSet<String>) {
    let schema = json!(schema);
    let all = schema["properties"].as_object().unwrap().keys().cloned().collect();
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    (all, required.map(str::to_owned).collect())
}

/// Fails unless the reader takes the body, needs what the shape requires, and refuses another type of every member at
/// its place.
fn is_read<T: JsonSchema + Serialize + DeserializeOwned>(
    body: &Value,
    free: &[&str],
    read: impl Fn(&Value) -> Result<(), ApiError>,
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
        let pointer = fault.details["pointer"].as_str().unwrap_or_default().to_owned();
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
        "allow_remote_fallback": true, "feedback": {"ops": [], "error_details": [], "discarded_reason": "no"},
    })
}

#[test]
fn bodies_of_model_calls_are_read_as_described() {
    // The script is named before the body is read.
    is_read::<EditBody>(&edit_body(), &["tool_id"], |body| EditAsk::read(body).map(drop));
    let chat = json!({
        "message": "Why?", "active_file": "tool.py", "virtual_files": {"tool.py": ""}, "allow_remote_fallback": false,
    });
    // Files need an open one.
    is_read::<ChatBody>(&chat, &["active_file"], |body| ChatAsk::read(body).map(drop));
    assert!(ChatAsk::read(&json!({"message": "Why?", "virtual_files": {"tool.py": ""}})).is_err());
    assert_eq!(MAX_MESSAGE_CHARS, 20_000, "the shapes say so");
    assert_eq!((HISTORY_LIMIT, MAX_HISTORY_LIMIT), (60, 200), "the routes say so");
    assert!(files(&json!({"virtual_files": {"tool.py": ""}}), false).is_ok(), "the changed files");
    assert!(files(&json!({"virtual_files": {"tool.py": ""}}), true).is_err(), "all five files");
    assert!(text(&json!({}), "base_revision_id").is_err());
}

#[test]
fn previews_and_applies_are_as_described() {
    let op = json!({"op": "patch", "target_file": "tool.py", "patch": "@@ -1 +1 @@\n-x = 1\n+x = 2\n"});
    let mut body = json!({
        "tool_id": "t", "virtual_files": five(), "ops": [op], "active_file": "tool.py",
        "selection": {"from": 0, "to": 1}, "cursor": {"pos": 1}, "options": {"mode": "patch-only"}, "accept": {},
    });
    assert_eq!(members::<PreviewBody>().0, body.as_object().unwrap().keys().cloned().collect());
    holds::<PreviewBody>(&body);
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
    gives::<ScriptPreview>(&preview);
    for name in ["base_hash", "patch_id", "result_hash"] {
        body[name] = preview["meta"][name].clone();
        input[name] = preview["meta"][name].clone();
    }
    body["base_revision_id"] = json!("rev_1");
    body["confirm_token"] = json!("t");
    holds::<ApplyBody>(&body);
    let mut applied = given(call("text.apply", input));
    gives::<ScriptApplied>(&applied);
    for (name, value) in [("revision_id", json!("rev_2")), ("can_undo", json!(true)), ("can_redo", json!(false))] {
        applied[name] = value;
    }
    applied["base_fingerprints"] = json!({});
    gives::<ScriptApplied>(&applied);
}
