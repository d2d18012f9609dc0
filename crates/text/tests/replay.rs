//! Replay of real changes, in small: what we say git applies, and what git says we apply, byte for byte.
//!
//! The pairs are files of this repository before and after a commit. `cargo xtask bench patch` does the same with every
//! file of its packages.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use holdpoint_text::{DiffOptions, Hunk, LineKind, Tag, diff, select};
use support::programs::{git_apply, git_diff};
use support::{PATH, look, text};

/// Name, before and after.
fn pairs() -> Vec<(String, String, String)> {
    let mut sides: BTreeMap<String, (String, String)> = BTreeMap::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs")).unwrap() {
        let path = entry.unwrap().path();
        let content = std::fs::read_to_string(&path).unwrap();
        let sides = sides.entry(path.file_stem().unwrap().to_string_lossy().into_owned()).or_default();
        if path.extension().unwrap() == "before" { sides.0 = content } else { sides.1 = content }
    }
    assert!(sides.len() >= 12, "the pairs are there");
    sides.into_iter().map(|(name, (before, after))| (name, before, after)).collect()
}

/// The pair, backwards too, and the same with CR LF.
fn forms(before: &str, after: &str) -> [(String, String); 3] {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    [(before.to_owned(), after.to_owned()), (after.to_owned(), before.to_owned()), (crlf(before), crlf(after))]
}

#[test]
fn git_applies_our_diff() {
    for (name, before, after) in pairs() {
        for (before, after) in forms(&before, &after) {
            let patch = diff(&before, &after, &DiffOptions { path: PATH, ..DiffOptions::default() }).unwrap().unified;
            assert_eq!(git_apply(&before, &patch).as_ref(), Some(&after), "{name}");
        }
    }
}

#[test]
fn we_apply_the_diff_of_git_and_our_own() {
    for (name, before, after) in pairs() {
        for (before, after) in forms(&before, &after) {
            let ours = diff(&before, &after, &DiffOptions { path: PATH, ..DiffOptions::default() }).unwrap().unified;
            for patch in [git_diff(&before, &after), ours] {
                let seen = look(&before, &patch);
                assert!(seen.ok, "{name}: {:?}", seen.error_details);
                assert_eq!(text(&seen), after, "{name}");
                let expected = [Tag::OtherMatches, Tag::InsertsNearCopy, Tag::MarksExistingLine];
                assert!(seen.meta.reasons.iter().all(|tag| expected.contains(tag)), "{name}: {:?}", seen.meta);
            }
        }
    }
}

#[test]
fn a_change_taken_hunk_by_hunk_arrives() {
    for (name, before, after) in pairs() {
        let mut now = before;
        loop {
            let hunks = diff(&now, &after, &DiffOptions::default()).unwrap().hunks;
            let Some(first) = hunks.first() else { break };
            let step = select(&now, &after, std::slice::from_ref(&first.id), 3).unwrap().text;
            assert_ne!(step, now, "{name}");
            now = step;
        }
        assert_eq!(now, after, "{name}");
    }
}

/// Each place of a change as a search and replace block: what is taken is what was meant, and what is taken without a
/// question is nearly all of it.
#[test]
fn a_change_in_blocks_arrives() {
    let (mut asked, mut taken) = (0, 0);
    for (name, before, after) in pairs() {
        for (before, after) in forms(&before, &after) {
            let hunks = diff(&before, &after, &DiffOptions { path: PATH, ..DiffOptions::default() }).unwrap().hunks;
            let side = |hunk: &Hunk, gone: LineKind| -> String {
                let kept = hunk.lines.iter().filter(|line| line.kind != gone);
                kept.map(|line| format!("{}{}", line.text, line.eol.text())).collect()
            };
            let block = |hunk: &Hunk| {
                let (old, new) = (side(hunk, LineKind::Insert), side(hunk, LineKind::Delete));
                format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
            };
            let reply: String = hunks.iter().map(block).collect();
            let seen = look(&before, &reply);
            asked += 1;
            taken += usize::from(seen.ok);
            assert!(!seen.ok || text(&seen) == after, "{name}: {:?}", seen.meta);
        }
    }
    assert!(taken * 10 >= asked * 9, "{taken} of {asked}");
}
