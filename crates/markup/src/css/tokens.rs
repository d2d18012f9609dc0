//! The tokens of a stylesheet in one flat row, and whether each of them ends.

use std::ops::Range;

use cssparser::{Parser, ParserInput, Token};

use crate::SyntaxErrorKind;

const BLANKS: [char; 5] = [' ', '\t', '\n', '\r', '\u{c}'];

/// Tokens with their spans, blanks and comments among them; a byte order mark is none.
pub fn tokens(text: &str) -> impl Iterator<Item = (Token<'_>, Range<usize>)> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let base = text.len() - unmarked.len();
    let mut input = ParserInput::new(unmarked);
    std::iter::from_fn(move || {
        // A parser remembers a bracket that its last token opened, and skips to its end. A new one does not.
        let mut parser = Parser::new(&mut input);
        let start = parser.position().byte_index();
        if start >= unmarked.len() {
            return None;
        }
        let token = parser.next_including_whitespace_and_comments().ok()?.clone();
        let end = parser.position().byte_index();
        Some((token, base + start..base + end))
    })
}

/// What the token, written so, leaves open. The grammar closes everything at the end of the text without a word.
pub fn unclosed(token: &Token, written: &str) -> Option<SyntaxErrorKind> {
    let (is_closed, kind) = match token {
        Token::Comment(_) => (written.len() >= 4 && written.ends_with("*/"), SyntaxErrorKind::UnclosedComment),
        Token::QuotedString(_) => {
            (written.len() >= 2 && ends_with(written, written.as_bytes()[0]), SyntaxErrorKind::UnclosedString)
        }
        Token::BadString(_) => (false, SyntaxErrorKind::UnclosedString),
        Token::UnquotedUrl(_) | Token::BadUrl(_) => (ends_with(written, b')'), SyntaxErrorKind::UnclosedBracket),
        _ => return None,
    };
    (!is_closed).then_some(kind)
}

/// Whether the last byte is this one and no backslash escapes it.
fn ends_with(written: &str, last: u8) -> bool {
    let Some((end, before)) = written.as_bytes().split_last() else { return false };
    *end == last && !is_escaped(before)
}

/// Whether what follows these bytes is escaped by them.
fn is_escaped(before: &[u8]) -> bool {
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// What stands in a closed `url(…)` without quotes, outer blanks cut off.
pub fn url_span(text: &str, span: &Range<usize>) -> Range<usize> {
    let written = &text[span.start..span.end - 1];
    // The name may be written with escapes, of which none can be a parenthesis.
    let inside = written.find('(').map_or(written, |opened| &written[opened + 1..]).trim_start_matches(BLANKS);
    let mut kept = inside.trim_end_matches(BLANKS).len();
    if kept < inside.len() && is_escaped(&inside.as_bytes()[..kept]) {
        kept += 1;
    }
    let start = span.end - 1 - inside.len();
    start..start + kept
}

/// The text of a `url()` that is no token of the grammar, its escapes read as in one that is.
pub fn unescaped(written: &str) -> String {
    let mut address = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        address.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            let Some(plain) = rest.chars().next() else { break };
            address.push(plain);
            rest = &rest[plain.len_utf8()..];
        } else {
            let code = u32::from_str_radix(&rest[..digits], 16).ok().filter(|code| *code != 0);
            address.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &rest[digits..];
            rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(BLANKS)).unwrap_or(rest);
        }
    }
    address.push_str(rest);
    address
}
