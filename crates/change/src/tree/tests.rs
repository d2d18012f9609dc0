//! What each operation does to files, and when it does nothing.

use holdpoint_text::{Cursor, RawOp, RawTarget, Verdict};

use super::*;

fn tree() -> Tree {
    let files = [("a.txt", "one\ntwo\nthree\n"), ("b.txt", "aaa"), ("empty.txt", "")];
    Tree { files: files.map(|(path, text)| (path.to_owned(), text.to_owned())).into(), entry: Some("a.txt".to_owned()) }
}

fn find(path: &str, find: &str) -> Op {
    Op::Find { path: path.into(), find: find.into(), replace: "x".into() }
}

fn write(path: &str, text: &str) -> Op {
    Op::Write { path: path.into(), text: text.into() }
}

fn delete(path: &str) -> Op {
    Op::Delete { path: path.into() }
}

fn rename(from: &str, to: &str) -> Op {
    Op::Rename { from: from.into(), to: to.into() }
}

fn entry(path: &str) -> Op {
    Op::SetEntry { path: path.into() }
}

fn patch(path: &str, lines: &str) -> Op {
    Op::Text(TextRequest { ops: vec![RawOp::patch(path, lines)], ..TextRequest::default() })
}

/// What a step does, in a word, and the tree after it.
fn taken(op: Op, expected: Option<&str>) -> (&'static str, Tree) {
    let mut tree = tree();
    let step = Step { expected: expected.map(text_hash), ..Step::new(op, "/ops/0") };
    let word = match tree.take(&step) {
        Ok(FileEffect::Nothing) => "nothing",
        Ok(FileEffect::Created) => "created",
        Ok(FileEffect::Modified) => "modified",
        Ok(FileEffect::Deleted) => "deleted",
        Ok(FileEffect::Renamed) => "renamed",
        Ok(FileEffect::Entry) => "entry",
        Ok(FileEffect::Text(looked)) if looked.verdict == Verdict::Confirm => "confirm",
        Ok(FileEffect::Text(_)) => "clean",
        Err(OpFault::Missing) => "no such file",
        Err(OpFault::Exists) => "exists",
        Err(OpFault::Moved) => "moved",
        Err(OpFault::NotFound) => "not found",
        Err(OpFault::Ambiguous) => "ambiguous",
        Err(OpFault::Text(_)) => "rejected",
        Err(OpFault::Input(_)) => "no request",
    };
    (word, tree)
}

const GOOD: &str = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const DOUBTFUL: &str = "@@ -1,3 +1,3 @@\n one\n-two \n+2\n three\n";
const LOST: &str = "@@ -1,3 +1,3 @@\n one\n-zwei\n+2\n three\n";

#[test]
fn what_a_step_does() {
    let cases = [
        (write("c.txt", ""), "created"),
        (write("a.txt", ""), "modified"),
        (write("b.txt", "aaa"), "nothing"),
        (delete("a.txt"), "deleted"),
        (delete("c.txt"), "nothing"),
        (rename("a.txt", "c.txt"), "renamed"),
        (rename("a.txt", "a.txt"), "nothing"),
        (rename("a.txt", "b.txt"), "exists"),
        (rename("c.txt", "b.txt"), "no such file"),
        (rename("c.txt", "c.txt"), "no such file"),
        (entry("b.txt"), "entry"),
        (entry("later.txt"), "entry"),
        (entry("a.txt"), "nothing"),
        (find("a.txt", "two"), "modified"),
        (find("a.txt", "four"), "not found"),
        (find("a.txt", ""), "not found"),
        (find("b.txt", "aa"), "ambiguous"),
        (find("c.txt", "a"), "no such file"),
        (patch("a.txt", GOOD), "clean"),
        (patch("a.txt", DOUBTFUL), "confirm"),
        (patch("a.txt", LOST), "rejected"),
        (patch("c.txt", GOOD), "rejected"),
        (Op::Text(TextRequest::default()), "no request"),
        (patch("a.txt", &"@@\n".repeat(501)), "no request"),
    ];
    for (op, want) in cases {
        let name = format!("{op:?}");
        let (word, after) = taken(op, None);
        assert_eq!(word, want, "{name}");
        let changes = ["created", "modified", "deleted", "renamed", "entry", "clean", "confirm"].contains(&word);
        assert_eq!(after != tree(), changes, "{name}");
    }
}

#[test]
fn what_is_expected_is_asked_first() {
    let text = "one\ntwo\nthree\n";
    let two =
        TextRequest { ops: vec![RawOp::patch("a.txt", GOOD), RawOp::patch("b.txt", GOOD)], ..TextRequest::default() };
    let cases = [
        (write("a.txt", "x"), text, "modified"),
        (write("a.txt", text), "other", "moved"),
        (write("c.txt", "x"), "", "moved"),
        (delete("a.txt"), text, "deleted"),
        (delete("c.txt"), "", "moved"),
        (find("a.txt", "four"), "other", "moved"),
        (find("a.txt", "two"), text, "modified"),
        (rename("a.txt", "c.txt"), text, "renamed"),
        (rename("c.txt", "b.txt"), "", "moved"),
        (patch("a.txt", GOOD), text, "clean"),
        (patch("a.txt", GOOD), "other", "moved"),
        // No single file is meant: nothing can be as expected.
        (Op::Text(two), text, "moved"),
        (entry("b.txt"), "aaa", "moved"),
    ];
    for (op, expected, want) in cases {
        let name = format!("{op:?}");
        assert_eq!(taken(op, Some(expected)).0, want, "{name}");
    }
}

#[test]
fn an_entry_moves_with_its_file() {
    assert_eq!(taken(rename("a.txt", "c.txt"), None).1.entry.as_deref(), Some("c.txt"));
    assert_eq!(taken(rename("b.txt", "c.txt"), None).1.entry.as_deref(), Some("a.txt"));
}

#[test]
fn a_step_sees_those_before_it_and_a_fault_stops_no_other() {
    let steps = [find("a.txt", "four"), rename("a.txt", "c.txt"), find("c.txt", "two"), delete("b.txt")];
    let mut tree = tree();
    let done = tree.take_all(&ChangeSet(steps.map(|op| Step::new(op, "")).into()));
    assert_eq!(
        done,
        [Err(OpFault::NotFound), Ok(FileEffect::Renamed), Ok(FileEffect::Modified), Ok(FileEffect::Deleted)]
    );
    assert_eq!(tree.files["c.txt"], "one\nx\nthree\n");
    assert_eq!(tree.files.len(), 2);
}

#[test]
fn a_call_of_the_engine_takes_all_its_ops_or_none() {
    let both = |second: &str| {
        Op::Text(TextRequest {
            ops: vec![RawOp::patch("a.txt", GOOD), RawOp::patch("b.txt", second)],
            ..TextRequest::default()
        })
    };
    let (word, after) = taken(both("@@ -1 +1 @@\n-aaa\n+b\n"), None);
    assert_eq!((word, after.files["a.txt"].as_str(), after.files["b.txt"].as_str()), ("clean", "one\n2\nthree\n", "b"));
    assert_eq!(taken(both("@@ -1 +1 @@\n-bbb\n+b\n"), None).0, "rejected");
}

#[test]
fn the_engine_is_given_the_files_that_a_call_names() {
    let mut tree = tree();
    tree.files.insert("lock.json".to_owned(), "\n".repeat(holdpoint_text::MAX_LINES + 1));
    let insert = RawOp {
        op: "insert".to_owned(),
        target_file: "b.txt".to_owned(),
        target: Some(RawTarget { kind: "cursor".to_owned() }),
        content: Some("b".to_owned()),
        ..RawOp::default()
    };
    let request = TextRequest {
        ops: vec![insert],
        active_file: Some("b.txt".to_owned()),
        cursor: Some(Cursor { pos: 3 }),
        ..TextRequest::default()
    };
    let mut take = |request: TextRequest| tree.take(&Step::new(Op::Text(request), ""));
    let Ok(FileEffect::Text(looked)) = take(request.clone()) else { panic!("the insertion was not taken") };
    assert_eq!(looked.after_virtual_files.keys().collect::<Vec<_>>(), ["b.txt"]);
    let absent = TextRequest { active_file: Some("c.txt".to_owned()), ..request };
    assert!(matches!(take(absent), Err(OpFault::Input(TextError::InvalidInput { .. }))));
    assert_eq!(tree.files["b.txt"], "aaab");
}

#[test]
fn only_what_is_accepted_is_taken() {
    let taken = |accept: &[&str]| {
        let ids = accept.iter().map(|id| (*id).to_owned()).collect();
        let accept = Some([("a.txt".to_owned(), ids)].into());
        self::taken(
            Op::Text(TextRequest { ops: vec![RawOp::patch("a.txt", GOOD)], accept, ..Default::default() }),
            None,
        )
    };
    assert_eq!(taken(&["1,3+1,3"]).1.files["a.txt"], "one\n2\nthree\n");
    assert_eq!(taken(&["9,9+9,9"]).0, "no request");
    assert_eq!(taken(&[]), ("rejected", tree()));
}
