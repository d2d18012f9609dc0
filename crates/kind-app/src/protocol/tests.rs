//! The run as the engine sees it: requests, mended arguments, events, ends.

use holdpoint_kind::protocol::{Content, Failed, Finding, Names, Reading, TokenUse};
use serde_json::json;

use super::*;
use crate::packs;
use crate::tools::{PROPOSE, Proposal, STAGE, Verified};

fn body(more: &Value) -> Value {
    let mut body = json!({ "input": "Make it blue.", "files": packs::find("blank-react").unwrap().files });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

#[test]
fn a_request_is_read_once() {
    let refused = |more: &Value| EDITS.ask(&body(more)).map(drop).unwrap_err();
    let cases = [
        (json!({ "input": " " }), "EMPTY_INPUT", 400, None),
        (json!({ "input": null }), "EMPTY_INPUT", 400, None),
        (json!({ "input": 3 }), "INVALID_INPUT", 422, Some("/input")),
        (json!({ "input": "x".repeat(ask::MAX_MESSAGE_CHARS + 1) }), "INVALID_INPUT", 422, Some("/input")),
        (json!({ "thread_id": "T" }), "INVALID_INPUT", 422, Some("/thread_id")),
        (json!({ "mode": "write" }), "INVALID_INPUT", 422, Some("/mode")),
        (json!({ "explain": { "from": "rev_1", "to": "rev_2" }, "mode": "edit" }), "INVALID_INPUT", 422, Some("/mode")),
    ];
    for (more, code, status, pointer) in cases {
        let error = refused(&more);
        let at = error.details.get("pointer").and_then(Value::as_str);
        assert_eq!((error.code.as_str(), error.status, at), (code, status, pointer), "{more}");
    }
    let read = |more: Value| ChatBody::read(&body(&more)).unwrap();
    assert_eq!((read(json!({})).mode(), read(json!({})).start()), (ChatMode::Edit, RunStart::Draft));
    assert_eq!(read(json!({ "explain": { "from": "rev_1", "to": "rev_2" } })).mode(), ChatMode::Answer);
    assert_eq!(read(json!({ "from": "working_copy" })).start(), RunStart::WorkingCopy);
    assert_eq!(read(json!({ "from": "cs_3" })).start(), RunStart::Proposal("cs_3"));
}

#[test]
fn arguments_are_mended_where_one_thing_is_meant() {
    let repaired = |tool: &str, text: &str| match EDITS.mend(tool, text) {
        Mended::Repaired(text) => serde_json::from_str::<Value>(&text).unwrap(),
        other => panic!("{text}: {other:?}"),
    };
    let path = json!({ "path": "a.ts" });
    for text in [
        r#"{"file_path": "a.ts"}"#,
        r#"{"arguments": {"filename": "a.ts"}}"#,
        r#"{"input": "{\"payload\": {\"path\": \"a.ts\"}}"}"#,
        r#""{\"path\": \"a.ts\"}""#,
        "```json\n{\"path\": \"a.ts\"}\n```",
    ] {
        assert_eq!(repaired("read_file", text), path, "{text}");
    }
    let written = json!({"operations": [
        {"op": "patch", "file": "a.ts", "diff": "@@"}, {"op": "rename_file", "source": "a", "destination": "b"},
        "{\"op\": \"upsert_file\", \"path\": \"c.ts\", \"code\": \"x\"}",
    ]});
    let meant = json!([
        {"op": "patch", "path": "a.ts", "patch": "@@"}, {"op": "rename_file", "from_path": "a", "to_path": "b"},
        {"op": "upsert_file", "path": "c.ts", "content": "x"},
    ]);
    assert_eq!(repaired(STAGE, &written.to_string())["operations"], meant);
    assert_eq!(repaired(STAGE, &json!({"operations": meant.to_string()}).to_string())["operations"], meant);
    let as_it_is = [
        ("read_file", r#"{"path": "a.ts"}"#),
        ("read_file", r#"{"path": "a", "path": "b"}"#),
        ("read_file", "no JSON"),
        ("list_files", r#"{"file": "a.ts"}"#),
        ("no_tool", r#"{"file": "a.ts"}"#),
    ];
    for (tool, text) in as_it_is {
        assert_eq!(EDITS.mend(tool, text), Mended::AsWritten, "{text}");
    }
    let two = json!({"operations": [{"op": "upsert_file", "path": "a", "text": "x", "code": "y"}]}).to_string();
    assert_eq!(EDITS.mend(STAGE, &two), Mended::Ambiguous(vec!["/operations/0/content".to_owned()]));
    let two = r#"{"file": "a", "filename": "b"}"#;
    assert_eq!(EDITS.mend("read_file", two), Mended::Ambiguous(vec!["/path".to_owned()]));
    let two = r#"{"args": {"path": "a"}, "input": {"path": "b"}}"#;
    assert_eq!(EDITS.mend("read_file", two), Mended::Ambiguous(vec![String::new()]));
}

#[test]
fn words_end_a_run_and_hand_open_changes_in() {
    let turn = AppTurn::read(&body(&json!({}))).unwrap();
    let Reading::Said(content) = turn.read("It is blue already.", None) else { panic!("words are an answer") };
    assert_eq!(EDITS.ending(&Cause::Replied(&content)).outcome, "answered");
    assert!(matches!(turn.read(" ", None), Reading::Bad { .. }));
    let whole = json!({"operations": [{"op": "delete_file", "path": "README.md"}], "summary": "Gone."});
    for text in [whole.to_string(), format!("```json\n{whole}\n```")] {
        let Reading::Calls(calls) = turn.read(&text, None) else { panic!("{text}") };
        let names: Vec<_> = calls.iter().map(|call| call.name).collect();
        assert_eq!((names, &calls[1].arguments["summary"]), (vec![STAGE, PROPOSE], &json!("Gone.")));
    }
    assert!(
        matches!(turn.read("{\"ops\": 3}", None), Reading::Bad { code: Some(code), .. } if code == "MODEL_OUTPUT_INVALID")
    );
    turn.scratch.borrow_mut().write("src/new.ts", "export {};\n".to_owned());
    let Reading::Calls(calls) = turn.read("Done.", None) else { panic!("open changes are handed in") };
    assert_eq!((calls[0].name, &calls[0].arguments), (PROPOSE, &json!({ "summary": "Done." })));
}

fn notes(verified: Verified) -> Content {
    let proposal = Box::new(Proposal { verified, ..Proposal::default() });
    Content { notes: json!(RunNotes::Proposed { proposal }), ..Content::default() }
}

#[test]
fn every_end_has_its_word_and_its_code() {
    let all = Verified { compile: true, tests: false, build: true, bundle: true };
    let question = Content {
        notes: json!(RunNotes::Asked { question: "Which?".to_owned(), options: Vec::new() }),
        ..Content::default()
    };
    for (content, word) in
        [(notes(all), "succeeded"), (notes(Verified { build: false, ..all }), "unverified"), (question, "needs_input")]
    {
        assert_eq!(EDITS.ending(&Cause::Replied(&content)).outcome, word);
    }
    let (failed, money, off) = (
        Failed::new("UPSTREAM_ERROR", ""),
        ApiError::new("RUN_BUDGET_EXCEEDED", "").status(402),
        ApiError::new("LEDGER_UNAVAILABLE", "").status(503),
    );
    let ends = [
        (Cause::Unread, "failed", "MODEL_OUTPUT_INVALID"),
        (Cause::Failed(&failed), "failed", "MODEL_UNAVAILABLE"),
        (Cause::TimedOut, "failed", "MODEL_UNAVAILABLE"),
        (Cause::Overdue, "failed", "RUN_LIMIT_REACHED"),
        (Cause::Limit("calls"), "failed", "RUN_LIMIT_REACHED"),
        (Cause::Limit("same"), "failed", "LOOP_REPEATED_DIAGNOSTIC"),
        (Cause::Refused(&money), "budget_exceeded", "RUN_BUDGET_EXCEEDED"),
        (Cause::Refused(&off), "failed", "MODEL_UNAVAILABLE"),
        (Cause::Cancelled, "cancelled", "RUN_CANCELLED"),
        (Cause::Interrupted, "failed", "RUN_INTERRUPTED"),
        (Cause::Broke, "failed", "BUILDER_INTERNAL_ERROR"),
    ];
    for (cause, word, code) in ends {
        let error = EDITS.refusal(&cause).unwrap();
        assert_eq!((EDITS.ending(&cause).outcome, error.code.as_str()), (word, code));
    }
    let limit = |name| EDITS.refusal(&Cause::Limit(name)).unwrap().args["limit"].clone();
    assert_eq!(
        ["repairs", "tokens", "tool_calls"].map(limit),
        ["RUN_MAX_REPAIRS", "RUN_MAX_TOKENS", "RUN_MAX_TOOL_CALLS"]
    );
}

#[test]
fn a_refused_proposal_is_compared_by_code_path_and_message() {
    let turn = AppTurn::read(&body(&json!({}))).unwrap();
    let found = json!([
        { "code": "IMPORT_UNRESOLVED", "severity": "error", "path": "src/a.ts", "message": "Name a file." },
        { "code": "ASSET_NETWORK", "severity": "warning", "path": "src/a.ts", "message": "Warn." },
    ]);
    let refused = ApiError::new("PROPOSAL_REFUSED", "Repair it.").with("gate", "compile").with("diagnostics", found);
    let keys = |found: Vec<Finding>| found.into_iter().map(|one| one.key).collect::<Vec<_>>();
    let key = |parts: [&str; 3]| parts.map(str::to_owned).into();
    assert_eq!(keys(turn.refused(PROPOSE, &refused)), [key(["IMPORT_UNRESOLVED", "src/a.ts", "Name a file."])]);
    let tests = ApiError::new("PROPOSAL_REFUSED", "Repair it.").with("gate", "tests");
    assert_eq!(keys(turn.refused(PROPOSE, &tests)), [key(["PROPOSAL_REFUSED", "tests", "Repair it."])]);
    assert!(turn.refused(PROPOSE, &ApiError::new("TOOL_INPUT_INVALID", "")).is_empty(), "it is no attempt");
}

/// An event as its reader has it, without what is the same in all.
fn shown(frame: Frame) -> Value {
    let stamp = Stamp { correlation: "9c1e", seq: 2, at: "2026-03-02T09:14:05.120Z" };
    let last = frame.last;
    let Frame { name, mut data, .. } = EDITS.stamped(frame, &stamp);
    for (member, want) in [("event", json!(name)), ("request_id", json!("9c1e")), ("seq", json!(2))] {
        assert_eq!(data.as_object_mut().unwrap().remove(member), Some(want));
    }
    assert_eq!(data["ts"], "2026-03-02T09:14:05.120Z");
    assert_eq!(data.get("type"), last.then_some(&json!("done")));
    data
}

fn one(said: &Said<'_>) -> Value {
    shown(EDITS.frames(said).pop().unwrap())
}

#[test]
fn events_have_the_envelope_of_the_stream() {
    let names = Names { session: "t".to_owned(), model: "default".to_owned(), ..Names::default() };
    let start = one(&Said::Opened(&names));
    assert_eq!(
        (&start["stage"], &start["data"]["thread_id"], &start["data"]["model"]),
        (&json!("start"), &json!("t"), &json!("default"))
    );
    let sent = one(&Said::Composed(&json!({ "files": 3, "bytes": 10, "tokens": 4 })));
    assert_eq!((&sent["stage"], &sent["data"]["content"]), (&json!("context"), &json!("3 files sent to the model")));
    assert_eq!(one(&Said::Words("Hi"))["data"], json!({ "content": "Hi" }));
    let used = one(&Said::Used(TokenUse { input: 5, output: 2, cost: 0 }));
    assert_eq!(used["data"], json!({ "input_tokens": 5, "output_tokens": 2, "of": { "tokens": RUN_MAX_TOKENS } }));
    assert!(EDITS.frames(&Said::Done { finish: None }).is_empty());
}

#[test]
fn a_tool_is_a_line_in_plain_words() {
    let arguments = json!({ "path": "src/App.tsx" });
    let tool =
        |name, over| one(&Said::Tool { name, call: "c1", arguments: &arguments, repaired: false, iteration: 2, over });
    let begun = tool("read_file", None);
    assert_eq!(
        begun["data"],
        json!({
            "tool": "read_file", "call_id": "c1", "status": "started", "iteration": 2, "title": "Reading src/App.tsx",
            "path": "src/App.tsx",
        })
    );
    let read = json!({ "path": "src/App.tsx", "text": "secret", "total_lines": 3 });
    let over = tool("read_file", Some(Ok(&read)));
    assert_eq!(
        (&over["stage"], &over["data"]["status"], &over["data"]["title"]),
        (&json!("inspect"), &json!("ok"), &json!("Read src/App.tsx"))
    );
    assert_eq!(over["data"]["result"], json!({ "path": "src/App.tsx", "total_lines": 3 }), "no text of a file");
    let refused = json!({ "ok": false, "staged": false, "diagnostics": [{ "code": "PATH_HIDDEN" }] });
    let over = tool(STAGE, Some(Ok(&refused)));
    assert_eq!((&over["data"]["status"], &over["diagnostics"][0]["code"]), (&json!("failed"), &json!("PATH_HIDDEN")));
    let error = ApiError::new("AI_TOOL_FORBIDDEN", "");
    let over = tool("publish", Some(Err(&error)));
    assert_eq!((&over["stage"], &over["data"]["code"]), (&json!("edit"), &json!("AI_TOOL_FORBIDDEN")));
}

#[test]
fn there_is_exactly_one_done_and_it_is_last() {
    let ends = |outcome, status, said: Result<&Value, &ApiError>| {
        let ending = Ending { outcome, status };
        let end = LogEnd { turn: 7, ending: &ending, said, usage: TokenUse { input: 5, output: 2, cost: 31 } };
        EDITS.last(&end).unwrap().into_iter().map(|frame| (frame.name, shown(frame))).collect::<Vec<_>>()
    };
    let proposal = RunProposal {
        proposal_id: "cs_1".to_owned(),
        base_revision_id: "rev_1".to_owned(),
        proposal: Proposal { summary: "Blue.".to_owned(), ..Proposal::default() },
        changed: json!([]),
    };
    let run = RunEnd { outcome: "succeeded".to_owned(), summary: "Blue.".to_owned(), proposal: Some(proposal) };
    let all = ends("succeeded", TurnStatus::Complete, Ok(&json!(run)));
    let [("patch_ops", ops), ("done", done)] = &all[..] else { panic!("{all:?}") };
    assert_eq!((&ops["data"]["summary"], &ops["data"]["base_revision_id"]), (&json!("Blue."), &json!("rev_1")));
    assert_eq!(
        done["data"],
        json!({
            "outcome": "succeeded", "turn_id": "turn_7", "proposal_id": "cs_1",
            "usage": { "input_tokens": 5, "output_tokens": 2, "cost_micros": 31 },
        })
    );
    let error = ApiError::of(&codes::RUN_STALLED, args! {}).with(end::PARKED, "cs_2");
    let all = ends("failed", TurnStatus::Failed, Err(&error));
    let [("error", told), ("done", done)] = &all[..] else { panic!("{all:?}") };
    assert_eq!((&told["data"]["retryable"], &done["data"]["proposal_id"]), (&json!(true), &json!("cs_2")));
    let stopped = ApiError::of(&codes::RUN_CANCELLED, args! {});
    let all = ends("cancelled", TurnStatus::Cancelled, Err(&stopped));
    assert_eq!(all.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["done"]);
}
