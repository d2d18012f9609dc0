//! What answers become.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn outcome(raw: &str, mode: Mode) -> String {
    match parse(raw, None, mode) {
        Ok(parsed) => {
            let value = serde_json::to_value(&parsed).unwrap();
            let repairs: Vec<&str> = value["repairs"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            format!("{} ops {}", parsed.ops.len(), repairs.join(" ")).trim_end().to_owned()
        }
        Err(error) => {
            let answer = error.answer();
            let pointer = answer.details.get("pointer").and_then(Value::as_str).unwrap_or_default();
            format!("{} {pointer}", answer.code).trim_end().to_owned()
        }
    }
}

#[test]
fn the_object_in_the_text() {
    let cases = [
        ("\u{feff} {\"ops\":[]} ", "0 ops missing_assistant_message"),
        ("{\"note\":1} {\"ops\":[]}", "0 ops dropped_text_outside_json missing_assistant_message"),
        ("{\"ops\":[],} {\"ops\":[]}", "0 ops trailing_commas repeated_object missing_assistant_message"),
        ("{\"ops\":[]} {\"ops\":[],\"a\":1}", "EDITOPS_MULTIPLE"),
        ("{{\"ops\":[]}}", "0 ops dropped_text_outside_json missing_assistant_message"),
        ("<think>{</think> {\"ops\":[]}", "0 ops stripped_reasoning missing_assistant_message"),
        (
            "<thinking>a</thinking><reasoning>b</reasoning>{\"ops\":[]}",
            "0 ops stripped_reasoning missing_assistant_message",
        ),
        ("{\"ops\":[]}<think>a</think>", "0 ops dropped_text_outside_json missing_assistant_message"),
        ("<think>{\"ops\":[]}", "0 ops dropped_text_outside_json missing_assistant_message"),
        ("{\"assistant_message\":\"a\nb\",\"ops\":[]}", "0 ops unescaped_control_characters"),
        ("{\"assistant_message\":\"a\u{1}b\",\"ops\":[]}", "EDITOPS_NO_OBJECT"),
        ("{'ops':[]}", "EDITOPS_NO_OBJECT"),
        ("{\"ops\":[]", "EDITOPS_NO_OBJECT"),
        ("", "EDITOPS_NO_OBJECT"),
        ("[]", "EDITOPS_NO_OBJECT"),
        ("{\"assistant_message\":null,\"ops\":[]}", "EDITOPS_SHAPE /assistant_message"),
        ("{\"assistant_message\":1,\"ops\":1}", "EDITOPS_SHAPE /assistant_message"),
        ("{\"ops\":null}", "EDITOPS_SHAPE /ops"),
    ];
    for (raw, want) in cases {
        assert_eq!(outcome(raw, Mode::PatchOnly), want, "{raw}");
    }
    let nested = |depth: usize| format!("{{\"ops\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(outcome(&nested(127), Mode::Auto), "EDITOPS_OP_INVALID /ops/0");
    assert_eq!(outcome(&nested(128), Mode::Auto), "EDITOPS_NO_OBJECT");
    let tries = |braces: usize| format!("{}{{\"ops\":[]}}", "{ ".repeat(braces));
    assert_eq!(outcome(&tries(255), Mode::Auto), "0 ops dropped_text_outside_json missing_assistant_message");
    assert_eq!(outcome(&tries(256), Mode::Auto), "EDITOPS_NO_OBJECT");
}

#[test]
fn ops_and_their_first_fault() {
    let patch = json!({"op": "patch", "target_file": "tool.py", "patch": "@@\n+a"});
    let with = |changes: Value| {
        let mut op = json!({"op": "insert", "target_file": "tool.py", "target": {"kind": "cursor"}, "content": "a"});
        for (key, value) in changes.as_object().unwrap() {
            if value.is_null() {
                op.as_object_mut().unwrap().remove(key)
            } else {
                op.as_object_mut().unwrap().insert(key.clone(), value.clone())
            };
        }
        op
    };
    let cases = [
        (json!([patch]), "1 ops"),
        (json!([patch, 1]), "EDITOPS_OP_INVALID /ops/1"),
        (json!([patch, {"target_file": "tool.py"}]), "EDITOPS_OP_INVALID /ops/1/op"),
        (json!([{"op": "patch", "target_file": "Tool.py", "patch": 1}]), "EDITOPS_FILE_UNKNOWN /ops/0/target_file"),
        (json!([{"op": "patch", "target_file": "tool.py", "patch": 1}]), "EDITOPS_OP_INVALID /ops/0/patch"),
        (json!([{"op": "patch", "target_file": "tool.py"}]), "EDITOPS_OP_INVALID /ops/0/patch"),
        (
            json!([{"op": "patch", "target_file": "tool.py", "patch": "a", "patch_lines": ["a"]}]),
            "EDITOPS_OP_INVALID /ops/0/patch",
        ),
        (
            json!([{"op": "patch", "target_file": "tool.py", "patch_lines": "a"}]),
            "EDITOPS_OP_INVALID /ops/0/patch_lines",
        ),
        (
            json!([{"op": "patch", "target_file": "tool.py", "patch_lines": [""]}]),
            "EDITOPS_OP_INVALID /ops/0/patch_lines",
        ),
        (
            json!([{"op": "patch", "target_file": "tool.py", "patch_lines": ["a", 1]}]),
            "EDITOPS_OP_INVALID /ops/0/patch_lines/1",
        ),
        (json!([with(json!({}))]), "1 ops"),
        (json!([with(json!({"content": ""}))]), "EDITOPS_OP_INVALID /ops/0/content"),
        (json!([with(json!({"op": "replace", "target": {"kind": "document"}, "content": ""}))]), "1 ops"),
        (
            json!([with(json!({"op": "replace", "target": {"kind": "document"}, "content": null}))]),
            "EDITOPS_OP_INVALID /ops/0/content",
        ),
        (json!([with(json!({"op": "delete", "target": {"kind": "selection"}, "content": null}))]), "1 ops"),
        (json!([with(json!({"op": "delete", "target": {"kind": "selection"}}))]), "EDITOPS_OP_INVALID /ops/0/content"),
        (json!([with(json!({"op": "delete", "content": null}))]), "EDITOPS_OP_NOT_ALLOWED /ops/0/target/kind"),
        (json!([with(json!({"target": {"kind": "selection"}}))]), "EDITOPS_OP_NOT_ALLOWED /ops/0/target/kind"),
        (json!([with(json!({"target": {"kind": "anchor"}}))]), "EDITOPS_OP_NOT_ALLOWED /ops/0/target/kind"),
        (json!([with(json!({"target": {"kind": "line"}}))]), "EDITOPS_OP_INVALID /ops/0/target/kind"),
        (json!([with(json!({"target": null}))]), "EDITOPS_OP_INVALID /ops/0/target/kind"),
        (json!([with(json!({"target": {"kind": "cursor", "line": 1}}))]), "1 ops ignored_keys"),
        (json!([with(json!({"patch": "a"}))]), "1 ops ignored_keys"),
    ];
    for (ops, want) in cases {
        let raw = json!({"assistant_message": "", "ops": ops}).to_string();
        assert_eq!(outcome(&raw, Mode::Auto), want, "{raw}");
    }
    let many = json!({"assistant_message": "", "ops": vec![patch; 65]}).to_string();
    assert_eq!(outcome(&many, Mode::Auto), "EDITOPS_SHAPE /ops");
}

#[test]
fn older_ops_are_refused_before_anything_else_of_them() {
    let raw = json!({"ops": [{"op": "delete", "target_file": "main.py", "target": {"kind": "anchor"}}]}).to_string();
    assert_eq!(outcome(&raw, Mode::PatchOnly), "EDITOPS_OP_NOT_ALLOWED /ops/0/op");
    assert_eq!(outcome(&raw, Mode::Auto), "EDITOPS_FILE_UNKNOWN /ops/0/target_file");
}

#[test]
fn lines_are_joined() {
    let cases = [
        (json!(["@@", " a", "", "+b"]), "@@\n a\n\n+b\n"),
        (json!(["@@\n", "+a\n\n"]), "@@\n+a\n"),
        (json!(["@@\n+a\r\n", "+b"]), "@@\n+a\r\n+b\n"),
        (json!(["+a", ""]), "+a\n"),
    ];
    for (lines, want) in cases {
        let raw = json!({"ops": [{"op": "patch", "target_file": "tool.py", "patch_lines": lines}]}).to_string();
        let Op::Patch { patch, .. } = &parse(&raw, None, Mode::PatchOnly).unwrap().ops[0] else { panic!() };
        assert_eq!(patch, want);
    }
}

/// Long enough to be slow if every start read to the end.
#[test]
fn a_long_answer_without_an_end_is_bounded() {
    let raw = "{\"a\":[".repeat(100) + &"1,".repeat(100_000);
    assert_eq!(outcome(&raw, Mode::PatchOnly), "EDITOPS_NO_OBJECT");
}

proptest! {
    #[test]
    fn no_text_ends_it(raw in "[\\[\\]{}\",:\\\\ opsatch0-9\n<>/think]{0,80}") {
        let _ = parse(&raw, None, Mode::Auto);
    }

    #[test]
    fn what_is_written_is_read(message in ".{0,40}", patches in prop::collection::vec(".{1,40}", 0..4), around in "[ a-z\n]{0,9}") {
        let ops: Vec<Value> = patches
            .iter()
            .map(|patch| json!({"op": "patch", "target_file": "tool.py", "patch": patch}))
            .collect();
        let raw = format!("{around}{}{around}", json!({"assistant_message": message, "ops": ops}));
        let parsed = parse(&raw, None, Mode::PatchOnly).unwrap();
        prop_assert_eq!(parsed.assistant_message, message);
        prop_assert_eq!(parsed.ops.len(), patches.len());
    }
}
