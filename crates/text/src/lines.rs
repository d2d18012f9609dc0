//! What a line is: content and ending (spec: text-engine.md §1 "Text and lines").

use serde::{Deserialize, Serialize};

/// How a line ends. Only the last line of a text may have no ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Ending {
    Lf,
    Crlf,
    None,
}

impl Ending {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line<'t> {
    /// Without the ending.
    pub content: &'t str,
    /// What ends it.
    pub ending: Ending,
}

/// The lines of a text: LF and CRLF end a line, nothing else does. The empty text has none.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(content) => Line { content, ending: Ending::Crlf },
            None => match line.strip_suffix('\n') {
                Some(content) => Line { content, ending: Ending::Lf },
                None => Line { content: line, ending: Ending::None },
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lf_and_crlf_end_a_line() {
        let cases = [
            ("", vec![]),
            ("\n", vec![("", Ending::Lf)]),
            ("a\r\nb", vec![("a", Ending::Crlf), ("b", Ending::None)]),
            ("a\rb\u{2028}c\n", vec![("a\rb\u{2028}c", Ending::Lf)]),
            ("a\r\r\n", vec![("a\r", Ending::Crlf)]),
        ];
        for (text, want) in cases {
            let got: Vec<_> = lines(text).into_iter().map(|line| (line.content, line.ending)).collect();
            assert_eq!(got, want, "{text:?}");
        }
    }
}
