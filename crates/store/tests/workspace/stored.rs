//! Databases of every landing of this schema, opened ever after.
//!
//! Each file of `data` was written once by [`export`] and is not written again: a later schema brings a file of its own
//! beside it. `project.sql` has schema 2, `conversations.sql` schema 5, `shown.sql` schema 6, `built.sql` schema 10.

use std::fmt::Write as _;

use holdpoint_change::HandCause;
use holdpoint_store::artifact::{LATE_MS, NewObjects, READ_MS};
use holdpoint_store::build::BuildOutcome;
use holdpoint_store::change_set::SetStatus;
use holdpoint_store::once::Known;
use holdpoint_store::publish::PublishKind;
use holdpoint_store::session::{
    CalledTool, Decision, Ending, LastEvent, NewTurn, OnceKey, RequestNames, Standing, Status, Which,
};
use holdpoint_store::working_copy::WorkingCopy;
use holdpoint_store::workspace::{By, Cause, Way, Workspace, WriteError};
use holdpoint_store::{Sql, Value};
use serde_json::json;

use crate::kit::{BY, Doing, PLAIN, TOOL, ann, files, hand};
use crate::support::Native;
use crate::{builds, proposals};

const STORED: &str = include_str!("../data/project.sql");
const CONVERSATIONS: &str = include_str!("../data/conversations.sql");
const SHOWN: &str = include_str!("../data/shown.sql");
const BUILT: &str = include_str!("../data/built.sql");
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
    let begun = ann.begin(10, &turn("c1"), &RequestNames::default()).unwrap();
    let ending = Ending { status: Status::Complete, outcome: None, text: "b it is".to_owned() };
    assert!(sessions.close(20, &begun.turn_id, "c1", &ending).unwrap());
    tool.apply(&[("tool.py", "b")]).unwrap();
    tool.undo().unwrap();
    ann.begin(30, &turn("c2"), &RequestNames::default()).unwrap();
    workspace.captures().take("llm-captures/a/1/capture.json", 5).unwrap();
}

/// Sessions about the script, in which everything happened once.
fn conversations(sql: &Native) {
    let workspace = Workspace::open(sql).unwrap();
    let tool = Doing { workspace: &workspace, bundle: TOOL };
    let (sessions, sets) = (workspace.sessions(TTL), workspace.change_sets());
    proposals::open(&workspace, "as_1", 100);
    let session = sessions.named("as_1", TOOL.id, "ann");
    let sent = |client_id, key| RequestNames { client_id, once: Some(OnceKey { key, hash: "h" }) };
    let crew = |word: &str| NewTurn { protocol: "crew".to_owned(), ..turn(word) };
    let first = session.begin(110, &crew("s1"), &sent(Some("m1"), "k1")).unwrap();
    sessions.emit(first.turn, "turn", "{\"seq\":1}").unwrap();
    let call = CalledTool { name: "builder.change.apply", args: "{}", result: "{\"ok\":false}", ok: false };
    sessions.note_tool(111, first.turn, &call).unwrap();
    let set = proposals::stage(&workspace, "as_1", &[proposals::row("agent:a")]);
    sets.judge(&set, &proposals::judged(true), 112, &[proposals::event("validated")]).unwrap();
    let ending = Ending { status: Status::Complete, outcome: None, text: "It is proposed.".to_owned() };
    let (record, change_set) = (Some("{\"objects\":[\"agent:a\"]}"), Some(set.number));
    let last = LastEvent { ending: &ending, name: "result", data: "{\"data\":1}", record, change_set, keep_ms: 50 };
    assert!(sessions.close_with(113, first.turn, "s1", &last).unwrap());
    workspace.issue((TOOL.id, &proposals::tokens()), "ann", "spent", 1_000).unwrap();
    proposals::apply(&tool, &set, "spent", 1_001).unwrap();
    let open = proposals::stage(&workspace, "as_1", &[proposals::row("agent:b"), proposals::row("agent:c")]);
    sets.judge(&open, &proposals::judged(true), 115, &[]).unwrap();
    sets.note_shown("as_1", open.number, "{\"shown\":true}", 115).unwrap();
    workspace.issue((TOOL.id, &proposals::tokens()), "ann", "unspent", 1_000).unwrap();
    workspace.onces().keep("ann", "k2", "h", "{\"kept\":true}", 116).unwrap();
    proposals::open(&workspace, "as_2", 120);
    sessions.cancel("as_2", 121).unwrap();
    session.begin(130, &crew("s2"), &sent(None, "k3")).unwrap();
}

/// An app of which something was built, published and left.
fn built(sql: &Native) {
    let workspace = Workspace::open(sql).unwrap();
    let builds = workspace.builds();
    let build = |dist: &str, manifest: serde_json::Value| {
        let (_, lease) = builds.claim(PLAIN.id, 290).unwrap().unwrap();
        builds.log(&lease, "words").unwrap();
        let manifest = manifest.to_string();
        builds.finish(&lease, &BuildOutcome::Succeeded { dist, manifest: &manifest }, 291).unwrap();
    };
    let dist =
        json!({"assets": [{"path": "assets/a.js"}, {"path": "index.html"}], "maps": [{"path": "assets/a.js.map"}]});
    let first = builds::save(&workspace, "1", "k1", 200);
    build("apps/t/a/revisions/rev_1/dist/", dist.clone());
    builds::save(&workspace, "2", "k2", 210);
    build("apps/t/a/revisions/rev_2/dist/", json!({"assets": [{"path": "index.html"}]}));
    for (path, at) in [("index.html", 220), ("other.html", 221)] {
        builds.enqueue_gate(PLAIN.id, "g", at).unwrap();
        build("apps/t/a/builds/g/dist/", json!({"assets": [{"path": path}]}));
    }
    builds::save(&workspace, "3", "k3", 230);
    let publishes = workspace.publishes();
    for revision in [&first, "rev_2"] {
        let publish = publishes.intend(PLAIN.id, revision, PublishKind::Publish, "ann", 240).unwrap();
        publishes.done(PLAIN.id, publish.seq, 241).unwrap();
    }
    publishes.intend(PLAIN.id, &first, PublishKind::Rollback, "ann", 250).unwrap();
    let copy = WorkingCopy { base: first, files: files(&[("a", "kept")]), entry: Some("a".to_owned()), updated: 260 };
    workspace.working_copies().put(PLAIN.id, "ann", &copy).unwrap();
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
    conversations(&sql);
    println!("{}", dump(&sql));
}

#[test]
#[ignore = "shows a dump of today's schema; a stored one is never written again"]
fn export_built() {
    let sql = Native::new();
    built(&sql);
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
    assert_eq!(workspace.captures().oldest().unwrap(), Some(5));
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
    let next = ann.begin(50, &turn("c3"), &RequestNames::default()).unwrap();
    assert!(next.abandoned);
    assert_eq!(next.turn_id, "turn_3", "numbers go on");
}

#[test]
fn stored_conversations_open() {
    let sql = load(CONVERSATIONS);
    let workspace = Workspace::open(&sql).unwrap();
    let tool = Doing { workspace: &workspace, bundle: TOOL };
    let (sessions, sets) = (workspace.sessions(TTL), workspace.change_sets());
    let page = sessions.list((TOOL.id, "ann"), &Which::default(), None, 50, 140).unwrap();
    let shown: Vec<_> = page.items.iter().map(|own| (own.id.as_str(), own.standing, own.latest)).collect();
    let want = [("as_2", Standing::Cancelled, None), ("as_1", Standing::Active, Some(SetStatus::Validated))];
    assert_eq!(shown, want);
    assert_eq!(page.items[1].opening.as_deref(), Some("make it b"));
    let said = sessions.messages("as_1", true, None, 50).unwrap().items;
    let said: Vec<_> = said.iter().map(|said| (said.role.as_str(), said.status.as_str(), said.change_set)).collect();
    let want = [("user", "complete", None), ("tool", "failed", None), ("assistant", "complete", Some(1))];
    assert_eq!(said[..3], want);
    assert_eq!(said[3..], [("user", "pending", None)]);
    let log: Vec<_> = sessions.events(3, 0).unwrap().into_iter().map(|event| (event.seq, event.name)).collect();
    assert_eq!(log, [(1, "turn".to_owned()), (2, "result".to_owned())]);
    assert_eq!(sessions.sent("as_1", "m1").unwrap().unwrap().status, "complete");
    assert_eq!(workspace.onces().look("ann", "k1", "h", 140).unwrap(), Known::Answered("3".to_owned()));
    assert_eq!(workspace.onces().look("ann", "k2", "h", 140).unwrap(), Known::Answered("{\"kept\":true}".to_owned()));
    let told = workspace.audit().list(TOOL.id, (None, None), None, 50).unwrap().items;
    let told: Vec<_> = told.iter().rev().map(|event| event.kind.as_str()).collect();
    assert_eq!(told, ["staged", "validated", "applied", "staged"]);

    // It goes on where it was left.
    assert_eq!(sessions.pending("crew").unwrap()[0].0, "as_1");
    let ending = Ending { status: Status::Failed, outcome: Some("interrupted".to_owned()), text: String::new() };
    let (name, data, record) = ("error", "{}", Some("{}"));
    let last = LastEvent { ending: &ending, name, data, record, change_set: None, keep_ms: 50 };
    assert!(sessions.close_with(150, 4, "s2", &last).unwrap());
    let set = sets.latest("as_1").unwrap().unwrap();
    assert_eq!((set.version, sets.working("as_1").unwrap().len()), (2, 2));
    assert_eq!(proposals::apply(&tool, &set, "spent", 1_002).err(), Some(WriteError::Token));
    proposals::apply(&tool, &set, "unspent", 1_002).unwrap();
    assert_eq!(sets.latest("as_1").unwrap().unwrap().status, SetStatus::Applied);
    assert_eq!(sessions.forget_events(1_000), Ok(2));
}

#[test]
fn a_stored_project_without_builds_gets_them() {
    let sql = load(SHOWN);
    let workspace = Workspace::open(&sql).unwrap();
    let set = workspace.change_sets().latest("as_1").unwrap().unwrap();
    assert_eq!(set.shown(140), Some("{\"shown\":true}"));
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    assert_eq!(plain.files(), Some(files(&[("a", "1"), ("readme", "same")])), "texts of before are read as they were");
    assert_eq!(workspace.builds().of(PLAIN.id, "rev_1"), Ok(None));
    assert_eq!(workspace.builds().next_due(), Ok(None));
    assert_eq!(workspace.publishes().current(PLAIN.id), Ok(None));
    assert_eq!(workspace.working_copies().get(PLAIN.id, "ann"), Ok(None));

    // It goes on where it was left.
    let base = plain.base();
    let change = hand(HandCause::Save, files(&[("a", "3"), ("readme", "same")]));
    let head = workspace.write_built(&PLAIN, &base, change, &BY, "k").unwrap();
    assert_eq!(workspace.builds().of(PLAIN.id, &head.revision.id).unwrap().unwrap().seq, 1);
}

#[test]
fn a_stored_app_knows_the_objects_of_its_builds() {
    let sql = load(BUILT);
    let workspace = Workspace::open(&sql).unwrap();
    let (builds, artifacts) = (workspace.builds(), workspace.artifacts());
    artifacts.sweep(300).unwrap();
    assert_eq!(artifacts.dropped(9, 300 + LATE_MS), Ok(None), "all of it is in use");
    let artifact = builds.of(PLAIN.id, "rev_1").unwrap().unwrap().artifact.unwrap();
    assert_eq!(artifact.dist, "apps/t/a/revisions/rev_1/dist/");

    // It goes on where it was left: no prefix of before is given out again.
    builds.retry(PLAIN.id, "rev_1", "k1", true, 300).unwrap();
    let mut prefixes = Vec::new();
    while let Some((build, lease)) = builds.claim(PLAIN.id, 300).unwrap() {
        let folder = format!("apps/t/a/revisions/{}/", build.revision.unwrap());
        let objects = NewObjects { folder: &folder, assets: &["index.html"], maps: &[] };
        prefixes.extend(builds.place(&lease, &objects, 300).unwrap());
        builds.finish(&lease, &BuildOutcome::Lost, 300).unwrap();
    }
    assert_eq!(prefixes, ["apps/t/a/revisions/rev_3/dist/", "apps/t/a/revisions/rev_1/dist-2/"]);

    let removed = holdpoint_change::Change::Removed(ann());
    workspace.write_forgetting(&PLAIN, &workspace.base(PLAIN.id).unwrap(), removed, &By { now: 400, ..BY }).unwrap();
    artifacts.sweep(400).unwrap();
    let mut keys = Vec::new();
    while let Some(dropped) = artifacts.dropped(9, 400 + READ_MS).unwrap() {
        artifacts.deleted(&dropped, dropped.keys.len()).unwrap();
        keys.extend(dropped.keys);
    }
    keys.sort();
    let want = [
        "apps/t/a/builds/g/dist/index.html",
        "apps/t/a/builds/g/dist/other.html",
        "apps/t/a/revisions/rev_1/dist-maps/assets/a.js.map",
        "apps/t/a/revisions/rev_1/dist/assets/a.js",
        "apps/t/a/revisions/rev_1/dist/index.html",
        "apps/t/a/revisions/rev_2/dist/index.html",
    ];
    assert_eq!(keys, want);
}

#[test]
fn a_dump_makes_the_same_project_again() {
    let (sql, app) = (Native::new(), Native::new());
    project(&sql);
    conversations(&sql);
    built(&app);
    for dumped in [dump(&sql), dump(&app)] {
        assert_eq!(dump(&load(&dumped)), dumped);
    }
}
