//! The laws of the text engine: what holds for every text and every change.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use holdpoint_text::{
    Accept, DiffOptions, Files, Hunk, LineEnding, LineKind, Preview, PreviewInput, RawOp, RawPreview, Tag, Verdict,
    diff, preview, preview_accepted, select,
};
use proptest::prelude::*;
use support::programs::git_apply;
use support::texts::{pair, plain, text};
use support::{PATH, look};

/// Programs are slow to start.
const ASKED: u32 = 48;

fn ids(before: &str, after: &str, context: usize) -> Vec<String> {
    let options = DiffOptions { context, path: PATH };
    diff(before, after, &options).unwrap().hunks.into_iter().map(|hunk| hunk.id).collect()
}

fn unified(before: &str, after: &str) -> String {
    diff(before, after, &DiffOptions { path: PATH, ..DiffOptions::default() }).unwrap().unified
}

/// A search and replace block for each place where two texts differ.
fn blocks(before: &str, after: &str) -> String {
    let hunks = diff(before, after, &DiffOptions { path: PATH, ..DiffOptions::default() }).unwrap().hunks;
    let side = |hunk: &Hunk, gone: LineKind| -> String {
        let kept = hunk.lines.iter().filter(|line| line.kind != gone);
        kept.map(|line| format!("{}{}", line.text, if line.eol == LineEnding::Crlf { "\r\n" } else { "\n" })).collect()
    };
    let block = |hunk: &Hunk| {
        let (old, new) = (side(hunk, LineKind::Insert), side(hunk, LineKind::Delete));
        format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
    };
    hunks.iter().map(block).collect()
}

/// What a diff may leave to confirm: that the same lines stand elsewhere too, endings that the text has not, and lines
/// that are like those beside them.
fn expected_reason(tag: Tag) -> bool {
    matches!(tag, Tag::OtherMatches | Tag::LineEndingChange | Tag::InsertsNearCopy | Tag::MarksExistingLine)
}

/// Ops on the files `f0`, `f1`, …, previewed together.
fn look_at(files: &[&str], ops: &[(usize, &str)]) -> Preview {
    let named = |(number, text): (usize, &&str)| (format!("f{number}"), (*text).to_owned());
    let files: Files = files.iter().enumerate().map(named).collect();
    let ops = ops.iter().map(|(number, patch)| RawOp::patch(format!("f{number}"), *patch)).collect();
    preview(&RawPreview { files, ops, ..RawPreview::default() }.resolve().unwrap())
}

fn look_at_op(base: &str, op: RawOp) -> Preview {
    let files = Files::from([(PATH.to_owned(), base.to_owned())]);
    preview(&RawPreview { files, ops: vec![op], ..RawPreview::default() }.resolve().unwrap())
}

/// A patch as other programs end its lines: as it is, all CRLF, all CR, every second CRLF.
fn with_endings(patch: &str, ending: usize) -> String {
    let plain = || patch.replace("\r\n", "\n");
    match ending {
        1 => plain().replace('\n', "\r\n"),
        2 => plain().replace('\n', "\r"),
        3 => {
            let ends = |(at, line): (usize, &str)| line.to_owned() + if at % 2 == 0 { "\r\n" } else { "\n" };
            plain().lines().enumerate().map(ends).collect()
        }
        _ => patch.to_owned(),
    }
}

/// The elements of a patch that is cut at some of its line feeds, and whether any holds one. One final line feed of an
/// element is not part of it: an element that ends with its own needs another, the rest may have one.
fn cut(patch: &str, cuts: &[bool], kept: &[bool]) -> (Vec<String>, bool) {
    let mut elements = vec![String::new()];
    for (at, line) in patch.split('\n').enumerate() {
        if at > 0 && cuts[at % cuts.len()] {
            elements.push(line.to_owned());
        } else {
            let last = elements.last_mut().unwrap();
            last.push_str(if at > 0 { "\n" } else { "" });
            last.push_str(line);
        }
    }
    for (at, element) in elements.iter_mut().enumerate() {
        if element.ends_with('\n') || kept[at % kept.len()] {
            element.push('\n');
        }
    }
    let held = elements.iter().any(|element| element.contains('\n'));
    (elements, held)
}

#[test]
fn a_patch_in_crlf_brings_no_cr_into_a_text_in_lf() {
    let heads = ["@@ -1,2 +1,2 @@\r", " a\r", "-b\r"];
    for tail in [&["+c\r"][..], &["+c\r", ""], &["+c"], &["+c\r\n"], &["+c\r\n", ""]] {
        let lines = heads.iter().chain(tail).map(|line| (*line).to_owned()).collect();
        let op = RawOp { patch: None, patch_lines: Some(lines), ..RawOp::patch(PATH, "") };
        let preview = look_at_op("a\nb\n", op);
        assert_eq!((preview.verdict, support::text(&preview)), (Verdict::Clean, "a\nc\n"), "{tail:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ASKED, ..ProptestConfig::default() })]

    #[test]
    fn git_turns_before_into_after_with_our_diff((before, after) in pair(40)) {
        let patch = unified(&before, &after);
        if patch.is_empty() {
            prop_assert_eq!(before, after);
        } else {
            prop_assert_eq!(git_apply(&before, &patch), Some(after), "{}", patch);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_applied_gives_after((before, after) in pair(40)) {
        let patch = unified(&before, &after);
        if !patch.is_empty() {
            let preview = look(&before, &patch);
            prop_assert!(preview.ok, "{}{:?}", patch, preview.error_details);
            prop_assert_eq!(support::text(&preview), after);
            prop_assert!(preview.meta.reasons.iter().all(|tag| expected_reason(*tag)), "{:?}", preview.meta.reasons);
        }
    }

    #[test]
    fn the_hunks_of_a_diff_are_its_texts((before, after) in pair(40), context in 0..5_usize) {
        let diff = diff(&before, &after, &DiffOptions { context, path: PATH }).unwrap();
        let lines = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        let count = |kind| lines.clone().filter(|line| line.kind == kind).count();
        prop_assert_eq!((count(LineKind::Insert), count(LineKind::Delete)), (diff.stats.added, diff.stats.deleted));
        for hunk in &diff.hunks {
            let side = |gone| hunk.lines.iter().filter(|line| line.kind != gone).count();
            prop_assert_eq!((side(LineKind::Insert), side(LineKind::Delete)), (hunk.old_count, hunk.new_count));
        }
    }

    #[test]
    fn all_hunks_give_after_and_none_before((before, after) in pair(40), context in 0..5_usize) {
        let all = ids(&before, &after, context);
        prop_assert_eq!(&select(&before, &after, &all, context).unwrap().text, &after);
        prop_assert_eq!(select(&before, &after, &[], context).unwrap().text, before);
    }

    #[test]
    fn what_is_left_of_a_selection_is_the_rest_of_the_change((before, after) in pair(40), keep in any::<u16>()) {
        let all = ids(&before, &after, 0);
        let some: Vec<String> =
            all.iter().enumerate().filter(|(at, _)| keep >> (at % 16) & 1 == 1).map(|(_, id)| id.clone()).collect();
        let half = select(&before, &after, &some, 0).unwrap();
        let whole = diff(&before, &after, &DiffOptions::default()).unwrap().stats;
        prop_assert!(half.stats.added <= whole.added && half.stats.deleted <= whole.deleted);
        let rest = diff(&half.text, &after, &DiffOptions::default()).unwrap().stats;
        prop_assert!(rest.added + rest.deleted <= whole.added + whole.deleted - half.stats.added - half.stats.deleted);
    }

    #[test]
    fn a_refusal_leaves_the_text_as_it_was((before, after) in pair(20), base in text(20)) {
        let patch = unified(&before, &after);
        if !patch.is_empty() {
            let preview = look(&base, &patch);
            prop_assert_eq!(preview.ok, preview.verdict != Verdict::Reject);
            prop_assert_eq!(preview.ok, preview.error_details.is_empty());
            prop_assert_eq!(preview.errors.len(), preview.error_details.len());
            prop_assert_eq!(preview.meta.confirm_token.is_some(), preview.verdict == Verdict::Confirm);
            prop_assert_eq!(preview.meta.reasons.is_empty(), preview.verdict != Verdict::Confirm);
            if !preview.ok {
                prop_assert_eq!(support::text(&preview), base);
                prop_assert!(preview.changed_files.is_empty() && preview.meta.patch_id.is_none());
            }
        }
    }

    #[test]
    fn an_insertion_is_never_silently_made_twice(
        before in plain(20), at in any::<prop::sample::Index>(), fresh in plain(3),
    ) {
        let at = at.index(before.len() + 1);
        let after = [&before[..at], &fresh, &before[at..]].concat().concat();
        let patch = unified(&before.concat(), &after);
        let again = look(&after, &patch);
        prop_assert!(again.verdict != Verdict::Clean, "{}\n{:?}", patch, again.meta);
    }

    #[test]
    fn the_same_input_gives_the_same_bytes((before, after) in pair(20), base in text(20)) {
        let patch = unified(&before, &after);
        if !patch.is_empty() {
            let bytes = || serde_json::to_string(&look(&base, &patch)).unwrap();
            prop_assert_eq!(bytes(), bytes());
        }
    }

    /// `patch_lines` is the same patch cut at line feeds: at all of them or at some, with the line feed kept or not.
    #[test]
    fn lines_of_a_patch_are_the_same_patch(
        (before, after) in pair(20), ending in 0..4_usize, closed in any::<bool>(), empty in 0..3_usize,
        in_blocks in any::<bool>(), cuts in any::<[bool; 8]>(), kept in any::<[bool; 8]>(),
    ) {
        let plain = if in_blocks { blocks(&before, &after) } else { unified(&before, &after) };
        let mut patch = with_endings(&plain, ending);
        if !closed {
            patch.truncate(patch.trim_end_matches(['\r', '\n']).len());
        }
        patch.push_str(&"\n".repeat(empty));
        if !patch.is_empty() {
            let (lines, held) = cut(&patch, &cuts, &kept);
            let whole: Vec<String> = patch.split_inclusive('\n').map(str::to_owned).collect();
            let held_whole = !whole.is_empty() && patch.contains('\n');
            let bare: Vec<String> = patch.split_terminator('\n').map(str::to_owned).collect();
            let one = look_at_op(&before, RawOp::patch(PATH, patch.as_str()));
            for (lines, held) in [(lines, held), (whole, held_whole), (bare, false)] {
                if lines.is_empty() {
                    continue;
                }
                let op = RawOp { patch: None, patch_lines: Some(lines), ..RawOp::patch(PATH, "") };
                let mut many = look_at_op(&before, op);
                let tags = &mut many.meta.normalizations_applied;
                prop_assert!(!one.ok || tags.contains(&Tag::SplitPatchLines) == held);
                tags.retain(|tag| *tag != Tag::SplitPatchLines);
                let bytes = |preview: &Preview| serde_json::to_string(preview).unwrap();
                prop_assert_eq!(bytes(&many), bytes(&one), "{:?}", patch);
            }
        }
    }

    /// A change in blocks is taken as it was meant, or it is asked about or refused.
    #[test]
    fn what_blocks_say_without_a_question_is_meant((before, after) in pair(30)) {
        let reply = blocks(&before, &after);
        if !reply.is_empty() {
            let seen = look(&before, &reply);
            let plain = |text: &str| text.replace('\r', "").trim_end_matches('\n').to_owned();
            if seen.verdict == Verdict::Clean {
                prop_assert_eq!(plain(support::text(&seen)), plain(&after), "{}", reply);
                prop_assert!(seen.meta.normalizations_applied.contains(&Tag::ReadSearchReplace));
            }
            prop_assert!(seen.ok || support::text(&seen) == before);
        }
    }

    /// What blocks did is never done a second time without a question.
    #[test]
    fn blocks_that_insert_are_never_silently_taken_twice(
        before in plain(20), at in any::<prop::sample::Index>(), fresh in plain(3),
    ) {
        let at = at.index(before.len() + 1);
        let after = [&before[..at], &fresh, &before[at..]].concat().concat();
        let reply = blocks(&before.concat(), &after);
        if look(&before.concat(), &reply).ok {
            let again = look(&after, &reply);
            prop_assert!(again.verdict != Verdict::Clean, "{}\n{:?}", reply, again.meta);
        }
    }

    #[test]
    fn the_order_of_the_ops_changes_no_hash((one, one_after) in pair(30), (two, two_after) in pair(10)) {
        let (first, second) = (unified(&one, &one_after), unified(&two, &two_after));
        // Each hunk of the first file is an op of its own.
        let heads = first.match_indices("\n@@ ").map(|(at, _)| at + 1).chain([first.len()]).collect::<Vec<_>>();
        let mut ops: Vec<(usize, &str)> = heads.windows(2).map(|ends| (0, &first[ends[0]..ends[1]])).collect();
        if !second.is_empty() {
            ops.push((1, &second));
        }
        if !ops.is_empty() {
            let forward = look_at(&[&one, &two], &ops).meta;
            ops.reverse();
            let backward = look_at(&[&one, &two], &ops).meta;
            prop_assert_eq!(forward.base_hash, backward.base_hash);
            prop_assert_eq!(forward.patch_id, backward.patch_id);
            prop_assert_eq!(forward.result_hash, backward.result_hash);
            prop_assert_eq!(forward.confirm_token, backward.confirm_token);
        }
    }

    /// Partial accept (script-tool.md §6): all places are the proposal, none is nothing, some are a selection.
    #[test]
    fn what_is_accepted_is_what_is_selected((before, after) in pair(30), keep in any::<u16>()) {
        let patch = unified(&before, &after);
        if !patch.is_empty() {
            let input = PreviewInput::patch(PATH, &before, &patch).unwrap();
            let whole = preview(&input);
            let taken = |ids: Vec<String>| {
                preview_accepted(&input, &Accept::from([(PATH.to_owned(), ids)])).unwrap()
            };
            let all = ids(&before, &after, 3);
            let full = taken(all.clone());
            prop_assert_eq!(&full.after_virtual_files, &whole.after_virtual_files);
            prop_assert_eq!(&full.meta.result_hash, &whole.meta.result_hash);
            let none = taken(Vec::new());
            prop_assert_eq!((none.ok, support::text(&none)), (false, before.as_str()));
            let some: Vec<String> =
                all.iter().enumerate().filter(|(at, _)| keep >> (at % 16) & 1 == 1).map(|(_, id)| id.clone()).collect();
            let part = taken(some.clone());
            let selected = select(&before, &after, &some, 3).unwrap().text;
            prop_assert_eq!(support::text(&part), selected);
            prop_assert!(!part.ok || whole.meta.reasons.iter().all(|tag| part.meta.reasons.contains(tag)));
        }
    }
}
