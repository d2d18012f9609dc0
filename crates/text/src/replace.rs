//! A part of a text that stands exactly once, found and replaced (spec: crew-package.md §8 "Edits", authoring.md §5).
//!
//! Blanks and letter case count, endings of lines do not: LF finds CRLF, and what is put there has the endings of the
//! text (`endings.rs`). Invariant: what stands nowhere or more than once is never replaced, also where its places
//! overlap.

use crate::endings::adapted;

/// Why a part was not replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartFault {
    /// It stands nowhere; an empty part names no place.
    NotFound,
    /// It stands more than once, overlapping places counted.
    Ambiguous,
}

/// Where a part stands in a text, in bytes: at exactly one place.
pub fn find_once(text: &str, find: &str) -> Result<usize, PartFault> {
    let Some(first) = find.chars().next() else { return Err(PartFault::NotFound) };
    let at = text.find(find).ok_or(PartFault::NotFound)?;
    // One character further and not behind the whole part: the next place may overlap this one.
    if text[at + first.len_utf8()..].contains(find) {
        return Err(PartFault::Ambiguous);
    }
    Ok(at)
}

/// `text` with the one place of `find` replaced.
///
/// ```
/// use holdpoint_text::{PartFault, replace_once};
/// assert_eq!(replace_once("one two", "two", "2").as_deref(), Ok("one 2"));
/// assert_eq!(replace_once("one\r\ntwo\r\n", "e\nt", "e\n\nt").as_deref(), Ok("one\r\n\r\ntwo\r\n"));
/// assert_eq!(replace_once("aaa", "aa", "b"), Err(PartFault::Ambiguous));
/// ```
pub fn replace_once(text: &str, find: &str, replace: &str) -> Result<String, PartFault> {
    let find = find.replace("\r\n", "\n");
    let flat = text.replace("\r\n", "\n");
    let at = find_once(&flat, &find)?;
    let (from, to) = (unflat(text, at), unflat(text, at + find.len()));
    Ok([&text[..from], &adapted(text, from, to, replace), &text[to..]].concat())
}

/// The byte of a text that a byte of it without CR in front of LF stands for.
fn unflat(text: &str, flat: usize) -> usize {
    let mut dropped = 0;
    for (at, _) in text.match_indices("\r\n") {
        if at - dropped >= flat {
            break;
        }
        dropped += 1;
    }
    flat + dropped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn exactly_one_place() {
        use PartFault::{Ambiguous, NotFound};
        let cases = [
            ("a b c", "b", "x\ny", Ok("a x\ny c")),
            ("abc", "abc", "", Ok("")),
            ("a\r\nb", "\r\n", "\n", Ok("a\r\nb")),
            ("åäö ä", "ö", "o", Ok("åäo ä")),
            ("a  b", "a b", "", Err(NotFound)),
            ("A", "a", "", Err(NotFound)),
            ("", "", "x", Err(NotFound)),
            ("a", "", "x", Err(NotFound)),
            ("b b", "b", "x", Err(Ambiguous)),
            ("ababa", "aba", "x", Err(Ambiguous)),
            ("ääää", "äää", "x", Err(Ambiguous)),
        ];
        for (text, find, replace, want) in cases {
            assert_eq!(replace_once(text, find, replace), want.map(str::to_owned), "{find:?} in {text:?}");
        }
    }

    proptest! {
        #[test]
        fn counts_as_one_who_looks_at_every_place(text in "[aä\n]{0,8}", find in "[aä\n]{1,3}") {
            let starts = text.char_indices().map(|(at, _)| at);
            let places: Vec<usize> = starts.filter(|at| text[*at..].starts_with(&find)).collect();
            let want = match places.as_slice() {
                [] => Err(PartFault::NotFound),
                [at] => Ok(format!("{}-{}", &text[..*at], &text[at + find.len()..])),
                _ => Err(PartFault::Ambiguous),
            };
            prop_assert_eq!(replace_once(&text, &find, "-"), want);
        }
    }
}
