//! What the model is told.

use serde_json::json;

use super::*;
use crate::dialect;

#[allow(clippy::needless_pass_by_value)] // a literal of each test
fn request(changes: Value) -> Request {
    let files: serde_json::Map<String, Value> =
        VirtualFile::ALL.iter().map(|file| (file.id().to_owned(), json!(format!("<{file}>")))).collect();
    let mut whole = json!({
        "purpose": "edit-ops", "model": "local", "message": "Byt \"färg\"",
        "active_file": "tool.py", "virtual_files": files,
    });
    whole.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

fn system(composed: &Composed) -> &str {
    &composed.messages[0].content
}

#[test]
fn patch_only_says_nothing_of_places() {
    let composed = compose(&request(json!({}))).unwrap();
    assert_eq!(composed.template_id, "script-tool/edit-ops-patch-only/1");
    for word in ["insert", "replace", "\"delete\"", "\"target\"", "selection"] {
        assert!(!system(&composed).contains(word), "{word}");
    }
    for word in [
        "exactly one JSON object",
        "no other op, no cursor and no anchor",
        "patch_lines",
        "--- a/<file>",
        "at least three",
        "as little text as possible",
        "ops is []",
    ] {
        assert!(system(&composed).contains(word), "{word}");
    }
    assert!(composed.response_schema.is_some());
    assert_eq!(composed.layers.iter().map(|layer| layer.id).collect::<Vec<_>>(), ["role", "contract", "runner_limits"]);
}

#[test]
fn with_a_place_older_ops_are_described_and_anchors_never() {
    let composed = compose(&request(json!({"cursor": {"pos": 3}, "host": {"helpers": "doors(model)"}}))).unwrap();
    assert_eq!(composed.mode, Mode::Auto);
    assert!(system(&composed).contains("\"insert\"") && !system(&composed).contains("anchor"));
    assert!(system(&composed).ends_with("doors(model)"));
    assert!(composed.response_schema.is_none());
    let forced = compose(&request(json!({"cursor": {"pos": 3}, "mode": "patch-only"}))).unwrap();
    assert_eq!(forced.template_id, "script-tool/edit-ops-patch-only/1");
    let chat = compose(&request(json!({"purpose": "chat"}))).unwrap();
    assert!(!system(&chat).contains("anchor") && !system(&chat).contains("patch_lines"));
}

#[test]
fn the_prompt_says_what_a_script_runs_on() {
    for purpose in ["edit-ops", "chat"] {
        let composed = compose(&request(json!({ "purpose": purpose }))).unwrap();
        let layer = composed.layers.iter().find(|layer| layer.id == "runner_limits").unwrap();
        assert!(layer.text.starts_with("The runner is Python 3.13 with its standard library and no other package"));
        assert_eq!(system(&composed).matches("Python 3.").count(), 1, "no other version is named");
    }
}

/// The model learns from the example: it must be an answer that is taken.
#[test]
fn the_example_of_the_prompt_parses() {
    let composed = compose(&request(json!({}))).unwrap();
    let example = system(&composed).lines().find(|line| line.starts_with("{\"op\": \"patch\"")).unwrap();
    let answer = format!("{{\"assistant_message\": \"\", \"ops\": [{example}]}}");
    assert_eq!(dialect::parse(&answer, None, Mode::PatchOnly).unwrap().repairs, []);
}

#[test]
fn the_payload_of_an_edit() {
    let detail = json!({
        "code": "no_match", "op_index": 0, "target_file": "tool.py", "hunk_header": "@@ -1 +1 @@",
        "expected_snippet": " a\n-b", "base_snippet": "a\nc", "candidates": [3, 9], "nearest": null, "hint": "Look again.",
    });
    let changes = json!({
        "selection": {"from": 1, "to": 4}, "cursor": {"pos": 4},
        "feedback": {"ops": [], "error_details": [detail], "discarded_reason": "wrong place"},
    });
    let composed = compose(&request(changes)).unwrap();
    insta::assert_snapshot!(composed.messages[1].content, @r#"{"message":"Byt \"färg\"","active_file":"tool.py","virtual_files":{"tool.py":"<tool.py>","entrypoint.txt":"<entrypoint.txt>","settings_schema.json":"<settings_schema.json>","input_schema.json":"<input_schema.json>","usage_instructions.md":"<usage_instructions.md>"},"selection":{"from":1,"to":4},"cursor":{"pos":4},"previous_attempt":{"failures":[{"code":"no_match","target_file":"tool.py","hunk_header":"@@ -1 +1 @@","expected_lines":" a\n-b","actual_lines":"a\nc","competing_lines":[3,9],"hint":"Look again."}],"discarded_reason":"wrong place"}}"#);
}

#[test]
fn an_edit_needs_all_five_files() {
    let refusal = compose(&request(json!({"virtual_files": {"tool.py": ""}}))).unwrap_err();
    assert_eq!(refusal, PromptError::Missing { pointer: "/virtual_files/entrypoint.txt".to_owned() });
    let files = json!({"settings_schema.json": "x".repeat(60_000), "tool.py": "", "entrypoint.txt": "", "input_schema.json": "", "usage_instructions.md": ""});
    let refusal = compose(&request(json!({ "virtual_files": files }))).unwrap_err();
    assert!(matches!(refusal, PromptError::OverBudget(WindowError::Message { .. })));
}

#[test]
fn a_chat_leaves_out_whole_files_from_the_end() {
    let files = |size: usize| json!({"tool.py": "t".repeat(size), "entrypoint.txt": "run", "settings_schema.json": "", "input_schema.json": "i".repeat(size), "usage_instructions.md": "u".repeat(size)});
    let chat = |size| {
        let history = json!([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]);
        compose(&request(
            json!({"purpose": "chat", "active_file": "input_schema.json", "virtual_files": files(size), "history": history}),
        ))
    };
    let composed = chat(10).unwrap();
    assert_eq!(composed.omitted_virtual_file_ids, []);
    assert_eq!(
        composed.messages.iter().map(|it| it.role.as_str()).collect::<Vec<_>>(),
        ["system", "user", "assistant", "user"]
    );
    let composed = chat(20_000).unwrap();
    assert_eq!(composed.omitted_virtual_file_ids, [VirtualFile::Usage]);
    let payload: Value = serde_json::from_str(&composed.messages.last().unwrap().content).unwrap();
    let keys: Vec<&String> = payload.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["kind", "schema_version", "message", "active_file", "virtual_files", "omitted_virtual_file_ids"]);
    assert_eq!(payload["omitted_virtual_file_ids"], json!(["usage_instructions.md"]));
    assert_eq!(chat(40_000).unwrap().omitted_virtual_file_ids.len(), 4, "the active file goes before the others");
    assert!(matches!(chat(60_000).unwrap_err(), PromptError::OverBudget(WindowError::Message { .. })));
    let plain = compose(&request(json!({"purpose": "chat", "virtual_files": {}}))).unwrap();
    assert_eq!(plain.messages[1].content, "Byt \"färg\"");
}

#[test]
fn a_system_prompt_over_its_cap_is_refused() {
    let refusal = compose(&request(json!({"host": {"helpers": "x".repeat(40_000)}}))).unwrap_err();
    assert!(matches!(refusal, PromptError::OverBudget(WindowError::System { .. })));
}
