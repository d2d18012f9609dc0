//! A database of the first landing of this schema, opened ever after.
//!
//! `data/project.sql` was written once by [`export`] and is not written again: a later schema brings a file of its own
//! beside it.

use std::fmt::Write as _;

use holdpoint_change::HandCause;
use holdpoint_store::session::{Decision, Ending, NewTurn, Status};
use holdpoint_store::workspace::{Cause, Way, Workspace};
use holdpoint_store::{Sql, Value};
use serde_json::json;

use crate::kit::{BY, Doing, PLAIN, TOOL, files, hand};
use crate::support::Native;

const STORED: &str = include_str!("../data/project.sql");
const TTL: i64 = 1_000_000;

/// The statements that make this database again, one a line.
fn dump(sql: &Native) -> String {
    let mut out = String::new();
    let query = |select: &str| sql.query(select, &[]).unwrap();
    let schema = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
    for row in query(schema) {
        let statement: String = row.get(0).unwrap();
        writeln!(out, "{};", statement.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap();
    }
    for row in query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name LIKE 'sqlite_%', name") {
        let table: String = row.get(0).unwrap();
        // Not those that are computed.
        let columns = query(&format!("SELECT name FROM pragma_table_xinfo('{table}') WHERE hidden = 0"));
        let columns: Vec<String> = columns.iter().map(|column| column.get(0).unwrap()).collect();
        let columns = columns.join(", ");
        if table == "sqlite_sequence" {
            out += "DELETE FROM sqlite_sequence;\n"; // the rows before have filled it
        }
        for values in query(&format!("SELECT {columns} FROM {table} ORDER BY 1")) {
            let values: Vec<String> = values.0.iter().map(literal).collect();
            writeln!(out, "INSERT INTO {table}({columns}) VALUES({});", values.join(", ")).unwrap();
        }
    }
    out
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(n) => n.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Blob(_) => panic!("no table of a project holds bytes"),
    }
}

fn load(dump: &str) -> Native {
    let sql = Native::new();
    for statement in dump.lines() {
        sql.execute(statement, &[]).unwrap();
    }
    sql
}

/// A project in which everything happened once.
fn project(sql: &Native) {
    let workspace = Workspace::open(sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.install("1", &["model.read"]).unwrap();
    plain.install("2", &["model.read", "viewer.read"]).unwrap();
    plain.step(&Way::Back).unwrap();
    plain.facts(json!({"disabled": {"revision": "rev_3", "reason": "MEMORY"}})).unwrap();

    let tool = Doing { workspace: &workspace, bundle: TOOL };
    tool.write(hand(HandCause::Create, files(&[("tool.py", "a"), ("usage.md", "it's")]))).unwrap();
    workspace.checkpoint(TOOL.id, "as it came", &BY).unwrap();
    tool.save(&[("usage.md", "u")]).unwrap();
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of(TOOL.id, "ann");
    let begun = ann.begin(10, &turn("c1")).unwrap();
    let ending = Ending { status: Status::Complete, outcome: None, text: "b it is".to_owned() };
    assert!(sessions.close(20, &begun.turn_id, "c1", &ending).unwrap());
    tool.apply(&[("tool.py", "b")]).unwrap();
    tool.undo().unwrap();
    ann.begin(30, &turn("c2")).unwrap();
    workspace.take_capture("llm-captures/a/1/capture.json", 5).unwrap();
}

fn turn(correlation: &str) -> NewTurn {
    NewTurn {
        protocol: "edit-ops".to_owned(),
        message: "make it b".to_owned(),
        correlation: correlation.to_owned(),
        record: Some("{\"provider\":\"scripted\"}".to_owned()),
        again: false,
    }
}

/// `cargo test -p holdpoint-store --test workspace export -- --ignored --nocapture`, for a file of the next schema.
#[test]
#[ignore = "shows a dump of today's schema; a stored one is never written again"]
fn export() {
    let sql = Native::new();
    project(&sql);
    println!("{}", dump(&sql));
}

#[test]
fn a_stored_project_opens() {
    let sql = load(STORED);
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    let head = workspace.head(PLAIN.id).unwrap().unwrap();
    assert_eq!(plain.files(), Some(files(&[("a", "1"), ("readme", "same")])));
    assert_eq!(head.revision.facts.0, json!({"granted": ["model.read"]}));
    assert_eq!(head.facts.0["disabled"]["reason"], "MEMORY");
    assert_eq!((head.can_go_back, head.can_go_forth), (true, true));

    let tool = Doing { workspace: &workspace, bundle: TOOL };
    let causes: Vec<_> = workspace.revisions(TOOL.id, None, 50).unwrap().items.iter().map(|one| one.cause).collect();
    assert_eq!(causes, [Cause::Undo, Cause::Apply, Cause::Save, Cause::Create]);
    let labels: Vec<_> = workspace.checkpoints(TOOL.id, None, 50).unwrap().items.into_iter().map(|c| c.label).collect();
    assert_eq!(labels, ["", "as it came"]);
    assert_eq!(workspace.unlisted().unwrap(), [("tool_1".to_owned(), "acme".to_owned())]);
    assert_eq!(workspace.oldest_capture().unwrap(), Some(5));
    let sessions = workspace.sessions(TTL);
    let ann = sessions.of(TOOL.id, "ann");
    let seen = ann.history(40, 60).unwrap();
    let words: Vec<_> = seen.iter().map(|said| (said.content.as_str(), said.status.as_str())).collect();
    let want = [("make it b", "complete"), ("b it is", "complete"), ("make it b", "pending"), ("", "pending")];
    assert_eq!(words, want);
    assert_eq!(ann.context(40, &turn("c3"), 60).unwrap()[1].decision, Some(Decision::Undone));

    // It goes on where it was left.
    tool.redo().unwrap();
    assert_eq!(tool.files(), Some(files(&[("tool.py", "b"), ("usage.md", "u")])));
    assert_eq!(ann.context(40, &turn("c3"), 60).unwrap()[1].decision, Some(Decision::Applied));
    plain.step(&Way::Forth).unwrap();
    assert_eq!(plain.files().unwrap()["a"], "2");
    let next = ann.begin(50, &turn("c3")).unwrap();
    assert!(next.abandoned);
    assert_eq!(next.turn_id, "turn_3", "numbers go on");
}

#[test]
fn a_dump_makes_the_same_project_again() {
    let sql = Native::new();
    project(&sql);
    let dumped = dump(&sql);
    assert_eq!(dump(&load(&dumped)), dumped);
}
