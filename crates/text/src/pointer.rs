//! Tokens of a JSON Pointer (RFC 6901): the one place that escapes them. It stands in the lowest crate that names places.

use std::fmt::Display;

/// A token as it stands in a pointer.
pub fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// The token that stands so in a pointer.
pub fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// A pointer to a member or item below another.
///
/// ```
/// assert_eq!(holdpoint_text::pointer::join("/a", "b/c~d"), "/a/b~1c~0d");
/// ```
pub fn join(pointer: &str, token: impl Display) -> String {
    format!("{pointer}/{}", escape(&token.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_token_is_read_as_it_was_written(token in "[~/01a]{0,8}") {
            let escaped = escape(&token);
            prop_assert!(!escaped.contains('/'));
            prop_assert_eq!(unescape(&escaped), token);
        }
    }
}
