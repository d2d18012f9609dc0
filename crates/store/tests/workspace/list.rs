//! Extensions' way back: along the list of revisions, with "not there" as an entry.

use holdpoint_change::Facts;
use holdpoint_store::workspace::{Bundle, Cause, Signed, Way, Workspace, WriteError};
use holdpoint_store::{Sql, Value};
use serde_json::json;

use crate::kit::{Doing, PLAIN, files};
use crate::support::Native;

/// The text of `a`, where the bundle is there.
fn text<S: Sql>(of: &Doing<'_, S>) -> Option<String> {
    of.files().map(|mut files| files.remove("a").unwrap())
}

#[test]
fn steps_walk_the_versions_and_the_time_before_them() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.install("1", &["model.read"]).unwrap();
    let second = plain.install("2", &["model.read", "viewer.read"]).unwrap();
    assert_eq!(second.previous.unwrap().id, "rev_1");
    assert_eq!((second.can_go_back, second.can_go_forth), (true, false));

    let first = plain.step(&Way::Back).unwrap();
    assert_eq!((text(&plain).as_deref(), first.here.unwrap().id.as_str()), (Some("1"), "rev_1"));
    assert_eq!(first.revision.facts, Facts(json!({"granted": ["model.read"]})), "facts come back with the files");
    assert_eq!((first.previous, first.can_go_back, first.can_go_forth), (None, true, true));

    let nothing = plain.step(&Way::Back).unwrap();
    assert_eq!((text(&plain), nothing.here, nothing.fingerprints), (None, None, None));
    assert!(workspace.list("", 50).unwrap().items.is_empty());
    assert_eq!(plain.step(&Way::Back), Err(WriteError::NothingTo("undo")));
    plain.step(&Way::Forth).unwrap();
    assert_eq!(text(&plain).as_deref(), Some("1"));
    plain.step(&Way::Forth).unwrap();
    assert_eq!(text(&plain).as_deref(), Some("2"));

    plain.remove().unwrap();
    assert_eq!((text(&plain), workspace.list("", 50).unwrap().items.len()), (None, 0));
    assert_eq!(plain.remove(), Err(WriteError::NotFound), "it is not there");
    assert_eq!(plain.step(&Way::Forth), Err(WriteError::NothingTo("redo")));
    plain.step(&Way::Back).unwrap();
    assert_eq!(text(&plain).as_deref(), Some("2"));
    assert_eq!(plain.causes(), ["undo", "remove", "redo", "redo", "undo", "undo", "apply", "apply"]);
}

#[test]
fn what_comes_after_a_step_back_takes_the_place_of_what_was_undone() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.install("1", &[]).unwrap();
    plain.install("2", &[]).unwrap();
    plain.step(&Way::Back).unwrap();
    let third = plain.install("3", &[]).unwrap();
    assert_eq!((third.previous.unwrap().id.as_str(), third.can_go_forth), ("rev_1", false));
    assert_eq!(plain.step(&Way::Forth), Err(WriteError::NothingTo("redo")));
    plain.step(&Way::Back).unwrap();
    assert_eq!(text(&plain).as_deref(), Some("1"));
    let (_, left) = workspace.revision("plain", "rev_2").unwrap();
    assert_eq!(left.unwrap()["a"], "2", "it left the list, not the history");
}

#[test]
fn a_revision_says_what_happened_and_what_was_signed() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.install("1", &["x"]).unwrap();
    plain.install("2", &["y"]).unwrap();
    plain.step(&Way::Back).unwrap();
    plain.step(&Way::Back).unwrap();
    let seen = workspace.revisions("plain", None, 50).unwrap().items;
    let causes: Vec<_> = seen.iter().map(|revision| (revision.cause, revision.about.as_deref())).collect();
    assert_eq!(causes, [(Cause::Undo, None), (Cause::Undo, Some("rev_1")), (Cause::Apply, None), (Cause::Apply, None)]);
    let facts = |granted: &str| Some(Facts(json!({"granted": [granted]})));
    let before: Vec<_> = seen.iter().map(|revision| revision.facts_before.clone()).collect();
    assert_eq!(before, [facts("x"), facts("y"), facts("x"), None]);
    assert_eq!(seen.iter().map(|revision| revision.stands).collect::<Vec<_>>(), [false, true, true, true]);
    assert_eq!(seen[2].changed.keys().collect::<Vec<_>>(), ["a"], "what stayed is not named");
    assert_eq!(seen[0].changed["readme"].1, None, "what went has nothing after it");
    let signed = Signed {
        base_hash: Some("b".to_owned()),
        patch_id: Some("p".to_owned()),
        result_hash: Some("r".to_owned()),
        confirmed: false,
        correlation: None,
    };
    assert_eq!((seen[2].signed.as_ref(), seen[1].signed.as_ref()), (Some(&signed), None));
    assert!(seen.iter().all(|revision| revision.actor == "user:ann" && revision.at == 1_000));
}

#[test]
fn facts_are_kept_for_each_time_that_files_stood() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.install("1", &["model.read", "viewer.read"]).unwrap();
    plain.install("1", &["model.read"]).unwrap();
    plain.install("2", &["model.read"]).unwrap();
    plain.remove().unwrap();
    let mut kept = workspace.facts_ever("plain").unwrap();
    kept.sort_by_key(|facts| facts.0.to_string());
    let both = [json!({"granted": ["model.read", "viewer.read"]}), json!({"granted": ["model.read"]})];
    assert_eq!(kept, both.map(Facts));
    assert!(workspace.facts_ever("other").unwrap().is_empty());
}

#[test]
fn facts_of_a_bundle_change_without_a_revision_and_are_audited() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    let first = plain.install("1", &[]).unwrap();
    let off = plain.facts(json!({"enabled": false})).unwrap();
    assert_eq!((&off.facts, &off.revision), (&Facts(json!({"enabled": false})), &first.revision));
    assert_eq!(plain.causes(), ["apply"]);
    let rows = sql.query("SELECT bundle, action, detail, actor, at FROM audit", &[]).unwrap();
    let text = |text: &str| Value::Text(text.to_owned());
    let want = [text("plain"), text("facts"), text("{\"enabled\":false}"), text("user:ann"), Value::Integer(1_000)];
    assert_eq!(rows.iter().map(|row| row.0.as_slice()).collect::<Vec<_>>(), [want.as_slice()]);
    plain.remove().unwrap();
    assert_eq!(plain.facts(json!({"enabled": true})), Err(WriteError::NotFound), "it is not there");
}

#[test]
fn files_are_kept_once_and_given_back_as_they_were() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    let first = plain.install("1", &[]).unwrap();
    plain.install("2", &[]).unwrap();
    assert_eq!(plain.files(), Some(files(&[("a", "2"), ("readme", "same")])));
    let (revision, left) = workspace.revision("plain", &first.revision.id).unwrap();
    assert_eq!((revision, left), (first.revision, Some(files(&[("a", "1"), ("readme", "same")]))));
    let blobs = sql.query("SELECT count(*) FROM blob", &[]).unwrap();
    assert_eq!(blobs[0].get::<i64>(0), Ok(3), "two texts of a and one that they share");
}

#[test]
fn lists_come_in_pages_and_bundles_do_not_see_each_other() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    for id in ["a", "b", "c"] {
        Doing { workspace: &workspace, bundle: Bundle { id, ..PLAIN } }.install(id, &[]).unwrap();
    }
    let first = workspace.list("", 2).unwrap();
    assert_eq!(first.next_cursor.as_deref(), Some("b"));
    let second = workspace.list("b", 2).unwrap();
    assert_eq!((second.items.len(), second.next_cursor), (1, None));
    assert_eq!(workspace.revision("a", "rev_2"), Err(WriteError::NotFound), "rev_2 is b's");
    assert_eq!(workspace.step("a", &Way::Revision("rev_2".to_owned())).err(), Some(WriteError::NotFound));
    assert_eq!(workspace.revisions("d", None, 50), Err(WriteError::NotFound));
    assert_eq!(workspace.head("d"), Ok(None));
    assert_eq!(workspace.files("d"), Ok(None));
    assert_eq!(workspace.step("d", &Way::Back).err(), Some(WriteError::NotFound));
    assert_eq!(workspace.revisions("a", None, 50).unwrap().items.len(), 1);
}
