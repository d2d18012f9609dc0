//! What is refused, and that a refusal changes nothing.

use holdpoint_change::{Base, Change, Confirm, Facts, HandCause, Staged, Unit};
use holdpoint_store::workspace::{Bundle, OnLater, Way, Workspace, WriteError};
use serde_json::json;

use crate::kit::{BY, Doing, PLAIN, TOOL, ann, change, created, files, hand, signed, signed_whole};
use crate::support::Native;

#[test]
fn a_stale_base_changes_nothing() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let (old, files) = (tool.base(), files(&[("tool.py", "x")]));
    let kept = workspace.step("tool_1", &Way::Back).unwrap();
    let inverse = workspace.inverse("tool_1", "rev_1", OnLater::Refuse).unwrap();
    tool.apply(&[("tool.py", "b")]).unwrap();
    let before = sql.bytes();
    let stale = Err(WriteError::Stale { current: Box::new(tool.base()) });
    let write = |base: &Base, change| workspace.write(&TOOL, base, change, &BY);
    assert_eq!(write(&old, hand(HandCause::Save, files.clone())), stale);
    assert_eq!(write(&old, hand(HandCause::Save, tool.files().unwrap())), stale, "also what would change nothing");
    assert_eq!(write(&Base::default(), hand(HandCause::Create, files.clone())), stale, "made once");
    assert_eq!(write(&old, signed(&old, files.clone(), json!({}))), stale);
    assert_eq!(write(&tool.base(), signed(&old, files.clone(), json!({}))), stale, "staged on another base");
    assert_eq!(write(&old, Change::Removed(ann())), stale);
    assert_eq!(write(&old, Change::Facts(Facts::default(), ann())), stale);
    assert_eq!(write(&old, Change::Restored(workspace.step("tool_1", &Way::Back).unwrap())), stale);
    assert_eq!(write(&tool.base(), Change::Restored(kept)), stale, "restored before something came");
    assert_eq!(write(&tool.base(), Change::Restored(inverse)), stale);
    assert_eq!(workspace.stands("tool_1", &old), stale.map(drop));
    assert_eq!(workspace.stands("tool_1", &tool.base()), Ok(()));
    assert!(sql.bytes() == before);
}

#[test]
fn a_unit_that_moved_is_stale_and_one_that_did_not_is_none() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let base = tool.base();
    let before = sql.bytes();
    let unit = |key: &str, before: Option<&str>| Unit {
        key: key.to_owned(),
        before: before.map(holdpoint_bundle::text_hash),
        after: None,
    };
    let staged = |units: Vec<Unit>| {
        let after = Some(files(&[("tool.py", "b"), ("usage.md", "u")]));
        change(Staged { base: base.clone(), after, units, ..Staged::default() })
    };
    let write = |units| workspace.write(&TOOL, &base, staged(units), &BY);
    let stale = Err(WriteError::Stale { current: Box::new(base.clone()) });
    assert_eq!(write(vec![unit("tool.py", Some("other"))]), stale);
    assert_eq!(write(vec![unit("tool.py", Some("a")), unit("usage.md", None)]), stale);
    assert_eq!(write(vec![unit("new.md", Some("n"))]), stale);
    assert_eq!(write(vec![unit(Unit::WHOLE, Some("other"))]), stale);
    assert_eq!(write(vec![unit(Unit::WHOLE, None)]), stale);
    assert!(sql.bytes() == before);
    assert!(write(vec![unit("tool.py", Some("a")), unit("new.md", None)]).is_ok());
}

#[test]
fn a_whole_bundle_is_a_unit_also_before_it_is_there() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    let first = signed_whole(&Base::default(), files(&[("a", "1")]), json!({}));
    workspace.write(&PLAIN, &Base::default(), first, &BY).unwrap();
    let again = signed_whole(&plain.base(), files(&[("a", "1")]), json!({"granted": []}));
    let head = workspace.write(&PLAIN, &plain.base(), again, &BY).unwrap();
    assert_eq!(head.revision.id, "rev_2", "the same files with other facts are a change");
}

#[test]
fn what_needs_an_issued_token_is_refused_where_none_was_issued() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let before = sql.bytes();
    let staged = Staged {
        base: tool.base(),
        after: Some(files(&[("tool.py", "b")])),
        confirm: Confirm::Issued,
        reasons: vec!["delete".to_owned()],
        ..Staged::default()
    };
    assert_eq!(tool.write(change(staged)), Err(WriteError::Token));
    assert!(sql.bytes() == before);
}

#[test]
fn what_was_restored_of_one_bundle_is_not_written_to_another() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    let other = Doing { workspace: &workspace, bundle: Bundle { id: "tool_2", ..TOOL } };
    other.write(hand(HandCause::Create, files(&[("tool.py", "other")]))).unwrap();
    let restored = workspace.step("tool_1", &Way::Revision("rev_1".to_owned())).unwrap();
    assert_eq!(other.write(Change::Restored(restored)), Err(WriteError::Stale { current: Box::new(other.base()) }));
    assert_eq!(tool.causes(), ["create"]);
}

#[test]
fn a_bundle_is_unlisted_from_its_making_until_its_account_has_it() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    assert_eq!(workspace.unlisted(), Ok(vec![]), "nobody made it");
    let tool = created(&workspace);
    let unlisted = Ok(vec![("tool_1".to_owned(), "acme".to_owned())]);
    assert_eq!(workspace.unlisted(), unlisted);
    tool.save(&[("tool.py", "b")]).unwrap();
    assert_eq!(Workspace::open(&sql).unwrap().unlisted(), unlisted, "also for the next life");
    workspace.set_listed("tool_1").unwrap();
    assert_eq!(workspace.unlisted(), Ok(vec![]));
    workspace.rename(&Bundle { title: "Fire doors", ..TOOL }).unwrap();
    assert_eq!(workspace.unlisted(), unlisted, "its account hears of another title");
    let renamed = workspace.head("tool_1").unwrap().unwrap();
    assert_eq!((renamed.title.as_str(), renamed.revision.id.as_str()), ("Fire doors", "rev_2"));
    assert_eq!(workspace.rename(&Bundle { id: "tool_2", ..TOOL }), Err(WriteError::NotFound));
    tool.remove().unwrap();
    workspace.set_listed("tool_1").unwrap();
    tool.restore("rev_2").unwrap();
    assert_eq!(workspace.unlisted(), unlisted, "and that it is there again");
    workspace.set_listed("tool_1").unwrap();
    Doing { workspace: &workspace, bundle: PLAIN }.install("1", &[]).unwrap();
    assert_eq!(workspace.unlisted(), Ok(vec![]), "no account lists that one");
}

#[test]
fn the_first_capture_of_a_name_wins_and_old_ones_are_found() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    assert!(workspace.captures().take("llm-captures/a/1/capture.json", 5).unwrap());
    assert!(!workspace.captures().take("llm-captures/a/1/capture.json", 9).unwrap());
    assert!(workspace.captures().take("llm-captures/a/2/capture.json", 9).unwrap());
    assert_eq!(workspace.captures().oldest().unwrap(), Some(5));
    assert_eq!(workspace.captures().until(8).unwrap(), ["llm-captures/a/1/capture.json"]);
    workspace.captures().forget("llm-captures/a/1/capture.json").unwrap();
    assert_eq!(workspace.captures().oldest().unwrap(), Some(9));
}
