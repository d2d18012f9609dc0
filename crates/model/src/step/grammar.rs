//! The grammar of one record, once, for checking and for decoding.
//!
//! A [`Build`] says what becomes of each value. The check of a whole file builds `()`, which allocates nothing.

use super::lex::{Cursor, Fault, Token};
use crate::codes::{NO_BRACKET, NO_COMMA, NO_EQUALS, TOO_DEEP};

/// Lists and typed values may nest this deep; real files stay below ten.
const MAX_NESTING: usize = 64;

/// What becomes of the values of a record.
pub(crate) trait Build {
    type Out;
    fn scalar(&mut self, token: Token<'_>) -> Self::Out;
    /// A reference to a number that is out of range. In a list nothing takes its place, as an attribute it is null.
    fn far(&mut self, _digits: &[u8]) {}
    fn list(&mut self, items: Vec<Self::Out>) -> Self::Out;
    fn typed(&mut self, keyword: &[u8], value: Vec<Self::Out>) -> Self::Out;
}

/// `#12=KEYWORD(…);` without the values: its number and keyword, the cursor before the bracket.
pub(crate) fn record_head<'a>(cursor: &mut Cursor<'a>) -> Result<(u32, &'a [u8]), Fault> {
    let id = cursor.reference()?;
    cursor.expect(b'=', &NO_EQUALS)?;
    let keyword = cursor.keyword()?;
    Ok((id, keyword))
}

pub(crate) fn values<B: Build>(cursor: &mut Cursor<'_>, build: &mut B, depth: usize) -> Result<Vec<B::Out>, Fault> {
    if depth > MAX_NESTING {
        return Err(Fault::Unexpected(&TOO_DEEP));
    }
    cursor.expect(b'(', &NO_BRACKET)?;
    let mut items = Vec::new();
    cursor.skip_trivia();
    if cursor.peek() == Some(b')') {
        cursor.at += 1;
        return Ok(items);
    }
    loop {
        items.extend(value(cursor, build, depth)?);
        cursor.skip_trivia();
        match cursor.peek() {
            Some(b',') => cursor.at += 1,
            Some(b')') => {
                cursor.at += 1;
                return Ok(items);
            }
            Some(_) => return Err(Fault::Unexpected(&NO_COMMA)),
            None => return Err(Fault::End),
        }
    }
}

/// The value at a position of a record that was checked before, the cursor before its bracket; those before it are
/// passed over. `None` where the record ends before it.
pub(crate) fn nth<B: Build>(cursor: &mut Cursor<'_>, position: usize, build: &mut B) -> Result<Option<B::Out>, Fault> {
    cursor.expect(b'(', &NO_BRACKET)?;
    let (mut passed, mut depth) = (0, 0_usize);
    while passed < position {
        cursor.skip_trivia();
        match cursor.peek().ok_or(Fault::End)? {
            b')' if depth == 0 => return Ok(None),
            sign @ (b'(' | b')' | b',') => {
                depth = depth + usize::from(sign == b'(') - usize::from(sign == b')');
                passed += usize::from(sign == b',' && depth == 0);
                cursor.at += 1;
            }
            first if first.is_ascii_alphabetic() || first == b'_' => {
                cursor.keyword()?;
            }
            _ => {
                cursor.token()?;
            }
        }
    }
    cursor.skip_trivia();
    if cursor.peek() == Some(b')') { Ok(None) } else { value(cursor, build, 0) }
}

fn value<B: Build>(cursor: &mut Cursor<'_>, build: &mut B, depth: usize) -> Result<Option<B::Out>, Fault> {
    cursor.skip_trivia();
    match cursor.peek() {
        Some(b'(') => {
            let items = values(cursor, build, depth + 1)?;
            Ok(Some(build.list(items)))
        }
        Some(first) if first.is_ascii_alphabetic() || first == b'_' => {
            let keyword = cursor.keyword()?;
            let inner = values(cursor, build, depth + 1)?;
            Ok(Some(build.typed(keyword, inner)))
        }
        _ => match cursor.token()? {
            Token::Far(digits) => {
                build.far(digits);
                Ok((depth == 0).then(|| build.scalar(Token::Null)))
            }
            token => Ok(Some(build.scalar(token))),
        },
    }
}

/// Collects the references of a record and builds nothing else.
#[derive(Debug, Default)]
pub(crate) struct References {
    pub(crate) ids: Vec<u32>,
    /// Digits of those that are out of range.
    pub(crate) far: Vec<String>,
}

impl Build for References {
    type Out = ();
    fn scalar(&mut self, token: Token<'_>) {
        if let Token::Ref(id) = token {
            self.ids.push(id);
        }
    }
    fn far(&mut self, digits: &[u8]) {
        self.far.push(String::from_utf8_lossy(digits).into_owned());
    }
    fn list(&mut self, _: Vec<()>) {}
    fn typed(&mut self, _: &[u8], _: Vec<()>) {}
}
