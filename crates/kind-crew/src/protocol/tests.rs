//! The crew's protocol: what a message may hold, what is composed of it, and how a turn ends.

use holdpoint_check::ApiError;
use serde_json::{Value, json};

use super::*;
use holdpoint_kind::protocol::{Content, Failed, Feedback, ModelSetting, NoPrompt, Phase, Profile, Prompt, Reading};

const STEP: &str = "---\nschemaVersion: \"1.1\"\nnodeId: bake\ntype: step\n---\n\n# Bake\n";

/// A message about a step, with its package.
fn body(more: &Value) -> Value {
    let mut body = json!({
        "session": {"target_type": "step", "target_id": "bake", "mode": "optimize", "workflow_id": 2},
        "snapshot": {
            "workflows": [{"id": 2, "document": "# Bakery\n", "graph": {"nodes": [{"id": "bake", "type": "step"}]}}],
            "steps": [{"workflow_id": 2, "node_id": "bake", "path": "workflows/2/steps/bake.md", "markdown": STEP}],
            "agents": [{"id": "baker"}, {"id": "clerk"}],
            "assets": {"assets/rye.md": "Rye."}, "revisions": {},
        },
        "content": "Better.",
    });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn refused(more: &Value) -> ApiError {
    Crew.ask(&body(more)).map(drop).unwrap_err()
}

fn model() -> ModelSetting {
    let profile = Profile { window: 64_000, max_output: 4_096, margin: 0, system_cap: 0 };
    ModelSetting { alias: "m".into(), name: "m".into(), profile, additions: [].into(), constrained: false }
}

fn prompt(more: &Value) -> Prompt {
    Crew.ask(&body(more)).unwrap().compose(&model(), &[]).unwrap()
}

#[test]
fn bounds_are_those_of_the_loop() {
    assert_eq!((BOUNDS.calls, BOUNDS.attempts, BOUNDS.tool_calls, BOUNDS.same), (8, 3, 8, None));
    assert_eq!((BOUNDS.argument_bytes, BOUNDS.result_chars, TURN_DEADLINE_MS), (262_144, 32_000, 180_000));
    assert_eq!(Crew.unlisted(), "AI_TOOL_NOT_ALLOWED");
    assert!(Crew.forbids("builder.change.apply") && !Crew.forbids("builder.package.install"));
}

#[test]
fn a_body_is_read_as_it_is_written() {
    let cases = [
        (json!({"content": []}), "/content"),
        (json!({"content": 1}), "/content"),
        (json!({"content": "x".repeat(100_001)}), "/content"),
        (json!({"clientMessageId": ""}), "/clientMessageId"),
        (json!({"clientMessageId": "x".repeat(65)}), "/clientMessageId"),
        (json!({"clientMessageId": 7}), "/clientMessageId"),
        (json!({"exclude": "asset:a"}), "/exclude"),
        (json!({"exclude": ["a", 1]}), "/exclude"),
        (json!({"stepNode": "bake"}), "/stepNode"),
        (json!({"stepContext": []}), "/stepContext"),
    ];
    for (more, pointer) in cases {
        let error = refused(&more);
        assert_eq!((error.code.as_str(), error.status), ("INVALID_INPUT", 422), "{more}");
        assert_eq!(error.details["pointer"], pointer, "{more}");
    }
    let fine = json!({"clientMessageId": "x".repeat(64), "agentContext": 5, "unknown": true, "exclude": null});
    assert!(Crew.ask(&body(&fine)).is_ok(), "of other types nothing is looked at");
}

#[test]
fn blank_words_do_where_something_is_bettered() {
    let session = json!({"target_type": "asset", "target_id": "assets/new.md", "mode": "create"});
    for blank in [json!(" "), json!(null)] {
        let said = prompt(&json!({ "content": blank }));
        assert!(!said.messages.last().unwrap().content.trim().is_empty(), "the prompt has words of its own");
        assert_eq!(refused(&json!({"content": blank, "session": session})).details["pointer"], "/content");
    }
}

#[test]
fn what_an_editor_has_open_is_the_target() {
    let cases = [
        (json!({"stepNode": {"id": "cool"}}), "id"),
        (json!({"stepNode": {"id": "bake"}, "stepContext": {"nodeId": "cool"}}), "nodeId"),
        (json!({"stepNode": {"workflowId": 3}}), "workflowId"),
        (json!({"stepContext": {"targetId": 7}}), "targetId"),
    ];
    for (more, field) in cases {
        let error = refused(&more);
        assert_eq!((error.code.as_str(), error.status), ("AI_TARGET_CONTEXT_MISMATCH", 400), "{more}");
        let details = json!({"targetType": "step", "targetId": "bake", "field": field});
        assert_eq!(json!(error.details), details, "{more}");
    }
    let own = json!({"stepNode": {"id": "bake", "agentId": "clerk", "workflowId": "2"}, "assetContext": {"path": "x"}});
    assert!(Crew.ask(&body(&own)).is_ok(), "a step names its agent, and other types are not looked at");
}

#[test]
fn the_text_of_an_editor_counts_where_there_is_none() {
    let waiting = |more: Value| {
        let mut sent = body(&more);
        sent["snapshot"]["steps"] = json!([]);
        sent
    };
    let error = Crew.ask(&waiting(json!({}))).map(drop).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("AI_TARGET_CONTEXT_REQUIRED", 400));
    let error = Crew.ask(&waiting(json!({"stepNode": {"id": "bake", "title": "Bake"}}))).map(drop).unwrap_err();
    assert_eq!(error.code, "AI_TARGET_CONTEXT_REQUIRED", "a name is no text");
    let text = |sent: &Value| {
        let prompt = Crew.ask(sent).unwrap().compose(&model(), &[]).unwrap();
        prompt.messages.iter().map(|message| message.content.clone()).collect::<String>()
    };
    let draft = json!({"stepNode": {"id": "bake", "title": "Bake", "goal": "Unsaved goal.", "inputs": ["a: b"]}});
    assert!(text(&waiting(draft.clone())).contains("Unsaved goal."));
    assert!(!text(&body(&draft)).contains("Unsaved goal."), "what is stored goes before what is open");
    let markdown = json!({"stepContext": {"markdown": "Unsaved file."}});
    assert!(text(&waiting(markdown)).contains("Unsaved file."));
    for (kind, id, context, want) in [
        ("asset", "assets/new.md", json!({"assetContext": {"path": "./assets/new.md", "content": "Unsaved."}}), true),
        ("asset", "assets/new.md", json!({"assetContext": {"path": "assets/new.md", "content": " "}}), false),
        ("agent", "smith", json!({"agentContext": {"agentId": "smith", "agent": {"persona": {}}}}), true),
        ("agent", "smith", json!({"agentContext": {"agentId": "smith"}}), false),
    ] {
        let mut sent = body(&context);
        sent["session"] = json!({"target_type": kind, "target_id": id, "mode": "optimize"});
        assert_eq!(Crew.ask(&sent).is_ok(), want, "{context}");
    }
}

#[test]
fn objects_that_are_excluded_are_left_out_and_the_target_never() {
    let all = prompt(
        &json!({"session": {"target_type": "workflow", "target_id": "2", "mode": "optimize", "workflow_id": 2}}),
    );
    let less = prompt(&json!({
        "session": {"target_type": "workflow", "target_id": "2", "mode": "optimize", "workflow_id": 2},
        "exclude": ["asset:assets/rye.md", "agent:clerk", "workflow:2", "nothing"],
    }));
    let has = |prompt: &Prompt, words: &str| prompt.messages.iter().any(|message| message.content.contains(words));
    for (words, kept) in [("assets/rye.md", false), ("\"clerk\"", false), ("\"baker\"", true), ("# Bakery", true)] {
        assert!(has(&all, words), "{words}");
        assert_eq!(has(&less, words), kept, "{words}");
    }
}

#[test]
fn a_context_over_the_window_is_refused() {
    let asked = Crew.ask(&body(&json!({}))).unwrap();
    let small = ModelSetting { profile: Profile { window: 100, ..model().profile }, ..model() };
    let Err(NoPrompt::Refused(error)) = asked.compose(&small, &[]) else { panic!("it fits") };
    assert_eq!((error.code.as_str(), error.status), ("AI_CONTEXT_BUDGET_EXCEEDED", 413));
}

fn read(reply: &Value) -> Content {
    match Crew.ask(&body(&json!({}))).unwrap().read(&reply.to_string(), None) {
        Reading::Said(content) => content,
        Reading::Bad { findings, .. } => panic!("{findings:?}"),
        Reading::Calls(_) => panic!("a reply of this protocol calls no tool"),
    }
}

#[test]
fn what_a_person_reads_is_the_summary_alone() {
    let long = (0..200).map(|number| format!("{number:04} ")).collect::<String>();
    let set = json!({
        "schemaVersion": "1.0", "targetType": "step", "mode": "optimize",
        "operations": [{
            "op": "upsert", "targetType": "step", "target": {"workflowId": 2, "nodeId": "bake"},
            "payload": {"stepMarkdown": long},
        }],
    });
    let change = |words: &str| json!({"responseType": "change", "assistantSummary": words, "changeSet": set});
    assert_eq!(read(&change(&format!("I wrote {long}"))).words.trim(), "I wrote [see preview]");
    assert_eq!(read(&change(&long)).words, "Changed: step:bake");
    let edits = json!({
        "schemaVersion": "1.0", "targetType": "step", "mode": "optimize",
        "operations": [{
            "op": "upsert", "targetType": "step", "target": {"workflowId": 2, "nodeId": "bake"},
            "payload": {"edits": [{"find": "# Bake", "replace": "# Bake well"}]},
        }],
    });
    let edited = json!({"responseType": "change", "assistantSummary": "Bake well.", "changeSet": edits});
    assert_eq!(read(&edited).words, "Bake well.");
    let chat = json!({"responseType": "chat", "assistantSummary": "x".repeat(5_000)});
    let words = read(&chat).words;
    assert_eq!((words.chars().count(), words.ends_with('…')), (2_000, true));
}

#[test]
fn a_refused_answer_goes_back_with_its_errors() {
    let asked = Crew.ask(&body(&json!({}))).unwrap();
    let Reading::Bad { findings, .. } = asked.read("Sorry.", None) else { panic!("it is taken") };
    let told: Vec<Value> = findings.into_iter().map(|finding| finding.told).collect();
    let Some(Feedback::Behind(words)) = asked.feedback(&model(), &[], &told) else { panic!("it is asked anew") };
    let (first, errors) = words.split_once('\n').unwrap();
    assert_eq!(first, "Your answer was refused. Repair it and send the complete JSON object again.");
    let errors: Value = serde_json::from_str(errors).unwrap();
    assert_eq!(errors["errors"][0]["code"], "AI_BAD_RESPONSE");
}

#[test]
fn a_result_of_a_tool_says_whose_it_is() {
    let asked = Crew.ask(&body(&json!({}))).unwrap();
    let meta = asked.meta("builder.asset.read", Some(&json!({"revision": 4})));
    assert_eq!((&meta["revision"], &meta["workflowId"], &meta["allowWrite"]), (&json!(4), &json!(2), &json!(false)));
    let meta = asked.meta("builder.workflow.read", Some(&json!({"revision": 4, "workflowId": 9})));
    assert_eq!(meta["workflowId"], 9);
    let keys: Vec<&String> = meta.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["tool", "sessionId", "userId", "projectId", "workflowId", "revision", "allowWrite"]);
}

#[test]
fn every_end_has_its_code_and_status() {
    let failed = Failed { upstream_status: Some(429), retry_after_ms: Some(7), ..Failed::new("UPSTREAM_ERROR", "") };
    let budget = ApiError::new("BUDGET_EXCEEDED", "").status(402).with("left", 0);
    let ends = [
        (Cause::Unread, "AI_BAD_RESPONSE", 502, TurnStatus::Failed),
        (Cause::Failed(&failed), "UPSTREAM_ERROR", 502, TurnStatus::Failed),
        (Cause::TimedOut, "UPSTREAM_TIMEOUT", 504, TurnStatus::Failed),
        (Cause::Overdue, "UPSTREAM_TIMEOUT", 504, TurnStatus::Failed),
        (Cause::TooLong, "UPSTREAM_TOO_LARGE", 502, TurnStatus::Failed),
        (Cause::Refused(&budget), "BUDGET_EXCEEDED", 402, TurnStatus::Failed),
        (Cause::Limit("calls"), "AI_TOOL_LOOP_LIMIT_EXCEEDED", 502, TurnStatus::Failed),
        (Cause::Cancelled, "AI_TURN_STOPPED", 409, TurnStatus::Cancelled),
        (Cause::Interrupted, "AI_TURN_INTERRUPTED", 409, TurnStatus::Failed),
        (Cause::Broke, "AI_TOOL_EXECUTION_ERROR", 500, TurnStatus::Failed),
    ];
    for (cause, code, status, turn) in ends {
        let error = Crew.refusal(&cause).unwrap();
        assert_eq!((error.code.as_str(), error.status, Crew.ending(&cause).status), (code, status, turn));
    }
    let error = Crew.refusal(&Cause::Failed(&failed)).unwrap();
    assert_eq!(json!(error.details), json!({"upstream_status": 429, "retry_after_ms": 7}));
}

#[test]
fn events_are_those_of_the_stream() {
    let said = |said: Said<'_>| Crew.frames(&said).pop().map(|frame| json!([frame.name, frame.data]));
    let names =
        holdpoint_kind::protocol::Names { turn: "turn_1".into(), message: "msg_1".into(), ..Default::default() };
    let turn = json!(["turn", {"turnId": "turn_1", "messageId": "msg_1", "seq": 1}]);
    assert_eq!(said(Said::Opened(&names)), Some(turn));
    let phase = |phase| said(Said::Phase(phase)).unwrap()[1]["payload"]["phase"].clone();
    let phases = [Phase::Composing, Phase::Model, Phase::Judging, Phase::Repair].map(phase);
    assert_eq!(phases, ["composing", "model", "validating", "validation_repair"]);
    let refused = ApiError::new("X", "");
    let tool = |over| Said::Tool { name: "a", call: "c", arguments: &Value::Null, repaired: false, iteration: 1, over };
    let over = said(tool(Some(Err(&refused))));
    let payload = json!({"name": "a", "callId": "c", "state": "ended", "ok": false, "code": "X"});
    assert_eq!(over, Some(json!(["runtime", {"kind": "function_call", "payload": payload}])));
    let begins = said(tool(None)).unwrap();
    assert_eq!(begins[1]["payload"], json!({"name": "a", "callId": "c", "state": "started"}));
    assert_eq!(said(Said::Words("half a JSON object")), None, "words of a reply are never told as they come");
}
