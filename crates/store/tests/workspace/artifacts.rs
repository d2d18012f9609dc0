//! What builds leave in the artifact store: how long it is kept, and what is deleted (spec: app-builder.md §7 "Keys").

use std::collections::BTreeSet;

use holdpoint_change::Change;
use holdpoint_store::artifact::{
    AGAIN_MS, ASKED_MS, LATE_MS, MAPS_MS, MAX_ARTIFACTS, NEWEST, NewObjects, PUBLISHED_MS, READ_MS,
};
use holdpoint_store::build::{BuildError, BuildOutcome, BuildStatus, CANCELLED, GATE_MS, LEASE_MS, Lease};
use holdpoint_store::publish::{PublishError, PublishKind};
use holdpoint_store::workspace::{By, Workspace};

use crate::builds::save;
use crate::kit::{BY, PLAIN, ann};
use crate::support::Native;

const APP: &str = PLAIN.id;

/// Claims the next build and says where its objects go.
pub fn place(workspace: &Workspace<&Native>, now: i64) -> (Lease, String) {
    let (build, lease) = workspace.builds().claim(APP, now).unwrap().unwrap();
    let folder = format!("{}/", build.revision.unwrap_or(build.key));
    let objects = NewObjects { folder: &folder, assets: &["a.js", "index.html"], maps: &["a.js.map"] };
    (lease, workspace.builds().place(&lease, &objects, now).unwrap().unwrap())
}

/// Builds what is next; answers where its assets lie.
fn build(workspace: &Workspace<&Native>, now: i64) -> String {
    let (lease, prefix) = place(workspace, now);
    workspace.builds().finish(&lease, &BuildOutcome::Succeeded { dist: &prefix, manifest: "{}" }, now).unwrap();
    prefix
}

/// Saves and builds some drafts.
fn drafts(workspace: &Workspace<&Native>, count: u32, now: i64) -> Vec<String> {
    let draft = |at: u32| {
        let revision = save(workspace, &format!("{now} {at}"), &format!("k{now} {at}"), now);
        build(workspace, now);
        revision
    };
    (0..count).map(draft).collect()
}

/// What the alarm deletes at a time, with all that it drops at once.
fn alarm(workspace: &Workspace<&Native>, now: i64) -> BTreeSet<String> {
    let artifacts = workspace.artifacts();
    artifacts.sweep(now).unwrap();
    let mut keys = BTreeSet::new();
    while let Some(dropped) = artifacts.dropped(1, now).unwrap() {
        artifacts.deleted(&dropped, dropped.keys.len()).unwrap();
        keys.extend(dropped.keys);
    }
    keys
}

/// The objects that [`place`] speaks of.
fn objects(prefix: &str) -> BTreeSet<String> {
    let maps = prefix.trim_end_matches('/');
    [format!("{prefix}a.js"), format!("{prefix}index.html"), format!("{maps}-maps/a.js.map")].into()
}

fn assets(prefix: &str) -> BTreeSet<String> {
    objects(prefix).into_iter().filter(|key| !key.ends_with(".map")).collect()
}

fn publish(workspace: &Workspace<&Native>, revision: &str, kind: PublishKind, now: i64) {
    let seq = workspace.publishes().intend(APP, revision, kind, "ann", now).unwrap().seq;
    workspace.publishes().done(APP, seq, now).unwrap();
}

fn is_kept(workspace: &Workspace<&Native>, revision: &str) -> bool {
    workspace.builds().of(APP, revision).unwrap().unwrap().artifact.is_some()
}

#[test]
fn the_newest_revisions_keep_what_was_built_of_them() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let revisions = drafts(&workspace, NEWEST, 0);
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(MAPS_MS)), "only maps have a time of their own");
    assert_eq!(alarm(&workspace, 1), BTreeSet::new());
    drafts(&workspace, 1, 1);
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(0)));
    assert_eq!(alarm(&workspace, 2), BTreeSet::new(), "somebody may still read it");
    assert!(!is_kept(&workspace, &revisions[0]) && is_kept(&workspace, &revisions[1]));
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(2 + READ_MS)));
    assert_eq!(alarm(&workspace, 2 + READ_MS), objects("rev_1/dist/"));
    assert_eq!(alarm(&workspace, 3 + READ_MS), BTreeSet::new(), "once");
}

#[test]
fn what_is_dropped_is_not_published_and_comes_back_when_it_is_asked_for() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let (builds, publishes) = (workspace.builds(), workspace.publishes());
    let revisions = drafts(&workspace, NEWEST + 1, 0);
    let first = revisions[0].as_str();
    assert_eq!(builds.retry(APP, first, "k", false, 1), Err(BuildError::AlreadySucceeded));
    alarm(&workspace, 1);
    assert_eq!(builds.of(APP, first).unwrap().unwrap().status, BuildStatus::Succeeded);
    assert_eq!(publishes.intend(APP, first, PublishKind::Publish, "ann", 1), Err(PublishError::NotBuilt));
    assert_eq!(builds.reusable(APP, "k0 0", 1), Ok(None));

    // While objects of the first prefix may still be deleted, others come under another.
    builds.retry(APP, first, "k", false, 2).unwrap();
    assert_eq!(build(&workspace, 2), "rev_1/dist-2/");
    assert_eq!(alarm(&workspace, 1 + READ_MS), objects("rev_1/dist/"));
    assert!(is_kept(&workspace, first));
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(MAPS_MS)));
    alarm(&workspace, 1 + ASKED_MS);
    assert!(is_kept(&workspace, first));
    assert_eq!(alarm(&workspace, 2 + ASKED_MS), BTreeSet::new());
    assert!(!is_kept(&workspace, first));
    assert!(objects("rev_1/dist-2/").is_subset(&alarm(&workspace, 2 + ASKED_MS + READ_MS)));
}

#[test]
fn what_is_published_stays_and_for_thirty_days_what_was() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let revisions = drafts(&workspace, 3, 0);
    let [first, second, third] = revisions.as_slice() else { panic!("three") };
    publish(&workspace, first, PublishKind::Publish, 1);
    publish(&workspace, second, PublishKind::Publish, 2);
    let asked = workspace.publishes().intend(APP, third, PublishKind::Publish, "ann", 2).unwrap();
    drafts(&workspace, NEWEST, 3);
    let kept = |now| {
        alarm(&workspace, now);
        [first, second, third].map(|revision| is_kept(&workspace, revision))
    };
    assert_eq!(kept(1 + PUBLISHED_MS), [true, true, true], "the first was replaced at 2, the third is asked for");
    assert_eq!(kept(2 + PUBLISHED_MS), [false, true, true]);
    let later = 10 * PUBLISHED_MS;
    assert_eq!(kept(later), [false, true, true]);
    workspace.publishes().done(APP, asked.seq, later).unwrap();
    assert_eq!(kept(later + PUBLISHED_MS - 1), [false, true, true]);
    assert_eq!(kept(later + PUBLISHED_MS), [false, false, true], "it is live");
    publish(&workspace, third, PublishKind::Unpublish, 2 * later);
    assert_eq!(kept(2 * later + PUBLISHED_MS - 1), [false, false, true]);
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(2 * later + PUBLISHED_MS)));
    assert_eq!(kept(2 * later + PUBLISHED_MS), [false, false, false]);
}

#[test]
fn gate_builds_of_one_key_share_what_they_built_for_a_week() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    save(&workspace, "1", "k", 0);
    build(&workspace, 0);
    builds.enqueue_gate(APP, "g", 0).unwrap();
    assert_eq!(build(&workspace, 0), "g/dist/");
    builds.enqueue_gate(APP, "g", 5).unwrap();
    let (_, lease) = builds.claim(APP, 5).unwrap().unwrap();
    let artifact = builds.reusable(APP, "g", 5).unwrap().unwrap();
    builds.finish(&lease, &BuildOutcome::Succeeded { dist: &artifact.dist, manifest: "{}" }, 5).unwrap();
    builds.enqueue_gate(APP, "g", 9).unwrap();
    let other = build(&workspace, 9);
    assert_ne!(other, "g/dist/", "what one of them built is not overwritten");

    while builds.forget(GATE_MS).unwrap() {}
    alarm(&workspace, MAPS_MS);
    assert_eq!(alarm(&workspace, GATE_MS + READ_MS).len(), 2, "the maps of the oldest two");
    while builds.forget(5 + GATE_MS).unwrap() {}
    alarm(&workspace, 6 + GATE_MS + READ_MS);
    assert_eq!(alarm(&workspace, 6 + GATE_MS + 2 * READ_MS), &assets("g/dist/") | &maps_of(&other));
    while builds.forget(9 + GATE_MS).unwrap() {}
    alarm(&workspace, 2 * GATE_MS);
    assert_eq!(alarm(&workspace, 2 * GATE_MS + READ_MS), assets(&other));
}

fn maps_of(prefix: &str) -> BTreeSet<String> {
    &objects(prefix) - &assets(prefix)
}

#[test]
fn what_an_attempt_stored_goes_where_it_is_lost_or_built_once_more() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let revision = save(&workspace, "1", "k", 0);
    let (lease, prefix) = place(&workspace, 0);
    assert_eq!(prefix, "rev_1/dist/");
    let lost = LEASE_MS;
    assert_eq!((alarm(&workspace, lost - 1), builds.reap(lost).unwrap().len()), (BTreeSet::new(), 1));
    let objects_of_it = NewObjects { folder: "rev_1/", assets: &["late.js"], maps: &[] };
    assert_eq!(builds.place(&lease, &objects_of_it, lost), Ok(None), "it has its build no more");
    assert_eq!(alarm(&workspace, lost), BTreeSet::new());
    let next = build(&workspace, 2 * lost);
    assert_eq!(next, "rev_1/dist-2/", "objects of the first may still arrive");
    assert_eq!(alarm(&workspace, lost + LATE_MS - 1), BTreeSet::new());
    assert_eq!(alarm(&workspace, lost + LATE_MS), objects(&prefix));

    let later = 2 * LATE_MS;
    builds.retry(APP, &revision, "k", true, later).unwrap();
    let (lease, third) = place(&workspace, later);
    assert_eq!(third, "rev_1/dist-3/");
    assert_eq!(alarm(&workspace, later), BTreeSet::new(), "what succeeded stays until that has");
    builds.finish(&lease, &BuildOutcome::Succeeded { dist: &third, manifest: "{}" }, later + 1).unwrap();
    alarm(&workspace, later + 2);
    assert_eq!(alarm(&workspace, later + 2 + READ_MS), objects(&next));
}

#[test]
fn what_an_attempt_stores_later_comes_under_the_same_prefix() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    save(&workspace, "1", "k", 0);
    let (lease, prefix) = place(&workspace, 0);
    let more = NewObjects { folder: "rev_1/", assets: &["b.js", "index.html"], maps: &["b.js.map"] };
    assert_eq!(builds.place(&lease, &more, 1), Ok(Some(prefix.clone())));
    builds.finish(&lease, &BuildOutcome::Lost, 2).unwrap();
    alarm(&workspace, 3);
    let more = [format!("{prefix}b.js"), "rev_1/dist-maps/b.js.map".to_owned()];
    assert_eq!(alarm(&workspace, 3 + LATE_MS), &objects(&prefix) | &more.into());
}

#[test]
fn an_app_that_is_deleted_takes_everything_along() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let builds = workspace.builds();
    let first = drafts(&workspace, 1, 0).remove(0);
    publish(&workspace, &first, PublishKind::Publish, 0);
    builds.enqueue_gate(APP, "g", 0).unwrap();
    build(&workspace, 0);
    save(&workspace, "2", "k2", 1);
    let (lease, placed) = place(&workspace, 1);
    let remove = Change::Removed(ann());
    workspace.write_forgetting(&PLAIN, &workspace.base(APP).unwrap(), remove, &By { now: 2, ..BY }).unwrap();
    let ended = builds.get(lease.build).unwrap().unwrap();
    assert_eq!((ended.status, ended.error_code.as_deref()), (BuildStatus::Failed, Some(CANCELLED)));
    assert_eq!(builds.renew(&lease, None, 2), Ok(false));
    assert_eq!(workspace.artifacts().next_due(), Ok(Some(0)));
    assert_eq!(alarm(&workspace, 3), BTreeSet::new());
    assert_eq!(alarm(&workspace, 3 + READ_MS), &objects("rev_1/dist/") | &objects("g/dist/"));
    assert_eq!(alarm(&workspace, 3 + LATE_MS), objects(&placed));
    assert_eq!(workspace.artifacts().next_due(), Ok(None), "the alarm has done all of it");
}

#[test]
fn what_the_store_refuses_to_delete_is_deleted_later_and_keeps_nothing_up() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let artifacts = workspace.artifacts();
    drafts(&workspace, NEWEST + 2, 0);
    artifacts.sweep(1).unwrap();
    let now = 1 + READ_MS;
    let dropped = artifacts.dropped(9, now).unwrap().unwrap();
    assert_eq!(dropped.keys, ["rev_1/dist/a.js", "rev_1/dist/index.html"]);
    artifacts.deleted(&dropped, 1).unwrap();
    artifacts.put_off(&dropped, now).unwrap();
    assert_eq!((artifacts.dropped(9, now), artifacts.next_due()), (Ok(None), Ok(Some(now + AGAIN_MS))));
    let rest = alarm(&workspace, now + AGAIN_MS);
    assert_eq!(rest, &maps_of("rev_1/dist/") | &objects("rev_2/dist/"));
    assert_eq!(alarm(&workspace, now + 2 * AGAIN_MS), ["rev_1/dist/index.html".to_owned()].into());
}

#[test]
fn what_waits_too_long_to_be_deleted_is_given_up() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    drafts(&workspace, NEWEST + 1, 0);
    workspace.artifacts().sweep(0).unwrap();
    let more = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
      INSERT INTO artifact(bundle, prefix, paths, at, due) SELECT 'plain', 'x' || n, '[]', 0, 0 FROM n";
    holdpoint_store::Sql::execute(&sql, more, &[]).unwrap();
    drafts(&workspace, 1, 1);
    let select = "SELECT count(*), sum(due IS NULL) FROM artifact";
    let rows = holdpoint_store::Sql::query(&sql, select, &[]).unwrap();
    let (all, live): (u64, u64) = (rows[0].get(0).unwrap(), rows[0].get(1).unwrap());
    assert_eq!((all, live), (MAX_ARTIFACTS + u64::from(NEWEST + 1) * 2 - 2, u64::from(NEWEST + 1) * 2));
}
