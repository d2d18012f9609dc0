//! Turns whose log is kept: what it holds, and that the newest attempt is what they end with.

use holdpoint_gateway::wire;
use holdpoint_kind::protocol::Failed;
use serde_json::{Value, json};

use super::super::*;
use super::notes::{KEPT, STREAMED, begun, ended, faults_of, is_asked, model, says, start};
use super::{finished, text};

/// The effects in short: events of the log by their data, everything else by its name.
fn told(effects: &[Effect]) -> Vec<String> {
    let one = |effect: &Effect| match effect {
        Effect::Emit(frame) => format!("{} {}", frame.name, frame.data).replace('"', ""),
        Effect::Refuse(refused) => format!("refused {}", refused.code),
        other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
    };
    effects.iter().map(one).collect()
}

fn gated(turn: &mut Turn, faults: &str) -> Vec<Effect> {
    turn.step(Event::Gated { findings: faults_of(faults) })
}

#[test]
fn the_log_is_open_before_the_model_writes() {
    let (mut turn, effects) = start(&KEPT, &json!({}), model());
    assert_eq!(told(&effects), ["Call"], "nothing before the call is admitted");
    assert_eq!(told(&turn.step(Event::Admitted)), ["Begin", "Open", "phase Composing", "phase Model"]);
    assert_eq!(turn.step(text("Words", 1)), [], "words are told when they are whole");
    assert_eq!(told(&turn.step(finished("stop"))), ["summary Words.", "Close", "Answer"]);
}

#[test]
fn a_change_is_told_through_its_gates_and_repairs() {
    let mut turn = begun(&KEPT);
    let effects = says(&mut turn, "CHANGE ");
    assert_eq!(told(&effects), ["summary Words.", "phase Judging", "Gate"]);
    assert_eq!(told(&gated(&mut turn, "x")), ["phase Repair", "phase Model", "Call"]);
    says(&mut turn, "CHANGE ");
    let effects = gated(&mut turn, "");
    let stands = ended(&effects);
    assert_eq!((stands.attempt, stands.calls, stands.findings.len()), (1, 2, 0));
}

#[test]
fn the_newest_change_stands_whatever_was_better() {
    let mut turn = begun(&KEPT);
    says(&mut turn, "CHANGE ");
    assert!(is_asked(&gated(&mut turn, "x")[2..]));
    says(&mut turn, "CHANGE ");
    gated(&mut turn, "x,y");
    says(&mut turn, "CHANGE ");
    let effects = gated(&mut turn, "x,y,z");
    let stands = ended(&effects);
    assert_eq!((stands.attempt, stands.findings.len(), stands.ending.status), (2, 3, TurnStatus::Complete));
}

#[test]
fn what_was_never_stored_is_a_bad_reply() {
    let mut turn = begun(&KEPT);
    says(&mut turn, "CHANGE ");
    gated(&mut turn, "x");
    says(&mut turn, "CHANGE a");
    let effects = says(&mut turn, "CHANGE b");
    assert_eq!(told(&effects)[2..], ["Close", "refused UNREAD"], "the first gate refused it, and no repair is left");
    let mut turn = begun(&KEPT);
    says(&mut turn, "CHANGE ");
    gated(&mut turn, "x");
    says(&mut turn, "BAD x");
    assert_eq!(told(&says(&mut turn, "BAD x")), ["Close", "refused UNREAD"], "an earlier change does not stand");
    let mut turn = begun(&KEPT);
    says(&mut turn, "CHANGE ");
    gated(&mut turn, "x");
    let effects = says(&mut turn, "In words.");
    assert_eq!(ended(&effects).reply.as_ref().unwrap().wire, None, "words end it as words");
}

#[test]
fn every_end_is_an_answer_or_an_error_behind_the_close() {
    let ends = [
        (Event::Cancelled, "FAILED"),
        (Event::TimedOut, "FAILED"),
        (Event::Overdue, "FAILED"),
        (Event::Failed(Failed::new("UPSTREAM_ERROR", "")), "FAILED"),
    ];
    for (event, code) in ends {
        let mut turn = begun(&KEPT);
        turn.step(text("half", 1));
        let effects = turn.step(event);
        let told = told(&effects);
        assert_eq!(told[told.len() - 2..], ["Close".to_owned(), format!("refused {code}")]);
        let closed =
            effects.iter().find_map(|effect| if let Effect::Close(close) = effect { Some(close) } else { None });
        assert_eq!(closed.unwrap().text, "", "half an answer is none");
    }
    let refused = ApiError::new("BUDGET_EXCEEDED", "").status(402).with("left", 0);
    let (mut turn, _) = start(&KEPT, &json!({}), model());
    assert_eq!(turn.step(Event::Refused(refused.clone())), [Effect::Refuse(refused.clone())], "nothing was written");
    let mut turn = begun(&KEPT);
    says(&mut turn, "BAD x");
    let effects = turn.step(Event::Refused(refused.clone()));
    assert_eq!(effects.last(), Some(&Effect::Refuse(refused)), "in the middle it keeps its code and details");
}

#[test]
fn calls_that_are_used_up_end_it() {
    let mut turn = begun(&KEPT);
    let call = wire::Tool { id: String::new(), name: "note.read".into(), arguments: "{}".into() };
    let mut effects = Vec::new();
    for _ in 0..6 {
        turn.step(Event::Admitted);
        effects = turn.step(Event::Finished { reason: None, calls: vec![call.clone()] });
    }
    let told: Vec<String> = told(&effects);
    assert_eq!(told.last().unwrap(), "refused tool_calls");
    let mut turn = begun(&KEPT);
    for _ in 0..5 {
        turn.step(Event::Admitted);
        turn.step(Event::Finished { reason: None, calls: Vec::new() });
        if turn.is_over() {
            break;
        }
    }
    assert!(turn.is_over(), "an empty answer ends it as any other");
}

#[test]
fn a_tool_is_told_with_what_came_of_it() {
    let mut turn = begun(&KEPT);
    let call = |arguments: &str| wire::Tool { id: "c".into(), name: "note.read".into(), arguments: arguments.into() };
    let effects = turn.step(Event::Finished { reason: None, calls: vec![call("[]"), call(r#"{"line": 1}"#)] });
    assert_eq!(told(&effects), ["NotRun", "tool [note.read,false]", "tool [note.read,null]", "Tool"]);
    let Some(Effect::Tool(run)) = effects.last() else { panic!("{effects:?}") };
    let effects = turn.step(Event::ToolDone { id: run.id.clone(), result: Ok(Value::Null) });
    assert_eq!(told(&effects), ["tool [note.read,true]", "phase Model", "Call"]);
}

#[test]
fn a_call_that_is_not_run_is_kept_with_why() {
    let mut turn = begun(&KEPT);
    let call =
        |name: &str, arguments: &str| wire::Tool { id: "c".into(), name: name.into(), arguments: arguments.into() };
    let sent = vec![call("note.apply", "{}"), call("note.write", "[1"), call("note.read", "[]")];
    let effects = turn.step(Event::Finished { reason: None, calls: sent });
    let kept = effects.iter().filter_map(|effect| match effect {
        Effect::NotRun { call, error } => Some((call.name.as_str(), call.arguments.as_str(), error.code.as_str())),
        _ => None,
    });
    let want = [
        ("note.apply", "{}", "AI_TOOL_FORBIDDEN"),
        ("note.write", "[1", "AI_TOOL_FORBIDDEN"),
        ("note.read", "[]", "TOOL_INPUT_INVALID"),
    ];
    assert_eq!(kept.collect::<Vec<_>>(), want);
    let mut turn = begun(&STREAMED);
    let effects = turn.step(Event::Finished { reason: None, calls: vec![call("note.apply", "{}")] });
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::NotRun { .. })), "no log of it is kept");
}
