//! A script tool in its database: saves, applies, undo, redo, restore, checkpoints, gates.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod support;

use holdpoint_bundle::text_hash;
use holdpoint_store::project::By;
use holdpoint_store::thread::{Decision, Ending, NewTurn, Status, TurnKind};
use holdpoint_store::tool::{Apply, Head, NewTool, RevisionWithFiles, Target, ToolError};
use holdpoint_store::{Files, Tool};
use proptest::prelude::*;
use serde_json::json;
use support::Native;

const BY: By<'static> = By { actor: "user:ann", now: 1_000 };
const TTL: i64 = 1_000_000;

fn files(pairs: &[(&str, &str)]) -> Files {
    pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn opened(sql: &Native) -> (Tool<&Native>, Head) {
    let tool = Tool::open(sql).unwrap();
    let new = NewTool {
        id: "tool_1".to_owned(),
        account: "acme".to_owned(),
        owner: "ann".to_owned(),
        title: "Doors".to_owned(),
        files: files(&[("tool.py", "a"), ("usage.md", "u")]),
    };
    let head = tool.create(&new, BY).unwrap();
    (tool, head)
}

fn revision(id: &str) -> Target {
    Target::Revision(id.to_owned())
}

fn apply(pairs: &[(&str, &str)]) -> Apply {
    Apply {
        files: files(pairs),
        proposal: json!({"patch_id": "sha256:1"}),
        user: "ann".to_owned(),
        correlation_id: "c1".to_owned(),
    }
}

/// Text of the tool, whether undo and redo would work.
fn seen(head: &Head) -> (String, String, bool, bool) {
    (head.virtual_files["tool.py"].clone(), head.virtual_files["usage.md"].clone(), head.can_undo, head.can_redo)
}

fn want(tool: &str, usage: &str, undo: bool, redo: bool) -> (String, String, bool, bool) {
    (tool.to_owned(), usage.to_owned(), undo, redo)
}

#[test]
fn saves_applies_undo_and_redo() {
    let sql = Native::new();
    let (tool, head) = opened(&sql);
    assert_eq!(seen(&head), want("a", "u", false, false));
    assert_eq!(head.base_fingerprints["tool.py"], text_hash("a"));

    let head = tool.save(&head.revision_id, &files(&[("tool.py", "b")]), BY).unwrap();
    let same = tool.save(&head.revision_id, &files(&[("tool.py", "b")]), BY).unwrap();
    assert_eq!(same.revision_id, head.revision_id, "nothing changed, so no revision");

    let head = tool.apply(&head.revision_id, &apply(&[("tool.py", "c"), ("usage.md", "v")]), BY).unwrap();
    assert_eq!(seen(&head), want("c", "v", true, false));
    let head = tool.apply(&head.revision_id, &apply(&[("tool.py", "d")]), BY).unwrap();
    let head = tool.undo(&head.revision_id, BY).unwrap();
    assert_eq!(seen(&head), want("c", "v", true, true));
    let head = tool.undo(&head.revision_id, BY).unwrap();
    assert_eq!(seen(&head), want("b", "u", false, true));
    assert_eq!(tool.undo(&head.revision_id, BY), Err(ToolError::NothingTo("undo")));
    let head = tool.redo(&head.revision_id, BY).unwrap();
    assert_eq!(seen(&head), want("c", "v", true, true));
    let head = tool.redo(&head.revision_id, BY).unwrap();
    assert_eq!(seen(&head), want("d", "v", true, false));

    let page = tool.revisions(None, 3).unwrap();
    let causes: Vec<_> = page.items.iter().map(|revision| revision.cause.as_str()).collect();
    assert_eq!(causes, ["redo", "redo", "undo"]);
    let rest = tool.revisions(page.next_cursor.as_deref(), 50).unwrap();
    let causes: Vec<_> = rest.items.iter().map(|revision| revision.cause.as_str()).collect();
    assert_eq!(causes, ["undo", "apply", "apply", "hand", "hand"]);
    assert_eq!(rest.next_cursor, None);
    for unknown in ["", "rev_", "rev_01", "cp_1", "2"] {
        assert_eq!(tool.revisions(Some(unknown), 50), Err(ToolError::Cursor), "{unknown}");
    }
    assert_eq!(tool.checkpoints(Some("rev_1"), 50), Err(ToolError::Cursor));
    let RevisionWithFiles { revision, virtual_files: before } = tool.revision(&rest.items[2].revision_id).unwrap();
    assert_eq!(revision.changed_files, ["tool.py", "usage.md"]);
    assert_eq!(revision.proposal, Some(json!({"patch_id": "sha256:1"})));
    assert_eq!(before, files(&[("tool.py", "c"), ("usage.md", "v")]));
}

#[test]
fn undo_touches_only_the_files_of_its_apply_and_never_overwrites() {
    let sql = Native::new();
    let (tool, head) = opened(&sql);
    let head = tool.apply(&head.revision_id, &apply(&[("tool.py", "b")]), BY).unwrap();
    let head = tool.save(&head.revision_id, &files(&[("usage.md", "mine")]), BY).unwrap();
    let head = tool.undo(&head.revision_id, BY).unwrap();
    assert_eq!(seen(&head), want("a", "mine", false, true));
    let head = tool.redo(&head.revision_id, BY).unwrap();
    let head = tool.save(&head.revision_id, &files(&[("tool.py", "b, and mine")]), BY).unwrap();
    assert_eq!((head.can_undo, head.undo_blocked.as_slice()), (false, &["tool.py".to_owned()][..]));
    let before = sql.bytes();
    let blocked = ToolError::Blocked { paths: vec!["tool.py".to_owned()] };
    assert_eq!(tool.undo(&head.revision_id, BY), Err(blocked));
    assert!(sql.bytes() == before);
    let head = tool.save(&head.revision_id, &files(&[("tool.py", "b")]), BY).unwrap();
    assert!(head.can_undo, "the text is again as the apply left it");
}

#[test]
fn redo_ends_with_the_next_apply_save_or_restore() {
    for step in ["apply", "save", "restore"] {
        let sql = Native::new();
        let (tool, first) = opened(&sql);
        let head = tool.apply(&first.revision_id, &apply(&[("tool.py", "b")]), BY).unwrap();
        let head = tool.undo(&head.revision_id, BY).unwrap();
        let head = match step {
            "apply" => tool.apply(&head.revision_id, &apply(&[("usage.md", "w")]), BY),
            "save" => tool.save(&head.revision_id, &files(&[("usage.md", "w")]), BY),
            _ => tool.restore(&head.revision_id, &revision(&first.revision_id), BY),
        }
        .unwrap();
        assert!(!head.can_redo, "{step}");
        assert_eq!(tool.redo(&head.revision_id, BY), Err(ToolError::NothingTo("redo")), "{step}");
    }
}

#[test]
fn checkpoints_and_restore() {
    let sql = Native::new();
    let (tool, first) = opened(&sql);
    let named = tool.checkpoint("as it came", BY).unwrap();
    assert_eq!((named.title.as_str(), named.auto, &named.revision_id), ("as it came", false, &first.revision_id));
    let head = tool.apply(&first.revision_id, &apply(&[("tool.py", "b"), ("usage.md", "w")]), BY).unwrap();
    let list = tool.checkpoints(None, 50).unwrap().items;
    assert_eq!(
        list.iter().map(|c| (c.auto, c.revision_id.as_str())).collect::<Vec<_>>(),
        [(true, "rev_1"), (false, "rev_1")]
    );
    let head = tool.restore(&head.revision_id, &Target::Checkpoint(named.checkpoint_id), BY).unwrap();
    assert_eq!(seen(&head), want("a", "u", false, false));
    let head = tool.restore(&head.revision_id, &revision("rev_2"), BY).unwrap();
    assert_eq!(seen(&head), want("b", "w", true, false), "the apply stands again, so it can be undone");
    for unknown in ["rev_99", "cp_99", "rev_02", "", "tool_1", "rev_-1", "cp_1"] {
        assert_eq!(tool.restore(&head.revision_id, &revision(unknown), BY), Err(ToolError::NotFound), "{unknown}");
    }
    for unknown in ["cp_99", "cp_02", "", "rev_1"] {
        let to = Target::Checkpoint(unknown.to_owned());
        assert_eq!(tool.restore(&head.revision_id, &to, BY), Err(ToolError::NotFound), "{unknown}");
    }
}

#[test]
fn a_stale_base_changes_nothing() {
    let sql = Native::new();
    let (tool, first) = opened(&sql);
    tool.apply(&first.revision_id, &apply(&[("tool.py", "b")]), BY).unwrap();
    let before = sql.bytes();
    let stale = Err(ToolError::Stale { current: "rev_2".to_owned() });
    let old = &first.revision_id;
    assert_eq!(tool.save(old, &files(&[("tool.py", "x")]), BY), stale);
    assert_eq!(tool.apply(old, &apply(&[("tool.py", "x")]), BY), stale);
    assert_eq!(tool.undo(old, BY), stale);
    assert_eq!(tool.redo(old, BY), stale);
    assert_eq!(tool.restore(old, &revision(old), BY), stale);
    let again =
        NewTool { id: "t".into(), account: "a".into(), owner: "o".into(), title: "x".into(), files: Files::new() };
    assert!(tool.create(&again, BY).is_err());
    assert!(sql.bytes() == before);
}

#[test]
fn a_tool_is_unlisted_from_its_making_until_its_account_has_it() {
    let sql = Native::new();
    assert_eq!(Tool::open(&sql).unwrap().unlisted(), Ok(None), "nobody made it");
    let (tool, head) = opened(&sql);
    assert_eq!(tool.unlisted(), Ok(Some("acme".to_owned())));
    tool.save(&head.revision_id, &files(&[("tool.py", "b")]), BY).unwrap();
    assert_eq!(Tool::open(&sql).unwrap().unlisted(), Ok(Some("acme".to_owned())), "also for the next life");
    tool.set_listed().unwrap();
    assert_eq!(tool.unlisted(), Ok(None));
}

#[test]
fn what_a_thread_says_of_an_apply_is_in_the_same_transaction() {
    let sql = Native::new();
    let (tool, first) = opened(&sql);
    let threads = tool.threads(TTL);
    let new = NewTurn {
        kind: TurnKind::EditOps,
        message: "make it b".to_owned(),
        correlation_id: "c1".to_owned(),
        provider: "scripted".to_owned(),
        again: false,
    };
    let turn = threads.begin(1, "ann", &new).unwrap();
    let ending = Ending { status: Status::Complete, outcome: None, text: "b it is".to_owned() };
    assert!(threads.close(2, &turn.turn_id, "c1", &ending).unwrap());
    let decision = || threads.context(3, "ann", &new, 60).unwrap()[1].decision;
    assert_eq!(decision(), None);
    let head = tool.apply(&first.revision_id, &apply(&[("tool.py", "b")]), BY).unwrap();
    assert_eq!(decision(), Some(Decision::Applied));
    let head = tool.undo(&head.revision_id, BY).unwrap();
    assert_eq!(decision(), Some(Decision::Undone));
    assert_eq!(tool.asked_at(&head).unwrap(), Some(1), "the undo knows when its proposal was asked for");
    tool.redo(&head.revision_id, BY).unwrap();
    assert_eq!(decision(), Some(Decision::Applied));
    assert!(!threads.discard(9, "ann", "c1").unwrap(), "what stands applied is not discarded");
}

/// What a person can do.
#[derive(Debug, Clone)]
enum Step {
    Save(u8, u8),
    Apply(u8, u8),
    Undo,
    Redo,
    Restore(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..2u8, 0..4u8).prop_map(|(path, text)| Step::Save(path, text)),
        (0..2u8, 0..4u8).prop_map(|(path, text)| Step::Apply(path, text)),
        Just(Step::Undo),
        Just(Step::Undo),
        Just(Step::Redo),
        (0..6usize).prop_map(Step::Restore),
    ];
    proptest::collection::vec(step, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is done in whatever order: undo gives back exactly the texts before its apply, redo those after it, a
    /// step that is refused changes no byte, and `can_undo`, `can_redo` say whether the step would be taken.
    #[test]
    fn undo_is_the_inverse_of_apply(steps in steps()) {
        let sql = Native::new();
        let (tool, mut head) = opened(&sql);
        let mut seen = vec![head.clone()];
        for step in steps {
            let one = |path: u8, text: u8| files(&[(["tool.py", "usage.md"][usize::from(path)], ["a", "b", "c", "d"][usize::from(text)])]);
            let before = sql.bytes();
            let result = match &step {
                Step::Save(path, text) => tool.save(&head.revision_id, &one(*path, *text), BY),
                Step::Apply(path, text) => tool.apply(&head.revision_id, &apply(&[]).with(one(*path, *text)), BY),
                Step::Undo => tool.undo(&head.revision_id, BY),
                Step::Redo => tool.redo(&head.revision_id, BY),
                Step::Restore(at) => tool.restore(&head.revision_id, &revision(&seen[at % seen.len()].revision_id), BY),
            };
            match &step {
                Step::Undo => prop_assert_eq!(result.is_ok(), head.can_undo),
                Step::Redo => prop_assert_eq!(result.is_ok(), head.can_redo),
                _ => prop_assert!(result.is_ok()),
            }
            let Ok(next) = result else {
                prop_assert!(sql.bytes() == before);
                continue;
            };
            match &step {
                Step::Apply(..) => {
                    let back = tool.undo(&next.revision_id, BY).unwrap();
                    prop_assert_eq!(&back.virtual_files, &head.virtual_files);
                    let forth = tool.redo(&back.revision_id, BY).unwrap();
                    prop_assert_eq!(&forth.virtual_files, &next.virtual_files);
                    prop_assert!(forth.can_undo);
                    head = forth;
                }
                Step::Undo => {
                    prop_assert!(next.can_redo);
                    head = next;
                }
                Step::Restore(at) => {
                    prop_assert_eq!(&next.virtual_files, &seen[at % seen.len()].virtual_files);
                    head = next;
                }
                _ => head = next,
            }
            prop_assert_eq!(tool.revision(&head.revision_id).unwrap().virtual_files, head.virtual_files.clone());
            seen.push(head.clone());
        }
    }
}

trait With {
    fn with(self, files: Files) -> Self;
}

impl With for Apply {
    fn with(mut self, files: Files) -> Self {
        self.files = files;
        self
    }
}

#[test]
fn an_account_lists_the_tools_of_its_users() {
    use holdpoint_gateway::budget::ExpirePolicy;
    use holdpoint_store::Ledger;
    use holdpoint_store::ledger::ToolRow;
    let sql = Native::new();
    let ledger = Ledger::open(&sql, "dev", ExpirePolicy::Release).unwrap();
    let tool = |id: &str, owner: &str, title: &str, at: i64| ToolRow {
        tool_id: id.to_owned(),
        owner: owner.to_owned(),
        title: title.to_owned(),
        revision_id: "rev_1".to_owned(),
        updated_at: at,
    };
    for (id, owner) in [("tool_1", "ann"), ("tool_2", "bob"), ("tool_3", "ann"), ("tool_4", "ann")] {
        ledger.put_tool(&tool(id, owner, "t", 5)).unwrap();
    }
    ledger.put_tool(&tool("tool_3", "eve", "new title", 9)).unwrap();
    ledger.put_tool(&tool("tool_3", "ann", "late", 7)).unwrap();
    let first = ledger.tools("ann", None, 2).unwrap();
    let titles: Vec<_> = first.items.iter().map(|tool| (tool.tool_id.as_str(), tool.title.as_str())).collect();
    assert_eq!(titles, [("tool_4", "t"), ("tool_3", "new title")], "an older word does not replace a newer one");
    assert_eq!(ledger.tool("tool_3").unwrap().unwrap().owner, "ann", "a tool keeps its owner");
    let rest = ledger.tools("ann", first.next_cursor.as_deref(), 2).unwrap();
    assert_eq!((rest.items.len(), rest.next_cursor), (1, None));
    assert_eq!(ledger.tool("tool_9").unwrap(), None);
}

#[test]
fn the_first_capture_of_a_name_wins_and_old_ones_are_found() {
    let sql = Native::new();
    let (tool, _) = opened(&sql);
    assert!(tool.take_capture("llm-captures/a/1/capture.json", 5).unwrap());
    assert!(!tool.take_capture("llm-captures/a/1/capture.json", 9).unwrap());
    assert!(tool.take_capture("llm-captures/a/2/capture.json", 9).unwrap());
    assert_eq!(tool.oldest_capture().unwrap(), Some(5));
    assert_eq!(tool.captures_until(8).unwrap(), ["llm-captures/a/1/capture.json"]);
    tool.forget_capture("llm-captures/a/1/capture.json").unwrap();
    assert_eq!(tool.oldest_capture().unwrap(), Some(9));
}
