//! Sessions: one pending turn, what the next call may know, and the end of their life.

use holdpoint_store::session::{ABANDONED, Begun, Ending, NewTurn, RequestNames, Role, Sessions, Status};
use holdpoint_store::workspace::{Asked, Workspace};
use holdpoint_store::{Sql, Value};

use crate::support::Native;

const TTL: i64 = 30 * 86_400_000;
const SECOND: i64 = 1_000;

fn new(message: &str, correlation: &str) -> NewTurn {
    NewTurn {
        protocol: "edit-ops".to_owned(),
        message: message.to_owned(),
        correlation: correlation.to_owned(),
        record: Some("{\"provider\":\"scripted\"}".to_owned()),
        again: false,
    }
}

fn asked(correlation: &str) -> Asked<'_> {
    Asked { protocol: "edit-ops", correlation }
}

fn ending(status: Status, text: &str) -> Ending {
    let outcome = (status == Status::Failed).then(|| "timeout".to_owned());
    Ending { status, outcome, text: text.to_owned() }
}

/// Asks and answers.
fn turn(sessions: &Sessions<'_, &Native>, now: i64, message: &str, status: Status) -> Begun {
    let begun = sessions.of("tool_1", "ann").begin(now, &new(message, message), &RequestNames::default()).unwrap();
    assert!(sessions.close(now, &begun.turn_id, message, &ending(status, &format!("re {message}"))).unwrap());
    begun
}

fn words(sessions: &Sessions<'_, &Native>, now: i64) -> Vec<String> {
    let said = sessions.of("tool_1", "ann").context(now, &new("next", "next"), 60).unwrap();
    said.into_iter().map(|said| said.content).collect()
}

#[test]
fn the_next_call_knows_complete_turns_only() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    turn(&sessions, 1, "one", Status::Complete);
    turn(&sessions, 2, "two", Status::Failed);
    turn(&sessions, 3, "three", Status::Cancelled);
    ann.begin(4, &new("four", "c4"), &RequestNames::default()).unwrap();
    assert_eq!(words(&sessions, 5), ["one", "re one"]);
    assert_eq!(sessions.of("tool_1", "bob").context(5, &new("next", "next"), 60).unwrap(), []);
    assert_eq!(sessions.of("tool_2", "ann").context(5, &new("next", "next"), 60).unwrap(), []);

    let seen = ann.history(5, 60).unwrap();
    let statuses: Vec<_> = seen.iter().map(|m| (m.role, m.status.as_str(), m.outcome.as_deref())).collect();
    assert_eq!(
        statuses[2..],
        [
            (Role::User, "failed", Some("timeout")),
            (Role::Assistant, "failed", Some("timeout")),
            (Role::User, "cancelled", None),
            (Role::Assistant, "cancelled", None),
            (Role::User, "pending", None),
            (Role::Assistant, "pending", None),
        ]
    );
    let last: Vec<_> = ann.history(5, 3).unwrap().into_iter().map(|m| m.content).collect();
    assert_eq!(last, ["re three", "four", ""]);
    let (turn, protocol) = (seen[0].turn.as_str(), seen[0].protocol.as_str());
    assert_eq!((turn, seen[0].id.as_str(), seen[1].id.as_str(), protocol), ("turn_1", "msg_1", "msg_2", "edit-ops"));
}

#[test]
fn a_context_is_cut_at_a_turn() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    for name in ["one", "two", "three"] {
        turn(&sessions, 1, name, Status::Complete);
    }
    let (ann, next) = (sessions.of("tool_1", "ann"), new("next", "next"));
    let said = |most| ann.context(2, &next, most).unwrap().into_iter().map(|s| s.content).collect::<Vec<_>>();
    assert_eq!(said(3), ["three", "re three"]);
    assert_eq!(said(4), ["two", "re two", "three", "re three"]);
}

#[test]
fn a_turn_left_behind_is_closed_by_the_next_and_hears_nothing_more() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    let first = ann.begin(1, &new("one", "c1"), &RequestNames::default()).unwrap();
    assert!(!first.abandoned);
    assert!(sessions.keep(&first.turn_id, "c1", "hal").unwrap());
    assert!(!sessions.keep(&first.turn_id, "other", "late").unwrap(), "another request's text");
    let second = ann.begin(2, &new("two", "c2"), &RequestNames::default()).unwrap();
    assert!(second.abandoned);
    assert!(!sessions.keep(&first.turn_id, "c1", "late").unwrap());
    assert!(!sessions.close(3, &first.turn_id, "c1", &ending(Status::Complete, "late")).unwrap());
    let seen = ann.history(4, 60).unwrap();
    assert_eq!((seen[1].content.as_str(), seen[1].outcome.as_deref()), ("hal", Some(ABANDONED)));
    assert_eq!(seen[3].status, "pending");

    let two = "INSERT INTO turn(session, lane, protocol, status, correlation, at)
               VALUES('x', 'tool_1/ann', 'chat', 'pending', '', 0)";
    assert!(sql.execute(two, &[]).is_err(), "the database itself refuses a second pending turn");
}

#[test]
fn asking_again_replaces_the_answer_and_not_the_words() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    turn(&sessions, 1, "one", Status::Complete);
    let failed = turn(&sessions, 2, "two", Status::Failed);
    let again = ann.begin(3, &NewTurn { again: true, ..new("two", "c3") }, &RequestNames::default()).unwrap();
    assert_eq!(again.turn_id, failed.turn_id);
    assert_eq!(ann.history(3, 60).unwrap().len(), 4);
    assert!(sessions.close(4, &again.turn_id, "c3", &ending(Status::Complete, "better")).unwrap());
    assert_eq!(words(&sessions, 5), ["one", "re one", "two", "better"]);
    let told = |again| {
        let next = NewTurn { again, ..new("two", "c5") };
        ann.context(5, &next, 60).unwrap().into_iter().map(|said| said.content).collect::<Vec<_>>()
    };
    assert_eq!(told(true), ["one", "re one"], "the model does not get the question twice");
    assert_eq!(told(false).len(), 4);
    let other = ann.begin(6, &NewTurn { again: true, ..new("three", "c4") }, &RequestNames::default()).unwrap();
    assert_ne!(other.turn_id, failed.turn_id, "other words are another turn");
}

#[test]
fn a_session_lives_for_its_time_since_the_last_activity() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    turn(&sessions, 0, "one", Status::Complete);
    assert_eq!(sessions.next_expiry().unwrap(), Some(TTL));
    assert_eq!(words(&sessions, TTL - SECOND).len(), 2);
    // Never read, also when no alarm came.
    assert!(words(&sessions, TTL + SECOND).is_empty());
    assert!(sessions.of("tool_1", "ann").history(TTL + SECOND, 60).unwrap().is_empty());
    assert_eq!(sessions.expire(TTL - SECOND).unwrap(), 0);
    assert_eq!(sessions.expire(TTL + SECOND).unwrap(), 1);
    assert_eq!(sessions.next_expiry().unwrap(), None);
    for table in ["session", "turn", "message"] {
        let rows = sql.query(&format!("SELECT count(*) FROM {table}"), &[]).unwrap();
        assert_eq!(rows[0].0, [Value::Integer(0)], "{table}");
    }
}

#[test]
fn activity_prolongs_and_a_late_request_begins_anew() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    turn(&sessions, 0, "one", Status::Complete);
    assert!(ann.discard(TTL - SECOND, &asked("one")).unwrap());
    assert_eq!(words(&sessions, TTL + SECOND).len(), 2, "a discard is activity");
    assert_eq!(sessions.next_expiry().unwrap(), Some(2 * TTL - SECOND));
    ann.begin(3 * TTL, &new("two", "c2"), &RequestNames::default()).unwrap();
    assert_eq!(ann.history(3 * TTL, 60).unwrap().len(), 2, "the old session is gone");
}

#[test]
fn a_proposal_is_discarded_once_and_only_while_nobody_decided() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    turn(&sessions, 1, "one", Status::Complete);
    turn(&sessions, 2, "two", Status::Failed);
    let decided = |now| {
        let answer = ann.history(now, 60).unwrap().swap_remove(1);
        (answer.decision, answer.decided)
    };
    assert!(!ann.discard(3, &Asked { protocol: "chat", correlation: "one" }).unwrap(), "words are no proposal");
    assert!(ann.discard(3, &asked("one")).unwrap());
    assert!(!ann.discard(4, &asked("one")).unwrap(), "twice");
    assert_eq!(decided(5), (Some("discarded".to_owned()), Some(3)));
    for other in ["two", "three", ""] {
        assert!(!ann.discard(5, &asked(other)).unwrap(), "{other:?}: what failed or never was is no proposal");
    }
    assert!(!sessions.of("tool_1", "bob").discard(5, &asked("one")).unwrap());
    assert_eq!((ann.asked_at("two"), ann.asked_at("three")), (Ok(Some(2)), Ok(None)));
}

#[test]
fn cleared_is_gone_and_names_do_not_come_again() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of("tool_1", "ann");
    let first = turn(&sessions, 1, "one", Status::Complete);
    ann.clear().unwrap();
    assert!(ann.history(2, 60).unwrap().is_empty());
    assert!(!sessions.keep(&first.turn_id, "one", "late").unwrap());
    let next = ann.begin(3, &new("two", "c2"), &RequestNames::default()).unwrap();
    assert_ne!(next.turn_id, first.turn_id);
}
