//! What makes a text unreadable.

use std::fmt;

use thiserror::Error;

/// Why a text is not read, and the byte where that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct SyntaxError {
    pub offset: usize,
    pub kind: SyntaxErrorKind,
}

/// Of HTML only [`SyntaxErrorKind::TooDeep`]: every other text is a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    UnclosedBlock,
    UnclosedBracket,
    UnclosedString,
    UnclosedComment,
    StrayCloser,
    BadSelector,
    NoBlock,
    NoColon,
    TooDeep,
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnclosedBlock => "this block is never closed: add `}`",
            Self::UnclosedBracket => "this bracket is never closed",
            Self::UnclosedString => "this string is not closed on its line",
            Self::UnclosedComment => "this comment is never closed: add `*/`",
            Self::StrayCloser => "nothing is open that this would close",
            Self::BadSelector => "this is no selector",
            Self::NoBlock => "a block is missing behind this: add `{ … }`",
            Self::NoColon => "this is no declaration: write a name, `:` and a value",
            Self::TooDeep => "more is open at once than is read",
        })
    }
}
