//! A statement that fails, at each place of each write: nothing is half written.

use std::cell::Cell;

use holdpoint_change::HandCause;
use holdpoint_store::build::{BuildError, BuildOutcome};
use holdpoint_store::change_set::{JudgedSet, NewSet};
use holdpoint_store::publish::{PublishError, PublishKind};
use holdpoint_store::session::{Ending, LastEvent, NewTurn, OnceKey, RequestNames, Sessions, Status};
use holdpoint_store::working_copy::{WorkingCopy, WorkingCopyError};
use holdpoint_store::workspace::{Way, Workspace, WriteError};
use holdpoint_store::{Row, Sql, SqlError, Value};
use serde_json::json;

use crate::kit::{ASKED, BY, Doing, TOOL, created, files, hand};
use crate::proposals::{self, event, judged, row, tokens};
use crate::support::Native;

/// A database whose next statements work and then fail.
struct Faulty {
    native: Native,
    /// How many still work; `None`: all.
    left: Cell<Option<usize>>,
}

impl Faulty {
    fn pass(&self) -> Result<(), SqlError> {
        match self.left.get() {
            Some(0) => return Err(SqlError("disk I/O error: SQLITE_IOERR".to_owned())),
            Some(left) => self.left.set(Some(left - 1)),
            None => {}
        }
        Ok(())
    }
}

impl Sql for Faulty {
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError> {
        self.pass()?;
        self.native.execute(sql, params)
    }

    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError> {
        self.pass()?;
        self.native.query(sql, params)
    }

    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.native.transaction(body)
    }
}

type Tool<'w, 's> = Doing<'w, &'s Faulty>;

/// Fails `write` at its first statement, then at its second, and so on until it works.
fn fails_whole(name: &str, prepare: impl Fn(&Tool), write: impl Fn(&Tool) -> Result<(), WriteError>) {
    for statements in 0.. {
        let sql = Faulty { native: Native::new(), left: Cell::new(None) };
        let workspace = Workspace::open(&sql).unwrap();
        let tool = Doing { workspace: &workspace, bundle: TOOL };
        prepare(&tool);
        let before = sql.native.bytes();
        sql.left.set(Some(statements));
        match write(&tool) {
            Ok(()) => {
                assert!(sql.native.bytes() != before, "{name} writes something");
                assert!(statements > 2, "{name} fails somewhere");
                return;
            }
            Err(refused) => {
                assert!(matches!(refused, WriteError::Sql(_)), "{name} at {statements}: {refused:?}");
                assert!(sql.native.bytes() == before, "{name} is half written at {statements}");
            }
        }
    }
}

fn made(tool: &Tool) {
    created(tool.workspace);
}

fn proposed(tool: &Tool) {
    made(tool);
    let sessions = tool.workspace.sessions(1_000_000);
    let begun = sessions.of(TOOL.id, "ann").begin(1, &turn("c1"), &RequestNames::default()).unwrap();
    assert!(sessions.close(2, &begun.turn_id, "c1", &ending()).unwrap());
}

fn applied(tool: &Tool) {
    proposed(tool);
    tool.apply(&[("tool.py", "b")]).unwrap();
}

fn undone(tool: &Tool) {
    applied(tool);
    tool.undo().unwrap();
}

fn turn(correlation: &str) -> NewTurn {
    NewTurn {
        protocol: "edit-ops".to_owned(),
        message: "make it b".to_owned(),
        correlation: correlation.to_owned(),
        record: None,
        again: false,
    }
}

fn ending() -> Ending {
    Ending { status: Status::Complete, outcome: None, text: "b it is".to_owned() }
}

#[test]
fn a_write_that_fails_anywhere_writes_nothing() {
    let first = || hand(HandCause::Create, files(&[("tool.py", "a"), ("usage.md", "u")]));
    fails_whole("create", |_| {}, |tool| tool.write(first()).map(drop));
    fails_whole("save", made, |tool| tool.save(&[("tool.py", "b"), ("new.md", "n")]).map(drop));
    fails_whole("apply", proposed, |tool| tool.apply(&[("tool.py", "b")]).map(drop));
    fails_whole("apply behind an undo", undone, |tool| tool.apply(&[("tool.py", "c")]).map(drop));
    fails_whole("undo", applied, |tool| tool.undo().map(drop));
    fails_whole("redo", undone, |tool| tool.redo().map(drop));
    fails_whole("restore", applied, |tool| tool.restore("rev_1").map(drop));
    fails_whole("step", applied, |tool| tool.step(&Way::Back).map(drop));
    fails_whole("remove", made, |tool| tool.remove().map(drop));
    fails_whole("facts", made, |tool| tool.facts(json!({"enabled": false})).map(drop));
    fails_whole("checkpoint", made, |tool| tool.workspace.checkpoint(TOOL.id, "named", &BY).map(drop));
}

#[test]
fn a_session_that_fails_anywhere_writes_nothing() {
    fn sessions<'w>(tool: &Tool<'w, '_>) -> Sessions<'w, impl Sql> {
        tool.workspace.sessions(1_000_000)
    }
    fails_whole("begin", made, |tool| {
        Ok(sessions(tool).of(TOOL.id, "ann").begin(5, &turn("c2"), &RequestNames::default()).map(drop)?)
    });
    let left = |tool: &Tool| {
        proposed(tool);
        sessions(tool).of(TOOL.id, "ann").begin(5, &turn("c2"), &RequestNames::default()).unwrap();
    };
    fails_whole("begin under a key", left, |tool| {
        let sent = RequestNames { client_id: Some("m1"), once: Some(OnceKey { key: "k", hash: "h" }) };
        Ok(sessions(tool).of(TOOL.id, "ann").begin(6, &turn("c3"), &sent).map(drop)?)
    });
    fails_whole("close with the last event", left, |tool| {
        let ending = ending();
        let (name, data, record) = ("result", "{}", Some("{}"));
        let last = LastEvent { ending: &ending, name, data, record, change_set: None, keep_ms: 9 };
        Ok(sessions(tool).close_with(6, 2, "c2", &last).map(drop)?)
    });
    let again = |tool: &Tool| {
        let new = NewTurn { again: true, ..turn("c3") };
        Ok(sessions(tool).of(TOOL.id, "ann").begin(6, &new, &RequestNames::default()).map(drop)?)
    };
    fails_whole("begin again", left, again);
    fails_whole("close", left, |tool| Ok(sessions(tool).close(6, "turn_2", "c2", &ending()).map(drop)?));
    let discard = |tool: &Tool| Ok(sessions(tool).of(TOOL.id, "ann").discard(7, &ASKED.asked.unwrap()).map(drop)?);
    fails_whole("discard", proposed, discard);
    fails_whole("clear", proposed, |tool| Ok(sessions(tool).of(TOOL.id, "ann").clear()?));
    fails_whole("expire", proposed, |tool| Ok(sessions(tool).expire(9_000_000).map(drop)?));
}

/// A validated set that needs the token `t`.
fn validated(tool: &Tool) {
    made(tool);
    proposals::open(tool.workspace, "as_1", 1);
    let set = proposals::stage(tool.workspace, "as_1", &[row("agent:a")]);
    tool.workspace.change_sets().judge(&set, &judged(true), 6, &[]).unwrap();
    tool.workspace.issue((TOOL.id, &tokens()), "ann", "t", 1_000).unwrap();
}

#[test]
fn a_proposal_that_fails_anywhere_writes_nothing() {
    fn latest(tool: &Tool) -> Result<holdpoint_store::change_set::ChangeSet, WriteError> {
        Ok(tool.workspace.change_sets().latest("as_1")?.unwrap())
    }
    let staged = |tool: &Tool| {
        let working = [row("agent:b"), row("agent:c")];
        let new = NewSet { session: "as_1", bundle: TOOL.id, user: "ann", content: "{}", working: &working };
        Ok(tool.workspace.change_sets().stage(&new, 7, &[event("staged")]).map(drop)?)
    };
    fails_whole("stage", validated, staged);
    fails_whole("validate", validated, |tool| {
        let again = Some(("{}", &[][..]));
        let judged = JudgedSet { again, ..judged(false) };
        let sets = tool.workspace.change_sets();
        Ok(sets.judge(&latest(tool)?, &judged, 8, &[event("validated")]).map(drop)?)
    });
    fails_whole("discard", validated, |tool| {
        Ok(tool.workspace.change_sets().discard(&latest(tool)?, 8, &event("discarded")).map(drop)?)
    });
    fails_whole("apply of a set", validated, |tool| {
        let base = tool.workspace.base(TOOL.id)?;
        proposals::applied(tool, &base, &latest(tool)?, "t", 1_001).map(drop)
    });
    fails_whole("cancel", validated, |tool| Ok(tool.workspace.sessions(1_000).cancel("as_1", 9).map(drop)?));
    fails_whole("forget", validated, |tool| Ok(tool.workspace.sessions(1_000).forget("as_1", 9)?));
}

/// An app with a build that runs, and one revision that is built.
fn built(tool: &Tool) {
    build(tool, "a");
    let builds = tool.workspace.builds();
    let (_, lease) = builds.claim(TOOL.id, 1_001).unwrap().unwrap();
    builds.finish(&lease, &DONE, 1_002).unwrap();
    build(tool, "b");
    builds.claim(TOOL.id, 1_003).unwrap();
}

const DONE: BuildOutcome<'static> = BuildOutcome::Succeeded { dist: "d", manifest: "{}" };

fn build(tool: &Tool, text: &str) {
    let change = hand(HandCause::Save, files(&[("tool.py", text)]));
    tool.workspace.write_built(&TOOL, &tool.base(), change, &BY, text).unwrap();
}

fn unsaved(text: &str) -> WorkingCopy {
    WorkingCopy { base: "rev_1".to_owned(), files: files(&[("tool.py", text)]), entry: None, updated: 1 }
}

#[test]
fn a_build_that_fails_anywhere_writes_nothing() {
    /// What a refusal of another kind than the database's becomes: the test stops.
    fn of<T, E: std::fmt::Debug>(refused: Result<T, E>, sql: impl Fn(E) -> Option<SqlError>) -> Result<(), WriteError> {
        refused.map(drop).map_err(|error| WriteError::Sql(sql(error).unwrap()))
    }
    fails_whole("save and build", built, |tool| {
        let change = hand(HandCause::Save, files(&[("tool.py", "c")]));
        tool.workspace.write_built(&TOOL, &tool.workspace.base(TOOL.id)?, change, &BY, "c").map(drop)
    });
    let queued = |tool: &Tool| {
        made(tool);
        build(tool, "q");
    };
    fails_whole("claim", queued, |tool| Ok(tool.workspace.builds().claim(TOOL.id, 1_009).map(drop)?));
    fails_whole("reap", built, |tool| Ok(tool.workspace.builds().reap(1_000_000).map(drop)?));
    fails_whole("retry", built, |tool| {
        let retried = tool.workspace.builds().retry(TOOL.id, "rev_1", "k", true, 9);
        of(retried, |error| if let BuildError::Sql(error) = error { Some(error) } else { None })
    });
    let intended = |tool: &Tool| {
        built(tool);
        tool.workspace.publishes().intend(TOOL.id, "rev_1", PublishKind::Publish, "ann", 4).unwrap();
    };
    fails_whole("intend", built, |tool| {
        let intended = tool.workspace.publishes().intend(TOOL.id, "rev_1", PublishKind::Publish, "ann", 4);
        of(intended, |error| if let PublishError::Sql(error) = error { Some(error) } else { None })
    });
    fails_whole("publish", intended, |tool| Ok(tool.workspace.publishes().done(TOOL.id, 1, 5).map(drop)?));
    let copied = |tool: &Tool| {
        made(tool);
        tool.workspace.working_copies().put(TOOL.id, "ann", &unsaved("x")).unwrap();
    };
    fails_whole("working copy", copied, |tool| {
        let put = tool.workspace.working_copies().put(TOOL.id, "ann", &unsaved("y"));
        of(put, |error| if let WorkingCopyError::Sql(error) = error { Some(error) } else { None })
    });
}
