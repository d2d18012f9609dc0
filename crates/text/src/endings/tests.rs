//! What is put into texts whose lines end in one way, in two, or not at all.

use proptest::prelude::*;

use super::*;
use crate::replace::{PartFault, replace_once};

fn flat(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[test]
fn parts() {
    let cases = [
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        // Kept lines keep theirs, new ones take that of the line that goes.
        ("a\nb\r\nc\nd\r\n", "a\nb\nc\nd", "a\nx\ny\nc\nd", "a\nx\r\ny\r\nc\nd\r\n"),
        ("a\nb\r\n", "b", "x\ny", "a\nx\r\ny\r\n"),
        ("a\r\nb", "b", "x\ny", "a\r\nx\r\ny"),
        ("b", "b", "x\r\ny", "x\r\ny"),
        ("a\r\nb", "\n", " ", "a b"),
        ("a\r\nb", "a\n", "", "b"),
    ];
    for (text, find, replace, want) in cases {
        assert_eq!(replace_once(text, find, replace).as_deref(), Ok(want), "{find:?} in {text:?}");
    }
    assert_eq!(replace_once("a\r\nb\na\nb\n", "a\nb", "x"), Err(PartFault::Ambiguous));
}

#[test]
fn whole_texts() {
    let cases = [
        ("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        ("a\nb\n", "a\r\nc\r\n", "a\r\nc\r\n"),
        ("a\r\nb\r\n", "a\nc\r\n", "a\r\nc\r\n"),
        ("a", "b\r\n", "b\r\n"),
        ("a\r\nb\n", "a\r\nc\n", "a\r\nc\n"),
        ("a\r\nb\r\nc\n", "a\nc\n", "a\r\nc\r\n"),
    ];
    for (base, text, want) in cases {
        assert_eq!(with_endings_of(base, text), want, "{text:?} for {base:?}");
    }
}

const ENDINGS: [&str; 2] = ["\n", "\r\n"];

/// A text of short lines with mixed endings, with or without a final one.
fn texts() -> impl Strategy<Value = String> {
    let line = ("[abc]{0,2}", prop::sample::select(&ENDINGS[..]));
    (prop::collection::vec(line, 0..8), "[ab]?", 0..3_usize).prop_map(|(lines, last, only)| {
        let ending = |own: &'static str| ENDINGS.get(only).copied().unwrap_or(own);
        lines.into_iter().map(|(line, own)| line + ending(own)).chain([last]).collect()
    })
}

/// No ending that the text does not use, unless it uses none.
fn uses_its_own(before: &str, after: &str) -> bool {
    let (lf, crlf) = endings_of(before);
    let (after_lf, after_crlf) = endings_of(after);
    lf + crlf == 0 || ((lf > 0 || after_lf == 0) && (crlf > 0 || after_crlf == 0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Endings neither find nor hide a place, and change nothing about what comes out but themselves.
    #[test]
    fn a_part_is_replaced_as_in_a_text_of_one_ending(text in texts(), find in texts(), replace in texts()) {
        let made = replace_once(&text, &find, &replace);
        prop_assert_eq!(
            made.as_ref().map(|made| flat(made)).map_err(|fault| *fault),
            replace_once(&flat(&text), &flat(&find), &flat(&replace)),
        );
        if let Ok(made) = made {
            prop_assert!(uses_its_own(&text, &made), "{made:?}");
            let at = flat(&text).find(&flat(&find)).unwrap_or_default();
            let start: Vec<_> = pieces(&text).into_iter().take(flat(&text)[..at].matches('\n').count()).collect();
            prop_assert!(pieces(&made).starts_with(&start), "lines before the place: {made:?}");
            let rest = flat(&text)[at + flat(&find).len()..].matches('\n').count();
            let (old, new) = (pieces(&text), pieces(&made));
            let ends = |pieces: &[(&str, LineEnding)]| pieces.iter().rev().take(rest + 1).map(|it| it.1).collect::<Vec<_>>();
            prop_assert_eq!(ends(&old), ends(&new), "lines behind the place");
        }
    }

    #[test]
    fn lines_are_replaced_as_in_a_text_of_one_ending(text in texts(), at in 0..6_usize, count in 0..4_usize, new in prop::collection::vec("[abc]{1,2}", 0..4)) {
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let made = replace_lines(&text, at, count, &new);
        prop_assert_eq!(flat(&made), replace_lines(&flat(&text), at, count, &new));
        prop_assert!(uses_its_own(&text, &made), "{made:?}");
        let (start, end) = (at.min(lines(&text).len()), (at + count).min(lines(&text).len()));
        // The last line of a text may get an ending, or lose it.
        let same = |(one, two): (&holdpoint_diff::Line<'_>, &holdpoint_diff::Line<'_>)| {
            one.content == two.content && (one.ending == two.ending || [one.ending, two.ending].contains(&LineEnding::None))
        };
        prop_assert!(lines(&text)[..start].iter().zip(&lines(&made)).all(same), "{made:?}");
        prop_assert!(lines(&text)[end..].iter().rev().zip(lines(&made).iter().rev()).all(same), "{made:?}");
    }

    #[test]
    fn a_whole_text_uses_what_the_old_one_uses(base in texts(), text in texts()) {
        let made = with_endings_of(&base, &text);
        prop_assert_eq!(flat(&made), flat(&text));
        let (lf, crlf) = endings_of(&base);
        prop_assert!(lf > 0 || crlf == 0 || endings_of(&made).0 == 0, "{made:?}");
        prop_assert!(endings_of(&text).1 == 0 || endings_of(&made).1 > 0, "{made:?}");
        prop_assert_eq!(&*with_endings_of(&base, &base), base.as_str());
    }
}
