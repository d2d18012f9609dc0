//! Random saves, builds, publishes, kills and deletions against a store of objects that is only looked at: what a build
//! names is there, and in the end nothing else is (spec: app-builder.md §7 "Keys").

use std::collections::BTreeSet;

use holdpoint_change::Change;
use holdpoint_store::artifact::{LATE_MS, MAPS_MS, NEWEST, NewObjects, maps_beside};
use holdpoint_store::build::{BuildOutcome, Finish, Lease};
use holdpoint_store::publish::PublishKind;
use holdpoint_store::workspace::{By, Workspace};
use holdpoint_store::{Sql, SqlError};
use proptest::prelude::*;

use crate::builds::save;
use crate::kit::{BY, PLAIN, ann};
use crate::support::Native;

const APP: &str = PLAIN.id;
const ASSETS: [&str; 3] = ["a.css", "a.js", "index.html"];
const MAPS: [&str; 1] = ["a.js.map"];
const MANIFEST: &str = "{}";
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// How long a wait may be.
const WAITS_MS: [i64; 8] = [500, 5_000, 40_000, LATE_MS, 60 * 60 * 1_000, DAY_MS, MAPS_MS + 1_000, 31 * DAY_MS];

/// What can happen next; numbers choose among what there is.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// So many saves, one behind the other.
    Save(u8),
    Gate(u8),
    /// The next build from its claim to its end.
    Build,
    /// A build that stores object by object.
    Begin,
    Put(u8),
    Finish(u8),
    Lose(u8),
    /// The process ends: what was on its way may still arrive, nothing else is done of what was begun.
    Kill,
    Retry(u8, bool),
    Intend(u8),
    Done(u8),
    Unpublish,
    Wait(u8),
    /// The alarm, with a store that takes so many deletions, and perhaps an end before they are noted.
    Alarm(u8, bool),
    Delete,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let n = || any::<u8>();
    let step = prop_oneof![
        4 => n().prop_map(Step::Save),
        2 => n().prop_map(Step::Gate),
        8 => Just(Step::Build),
        3 => Just(Step::Begin),
        8 => n().prop_map(Step::Put),
        2 => n().prop_map(Step::Finish),
        1 => n().prop_map(Step::Lose),
        1 => Just(Step::Kill),
        3 => (n(), any::<bool>()).prop_map(|(at, force)| Step::Retry(at, force)),
        3 => n().prop_map(Step::Intend),
        2 => n().prop_map(Step::Done),
        1 => Just(Step::Unpublish),
        6 => n().prop_map(Step::Wait),
        8 => (n(), any::<bool>()).prop_map(|(most, killed)| Step::Alarm(most, killed)),
    ];
    // One app in some is deleted, and then only what was begun goes on.
    (prop::collection::vec(step.clone(), 1..60), prop::option::of(prop::collection::vec(step, 0..12))).prop_map(
        |(mut steps, behind)| {
            if let Some(behind) = behind {
                steps.push(Step::Delete);
                steps.extend(behind);
            }
            steps
        },
    )
}

struct Attempt {
    lease: Lease,
    revision: Option<String>,
    prefix: String,
    /// What is still to be stored, last first.
    left: Vec<String>,
    /// When it last had its build.
    renewed: i64,
    is_killed: bool,
}

#[derive(Default)]
struct Model {
    now: i64,
    objects: BTreeSet<String>,
    revisions: Vec<String>,
    attempts: Vec<Attempt>,
    /// Revisions of which something was built.
    built: BTreeSet<String>,
    intents: Vec<i64>,
    is_deleted: bool,
}

fn pick(count: usize, at: u8) -> Option<usize> {
    (count > 0).then(|| usize::from(at) % count)
}

fn keys(prefix: &str) -> Vec<String> {
    let maps = maps_beside(prefix);
    let maps = MAPS.iter().map(|path| format!("{maps}{path}"));
    ASSETS.iter().map(|path| format!("{prefix}{path}")).chain(maps).collect()
}

impl Model {
    fn take(&mut self, workspace: &Workspace<&Native>, step: Step) -> Result<(), TestCaseError> {
        let (builds, publishes, now) = (workspace.builds(), workspace.publishes(), self.now);
        let revision = |at| pick(self.revisions.len(), at).map(|at| self.revisions[at].clone());
        let asks = !self.is_deleted;
        match step {
            Step::Save(many) if asks => {
                for at in 0..=many % 9 {
                    let text = format!("{now} {many} {at} {}", self.revisions.len());
                    self.revisions.push(save(workspace, &text, &format!("k{}", at % 3), now));
                }
            }
            Step::Gate(key) if asks => drop(builds.enqueue_gate(APP, &format!("k{}", key % 4), now).unwrap()),
            Step::Build => {
                if let Some(at) = self.begin(workspace)? {
                    let left = std::mem::take(&mut self.attempts[at].left);
                    self.objects.extend(left);
                    self.finish(workspace, at)?;
                }
            }
            Step::Begin => drop(self.begin(workspace)?),
            Step::Put(at) => {
                let Some(at) = pick(self.attempts.len(), at) else { return Ok(()) };
                let attempt = &mut self.attempts[at];
                let goes = if attempt.is_killed {
                    now < attempt.renewed + LATE_MS
                } else {
                    builds.renew(&attempt.lease, None, now).unwrap()
                };
                if !attempt.is_killed && goes {
                    attempt.renewed = now;
                }
                match attempt.left.pop().filter(|_| goes) {
                    Some(key) => drop(self.objects.insert(key)),
                    None if attempt.is_killed || !goes => drop(self.attempts.remove(at)),
                    None => {}
                }
            }
            Step::Finish(at) => {
                let Some(at) = pick(self.attempts.len(), at) else { return Ok(()) };
                if !self.attempts[at].is_killed && self.attempts[at].left.is_empty() {
                    self.finish(workspace, at)?;
                }
            }
            Step::Lose(at) => {
                let Some(at) = pick(self.attempts.len(), at) else { return Ok(()) };
                if !self.attempts[at].is_killed {
                    let attempt = self.attempts.remove(at);
                    builds.finish(&attempt.lease, &BuildOutcome::Lost, now).unwrap();
                }
            }
            Step::Kill => {
                for attempt in &mut self.attempts {
                    attempt.is_killed = true;
                    // One object can be on its way.
                    let last = attempt.left.pop();
                    attempt.left = last.into_iter().collect();
                }
            }
            Step::Retry(at, force) if asks => {
                let Some(revision) = revision(at) else { return Ok(()) };
                drop(builds.retry(APP, &revision, &format!("k{}", at % 3), force, now));
            }
            Step::Intend(at) if asks => {
                let Some(revision) = revision(at) else { return Ok(()) };
                let intended = publishes.intend(APP, &revision, PublishKind::Publish, "ann", now);
                self.intents.extend(intended.ok().map(|publish| publish.seq));
            }
            Step::Done(at) => {
                let Some(at) = pick(self.intents.len(), at) else { return Ok(()) };
                publishes.done(APP, self.intents.remove(at), now).unwrap();
            }
            Step::Unpublish if asks => {
                let Some(current) = publishes.current(APP).unwrap() else { return Ok(()) };
                let intended = publishes.intend(APP, &current.revision, PublishKind::Unpublish, "ann", now);
                self.intents.extend(intended.ok().map(|publish| publish.seq));
            }
            Step::Wait(at) => self.now += WAITS_MS[usize::from(at) % WAITS_MS.len()],
            Step::Alarm(most, killed) => self.alarm(workspace, usize::from(most) % 9, killed),
            Step::Delete if asks && !self.revisions.is_empty() => {
                let base = workspace.base(APP).unwrap();
                workspace.write_forgetting(&PLAIN, &base, Change::Removed(ann()), &By { now, ..BY }).unwrap();
                self.is_deleted = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// Claims what is next and says what it is about to store; what an equal build left is taken over.
    fn begin(&mut self, workspace: &Workspace<&Native>) -> Result<Option<usize>, TestCaseError> {
        let (builds, now) = (workspace.builds(), self.now);
        let Some((build, lease)) = builds.claim(APP, now).unwrap() else { return Ok(None) };
        let reusable = builds.reusable(APP, &build.key, now).unwrap();
        if let Some(artifact) = &reusable {
            let assets = ASSETS.iter().map(|path| format!("{}{path}", artifact.dist));
            prop_assert!(assets.into_iter().all(|key| self.objects.contains(&key)), "what is copied is there");
        }
        if let Some(artifact) = reusable.filter(|_| build.revision.is_none()) {
            builds.finish(&lease, &BuildOutcome::Succeeded { dist: &artifact.dist, manifest: MANIFEST }, now).unwrap();
            return Ok(None);
        }
        let folder = format!("{}/", build.revision.as_ref().unwrap_or(&build.key));
        let objects = NewObjects { folder: &folder, assets: &ASSETS, maps: &MAPS };
        let prefix = builds.place(&lease, &objects, now).unwrap().unwrap();
        prop_assert!(keys(&prefix).iter().all(|key| !self.objects.contains(key)), "nothing is overwritten");
        let left = keys(&prefix).into_iter().rev().collect();
        self.attempts.push(Attempt { lease, revision: build.revision, prefix, left, renewed: now, is_killed: false });
        Ok(Some(self.attempts.len() - 1))
    }

    fn finish(&mut self, workspace: &Workspace<&Native>, at: usize) -> Result<(), TestCaseError> {
        let attempt = self.attempts.remove(at);
        let outcome = BuildOutcome::Succeeded { dist: &attempt.prefix, manifest: MANIFEST };
        if workspace.builds().finish(&attempt.lease, &outcome, self.now).unwrap() == Finish::Succeeded {
            prop_assert!(!self.is_deleted);
            self.built.extend(attempt.revision);
        }
        Ok(())
    }

    /// What the Worker does: at most some deletions, of which each may be refused.
    fn alarm(&mut self, workspace: &Workspace<&Native>, most: usize, killed: bool) {
        let (builds, artifacts, now) = (workspace.builds(), workspace.artifacts(), self.now);
        builds.reap(now).unwrap();
        while builds.forget(now).unwrap() {}
        artifacts.sweep(now).unwrap();
        let mut left = most;
        while let Some(dropped) = artifacts.dropped(2, now).unwrap() {
            let count = dropped.keys.len().min(left);
            for key in &dropped.keys[..count] {
                self.objects.remove(key);
            }
            left -= count;
            if left == 0 && killed {
                return;
            }
            artifacts.deleted(&dropped, count).unwrap();
            if count < dropped.keys.len() {
                artifacts.put_off(&dropped, now).unwrap();
                return;
            }
        }
    }

    /// What must hold after every step.
    fn holds(&self, workspace: &Workspace<&Native>, sql: &Native) -> Result<(), TestCaseError> {
        for prefix in named(sql).unwrap() {
            for path in ASSETS {
                prop_assert!(self.objects.contains(&format!("{prefix}{path}")), "{}{} is gone", prefix, path);
            }
        }
        if self.is_deleted {
            return Ok(());
        }
        let (builds, publishes) = (workspace.builds(), workspace.publishes());
        let live = publishes.current(APP).unwrap().filter(|current| current.kind != PublishKind::Unpublish);
        let intended = publishes.intended().unwrap().into_iter().filter(|one| one.kind != PublishKind::Unpublish);
        let published = intended.chain(live).map(|publish| publish.revision);
        let newest = self.revisions.iter().rev().take(NEWEST as usize).filter(|one| self.built.contains(*one)).cloned();
        for revision in published.chain(newest) {
            let build = builds.of(APP, &revision).unwrap().unwrap();
            prop_assert!(build.artifact.is_some(), "what was built of {} is kept", revision);
        }
        Ok(())
    }

    /// With nothing but the alarm, what nothing names goes.
    fn ends(&mut self, workspace: &Workspace<&Native>, sql: &Native) -> Result<(), TestCaseError> {
        self.attempts.clear();
        for _ in 0..30 {
            self.now += 60_000;
            self.alarm(workspace, usize::MAX, false);
            self.holds(workspace, sql)?;
        }
        let named: BTreeSet<String> = named(sql).unwrap().iter().flat_map(|prefix| keys(prefix)).collect();
        prop_assert!(self.objects.is_subset(&named), "{:?} is left", &self.objects - &named);
        let next = workspace.artifacts().next_due().unwrap();
        prop_assert!(next.is_none_or(|next| next > self.now), "{:?} is not done", next);
        prop_assert!(!self.is_deleted || (self.objects.is_empty() && next.is_none()));
        Ok(())
    }
}

/// The prefixes that builds name.
fn named(sql: &Native) -> Result<Vec<String>, SqlError> {
    sql.query("SELECT DISTINCT dist FROM build WHERE dist IS NOT NULL", &[])?.iter().map(|row| row.get(0)).collect()
}

thread_local! {
    static DATABASE: Native = Native::new();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_named_is_there_and_nothing_else_is_left(steps in steps()) {
        DATABASE.with(|sql| -> Result<(), TestCaseError> {
            let workspace = Workspace::open(sql).unwrap();
            for table in ["artifact", "build", "build_log", "publish", "revision", "bundle", "blob", "unlisted"] {
                sql.execute(&format!("DELETE FROM {table}"), &[]).unwrap();
            }
            sql.execute("DELETE FROM sqlite_sequence", &[]).unwrap();
            let mut model = Model { now: 1, ..Model::default() };
            for step in steps {
                model.take(&workspace, step)?;
                model.holds(&workspace, sql)?;
            }
            model.ends(&workspace, sql)
        })?;
    }
}
