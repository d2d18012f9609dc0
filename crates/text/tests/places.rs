//! Nothing is put in a wrong place: repeated blocks, shifted headers, stale bases.
//!
//! A patch is made for one block of many that look alike. Whatever its numbers say by now, a clean verdict means the right
//! block, always; a confirmed edit of a wrong block is nearly as bad; and a right place is not refused without need.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use holdpoint_text::{DiffOptions, Verdict, diff};
use support::{PATH, look, text};

/// How a block begins: alike in all blocks, so that only some of its lines tell where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Block {
    /// A name of its own stands inside the context of the change.
    Named,
    /// A name of its own stands outside of the context.
    FarName,
    /// Nothing tells it from the others.
    Same,
}

const BLOCKS: usize = 8;

fn file(kind: Block, prefix: usize, changed: Option<usize>) -> String {
    let mut text: String = (0..prefix).map(|line| format!("// note {line} on what follows\n")).collect();
    for number in 0..BLOCKS {
        let name = if kind == Block::Same { String::new() } else { format!("_{}", (b'a' + number as u8) as char) };
        text.push_str(&format!("fn handle{name}(input: &str) -> Result<(), Fault> {{\n"));
        if kind == Block::FarName {
            text.push_str("    let mut seen = Vec::new();\n    let mut rest = input;\n    let mut count = 0;\n");
        }
        let limit = if changed == Some(number) { "limit(rest) - 1" } else { "limit(rest)" };
        text.push_str(&format!("    let most = {limit};\n    check(most)?;\n    Ok(())\n}}\n\n"));
    }
    text
}

#[derive(Debug, Default)]
struct Count {
    asked: usize,
    right: usize,
    refused: usize,
    wrong_confirmed: usize,
}

/// Every block, every shift of the header, every growth of the base.
fn counted(kind: Block, shifts: &[i64], grown: &[usize]) -> Count {
    let mut count = Count::default();
    for block in 0..BLOCKS {
        let options = DiffOptions { path: PATH, ..DiffOptions::default() };
        let patch = diff(&file(kind, 0, None), &file(kind, 0, Some(block)), &options).unwrap();
        let start = patch.hunks[0].old_start as i64;
        for shift in shifts {
            let stated = format!("@@ -{start},");
            let moved = format!("@@ -{},", (start + shift).max(1));
            let patch = patch.unified.replace(&stated, &moved);
            for prefix in grown {
                let seen = look(&file(kind, *prefix, None), &patch);
                let right = text(&seen) == file(kind, *prefix, Some(block));
                count.asked += 1;
                count.right += usize::from(right);
                count.refused += usize::from(!seen.ok);
                count.wrong_confirmed += usize::from(!right && seen.verdict == Verdict::Confirm);
                assert!(
                    right || seen.verdict != Verdict::Clean,
                    "block {block}, shift {shift}, grown {prefix}: {patch}"
                );
            }
        }
    }
    count
}

const SHIFTS: &[i64] = &[-23, -12, -6, -3, -1, 0, 1, 2, 5, 6, 12, 30];
const GROWN: &[usize] = &[0, 1, 4, 6, 13, 40];

#[test]
fn a_name_in_the_context_is_enough() {
    let count = counted(Block::Named, SHIFTS, GROWN);
    assert_eq!(count.wrong_confirmed, 0, "{count:?}");
    // What is farther away than the limit is refused, and nothing else.
    let near = counted(Block::Named, &[-12, 0, 12], &[0, 13, 30]);
    assert_eq!((near.right, near.refused), (near.asked, 0), "{near:?}");
}

#[test]
fn blocks_that_look_alike_are_never_edited_without_a_question() {
    for kind in [Block::FarName, Block::Same] {
        counted(kind, SHIFTS, GROWN);
        let exact = counted(kind, &[0], &[0]);
        assert_eq!(exact.right, exact.asked, "with right numbers, every block is found: {kind:?} {exact:?}");
    }
}
