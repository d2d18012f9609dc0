//! Stylesheets: every address that CSS would load, and every text that Vite would make an `@import` of.
//!
//! Read by the tokenizer of CSS Syntax Level 3, so escapes, letter case and comments between tokens make no difference
//! (`@\69mport/**/URL(x)`). A byte order mark is skipped.
//! - `@import` counts wherever a rule may begin, also inside a block: CSS ignores it there, but Vite moves it to the top
//!   of the built stylesheet, where it is loaded.
//! - A `url()` that the grammar calls bad because of a blank, quote or parenthesis in it is reported with its text:
//!   Vite resolves it, and writes it quoted.
//! - `@namespace url(…)` names something and loads nothing; it is not reported.

mod grammar;
mod hoisted;
mod tokens;

use std::ops::Range;

use cssparser::Token;

use crate::{MAX_SYNTAX_DEPTH, SyntaxError, SyntaxErrorKind};
pub use grammar::fault;
use tokens::tokens;

/// What a stylesheet names. Spans lie between the quotes or, of an unquoted `url()`, between its outer blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The address of an `@import` rule, without its escapes.
    Import { address: String, span: Range<usize> },
    /// The address of a `url()` anywhere else, or of a string in `image-set()`, without its escapes.
    Url { address: String, span: Range<usize> },
    /// `@import` in lower case and all up to the next `;` or the end, outside comments, wherever it stands: a string, a
    /// custom property, a data address, or a rule that is an [`Reference::Import`] too. Vite moves such texts to the top
    /// of the built stylesheet. In `text` comments are blanks, so that it is as long as the span; `address` is what
    /// an `@import` rule of this text would load.
    Hoisted { text: String, address: Option<String>, span: Range<usize> },
}

impl Reference {
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Import { span, .. } | Self::Url { span, .. } | Self::Hoisted { span, .. } => span.clone(),
        }
    }
}

/// Everything that a stylesheet names, by where it stands. Of several faults the first in the text is reported; of
/// brackets that the end leaves open, the innermost.
pub fn read(text: &str) -> Result<Vec<Reference>, SyntaxError> {
    let mut found = Scan::default();
    found.run(text)?;
    let mut references = found.references;
    references.extend(hoisted::find(text));
    references.sort_by_key(|reference| reference.span().start);
    Ok(references)
}

/// What the next token means because of the one before it; blanks and comments between them do not count.
#[derive(Clone, Copy, Default, PartialEq)]
enum Expected {
    /// A token at which a rule may begin.
    #[default]
    Rule,
    Other,
    ImportAddress,
    /// The string in `@import url("…")`.
    ImportString,
    /// The string in a `url("…")` of no import.
    UrlString,
}

struct Open {
    closer: u8,
    offset: usize,
    is_image_set: bool,
}

#[derive(Default)]
struct Scan {
    references: Vec<Reference>,
    open: Vec<Open>,
    expected: Expected,
    is_namespace: bool,
}

impl Scan {
    /// Reads to the end or to the first fault; what was found before a fault stays.
    fn run(&mut self, text: &str) -> Result<(), SyntaxError> {
        for (token, span) in tokens(text) {
            let fault = |kind| Err(SyntaxError { offset: span.start, kind });
            if let Some(kind) = tokens::unclosed(&token, &text[span.clone()]) {
                return fault(kind);
            }
            match &token {
                Token::WhiteSpace(_) | Token::Comment(_) | Token::CDO | Token::CDC => continue,
                Token::Function(_) | Token::ParenthesisBlock => self.open(b')', &token, &span)?,
                Token::SquareBracketBlock => self.open(b']', &token, &span)?,
                Token::CurlyBracketBlock => self.open(b'}', &token, &span)?,
                Token::CloseParenthesis | Token::CloseSquareBracket | Token::CloseCurlyBracket => {
                    let closer = text.as_bytes()[span.start];
                    if self.open.pop().is_none_or(|open| open.closer != closer) {
                        return fault(SyntaxErrorKind::StrayCloser);
                    }
                }
                _ => {}
            }
            self.expected = self.take(&token, text, &span);
        }
        match self.open.last() {
            None => Ok(()),
            Some(Open { closer: b'}', offset, .. }) => {
                Err(SyntaxError { offset: *offset, kind: SyntaxErrorKind::UnclosedBlock })
            }
            Some(Open { offset, .. }) => Err(SyntaxError { offset: *offset, kind: SyntaxErrorKind::UnclosedBracket }),
        }
    }

    fn open(&mut self, closer: u8, token: &Token, span: &Range<usize>) -> Result<(), SyntaxError> {
        if self.open.len() == MAX_SYNTAX_DEPTH {
            return Err(SyntaxError { offset: span.start, kind: SyntaxErrorKind::TooDeep });
        }
        let is_image_set = matches!(token, Token::Function(name)
            if name.eq_ignore_ascii_case("image-set") || name.eq_ignore_ascii_case("-webkit-image-set"));
        self.open.push(Open { closer, offset: span.start, is_image_set });
        Ok(())
    }

    /// Notes the address that a token is, and says what the token lets expect of the next one.
    fn take(&mut self, token: &Token, text: &str, span: &Range<usize>) -> Expected {
        let is_import = matches!(self.expected, Expected::ImportAddress | Expected::ImportString);
        match token {
            Token::AtKeyword(name) if self.expected == Expected::Rule => {
                self.is_namespace = name.eq_ignore_ascii_case("namespace");
                return if name.eq_ignore_ascii_case("import") { Expected::ImportAddress } else { Expected::Other };
            }
            Token::Semicolon | Token::CurlyBracketBlock | Token::CloseCurlyBracket => {
                self.is_namespace = false;
                return Expected::Rule;
            }
            // Only before a string is this a function: with anything else in it, it is a token of its own.
            Token::Function(name) if name.eq_ignore_ascii_case("url") => {
                return if is_import { Expected::ImportString } else { Expected::UrlString };
            }
            Token::QuotedString(address)
                if is_import || self.expected == Expected::UrlString || self.is_in_image_set() =>
            {
                self.note(is_import, address.as_ref().to_owned(), span.start + 1..span.end - 1);
            }
            Token::UnquotedUrl(address) => {
                self.note(is_import, address.as_ref().to_owned(), tokens::url_span(text, span));
            }
            Token::BadUrl(_) => {
                let inside = tokens::url_span(text, span);
                self.note(is_import, tokens::unescaped(&text[inside.clone()]), inside);
            }
            _ => {}
        }
        Expected::Other
    }

    fn is_in_image_set(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_image_set)
    }

    fn note(&mut self, is_import: bool, address: String, span: Range<usize>) {
        if is_import {
            self.references.push(Reference::Import { address, span });
        } else if !self.is_namespace {
            self.references.push(Reference::Url { address, span });
        }
    }
}
