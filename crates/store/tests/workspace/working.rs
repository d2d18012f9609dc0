//! Long texts, and working copies whose texts go with them.

use std::collections::BTreeSet;

use holdpoint_change::HandCause;
use holdpoint_store::working_copy::{KEPT_MS, MAX_BYTES, MAX_COPIES, MAX_FILES, WorkingCopy, WorkingCopyError};
use holdpoint_store::workspace::{Files, Workspace};
use holdpoint_store::{Sql, Value};
use proptest::prelude::*;

use crate::kit::{Doing, PLAIN, files, hand};
use crate::support::Native;

/// Bytes of the longest text that lies in one row, as the store has it.
const PIECE: usize = 1 << 20;

fn copy(base: &str, files: Files, updated: i64) -> WorkingCopy {
    WorkingCopy { base: base.to_owned(), files, entry: Some("a".to_owned()), updated }
}

/// The hashes of all texts that are stored.
fn hashes(sql: &Native) -> BTreeSet<String> {
    sql.query("SELECT hash FROM blob", &[]).unwrap().iter().map(|row| row.get(0).unwrap()).collect()
}

#[test]
fn a_text_longer_than_a_row_comes_back_whole() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    // The second ends in the middle of a character at the bound of the first piece.
    let texts = ["x".repeat(PIECE), format!("y{}", "äö".repeat(PIECE / 2)), "z".repeat(3 * PIECE + 7)];
    let long = files(&[("a", &texts[0]), ("b", &texts[1]), ("c", &texts[2])]);
    plain.write(hand(HandCause::Create, long.clone())).unwrap();
    assert_eq!(plain.files(), Some(long.clone()));
    let row = sql.first("SELECT max(length(CAST(text AS BLOB))), sum(long) FROM blob", &[]).unwrap().unwrap();
    assert_eq!((row.get(0), row.get(1)), (Ok(PIECE as u64), Ok(2_u64)));
    assert_eq!(hashes(&sql).len(), 3 + 3 + 2, "three equal pieces of the last are one, and lie in the first row too");
    let head = workspace.head(PLAIN.id).unwrap().unwrap();
    let named = head.fingerprints.unwrap();
    assert_eq!(named["c"], holdpoint_bundle::text_hash(&texts[2]), "a long text has its own fingerprint");
    plain.save(&[("a", "short")]).unwrap();
    assert_eq!(plain.restore("rev_1").unwrap().revision.changed.len(), 1);
    assert_eq!(plain.files(), Some(long));
}

#[test]
fn a_working_copy_is_one_a_user_and_no_revision() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.write(hand(HandCause::Create, files(&[("a", "1")]))).unwrap();
    let copies = workspace.working_copies();
    let stored = hashes(&sql);
    let (one, two) = (copy("rev_1", files(&[("a", "1"), ("b", "2")]), 10), copy("rev_1", files(&[("b", "3")]), 20));
    copies.put(PLAIN.id, "ann", &one).unwrap();
    copies.put(PLAIN.id, "bob", &two).unwrap();
    assert_eq!(copies.get(PLAIN.id, "ann"), Ok(Some(one.clone())));
    copies.put(PLAIN.id, "ann", &two).unwrap();
    assert_eq!((copies.get(PLAIN.id, "ann"), copies.get(PLAIN.id, "eve")), (Ok(Some(two)), Ok(None)));
    assert_eq!(plain.causes(), ["create"]);
    assert_eq!(copies.put(PLAIN.id, "ann", &copy("rev_2", Files::new(), 1)), Err(WorkingCopyError::NotFound));
    assert_eq!(copies.put("other", "ann", &one), Err(WorkingCopyError::NotFound), "the revision is of another bundle");
    assert_eq!((copies.remove(PLAIN.id, "ann"), copies.remove(PLAIN.id, "ann")), (Ok(true), Ok(false)));
    copies.remove(PLAIN.id, "bob").unwrap();
    assert_eq!(hashes(&sql), stored, "only what the revision has is left");
}

#[test]
fn what_a_revision_has_stays_when_the_working_copy_goes() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.write(hand(HandCause::Create, files(&[("a", "1")]))).unwrap();
    let copies = workspace.working_copies();
    let long = "x".repeat(2 * PIECE);
    let unsaved = files(&[("a", "2"), ("b", &long), ("c", "unsaved")]);
    copies.put(PLAIN.id, "ann", &copy("rev_1", unsaved, 10)).unwrap();
    plain.save(&[("a", "2"), ("b", &long)]).unwrap();
    copies.remove(PLAIN.id, "ann").unwrap();
    assert_eq!(plain.files(), Some(files(&[("a", "2"), ("b", &long)])));
    assert!(!hashes(&sql).contains(&holdpoint_bundle::text_hash("unsaved")));
}

#[test]
fn a_working_copy_is_bounded_and_goes_when_nobody_comes_back() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.write(hand(HandCause::Create, files(&[("a", "1")]))).unwrap();
    let copies = workspace.working_copies();
    let stored = hashes(&sql);
    let many = |count: usize| (0..count).map(|at| (at.to_string(), String::new())).collect::<Files>();
    assert_eq!(copies.put(PLAIN.id, "ann", &copy("rev_1", many(MAX_FILES), 1)), Ok(()));
    let before = sql.bytes();
    let refused = copies.put(PLAIN.id, "ann", &copy("rev_1", many(MAX_FILES + 1), 1));
    let want = WorkingCopyError::TooLarge { limit: "MAX_FILES", max: MAX_FILES, actual: MAX_FILES + 1 };
    assert_eq!(refused, Err(want));
    let big = files(&[("a", &"x".repeat(MAX_BYTES - 1))]);
    let refused = copies.put(PLAIN.id, "ann", &copy("rev_1", big.clone(), 1));
    let want = WorkingCopyError::TooLarge { limit: "MAX_BYTES", max: MAX_BYTES, actual: MAX_BYTES + 1 };
    assert_eq!(refused, Err(want), "the name of its entry counts");
    assert!(sql.bytes() == before);
    let big = WorkingCopy { entry: None, ..copy("rev_1", big, 1) };
    assert_eq!(copies.put(PLAIN.id, "ann", &big), Ok(()));

    for user in 0..MAX_COPIES {
        let text = format!("of {user}");
        copies.put(PLAIN.id, &format!("user{user}"), &copy("rev_1", files(&[("a", &text)]), 10 + user as i64)).unwrap();
    }
    assert_eq!(copies.get(PLAIN.id, "ann"), Ok(None), "the one that was left the longest");
    assert_eq!(hashes(&sql).len(), stored.len() + MAX_COPIES as usize, "with its pieces");
    assert_eq!(copies.next_forgetting(), Ok(Some(10 + KEPT_MS)));
    assert_eq!(copies.forget(9 + KEPT_MS), Ok(false));
    assert_eq!((copies.forget(10 + KEPT_MS), copies.forget(10 + KEPT_MS)), (Ok(true), Ok(false)));
    let mut batches = 0;
    while copies.forget(10_000 + KEPT_MS).unwrap() {
        batches += 1;
    }
    assert_eq!((batches, copies.next_forgetting(), hashes(&sql)), (10, Ok(None), stored));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whoever stores and lets go of whatever, in whatever order: each text that somebody holds is there whole, and nothing
    /// else is.
    #[test]
    fn shared_pieces_are_counted(steps in prop::collection::vec((0u8..4, 0u8..3, 0u8..6, 0u8..6), 1..14)) {
        // They share pieces with each other, with themselves, and one is a piece of others.
        let (x, y) = ("x".repeat(PIECE), "y".repeat(PIECE));
        let texts = [x.clone(), format!("{x}{x}"), format!("{x}{y}"), format!("{y}{x}z"), "z".to_owned(), String::new()];
        let sql = Native::new();
        let workspace = Workspace::open(&sql).unwrap();
        let plain = Doing { workspace: &workspace, bundle: PLAIN };
        plain.write(hand(HandCause::Create, files(&[("a", "1")]))).unwrap();
        let copies = workspace.working_copies();
        let mut kept = [None, None, None];
        let mut saved: BTreeSet<String> = hashes(&sql);
        for (what, user, one, two) in steps {
            let (name, both) = (format!("user{user}"), [&texts[usize::from(one)], &texts[usize::from(two)]]);
            let unsaved = files(&[("one", both[0]), ("two", both[1])]);
            match what {
                0 => {
                    copies.remove(PLAIN.id, &name).unwrap();
                    kept[usize::from(user)] = None;
                }
                1 => {
                    plain.save(&[("one", both[0])]).unwrap();
                    saved.extend(rows_of(both[0]));
                }
                _ => {
                    copies.put(PLAIN.id, &name, &copy("rev_1", unsaved.clone(), 1)).unwrap();
                    kept[usize::from(user)] = Some(unsaved);
                }
            }
            let mut want = saved.clone();
            for (user, files) in kept.iter().enumerate() {
                let got = copies.get(PLAIN.id, &format!("user{user}")).unwrap().map(|copy| copy.files);
                prop_assert!(got == *files, "user{user}");
                want.extend(files.iter().flat_map(Files::values).flat_map(|text| rows_of(text)));
            }
            prop_assert_eq!(hashes(&sql), want);
        }
    }
}

/// The hashes of the rows that a text of these tests needs.
fn rows_of(text: &str) -> Vec<String> {
    let pieces = if text.len() > PIECE { text.as_bytes().chunks(PIECE).collect() } else { Vec::new() };
    let piece = |bytes: &[u8]| holdpoint_bundle::text_hash(&String::from_utf8_lossy(bytes));
    pieces.into_iter().map(piece).chain([holdpoint_bundle::text_hash(text)]).collect()
}

#[test]
fn a_long_text_of_before_is_read_as_it_was_stored() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    plain.write(hand(HandCause::Create, files(&[("a", "1")]))).unwrap();
    let text = "w".repeat(PIECE + 5);
    let hash = holdpoint_bundle::text_hash(&text);
    let values = [Value::Text(hash), Value::Text(text.clone())];
    sql.execute("INSERT INTO blob(hash, text) VALUES(?, ?)", &values).unwrap();
    plain.save(&[("a", &text)]).unwrap();
    assert_eq!(plain.files(), Some(files(&[("a", &text)])));
}
