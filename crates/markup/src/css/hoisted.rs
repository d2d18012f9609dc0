//! What Vite takes for imports when it has put the stylesheets of a chunk together.

use cssparser::Token;

use super::Reference;
use super::tokens::{tokens, unescaped};

const IMPORT: &str = "@import";

/// Every `@import[^;]*;` outside comments. One that no `;` ends reaches to the end of the text: stylesheets are put
/// together before Vite looks, so the next one may hold the `;`.
pub fn find(text: &str) -> Vec<Reference> {
    let clean = without_comments(text);
    let mut found = Vec::new();
    let mut read = 0;
    while let Some(at) = clean[read..].find(IMPORT) {
        let start = read + at;
        let end = clean[start..].find(';').map_or(clean.len(), |at| start + at + 1);
        let text = clean[start..end].to_owned();
        found.push(Reference::Hoisted { address: address(text.trim_end_matches(';')), text, span: start..end });
        read = end;
    }
    found
}

/// Comments as Vite sees them: from any `/*` to the next `*/`, also in strings; without an end it is none.
fn without_comments(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        let Some(length) = rest[start + 2..].find("*/").map(|at| at + 4) else { break };
        clean.push_str(&rest[..start]);
        clean.extend(std::iter::repeat_n(' ', length));
        rest = &rest[start + length..];
    }
    clean.push_str(rest);
    clean
}

/// What the text loads as a rule at the top of a stylesheet, also where its string or `url()` is cut off.
fn address(text: &str) -> Option<String> {
    let mut rest =
        tokens(text).map(|(token, _)| token).filter(|token| !matches!(token, Token::WhiteSpace(_) | Token::Comment(_)));
    if !matches!(rest.next()?, Token::AtKeyword(name) if name.eq_ignore_ascii_case("import")) {
        return None;
    }
    let first = match rest.next()? {
        Token::Function(name) if name.eq_ignore_ascii_case("url") => rest.next()?,
        token => token,
    };
    match first {
        Token::QuotedString(address) | Token::UnquotedUrl(address) => Some(address.as_ref().to_owned()),
        Token::BadUrl(written) => Some(unescaped(&written)),
        _ => None,
    }
}
