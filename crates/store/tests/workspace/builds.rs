//! Builds: who may work on what, what counts of what is said, and what is kept (spec: app-builder.md §5).

use holdpoint_change::HandCause;
use holdpoint_store::build::{
    AppliedBuild, Build, BuildError, BuildKind, BuildOutcome, BuildStatus, DELAYS_MS, Finish, GATE_MS, LEASE_MS,
    LOG_MS, Lease, MAX_ATTEMPTS, MAX_GATES, MAX_LOG_BYTES, Reaped, SUPERSEDED,
};
use holdpoint_store::workspace::{Beside, By, Workspace};
use holdpoint_store::{Sql, SqlError};
use serde_json::json;

use crate::kit::{BY, PLAIN, approved, files, hand, signed};
use crate::support::Native;

const APP: &str = PLAIN.id;
const DONE: BuildOutcome<'static> = BuildOutcome::Succeeded { dist: "d1", manifest: "{\"assets\":[1]}" };

/// Saves a draft, whose build has the key `key`; answers its revision.
pub fn save<S: Sql>(workspace: &Workspace<S>, text: &str, key: &str, now: i64) -> String {
    let base = workspace.base(APP).unwrap();
    let cause = if base.revision.is_none() { HandCause::Create } else { HandCause::Save };
    let change = hand(cause, files(&[("a", text)]));
    workspace.write_built(&PLAIN, &base, change, &By { now, ..BY }, key).unwrap().revision.id
}

fn of<S: Sql>(workspace: &Workspace<S>, revision: &str) -> Build {
    workspace.builds().of(APP, revision).unwrap().unwrap()
}

fn claim<S: Sql>(workspace: &Workspace<S>, now: i64) -> Option<Lease> {
    workspace.builds().claim(APP, now).unwrap().map(|(_, lease)| lease)
}

fn state(build: &Build) -> (BuildStatus, i64, u32, Option<&str>) {
    (build.status, build.seq, build.attempts, build.error_code.as_deref())
}

#[test]
fn a_save_queues_its_build_and_ends_those_of_older_drafts() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let first = save(&workspace, "1", "k1", 10);
    assert_eq!(state(&of(&workspace, &first)), (BuildStatus::Queued, 1, 0, None));
    let lease = claim(&workspace, 10).unwrap();
    let build = of(&workspace, &first);
    assert_eq!((build.status, build.started, build.lease_until), (BuildStatus::Running, Some(10), Some(10 + LEASE_MS)));
    assert_eq!(claim(&workspace, 10), None, "one runs");

    let second = save(&workspace, "2", "k2", 20);
    let over = of(&workspace, &first);
    assert_eq!(state(&over), (BuildStatus::Failed, 1, 1, Some("BUILD_SUPERSEDED")));
    assert_eq!(over.finished, Some(20));
    assert_eq!(state(&of(&workspace, &second)), (BuildStatus::Queued, 2, 0, None), "its parent's and one");
    assert_eq!(builds.renew(&lease, None, 21), Ok(false), "the runner hears that it is to stop");
    assert_eq!(builds.finish(&lease, &DONE, 22), Ok(Finish::Superseded));
    assert_eq!(builds.log(&lease, "late"), Ok(false));
    assert_eq!(state(&of(&workspace, &first)), (BuildStatus::Failed, 1, 1, Some("BUILD_SUPERSEDED")));

    // What is the same makes no revision and no build.
    let base = workspace.base(APP).unwrap();
    let same = hand(HandCause::Save, files(&[("a", "2")]));
    let head = workspace.write_built(&PLAIN, &base, same, &BY, "other").unwrap();
    assert_eq!((head.revision.id.as_str(), of(&workspace, &second).key.as_str()), (second.as_str(), "k2"));
    let retried = builds.retry(APP, &first, "k1", false, 30).unwrap();
    assert_eq!(state(&retried), (BuildStatus::Queued, 2, 0, None));
    assert_eq!(of(&workspace, &second).status, BuildStatus::Queued, "an older draft ends none");
}

#[test]
fn a_write_that_is_refused_queues_nothing() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    save(&workspace, "1", "k1", 10);
    let before = sql.bytes();
    let stale = holdpoint_change::Base::default();
    let change = hand(HandCause::Save, files(&[("a", "2")]));
    assert!(workspace.write_built(&PLAIN, &stale, change, &BY, "k2").is_err());
    assert!(sql.bytes() == before);
}

#[test]
fn an_applied_proposal_queues_its_build() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    save(&workspace, "1", "k1", 10);
    let base = workspace.base(APP).unwrap();
    let change = approved(signed(&base, files(&[("a", "2")]), json!({})));
    let built = AppliedBuild { set: None, key: "k2" };
    let head = workspace.apply(&PLAIN, &base, change, &BY, Beside::Built(&built)).unwrap();
    let build = of(&workspace, &head.revision.id);
    assert_eq!((build.key.as_str(), build.seq, build.kind), ("k2", 2, BuildKind::Draft));
}

#[test]
fn gates_come_first_and_one_build_runs() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let draft = save(&workspace, "1", "k1", 10);
    let gate = builds.enqueue_gate(APP, "g", 20).unwrap();
    assert_eq!((gate.kind, gate.revision.as_deref(), gate.seq), (BuildKind::Gate, None, 1));
    let (build, lease) = builds.claim(APP, 30).unwrap().unwrap();
    assert_eq!(build.number, gate.number);
    assert_eq!(builds.running(APP).unwrap().unwrap().number, gate.number);
    assert_eq!(builds.claim(APP, 30), Ok(None));
    assert_eq!(builds.claim("other", 30), Ok(None));
    assert_eq!(builds.finish(&lease, &DONE, 40), Ok(Finish::Succeeded));

    let other = builds.enqueue_gate(APP, "g2", 41).unwrap();
    let newest = builds.gate(APP, "g2").unwrap().unwrap();
    assert!(newest.number == other.number && newest.is_open());
    assert!(!builds.gate(APP, "g").unwrap().unwrap().is_open(), "of its key, whatever became of it");
    assert_eq!((builds.gate(APP, "k1"), builds.gate("other", "g")), (Ok(None), Ok(None)));
    assert_eq!(builds.end((other.number, other.seq), SUPERSEDED, 42), Ok(true));

    // What the gate built is taken over by the revision with the same input.
    let draft = of(&workspace, &draft);
    let artifact = builds.reusable(APP, "g", 50).unwrap().unwrap();
    assert_eq!((artifact.dist.as_str(), artifact.manifest.as_str()), ("d1", "{\"assets\":[1]}"));
    assert_eq!(builds.take_over((draft.number, draft.seq), &artifact, 50), Ok(false), "its input is other");
    let next = builds.requeue(APP, draft.revision.as_deref().unwrap(), "g", 60).unwrap();
    assert_eq!(builds.take_over((next.number, draft.seq), &artifact, 70), Ok(false), "an attempt of before");
    assert_eq!(builds.take_over((next.number, next.seq), &artifact, 70), Ok(true));
    assert_eq!(builds.take_over((next.number, next.seq), &artifact, 70), Ok(false), "it is not queued");
    let taken = builds.get(next.number).unwrap().unwrap();
    assert_eq!((taken.status, taken.finished), (BuildStatus::Succeeded, Some(70)));
    assert_eq!(taken.artifact.unwrap().key, "g");
    assert_eq!(builds.reusable(APP, "k1", 80), Ok(None));
    assert_eq!(builds.reusable("other", "g", 80), Ok(None));
}

#[test]
fn a_lost_runner_is_followed_by_others_and_then_by_none() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k1", 0);
    let mut now = 0;
    for (lost, delay) in DELAYS_MS.into_iter().enumerate() {
        let lease = claim(&workspace, now).unwrap();
        assert_eq!(builds.renew(&lease, Some("install"), now + 10), Ok(true));
        assert_eq!(of(&workspace, &revision).stage.as_deref(), Some("install"));
        let over = now + 10 + LEASE_MS;
        assert_eq!(builds.next_due(), Ok(Some(over)));
        assert_eq!(builds.reap(over - 1), Ok(vec![]));
        let reaped = Reaped { build: lease.build, seq: lease.seq, again: Some(over + delay) };
        assert_eq!(builds.reap(over), Ok(vec![reaped]));
        assert_eq!(builds.renew(&lease, None, over), Ok(false), "it is lost");
        assert_eq!(builds.finish(&lease, &DONE, over), Ok(Finish::Stale));
        assert_eq!(state(&of(&workspace, &revision)), (BuildStatus::Queued, 1, lost as u32 + 1, None));
        assert_eq!((claim(&workspace, over + delay - 1), builds.next_due()), (None, Ok(Some(over + delay))));
        now = over + delay;
    }
    let lease = claim(&workspace, now).unwrap();
    assert_eq!(builds.finish(&lease, &BuildOutcome::Lost, now + 5), Ok(Finish::Failed));
    let build = of(&workspace, &revision);
    assert_eq!(state(&build), (BuildStatus::Failed, 1, MAX_ATTEMPTS + 1, Some("BUILD_RUNNER_LOST")));
    let again = builds.retry(APP, &revision, "k1", false, now + 10).unwrap();
    assert_eq!(state(&again), (BuildStatus::Queued, 2, 0, None), "a person's retry begins anew");
}

#[test]
fn a_busy_runner_is_no_attempt_and_a_fault_of_the_project_is_not_repeated() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k1", 0);
    for turn in 0..10 {
        let lease = claim(&workspace, turn * 7_000).unwrap();
        let at = turn * 7_000 + 7_000;
        let busy = BuildOutcome::Busy { retry_after_ms: 7_000 };
        assert_eq!(builds.finish(&lease, &busy, turn * 7_000), Ok(Finish::Again { at }));
        assert_eq!((of(&workspace, &revision).attempts, builds.next_due()), (0, Ok(Some(at))));
    }
    let lease = claim(&workspace, 70_000).unwrap();
    let error = format!("{}{}", "ä".repeat(3), "é".repeat(4_000));
    let failed =
        BuildOutcome::Failed { code: "VITE_BUILD_FAILED", error: &error, diagnostics: Some("[{\"code\":\"X\"}]") };
    assert_eq!(builds.finish(&lease, &failed, 70_001), Ok(Finish::Failed));
    let build = of(&workspace, &revision);
    assert_eq!(state(&build), (BuildStatus::Failed, 1, 1, Some("VITE_BUILD_FAILED")));
    assert_eq!((build.error, build.diagnostics.as_deref()), (Some("é".repeat(4_000)), Some("[{\"code\":\"X\"}]")));
    assert_eq!(claim(&workspace, i64::MAX / 2), None);
    assert_eq!(builds.finish(&lease, &DONE, 70_002), Ok(Finish::Stale));
    sql.execute("DELETE FROM build", &[]).unwrap();
    assert_eq!(builds.finish(&lease, &DONE, 70_002), Ok(Finish::Missing));
}

#[test]
fn a_retry_keeps_what_succeeded_until_it_has() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k1", 0);
    let retry = |force, now| builds.retry(APP, &revision, "k2", force, now);
    assert_eq!(retry(true, 1), Err(BuildError::Pending));
    let lease = claim(&workspace, 1).unwrap();
    assert_eq!(retry(true, 1), Err(BuildError::Pending));
    builds.finish(&lease, &DONE, 2).unwrap();
    assert_eq!(retry(false, 3), Err(BuildError::AlreadySucceeded));
    assert_eq!(builds.retry(APP, "rev_9", "k", true, 3), Err(BuildError::NotFound));
    let dist = || of(&workspace, &revision).artifact.map(|artifact| (artifact.dist, artifact.key));
    let first = Some(("d1".to_owned(), "k1".to_owned()));
    assert_eq!((retry(true, 3).unwrap().seq, dist()), (2, first.clone()));
    assert_eq!(builds.finish(&lease, &DONE, 3), Ok(Finish::Stale), "an attempt of before says nothing more");
    let lease = claim(&workspace, 4).unwrap();
    assert_eq!(dist(), first);
    builds.finish(&lease, &BuildOutcome::Failed { code: "BUILD_TIMEOUT", error: "", diagnostics: None }, 5).unwrap();
    assert_eq!(dist(), first, "a failure leaves it");
    retry(false, 6).unwrap();
    let lease = claim(&workspace, 7).unwrap();
    builds.finish(&lease, &BuildOutcome::Succeeded { dist: "dist-3", manifest: "{}" }, 8).unwrap();
    assert_eq!(dist(), Some(("dist-3".to_owned(), "k2".to_owned())));
}

#[test]
fn a_build_that_nobody_can_or_wants_to_make_is_ended() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k1", 0);
    let build = of(&workspace, &revision);
    assert_eq!(builds.end((build.number, 9), "BUILD_CANCELLED", 1), Ok(false));
    assert_eq!(builds.end((build.number, 1), "BUILD_RUNNER_UNAVAILABLE", 1), Ok(true));
    let over = of(&workspace, &revision);
    assert_eq!((state(&over).3, over.finished), (Some("BUILD_RUNNER_UNAVAILABLE"), Some(1)));
    assert_eq!(builds.end((build.number, 1), "BUILD_CANCELLED", 2), Ok(false));
    builds.retry(APP, &revision, "k1", false, 3).unwrap();
    let lease = claim(&workspace, 4).unwrap();
    assert_eq!(builds.end((lease.build, lease.seq), "BUILD_CANCELLED", 5), Ok(true));
    assert_eq!(builds.finish(&lease, &DONE, 6), Ok(Finish::Stale));
    assert_eq!(of(&workspace, &revision).artifact, None);
}

#[test]
fn a_log_is_whole_up_to_its_limit_and_then_head_and_tail() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k1", 0);
    let lease = claim(&workspace, 0).unwrap();
    let line = |n: usize| format!("{n:06} äöü\n");
    let whole: String = (0..60_000).map(line).collect();
    assert!(whole.len() < MAX_LOG_BYTES);
    for from in (0..60_000).step_by(500) {
        let lines: String = (from..from + 500).map(line).collect();
        assert_eq!(builds.log(&lease, &lines), Ok(true));
    }
    let read = |from| builds.log_parts(lease.build, from).unwrap();
    assert_eq!(read(0).into_iter().map(|part| part.text).collect::<String>(), whole);
    assert_eq!(read(3).first().unwrap().part, 3);
    let tail = builds.log_tail(lease.build, 65_536).unwrap();
    assert!(whole.ends_with(&tail) && tail.len() > 65_530 && tail.len() <= 65_536);

    let more: String = (60_000..400_000).map(line).collect();
    builds.log(&lease, &more).unwrap();
    let parts = read(0);
    let kept: usize = parts.iter().map(|part| part.text.len()).sum();
    assert!(kept <= MAX_LOG_BYTES && kept > MAX_LOG_BYTES * 9 / 10, "{kept}");
    let gap = parts.windows(2).filter(|two| two[1].part != two[0].part + 1).count();
    assert_eq!(
        (gap, parts[0].text.starts_with("000000"), parts.last().unwrap().text.ends_with(&line(399_999))),
        (1, true, true)
    );
    let longest = sql.first("SELECT max(length(CAST(text AS BLOB))) FROM build_log", &[]).unwrap().unwrap();
    assert!(longest.get::<u64>(0).unwrap() < 100_000);

    // The next attempt begins with an empty one, and what is over its time goes.
    builds.finish(&lease, &DONE, 1).unwrap();
    builds.retry(APP, &revision, "k1", true, 2).unwrap();
    let lease = claim(&workspace, 2).unwrap();
    assert_eq!(read(0), []);
    builds.log(&lease, "again").unwrap();
    assert_eq!(builds.log_tail(lease.build, 2).unwrap(), "in");
    builds.finish(&lease, &DONE, 3).unwrap();
    assert_eq!(builds.next_due(), Ok(Some(3 + LOG_MS)));
    assert_eq!((builds.forget(2 + LOG_MS), read(0).len()), (Ok(false), 1));
    assert_eq!((builds.forget(3 + LOG_MS), read(0).len()), (Ok(true), 0));
    assert_eq!(builds.next_due(), Ok(None));
    assert_eq!(of(&workspace, &revision).status, BuildStatus::Succeeded, "the build stays with its revision");
}

#[test]
fn gate_builds_are_few_and_go_after_a_week() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let first = builds.enqueue_gate(APP, "g", 0).unwrap();
    let lease = claim(&workspace, 0).unwrap();
    builds.log(&lease, "words").unwrap();
    builds.finish(&lease, &DONE, 1).unwrap();
    for _ in 1..MAX_GATES {
        builds.enqueue_gate(APP, "g", 2).unwrap();
    }
    builds.enqueue_gate(APP, "g", 3).unwrap();
    assert_eq!(builds.get(first.number), Ok(None), "the oldest that was over");
    assert_eq!(builds.log_parts(first.number, 0), Ok(vec![]));
    assert_eq!(builds.enqueue_gate(APP, "g", 4), Err(BuildError::Full), "all wait");
    while let Some(lease) = claim(&workspace, 10) {
        builds.finish(&lease, &DONE, 11).unwrap();
    }
    assert_eq!(builds.reusable(APP, "g", 10 + GATE_MS).map(|found| found.is_some()), Ok(true));
    assert_eq!(builds.reusable(APP, "g", 11 + GATE_MS), Ok(None));
    assert_eq!((builds.next_due(), builds.forget(10 + GATE_MS)), (Ok(Some(11 + GATE_MS)), Ok(false)));
    let rows = |sql: &Native| -> Result<u64, SqlError> { sql.query("SELECT count(*) FROM build", &[])?[0].get(0) };
    let mut batches = 0;
    while builds.forget(11 + GATE_MS).unwrap() {
        batches += 1;
    }
    assert_eq!((rows(&sql), batches), (Ok(0), 5), "in batches");
}
