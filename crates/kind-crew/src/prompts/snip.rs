//! Texts made short (spec: ai-sessions.md §7.2).
//!
//! Invariant: what comes out is one line, so that a text of others adds no line to a list.

/// The text with every run of white space as one space, and none at its ends.
pub fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most `most` characters of the text, in one line; what is cut ends in `…`.
pub fn snip(text: &str, most: usize) -> String {
    let line = collapse(text);
    if line.chars().nth(most).is_none() {
        return line;
    }
    let part: String = line.chars().take(most - 1).collect();
    format!("{}…", part.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space_and_the_limit_itself_is_allowed() {
        let cases = [
            ("", 5, ""),
            (" \n\t\u{3000}", 5, ""),
            (" a \u{a0}\n b\u{2028}c ", 5, "a b c"),
            ("12345", 5, "12345"),
            ("123456", 5, "1234…"),
            ("123 56", 5, "123…"),
            ("åäö面包店", 5, "åäö面…"),
            ("👩‍🍳👩‍🍳", 2, "👩…"),
            ("ab", 1, "…"),
        ];
        for (text, most, want) in cases {
            assert_eq!(snip(text, most), want, "{text:?}");
        }
    }
}
