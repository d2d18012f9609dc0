//! What was said on the way to a write: stored with it, shown by revision, gone with its bundle.

use holdpoint_change::Change;
use holdpoint_store::Sql;
use holdpoint_store::session::{NewTurn, RequestNames, ToldSession, ToldTurn};
use holdpoint_store::workspace::{Beside, Bundle, By, Head, Workspace, WriteError};
use serde_json::json;

use crate::kit::{ann, approved, files, signed_whole};
use crate::support::Native;

const PANEL: Bundle<'static> = Bundle { id: "a.panel", kind: "notes", title: "Panel", owner: "ann", account: None };
const YEARS: i64 = 100 * 365 * 86_400_000;

fn said(at: i64, words: &str, answer: &str) -> ToldTurn {
    ToldTurn { at, said: words.to_owned(), answer: answer.to_owned(), record: format!("[\"{words}\"]") }
}

fn by(now: i64) -> By<'static> {
    By { user: "ann", now, asked: None }
}

/// Installs a text that was talked about.
fn install(
    workspace: &Workspace<&Native>,
    text: &str,
    change: &str,
    turns: &[ToldTurn],
    now: i64,
) -> Result<Head, WriteError> {
    let base = workspace.base(PANEL.id)?;
    let after = signed_whole(&base, files(&[("a", text)]), json!({}));
    let told = ToldSession { protocol: "run", correlation: change, turns };
    workspace.apply(&PANEL, &base, approved(after), &by(now), Beside::Told(&told))
}

fn words(workspace: &Workspace<&Native>, user: &str) -> Vec<(String, Vec<String>)> {
    let page = workspace.sessions(0).told((PANEL.id, user), "run", None, 50).unwrap();
    page.items
        .into_iter()
        .map(|change| (change.revision, change.turns.into_iter().map(|turn| turn.said).collect()))
        .collect()
}

#[test]
fn what_was_said_is_stored_with_its_revision_newest_first() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let first =
        install(&workspace, "1", "c7", &[said(1, "add a panel", "Plan 1"), said(2, "no walls", "")], 10).unwrap();
    let second = install(&workspace, "2", "c8", &[said(3, "area too", "Plan 3")], 20).unwrap();
    let rows = words(&workspace, "ann");
    assert_eq!(
        rows,
        [
            (second.revision.id, vec!["area too".to_owned()]),
            (first.revision.id, vec!["add a panel".to_owned(), "no walls".to_owned()]),
        ]
    );
    let page = workspace.sessions(0).told((PANEL.id, "ann"), "run", None, 1).unwrap();
    assert_eq!(page.items[0].turns, [said(3, "area too", "Plan 3")], "words, answer, record and time come back");
    let next = workspace.sessions(0).told((PANEL.id, "ann"), "run", page.next_cursor.as_deref(), 1).unwrap();
    assert_eq!((next.items[0].correlation.as_str(), next.next_cursor), ("c7", None));
    assert_eq!(words(&workspace, "bob"), [], "nobody else's");
    let other = workspace.sessions(0).told((PANEL.id, "ann"), "run", Some("x"), 1);
    assert_eq!(other, Err(WriteError::Cursor));
}

#[test]
fn a_refused_write_leaves_no_word() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let base = workspace.base(PANEL.id).unwrap();
    install(&workspace, "1", "c1", &[said(1, "one", "")], 10).unwrap();
    let late = signed_whole(&base, files(&[("a", "2")]), json!({}));
    let turns = [said(2, "two", "")];
    let told = ToldSession { protocol: "run", correlation: "c2", turns: &turns };
    let refused = workspace.apply(&PANEL, &base, approved(late), &by(20), Beside::Told(&told));
    assert!(matches!(refused, Err(WriteError::Stale { .. })));
    assert_eq!(words(&workspace, "ann").len(), 1);
    let rows = sql.query("SELECT count(*) FROM message", &[]).unwrap();
    assert_eq!(rows[0].get::<i64>(0).unwrap(), 1);
}

#[test]
fn a_change_that_is_installed_twice_tells_each_time_what_was_new() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    install(&workspace, "1", "c1", &[said(1, "one", "")], 10).unwrap();
    install(&workspace, "2", "c1", &[said(2, "two", "")], 20).unwrap();
    let said: Vec<_> = words(&workspace, "ann").into_iter().map(|(_, words)| words.join(" ")).collect();
    assert_eq!(said, ["two", "one"]);
}

#[test]
fn it_outlives_every_other_session_and_goes_with_its_bundle() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(1_000);
    install(&workspace, "1", "c1", &[said(1, "one", "")], 10).unwrap();
    assert_eq!(sessions.next_expiry(), Ok(None), "no alarm rings for it");
    let new = NewTurn {
        protocol: "chat".to_owned(),
        message: "hi".to_owned(),
        correlation: "x".to_owned(),
        record: None,
        again: false,
    };
    sessions.of("tool_1", "ann").begin(10, &new, &RequestNames::default()).unwrap();
    assert_eq!(sessions.next_expiry(), Ok(Some(1_010)));
    install(&workspace, "2", "c2", &[said(2, "two", "")], 20).unwrap();
    assert_eq!(sessions.expire(YEARS), Ok(1));
    assert_eq!(words(&workspace, "ann").len(), 2);

    let base = workspace.base(PANEL.id).unwrap();
    workspace.write_forgetting(&PANEL, &base, Change::Removed(ann()), &by(30)).unwrap();
    assert_eq!(words(&workspace, "ann"), []);
    for table in ["session", "turn", "message"] {
        let rows = sql.query(&format!("SELECT count(*) FROM {table}"), &[]).unwrap();
        assert_eq!(rows[0].get::<i64>(0).unwrap(), 0, "{table}");
    }
    let stale = workspace.write_forgetting(&PANEL, &base, Change::Removed(ann()), &by(40));
    assert!(stale.is_err());
}

#[test]
fn the_history_of_a_kind_names_each_bundle_also_one_that_is_gone() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    install(&workspace, "1", "c1", &[said(1, "one", "")], 10).unwrap();
    let other = Bundle { id: "b.other", kind: "else", ..PANEL };
    let base = workspace.base(other.id).unwrap();
    workspace.write(&other, &base, signed_whole(&base, files(&[("a", "x")]), json!({})), &by(15)).unwrap();
    let base = workspace.base(PANEL.id).unwrap();
    workspace.write(&PANEL, &base, Change::Removed(ann()), &by(20)).unwrap();
    let page = workspace.history("notes", None, 1).unwrap();
    let (bundle, revision) = &page.items[0];
    assert_eq!((bundle.as_str(), revision.cause.as_str(), revision.stands), ("a.panel", "remove", false));
    let rest = workspace.history("notes", page.next_cursor.as_deref(), 50).unwrap();
    let causes: Vec<_> = rest.items.iter().map(|(_, revision)| revision.cause.as_str()).collect();
    assert_eq!((causes.as_slice(), rest.next_cursor), (["apply"].as_slice(), None));
}
