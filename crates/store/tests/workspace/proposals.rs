//! What sessions propose: their life, change sets, working files, issued tokens, and what is told of it.

use holdpoint_change::{Base, Confirm, Person, Preview, Signature, Staged, Tokens, sign};
use holdpoint_check::Report;
use holdpoint_store::audit::NewEvent;
use holdpoint_store::change_set::{Applies, ChangeSet, JudgedSet, NewSet, SHOWN_MS, SetStatus, WorkingRow};
use holdpoint_store::session::{Ending, NewSession, NewTurn, OwnSession, RequestNames, Standing, Status, Which};
use holdpoint_store::workspace::{Beside, By, Head, Workspace, WriteError};
use holdpoint_store::{Sql, TOKEN_MS};
use serde_json::{Value, json};

use crate::kit::{BY, Doing, TOOL, ann, created, files};
use crate::support::Native;

const TTL: i64 = 180;
const IDLE: i64 = 30;

fn new(id: &'static str, target: &'static str) -> NewSession<'static> {
    NewSession { id, bundle: TOOL.id, user: "ann", target, part: None, waits: false, mode: "optimize", facts: "{}" }
}

pub fn open<S: Sql>(workspace: &Workspace<S>, id: &'static str, now: i64) -> OwnSession {
    workspace.sessions(TTL).open(&new(id, "agent:clerk"), now).unwrap()
}

pub fn event(kind: &'static str) -> NewEvent<'static> {
    NewEvent {
        bundle: TOOL.id,
        session: Some("as_1"),
        change_set: None,
        user: "ann",
        kind,
        outcome: "ok",
        code: None,
        objects: "[]".to_owned(),
        detail: "{}".to_owned(),
        duration: Some(3),
    }
}

pub fn row(object: &str) -> WorkingRow {
    WorkingRow { part: 0, object: object.to_owned(), content: "{}".to_owned(), deleted: false, base_hash: None }
}

pub fn stage<S: Sql>(workspace: &Workspace<S>, session: &str, working: &[WorkingRow]) -> ChangeSet {
    let new = NewSet { session, bundle: TOOL.id, user: "ann", content: "{\"a\":1}", working };
    workspace.change_sets().stage(&new, 5, &[event("staged")]).unwrap()
}

pub fn judged(valid: bool) -> JudgedSet<'static> {
    JudgedSet { valid, validation: "{\"errors\":[]}", again: None }
}

pub fn tokens() -> Tokens {
    Tokens { base: Some("b".to_owned()), patch: None, result: Some("r".to_owned()) }
}

/// Applies a set with files of its own, confirmed with `claim`.
pub fn apply<S: Sql>(tool: &Doing<'_, S>, set: &ChangeSet, claim: &str, now: i64) -> Result<Head, WriteError> {
    applied(tool, &tool.base(), set, claim, now)
}

pub fn applied<S: Sql>(
    tool: &Doing<'_, S>,
    base: &Base,
    set: &ChangeSet,
    claim: &str,
    now: i64,
) -> Result<Head, WriteError> {
    let staged = Staged {
        base: base.clone(),
        after: Some(files(&[("tool.py", "applied")])),
        confirm: Confirm::Issued,
        reasons: vec!["delete".to_owned()],
        tokens: tokens(),
        ..Staged::default()
    };
    let preview = Preview { staged, report: Report::new(vec![], Value::Null) };
    let seen = json!({"base_hash": "b", "result_hash": "r", "confirm_token": claim});
    let signature: Signature = serde_json::from_value(seen).unwrap();
    let approved = sign(preview, &signature, ann(), true).ok().unwrap();
    let event = NewEvent { change_set: Some((set.number, set.version)), ..event("applied") };
    let applies = Applies { change_set: set.number, inverse: "{\"operations\":[]}", event: &event };
    tool.workspace.apply(&tool.bundle, base, approved, &By { now, ..BY }, Beside::Set(&applies))
}

fn ids(workspace: &Workspace<&Native>, which: Which<'_>, now: i64) -> Vec<String> {
    let page = workspace.sessions(TTL).list((TOOL.id, "ann"), &which, None, 50, now).unwrap();
    page.items.into_iter().map(|session| session.id).collect()
}

#[test]
fn a_session_belongs_to_its_user_and_is_found_by_what_it_is_about() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    open(&workspace, "as_1", 1);
    sessions.open(&new("as_2", "asset:assets/a:b.md"), 2).unwrap();
    let workflow = NewSession { part: Some(3), ..new("as_3", "workflow:3") };
    sessions.open(&workflow, 3).unwrap();
    sessions.open(&NewSession { user: "bob", ..new("as_4", "agent:clerk") }, 4).unwrap();
    assert_eq!(ids(&workspace, Which::default(), 5), ["as_3", "as_2", "as_1"]);
    assert_eq!(ids(&workspace, Which { kind: Some("agent"), ..Which::default() }, 5), ["as_1"]);
    assert_eq!(ids(&workspace, Which { name: Some("assets/a:b.md"), ..Which::default() }, 5), ["as_2"]);
    assert_eq!(ids(&workspace, Which { part: Some(3), ..Which::default() }, 5), ["as_3"]);
    sessions.cancel("as_2", 6).unwrap();
    assert_eq!(ids(&workspace, Which { standing: Some(Standing::Active), ..Which::default() }, 6), ["as_3", "as_1"]);
    assert_eq!(sessions.own(TOOL.id, "bob", "as_1", 6), Ok(None));
    assert_eq!(sessions.own("tool_2", "ann", "as_1", 6), Ok(None));
    assert_eq!(sessions.own(TOOL.id, "ann", "as_2", 6).unwrap().unwrap().standing, Standing::Cancelled);
}

#[test]
fn a_session_is_listed_with_its_first_words_and_where_its_newest_set_stands() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let made = open(&workspace, "as_1", 1);
    assert_eq!((made.opening, made.latest), (None, None));
    open(&workspace, "as_2", 1);
    let say = |words: &str| {
        let new = NewTurn {
            protocol: "session".to_owned(),
            message: words.to_owned(),
            correlation: words.to_owned(),
            record: None,
            again: false,
        };
        let begun = sessions.named("as_1", TOOL.id, "ann").begin(2, &new, &RequestNames::default()).unwrap();
        let ending = Ending { status: Status::Failed, outcome: None, text: String::new() };
        assert!(sessions.close(2, &begun.turn_id, words, &ending).unwrap());
    };
    let long = "å".repeat(500);
    for words in [" \n ", &long, "second"] {
        say(words);
    }
    let first = stage(&workspace, "as_1", &[row("agent:a")]);
    workspace.change_sets().judge(&first, &judged(true), 6, &[]).unwrap();
    let page = sessions.list((TOOL.id, "ann"), &Which::default(), None, 50, 5).unwrap();
    let shown: Vec<_> = page.items.into_iter().map(|own| (own.opening, own.latest)).collect();
    assert_eq!(shown, [(None, None), (Some("å".repeat(400)), Some(SetStatus::Validated))]);
    assert_eq!(sessions.by_id("as_1").unwrap().unwrap().latest, Some(SetStatus::Validated));
    assert_eq!(sessions.by_id("tool_1/ann"), Ok(None), "only those with an id of their own");
}

#[test]
fn a_list_goes_on_where_it_stopped_whatever_came_or_went_meanwhile() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    for id in ["as_1", "as_2", "as_3", "as_4"] {
        open(&workspace, id, 1);
    }
    let page = |cursor: Option<&str>| {
        let page = sessions.list((TOOL.id, "ann"), &Which::default(), cursor, 2, 1).unwrap();
        (page.items.into_iter().map(|session| session.id).collect::<Vec<_>>(), page.next_cursor)
    };
    let (first, next) = page(None);
    assert_eq!(first, ["as_4", "as_3"]);
    open(&workspace, "as_5", 1);
    sessions.forget("as_3", 1).unwrap();
    let (second, end) = page(next.as_deref());
    assert_eq!((second, end), (vec!["as_2".to_owned(), "as_1".to_owned()], None));
    for other in ["", "3", "as_3", "000000000000000Z"] {
        let refused = sessions.list((TOOL.id, "ann"), &Which::default(), Some(other), 2, 1);
        assert_eq!(refused.err(), Some(WriteError::Cursor), "{other}");
    }
}

#[test]
fn messages_are_paged_without_a_repeat_or_a_gap_while_others_arrive() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let sessions = workspace.sessions(TTL);
    let session = sessions.named("as_1", TOOL.id, "ann");
    let turn = |word: &str, tools: usize| {
        let new = NewTurn {
            protocol: "session".to_owned(),
            message: word.to_owned(),
            correlation: word.to_owned(),
            record: None,
            again: false,
        };
        let begun = session.begin(2, &new, &RequestNames::default()).unwrap();
        for at in 0..tools {
            let insert = "INSERT INTO message(turn, role, name, content, at)
                          VALUES((SELECT number FROM turn WHERE id = ?), 'tool', 'read', ?, 2)";
            sql.execute(insert, &[begun.turn_id.as_str().into(), format!("{word}{at}").into()]).unwrap();
        }
        let ending = Ending { status: Status::Complete, outcome: None, text: format!("re {word}") };
        (begun, ending)
    };
    let close = |word: &str, tools: usize| {
        let (begun, ending) = turn(word, tools);
        assert!(sessions.close(2, &begun.turn_id, word, &ending).unwrap());
    };
    close("a", 2);
    close("b", 1);
    let (_pending, _) = turn("c", 1);
    let read = |all: bool, limit: u32| {
        let (mut seen, mut before): (Vec<String>, Option<String>) = (Vec::new(), None);
        loop {
            let page = sessions.messages("as_1", all, before.as_deref(), limit).unwrap();
            seen.splice(0..0, page.items.into_iter().map(|spoken| spoken.content));
            before = page.next_cursor;
            if before.is_none() {
                return seen;
            }
        }
    };
    let words = ["a", "re a", "b", "re b", "c"];
    for limit in [1, 2, 3, 50] {
        assert_eq!(read(false, limit), words, "{limit}");
        assert_eq!(read(true, limit), ["a", "a0", "a1", "re a", "b", "b0", "re b", "c", "c0"], "{limit}");
    }
    let first = sessions.messages("as_1", false, None, 2).unwrap();
    sql.execute("UPDATE turn SET status = 'complete' WHERE status = 'pending'", &[]).unwrap();
    close("d", 0);
    let next = sessions.messages("as_1", false, first.next_cursor.as_deref(), 50).unwrap();
    let next: Vec<_> = next.items.into_iter().map(|spoken| spoken.content).collect();
    assert_eq!(next, ["a", "re a", "b"], "what came later is not among what is older");
    assert_eq!(sessions.messages("as_1", false, Some("x"), 2).err(), Some(WriteError::Cursor));
}

#[test]
fn a_newer_set_takes_the_place_of_the_open_one() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let sets = workspace.change_sets();
    let first = stage(&workspace, "as_1", &[row("agent:a"), row("agent:b")]);
    assert_eq!((first.version, first.status, first.content.as_str()), (1, SetStatus::Staged, "{\"a\":1}"));
    assert_eq!(sets.judge(&first, &judged(true), 6, &[]), Ok(Some(SetStatus::Validated)));
    let second = stage(&workspace, "as_1", &[row("agent:c")]);
    assert_eq!((second.version, sets.get("as_1", 1).unwrap().unwrap().status), (2, SetStatus::Rejected));
    let objects: Vec<_> = sets.working("as_1").unwrap().into_iter().map(|row| row.object).collect();
    assert_eq!(objects, ["agent:c"]);
    assert_eq!(sets.latest("as_1").unwrap(), Some(second));
    assert_eq!(sets.get("as_2", 1), Ok(None), "a set is asked for in its session");
}

#[test]
fn what_was_shown_of_a_set_ends_with_it_and_after_a_time() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let sets = workspace.change_sets();
    let set = stage(&workspace, "as_1", &[row("agent:a")]);
    let shown = |now: i64| sets.get("as_1", set.number).unwrap().unwrap().shown(now).map(str::to_owned);
    assert_eq!(shown(5), None);
    sets.note_shown("as_2", set.number, "elsewhere", 5).unwrap();
    assert_eq!(shown(5), None, "a set is noted in its session");
    sets.note_shown("as_1", set.number, "one", 5).unwrap();
    sets.note_shown("as_1", set.number, "two", 6).unwrap();
    sets.note_shown("as_1", set.number, "two", 7).unwrap();
    assert_eq!(shown(5 + SHOWN_MS).as_deref(), Some("two"));
    assert_eq!(shown(6 + SHOWN_MS), None, "the same again is not written each time");
    sets.note_shown("as_1", set.number, "two", SHOWN_MS).unwrap();
    assert_eq!(shown(6 + SHOWN_MS).as_deref(), Some("two"), "but each day");
    stage(&workspace, "as_1", &[row("agent:b")]);
    sets.note_shown("as_1", set.number, "three", SHOWN_MS).unwrap();
    assert_eq!(shown(SHOWN_MS).as_deref(), Some("two"), "a closed set is shown no more");
}

#[test]
fn a_closed_set_stays_as_it_is() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let sets = workspace.change_sets();
    let invalid = stage(&workspace, "as_1", &[row("agent:a")]);
    assert_eq!(sets.judge(&invalid, &judged(false), 6, &[]), Ok(Some(SetStatus::Rejected)));
    assert_eq!(sets.working("as_1").unwrap().len(), 1, "the next turn goes on with them");
    let stored = sets.get("as_1", invalid.number).unwrap().unwrap();
    assert_eq!(stored.validation.as_deref(), Some("{\"errors\":[]}"));
    let before = sql.bytes();
    assert_eq!(sets.judge(&invalid, &judged(true), 7, &[event("validated")]), Ok(None));
    assert_eq!(sets.discard(&invalid, 7, &event("discarded")), Ok(false));
    assert!(sql.bytes() == before);
    let open = stage(&workspace, "as_1", &[row("agent:a")]);
    assert_eq!(sets.discard(&open, 8, &event("discarded")), Ok(true));
    assert_eq!(sets.working("as_1"), Ok(vec![]));
}

#[test]
fn a_set_of_any_length_comes_back_whole() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let long = format!("x{}", "å".repeat(1 << 20));
    for content in ["", long.as_str()] {
        let new = NewSet { session: "as_1", bundle: TOOL.id, user: "ann", content, working: &[] };
        let set = workspace.change_sets().stage(&new, 5, &[]).unwrap();
        assert!(workspace.change_sets().get("as_1", set.number).unwrap().unwrap().content == content);
    }
    let longest = sql.first("SELECT max(length(CAST(text AS BLOB))) FROM blob", &[]).unwrap().unwrap();
    assert!(longest.get::<i64>(0).unwrap() <= 1 << 20);
}

#[test]
fn a_working_file_of_any_length_comes_back_whole() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    open(&workspace, "as_1", 1);
    let long = WorkingRow { content: format!("\"{}\"", "å".repeat(3 << 19)), ..row("workflow:1") };
    stage(&workspace, "as_1", &[row("agent:a"), long.clone()]);
    assert!(workspace.change_sets().working("as_1").unwrap() == [row("agent:a"), long]);
    let longest = sql.first("SELECT max(length(CAST(content AS BLOB))) FROM working_file", &[]).unwrap().unwrap();
    assert!(longest.get::<i64>(0).unwrap() <= 1 << 20, "a row of the edge holds at most 2 MB");
}

#[test]
fn a_token_confirms_one_change_of_one_user_once() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    open(&workspace, "as_1", 1);
    let sets = workspace.change_sets();
    let set = stage(&workspace, "as_1", &[row("agent:a")]);
    sets.judge(&set, &judged(true), 6, &[]).unwrap();
    let issue = |user: &str, bundle: &str, tokens: &Tokens, token: &str, now: i64| {
        workspace.issue((bundle, tokens), user, token, now).unwrap();
    };
    let other = Tokens { result: Some("x".to_owned()), ..tokens() };
    issue("bob", TOOL.id, &tokens(), "of bob", 1_000);
    issue("ann", "tool_2", &tokens(), "of another bundle", 1_000);
    issue("ann", TOOL.id, &other, "of another preview", 1_000);
    issue("ann", TOOL.id, &tokens(), "good", 1_000);
    let dump = sql.bytes();
    assert!(!dump.windows(4).any(|bytes| bytes == b"good"), "the token itself is nowhere");
    for claim in ["of bob", "of another bundle", "of another preview", "made up"] {
        let before = sql.bytes();
        assert_eq!(apply(&tool, &set, claim, 1_001), Err(WriteError::Token), "{claim}");
        assert!(sql.bytes() == before, "{claim}");
    }
    assert_eq!(apply(&tool, &set, "good", 1_000 + TOKEN_MS), Err(WriteError::Token), "ten minutes");
    assert_eq!(apply(&tool, &set, "good", 999 + TOKEN_MS).unwrap().revision.id, "rev_2");
    let again = stage(&workspace, "as_1", &[row("agent:a")]);
    sets.judge(&again, &judged(true), 6, &[]).unwrap();
    assert_eq!(apply(&tool, &again, "good", 1_002), Err(WriteError::Token), "once");
}

#[test]
fn an_applied_set_is_never_applied_again() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    open(&workspace, "as_1", 1);
    let sets = workspace.change_sets();
    let set = stage(&workspace, "as_1", &[row("agent:a")]);
    for token in ["1", "2", "3"] {
        workspace.issue((TOOL.id, &tokens()), "ann", token, 1_000).unwrap();
    }
    let before = sql.bytes();
    assert_eq!(apply(&tool, &set, "1", 1_001), Err(WriteError::NotFound), "nobody validated it");
    assert!(sql.bytes() == before);
    sets.judge(&set, &judged(true), 6, &[]).unwrap();
    assert_eq!(sets.any_applied("as_1"), Ok(false));
    apply(&tool, &set, "2", 1_001).unwrap();
    assert_eq!(sets.any_applied("as_1"), Ok(true));
    let stored = sets.get("as_1", set.number).unwrap().unwrap();
    assert_eq!((stored.status, stored.inverse.as_deref()), (SetStatus::Applied, Some("{\"operations\":[]}")));
    assert_eq!(sets.working("as_1"), Ok(vec![]));
    let before = sql.bytes();
    assert_eq!(apply(&tool, &set, "3", 1_001), Err(WriteError::NotFound));
    assert!(sql.bytes() == before, "also the token is there again");
    let told: Vec<_> = workspace.audit().list(TOOL.id, (None, None), None, 50).unwrap().items;
    let told: Vec<_> = told.iter().map(|event| (event.kind.as_str(), event.change_set, event.version)).collect();
    assert_eq!(told, [("applied", Some(1), Some(1)), ("staged", Some(1), Some(1))]);
}

#[test]
fn who_signs_must_be_who_was_given_the_token() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let tool = created(&workspace);
    workspace.issue((TOOL.id, &tokens()), "ann", "good", 1_000).unwrap();
    let staged = Staged {
        base: tool.base(),
        after: Some(files(&[("tool.py", "b")])),
        confirm: Confirm::Issued,
        tokens: tokens(),
        ..Staged::default()
    };
    let preview = Preview { staged, report: Report::new(vec![], Value::Null) };
    let seen = json!({"base_hash": "b", "result_hash": "r", "confirm_token": "good"});
    let signature: Signature = serde_json::from_value(seen).unwrap();
    let approved = sign(preview, &signature, Person::authenticated("bob"), true).ok().unwrap();
    assert_eq!(tool.write(holdpoint_change::Change::Approved(approved)), Err(WriteError::Token));
}

#[test]
fn what_nobody_uses_ends_and_what_is_old_goes() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    open(&workspace, "as_1", 0);
    open(&workspace, "as_2", 20);
    let set = stage(&workspace, "as_1", &[row("agent:a")]);
    sessions.touch("as_1", 0).unwrap();
    assert_eq!(sessions.next_idle(IDLE), Ok(Some(30)));
    assert_eq!(sessions.cancel_idle(29, IDLE), Ok(vec![]));
    let idle: Vec<_> = sessions.cancel_idle(30, IDLE).unwrap().into_iter().map(|session| session.id).collect();
    assert_eq!(idle, ["as_1"]);
    assert_eq!(workspace.change_sets().get("as_1", set.number).unwrap().unwrap().status, SetStatus::Rejected);
    assert_eq!(workspace.change_sets().working("as_1"), Ok(vec![]));
    assert_eq!(sessions.own(TOOL.id, "ann", "as_1", 31).unwrap().unwrap().standing, Standing::Cancelled);

    assert_eq!(sessions.own(TOOL.id, "ann", "as_1", 180), Ok(None), "also when nobody took it away yet");
    assert_eq!(sessions.next_expiry(), Ok(Some(180)));
    assert_eq!(sessions.expire(180), Ok(1));
    assert_eq!(ids(&workspace, Which::default(), 181), ["as_2"]);
    assert!(workspace.change_sets().get("as_1", set.number).unwrap().is_some(), "change sets stay");
    assert_eq!(workspace.audit().list(TOOL.id, (None, None), None, 50).unwrap().items.len(), 1, "audit rows stay");
}

#[test]
fn a_message_keeps_the_transcript_for_its_time() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    open(&workspace, "as_1", 0);
    let new = NewTurn {
        protocol: "session".to_owned(),
        message: "Go on.".to_owned(),
        correlation: "c".to_owned(),
        record: None,
        again: false,
    };
    // Its time is its own, whatever others of the project live.
    workspace.sessions(7).named("as_1", TOOL.id, "ann").begin(100, &new, &RequestNames::default()).unwrap();
    assert_eq!(sessions.next_expiry(), Ok(Some(280)));
    let session = sessions.own(TOOL.id, "ann", "as_1", 200).unwrap().unwrap();
    assert_eq!((session.target.as_str(), session.updated), ("agent:clerk", 100), "the row is the same");
    assert_eq!(sessions.running("as_1").unwrap(), Some((1, "c".to_owned())));
    let ending = Ending { status: Status::Complete, outcome: None, text: "Gone on.".to_owned() };
    assert!(workspace.sessions(7).close(150, "turn_1", "c", &ending).unwrap());
    assert_eq!(sessions.next_expiry(), Ok(Some(330)));
    sessions.forget("as_1", 200).unwrap();
    assert_eq!(sessions.own(TOOL.id, "ann", "as_1", 200), Ok(None));
    assert_eq!(sql.first("SELECT count(*) FROM message", &[]).unwrap().unwrap().get::<i64>(0), Ok(0));
}

#[test]
fn a_session_fails_with_its_part_and_waits_for_one_that_is_to_come() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let sessions = workspace.sessions(TTL);
    let in_part = |id, part, waits| NewSession { part: Some(part), waits, ..new(id, "workflow:1") };
    sessions.open(&in_part("as_1", 1, false), 1).unwrap();
    sessions.open(&in_part("as_2", 2, true), 1).unwrap();
    open(&workspace, "as_3", 1);
    let standing = |id: &str| sessions.own(TOOL.id, "ann", id, 2).unwrap().unwrap().standing;
    assert_eq!(sessions.fail_without(TOOL.id, Some(&[1]), 2), Ok(0));
    assert_eq!(sessions.fail_without(TOOL.id, Some(&[1, 2]), 2), Ok(0));
    assert_eq!(sessions.fail_without(TOOL.id, Some(&[1]), 2), Ok(1), "it came and went");
    assert_eq!([standing("as_1"), standing("as_2")], [Standing::Active, Standing::Failed]);
    assert_eq!(sessions.fail_without(TOOL.id, None, 2), Ok(2));
    assert_eq!([standing("as_1"), standing("as_3")], [Standing::Failed; 2]);
    sessions.cancel("as_1", 3).unwrap();
    assert_eq!(standing("as_1"), Standing::Failed, "what failed is not cancelled");
}

#[test]
fn what_was_done_is_told_newest_first_and_in_pages() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let audit = workspace.audit();
    for (at, kind) in ["a", "b", "a"].into_iter().enumerate() {
        audit.tell(&event(kind), i64::try_from(at).unwrap()).unwrap();
    }
    audit.tell(&NewEvent { session: None, ..event("b") }, 3).unwrap();
    let kinds = |which, limit| {
        let page = audit.list(TOOL.id, which, None, limit).unwrap();
        page.items.iter().map(|event| event.kind.clone()).collect::<String>()
    };
    assert_eq!(kinds((None, None), 50), "baba");
    assert_eq!(kinds((Some("as_1"), None), 50), "aba");
    assert_eq!(kinds((None, Some("b")), 50), "bb");
    let first = audit.list(TOOL.id, (None, None), None, 3).unwrap();
    let second = audit.list(TOOL.id, (None, None), first.next_cursor.as_deref(), 3).unwrap();
    assert_eq!((second.items.len(), second.items[0].number, second.next_cursor), (1, 1, None));
    assert_eq!(audit.since(TOOL.id, 2).unwrap().len(), 2);
    assert_eq!(audit.since("tool_2", 0), Ok(vec![]));
}
