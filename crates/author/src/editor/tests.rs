//! The two machines, event by event.

use holdpoint_gateway::wire;
use holdpoint_kinds::script_tool::VirtualFile;
use holdpoint_kinds::script_tool::outcome::TurnStatus;
use holdpoint_kinds::script_tool::profile::Profile;
use holdpoint_kinds::script_tool::prompts::Host;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const BASE: &str = "import csv\n\ndef run():\n    return 1\n";

fn setting() -> Setting {
    Setting {
        alias: "default".to_owned(),
        model: "scripted-1".to_owned(),
        profile: Profile::ORDINARY,
        host: Host::default(),
        constrained: false,
    }
}

fn asked(more: &Value) -> EditAsk {
    let files: serde_json::Map<String, Value> = VirtualFile::ALL
        .map(|file| (file.id().to_owned(), json!(if file == VirtualFile::Tool { BASE } else { "" })))
        .into_iter()
        .collect();
    let mut body = json!({"message": "Return 2.", "active_file": "tool.py", "virtual_files": files});
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    EditAsk::read(&body).unwrap()
}

/// An edit whose call was admitted.
fn edit(more: &Value) -> EditTurn {
    let ask = asked(more);
    let call = edit_ops(&setting(), &ask, &[], None).unwrap();
    let (mut turn, effects) = EditTurn::new(setting(), ask, vec![], call);
    assert!(matches!(effects.as_slice(), [Effect::Call(_)]));
    assert_eq!(turn.step(Event::Admitted), [Effect::Begin]);
    turn
}

fn says(turn: &mut EditTurn, text: &str, reason: &str) -> Vec<Effect> {
    assert_eq!(turn.step(Event::Text { text: text.to_owned(), now: 1 }), []);
    turn.step(Event::Finished { reason: Some(reason.to_owned()) })
}

/// What an ended request answered, and what its turn became.
fn ended(effects: &[Effect]) -> (Value, TurnStatus, String) {
    match effects {
        [Effect::Close(close), Effect::Answer(answer)]
        | [Effect::Abort, Effect::Close(close), Effect::Answer(answer)] => {
            (json!(answer), close.outcome.turn(), close.text.clone())
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
        let (answer, closed, text) = ended(&says(&mut edit(more), &raw, reason));
        assert_eq!((answer["outcome"].as_str(), closed), (Some(outcome), status), "{raw}");
        assert_eq!(answer["code"], code, "{raw}");
        assert_eq!(answer["enabled"], true);
        assert_eq!(answer["ops"].as_array().unwrap().is_empty(), outcome != "ok", "{raw}");
        assert_eq!(answer["base_fingerprints"].as_object().unwrap().len(), 5);
        assert!(!text.contains("ops"), "the thread never gets ops");
    }
}

#[test]
fn every_outcome_of_a_failure() {
    let failed = |code: &str, upstream: &str| Event::Failed(Failed::new(code, upstream));
    let cases = [
        (failed("UPSTREAM_TIMEOUT", ""), "timeout", TurnStatus::Failed),
        (failed("UPSTREAM_ERROR", ""), "upstream_error", TurnStatus::Failed),
        (failed("UPSTREAM_BAD_REQUEST", "context_length_exceeded"), "context_exceeded", TurnStatus::Failed),
        (Event::TimedOut, "timeout", TurnStatus::Failed),
        (Event::Cancelled, "cancelled", TurnStatus::Cancelled),
    ];
    for (event, outcome, status) in cases {
        let mut turn = edit(&json!({}));
        let (answer, closed, text) = ended(&turn.step(event));
        assert_eq!((answer["outcome"].as_str(), closed, text.as_str()), (Some(outcome), status, ""));
        assert_eq!(turn.step(Event::Admitted), [], "after the end nothing has an effect");
    }
}

#[test]
fn a_refusal_before_admission_touches_nothing() {
    let ask = asked(&json!({}));
    let call = edit_ops(&setting(), &ask, &[], None).unwrap();
    let (mut turn, _) = EditTurn::new(setting(), ask, vec![], call.clone());
    let refused = Refused { status: 402, code: "BUDGET_EXHAUSTED".into(), message: String::new(), details: json!({}) };
    assert_eq!(turn.step(Event::Refused(refused.clone())), [Effect::Refuse(refused.clone())]);
    let (mut turn, _) = ChatTurn::new(call);
    assert_eq!(turn.step(Event::Refused(refused.clone())), [Effect::Refuse(refused)]);
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
    let (answer, status, _) = ended(&says(&mut turn, &patch("-    return 1", "+    return 2"), "stop"));
    assert_eq!((&answer["repaired"], &answer["outcome"], status), (&json!(true), &json!("ok"), TurnStatus::Complete));
    assert!(answer["ops"][0]["patch"].as_str().unwrap().contains("return 1"));

    let mut turn = edit(&json!({}));
    says(&mut turn, &wrong, "stop");
    turn.step(Event::Admitted);
    let (answer, ..) = ended(&says(&mut turn, &wrong, "stop"));
    assert_eq!(answer["outcome"], "ok", "a person sees why it does not fit");
}

#[test]
fn a_repair_that_gives_nothing_leaves_the_first_answer() {
    let wrong = patch("-    return 7", "+    return 2");
    let refused = Refused { status: 429, code: "BUDGET_HELD".into(), message: String::new(), details: json!({}) };
    let stop = |text: &str| (text.to_owned(), Event::Finished { reason: Some("stop".to_owned()) });
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
        turn.step(Event::Text { text, now: 1 });
        let (answer, status, _) = ended(&turn.step(event.clone()));
        assert_eq!((answer["outcome"].as_str(), status), (Some("ok"), TurnStatus::Complete), "{event:?}");
        assert_eq!(answer.get("repaired"), None, "{event:?}");
    }
}

fn chatting() -> ChatTurn {
    let ask = ChatAsk::read(&json!({"message": "Why?"})).unwrap();
    let (mut turn, effects) = ChatTurn::new(chat(&setting(), &ask, &[]).unwrap());
    assert!(matches!(effects.as_slice(), [Effect::Call(_)]));
    assert_eq!(turn.step(Event::Admitted), [Effect::Begin]);
    turn
}

fn text(text: &str, now: i64) -> Event {
    Event::Text { text: text.to_owned(), now }
}

fn delta(text: &str) -> Effect {
    Effect::Emit(Frame::Delta { text: text.to_owned() })
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
    let end = turn.step(Event::Finished { reason: Some("length".to_owned()) });
    let [Effect::Close(close), Effect::Emit(done)] = end.as_slice() else { panic!("{end:?}") };
    assert_eq!((close.outcome.turn(), done), (TurnStatus::Complete, &Frame::Done { reason: Reason::Length }));
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
    turn.step(Event::Finished { reason: Some("stop".to_owned()) });
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
                .any(|effect| matches!(effect, Effect::Close(close) if close.outcome.turn() == TurnStatus::Failed))
        );
        assert!(!effects.contains(&Effect::Open));
    }
}

#[test]
fn how_long_to_wait_is_passed_on() {
    let failed = Failed { retry_after_ms: Some(7_000), ..Failed::new("UPSTREAM_RATE_LIMITED", "") };
    let effects = chatting().step(Event::Failed(failed));
    let Some(Effect::Refuse(refused)) = effects.last() else { panic!("{effects:?}") };
    let details = json!({"outcome": "upstream_error", "cause": "UPSTREAM_RATE_LIMITED", "retry_after_ms": 7_000});
    assert_eq!((refused.status, &refused.details), (503, &details));
}

#[test]
fn a_stream_that_breaks_says_so_and_keeps_its_text() {
    let mut turn = chatting();
    turn.step(text("Half", 1));
    let effects = turn.step(Event::Failed(Failed::new("UPSTREAM_STREAM_CUT", "")));
    let [Effect::Close(close), Effect::Emit(Frame::Notice { .. }), Effect::Emit(done)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!((close.outcome.turn(), close.text.as_str()), (TurnStatus::Failed, "Half"));
    assert_eq!(done, &Frame::Done { reason: Reason::Error });

    let mut turn = chatting();
    turn.step(text("Half", 1));
    let effects = turn.step(Event::Cancelled);
    let [Effect::Abort, Effect::Close(close), Effect::Emit(done)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((close.outcome.turn(), close.text.as_str()), (TurnStatus::Cancelled, "Half"));
    assert_eq!(done, &Frame::Done { reason: Reason::Cancelled });
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
        assert_eq!(Failed::from(wire::Error::body(body.as_bytes()).unwrap()), want, "{body}");
    }
    let refused = Refused::read(402, br#"{"error":{"code":"BUDGET_EXHAUSTED","message":"m","details":{"need":1}}}"#);
    assert_eq!((refused.code.as_str(), refused.details), ("BUDGET_EXHAUSTED", json!({"need": 1})));
    assert_eq!(Refused::read(500, b"<html>").code, "LEDGER_UNAVAILABLE");
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        3 => Just(Event::Admitted),
        4 => "[a-z{}\\[\\]\":,]{0,12}".prop_map(|text| Event::Text { text, now: 5 }),
        1 => Just(Event::Text { text: patch("-    return 7", "+    return 2"), now: 5 }),
        2 => prop_oneof![Just("stop"), Just("length")].prop_map(|r| Event::Finished { reason: Some(r.to_owned()) }),
        1 => Just(Event::Failed(Failed::new("UPSTREAM_ERROR", ""))),
        1 => Just(Event::TimedOut),
        1 => (0i64..2_000).prop_map(|now| Event::Tick { now }),
        1 => Just(Event::Refused(Refused { status: 402, code: "B".into(), message: String::new(), details: json!({}) })),
        1 => Just(Event::Cancelled),
    ];
    proptest::collection::vec(event, 0..24)
}

proptest! {
    /// Whatever comes in whatever order: a turn begins at most once, closes at most once and only after it began, and
    /// nobody hears anything after the end; at most two calls are made.
    #[test]
    fn a_turn_begins_and_closes_once(events in events(), chats in any::<bool>()) {
        let mut seen = Vec::new();
        let mut over = false;
        if chats {
            let ask = ChatAsk::read(&json!({"message": "Why?"})).unwrap();
            let (mut turn, first) = ChatTurn::new(chat(&setting(), &ask, &[]).unwrap());
            seen.extend(first);
            for event in events {
                let effects = turn.step(event);
                prop_assert!(!over || effects.is_empty());
                seen.extend(effects);
                over = turn.is_over();
            }
        } else {
            let ask = asked(&json!({}));
            let call = edit_ops(&setting(), &ask, &[], None).unwrap();
            let (mut turn, first) = EditTurn::new(setting(), ask, vec![], call);
            seen.extend(first);
            for event in events {
                let effects = turn.step(event);
                prop_assert!(!over || effects.is_empty());
                seen.extend(effects);
                over = turn.is_over();
            }
        }
        let count = |is: fn(&Effect) -> bool| seen.iter().filter(|effect| is(effect)).count();
        let (begins, closes) = (count(|e| *e == Effect::Begin), count(|e| matches!(e, Effect::Close(_))));
        prop_assert!(begins <= 1 && closes <= begins);
        prop_assert!(!over || closes == begins);
        prop_assert!(count(|e| matches!(e, Effect::Call(_))) <= 2);
        let ends = count(|e| matches!(e, Effect::Answer(_) | Effect::Refuse(_) | Effect::Emit(Frame::Done { .. })));
        prop_assert!(ends <= 1);
        prop_assert!(chats || count(|e| matches!(e, Effect::Keep(_))) == 0);
    }
}
