//! Values that folding knows, and how they become text.

use super::Choices;
use crate::limits::{FOLD_STEP_BYTES, MAX_FOLDED_BYTES};

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    Counter,
    Unknown,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string; neighbouring constant pieces are joined.
    Text(Vec<Piece>),
    Number(f64),
    /// A number that only counts.
    Counter,
    Word(&'static str),
    List(Vec<Choices>),
    Unknown,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(vec![Piece::Text(text.to_owned())])
    }

    /// The value as text, when it is constant.
    pub fn constant(&self) -> Option<String> {
        match self.pieces().as_slice() {
            [] => Some(String::new()),
            [Piece::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }

    /// The value as the text that concatenation makes of it.
    pub fn pieces(&self) -> Vec<Piece> {
        match self {
            Self::Text(pieces) => pieces.clone(),
            Self::Number(number) => vec![Piece::Text(number_text(*number))],
            Self::Counter => vec![Piece::Counter],
            Self::Word(word) => vec![Piece::Text((*word).to_owned())],
            Self::List(_) | Self::Unknown => vec![Piece::Unknown],
        }
    }

    /// Steps that it costs to make or to copy.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Text(pieces) => {
                let bytes = |piece: &Piece| if let Piece::Text(text) = piece { text.len() } else { 0 };
                1 + pieces.len() + pieces.iter().map(bytes).sum::<usize>() / FOLD_STEP_BYTES
            }
            Self::List(items) => 1 + items.iter().flatten().map(Self::steps).sum::<usize>() + items.len(),
            _ => 1,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Number(number) => Self::Number(-number),
            Self::Counter => Self::Counter,
            _ => Self::Unknown,
        }
    }

    pub(super) fn arithmetic(&self, other: &Self, with: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Self::Number(with(*a, *b)),
            (Self::Number(_) | Self::Counter, Self::Number(_) | Self::Counter) => Self::Counter,
            _ => Self::Unknown,
        }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Text(_), _) | (_, Self::Text(_)) => self.concat(other),
            _ => self.arithmetic(other, |a, b| a + b),
        }
    }

    /// Both as text, one behind the other.
    pub(super) fn concat(&self, other: &Self) -> Self {
        let mut pieces = self.pieces();
        for piece in other.pieces() {
            match (pieces.last_mut(), piece) {
                (Some(Piece::Text(text)), Piece::Text(more)) => text.push_str(&more),
                (_, piece) => pieces.push(piece),
            }
        }
        let length: usize = pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 1 }).sum();
        if length > MAX_FOLDED_BYTES { Self::Text(shortened(pieces)) } else { Self::Text(pieces) }
    }
}

/// A text over the limit: its beginning stays known.
fn shortened(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.truncate(1);
    if let Some(Piece::Text(text)) = pieces.first_mut() {
        let end = text.floor_char_boundary(MAX_FOLDED_BYTES);
        text.truncate(end);
    }
    pieces.push(Piece::Unknown);
    pieces
}

fn number_text(number: f64) -> String {
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}
