//! The tool loop: what runs, what is refused, what goes back.

use std::collections::BTreeSet;

use holdpoint_gateway::wire;
use serde_json::{Value, json};

use super::super::*;
use super::notes::{BOUNDS, NOTES, STREAMED, begun, ended};
use super::{finished, text};
use crate::tools;

fn call(id: &str, name: &str, arguments: &str) -> wire::Tool {
    wire::Tool { id: id.to_owned(), name: name.to_owned(), arguments: arguments.to_owned() }
}

fn calls(calls: Vec<wire::Tool>) -> Event {
    Event::Finished { reason: Some("tool_calls".to_owned()), calls }
}

fn read(id: &str) -> wire::Tool {
    call(id, "note.read", r#"{"line": 3}"#)
}

fn gave(id: &str, data: Value) -> Event {
    Event::ToolDone { id: id.to_owned(), result: Ok(data) }
}

/// What the model is told when it is asked again: role, name of the tool, content.
fn behind(effects: &[Effect]) -> Vec<(String, Value)> {
    let Some(Effect::Call(call)) = effects.last() else { panic!("{effects:?}") };
    let said = call.body["messages"].as_array().unwrap()[1..].iter();
    said.map(|message| {
        let content = message["content"].as_str().unwrap();
        (message["role"].as_str().unwrap().to_owned(), serde_json::from_str(content).unwrap_or(json!(content)))
    })
    .collect()
}

#[test]
fn calls_of_an_answer_run_in_order_and_go_back() {
    let mut turn = begun(&NOTES);
    turn.step(text("I look.", 1));
    let effects = turn.step(calls(vec![read("a"), read("a")]));
    let [Effect::Tool(first)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((first.id.as_str(), &first.arguments), ("a", &json!({"line": 3})));
    assert_eq!(turn.step(gave("other", json!({}))), [], "of another call");
    let effects = turn.step(gave("a", json!({"text": "one"})));
    let [Effect::Tool(second)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_ne!(second.id, "a", "an id that repeats gets a fresh one");
    let second = second.id.clone();
    let failed = ApiError::new("NOTE_NOT_FOUND", "Name a line.");
    let effects = turn.step(Event::ToolDone { id: second.clone(), result: Err(failed) });
    let Some(Effect::Call(call)) = effects.last() else { panic!("{effects:?}") };
    let ids: Vec<_> =
        call.body["messages"].as_array().unwrap().iter().map(|said| said["tool_call_id"].clone()).collect();
    assert_eq!(ids[2..], [json!("a"), json!(second)]);
    assert_eq!(call.body["tools"][0]["function"]["name"], "note.read");
    let said = behind(&effects);
    assert_eq!(said[0], ("assistant".to_owned(), json!("I look.")));
    let first = json!({"ok": true, "data": {"text": "one"}, "error": null, "meta": {"tool": "note.read"}});
    assert_eq!(said[1], ("tool".to_owned(), first));
    assert_eq!(said[2].1["error"]["code"], "NOTE_NOT_FOUND");
    turn.step(Event::Admitted);
    turn.step(text("Done.", 2));
    let effects = turn.step(finished("stop"));
    let used: Vec<_> = ended(&effects).tools.iter().map(|used| used.code.as_deref()).collect();
    assert_eq!(used, [None, Some("NOTE_NOT_FOUND")]);
}

#[test]
fn what_is_not_listed_is_refused_and_nothing_runs() {
    let cases = [
        (call("1", "note.apply", "{}"), "AI_TOOL_FORBIDDEN"),
        (call("2", "builder.change.Apply", "{}"), "AI_TOOL_FORBIDDEN"),
        (call("3", "note.write", "{}"), "AI_TOOL_FORBIDDEN"),
        (call("4", "", "{}"), "AI_TOOL_FORBIDDEN"),
        (call("5", "note.read", ""), "TOOL_INPUT_INVALID"),
        (call("6", "note.read", "[]"), "TOOL_INPUT_INVALID"),
        (call("7", "note.read", "{\"line\":"), "TOOL_INPUT_INVALID"),
        (call("8", "note.read", r#"{"line": true}"#), "TOOL_INPUT_INVALID"),
        (call("9", "note.read", r#"{"line": 1, "more": 2}"#), "TOOL_INPUT_INVALID"),
        (call("11", "note.read", r#"{"line": 1, "line": 2}"#), "TOOL_INPUT_INVALID"),
        (call("10", "note.read", &format!("{{\"line\": 1{}}}", " ".repeat(200))), "TOOL_INPUT_INVALID"),
    ];
    for (call, code) in cases {
        let mut turn = begun(&NOTES);
        let effects = turn.step(calls(vec![call.clone()]));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Tool(_))), "{call:?}");
        let told = &behind(&effects)[1].1;
        assert_eq!((&told["ok"], &told["error"]["code"]), (&json!(false), &json!(code)), "{call:?}");
        assert_eq!(told["error"]["details"]["fields"].is_array(), code == "TOOL_INPUT_INVALID", "{call:?}");
    }
}

#[test]
fn the_fields_that_do_not_fit_are_named() {
    let refused = tools::judge(&NOTES, &call("1", "note.read", r#"{"line": "x"}"#), 0).unwrap_err();
    assert_eq!(refused.details["fields"][0]["path"], "/line");
}

#[test]
fn more_calls_than_an_answer_may_have_do_not_run() {
    let mut turn = begun(&NOTES);
    let mut effects = turn.step(calls(vec![read("a"), read("b"), read("c"), read("d")]));
    let mut ran = 0;
    while let [Effect::Tool(run)] = effects.as_slice() {
        ran += 1;
        effects = turn.step(gave(&run.id.clone(), json!(null)));
    }
    assert_eq!(ran, BOUNDS.tool_calls);
    assert_eq!(behind(&effects)[4].1["error"]["code"], "AI_TOOL_EXECUTION_ERROR");
}

#[test]
fn a_tool_that_ends_ends_the_turn() {
    let mut turn = begun(&NOTES);
    let effects = turn.step(calls(vec![call("1", "ask", "{}"), read("2")]));
    assert!(matches!(effects.as_slice(), [Effect::Tool(_)]));
    let effects = turn.step(gave("1", json!({"question": "Which?"})));
    let ended = ended(&effects);
    assert_eq!(ended.reply.as_ref().unwrap().notes, json!({"question": "Which?"}));
    assert_eq!((ended.ending.outcome, turn.is_over()), ("done", true), "what was called behind it does not run");

    let mut turn = begun(&NOTES);
    turn.step(calls(vec![call("1", "ask", "{}")]));
    let refused = ApiError::new("GATE_FAILED", "Mend it first.");
    let effects = turn.step(Event::ToolDone { id: "1".into(), result: Err(refused) });
    assert!(matches!(effects.as_slice(), [Effect::Call(_)]), "one that failed does not end it");
}

#[test]
fn who_listens_hears_of_tools() {
    let mut turn = begun(&STREAMED);
    let effects = turn.step(calls(vec![read("a")]));
    let [Effect::Open, Effect::Emit(begins), Effect::Tool(_)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(begins.data, json!(["note.read", null]));
    let effects = turn.step(gave("a", json!(1)));
    let [Effect::Emit(over), Effect::Call(_)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(over.data, json!(["note.read", true]));
    let refused = turn.step(Event::Refused(ApiError::new("BUDGET_HELD", "")));
    let [Effect::Close(_), Effect::Emit(last)] = refused.as_slice() else { panic!("{refused:?}") };
    assert!(last.last, "an open stream ends with an event, not with an error");
}

#[test]
fn a_result_is_cut_in_its_longest_text() {
    let cut = |data: Value| {
        let text = tools::envelope(&Ok(data), &json!({}), 200);
        assert!(text.chars().count() <= 200, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()["data"].clone()
    };
    let data = cut(json!({"path": "a.md", "text": "å\"\n".repeat(500), "bytes": 3}));
    assert_eq!((&data["path"], &data["bytes"], &data["truncated"]), (&json!("a.md"), &json!(3), &json!(true)));
    assert!(data["text"].as_str().unwrap().len() > 20, "as much as fits is kept: {data}");
    assert_eq!(cut(json!(vec![1; 500])), json!({"truncated": true}));
    assert_eq!(cut(json!({"a": 1})), json!({"a": 1}));
}

#[test]
fn ids_are_set_apart() {
    let mut all = vec![read(""), read("call_1"), read("x"), read("x")];
    let mut seen = BTreeSet::new();
    tools::name_apart(&mut all, &mut seen);
    assert_eq!(seen.len(), 4);
}

#[test]
fn every_tool_of_a_kind_is_well_made_and_none_approves() {
    for (kind, protocols) in holdpoint_kinds::KINDS.iter().map(|entry| (entry.id(), entry.protocols)) {
        for protocol in protocols {
            for tool in protocol.tools() {
                let call = call("1", tool.name, "{}");
                let code = tools::judge(*protocol, &call, 0).err().map(|refused| refused.code);
                assert_ne!(code.as_deref(), Some(tools::FORBIDDEN), "{kind} {}", tool.name);
            }
        }
    }
}
