//! Proposals by example: one row a rule of placement and splice.

use super::*;
use crate::accept::preview_accepted;
use crate::input::{Accept, RawOp, RawPreview};

mod replies;

/// The verdict with its reasons, and the text after; or the codes with what competes.
fn shown(base: &str, patch: &str) -> String {
    let preview = preview(&PreviewInput::patch("f", base, patch).unwrap());
    if !preview.ok {
        let codes: Vec<String> =
            preview.error_details.iter().map(|detail| format!("{:?} {:?}", detail.code, detail.candidates)).collect();
        assert_eq!(preview.after_virtual_files["f"], base);
        return codes.join(", ");
    }
    let reasons: Vec<String> = preview.meta.reasons.iter().map(|tag| tag.name()).collect();
    format!("{:?} [{}] {}", preview.verdict, reasons.join(" "), preview.after_virtual_files["f"].escape_debug())
}

#[track_caller]
fn table(rows: &[(&str, &str, &str)]) {
    for (base, patch, want) in rows {
        assert_eq!(shown(base, patch), *want, "{patch}");
    }
}

#[test]
fn where_a_hunk_is_expected() {
    let apart = format!("same one\n{}same one\n", "filler\n".repeat(60));
    table(&[
        ("a one\nb two\n", "@@ -2 +2 @@\n-b two\n+c two\n", "Clean [] a one\\nc two\\n"),
        ("same one\nsame one\n", "@@ -1 +1 @@\n-same one\n+x\n", "Confirm [other_matches] x\\nsame one\\n"),
        ("same one\nxx\nsame one\n", "@@ -2 +2 @@\n-same one\n+x\n", "Ambiguous [1, 3]"),
        ("same one\nsame one\n", "@@\n-same one\n+x\n", "Ambiguous [1, 2]"),
        (&apart, "@@ -99 +99 @@\n-filler\n+x\n", "Ambiguous [49, 50, 51, 52, 53, 54, 55, 56, 57, 58]"),
        (&"filler\n".repeat(3), "@@ -99 +99 @@\n-filler\n+x\n", "Ambiguous [1, 2, 3]"),
        ("only one\n", "@@ -60 +60 @@\n-only one\n+x\n", "StaleOffset [1]"),
    ]);
}

#[test]
fn rungs_and_their_evidence() {
    table(&[
        (
            "a one\n\nb two\n",
            "@@ -1,2 +1,2 @@\n a one\n-b two\n+c\n",
            "Confirm [skipped_blank_lines used_fuzz] a one\\n\\nc\\n",
        ),
        (
            "a  one\nb two\n",
            "@@ -1,2 +1,2 @@\n a one\n-b two\n+c\n",
            "Confirm [matched_ignoring_whitespace used_fuzz] a  one\\nc\\n",
        ),
        (
            "\u{201c}a one\u{201d}\nb two\n",
            "@@ -1,2 +1,2 @@\n \"a one\"\n-b two\n+c\n",
            "Confirm [matched_unicode_variants used_fuzz] \u{201c}a one\u{201d}\\nc\\n",
        ),
        // A deletion must be equal, and brackets are no evidence.
        ("a one\nb  two\n", "@@ -1,2 +1,2 @@\n a one\n-b two\n+c\n", "NoMatch []"),
        ("{ \n}\n", "@@ -1,2 +1,2 @@\n {\n-}\n+]\n", "NoMatch []"),
        (
            "first line\nsecond line\nthird\n",
            "@@ -1,3 +1,3 @@\n frist lyne\n second line\n-third\n+3\n",
            "Confirm [used_fuzz] first line\\nsecond line\\n3\\n",
        ),
        (
            "first line\nsecond line\nthird\n",
            "@@ -1,3 +1,3 @@\n first lime\n second line\n-third\n+3\n",
            "Confirm [matched_near_context used_fuzz] first line\\nsecond line\\n3\\n",
        ),
        ("first line\nsecond line\n", "@@ -1,3 +1,3 @@\n first line\n ...\n-sekond line\n+2\n", "Elision []"),
    ]);
}

#[test]
fn what_is_there_already() {
    table(&[
        ("a one\nnew two\nb three\n", "@@ -1,2 +1,3 @@\n a one\n+new two\n b three\n", "AlreadyApplied [1]"),
        ("a one\nnew two\n", "@@ -1 +1,2 @@\n a one\n+new two\n", "AlreadyApplied [1]"),
        ("a one\nb 2\n", "@@ -1,2 +1,2 @@\n a one\n-b two\n+b 2\n", "AlreadyApplied [1]"),
        ("a one\nb 2\n", "--- b/f\n+++ a/f\n@@ -1,2 +1,2 @@\n a one\n-b two\n+b 2\n", "Reversed [1]"),
        // The change was made where it is stated; what is left is another place like it.
        ("run 1\nstop 9\nrun 1\nstop 2\n", "@@ -1,2 +1,2 @@\n run 1\n-stop 2\n+stop 9\n", "AlreadyApplied [1]"),
    ]);
}

#[test]
fn insertions_beside_skipped_lines() {
    table(&[
        ("a one\nb two\nmissing\nc three\n", "@@ -1,3 +1,4 @@\n a one\n b two\n+new\n c three\n", "Ambiguous [1]"),
        (
            "a one\n\nb two\n",
            "@@ -1,2 +1,4 @@\n a one\n+\n+new\n b two\n",
            "Confirm [skipped_blank_lines inferred_insert_side used_fuzz] a one\\n\\nnew\\n\\nb two\\n",
        ),
    ]);
}

#[test]
fn endings_and_the_end_of_the_file() {
    table(&[
        ("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "Clean [] a\\r\\nx\\r\\nb\\r\\n"),
        ("a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+x\n", "Clean [] a\\nb\\nx"),
        ("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+x\n", "Clean [] a\\nx\\n"),
        // A lone CR in front of no ending is content.
        (
            "a\nb\r",
            "@@ -1,2 +1,2 @@\n a\n-b\r\n\\ No newline at end of file\n+c\r\n\\ No newline\n",
            "Clean [] a\\nc\\r",
        ),
        ("a\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\r\n b\n", "Confirm [line_ending_change] a\\nx\\r\\nb\\n"),
        ("\u{feff}a\nb\n", "@@ -1,2 +1,2 @@\n-\u{feff}a\n+\u{feff}x\n b\n", "Clean [] \\u{feff}x\\nb\\n"),
        ("a\n", "@@ -1 +0,0 @@\n-a\n", "Clean [] "),
        ("a\n", "@@ -1 +1 @@\n-a\n+\u{200b}a\n", "Confirm [invisible_in_added] \\u{200b}a\\n"),
    ]);
}

#[test]
fn a_change_that_nobody_can_read_is_not_left_out() {
    let unreadable = "@@ -1 +1 @@\n-a\n+x\n@@\n```\n-b\n+y\n";
    assert_eq!(shown("a\nb\n", unreadable), "NoMatch []");
    assert_eq!(shown("a\nb\n", "@@\n```\n-b\n+y\n"), "NoChange []");
}

#[test]
fn a_part_keeps_the_doubts_of_the_whole() {
    let base: String = (0..40).map(|n| format!("line number {n}\n")).collect();
    let patch = "@@ -2 +2 @@\n-line number 1\n+one\n@@ -16 +16 @@\n-line number 30\n+thirty\n";
    let input = RawPreview {
        files: Files::from([("f".to_owned(), base)]),
        ops: vec![RawOp::patch("f", patch)],
        ..RawPreview::default()
    };
    let input = input.resolve().unwrap();
    let whole = preview(&input);
    assert_eq!(whole.meta.reasons, [Tag::LargeOffset]);
    let part = preview_accepted(&input, &Accept::from([("f".to_owned(), vec!["1,5+1,5".to_owned()])])).unwrap();
    assert_eq!((part.verdict, &part.meta.reasons), (Verdict::Confirm, &whole.meta.reasons));
    assert!(part.after_virtual_files["f"].contains("one\n") && !part.after_virtual_files["f"].contains("thirty"));
    assert_ne!(part.meta.confirm_token, whole.meta.confirm_token);
    let none = preview_accepted(&input, &Accept::new()).unwrap();
    assert_eq!(none.error_details[0].code, RejectCode::NoChange);
    assert!(preview_accepted(&input, &Accept::from([("f".to_owned(), vec!["9,9+9,9".to_owned()])])).is_err());
}
