//! Blocks as other programs ask for them and as models break them (spec: text-replies.md §1 "Form"): read right, in doubt,
//! or refused; and no marker is ever content without a doubt.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use holdpoint_text::{Preview, PreviewInput, RejectCode, Verdict, preview};
use proptest::prelude::*;

const BASE: &str =
    "def total(rows):\n    result = 0\n    for row in rows:\n        result += row.weight\n    return result\n";

fn looked_at(base: &str, patch: &str) -> Preview {
    preview(&PreviewInput::patch("tool.py", base, patch).unwrap())
}

/// The verdict, and the first code of a refusal or whether the wanted line is there.
fn outcome(patch: &str) -> (Verdict, Option<RejectCode>, bool) {
    let preview = looked_at(BASE, patch);
    let text = &preview.after_virtual_files["tool.py"];
    let is_right = *text == BASE.replace("result = 0", "result = 1");
    (preview.verdict, preview.error_details.first().map(|detail| detail.code), is_right)
}

#[test]
fn forms_that_are_read() {
    let (old, new) = ("    result = 0", "    result = 1");
    let forms = [
        format!("------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE\n"),
        format!("------- SEARCH>\n{old}\n=======\n{new}\n+++++++ REPLACE>\n"),
        format!("<<<<<<< SEARCH>\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH>\n{old}\n=======\n{new}\n>>>>>>> REPLACE>\n"),
        // The end of one program behind the start of another.
        format!("------- SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE\n"),
        format!("----- SEARCH\n{old}\n=====\n{new}\n+++++++++ REPLACE\n"),
        format!("```\n------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE\n```\n"),
        // Line numbers where their program wants them.
        format!("<<<<<<< SEARCH\n:start_line:2\n-------\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n:start_line: 2\n:end_line: 2\n-------\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n:start_line:2\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\r\n:start_line:2\r\n-------\r\n{old}\r\n=======\r\n{new}\r\n>>>>>>> REPLACE\r\n"),
    ];
    for form in forms {
        assert_eq!(outcome(&form), (Verdict::Clean, None, true), "{form}");
    }
}

#[test]
fn forms_that_are_in_doubt_or_refused() {
    let (old, new) = ("    result = 0", "    result = 1");
    let doubtful = [
        format!("<<<<<<< SEARCH\n{old}\n=======\n:start_line:2\n-------\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n:start_line:2\n-------\n{old}\n=======\n:start_line:2\n{new}\n>>>>>>> REPLACE\n"),
    ];
    for form in doubtful {
        assert_eq!(outcome(&form), (Verdict::Confirm, None, true), "{form}");
    }
    let content = [
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n-------\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n:end_line:2\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n\\=======\n>>>>>>> REPLACE\n"),
        format!("@@ -2 +2,2 @@\n-{old}\n+{new}\n+>>>>>>> REPLACE\n"),
        format!("@@ -2 +2,3 @@\n-{old}\n+<<<<<<< HEAD\n+{new}\n+=======\n"),
    ];
    for form in content {
        assert_eq!(outcome(&form), (Verdict::Confirm, None, false), "{form}");
    }
    let refused = [
        format!("<<<<<<< SEARCH\n:start_line:2\n-------{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        format!("<<<<<<<SEARCH\n{old}\n=======\n{new}\n>>>>>>>REPLACE\n"),
        format!("<<<<<<< search\n{old}\n=======\n{new}\n>>>>>>> replace\n"),
        format!("<<< SEARCH\n{old}\n===\n{new}\n>>> REPLACE\n"),
        format!("--- SEARCH\n{old}\n===\n{new}\n+++ REPLACE\n"),
        format!("<<<<<<< HEAD\n{old}\n=======\n{new}\n>>>>>>> main\n"),
        format!(
            "\u{2554}\u{2550}\u{2550}\u{2550} SEARCH \u{2550}\u{2550}\u{2550}\u{2557}\n{old}\n\u{2560}\u{2550}\u{2563}\n{new}\n\u{255a}\u{2550} REPLACE \u{2550}\u{255d}\n"
        ),
        format!("------- SEARCH\n{old}\n=======\n{new}\n"),
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n=======\n>>>>>>> REPLACE\n"),
        format!("<<<<<<< SEARCH\n{old}\n=======\n{new}\n<<<<<<< SEARCH>\n>>>>>>> REPLACE\n"),
    ];
    for form in refused {
        let preview = looked_at(BASE, &form);
        let code = preview.error_details.first().map(|detail| detail.code);
        assert_eq!((preview.verdict, code), (Verdict::Reject, Some(RejectCode::UnsupportedFormat)), "{form}");
        assert!(preview.error_details[0].hint.contains("`<<<<<<< SEARCH`"), "{form}");
    }
}

#[test]
fn what_the_file_has_is_content() {
    let base = "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> main\n:start_line:4\n-------\nb = 1\n";
    let clean = [
        "@@ -1,5 +1 @@\n-<<<<<<< HEAD\n-a = 1\n-=======\n a = 2\n->>>>>>> main\n",
        "<<<<<<< SEARCH\n:start_line:4\n-------\nb = 1\n=======\n:start_line:4\n-------\nb = 2\n>>>>>>> REPLACE\n",
    ];
    for patch in clean {
        assert_eq!(looked_at(base, patch).verdict, Verdict::Clean, "{patch}");
    }
    // Headings and the sections of a docstring.
    let document = "@@ -0,0 +1,6 @@\n+Usage\n+=====\n+\n+Returns\n+-------\n+text\n";
    assert_eq!(looked_at("", document).verdict, Verdict::Clean);
}

/// Lines that programs write around edits; none of them is code.
const MARKS: &[&str] = &[
    "<<<<<<< SEARCH",
    "<<<<<<< SEARCH>",
    "<<<<<<< ORIGINAL",
    "<<<<<<< HEAD",
    "<<<<<<<",
    "=======",
    ">>>>>>> REPLACE",
    ">>>>>>> REPLACE>",
    ">>>>>>> UPDATED",
    ">>>>>>> main",
    ">>>>>>>",
    "------- SEARCH",
    "------- SEARCH>",
    "+++++++ REPLACE",
    "|||||||",
    ":start_line:3",
    ":end_line:4",
    "-------",
    "\\=======",
    "\\<<<<<<< SEARCH",
    "*** Begin Patch",
    "*** End Patch",
    "*** Update File: tool.py",
];
const CODE: &[&str] =
    &["first = compute(alpha, beta)", "    second = first.weight", "return first + second", "", "# a note on it"];

fn marks_of(text: &str) -> BTreeSet<&str> {
    text.lines().map(str::trim).filter(|line| MARKS.contains(line)).collect()
}

fn line() -> impl Strategy<Value = String> {
    let sign = prop::sample::select(&["", "", "", "+", "-", " ", "  "][..]);
    let text = prop_oneof![2 => prop::sample::select(CODE), 3 => prop::sample::select(MARKS)];
    (sign, text).prop_map(|(sign, text)| format!("{sign}{text}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Whatever order the marks of all dialects come in.
    #[test]
    fn no_mark_is_written_into_a_file_without_a_doubt(
        base in prop::collection::vec(prop::sample::select(CODE), 1..6),
        standing in prop::option::of(prop::sample::select(MARKS)),
        before in prop::collection::vec(line(), 0..4),
        form in 0..4_usize,
        new in prop::collection::vec(line(), 0..5),
        behind in prop::collection::vec(line(), 0..3),
        crlf in any::<bool>(),
    ) {
        let base: String = base.iter().chain(&standing).map(|line| format!("{line}\n")).collect();
        let first = base.lines().next().unwrap_or_default();
        let body = new.join("\n");
        let patch = match form {
            0 => format!("<<<<<<< SEARCH\n{first}\n=======\n{body}\n>>>>>>> REPLACE"),
            1 => format!("------- SEARCH\n:start_line:1\n-------\n{first}\n=======\n{body}\n+++++++ REPLACE"),
            2 => format!("@@ -1 +1,{} @@\n-{first}\n{}", new.len(), new.iter().map(|line| format!("+{line}\n")).collect::<String>()),
            _ => format!("@@\n-{first}\n{body}"),
        };
        let patch = format!("{}\n{patch}\n{}\n", before.join("\n"), behind.join("\n"));
        let patch = if crlf { patch.replace('\n', "\r\n") } else { patch };
        let preview = looked_at(&base, &patch);
        if preview.verdict == Verdict::Clean {
            let after = &preview.after_virtual_files["tool.py"];
            let new: Vec<_> = marks_of(after).difference(&marks_of(&base)).copied().collect();
            prop_assert!(new.is_empty(), "{new:?} in\n{after}\nfrom\n{patch}");
        }
    }
}
