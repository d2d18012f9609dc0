//! Rules and declarations of a stylesheet, as far as a bundler breaks off at them: a rule without a block, a declaration
//! without a colon, a selector that none can be.
//!
//! Invariant: what stands in a block whose grammar is not known here (`@keyframes`, `@font-face`, any other name) is not
//! judged, and neither are values.

use std::ops::Range;

use cssparser::Token;

use super::tokens::tokens;
use crate::{SyntaxError, SyntaxErrorKind};

/// What the grammar allows inside a block.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    Rules,
    /// Declarations and rules inside a rule.
    Style,
    Other,
}

type Piece<'t> = (Token<'t>, Range<usize>);

/// The first fault of a text that [`read`](super::read) takes.
pub fn fault(text: &str) -> Option<SyntaxError> {
    let (mut open, mut prelude): (Vec<Block>, Vec<Piece<'_>>) = (vec![Block::Rules], Vec::new());
    let mut depth = 0_usize;
    for (token, span) in tokens(text) {
        let block = *open.last().unwrap_or(&Block::Other);
        match token {
            Token::Comment(_) => continue,
            Token::CDO | Token::CDC if block == Block::Rules => continue,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => depth += 1,
            Token::CloseParenthesis | Token::CloseSquareBracket => depth = depth.saturating_sub(1),
            // Of a block inside brackets nothing is known.
            Token::CurlyBracketBlock if depth > 0 => return None,
            Token::CurlyBracketBlock => {
                match entered(block, &prelude) {
                    Ok(inner) => open.push(inner),
                    Err(error) => return Some(error),
                }
                prelude.clear();
                continue;
            }
            Token::CloseCurlyBracket => {
                if let Some(error) = ended(block, &prelude) {
                    return Some(error);
                }
                open.pop();
                prelude.clear();
                continue;
            }
            Token::Semicolon if depth == 0 => {
                let is_rule = matches!(prelude.first(), Some((Token::AtKeyword(_), _)));
                if block == Block::Rules && !is_rule {
                    // The rule goes on behind it, and no selector has one.
                    return Some(error(&prelude, span.start, SyntaxErrorKind::BadSelector));
                }
                if let Some(error) = ended(block, &prelude).filter(|_| !is_rule) {
                    return Some(error);
                }
                prelude.clear();
                continue;
            }
            Token::WhiteSpace(_) if prelude.is_empty() => continue,
            _ => {}
        }
        prelude.push((token, span));
    }
    ended(*open.first()?, &prelude)
}

fn error(prelude: &[Piece<'_>], end: usize, kind: SyntaxErrorKind) -> SyntaxError {
    SyntaxError { offset: prelude.first().map_or(end, |(_, span)| span.start), kind }
}

/// What the block behind a prelude holds.
fn entered(block: Block, prelude: &[Piece<'_>]) -> Result<Block, SyntaxError> {
    if block == Block::Other {
        return Ok(Block::Other);
    }
    if let Some((Token::AtKeyword(name), _)) = prelude.first() {
        let name = name.to_ascii_lowercase();
        let passes = ["media", "supports", "layer", "container", "starting-style"].contains(&name.as_str());
        return Ok(if passes { block } else { Block::Other });
    }
    // A custom property may hold a block.
    if matches!(prelude.first(), Some((Token::Ident(name), _)) if name.starts_with("--")) {
        return Ok(Block::Other);
    }
    match bad_selector(prelude, block == Block::Style) {
        Some(offset) => Err(SyntaxError { offset, kind: SyntaxErrorKind::BadSelector }),
        None => Ok(Block::Style),
    }
}

/// What is wrong with a text that a block or a `;` ends.
fn ended(block: Block, prelude: &[Piece<'_>]) -> Option<SyntaxError> {
    let (first, rest) = prelude.split_first()?;
    match (block, &first.0) {
        (Block::Other, _) | (_, Token::AtKeyword(_)) => None,
        (Block::Rules, _) => Some(error(prelude, 0, SyntaxErrorKind::NoBlock)),
        (Block::Style, token) => {
            let next = rest.iter().map(|(token, _)| token).find(|token| !matches!(token, Token::WhiteSpace(_)));
            let is_declaration = matches!(token, Token::Ident(_)) && matches!(next, Some(Token::Colon));
            (!is_declaration).then(|| error(prelude, 0, SyntaxErrorKind::NoColon))
        }
    }
}

/// What a selector may go on with.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// Nothing yet, in this selector of the list.
    Start,
    Compound,
    Combinator,
}

/// Where a list of selectors is none; `nested`: a selector may begin with a combinator.
fn bad_selector(prelude: &[Piece<'_>], nested: bool) -> Option<usize> {
    let end = prelude.last().map_or(0, |(_, span)| span.end);
    let (mut last, mut depth, mut at) = (Last::Start, 0_usize, 0);
    while let Some((token, span)) = prelude.get(at) {
        at += 1;
        let next = prelude.get(at).map(|(token, _)| token);
        match token {
            Token::CloseParenthesis | Token::CloseSquareBracket => depth = depth.saturating_sub(1),
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock if depth > 0 => depth += 1,
            _ if depth > 0 => {}
            Token::WhiteSpace(_) => {}
            Token::SquareBracketBlock => (depth, last) = (1, Last::Compound),
            Token::Comma if last == Last::Compound => last = Last::Start,
            Token::Delim('>' | '+' | '~') if last == Last::Compound || (nested && last == Last::Start) => {
                last = Last::Combinator;
            }
            Token::Delim('*' | '&' | '|') | Token::Ident(_) | Token::IDHash(_) => last = Last::Compound,
            Token::Delim('.') if matches!(next, Some(Token::Ident(_))) => (at, last) = (at + 1, Last::Compound),
            Token::Colon => {
                let name = if matches!(next, Some(Token::Colon)) { at + 1 } else { at };
                match prelude.get(name).map(|(token, _)| token) {
                    Some(Token::Ident(_)) => (at, last) = (name + 1, Last::Compound),
                    Some(Token::Function(_)) => (at, depth, last) = (name + 1, 1, Last::Compound),
                    _ => return Some(span.start),
                }
            }
            _ => return Some(span.start),
        }
    }
    (last != Last::Compound).then_some(end)
}
