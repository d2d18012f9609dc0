//! A kind that the engine has never heard of walks the one road: stage, check, preview, sign, write, undo. At each arrow
//! something is refused, and what is refused changes nothing (ENGINE §11, DESIGN §3).
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

#[path = "../../../../crates/store/tests/support/mod.rs"]
mod support;

use holdpoint_bundle::Files;
use holdpoint_change::{Approved, Base, Change, Facts, Hand, HandCause, Person, Preview, Signature, Why, sign};
use holdpoint_check::ApiError;
use holdpoint_engine::{ApplyError, ApplyRequest, SeenRevision};
use holdpoint_kind::{AnyKind, Stage as _};
use holdpoint_store::workspace::{Beside, Bundle, By, Head, OnLater, Restored, Way, Workspace, WriteError};
use holdpoint_test_notes::{Edit, Notes};
use serde_json::{Value, json};
use support::Native;

const NOTES: Bundle<'static> = Bundle { id: "n", kind: "notes", title: "Notes", owner: "ann", account: None };
const BY: By<'static> = By { user: "ann", now: 1_000, asked: None };

fn ann() -> Person {
    Person::authenticated("ann")
}

fn files(text: &str) -> Files {
    Files::from([("a.txt".to_owned(), text.to_owned())])
}

fn request(wire: &Value) -> Edit {
    serde_json::from_value(wire.clone()).unwrap()
}

fn edit(edit: &str) -> Value {
    json!({ "path": "a.txt", "edit": edit })
}

/// A project with one bundle of two lines.
fn project() -> Workspace<Native> {
    let workspace = Workspace::open(Native::new()).unwrap();
    let hand = Hand { files: files("one\ntwo\n"), facts: Facts::default(), cause: HandCause::Create, by: ann() };
    write(&workspace, &Base::default(), Change::Hand(hand)).unwrap();
    workspace
}

fn write(workspace: &Workspace<Native>, on: &Base, change: Change<Restored>) -> Result<Head, WriteError> {
    workspace.write(&NOTES, on, change, &BY)
}

fn standing(workspace: &Workspace<Native>) -> Base {
    workspace.base(NOTES.id).unwrap()
}

fn text(workspace: &Workspace<Native>) -> Option<String> {
    workspace.files(NOTES.id).unwrap().map(|files| files["a.txt"].clone())
}

/// What a person sees of an edit of what stands.
fn look(workspace: &Workspace<Native>, wire: &Value) -> Preview {
    holdpoint_engine::preview(&Notes, standing(workspace), &request(wire), &|_, _| None).unwrap()
}

/// What a person sends who has read `seen`, with other members where `more` has them.
fn signature(seen: &Preview, more: &Value) -> Signature {
    let tokens = &seen.staged.tokens;
    let mut sent = json!({
        "base_hash": tokens.base, "patch_id": tokens.patch, "result_hash": tokens.result,
        "confirm_token": seen.staged.shown["confirm_token"],
    });
    sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(sent).unwrap()
}

fn signed(seen: &Preview, fresh: Preview, more: &Value) -> Result<Approved, Why> {
    sign(fresh, &signature(seen, more), ann(), true).map_err(|(why, _)| why)
}

/// What a person asks for who has read `seen`, with other members where `more` has them.
fn asked(workspace: &Workspace<Native>, text: &str, seen: &Preview, more: &Value) -> Result<Head, ApplyError> {
    let (request, signature) = (request(&edit(text)), signature(seen, more));
    let revision = more["revision"].as_str().map_or(SeenRevision::Any, SeenRevision::Known);
    let asked = ApplyRequest {
        bundle: NOTES,
        request: &request,
        signature: &signature,
        revision,
        texts: None,
        given: &|_, _| None,
        by: BY,
    };
    let applied = holdpoint_engine::apply(workspace, &Notes, &asked, ann(), |_| Beside::Nothing)?;
    Ok(applied.head)
}

/// An edit that is looked at, signed and written.
fn apply(workspace: &Workspace<Native>, text: &str) -> Result<Head, ApplyError> {
    asked(workspace, text, &look(workspace, &edit(text)), &json!({}))
}

#[test]
fn the_gate_refuses_at_each_arrow_and_changes_nothing() {
    let workspace = project();
    let seen = look(&workspace, &edit("REPLACE 2: zwei"));
    let refused = |edit: &str, seen: &Preview, more: Value| asked(&workspace, edit, seen, &more).unwrap_err();
    let stale = |error: ApplyError| match error {
        ApplyError::Stale { why, fresh } => (why, fresh.staged.after.is_some()),
        other => panic!("{other:?}"),
    };
    assert!(matches!(refused("no edit", &seen, json!({})), ApplyError::Request(_)));
    assert_eq!(stale(refused("REPLACE 2: zwei", &seen, json!({"base_hash": "sha256:00"}))), (Why::Base, true));
    assert_eq!(stale(refused("REPLACE 2: drei", &seen, json!({}))), (Why::Patch, true));
    assert_eq!(stale(refused("REPLACE 2: zwei", &seen, json!({"result_hash": "sha256:00"}))), (Why::Result, true));
    assert_eq!(stale(refused("REPLACE 2: zwei", &seen, json!({"revision": "never"}))), (Why::Base, true));
    let empty = look(&workspace, &edit("REPLACE 2: "));
    let error = refused("REPLACE 2: ", &empty, json!({"confirm_token": null}));
    assert!(matches!(error, ApplyError::NeedsConfirmation { .. }), "{error:?}");
    let long = format!("REPLACE 1: {}", "x".repeat(81));
    let error = refused(&long, &look(&workspace, &edit(&long)), json!({}));
    assert!(matches!(&error, ApplyError::Invalid { fresh } if !fresh.report.ok), "{error:?}");
    assert_eq!(text(&workspace).unwrap(), "one\ntwo\n");
    assert_eq!(workspace.revisions(NOTES.id, None, 50).unwrap().items.len(), 1);
}

#[test]
fn from_the_edit_to_the_revision_and_back() {
    let workspace = project();
    let seen = look(&workspace, &edit("REPLACE 2: zwei"));
    assert_eq!((seen.report.ok, &seen.report.more), (true, &json!({"lines": 2})));
    assert_eq!(text(&workspace).unwrap(), "one\ntwo\n", "a preview writes nothing");
    let head = apply(&workspace, "REPLACE 2: zwei").unwrap();
    assert_eq!((text(&workspace).unwrap().as_str(), head.revision.cause.as_str()), ("one\nzwei\n", "apply"));
    let back = workspace.inverse(NOTES.id, &head.revision.id, OnLater::Refuse).unwrap();
    write(&workspace, &standing(&workspace), Change::Restored(back)).unwrap();
    assert_eq!(text(&workspace).unwrap(), "one\ntwo\n");
    let way = workspace.step(NOTES.id, &Way::Back).unwrap();
    write(&workspace, &standing(&workspace), Change::Restored(way)).unwrap();
    assert_eq!(text(&workspace).unwrap(), "one\nzwei\n", "the list of revisions leads back as well");
}

#[test]
fn staging_refuses_what_is_no_edit_and_keeps_what_cannot_be_made() {
    let workspace = project();
    for (wire, pointer) in [(edit("DELETE 1"), "/edit"), (json!({"path": 1}), "/path"), (json!([]), "")] {
        let read = holdpoint_check::read::read::<Edit>(wire).map_err(ApiError::from);
        let refused = read.and_then(|edit| Notes.stage(standing(&workspace), &edit)).unwrap_err();
        assert_eq!((refused.code.as_str(), &refused.details["pointer"]), ("INVALID_INPUT", &json!(pointer)));
    }
    let seen = look(&workspace, &edit("REPLACE 9: nine"));
    assert_eq!(seen.staged.after, None, "there is no line 9");
    let fresh = seen.clone();
    assert_eq!(signed(&seen, fresh, &json!({})).err(), Some(Why::Invalid), "and nobody can sign it");
}

#[test]
fn the_check_refuses_a_long_line() {
    let workspace = project();
    let seen = look(&workspace, &edit(&format!("REPLACE 1: {}", "x".repeat(81))));
    let [found] = seen.report.diagnostics.as_slice() else { panic!("one finding: {:?}", seen.report) };
    assert_eq!((&*found.code, found.range.unwrap().start.line), ("NOTE_LINE_LONG", 1));
    let fresh = seen.clone();
    assert_eq!(signed(&seen, fresh, &json!({})).err(), Some(Why::Invalid));
    let kind: &dyn AnyKind = &Notes;
    let told = kind.check(&files("fine\n"), &json!({}), &|_, _| None).unwrap();
    assert!(told.ok && kind.codes().concat().iter().any(|code| code.name == found.code));
}

#[test]
fn the_signature_is_held_against_what_stands() {
    let workspace = project();
    let seen = look(&workspace, &edit("REPLACE 2: "));
    let why = |more: Value| signed(&seen, look(&workspace, &edit("REPLACE 2: ")), &more).err();
    assert_eq!(why(json!({})), None);
    assert_eq!(why(json!({"base_hash": "sha256:00"})), Some(Why::Base));
    assert_eq!(why(json!({"patch_id": "sha256:00"})), Some(Why::Patch));
    assert_eq!(why(json!({"result_hash": "sha256:00"})), Some(Why::Result));
    assert_eq!(why(json!({"confirm_token": null})), Some(Why::Confirmation), "an emptied line wants a second look");
    apply(&workspace, "REPLACE 1: eins").unwrap();
    assert_eq!(why(json!({})), Some(Why::Base), "somebody was faster");
}

#[test]
fn the_write_refuses_what_moved_and_undo_what_came_after() {
    let workspace = project();
    let (base, wire) = (standing(&workspace), edit("REPLACE 2: zwei"));
    let late = signed(&look(&workspace, &wire), look(&workspace, &wire), &json!({})).unwrap();
    let first = apply(&workspace, "REPLACE 1: eins").unwrap();
    assert!(matches!(write(&workspace, &base, Change::Approved(late)), Err(WriteError::Stale { .. })));
    assert_eq!(text(&workspace).unwrap(), "eins\ntwo\n");
    apply(&workspace, "REPLACE 1: uno").unwrap();
    let blocked = workspace.inverse(NOTES.id, &first.revision.id, OnLater::Refuse).unwrap_err();
    assert_eq!(blocked, WriteError::Blocked { paths: vec!["a.txt".to_owned()] });
    assert_eq!(text(&workspace).unwrap(), "uno\ntwo\n");
}
