//! `MARKUP_NOT_ALLOWED`: tags and script links in texts for people (spec: ifc-extension.md §4 "Markup").
//!
//! Why: the renderer makes text nodes only; a tag would be shown as written, and shows what its author expected.

use std::sync::LazyLock;

use holdpoint_check::{Diagnostic, args, codes};
use regex::Regex;

codes! {
    /// a tag or script link in a text for people
    MARKUP_NOT_ALLOWED: Error, "Write plain text: tags, comments and script links are not taken.";
}

static MARKUP: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)</?[a-z][a-z0-9-]*(?:/?>|\s[^<>]*>)|<!--|\]\(\s*(?:javascript|data|vbscript):";
    Regex::new(pattern).expect("the pattern is constant")
});

/// The finding for a text, without a place.
pub fn check(text: &str) -> Option<Diagnostic> {
    MARKUP.is_match(text).then(|| Diagnostic::of(&MARKUP_NOT_ALLOWED, args! {}))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn tags_and_lookalikes() {
        let markup = [
            "<b>",
            "</b>",
            "<br/>",
            "<a href='x'>",
            "a <my-tag >",
            "<!-- x",
            "[x](javascript:y)",
            "[x](DATA:y)",
            "[x](vbscript:y)",
            "<img src=x onerror=y>",
        ];
        for text in markup {
            assert!(check(text).is_some(), "{text}");
        }
        let plain = ["a < b", "1<2", "<https://example.org>", "a<b", "<b", "[x](https://example.org)", "<b <c", "<1>"];
        for text in plain {
            assert!(check(text).is_none(), "{text}");
        }
    }
}
