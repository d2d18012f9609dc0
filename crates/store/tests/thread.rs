//! Threads: one pending turn, what the next call may know, and the end of their life.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod support;

use holdpoint_store::thread::{ABANDONED, Begun, Ending, NewTurn, Role, Status, Threads, TurnKind};
use holdpoint_store::{Sql, Tool, Value};
use support::Native;

const TTL: i64 = 30 * 86_400_000;
const SECOND: i64 = 1_000;

fn new(message: &str, correlation_id: &str) -> NewTurn {
    NewTurn {
        kind: TurnKind::EditOps,
        message: message.to_owned(),
        correlation_id: correlation_id.to_owned(),
        provider: "scripted".to_owned(),
        again: false,
    }
}

fn ending(status: Status, text: &str) -> Ending {
    let outcome = (status == Status::Failed).then(|| "timeout".to_owned());
    Ending { status, outcome, text: text.to_owned() }
}

/// Asks and answers.
fn turn(threads: &Threads<'_, &Native>, now: i64, message: &str, status: Status) -> Begun {
    let begun = threads.begin(now, "ann", &new(message, message)).unwrap();
    assert!(threads.close(now, &begun.turn_id, message, &ending(status, &format!("re {message}"))).unwrap());
    begun
}

fn words(threads: &Threads<'_, &Native>, now: i64) -> Vec<String> {
    threads.context(now, "ann", &new("next", "next"), 60).unwrap().into_iter().map(|said| said.content).collect()
}

#[test]
fn the_next_call_knows_complete_turns_only() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    turn(&threads, 1, "one", Status::Complete);
    turn(&threads, 2, "two", Status::Failed);
    turn(&threads, 3, "three", Status::Cancelled);
    threads.begin(4, "ann", &new("four", "c4")).unwrap();
    assert_eq!(words(&threads, 5), ["one", "re one"]);
    assert_eq!(threads.context(5, "bob", &new("next", "next"), 60).unwrap(), []);

    let seen = threads.history(5, "ann", 60).unwrap();
    let statuses: Vec<_> = seen.iter().map(|m| (m.role, m.status.as_str(), m.failure_outcome.as_deref())).collect();
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
    let last: Vec<_> = threads.history(5, "ann", 3).unwrap().into_iter().map(|m| m.content).collect();
    assert_eq!(last, ["re three", "four", ""]);
}

#[test]
fn a_context_is_cut_at_a_turn() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    for name in ["one", "two", "three"] {
        turn(&threads, 1, name, Status::Complete);
    }
    let next = new("next", "next");
    let said =
        |most| threads.context(2, "ann", &next, most).unwrap().into_iter().map(|s| s.content).collect::<Vec<_>>();
    assert_eq!(said(3), ["three", "re three"]);
    assert_eq!(said(4), ["two", "re two", "three", "re three"]);
}

#[test]
fn a_turn_left_behind_is_closed_by_the_next_and_hears_nothing_more() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    let first = threads.begin(1, "ann", &new("one", "c1")).unwrap();
    assert!(!first.abandoned);
    assert!(threads.keep(&first.turn_id, "c1", "hal").unwrap());
    assert!(!threads.keep(&first.turn_id, "other", "late").unwrap(), "another request's text");
    let second = threads.begin(2, "ann", &new("two", "c2")).unwrap();
    assert!(second.abandoned);
    assert!(!threads.keep(&first.turn_id, "c1", "late").unwrap());
    assert!(!threads.close(3, &first.turn_id, "c1", &ending(Status::Complete, "late")).unwrap());
    let seen = threads.history(4, "ann", 60).unwrap();
    assert_eq!((seen[1].content.as_str(), seen[1].failure_outcome.as_deref()), ("hal", Some(ABANDONED)));
    assert_eq!(seen[3].status, "pending");

    let two = "INSERT INTO turn(user_id, kind, status, provider, correlation_id, at_ms)
               VALUES('ann', 'chat', 'pending', '', '', 0)";
    assert!(sql.execute(two, &[]).is_err(), "the database itself refuses a second pending turn");
}

#[test]
fn asking_again_replaces_the_answer_and_not_the_words() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    turn(&threads, 1, "one", Status::Complete);
    let failed = turn(&threads, 2, "two", Status::Failed);
    let again = threads.begin(3, "ann", &NewTurn { again: true, ..new("two", "c3") }).unwrap();
    assert_eq!(again.turn_id, failed.turn_id);
    assert_eq!(threads.history(3, "ann", 60).unwrap().len(), 4);
    assert!(threads.close(4, &again.turn_id, "c3", &ending(Status::Complete, "better")).unwrap());
    assert_eq!(words(&threads, 5), ["one", "re one", "two", "better"]);
    let told = |again| {
        let next = NewTurn { again, ..new("two", "c5") };
        threads.context(5, "ann", &next, 60).unwrap().into_iter().map(|said| said.content).collect::<Vec<_>>()
    };
    assert_eq!(told(true), ["one", "re one"], "the model does not get the question twice");
    assert_eq!(told(false).len(), 4);
    let other = threads.begin(6, "ann", &NewTurn { again: true, ..new("three", "c4") }).unwrap();
    assert_ne!(other.turn_id, failed.turn_id, "other words are another turn");
}

#[test]
fn a_thread_lives_for_its_time_since_the_last_activity() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    turn(&threads, 0, "one", Status::Complete);
    assert_eq!(threads.next_expiry().unwrap(), Some(TTL));
    assert_eq!(words(&threads, TTL - SECOND).len(), 2);
    // Never read, also when no alarm came.
    assert!(words(&threads, TTL + SECOND).is_empty());
    assert!(threads.history(TTL + SECOND, "ann", 60).unwrap().is_empty());
    assert_eq!(threads.expire(TTL - SECOND).unwrap(), 0);
    assert_eq!(threads.expire(TTL + SECOND).unwrap(), 1);
    assert_eq!(threads.next_expiry().unwrap(), None);
    for table in ["thread", "turn", "message"] {
        let rows = sql.query(&format!("SELECT count(*) FROM {table}"), &[]).unwrap();
        assert_eq!(rows[0].0, [Value::Integer(0)], "{table}");
    }
}

#[test]
fn activity_prolongs_and_a_late_request_begins_anew() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    turn(&threads, 0, "one", Status::Complete);
    assert!(threads.discard(TTL - SECOND, "ann", "one").unwrap());
    assert_eq!(words(&threads, TTL + SECOND).len(), 2, "a discard is activity");
    threads.begin(3 * TTL, "ann", &new("two", "c2")).unwrap();
    assert_eq!(threads.history(3 * TTL, "ann", 60).unwrap().len(), 2, "the old thread is gone");
}

#[test]
fn a_proposal_is_discarded_once_and_only_while_nobody_decided() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    turn(&threads, 1, "one", Status::Complete);
    turn(&threads, 2, "two", Status::Failed);
    let decided = |now| {
        let answer = threads.history(now, "ann", 60).unwrap().swap_remove(1);
        (answer.decision, answer.decided_at)
    };
    assert!(threads.discard(3, "ann", "one").unwrap());
    assert!(!threads.discard(4, "ann", "one").unwrap(), "twice");
    assert_eq!(decided(5), (Some("discarded".to_owned()), Some(3)));
    for other in ["two", "three", ""] {
        assert!(!threads.discard(5, "ann", other).unwrap(), "{other:?}: what failed or never was is no proposal");
    }
    assert!(!threads.discard(5, "bob", "one").unwrap());
}

#[test]
fn cleared_is_gone_and_names_do_not_come_again() {
    let sql = Native::new();
    let tool = Tool::open(&sql).unwrap();
    let threads = tool.threads(TTL);
    let first = turn(&threads, 1, "one", Status::Complete);
    threads.clear("ann").unwrap();
    assert!(threads.history(2, "ann", 60).unwrap().is_empty());
    assert!(!threads.keep(&first.turn_id, "one", "late").unwrap());
    let next = threads.begin(3, "ann", &new("two", "c2")).unwrap();
    assert_ne!(next.turn_id, first.turn_id);
}
