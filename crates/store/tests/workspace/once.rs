//! Requests that are done once, and bundles whose title follows.

use holdpoint_change::{Change, Facts, Hand, HandCause};
use holdpoint_store::Sql as _;
use holdpoint_store::once::{KEPT_MS, Known};
use holdpoint_store::workspace::{Bundle, Way, Workspace};
use serde_json::json;

use crate::kit::{BY, Doing, TOOL, ann, files};
use crate::support::Native;

#[test]
fn the_same_request_has_one_answer_for_a_day() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let look = |user: &str, hash: &str, now: i64| workspace.onces().look(user, "k", hash, now).unwrap();
    assert_eq!(look("ann", "h", 10), Known::New);
    workspace.onces().keep("ann", "k", "h", "first", 10).unwrap();
    workspace.onces().keep("ann", "k", "h", "second", 11).unwrap();
    assert_eq!(look("ann", "h", 12), Known::Answered("first".to_owned()));
    assert_eq!(look("ann", "other", 12), Known::Other);
    assert_eq!(look("bob", "h", 12), Known::New, "a key is its user's");
    assert_eq!(look("ann", "h", 9 + KEPT_MS), Known::Answered("first".to_owned()));
    assert_eq!(look("ann", "other", 10 + KEPT_MS), Known::New);
}

#[test]
fn an_answer_of_any_length_comes_back_whole() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let long = format!("\"x{}\"", "å".repeat(3 << 19));
    for (key, answer) in [("short", "{}"), ("long", long.as_str())] {
        workspace.onces().keep("ann", key, "h", answer, 10).unwrap();
        assert_eq!(workspace.onces().look("ann", key, "h", 11).unwrap(), Known::Answered(answer.to_owned()), "{key}");
    }
    let longest = sql.first("SELECT max(length(CAST(answer AS BLOB))) FROM idempotency", &[]).unwrap().unwrap();
    assert!(longest.get::<i64>(0).unwrap() <= 1 << 20, "a row of the edge holds at most 2 MB");
}

#[test]
fn a_title_follows_the_write_that_gives_it() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = Doing { workspace: &workspace, bundle: TOOL };
    tool.save(&[("a", "1")]).unwrap();
    let hand = Hand { files: files(&[("a", "1")]), facts: Facts(json!({"n": 1})), cause: HandCause::Save, by: ann() };
    let named = Bundle { title: "Windows", ..TOOL };
    workspace.write(&named, &tool.base(), Change::Hand(hand), &BY).unwrap();
    let head = workspace.head(TOOL.id).unwrap().unwrap();
    assert_eq!((head.title.as_str(), head.owner.as_str()), ("Windows", "ann"));
}

#[test]
fn what_was_removed_is_told_to_its_account_too() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = Doing { workspace: &workspace, bundle: TOOL };
    tool.save(&[("a", "1")]).unwrap();
    workspace.set_listed(TOOL.id).unwrap();
    tool.remove().unwrap();
    assert_eq!(workspace.unlisted().unwrap(), [("tool_1".to_owned(), "acme".to_owned())]);
}

#[test]
fn what_comes_back_may_bring_facts_that_count_on() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = Doing { workspace: &workspace, bundle: TOOL };
    tool.install("1", &["x"]).unwrap();
    tool.install("2", &["y"]).unwrap();
    let back = workspace.step(TOOL.id, &Way::Back).unwrap();
    assert_eq!(back.facts(), &Facts(json!({"granted": ["x"]})));
    assert_eq!(workspace.restored_files(&back).unwrap().unwrap()["a"], "1");
    let back = back.with_facts(Facts(json!({"n": 3})));
    let head = workspace.write(&TOOL, &tool.base(), Change::Restored(back), &BY).unwrap();
    assert_eq!((head.revision.facts, head.can_go_forth), (Facts(json!({"n": 3})), true));
    assert_eq!(workspace.files(TOOL.id).unwrap().unwrap()["a"], "1");
}
