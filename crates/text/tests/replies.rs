//! Replies as models write them, from real changes: each spelling of blocks brings the text after, byte for byte (spec:
//! text-replies.md §1).
#![allow(clippy::unwrap_used)] // what does not hold ends the test

mod support;

use std::path::Path;

use holdpoint_text::{DiffLine, DiffOptions, LineKind, RejectCode, Tag, Verdict, diff};
use support::{PATH, look, text};

/// Old and new text of a place.
type Sides = (String, String);

/// Files of this repository before and after a commit, and the other way round.
fn changes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs");
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let read = |ending: &str| {
        let files = names.iter().filter(|name| name.extension().unwrap() == ending);
        files.map(|name| std::fs::read_to_string(name).unwrap()).collect::<Vec<_>>()
    };
    let pairs: Vec<(String, String)> = read("before").into_iter().zip(read("after")).collect();
    let back = pairs.iter().map(|(before, after)| (after.clone(), before.clone()));
    pairs.iter().cloned().chain(back).collect()
}

fn is_marker(line: &str) -> bool {
    let bare = line.trim();
    line.starts_with("@@") || ["<<<<<", "=====", ">>>>>"].iter().any(|mark| bare.starts_with(mark))
}

/// The places of a change with so many lines around them; none where blocks cannot hold the texts.
fn cut(before: &str, after: &str, context: usize) -> Vec<Sides> {
    let plain = |text: &str| text.ends_with('\n') && !text.lines().any(is_marker);
    if !plain(before) || !plain(after) {
        return Vec::new();
    }
    let options = DiffOptions { path: PATH, context };
    let side = |lines: &[DiffLine], gone: LineKind| {
        lines.iter().filter(|line| line.kind != gone).map(|line| line.text.clone() + "\n").collect::<String>()
    };
    let hunks = diff(before, after, &options).unwrap().hunks;
    hunks.iter().map(|hunk| (side(&hunk.lines, LineKind::Insert), side(&hunk.lines, LineKind::Delete))).collect()
}

fn stands_once(before: &str, (old, _): &Sides) -> bool {
    !old.is_empty() && format!("\n{before}").matches(&format!("\n{old}")).count() == 1
}

/// The places with as much around them as makes each the only one; none where no context does.
fn places(before: &str, after: &str) -> Option<Vec<Sides>> {
    let all = (3..12).map(|context| cut(before, after, context));
    all.into_iter().find(|sides| !sides.is_empty() && sides.iter().all(|sides| stands_once(before, sides)))
}

/// Each place with little and with much around it, by itself.
fn single_places(before: &str, after: &str) -> Vec<Sides> {
    let all = (1..8).flat_map(|context| cut(before, after, context));
    all.filter(|sides| stands_once(before, sides)).collect()
}

/// How a block begins, parts and ends, and what stands before and behind it.
struct Spelling {
    start: &'static str,
    divider: &'static str,
    end: &'static str,
    before: &'static str,
    behind: &'static str,
}

const SPELLINGS: &[Spelling] = &[
    Spelling { start: "<<<<<<< SEARCH", divider: "=======", end: ">>>>>>> REPLACE", before: "", behind: "" },
    Spelling { start: "<<<<<<< ORIGINAL", divider: "=======", end: ">>>>>>> UPDATED", before: "", behind: "" },
    Spelling { start: "<<<<< SEARCH", divider: "=====", end: ">>>>> REPLACE", before: "", behind: "\n" },
    Spelling { start: "<<<<<<<<< SEARCH", divider: "=========", end: ">>>>>>>>> REPLACE", before: "", behind: "" },
    Spelling { start: "<<<<<<", divider: "=======", end: ">>>>>>>>", before: "\n", behind: "\n" },
    Spelling { start: "  <<<<<<< SEARCH ", divider: " ======= ", end: " >>>>>>> REPLACE  ", before: "", behind: "" },
    Spelling {
        start: "<<<<<<< SEARCH",
        divider: "=======",
        end: ">>>>>>> REPLACE",
        before: "file\n```rust\n",
        behind: "```\n",
    },
    Spelling { start: "<<<<<<< SEARCH", divider: "=======", end: ">>>>>>> REPLACE", before: "`file`\n", behind: "" },
    Spelling {
        start: "<<<<<<< SEARCH",
        divider: "=======",
        end: ">>>>>>> REPLACE",
        before: "### `file`:\n```\n",
        behind: "```\n\n",
    },
    Spelling {
        start: "<<<<<<< SEARCH",
        divider: "=======",
        end: ">>>>>>> REPLACE",
        before: "**file**:\n~~~\n",
        behind: "~~~\n",
    },
    Spelling {
        start: "<<<<<<< SEARCH",
        divider: "=======",
        end: ">>>>>>> REPLACE",
        before: "First I change the place that reads it:\n\n```diff\n",
        behind: "```\n\nThat is all.\n\n",
    },
];

impl Spelling {
    fn of(&self, (old, new): &Sides) -> String {
        let Self { start, divider, end, before, behind } = self;
        format!("{before}{start}\n{old}{divider}\n{new}{end}\n{behind}")
    }
}

#[test]
fn every_spelling_is_the_same_change() {
    let mut asked = 0;
    for (before, after) in changes() {
        let Some(places) = places(&before, &after) else { continue };
        for spelling in SPELLINGS {
            let reply: String = places.iter().map(|sides| spelling.of(sides)).collect();
            for (reply, ending) in [(reply.clone(), "LF"), (reply.replace('\n', "\r\n"), "CR LF")] {
                let seen = look(&before, &reply);
                let shape = format!("{} {ending} {}", spelling.start, spelling.before);
                assert!(seen.ok, "{shape}: {:?}", seen.error_details);
                assert_eq!(text(&seen), after, "{shape}");
                assert!(seen.meta.normalizations_applied.contains(&Tag::ReadSearchReplace), "{shape}");
                let doubts = [Tag::InsertsNearCopy, Tag::MarksExistingLine];
                assert!(seen.meta.reasons.iter().all(|tag| doubts.contains(tag)), "{shape}: {:?}", seen.meta.reasons);
                asked += 1;
            }
        }
    }
    assert!(asked > 200, "{asked}");
}

#[test]
fn places_may_come_in_any_order() {
    for (before, after) in changes() {
        let Some(mut places) = places(&before, &after) else { continue };
        places.reverse();
        let reply: String = places.iter().map(|sides| SPELLINGS[0].of(sides)).collect();
        let seen = look(&before, &reply);
        assert_eq!((seen.ok, text(&seen)), (true, after.as_str()), "{:?}", seen.error_details);
    }
}

#[test]
fn another_file_or_a_second_time_is_refused() {
    for (before, after) in changes() {
        let Some(places) = places(&before, &after) else { continue };
        let other: String = places.iter().map(|sides| format!("`src/other.rs`\n{}", SPELLINGS[0].of(sides))).collect();
        assert_eq!(look(&before, &other).error_details[0].code, RejectCode::WrongFile);
        let reply: String = places.iter().map(|sides| SPELLINGS[0].of(sides)).collect();
        let again = look(&after, &reply);
        assert_ne!(again.verdict, Verdict::Clean, "{reply}");
        assert!(!again.ok, "{:?}: {reply}", again.meta.reasons);
    }
}

/// The first line of the old and of the new text without its indentation, as far as only that line has lost it.
#[test]
fn a_trimmed_first_line_gets_its_indentation_again() {
    let (mut asked, mut right) = (0, 0);
    for (before, after) in changes() {
        for (old, new) in &single_places(&before, &after) {
            let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
            let shallow = old
                .lines()
                .skip(1)
                .filter(|line| !line.trim().is_empty())
                .map(|line| line.len() - line.trim_start().len())
                .min();
            let indent = old.len() - old.trim_start_matches(' ').len();
            if indent == 0 || first(old) != first(new) || shallow.is_none_or(|least| least < indent) {
                continue;
            }
            let want = before.replacen(old.as_str(), new, 1);
            let seen = look(&before, &SPELLINGS[0].of(&(old[indent..].to_owned(), new[indent..].to_owned())));
            asked += 1;
            right += usize::from(seen.ok && text(&seen) == want);
            assert!(!seen.ok || text(&seen) == want, "another text: {old}");
            assert_ne!(seen.verdict, Verdict::Clean);
        }
    }
    assert!(asked >= 10, "{asked}");
    assert!(right * 100 >= asked * 95, "{right} of {asked}");
}

/// Between a line that stands once and the place, the lines are left out with dots on both sides.
#[test]
fn lines_left_out_on_both_sides_stay() {
    let mut asked = 0;
    for (before, after) in changes() {
        for (old, new) in &single_places(&before, &after) {
            let at = format!("\n{before}").find(&format!("\n{old}")).unwrap();
            let mut above = before[..at].lines().rev().skip(2);
            let once = |line: &&str| {
                line.chars().filter(|c| c.is_alphanumeric()).count() > 8
                    && before.lines().filter(|other| other == line).count() == 1
                    && !line.contains("...")
            };
            let Some(head) = above.by_ref().take(40).find(once) else { continue };
            if old.contains("...") || new.contains("...") || new.contains('\u{2026}') {
                continue;
            }
            let with = |side: &str| format!("{head}\n    // ... existing code ...\n{side}");
            let seen = look(&before, &SPELLINGS[0].of(&(with(old), with(new))));
            let want = before.replacen(old.as_str(), new, 1);
            assert_eq!(text(&seen), want, "{head}: {:?}", seen.error_details);
            assert!(seen.meta.reasons.contains(&Tag::MatchedElision));
            asked += 1;
        }
    }
    assert!(asked >= 20, "{asked}");
}
