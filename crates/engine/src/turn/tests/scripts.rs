//! The machine with the two protocols of a script: a proposal, and a chat.

use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{Failed, ModelSetting, Names};
use holdpoint_kind_script::VirtualFile;
use holdpoint_kind_script::outcome::Outcome;
use holdpoint_kind_script::profile;
use serde_json::{Value, json};

use super::super::*;
use super::{finished, text};

const BASE: &str = "import csv\n\ndef run():\n    return 1\n";

fn start(protocol: &str, body: &Value) -> Turn {
    let protocol = holdpoint_kinds::protocol("script-tool", protocol).unwrap();
    let model = ModelSetting {
        alias: "default".to_owned(),
        name: "scripted-1".to_owned(),
        profile: profile::ORDINARY,
        additions: [].into(),
        constrained: false,
    };
    let (turn, effects) = super::notes::start(protocol, body, model);
    assert!(matches!(effects.as_slice(), [Effect::Call(_)]));
    turn
}

fn asked(more: &Value) -> Value {
    let files: serde_json::Map<String, Value> = VirtualFile::ALL
        .map(|file| (file.id().to_owned(), json!(if file == VirtualFile::Tool { BASE } else { "" })))
        .into_iter()
        .collect();
    let mut body = json!({"message": "Return 2.", "active_file": "tool.py", "virtual_files": files});
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    body
}

/// An edit whose call was admitted.
fn edit(more: &Value) -> Turn {
    let mut turn = start("edit-ops", &asked(more));
    assert_eq!(turn.step(Event::Admitted), [Effect::Begin]);
    turn
}

fn says(turn: &mut Turn, words: &str, reason: &str) -> Vec<Effect> {
    assert_eq!(turn.step(text(words, 1)), []);
    turn.step(finished(reason))
}

/// What an ended request answered, and what its turn became.
fn ended(turn: &Turn, effects: &[Effect]) -> (Value, TurnStatus, String) {
    match effects {
        [Effect::Close(close), Effect::Answer(ended)]
        | [Effect::Abort, Effect::Close(close), Effect::Answer(ended)] => {
            let answer = turn.request().answer(ended, &Names::default());
            (answer, close.ending.status, close.text.clone())
        }
        other => panic!("{other:?}"),
    }
}

fn patch(old: &str, new: &str) -> String {
    let lines = ["--- a/tool.py", "+++ b/tool.py", "@@ -3,2 +3,2 @@", " def run():", old, new];
    json!({"assistant_message": "It returns 2.", "ops": [{"op": "patch", "target_file": "tool.py", "patch_lines": lines}]})
        .to_string()
}

#[test]
fn every_outcome_of_an_answer() {
    let insert = r#"{"ops":[{"op":"insert","target_file":"tool.py","target":{"kind":"cursor"},"content":"x"}]}"#;
    let delete = r#"{"ops":[{"op":"delete","target_file":"tool.py","target":{"kind":"selection"}}]}"#;
    let cursor = json!({"cursor": {"pos": 0}});
    let nowhere = json!({});
    let empty = r#"{"assistant_message":"Nothing to do.","ops":[]}"#;
    let cases = [
        (&nowhere, patch("-    return 1", "+    return 2"), "stop", "ok", TurnStatus::Complete, Value::Null),
        (&nowhere, empty.to_owned(), "stop", "empty", TurnStatus::Complete, Value::Null),
        (&nowhere, "{\"ops\": [".to_owned(), "length", "truncated", TurnStatus::Failed, json!("EDITOPS_TRUNCATED")),
        (
            &nowhere,
            "I cannot do that.".to_owned(),
            "stop",
            "parse_failed",
            TurnStatus::Failed,
            json!("EDITOPS_NO_OBJECT"),
        ),
        (&nowhere, insert.to_owned(), "stop", "non_patch_ops", TurnStatus::Failed, json!("EDITOPS_OP_NOT_ALLOWED")),
        (&cursor, insert.to_owned(), "stop", "ok", TurnStatus::Complete, Value::Null),
        (&cursor, delete.to_owned(), "stop", "incompatible_ops", TurnStatus::Failed, Value::Null),
    ];
    for (more, raw, reason, outcome, status, code) in cases {
        let mut turn = edit(more);
        let effects = says(&mut turn, &raw, reason);
        let (answer, closed, text) = ended(&turn, &effects);
        assert_eq!((answer["outcome"].as_str(), closed), (Some(outcome), status), "{raw}");
        assert_eq!(answer["code"], code, "{raw}");
        assert_eq!(answer["enabled"], true);
        assert_eq!(answer["ops"].as_array().unwrap().is_empty(), outcome != "ok", "{raw}");
        assert_eq!(answer["base_fingerprints"].as_object().unwrap().len(), 5);
        assert!(!text.contains("ops"), "the thread never gets ops");
    }
}

#[test]
fn a_refusal_in_words_is_what_the_person_reads() {
    let mut turn = edit(&json!({}));
    let effects = says(&mut turn, "I would rather not: that deletes the log.", "stop");
    let (answer, status, kept) = ended(&turn, &effects);
    assert_eq!((&answer["outcome"], &answer["code"]), (&json!("parse_failed"), &json!("EDITOPS_NO_OBJECT")));
    assert_eq!(answer["assistant_message"], "I would rather not: that deletes the log.");
    assert!(answer.get("args").is_none(), "they are no sentence of ours");
    assert_eq!((status, kept.as_str()), (TurnStatus::Failed, "I would rather not: that deletes the log."));
    let mut turn = edit(&json!({}));
    let effects = says(&mut turn, "{\"ops\": 3}", "stop");
    let (answer, _, kept) = ended(&turn, &effects);
    assert!(answer["assistant_message"] != "{\"ops\": 3}" && kept.is_empty(), "a broken form is no words");
}

#[test]
fn every_outcome_of_a_failure() {
    let failure = |code: &str, upstream: &str| Event::Failed(Failed::new(code, upstream));
    let cases = [
        (failure("UPSTREAM_TIMEOUT", ""), "timeout", TurnStatus::Failed),
        (failure("UPSTREAM_ERROR", ""), "upstream_error", TurnStatus::Failed),
        (failure("UPSTREAM_BAD_REQUEST", "context_length_exceeded"), "context_exceeded", TurnStatus::Failed),
        (Event::TimedOut, "timeout", TurnStatus::Failed),
        (Event::Cancelled, "cancelled", TurnStatus::Cancelled),
    ];
    for (event, outcome, status) in cases {
        let mut turn = edit(&json!({}));
        let effects = turn.step(event);
        let (answer, closed, text) = ended(&turn, &effects);
        assert_eq!((answer["outcome"].as_str(), closed, text.as_str()), (Some(outcome), status, ""));
        assert_eq!(turn.step(Event::Admitted), [], "after the end nothing has an effect");
    }
}

#[test]
fn a_refusal_before_admission_touches_nothing() {
    let refused = ApiError::new("BUDGET_EXHAUSTED", "").status(402);
    for (protocol, body) in [("edit-ops", asked(&json!({}))), ("chat", json!({"message": "Why?"}))] {
        let mut turn = start(protocol, &body);
        assert_eq!(turn.step(Event::Refused(refused.clone())), [Effect::Refuse(refused.clone())]);
    }
}

#[test]
fn a_proposal_that_fits_nowhere_is_repaired_once() {
    let mut turn = edit(&json!({}));
    let wrong = patch("-    return 7", "+    return 2");
    let effects = says(&mut turn, &wrong, "stop");
    let [Effect::Call(call)] = effects.as_slice() else { panic!("{effects:?}") };
    let user = call.body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    let payload: Value = serde_json::from_str(user).unwrap();
    assert_eq!(payload["previous_attempt"]["failures"][0]["target_file"], "tool.py");
    assert_eq!(turn.step(Event::Admitted), [], "the turn has begun already");
    let effects = says(&mut turn, &patch("-    return 1", "+    return 2"), "stop");
    let (answer, status, _) = ended(&turn, &effects);
    assert_eq!((&answer["repaired"], &answer["outcome"], status), (&json!(true), &json!("ok"), TurnStatus::Complete));
    assert!(answer["ops"][0]["patch"].as_str().unwrap().contains("return 1"));

    let mut turn = edit(&json!({}));
    says(&mut turn, &wrong, "stop");
    turn.step(Event::Admitted);
    let effects = says(&mut turn, &wrong, "stop");
    let (answer, ..) = ended(&turn, &effects);
    assert_eq!(
        (&answer["outcome"], &answer["repaired"]),
        (&json!("ok"), &json!(true)),
        "a person sees why it does not fit"
    );
}

#[test]
fn a_repair_that_gives_nothing_leaves_the_first_answer() {
    let wrong = patch("-    return 7", "+    return 2");
    let refused = ApiError::new("BUDGET_HELD", "").status(429);
    let stop = |text: &str| (text.to_owned(), finished("stop"));
    let cases = [
        stop("no idea"),
        stop(r#"{"ops":[]}"#),
        (String::new(), Event::TimedOut),
        (String::new(), Event::Refused(refused)),
        (String::new(), Event::Failed(Failed::new("UPSTREAM_ERROR", ""))),
    ];
    for (text, event) in cases {
        let mut turn = edit(&json!({}));
        says(&mut turn, &wrong, "stop");
        if !matches!(event, Event::Refused(_)) {
            turn.step(Event::Admitted);
        }
        turn.step(Event::Text { text, now: 1 });
        let effects = turn.step(event.clone());
        let (answer, status, _) = ended(&turn, &effects);
        assert_eq!((answer["outcome"].as_str(), status), (Some("ok"), TurnStatus::Complete), "{event:?}");
        assert_eq!(answer.get("repaired"), None, "{event:?}");
    }
}

fn chatting() -> Turn {
    let mut turn = start("chat", &json!({"message": "Why?"}));
    assert_eq!(turn.step(Event::Admitted), [Effect::Begin]);
    turn
}

fn frame(said: &Said<'_>) -> Effect {
    let frames = holdpoint_kinds::protocol("script-tool", "chat").unwrap().frames(said);
    Effect::Emit(frames.into_iter().next().unwrap())
}

fn delta(text: &str) -> Effect {
    frame(&Said::Words(text))
}

fn done(finish: &str) -> Effect {
    frame(&Said::Done { finish: Some(finish) })
}

#[test]
fn a_chat_streams_and_is_kept_on_the_way() {
    let mut turn = chatting();
    assert_eq!(turn.step(text("", 1)), []);
    assert_eq!(turn.step(text("Be", 1_000)), [Effect::Open, delta("Be")]);
    assert_eq!(turn.step(text("cause", 1_700)), [delta("cause")]);
    assert_eq!(turn.step(text(".", 1_750)), [delta("."), Effect::Keep("Because.".to_owned())]);
    let long = "x".repeat(KEEP_CHARS);
    let kept = turn.step(text(&long, 1_760));
    assert!(matches!(kept.as_slice(), [_, Effect::Keep(kept)] if kept.ends_with(&long)));
    let end = turn.step(finished("length"));
    let [Effect::Close(close), last] = end.as_slice() else { panic!("{end:?}") };
    assert_eq!((close.ending.status, last), (TurnStatus::Complete, &done("length")));
}

#[test]
fn words_before_a_pause_are_kept_in_time() {
    let mut turn = chatting();
    assert_eq!(turn.due(), None, "nothing came");
    assert_eq!(turn.step(Event::Tick { now: 900 }), []);
    turn.step(text("Be", 1_000));
    assert_eq!(turn.due(), Some(1_750));
    assert_eq!(turn.step(Event::Tick { now: 1_749 }), []);
    assert_eq!(turn.step(Event::Tick { now: 1_750 }), [Effect::Keep("Be".to_owned())]);
    assert_eq!((turn.due(), turn.step(Event::Tick { now: 9_000 })), (None, vec![]), "it is written once");
    assert_eq!(turn.step(text("cause", 9_000)), [delta("cause"), Effect::Keep("Because".to_owned())]);
    turn.step(text(".", 9_100));
    assert_eq!(turn.due(), Some(9_750), "the next time counts from the last");
    turn.step(finished("stop"));
    assert_eq!((turn.due(), turn.step(Event::Tick { now: 9_800 })), (None, vec![]));
}

#[test]
fn what_fails_before_the_first_words_is_an_ordinary_error() {
    for (event, outcome) in [
        (Event::TimedOut, "timeout"),
        (Event::Failed(Failed::new("UPSTREAM_ERROR", "")), "upstream_error"),
        (Event::Failed(Failed::new("UPSTREAM_BAD_REQUEST", "context window")), "context_exceeded"),
    ] {
        let effects = chatting().step(event);
        let Some(Effect::Refuse(refused)) = effects.last() else { panic!("{effects:?}") };
        assert_eq!((refused.status, refused.code.as_str()), (503, "SERVICE_UNAVAILABLE"));
        assert_eq!(refused.details["outcome"], outcome);
        assert!(
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::Close(close) if close.ending.status == TurnStatus::Failed))
        );
        assert!(!effects.contains(&Effect::Open));
    }
}

#[test]
fn a_stream_that_breaks_says_so_and_keeps_its_text() {
    let mut turn = chatting();
    turn.step(text("Half", 1));
    let effects = turn.step(Event::Failed(Failed::new("UPSTREAM_STREAM_CUT", "")));
    let [Effect::Close(close), Effect::Emit(notice), Effect::Emit(last)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((close.ending.status, close.text.as_str()), (TurnStatus::Failed, "Half"));
    assert_eq!(
        (notice.name, &notice.data["message"]),
        ("notice", &json!(Outcome::UpstreamError.sentence().unwrap().message))
    );
    assert_eq!((&last.data["reason"], last.last), (&json!("error"), true));

    let mut turn = chatting();
    turn.step(text("Half", 1));
    let effects = turn.step(Event::Cancelled);
    let [Effect::Abort, Effect::Close(close), last] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((close.ending.status, close.text.as_str()), (TurnStatus::Cancelled, "Half"));
    assert_eq!(last, &frame(&Said::Cancelled));
}

#[test]
fn a_chat_that_does_not_end_is_cut_off() {
    let mut turn = chatting();
    let long = "x".repeat(1 << 20);
    turn.step(text(&long, 1));
    let effects = turn.step(text("y", 2));
    let [said, Effect::Abort, Effect::Close(close), last] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((said, last), (&delta("y"), &done("length")));
    assert_eq!((close.ending.status, close.text.len()), (TurnStatus::Complete, (1 << 20) + 1));
}

#[test]
fn an_error_in_a_stream_keeps_the_edges_code_and_the_providers_words() {
    let later = Failed { retry_after_ms: Some(7_000), ..Failed::new("UPSTREAM_RATE_LIMITED", "") };
    let cases = [
        (r#"{"error":{"code":"UPSTREAM_STALLED","message":"x","details":{}}}"#, Failed::new("UPSTREAM_STALLED", "")),
        (r#"{"error":{"code":"UPSTREAM_RATE_LIMITED","details":{"retry_after_ms":7000}}}"#, later),
        (
            r#"{"error":{"code":"UPSTREAM_BAD_REQUEST","details":{"upstream":"{\"code\":\"context_length_exceeded\"}"}}}"#,
            Failed::new("UPSTREAM_BAD_REQUEST", "{\"code\":\"context_length_exceeded\"}"),
        ),
        (
            r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
            Failed::new("UPSTREAM_STREAM_ERROR", "context_length_exceeded too long"),
        ),
        (r#"{"error":"overloaded"}"#, Failed::new("UPSTREAM_STREAM_ERROR", " overloaded")),
    ];
    for (body, want) in cases {
        assert_eq!(failed(&wire::Error::body(body.as_bytes()).unwrap()), want, "{body}");
    }
    let refused = refusal(402, br#"{"error":{"code":"BUDGET_EXHAUSTED","message":"m","details":{"need":1}}}"#);
    assert_eq!((refused.status, refused.code.as_str(), &refused.details["need"]), (402, "BUDGET_EXHAUSTED", &json!(1)));
    assert_eq!(refusal(500, b"<html>").code, "LEDGER_UNAVAILABLE");
}
