//! One value of a record, decoded, and its text.
//!
//! Invariant: reading what `Display` writes gives the same value.

use std::fmt;

use super::grammar::{self, Build};
use super::lex::{Cursor, Fault, Token};
use super::text;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Arg {
    Null,
    Derived,
    Integer(i64),
    Real(f64),
    Text(String),
    Enum(String),
    Binary(String),
    Ref(u32),
    List(Vec<Arg>),
    Typed(String, Box<Arg>),
}

impl Arg {
    pub(crate) fn text(value: &str) -> Self {
        Self::Text(value.to_owned())
    }

    pub(crate) fn item(value: &str) -> Self {
        Self::Enum(value.to_owned())
    }

    pub(crate) fn typed(keyword: &str, value: Arg) -> Self {
        Self::Typed(keyword.to_owned(), Box::new(value))
    }

    pub(crate) fn refs(ids: impl IntoIterator<Item = u32>) -> Self {
        Self::List(ids.into_iter().map(Arg::Ref).collect())
    }

    pub(crate) fn reals(values: impl IntoIterator<Item = f64>) -> Self {
        Self::List(values.into_iter().map(Arg::Real).collect())
    }

    /// The text, also inside a typed value.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Typed(_, inner) => inner.as_text(),
            _ => None,
        }
    }

    pub(crate) fn as_ref(&self) -> Option<u32> {
        match self {
            Self::Ref(id) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Typed(_, inner) => inner.as_number(),
            _ => None,
        }
    }

    pub(crate) fn as_enum(&self) -> Option<&str> {
        match self {
            Self::Enum(item) => Some(item),
            _ => None,
        }
    }

    /// Every reference in it, in order.
    pub(crate) fn references(&self) -> Vec<u32> {
        match self {
            Self::Ref(id) => vec![*id],
            Self::List(items) => items.iter().flat_map(Arg::references).collect(),
            Self::Typed(_, inner) => inner.references(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("$"),
            Self::Derived => out.write_str("*"),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Real(number) => out.write_str(&real(*number)),
            Self::Text(value) => out.write_str(&text::encode(value)),
            Self::Enum(item) => write!(out, ".{item}."),
            Self::Binary(digits) => write!(out, "\"{digits}\""),
            Self::Ref(id) => write!(out, "#{id}"),
            Self::List(items) => {
                out.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "," };
                    write!(out, "{separator}{item}")?;
                }
                out.write_str(")")
            }
            Self::Typed(keyword, inner) => write!(out, "{keyword}({inner})"),
        }
    }
}

/// A real needs a dot and a big `E`: `0.`, `2.1`, `1.E-7`.
fn real(number: f64) -> String {
    let plain = format!("{number:?}");
    match plain.split_once('e') {
        Some((mantissa, exponent)) if mantissa.contains('.') => format!("{mantissa}E{exponent}"),
        Some((mantissa, exponent)) => format!("{mantissa}.E{exponent}"),
        None => plain.strip_suffix('0').filter(|short| short.ends_with('.')).map_or(plain.clone(), str::to_owned),
    }
}

/// Decodes the values of a record whose cursor stands before the bracket.
pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Vec<Arg>, Fault> {
    grammar::values(cursor, &mut Decode, 0)
}

/// Decodes one value of such a record; those before it are passed over.
pub(crate) fn decode_one(cursor: &mut Cursor<'_>, position: usize) -> Result<Option<Arg>, Fault> {
    grammar::nth(cursor, position, &mut Decode)
}

struct Decode;

impl Build for Decode {
    type Out = Arg;

    fn scalar(&mut self, token: Token<'_>) -> Arg {
        let ascii = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match token {
            Token::Null | Token::Far(_) => Arg::Null,
            Token::Derived => Arg::Derived,
            Token::Number(digits) => number(&ascii(digits)),
            Token::Text(raw) => Arg::Text(text::decode(raw)),
            Token::Enum(item) => Arg::Enum(ascii(item)),
            Token::Binary(digits) => Arg::Binary(ascii(digits)),
            Token::Ref(id) => Arg::Ref(id),
        }
    }

    fn list(&mut self, items: Vec<Arg>) -> Arg {
        Arg::List(items)
    }

    fn typed(&mut self, keyword: &[u8], mut value: Vec<Arg>) -> Arg {
        let inner = if value.len() == 1 { value.remove(0) } else { Arg::List(value) };
        Arg::Typed(String::from_utf8_lossy(keyword).into_owned(), Box::new(inner))
    }
}

fn number(digits: &str) -> Arg {
    match digits.parse::<i64>() {
        Ok(number) => Arg::Integer(number),
        Err(_) => digits.parse().map_or(Arg::Null, Arg::Real),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reals_are_written_as_the_standard_wants() {
        for (number, expected) in [(0.0, "0."), (2.1, "2.1"), (-100.0, "-100."), (1e-7, "1.E-7"), (1.5e300, "1.5E300")]
        {
            assert_eq!(Arg::Real(number).to_string(), expected);
        }
    }

    fn arg() -> impl Strategy<Value = Arg> {
        let leaf = prop_oneof![
            Just(Arg::Null),
            Just(Arg::Derived),
            any::<i64>().prop_map(Arg::Integer),
            any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Arg::Real),
            any::<String>().prop_map(Arg::Text),
            Just(Arg::item("NOTDEFINED")),
            (1..u32::MAX).prop_map(Arg::Ref),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Arg::List),
                inner
                    .prop_filter("one value", |value| !matches!(value, Arg::List(items) if items.len() != 1))
                    .prop_map(|value| Arg::typed("IFCLABEL", value)),
            ]
        })
    }

    proptest! {
        #[test]
        fn reading_undoes_writing(value in arg()) {
            let written = format!("({value})");
            prop_assert_eq!(decode(&mut Cursor::new(written.as_bytes(), 0)), Ok(vec![value]));
        }
    }
}
