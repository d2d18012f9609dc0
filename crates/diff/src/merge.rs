//! What two changes of one text make together (spec: app-builder.md §4 "Merge").
//!
//! Owns which changes meet, and nothing that resolves a conflict. Invariants: swapping the sides swaps the answer's sides and
//! changes nothing else; a text is there exactly where no conflict is; the work is that of two scripts and a pass over the
//! lines.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::lines::{Line, lines};
use crate::script::{Change, changes};

/// The merge of two texts that come from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextMerge"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TextMerge"))]
pub struct Merge {
    pub clean: bool,
    /// The joined text; `None` where changes conflict.
    pub text: Option<String>,
    /// Places that both sides changed, each in its own way, from top to bottom.
    pub conflicts: Vec<Conflict>,
}

/// One place in each of the three texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MergeConflict"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MergeConflict"))]
pub struct Conflict {
    pub base: LineRange,
    pub ours: LineRange,
    pub theirs: LineRange,
}

/// Lines of a text, counted from 1; with a count of 0 the start is the line before, 0 at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LineRange {
    pub start_line: usize,
    pub line_count: usize,
}

impl From<&Range<usize>> for LineRange {
    fn from(range: &Range<usize>) -> Self {
        Self { start_line: range.start + usize::from(!range.is_empty()), line_count: range.len() }
    }
}

/// Takes what each side changed. Changes of both sides whose places in `base` overlap or touch are one conflict, unless both
/// write the same lines there, endings included.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merge {
    let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
    let (our_changes, their_changes) = (changes(&base, &ours), changes(&base, &theirs));
    let (mut our, mut their) = (Side::new(&our_changes), Side::new(&their_changes));
    let (mut merged, mut conflicts) = (Vec::with_capacity(ours.len().max(theirs.len())), Vec::new());
    let mut at = 0;
    while let Some(mut place) = first(&our, &their) {
        let (mut we_changed, mut they_changed) = (false, false);
        loop {
            // What one side takes in may reach the next change of the other.
            let taken = (our.takes_in(&mut place), their.takes_in(&mut place));
            we_changed |= taken.0;
            they_changed |= taken.1;
            if taken == (false, false) {
                break;
            }
        }
        let (our_range, their_range) = (our.close(&place), their.close(&place));
        let (our_lines, their_lines) = (&ours[our_range.clone()], &theirs[their_range.clone()]);
        merged.extend_from_slice(&base[at..place.start]);
        merged.extend_from_slice(if we_changed { our_lines } else { their_lines });
        if we_changed && they_changed && our_lines != their_lines {
            let (ours, theirs) = ((&our_range).into(), (&their_range).into());
            conflicts.push(Conflict { base: (&place).into(), ours, theirs });
        }
        at = place.end;
    }
    merged.extend_from_slice(&base[at..]);
    let clean = conflicts.is_empty();
    Merge { clean, text: clean.then(|| written(&merged)), conflicts }
}

/// The changes of one side, walked from top to bottom.
struct Side<'c> {
    /// Those that no place took in yet.
    rest: &'c [Change],
    /// Where base and side stand behind the last closed place: from there to the next change both are equal.
    start: (usize, usize),
    /// The same behind the last change that was taken in.
    end: (usize, usize),
}

impl<'c> Side<'c> {
    fn new(changes: &'c [Change]) -> Self {
        Self { rest: changes, start: (0, 0), end: (0, 0) }
    }

    /// Widens a place of the base by the changes that overlap or touch it; answers whether there were any.
    fn takes_in(&mut self, place: &mut Range<usize>) -> bool {
        let mut any = false;
        while let [change, rest @ ..] = self.rest
            && change.old.start <= place.end
        {
            place.end = place.end.max(change.old.end);
            self.end = (change.old.end, change.new.end);
            self.rest = rest;
            any = true;
        }
        any
    }

    /// The lines of this side that stand for a place of the base, once nothing more reaches it.
    fn close(&mut self, place: &Range<usize>) -> Range<usize> {
        let start = place.start - self.start.0 + self.start.1;
        self.start = self.end;
        start..place.end - self.end.0 + self.end.1
    }
}

/// The place in the base of the next change of either side.
fn first(our: &Side<'_>, their: &Side<'_>) -> Option<Range<usize>> {
    let next = [our, their].into_iter().filter_map(|side| side.rest.first());
    next.map(|change| change.old.clone()).min_by_key(|place| place.start)
}

fn written(lines: &[Line<'_>]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.content.len() + 2).sum());
    for line in lines {
        text.push_str(line.content);
        text.push_str(line.ending.text());
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Base, ours, theirs, and the merged text; `None`: a conflict.
    #[test]
    fn what_does_not_meet_is_taken_and_what_meets_is_a_conflict() {
        let cases: [(&str, [&str; 3], Option<&str>); 15] = [
            ("far apart", ["a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"], Some("A\nb\nC\n")),
            ("one line apart", ["a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nC\nd\n"], Some("A\nb\nC\nd\n")),
            ("next to each other", ["a\nb\n", "A\nb\n", "a\nB\n"], None),
            ("the same line", ["a\nb\n", "A\nb\n", "x\nb\n"], None),
            ("the same line alike", ["a\nb\n", "A\nb\n", "A\nb\n"], Some("A\nb\n")),
            ("an insertion before a changed line", ["a\nb\n", "a\nx\nb\n", "a\nB\n"], None),
            ("two insertions at one place", ["a\nb\n", "a\nx\nb\n", "a\ny\nb\n"], None),
            ("one insertion twice", ["a\nb\n", "a\nx\nb\n", "a\nx\nb\n"], Some("a\nx\nb\n")),
            ("an edit in a deletion", ["a\nb\nc\n", "a\nc\n", "a\nB\nc\n"], None),
            ("a deletion twice", ["a\nb\nc\n", "a\nc\n", "a\nc\n"], Some("a\nc\n")),
            ("alike and apart", ["a\nb\nc\nd\n", "A\nb\nC\nd\n", "A\nb\nc\nd\ne\n"], Some("A\nb\nC\nd\ne\n")),
            ("endings as each wrote them", ["a\nb\nc\n", "a\r\nb\nc\n", "a\nb\nC\r\n"], Some("a\r\nb\nC\r\n")),
            ("only an ending, in two ways", ["a\n", "a\r\n", "a"], None),
            ("the last line gets its ending", ["a\nb\nc", "A\nb\nc", "a\nb\nc\nd"], Some("A\nb\nc\nd")),
            ("both make it", ["", "a\n", "b\n"], None),
        ];
        for (name, [base, ours, theirs], want) in cases {
            let merged = merge(base, ours, theirs);
            assert_eq!(merged.text.as_deref(), want, "{name}");
            assert_eq!((merged.clean, merged.conflicts.is_empty()), (want.is_some(), want.is_some()), "{name}");
        }
    }

    #[test]
    fn a_conflict_names_its_place_in_each_text() {
        let range = |start_line, line_count| LineRange { start_line, line_count };
        let merged = merge("a\nb\nc\nd\n", "0\na\nb\nx\ny\nd\n", "a\nb\nd\n");
        let place = Conflict { base: range(3, 1), ours: range(4, 2), theirs: range(2, 0) };
        assert_eq!(merged, Merge { clean: false, text: None, conflicts: vec![place] });
        // Our change reaches from the first to the third of theirs.
        let merged = merge("a\nb\nc\nd\ne\nf\n", "1\n2\n3\n4\n5\nf\n", "A\nb\nC\nd\nE\nf\ng\n");
        assert_eq!(merged.conflicts, [Conflict { base: range(1, 5), ours: range(1, 5), theirs: range(1, 5) }]);
        let json = serde_json::to_value(merge("", "a", "b")).unwrap();
        let place = |count: usize| serde_json::json!({"start_line": count, "line_count": count});
        let conflict = serde_json::json!({"base": place(0), "ours": place(1), "theirs": place(1)});
        assert_eq!(json, serde_json::json!({"clean": false, "text": null, "conflicts": [conflict]}));
    }

    /// Few different lines with all endings, so that changes meet often.
    fn text() -> impl Strategy<Value = String> {
        let line = (0u8..5, 0u8..4).prop_map(|(word, ending)| {
            let word = char::from(b'a' + word);
            if ending == 0 { format!("{word}\r\n") } else { format!("{word}\n") }
        });
        (prop::collection::vec(line, 0..12), any::<bool>()).prop_map(|(lines, cut)| {
            let text = lines.concat();
            if cut { text.trim_end_matches(['\r', '\n']).to_owned() } else { text }
        })
    }

    /// A text and another in which few lines are others.
    fn edited(base: &str, edits: &[(usize, u8)]) -> String {
        let mut parts: Vec<String> = lines(base).iter().map(|line| written(&[*line])).collect();
        for (at, what) in edits {
            let at = at % (parts.len() + 1);
            match what % 3 {
                0 => parts.insert(at, format!("{what}\n")),
                1 if at < parts.len() => drop(parts.remove(at)),
                _ if at + 1 < parts.len() => parts[at] = format!("{what}\n"),
                _ => {}
            }
        }
        let last = parts.len().saturating_sub(1);
        let ended = |(at, part): (usize, String)| if at < last && !part.ends_with('\n') { part + "\n" } else { part };
        parts.into_iter().enumerate().map(ended).collect()
    }

    /// The merge as the definition says it: places grow until none meets another, and each is written as a side has it.
    fn by_definition(base: &str, ours: &str, theirs: &str) -> Option<String> {
        let (base, ours, theirs) = (lines(base), lines(ours), lines(theirs));
        let sides = [(changes(&base, &ours), &ours), (changes(&base, &theirs), &theirs)];
        let mut places: Vec<Range<usize>> = sides.iter().flat_map(|(all, _)| all).map(|one| one.old.clone()).collect();
        places.sort_by_key(|place| (place.start, place.end));
        while let Some(at) = places.windows(2).position(|two| two[0].end >= two[1].start) {
            let next = places.remove(at + 1);
            places[at].end = places[at].end.max(next.end);
        }
        let mut merged = Vec::new();
        let mut at = 0;
        for place in places {
            let written_by = |(all, lines): &(Vec<Change>, &Vec<Line<'_>>)| {
                let mut text = Vec::new();
                let mut at = place.start;
                for change in all.iter().filter(|one| place.start <= one.old.start && one.old.end <= place.end) {
                    text.extend(
                        base[at..change.old.start]
                            .iter()
                            .chain(&lines[change.new.clone()])
                            .map(|line| written(&[*line])),
                    );
                    at = change.old.end;
                }
                text.extend(base[at..place.end].iter().map(|line| written(&[*line])));
                text.concat()
            };
            let before: String = base[place.clone()].iter().map(|line| written(&[*line])).collect();
            let [our, their] = [written_by(&sides[0]), written_by(&sides[1])];
            merged.push(written(&base[at..place.start]));
            merged.push(if their == before || our == their {
                our
            } else if our == before {
                their
            } else {
                return None;
            });
            at = place.end;
        }
        merged.push(written(&base[at..]));
        Some(merged.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn laws(base in text(), ours in text(), theirs in text()) {
            prop_assert_eq!(merge(&base, &base, &theirs).text, Some(theirs.clone()));
            prop_assert_eq!(merge(&base, &ours, &base).text, Some(ours.clone()));
            prop_assert_eq!(merge(&base, &ours, &ours).text, Some(ours.clone()));
            let (here, there) = (merge(&base, &ours, &theirs), merge(&base, &theirs, &ours));
            prop_assert_eq!((here.clean, &here.text), (there.clean, &there.text));
            let swapped = there.conflicts.iter().map(|place| Conflict { ours: place.theirs, theirs: place.ours, ..*place });
            prop_assert_eq!(here.conflicts, swapped.collect::<Vec<_>>());
        }

        /// A clean merge holds all changes of both sides and no others; nothing else is clean.
        #[test]
        fn it_is_as_defined(base in text(), one in prop::collection::vec((any::<usize>(), 0u8..9), 0..4),
            two in prop::collection::vec((any::<usize>(), 0u8..9), 0..4)) {
            let (ours, theirs) = (edited(&base, &one), edited(&base, &two));
            prop_assert_eq!(merge(&base, &ours, &theirs).text, by_definition(&base, &ours, &theirs));
        }
    }
}
