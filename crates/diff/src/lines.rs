//! What a line is: content and ending (spec: text-engine.md §1 "Text and lines").

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

/// How a line ends. Only the last line of a text may have no ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum LineEnding {
    Lf,
    Crlf,
    None,
}

impl LineEnding {
    /// The characters of the ending.
    pub fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
            Self::None => "",
        }
    }
}

/// A line; two lines are equal when content and ending are.
#[derive(Debug, Clone, Copy, Eq, PartialOrd, Ord)]
pub struct Line<'t> {
    /// The name without its ending.
    pub content: &'t str,
    pub ending: LineEnding,
}

impl PartialEq for Line<'_> {
    /// By words of eight bytes: a Wasm module has no quick comparison of memory.
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.content.as_bytes(), other.content.as_bytes());
        if self.ending != other.ending || one.len() != two.len() {
            return false;
        }
        let ((words, rest), (other_words, other_rest)) = (one.as_chunks::<8>(), two.as_chunks::<8>());
        let equal = |(one, two): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*one) == u64::from_le_bytes(*two);
        words.iter().zip(other_words).all(equal) && rest.iter().eq(other_rest)
    }
}

impl Hash for Line<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.content.hash(state);
        self.ending.hash(state);
    }
}

/// Bytes of a usual line, so that most lists of lines are made in one piece.
const USUAL_LENGTH: usize = 24;

/// The lines of a text: LF and CRLF end a line, nothing else does. The empty text has none.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::with_capacity(text.len() / USUAL_LENGTH + 1);
    let mut start = 0;
    feeds(text.as_bytes(), |end| {
        let line = &text[start..end];
        lines.push(match line.strip_suffix('\r') {
            Some(content) => Line { content, ending: LineEnding::Crlf },
            None => Line { content: line, ending: LineEnding::Lf },
        });
        start = end + 1;
    });
    if start < text.len() {
        lines.push(Line { content: &text[start..], ending: LineEnding::None });
    }
    lines
}

/// Tells where the bytes LF stand. Eight are looked at in one word: lines are short, and a search begun anew for each line
/// costs more than the rest of a diff.
fn feeds(bytes: &[u8], mut found: impl FnMut(usize)) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ 0x0a0a_0a0a_0a0a_0a0a;
        // The high bit of each byte that is zero, of no other one.
        let mut feeds = !(((other & LOW) + LOW) | other | LOW);
        while feeds != 0 {
            found(at * 8 + feeds.trailing_zeros() as usize / 8);
            feeds &= feeds - 1;
        }
    }
    let behind = bytes.len() - rest.len();
    (behind..bytes.len()).filter(|at| bytes[*at] == b'\n').for_each(found);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn together_they_are_the_text(text in "[a\n\r\u{b}\u{8a}\u{10a}]{0,40}") {
            let lines = lines(&text);
            let whole: String = lines.iter().map(|line| format!("{}{}", line.content, line.ending.text())).collect();
            prop_assert_eq!(&whole, &text);
            prop_assert!(lines.iter().all(|line| !line.content.contains('\n')));
            prop_assert!(lines.iter().all(|line| line.ending != LineEnding::Lf || !line.content.ends_with('\r')));
            prop_assert!(lines.iter().rev().skip(1).all(|line| line.ending != LineEnding::None));
        }
    }

    #[test]
    fn only_lf_and_crlf_end_a_line() {
        let cases = [
            ("", vec![]),
            ("\n", vec![("", LineEnding::Lf)]),
            ("a\r\nb", vec![("a", LineEnding::Crlf), ("b", LineEnding::None)]),
            ("a\rb\u{2028}c\n", vec![("a\rb\u{2028}c", LineEnding::Lf)]),
            ("a\r\r\n", vec![("a\r", LineEnding::Crlf)]),
        ];
        for (text, want) in cases {
            let got: Vec<_> = lines(text).into_iter().map(|line| (line.content, line.ending)).collect();
            assert_eq!(got, want, "{text:?}");
        }
    }
}
