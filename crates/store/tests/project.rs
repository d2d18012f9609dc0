//! What is installed and how it came to be: install, undo, redo, remove, switch, gates.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod support;

use holdpoint_store::Project;
use holdpoint_store::project::{By, Files, Install, ProjectError};
use support::Native;

const BY: By<'static> = By { actor: "user:ann", now: 1_000 };

fn bundle(version: &str, base_hash: Option<&str>) -> Install {
    let shared = ("README.md".to_owned(), "the same in every version".to_owned());
    Install {
        id: "fire-rating".to_owned(),
        version: version.to_owned(),
        files: Files::from([("manifest.json".to_owned(), format!("{{\"version\":\"{version}\"}}")), shared]),
        content_hash: format!("sha256:{version}"),
        base_hash: base_hash.map(str::to_owned),
        granted: vec!["model.read".to_owned()],
        origin: "authored".to_owned(),
        sdk_version: "1.0.0".to_owned(),
        last_result: None,
        plan_hash: None,
    }
}

/// What is installed, and the causes of all revisions, newest first.
fn state(project: &Project<&Native>) -> (Option<String>, Vec<String>) {
    let record = project.record("fire-rating").unwrap();
    let revisions = project.revisions("fire-rating", None, 50).unwrap();
    (record.map(|record| record.version), revisions.items.into_iter().map(|revision| revision.cause).collect())
}

#[test]
fn undo_and_redo_walk_the_versions_and_the_time_before_them() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    project.install(&bundle("1.0.0", None), BY).unwrap();
    let second = project.install(&bundle("1.1.0", Some("sha256:1.0.0")), BY).unwrap();
    assert_eq!(second.previous.as_ref().unwrap()["version"], "1.0.0");

    assert_eq!(project.undo("fire-rating", Some("sha256:1.1.0"), BY).unwrap().unwrap().version, "1.0.0");
    assert_eq!(project.undo("fire-rating", Some("sha256:1.0.0"), BY).unwrap(), None);
    assert_eq!(project.undo("fire-rating", None, BY), Err(ProjectError::NothingTo("undo")));
    assert_eq!(project.redo("fire-rating", None, BY).unwrap().unwrap().version, "1.0.0");
    assert_eq!(project.redo("fire-rating", Some("sha256:1.0.0"), BY).unwrap().unwrap().version, "1.1.0");

    project.remove("fire-rating", Some("sha256:1.1.0"), BY).unwrap();
    assert!(project.list("", 50).unwrap().items.is_empty());
    assert_eq!(project.redo("fire-rating", None, BY), Err(ProjectError::NothingTo("redo")));
    assert_eq!(project.undo("fire-rating", None, BY).unwrap().unwrap().version, "1.1.0");

    let causes = ["undo", "remove", "redo", "redo", "undo", "undo", "install", "install"].map(str::to_owned).to_vec();
    assert_eq!(state(&project), (Some("1.1.0".to_owned()), causes));
}

#[test]
fn grants_are_kept_for_each_time_that_contents_stood() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    let with = |granted: &[&str], base_hash: Option<&str>| Install {
        granted: granted.iter().map(ToString::to_string).collect(),
        ..bundle("1.0.0", base_hash)
    };
    project.install(&with(&["model.read", "viewer.read"], None), BY).unwrap();
    project.install(&with(&["model.read"], Some("sha256:1.0.0")), BY).unwrap();
    project.install(&bundle("1.1.0", Some("sha256:1.0.0")), BY).unwrap();
    let mut kept = project.grants_of("fire-rating", "sha256:1.0.0").unwrap();
    kept.sort();
    assert_eq!(kept, [vec!["model.read"], vec!["model.read", "viewer.read"]]);
    assert!(project.grants_of("other", "sha256:1.0.0").unwrap().is_empty());
}

#[test]
fn a_stale_base_changes_nothing() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    project.install(&bundle("1.0.0", None), BY).unwrap();
    let before = sql.bytes();
    let stale = |current: Option<&str>| ProjectError::Stale { current: current.map(str::to_owned) };
    let current = Some("sha256:1.0.0");
    assert_eq!(project.install(&bundle("2.0.0", None), BY), Err(stale(current)));
    assert_eq!(project.undo("fire-rating", Some("sha256:0"), BY), Err(stale(current)));
    assert_eq!(project.redo("fire-rating", None, BY), Err(stale(current)));
    assert_eq!(project.remove("fire-rating", None, BY), Err(stale(current)));
    assert_eq!(project.set_enabled("fire-rating", None, false, None, BY), Err(stale(current)));
    assert_eq!(project.redo("fire-rating", current, BY), Err(ProjectError::NothingTo("redo")));
    assert_eq!(project.undo("no-such", None, BY), Err(ProjectError::NotFound));
    assert!(sql.bytes() == before);
}

#[test]
fn switched_off_with_a_reason_until_something_new_is_installed() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    let first = project.install(&bundle("1.0.0", None), BY).unwrap();
    let hash = Some(first.content_hash.as_str());
    let off = project.set_enabled("fire-rating", hash, false, Some("MEMORY"), BY).unwrap();
    assert_eq!((off.enabled, off.disabled_reason.as_deref()), (false, Some("MEMORY")));
    let on = project.set_enabled("fire-rating", hash, true, None, BY).unwrap();
    assert_eq!((on.enabled, on.disabled_reason), (true, None));
}

#[test]
fn files_are_kept_once_and_given_back_as_they_were() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    let first = project.install(&bundle("1.0.0", None), BY).unwrap();
    project.install(&bundle("1.1.0", Some("sha256:1.0.0")), BY).unwrap();
    assert_eq!(project.files("fire-rating").unwrap(), Some(bundle("1.1.0", None).files));
    let (revision, files) = project.revision("fire-rating", &first.revision_id).unwrap();
    assert_eq!((revision.cause.as_str(), files), ("install", Some(bundle("1.0.0", None).files)));
    let blobs = holdpoint_store::Sql::query(&sql, "SELECT count(*) FROM blob", &[]).unwrap();
    assert_eq!(blobs[0].get::<i64>(0), Ok(3), "two manifests and one shared text");
}

#[test]
fn lists_come_in_pages() {
    let sql = Native::new();
    let project = Project::open(&sql).unwrap();
    for id in ["a", "b", "c"] {
        project.install(&Install { id: id.to_owned(), ..bundle("1.0.0", None) }, BY).unwrap();
    }
    let first = project.list("", 2).unwrap();
    assert_eq!(first.next_cursor.as_deref(), Some("b"));
    let second = project.list("b", 2).unwrap();
    assert_eq!((second.items.len(), second.next_cursor), (1, None));
}
