//! Random interleavings of saves, builds, lost runners and publishes against a model of a few lines (spec: app-builder.md
//! §18.2).

use std::collections::BTreeMap;

use holdpoint_store::build::{Artifact, BuildError, BuildOutcome, BuildStatus, Finish, LEASE_MS, Lease};
use holdpoint_store::publish::{PublishError, PublishKind};
use holdpoint_store::workspace::Workspace;
use holdpoint_store::{Sql, Value};
use proptest::prelude::*;

use crate::builds::save;
use crate::kit::PLAIN;
use crate::support::Native;

const APP: &str = PLAIN.id;

/// What can happen next; numbers choose among what there is.
#[derive(Debug, Clone, Copy)]
enum Step {
    Save(u8),
    Gate(u8),
    Claim,
    Renew(u8),
    Succeed(u8),
    Fail(u8),
    Lose(u8),
    Busy(u8),
    Retry(u8, bool),
    Requeue(u8),
    TakeOver(u8),
    End(u8),
    /// Time passes; what waits for the alarm still waits.
    Wait(u8),
    Reap,
    Intend(u8),
    Unpublish,
    Done(u8),
    Withdraw(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let n = || any::<u8>();
    let step = prop_oneof![
        4 => n().prop_map(Step::Save),
        1 => n().prop_map(Step::Gate),
        5 => Just(Step::Claim),
        1 => n().prop_map(Step::Renew),
        4 => n().prop_map(Step::Succeed),
        1 => n().prop_map(Step::Fail),
        1 => n().prop_map(Step::Lose),
        1 => n().prop_map(Step::Busy),
        2 => (n(), any::<bool>()).prop_map(|(at, force)| Step::Retry(at, force)),
        1 => n().prop_map(Step::Requeue),
        1 => n().prop_map(Step::TakeOver),
        1 => n().prop_map(Step::End),
        3 => n().prop_map(Step::Wait),
        2 => Just(Step::Reap),
        3 => n().prop_map(Step::Intend),
        1 => Just(Step::Unpublish),
        3 => n().prop_map(Step::Done),
        1 => n().prop_map(Step::Withdraw),
    ];
    prop::collection::vec(step, 1..24)
}

/// What somebody who watched it all knows.
#[derive(Default)]
struct Model {
    now: i64,
    revisions: Vec<String>,
    /// All leases that were ever given, and the build that the newest claim has, while it has it.
    leases: Vec<Lease>,
    held: Option<Lease>,
    /// What each build left last, by its number.
    artifacts: BTreeMap<i64, String>,
    /// Intents that wait, as numbers with their revisions; what is done under the highest number.
    intents: Vec<(i64, String)>,
    published: (i64, Option<String>),
    /// How many prefixes were given out.
    dists: usize,
}

/// One of some things, if there are any.
fn pick<T: Clone>(of: &[T], at: u8) -> Option<T> {
    of.get(usize::from(at) % of.len().max(1)).cloned()
}

impl Model {
    fn take(&mut self, workspace: &Workspace<&Native>, step: Step) -> Result<(), TestCaseError> {
        let (builds, publishes, now) = (workspace.builds(), workspace.publishes(), self.now);
        let revision = |at| pick(&self.revisions, at);
        match step {
            Step::Save(text) => {
                let revision = save(workspace, &(text % 4).to_string(), &(text % 4).to_string(), now);
                if self.revisions.last() != Some(&revision) {
                    self.revisions.push(revision);
                    let running = builds.running(APP).unwrap().map(|build| build.number);
                    self.held = self.held.filter(|held| running == Some(held.build));
                }
            }
            Step::Gate(key) => drop(builds.enqueue_gate(APP, &(key % 4).to_string(), now).unwrap()),
            Step::Claim => {
                let claimed = builds.claim(APP, now).unwrap();
                prop_assert!(claimed.is_none() || self.held.is_none(), "two run");
                if let Some((build, lease)) = claimed {
                    prop_assert_eq!(
                        (build.status, build.number, build.seq),
                        (BuildStatus::Running, lease.build, lease.seq)
                    );
                    prop_assert!(build.not_before <= now);
                    self.leases.push(lease);
                    self.held = Some(lease);
                }
            }
            Step::Renew(at) => {
                let Some(lease) = pick(&self.leases, at) else { return Ok(()) };
                let renewed = builds.renew(&lease, Some("build"), now).unwrap();
                prop_assert_eq!(renewed, self.held == Some(lease));
            }
            Step::Succeed(at) => {
                self.dists += 1;
                let dist = format!("dist-{}", self.dists);
                let outcome = BuildOutcome::Succeeded { dist: &dist, manifest: "{}" };
                if let Some(Finish::Succeeded) = self.finish(workspace, at, &outcome)? {
                    self.artifacts.insert(pick(&self.leases, at).unwrap().build, dist);
                }
            }
            Step::Fail(at) => {
                let outcome = BuildOutcome::Failed { code: "VITE_BUILD_FAILED", error: "e", diagnostics: None };
                self.finish(workspace, at, &outcome)?;
            }
            Step::Lose(at) => drop(self.finish(workspace, at, &BuildOutcome::Lost)?),
            Step::Busy(at) => drop(self.finish(workspace, at, &BuildOutcome::Busy { retry_after_ms: 3_000 })?),
            Step::Retry(at, force) => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let before = builds.of(APP, &revision).unwrap().unwrap();
                let want = match before.status {
                    BuildStatus::Queued | BuildStatus::Running => Err(BuildError::Pending),
                    BuildStatus::Succeeded if !force => Err(BuildError::AlreadySucceeded),
                    _ => Ok((before.seq + 1, BuildStatus::Queued)),
                };
                let done = builds.retry(APP, &revision, &before.key, force, now);
                prop_assert_eq!(done.map(|build| (build.seq, build.status)), want);
            }
            Step::Requeue(at) => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let build = builds.requeue(APP, &revision, &(at % 4).to_string(), now).unwrap();
                self.held = self.held.filter(|held| held.build != build.number);
            }
            Step::TakeOver(at) => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let build = builds.of(APP, &revision).unwrap().unwrap();
                let Some(found) = builds.reusable(APP, &build.key, now).unwrap() else { return Ok(()) };
                self.dists += 1;
                let artifact = Artifact { dist: format!("dist-{}", self.dists), ..found };
                let taken = builds.take_over((build.number, build.seq), &artifact, now).unwrap();
                prop_assert_eq!(taken, build.status == BuildStatus::Queued);
                if taken {
                    self.artifacts.insert(build.number, artifact.dist);
                }
            }
            Step::End(at) => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let build = builds.of(APP, &revision).unwrap().unwrap();
                let is_open = matches!(build.status, BuildStatus::Queued | BuildStatus::Running);
                prop_assert_eq!(builds.end((build.number, build.seq), "BUILD_CANCELLED", now), Ok(is_open));
                self.held = self.held.filter(|held| held.build != build.number);
            }
            Step::Wait(ms) => self.now += i64::from(ms) * i64::from(ms) * 3,
            Step::Reap => {
                for reaped in builds.reap(now).unwrap() {
                    prop_assert_eq!(self.held.map(|held| held.build), Some(reaped.build));
                    prop_assert!(reaped.again.is_none_or(|at| at > now));
                    self.held = None;
                }
                let stuck = builds.running(APP).unwrap().filter(|build| build.lease_until <= Some(now));
                prop_assert_eq!(stuck, None, "something runs for ever");
            }
            Step::Intend(at) => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let build = builds.of(APP, &revision).unwrap().unwrap();
                let intended = publishes.intend(APP, &revision, PublishKind::Publish, "ann", now);
                prop_assert_eq!(intended.is_ok(), self.artifacts.contains_key(&build.number), "only what is built");
                if let Ok(publish) = intended {
                    prop_assert!(
                        publish.seq > self.published.0 && self.intents.iter().all(|(seq, _)| publish.seq > *seq)
                    );
                    self.intents.push((publish.seq, revision));
                }
            }
            Step::Unpublish => {
                let revision = self.published.1.clone().unwrap_or_else(|| "rev_1".to_owned());
                match publishes.intend(APP, &revision, PublishKind::Unpublish, "ann", now) {
                    Ok(publish) => self.intents.push((publish.seq, revision)),
                    Err(refused) => {
                        prop_assert!(matches!(refused, PublishError::NotPublished | PublishError::NotFound));
                    }
                }
            }
            Step::Done(at) => {
                let Some((seq, revision)) = pick(&self.intents, at) else { return Ok(()) };
                prop_assert!(publishes.done(APP, seq, now).unwrap().is_some());
                self.intents.retain(|(other, _)| *other != seq);
                if seq > self.published.0 {
                    self.published = (seq, Some(revision));
                }
            }
            Step::Withdraw(at) => {
                let Some((seq, _)) = pick(&self.intents, at) else { return Ok(()) };
                prop_assert_eq!(publishes.withdraw(APP, seq), Ok(true));
                self.intents.retain(|(other, _)| *other != seq);
            }
        }
        Ok(())
    }

    /// Says what came of an attempt that may be long over; it counts only for who has the build.
    fn finish(
        &mut self,
        workspace: &Workspace<&Native>,
        at: u8,
        outcome: &BuildOutcome<'_>,
    ) -> Result<Option<Finish>, TestCaseError> {
        let Some(lease) = pick(&self.leases, at) else { return Ok(None) };
        let done = workspace.builds().finish(&lease, outcome, self.now).unwrap();
        let counts = self.held == Some(lease);
        let is_dropped = matches!(done, Finish::Stale | Finish::Superseded | Finish::Missing);
        prop_assert_eq!(is_dropped, !counts, "{:?}", done);
        if counts {
            self.held = None;
        }
        Ok(Some(done))
    }

    /// What must hold after every step.
    fn holds(&self, workspace: &Workspace<&Native>, sql: &Native) -> Result<(), TestCaseError> {
        let select = "SELECT number, status = 'running', dist, status IN('queued','running') FROM build";
        let (mut running, mut kept, mut waits) = (0, BTreeMap::new(), false);
        for row in sql.query(select, &[]).unwrap() {
            running += row.get::<i64>(1).unwrap();
            kept.extend(row.get::<Option<String>>(2).unwrap().map(|dist| (row.get::<i64>(0).unwrap(), dist)));
            waits |= row.get::<bool>(3).unwrap();
        }
        prop_assert_eq!(running, i64::from(self.held.is_some()));
        prop_assert_eq!(&kept, &self.artifacts, "the last success is kept");
        prop_assert!(!waits || workspace.builds().next_due().unwrap().is_some(), "the alarm comes");
        let current = workspace.publishes().current(APP).unwrap();
        let current = current.map_or((0, None), |publish| (publish.seq, Some(publish.revision)));
        prop_assert_eq!(&current, &self.published, "no older publish wins");
        Ok(())
    }

    /// With nothing but the alarm and a runner that always loses, everything ends.
    fn ends(&mut self, workspace: &Workspace<&Native>, sql: &Native) -> Result<(), TestCaseError> {
        let builds = workspace.builds();
        let open = "SELECT count(*) FROM build WHERE status IN('queued','running')";
        let count = || -> i64 { sql.query(open, &[]).unwrap()[0].get(0).unwrap() };
        for _ in 0..count() * 12 {
            if count() == 0 {
                break;
            }
            self.now = self.now.max(builds.next_due().unwrap().unwrap());
            builds.reap(self.now).unwrap();
            let late = builds.running(APP).unwrap().is_some_and(|build| build.lease_until <= Some(self.now));
            prop_assert!(!late);
            builds.claim(APP, self.now).unwrap();
        }
        prop_assert_eq!(count(), 0, "something is left for ever");
        prop_assert!(self.now < 400 * LEASE_MS * 100);
        Ok(())
    }
}

/// A database for all cases of a thread, for making one is most of the work.
fn emptied(sql: &Native) {
    for table in
        ["build", "build_log", "publish", "revision", "bundle", "blob", "working_copy", "unlisted", "sqlite_sequence"]
    {
        sql.execute(&format!("DELETE FROM {table}"), &[]).unwrap();
    }
    let left = sql.query("SELECT count(*) FROM revision", &[]).unwrap();
    assert_eq!(left[0].0, [Value::Integer(0)]);
}

thread_local! {
    static DATABASE: Native = Native::new();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn nothing_is_lost_stuck_or_overtaken(steps in steps()) {
        DATABASE.with(|sql| -> Result<(), TestCaseError> {
            let workspace = Workspace::open(sql).unwrap();
            emptied(sql);
            let mut model = Model { now: 1, ..Model::default() };
            let is_ended = steps.len() % 4 == 0;
            for step in steps {
                model.take(&workspace, step)?;
                model.holds(&workspace, sql)?;
            }
            // Most of the work, so that a quarter of the cases must do.
            if is_ended { model.ends(&workspace, sql) } else { Ok(()) }
        })?;
    }
}
