//! The log of a turn that outlives its client.

use holdpoint_store::once::Known;
use holdpoint_store::session::{
    Begun, CalledTool, Ending, LastEvent, NewSession, NewTurn, OnceKey, RequestNames, Sessions, Status,
};
use holdpoint_store::workspace::Workspace;
use holdpoint_store::{Sql, Value};

use crate::support::Native;

const TTL: i64 = 180 * 86_400_000;
const KEEP: i64 = 600_000;

fn new(message: &str) -> NewTurn {
    NewTurn {
        protocol: "crew".to_owned(),
        message: message.to_owned(),
        correlation: message.to_owned(),
        record: None,
        again: false,
    }
}

fn begin(sessions: &Sessions<'_, &Native>, message: &str, client: Option<&str>) -> Begun {
    let sent = RequestNames { client_id: client, once: None };
    sessions.named("as_1", "prj_1", "ann").begin(1, &new(message), &sent).unwrap()
}

fn ending(status: Status) -> Ending {
    let outcome = (status != Status::Complete).then(|| "stopped".to_owned());
    Ending { status, outcome, text: "Said.".to_owned() }
}

fn close(sessions: &Sessions<'_, &Native>, now: i64, begun: &Begun, of: &str, status: Status, data: &str) -> bool {
    let ending = ending(status);
    let last = LastEvent { ending: &ending, name: "result", data, record: Some("{}"), change_set: None, keep_ms: KEEP };
    sessions.close_with(now, begun.turn, of, &last).unwrap()
}

fn log(sessions: &Sessions<'_, &Native>, turn: i64, behind: i64) -> Vec<(i64, String, usize)> {
    let events = sessions.events(turn, behind).unwrap();
    events.into_iter().map(|event| (event.seq, event.name, event.data.len())).collect()
}

#[test]
fn events_are_numbered_without_a_gap_and_end_with_their_turn() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    assert_eq!(sessions.emit(begun.turn, "turn", "{}").unwrap(), Some(1));
    assert_eq!(sessions.emit(begun.turn, "runtime", "{}").unwrap(), Some(2));
    assert!(!close(&sessions, 5, &begun, "another", Status::Complete, "{}"), "another request has it");
    let large = "å".repeat(800_000);
    assert!(close(&sessions, 5, &begun, "one", Status::Complete, &large));
    assert!(!close(&sessions, 6, &begun, "one", Status::Failed, "{}"), "it ends once");
    assert_eq!(sessions.emit(begun.turn, "runtime", "{}").unwrap(), None, "nothing is written behind the end");
    let named = |seq, name: &str, length| (seq, name.to_owned(), length);
    assert_eq!(log(&sessions, begun.turn, 1), [named(2, "runtime", 2), named(3, "result", 1_600_000)]);
    assert_eq!(sessions.events(begun.turn, 2).unwrap()[0].data, large, "its parts make up the whole");
    let logged = sessions.logged("as_1", begun.turn).unwrap().unwrap();
    assert_eq!((logged.pending, logged.status.as_str(), logged.until), (false, "complete", Some(5 + KEEP)));
    assert_eq!(sessions.logged("as_2", begun.turn).unwrap(), None, "a turn of another session is not there");
}

#[test]
fn the_last_event_stays_when_the_others_go() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    sessions.emit(begun.turn, "turn", "{}").unwrap();
    close(&sessions, 5, &begun, "one", Status::Complete, "[1]");
    assert_eq!(sessions.next_forgetting().unwrap(), Some(5 + KEEP));
    assert_eq!(sessions.forget_events(4 + KEEP).unwrap(), 0);
    assert_eq!(sessions.forget_events(5 + KEEP).unwrap(), 1);
    assert_eq!((sessions.forget_events(6 + KEEP).unwrap(), sessions.next_forgetting().unwrap()), (0, None));
    let last = sessions.last_event(begun.turn).unwrap().unwrap();
    assert_eq!((last.seq, last.data.as_str()), (2, "[1]"));
    assert_eq!(sessions.logged("as_1", begun.turn).unwrap().unwrap().until, Some(5 + KEEP), "how long it was is known");
    sessions.named("as_1", "prj_1", "ann").clear().unwrap();
    assert_eq!(sql.query("SELECT 1 FROM event", &[]).unwrap(), [], "a transcript goes with its log");
}

#[test]
fn words_sent_again_after_a_failure_stand_once() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let first = begin(&sessions, "one", Some("c1"));
    let call = CalledTool { name: "builder.context.get", args: "{}", result: "{}", ok: true };
    sessions.note_tool(2, first.turn, &call).unwrap();
    close(&sessions, 5, &first, "one", Status::Failed, "{}");
    sessions.note_tool(6, first.turn, &call).unwrap();
    assert_eq!(sessions.sent("as_1", "c1").unwrap().unwrap().status, "failed");
    let second = begin(&sessions, "one again", Some("c1"));
    assert_ne!(first.turn, second.turn, "a log is never begun anew");
    assert_eq!(sessions.sent("as_1", "c1").unwrap().unwrap().turn, second.turn);
    close(&sessions, 9, &second, "one again", Status::Complete, "{}");
    let rows = sql.query("SELECT turn, role FROM message ORDER BY turn, role", &[]).unwrap();
    let rows: Vec<(i64, String)> = rows.iter().map(|row| (row.get(0).unwrap(), row.get(1).unwrap())).collect();
    let of = |turn, role: &str| (turn, role.to_owned());
    assert_eq!(rows, [of(first.turn, "tool"), of(second.turn, "assistant"), of(second.turn, "user")]);
    let past = sessions.past("as_1").unwrap();
    let words: Vec<&str> = past.iter().map(|message| message.content.as_str()).collect();
    assert_eq!(words, ["one again", "Said."]);
    let third = begin(&sessions, "one again", Some("c1"));
    close(&sessions, 11, &third, "one again", Status::Complete, "{}");
    assert_eq!(sessions.past("as_1").unwrap().len(), 4, "words of a complete turn stay with it");
}

#[test]
fn a_key_is_kept_with_the_turn_that_it_began() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begin = |word: &str, key: &'static str| {
        let sent = RequestNames { client_id: None, once: Some(OnceKey { key, hash: "h" }) };
        sessions.named("as_1", "prj_1", "ann").begin(1, &new(word), &sent).unwrap()
    };
    let known = |hash: &str| workspace.onces().look("ann", "k", hash, 2).unwrap();
    let first = begin("one", "k");
    assert_eq!(known("h"), Known::Answered(first.turn.to_string()));
    assert_eq!(known("other"), Known::Other);
    close(&sessions, 5, &first, "one", Status::Failed, "{}");
    let second = begin("two", "k");
    assert_eq!(known("h"), Known::Answered(second.turn.to_string()), "the turn that it began last");
}

#[test]
fn the_end_of_a_turn_keeps_its_session_for_the_time_that_it_was_made_with() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let own = NewSession {
        id: "as_1",
        bundle: "prj_1",
        user: "ann",
        target: "agent:clerk",
        part: None,
        waits: false,
        mode: "optimize",
        facts: "{}",
    };
    workspace.sessions(100).open(&own, 0).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    assert_eq!(sessions.next_expiry(), Ok(Some(101)));
    close(&sessions, 50, &begun, "one", Status::Complete, "{}");
    assert_eq!(sessions.next_expiry(), Ok(Some(150)), "whatever time a driver knows of");
}

#[test]
fn what_was_kept_of_a_turn_stands_with_its_words_and_its_answer() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    let call = CalledTool { name: "builder.context.get", args: "{}", result: "{}", ok: true };
    sessions.note_tool(2, begun.turn, &call).unwrap();
    let records = || {
        let page = sessions.messages("as_1", true, None, 50).unwrap();
        page.items.into_iter().map(|said| (said.role, said.record)).collect::<Vec<_>>()
    };
    let of = |role: &str, record: Option<&str>| (role.to_owned(), record.map(str::to_owned));
    assert_eq!(records(), [of("user", None), of("tool", None)]);
    close(&sessions, 5, &begun, "one", Status::Complete, "{}");
    assert_eq!(records(), [of("user", Some("{}")), of("tool", None), of("assistant", Some("{}"))]);
}

#[test]
fn what_runs_is_found_after_a_restart() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    let pending = sessions.pending("crew").unwrap();
    assert_eq!((pending.len(), pending[0].0.as_str(), pending[0].1.turn), (1, "as_1", begun.turn));
    assert_eq!(sessions.pending("edit-ops").unwrap(), []);
    close(&sessions, 5, &begun, "one", Status::Failed, "{}");
    assert_eq!(sessions.pending("crew").unwrap(), []);
    let left = sql.query("SELECT count(*) FROM turn WHERE status = ?", &[Value::from("pending")]).unwrap();
    assert_eq!(left[0].get::<i64>(0).unwrap(), 0);
}

#[test]
fn a_request_and_the_turns_of_a_user_are_found_over_all_sessions() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let first = begin(&sessions, "one", None);
    close(&sessions, 5, &first, "one", Status::Complete, "{}");
    let sent = RequestNames { client_id: None, once: None };
    let second = sessions.named("as_2", "prj_1", "ann").begin(2, &new("two"), &sent).unwrap();
    sessions.named("as_3", "prj_1", "bob").begin(2, &new("three"), &sent).unwrap();
    let (session, logged) = sessions.of_request("two").unwrap().unwrap();
    assert_eq!((session.as_str(), logged.turn, logged.pending), ("as_2", second.turn, true));
    assert_eq!(sessions.of_request("four").unwrap(), None);
    assert_eq!(sessions.correlation(first.turn).unwrap().as_deref(), Some("one"));
    let turns = |before| sessions.turns("prj_1", "ann", before, 9).unwrap();
    let all = turns(i64::MAX);
    assert_eq!((all.len(), all[0].correlation.as_str(), all[1].answer.as_str()), (2, "two", "Said."));
    assert_eq!((turns(second.turn).len(), turns(first.turn).len()), (1, 0), "behind the one that is named");
}

#[test]
fn the_last_events_are_written_together_or_not() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let begun = begin(&sessions, "one", None);
    let (ending, before) = (ending(Status::Complete), [("patch_ops", "{}".to_owned())]);
    let last = LastEvent { ending: &ending, name: "done", data: "{}", record: None, change_set: None, keep_ms: KEEP };
    assert!(!sessions.close_behind(5, (begun.turn, "another"), &before, &last).unwrap());
    assert_eq!(sessions.next_event(begun.turn).unwrap(), 1, "nothing of it is there");
    assert!(sessions.close_behind(5, (begun.turn, "one"), &before, &last).unwrap());
    assert_eq!(log(&sessions, begun.turn, 0), [(1, "patch_ops".to_owned(), 2), (2, "done".to_owned(), 2)]);
}
