//! Text that others wrote, as a terminal may show it.
//!
//! Invariant: no name, message or value of a bundle or a model moves the cursor, colours, hides or turns around what
//! stands beside it.

use std::borrow::Cow;

/// `text` with control characters (but line ends and tabs) and marks of direction written as escapes, `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let escaped = text.chars().fold(String::with_capacity(text.len()), |mut out, character| {
        if hidden(character) {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
        out
    });
    Cow::Owned(escaped)
}

fn hidden(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || character.is_control() && !matches!(character, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(
            visible("\u{1b}[2Jgone \u{9b}31m \u{7} \u{202e}txt.exe"),
            r"\u{1b}[2Jgone \u{9b}31m \u{7} \u{202e}txt.exe"
        );
        for plain in ["Türen, 梁", "two\nlines\tand a tab", ""] {
            assert!(matches!(visible(plain), Cow::Borrowed(same) if same == plain));
        }
    }
}
