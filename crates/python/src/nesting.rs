//! How much stack a text may cost, before a parser or a tree is asked to follow.
//!
//! Why: parser and tree go as deep as the text does, and a Wasm stack is small. Counts from tokens alone, so that no
//! text is too deep for it. What counts is what recurses: an operator gives its level back as soon as a weaker one
//! follows, and texts and continued lines cost nothing. The limits lie above what programs have; CPython refuses 200
//! brackets, 100 indentations and some 3,000 levels of a tree.

mod operand;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer::lex};

use operand::Depth;

/// What may be open at once, in units of which the stack of a page's Web Worker holds 6,000 (`operand.rs`).
const MAX_COST: u32 = 3_200;
/// Levels of the tree of one value: sums, calls and members in a row.
const MAX_LINKS: u32 = 2_000;
const MAX_BRACKETS: usize = 200;
const MAX_INDENTS: u32 = 99;

/// The byte offset where a text becomes too deep.
pub fn too_deep(text: &str) -> Option<usize> {
    let has_stairs = stairs(text) > MAX_INDENTS;
    let exceeds = |text: &str| exceeds(text, has_stairs);
    // The lexer does not say where it is: the place is found by asking for shorter texts.
    exceeds(text).then(|| {
        let (mut fits, mut exceeding) = (0, text.len());
        while exceeding - fits > 1 {
            let middle = text.floor_char_boundary(fits.midpoint(exceeding));
            if middle == fits {
                break;
            }
            if exceeds(&text[..middle]) { exceeding = middle } else { fits = middle }
        }
        fits
    })
}

/// How many lines, with others between them, are each indented deeper than the one before: as many blocks can lie in each
/// other at most, wherever the lexer sees them.
fn stairs(text: &str) -> u32 {
    let mut smallest: Vec<usize> = Vec::new();
    for line in text.split(['\n', '\r']) {
        let rest = line.trim_start_matches([' ', '\t', '\u{c}']);
        let width = line.len() - rest.len();
        if width > 0 && !rest.is_empty() {
            let place = smallest.partition_point(|known| *known < width);
            match smallest.get_mut(place) {
                Some(known) => *known = width,
                None => smallest.push(width),
            }
        }
    }
    u32::try_from(smallest.len()).unwrap_or(u32::MAX)
}

/// Whether a text costs too much. In a bracket that never closes the parser finds its way back at the next statement, and
/// sees blocks that the lexer alone does not: where there are `stairs` for them, what looks like one counts.
fn exceeds(text: &str, has_stairs: bool) -> bool {
    let mut depth = Depth::default();
    let mut lexer = lex(text, Mode::Module);
    let (mut indents, mut hidden) = (0_u32, 0_u32);
    let mut behind_colon = false;
    loop {
        let kind = lexer.next_token();
        match kind {
            TokenKind::EndOfFile => return false,
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::NonLogicalNewline if behind_colon => hidden += 1,
            _ => {}
        }
        if kind != TokenKind::Comment {
            behind_colon = kind == TokenKind::Colon;
        }
        depth.take(kind);
        let blocks = if has_stairs { indents + hidden } else { indents };
        let is_high = depth.open() > MAX_COST || depth.links() > MAX_LINKS || depth.brackets() > MAX_BRACKETS;
        if is_high || blocks > MAX_INDENTS {
            return true;
        }
    }
}

#[cfg(test)]
mod tests;
