//! Normalisation Form C.
//!
//! The iterator of `unicode-normalization` takes the form at run time, and so links the tables of NFKC beside those of
//! NFC: 60 KB that a page would load for nothing. Here only its tables of NFC are asked.
//! Invariant: the answer is that of the crate's own `nfc()`.

use std::borrow::Cow;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The text in NFC.
///
/// ```
/// assert_eq!(holdpoint_text::nfc("e\u{301}"), "\u{e9}");
/// ```
pub fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let mut decomposed: Vec<(u8, char)> = Vec::with_capacity(text.len());
    for character in text.chars() {
        decompose_canonical(character, |part| decomposed.push((canonical_combining_class(part), part)));
    }
    for marks in decomposed.split_mut(|(class, _)| *class == 0) {
        marks.sort_by_key(|(class, _)| *class);
    }
    Cow::Owned(composed(&decomposed).into_iter().collect())
}

/// Joins each character with the starter before it, unless another stands between that blocks it.
fn composed(decomposed: &[(u8, char)]) -> Vec<char> {
    let mut out: Vec<char> = Vec::with_capacity(decomposed.len());
    let (mut starter, mut last) = (None, 0);
    for &(class, character) in decomposed {
        if let Some(at) = starter
            && (at + 1 == out.len() || last < class)
            && let Some(joined) = compose(out[at], character)
        {
            out[at] = joined;
            continue;
        }
        if class == 0 {
            starter = Some(out.len());
        }
        last = class;
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::nfc;

    fn of_the_crate(text: &str) -> String {
        text.nfc().collect()
    }

    #[test]
    fn every_character_alone_and_beside_marks() {
        // Planes above hold no character that another is made of.
        for character in '\0'..='\u{3ffff}' {
            let text = format!("{character} {character}\u{301}\u{323} a\u{301}{character}");
            assert_eq!(nfc(&text), of_the_crate(&text), "{text:?}");
        }
    }

    #[test]
    fn forms() {
        for (text, want) in [
            ("", ""),
            ("plain", "plain"),
            ("\u{1100}\u{1161}\u{11a8}", "\u{ac01}"),
            ("a\u{323}\u{301}", "\u{1ea1}\u{301}"),
            ("a\u{301}\u{323}", "\u{1ea1}\u{301}"),
            ("\u{301}a", "\u{301}a"),
            ("a\u{34f}\u{301}", "a\u{34f}\u{301}"),
        ] {
            assert_eq!(nfc(text), want, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_same_as_the_crate(text in "[a-e\u{e0}-\u{ff}\u{300}-\u{345}\u{5b0}-\u{5bf}\u{9be}\u{9c7}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}\u{ac00}\u{ac1c}\u{1e00}-\u{1eff}\u{fb1d}-\u{fb4f}\u{1d15e}-\u{1d16e}]{0,12}") {
            prop_assert_eq!(nfc(&text), of_the_crate(&text));
        }

        #[test]
        fn the_same_as_the_crate_on_anything(text in any::<String>()) {
            prop_assert_eq!(nfc(&text), of_the_crate(&text));
        }
    }
}
