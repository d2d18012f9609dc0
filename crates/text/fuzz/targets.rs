//! What is fuzzed: one function a target, for cargo-fuzz and for the mutations of `cargo test` alike.
//!
//! A target takes any bytes and panics where a promise of text-engine.md does not hold. Two texts are parted by the
//! first NUL.

use std::borrow::Cow;

use holdpoint_text::{DiffLine, DiffOptions, Hunk, LineEnding, LineKind, PreviewInput, Verdict, diff, preview, select};

/// A target: any bytes in, a panic where a promise is broken.
pub type Target = fn(&[u8]);

/// Every target with its name, which is that of its folder of seeds.
pub const ALL: &[(&str, Target)] =
    &[("parse", parse), ("preview", preview_two), ("diff", diff_two), ("blocks", blocks_of_two)];

/// What the patch is read against when only reading matters.
const PAGE: &str = "alpha\nbeta\n\ngamma one\n    delta\n\tepsilon\nzeta \"quoted\"\neta\n";

fn two(bytes: &[u8]) -> (Cow<'_, str>, Cow<'_, str>) {
    let at = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let rest = bytes.get(at + 1..).unwrap_or_default();
    (String::from_utf8_lossy(&bytes[..at]), String::from_utf8_lossy(rest))
}

/// Any bytes as a patch of one small text.
pub fn parse(bytes: &[u8]) {
    proposed(PAGE, &String::from_utf8_lossy(bytes));
}

/// A text, and a patch of it.
pub fn preview_two(bytes: &[u8]) {
    let (base, patch) = two(bytes);
    proposed(&base, &patch);
}

fn proposed(base: &str, patch: &str) {
    let Ok(input) = PreviewInput::patch("file", base, patch) else { return };
    let seen = preview(&input);
    let after = &seen.after_virtual_files["file"];
    assert_eq!(seen.ok, seen.verdict != Verdict::Reject);
    assert_eq!(seen.ok, seen.error_details.is_empty());
    assert_eq!(seen.errors.len(), seen.error_details.len());
    assert_eq!(seen.meta.confirm_token.is_some(), seen.verdict == Verdict::Confirm);
    assert_eq!(seen.meta.reasons.is_empty(), seen.verdict != Verdict::Confirm);
    assert_eq!(seen.ok, after != base, "an edit that is taken changes the text, and nothing else does");
    assert_eq!(seen.changed_files.is_empty(), !seen.ok);
    assert!(seen.error_details.iter().all(|error| error.candidates.len() <= 10));
}

/// Two texts.
pub fn diff_two(bytes: &[u8]) {
    let (before, after) = two(bytes);
    let Ok(found) = diff(&before, &after, &DiffOptions::default()) else { return };
    let ids: Vec<String> = found.hunks.iter().map(|hunk| hunk.id.clone()).collect();
    assert_eq!(select(&before, &after, &ids, 3).expect("ids of this diff").text, after);
    assert_eq!(select(&before, &after, &[], 3).expect("no id").text, before);
    assert_eq!(found.unified.is_empty(), before == after);
    for line in found.hunks.iter().flat_map(|hunk| &hunk.lines) {
        let units = line.text.encode_utf16().count();
        for (start, end) in line.spans.iter().flatten().copied() {
            assert!(start < end && end <= units && line.kind != LineKind::Context);
        }
    }
    if let Ok(input) = PreviewInput::patch("file", &before, &found.unified) {
        let seen = preview(&input);
        // A byte order mark is not a patch's to move, added hunk headers are a patch that was encoded twice, and added
        // dots are code that was left out.
        let marked = before.starts_with('\u{feff}') || after.starts_with('\u{feff}');
        let headed = after.split('\n').any(|line| line.starts_with("@@"));
        let refused = marked || headed || after.contains("...") || after.contains('\u{2026}');
        assert!(refused || before == after || seen.after_virtual_files["file"] == after, "{}", found.unified);
    }
}

/// Two texts, and a search and replace block for each place where they differ.
pub fn blocks_of_two(bytes: &[u8]) {
    let (before, after) = two(bytes);
    let Ok(found) = diff(&before, &after, &DiffOptions::default()) else { return };
    let side = |lines: &[DiffLine], gone: LineKind| -> String {
        let kept = lines.iter().filter(|line| line.kind != gone);
        kept.map(|line| format!("{}{}", line.text, if line.eol == LineEnding::Crlf { "\r\n" } else { "\n" })).collect()
    };
    let block = |hunk: &Hunk| {
        let (old, new) = (side(&hunk.lines, LineKind::Insert), side(&hunk.lines, LineKind::Delete));
        format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
    };
    let reply: String = found.hunks.iter().map(block).collect();
    let Ok(input) = PreviewInput::patch("file", &before, &reply) else { return };
    let seen = preview(&input);
    assert_eq!(seen.ok, seen.after_virtual_files["file"] != before);
    // What is taken without a question is what was meant, but for endings, which a block of one kind of ending keeps as
    // the file has them, and for marks that are content here and syntax there.
    let plain = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
    let is_syntax = |line: &str| {
        let line = line.trim_matches([' ', '\r']);
        line.starts_with("@@") || ["<<<<<", "=====", ">>>>>"].iter().any(|mark| line.starts_with(mark))
    };
    let marked = [&before, &after].iter().any(|text| text.contains('\u{feff}') || text.split('\n').any(is_syntax));
    if seen.verdict == Verdict::Clean && !marked {
        assert_eq!(plain(&seen.after_virtual_files["file"]), plain(&after), "{reply}");
    }
}
