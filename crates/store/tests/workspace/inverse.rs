//! Scripts' way back: a revision's own files, refused where something came after.

use holdpoint_bundle::text_hash;
use holdpoint_change::{Base, Change, HandCause};
use holdpoint_store::workspace::{Cause, OnLater, Way, Workspace, WriteError};
use holdpoint_store::{Sql, session};
use serde_json::json;

use crate::kit::{ASKED, Doing, TOOL, created, files, hand};
use crate::support::Native;

/// Texts of the tool, whether undo and redo would work.
fn seen<S: Sql>(tool: &Doing<'_, S>) -> (String, String, bool, bool) {
    let files = tool.files().unwrap();
    (files["tool.py"].clone(), files["usage.md"].clone(), tool.can_undo(), tool.can_redo())
}

fn want(tool: &str, usage: &str, undo: bool, redo: bool) -> (String, String, bool, bool) {
    (tool.to_owned(), usage.to_owned(), undo, redo)
}

#[test]
fn saves_applies_undo_and_redo() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    assert_eq!(seen(&tool), want("a", "u", false, false));
    let head = workspace.head("tool_1").unwrap().unwrap();
    assert_eq!((head.title.as_str(), head.owner.as_str(), head.kind.as_str()), ("Doors", "ann", "notes"));
    assert_eq!(head.fingerprints.unwrap()["tool.py"], text_hash("a"));

    let saved = tool.save(&[("tool.py", "b")]).unwrap();
    let same = tool.save(&[("tool.py", "b")]).unwrap();
    assert_eq!(same.revision, saved.revision, "nothing changed, so no revision");

    tool.apply(&[("tool.py", "c"), ("usage.md", "v")]).unwrap();
    assert_eq!(seen(&tool), want("c", "v", true, false));
    tool.apply(&[("tool.py", "d")]).unwrap();
    tool.undo().unwrap();
    assert_eq!(seen(&tool), want("c", "v", true, true));
    let head = tool.undo().unwrap();
    assert_eq!((head.revision.cause, head.revision.about.as_deref()), (Cause::Undo, Some("rev_3")));
    assert_eq!(seen(&tool), want("b", "u", false, true));
    assert_eq!(tool.undo(), Err(WriteError::NothingTo("undo")));
    let head = tool.redo().unwrap();
    assert_eq!((head.revision.cause, head.revision.about.as_deref()), (Cause::Redo, Some("rev_3")));
    assert_eq!(seen(&tool), want("c", "v", true, true));
    tool.redo().unwrap();
    assert_eq!(seen(&tool), want("d", "v", true, false));

    let page = workspace.revisions("tool_1", None, 3).unwrap();
    let causes: Vec<_> = page.items.iter().map(|revision| revision.cause).collect();
    assert_eq!(causes, [Cause::Redo, Cause::Redo, Cause::Undo]);
    let rest = workspace.revisions("tool_1", page.next_cursor.as_deref(), 50).unwrap();
    let causes: Vec<_> = rest.items.iter().map(|revision| revision.cause).collect();
    assert_eq!(causes, [Cause::Undo, Cause::Apply, Cause::Apply, Cause::Save, Cause::Create]);
    assert_eq!(rest.next_cursor, None);
    for unknown in ["", "rev_", "rev_01", "cp_1", "2"] {
        assert_eq!(workspace.revisions("tool_1", Some(unknown), 50), Err(WriteError::Cursor), "{unknown}");
    }
    assert_eq!(workspace.checkpoints("tool_1", Some("rev_1"), 50), Err(WriteError::Cursor));
    let (revision, left) = workspace.revision("tool_1", &rest.items[2].id).unwrap();
    assert_eq!(revision.changed.keys().collect::<Vec<_>>(), ["tool.py", "usage.md"]);
    assert_eq!(revision.facts.0, json!({"verdict": "apply"}));
    assert_eq!(revision.signed.unwrap().correlation.as_deref(), Some("c1"));
    assert_eq!(left, Some(files(&[("tool.py", "c"), ("usage.md", "v")])));
}

#[test]
fn undo_touches_only_the_files_of_its_apply_and_never_overwrites() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    tool.apply(&[("tool.py", "b")]).unwrap();
    tool.save(&[("usage.md", "mine")]).unwrap();
    tool.undo().unwrap();
    assert_eq!(seen(&tool), want("a", "mine", false, true));
    tool.redo().unwrap();
    tool.save(&[("tool.py", "b, and mine")]).unwrap();
    assert!(!tool.can_undo());
    let before = sql.bytes();
    assert_eq!(tool.undo(), Err(WriteError::Blocked { paths: vec!["tool.py".to_owned()] }));
    assert!(sql.bytes() == before);
    tool.save(&[("tool.py", "b")]).unwrap();
    assert!(tool.can_undo(), "the text is again as the apply left it");
}

#[test]
fn files_that_an_apply_made_go_with_it_and_come_again() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let before = tool.files();
    tool.apply(&[("new.md", "n"), ("tool.py", "b")]).unwrap();
    let after = tool.files();
    tool.undo().unwrap();
    assert_eq!(tool.files(), before);
    tool.redo().unwrap();
    assert_eq!(tool.files(), after);
}

#[test]
fn redo_ends_with_the_next_apply_save_or_restore() {
    for step in ["apply", "save", "restore"] {
        let sql = Native::new();
        let workspace = Workspace::open(&sql).unwrap();
        let tool = created(&workspace);
        tool.apply(&[("tool.py", "b")]).unwrap();
        tool.undo().unwrap();
        match step {
            "apply" => tool.apply(&[("usage.md", "w")]),
            "save" => tool.save(&[("usage.md", "w")]),
            _ => tool.restore("rev_1"),
        }
        .unwrap();
        assert!(!tool.can_redo(), "{step}");
        assert_eq!(tool.redo(), Err(WriteError::NothingTo("redo")), "{step}");
    }
}

#[test]
fn checkpoints_and_restore() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let named = workspace.checkpoint("tool_1", "as it came", &crate::kit::BY).unwrap();
    assert_eq!((named.label.as_str(), named.auto, named.revision.as_str()), ("as it came", false, "rev_1"));
    tool.apply(&[("tool.py", "b"), ("usage.md", "w")]).unwrap();
    let list = workspace.checkpoints("tool_1", None, 50).unwrap().items;
    assert_eq!(
        list.iter().map(|at| (at.auto, at.revision.as_str())).collect::<Vec<_>>(),
        [(true, "rev_1"), (false, "rev_1")]
    );
    let first = workspace.checkpoints("tool_1", None, 1).unwrap();
    assert_eq!((first.items.len(), first.next_cursor.as_deref()), (1, Some("cp_2")));
    let head = tool.step(&Way::Checkpoint(named.id)).unwrap();
    assert_eq!((head.revision.cause, head.revision.about.as_deref()), (Cause::Restore, Some("rev_1")));
    assert_eq!(seen(&tool), want("a", "u", false, false));
    tool.restore("rev_2").unwrap();
    assert_eq!(seen(&tool), want("b", "w", true, false), "the apply stands again, so it can be undone");
    for unknown in ["rev_99", "cp_99", "rev_02", "", "tool_1", "rev_-1", "cp_1"] {
        assert_eq!(tool.restore(unknown), Err(WriteError::NotFound), "{unknown}");
    }
    for unknown in ["cp_99", "cp_02", "", "rev_1"] {
        assert_eq!(tool.step(&Way::Checkpoint(unknown.to_owned())), Err(WriteError::NotFound), "{unknown}");
    }
}

#[test]
fn the_inverse_of_any_revision_can_be_asked_for() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    tool.apply(&[("tool.py", "b")]).unwrap();
    tool.apply(&[("usage.md", "w")]).unwrap();
    let older = workspace.inverse("tool_1", "rev_2", OnLater::Refuse).unwrap();
    tool.write(Change::Restored(older)).unwrap();
    assert_eq!(seen(&tool), want("a", "w", true, true), "the newer one stands and can be undone itself");
    assert_eq!(workspace.inverse("tool_1", "rev_99", OnLater::Refuse).err(), Some(WriteError::NotFound));
}

#[test]
fn only_what_a_turn_proposed_is_preceded_by_a_checkpoint() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    tool.install("1", &[]).unwrap();
    tool.save(&[("a", "2")]).unwrap();
    assert_eq!(workspace.checkpoints("tool_1", None, 50).unwrap().items, []);
    tool.apply(&[("a", "3")]).unwrap();
    assert_eq!(workspace.checkpoints("tool_1", None, 50).unwrap().items.len(), 1);
}

#[test]
fn what_a_session_says_of_an_apply_is_in_the_same_transaction() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let sessions = workspace.sessions(1_000_000);
    let ann = sessions.of("tool_1", "ann");
    let new = session::NewTurn {
        protocol: "edit-ops".to_owned(),
        message: "make it b".to_owned(),
        correlation: "c1".to_owned(),
        record: None,
        again: false,
    };
    let turn = ann.begin(1, &new, &session::RequestNames::default()).unwrap();
    let ending = session::Ending { status: session::Status::Complete, outcome: None, text: "b it is".to_owned() };
    assert!(sessions.close(2, &turn.turn_id, "c1", &ending).unwrap());
    let decision = || ann.context(3, &new, 60).unwrap()[1].decision;
    assert_eq!(decision(), None);
    let head = tool.apply(&[("tool.py", "b")]).unwrap();
    assert_eq!(decision(), Some(session::Decision::Applied));
    assert_eq!(sessions.asked_for(&head.revision.id).unwrap(), Some(1), "its proposal was asked for then");
    let head = tool.undo().unwrap();
    assert_eq!(decision(), Some(session::Decision::Undone));
    assert_eq!(sessions.asked_for(&head.revision.about.unwrap()).unwrap(), Some(1));
    tool.redo().unwrap();
    assert_eq!(decision(), Some(session::Decision::Applied));
    assert!(!ann.discard(9, &ASKED.asked.unwrap()).unwrap(), "what stands applied is not discarded");
}

#[test]
fn a_bundle_is_made_once() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let again = hand(HandCause::Create, files(&[("tool.py", "other")]));
    let refused = workspace.write(&TOOL, &Base::default(), again, &crate::kit::BY);
    assert_eq!(refused, Err(WriteError::Stale { current: Box::new(tool.base()) }));
}

/// Takes a revision back, merging what came after.
fn merged<S: Sql>(tool: &Doing<'_, S>, of: Option<String>) -> Result<holdpoint_store::workspace::Head, WriteError> {
    let of = of.ok_or(WriteError::NothingTo("undo"))?;
    tool.write(Change::Restored(tool.workspace.inverse("tool_1", &of, OnLater::Merge)?))
}

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n";

#[test]
fn an_apply_is_taken_back_under_later_changes_elsewhere_in_its_files() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    tool.save(&[("tool.py", LINES)]).unwrap();
    tool.apply(&[("tool.py", &LINES.replace('2', "two")), ("new.md", "n")]).unwrap();
    tool.save(&[("tool.py", &LINES.replace('2', "two").replace('6', "six")), ("usage.md", "mine")]).unwrap();
    assert_eq!(
        tool.undo(),
        Err(WriteError::Blocked { paths: vec!["tool.py".to_owned()] }),
        "without merging it is not"
    );
    let before = sql.bytes();
    let back = workspace.inverse("tool_1", "rev_3", OnLater::Merge).unwrap();
    let text = workspace.restored_files(&back).unwrap().unwrap()["tool.py"].clone();
    assert_eq!(text, LINES.replace('6', "six"), "it is seen before it is written");
    assert!(sql.bytes() == before, "making it writes nothing");
    let head = merged(&tool, workspace.standing("tool_1").unwrap()).unwrap();
    assert_eq!((head.revision.cause, head.revision.about.as_deref()), (Cause::Undo, Some("rev_3")));
    let want = [("tool.py", LINES.replace('6', "six")), ("usage.md", "mine".to_owned())];
    let want = want.map(|(path, text)| (path.to_owned(), text)).into_iter().collect();
    assert_eq!(tool.files(), Some(want));
    assert_eq!(workspace.standing("tool_1"), Ok(None));

    // And once more under something later.
    tool.save(&[("tool.py", &LINES.replace('6', "six").replace('4', "four"))]).unwrap();
    let redone = merged(&tool, Some(head.revision.id)).unwrap();
    assert_eq!(redone.revision.cause, Cause::Redo);
    let text = LINES.replace('6', "six").replace('4', "four").replace('2', "two");
    let files = tool.files().unwrap();
    assert_eq!((&files["tool.py"], files["new.md"].as_str()), (&text, "n"));
    assert_eq!(workspace.standing("tool_1").unwrap().as_deref(), Some("rev_3"), "it stands again");
}

#[test]
fn a_merge_that_meets_names_its_files_and_writes_nothing() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    tool.save(&[("tool.py", LINES)]).unwrap();
    tool.apply(&[("tool.py", &LINES.replace('2', "two")), ("new.md", "n"), ("usage.md", "w")]).unwrap();
    tool.save(&[("tool.py", &LINES.replace('2', "zwei")), ("new.md", "edited")]).unwrap();
    let before = sql.bytes();
    let blocked = WriteError::Blocked { paths: vec!["new.md".to_owned(), "tool.py".to_owned()] };
    assert_eq!(
        merged(&tool, workspace.standing("tool_1").unwrap()),
        Err(blocked),
        "edit against delete, and one line twice"
    );
    assert!(sql.bytes() == before);
    tool.save(&[("tool.py", LINES), ("new.md", "n")]).unwrap();
    merged(&tool, workspace.standing("tool_1").unwrap()).unwrap();
    assert_eq!(tool.files().unwrap()["tool.py"], LINES, "what somebody took back by hand is taken back");
    assert_eq!(tool.files().unwrap().keys().collect::<Vec<_>>(), ["tool.py", "usage.md"]);
    assert_eq!(tool.files().unwrap()["usage.md"], "u");
}

#[test]
fn a_text_of_too_many_lines_is_not_merged() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let long = format!("first\n{}last\n", "\n".repeat(holdpoint_store::workspace::MAX_MERGED_LINES));
    tool.save(&[("tool.py", &long)]).unwrap();
    tool.apply(&[("tool.py", &long.replace("first", "1st"))]).unwrap();
    tool.save(&[("tool.py", &long.replace("first", "1st").replace("last", "end"))]).unwrap();
    let refused = merged(&tool, workspace.standing("tool_1").unwrap());
    assert_eq!(refused, Err(WriteError::Blocked { paths: vec!["tool.py".to_owned()] }));
}
