//! What doubts are about, so that a page can show it in its place (spec: text-replies.md §1, §3, §5).
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use holdpoint_text::Tag;
use support::look;

/// Tag, first line, last line, part.
type Mark = (Tag, usize, usize, Option<(usize, usize)>);

fn marks(base: &str, patch: &str) -> Vec<Mark> {
    let seen = look(base, patch);
    assert!(seen.ok, "{:?}", seen.errors);
    let marks = seen.meta.hunks.iter().flat_map(|hunk| &hunk.marks);
    marks.map(|mark| (mark.tag, mark.from, mark.to, mark.part)).collect()
}

fn block(old: &str, new: &str) -> String {
    format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
}

const LIST: &str = "fn first() {\n    one();\n    two();\n    three();\n}\n\nfn last() {\n    four();\n}\n";

#[test]
fn a_part_is_counted_in_utf_16_within_its_line() {
    let base = "alpha\nlet städer = \"𝒜 Göteborg, Malmö\";\nomega\n";
    let found = marks(base, &block("Göteborg, Malmö\n", "Lund, Kalmar\n"));
    assert_eq!(found, [(Tag::MatchedInsideLine, 2, 2, Some((17, 32)))]);
    let line: Vec<u16> = base.lines().nth(1).unwrap().encode_utf16().collect();
    assert_eq!(String::from_utf16(&line[17..32]).unwrap(), "Göteborg, Malmö");
}

#[test]
fn a_byte_order_mark_is_part_of_the_first_line_as_sent() {
    let found = marks("\u{feff}title: Windows of a house\n", &block("Windows of\n", "Doors of\n"));
    assert_eq!(found, [(Tag::MatchedInsideLine, 1, 1, Some((8, 18)))]);
}

#[test]
fn the_lines_that_an_elision_stands_for() {
    let old = "fn first() {\n    // ... as before ...\n}\n\nfn last() {\n    ...\n}\n";
    let new = old.replace("fn last() {", "fn last(n: usize) {");
    assert_eq!(marks(LIST, &block(old, &new)), [(Tag::MatchedElision, 2, 4, None), (Tag::MatchedElision, 8, 8, None)]);
    // Dots that stand for nothing mark nothing.
    let none = "fn last() {\n    // ...\n    four();\n}\n";
    assert_eq!(marks(LIST, &block(none, &none.replace("four", "five"))), []);
}

#[test]
fn the_old_line_that_a_new_one_nearly_repeats() {
    let patch = "@@ -1,3 +1,4 @@\n fn first() {\n     one();\n+    one_by_one(width, height, depth);\n     two();\n";
    assert_eq!(marks(LIST, patch), []);
    let base = "a = 1\ntotal_width = measure(window, frame)\nb = 2\n";
    let patch = "@@ -1,3 +1,4 @@\n a = 1\n total_width = measure(window, frame)\n+total_width = measure(windows, frame)\n b = 2\n";
    assert_eq!(marks(base, patch), [(Tag::InsertsNearCopy, 2, 2, None)]);
}

#[test]
fn the_lines_that_stand_there_already() {
    let base = "import os\nimport sys\nimport json\n\nrun()\n";
    let patch = "@@ -3,3 +3,4 @@\n import json\n \n+import sys\n run()\n";
    assert_eq!(marks(base, patch), [(Tag::MarksExistingLine, 2, 2, None)]);
}

#[test]
fn what_an_earlier_block_brought_is_not_marked() {
    let patch = [
        block("    two();\n", "    for window in windows_of_the_house() {}\n"),
        block("windows_of_the_house()\n", "doors_of_the_house()\n"),
    ];
    assert_eq!(marks(LIST, &patch.concat()), []);
    // Of lines that stay some are brought: the others are marked.
    let patch = [
        block("    two();\n", "    2();\n"),
        block("fn first() {\n    ...\n}\n\n", "fn first(n: usize) {\n    ...\n}\n\n"),
    ];
    assert_eq!(marks(LIST, &patch.concat()), [(Tag::MatchedElision, 2, 2, None), (Tag::MatchedElision, 4, 4, None)]);
}
