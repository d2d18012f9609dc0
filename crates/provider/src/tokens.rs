//! Tokens of the scripted server: a match of `\s*\S{1,5}|\s+$`, the unit of pacing, faults and counted usage.
//!
//! Invariant: the tokens of a text, joined, are the text.

/// Characters of one token besides the white space before it.
const TOKEN_CHARS: usize = 5;

/// Cuts a text into tokens.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut solid = 0;
    for (at, c) in text.char_indices() {
        let ends = solid == TOKEN_CHARS || (solid > 0 && c.is_whitespace());
        if ends {
            found.push(&text[start..at]);
            (start, solid) = (at, 0);
        }
        solid += usize::from(!c.is_whitespace());
    }
    if start < text.len() {
        found.push(&text[start..]);
    }
    found
}

/// How many tokens a text has.
pub fn count(text: &str) -> u64 {
    tokens(text).len() as u64
}

#[cfg(test)]
mod tests {
    use super::tokens;
    use proptest::prelude::*;

    #[test]
    fn as_the_pattern_says() {
        assert_eq!(tokens("hello world  x \n"), ["hello", " world", "  x", " \n"]);
        assert!(tokens("").is_empty());
    }

    proptest! {
        #[test]
        fn equal_to_the_pattern(text in "[ab ö\n]{0,40}") {
            let pattern = regex::Regex::new(r"\s*\S{1,5}|\s+$").unwrap();
            let want: Vec<&str> = pattern.find_iter(&text).map(|found| found.as_str()).collect();
            prop_assert_eq!(tokens(&text), want);
        }
    }
}
