//! What a value may be: one text, or a restriction of XML Schema.
//!
//! Owns how values of a model are compared with what a file says: numbers with the standard's tolerance, texts as they
//! stand, patterns on texts alone.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};

use super::pattern::Pattern;

/// Numbers that differ by less are equal: so much of the value, and so much besides.
const TOLERANCE: f64 = 1e-6;
/// The ends of the tolerance belong to it, though a difference of two numbers is rounded.
const ROUNDED: f64 = 1.0 + 1e-9;

/// A value of a model, as an IDS file compares it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fact {
    Text(String),
    Real(f64),
    Integer(i64),
    Boolean(bool),
    /// A list, an object, or nothing that a file could name.
    Other,
}

impl fmt::Display for Fact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(out, "\"{text}\""),
            Self::Real(number) => write!(out, "{number}"),
            Self::Integer(number) => write!(out, "{number}"),
            Self::Boolean(is) => write!(out, "{is}"),
            Self::Other => write!(out, "…"),
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Allowed {
    Simple(String),
    /// All of them have to hold.
    Restriction(Vec<Limit>),
}

#[derive(Debug, Clone)]
pub(crate) enum Limit {
    OneOf(Vec<String>),
    /// One of them has to fit.
    Like(Vec<Pattern>),
    Bound(Side, String),
    /// Characters, from so many to so many.
    Length(usize, Option<usize>),
    /// Digits in all, and behind the dot.
    Digits(Option<usize>, Option<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    From,
    Below,
    To,
}

impl Allowed {
    pub(crate) fn accepts(&self, fact: &Fact) -> bool {
        match self {
            Self::Simple(text) => equals(text, fact),
            Self::Restriction(limits) => limits.iter().all(|limit| limit.accepts(fact)),
        }
    }

    pub(crate) fn accepts_text(&self, text: &str) -> bool {
        match self {
            Self::Simple(wanted) => wanted == text,
            Self::Restriction(_) => self.accepts(&Fact::Text(text.to_owned())),
        }
    }
}

impl Limit {
    fn accepts(&self, fact: &Fact) -> bool {
        match self {
            Self::OneOf(texts) => texts.iter().any(|text| equals(text, fact)),
            Self::Like(patterns) => {
                matches!(fact, Fact::Text(text) if patterns.iter().any(|pattern| pattern.fits(text)))
            }
            Self::Bound(side, bound) => side.accepts(bound, fact),
            Self::Length(from, to) => written(fact).is_some_and(|text| {
                let count = text.chars().count();
                count >= *from && to.is_none_or(|to| count <= to)
            }),
            Self::Digits(all, behind) => match fact {
                Fact::Integer(_) | Fact::Real(_) => {
                    let text = fact.to_string();
                    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
                    let count = whole.trim_start_matches(['-', '0']).len() + fraction.len();
                    all.is_none_or(|all| count <= all) && behind.is_none_or(|behind| fraction.len() <= behind)
                }
                _ => false,
            },
        }
    }
}

impl Side {
    /// Ranges that hold their end are stretched by the tolerance, others shrunk, so that no number is in both.
    fn accepts(self, bound: &str, fact: &Fact) -> bool {
        let number = match fact {
            Fact::Real(number) => *number,
            Fact::Integer(number) => *number as f64,
            // Dates and times in one form are ordered as their texts are.
            Fact::Text(text) if double(bound).is_none() => {
                return match self {
                    Self::Above => text.as_str() > bound,
                    Self::From => text.as_str() >= bound,
                    Self::Below => text.as_str() < bound,
                    Self::To => text.as_str() <= bound,
                };
            }
            _ => return false,
        };
        let Some(bound) = double(bound) else { return false };
        let slack = slack(bound);
        match self {
            Self::Above => number > bound + slack,
            Self::From => number >= bound - slack,
            Self::Below => number < bound - slack,
            Self::To => number <= bound + slack,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::Above => ">",
            Self::From => "≥",
            Self::Below => "<",
            Self::To => "≤",
        }
    }
}

fn slack(bound: f64) -> f64 {
    bound.abs() * TOLERANCE + TOLERANCE
}

/// Texts are equal as they stand; numbers and truth values as XML Schema writes them.
fn equals(text: &str, fact: &Fact) -> bool {
    match fact {
        Fact::Text(found) => found == text,
        Fact::Real(number) => double(text).is_some_and(|wanted| (number - wanted).abs() <= slack(wanted) * ROUNDED),
        Fact::Integer(number) => text.parse() == Ok(*number),
        Fact::Boolean(is) => matches!((text, is), ("true" | "1", true) | ("false" | "0", false)),
        Fact::Other => false,
    }
}

/// A number as `xs:double` writes it.
pub(super) fn double(text: &str) -> Option<f64> {
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    text.parse().ok().filter(|_| text.bytes().all(plain))
}

fn written(fact: &Fact) -> Option<Cow<'_, str>> {
    match fact {
        Fact::Text(text) => Some(Cow::Borrowed(text)),
        Fact::Integer(_) | Fact::Real(_) => Some(Cow::Owned(fact.to_string())),
        Fact::Boolean(_) | Fact::Other => None,
    }
}

/// In signs that need no language: `"A" | "B"`, `/A[0-9]+/`, `≥ 2 & < 5`.
impl fmt::Display for Allowed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simple(text) => write!(out, "\"{text}\""),
            Self::Restriction(limits) => {
                let texts: Vec<String> = limits.iter().map(Limit::to_string).collect();
                out.write_str(&texts.join(" & "))
            }
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
                out.write_str(&texts.join(" | "))
            }
            Self::Like(patterns) => {
                let texts: Vec<String> = patterns.iter().map(|pattern| format!("/{pattern}/")).collect();
                out.write_str(&texts.join(" | "))
            }
            Self::Bound(side, bound) => write!(out, "{} {bound}", side.mark()),
            Self::Length(from, Some(to)) if from == to => write!(out, "/.{{{from}}}/"),
            Self::Length(from, Some(to)) => write!(out, "/.{{{from},{to}}}/"),
            Self::Length(from, None) => write!(out, "/.{{{from},}}/"),
            Self::Digits(all, behind) => {
                let count = |digits: &Option<usize>| digits.map_or("…".to_owned(), |digits| digits.to_string());
                write!(out, "0.0({}, {})", count(all), count(behind))
            }
        }
    }
}

impl Serialize for Allowed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_within_the_tolerance_of_the_standard() {
        for (text, number, is) in [
            ("100000.", 100_000.1, true),
            ("100000.", 100_000.2, false),
            ("0", 1e-6, true),
            ("-0.0000001", 0.000_000_900_000_1, true),
            ("-0.0000001", 0.000_000_900_000_2, false),
            ("0", 1.1e-6, false),
            ("-1.0", -1.000_002, true),
            ("1e3", 1000.0, true),
            ("1,5", 1.5, false),
            ("NaN", 1.0, false),
            ("inf", f64::INFINITY, false),
        ] {
            assert_eq!(equals(text, &Fact::Real(number)), is, "{text} {number}");
        }
        assert!(equals("42", &Fact::Integer(42)) && !equals("42.0", &Fact::Integer(42)));
        assert!(equals("true", &Fact::Boolean(true)) && !equals("TRUE", &Fact::Boolean(true)));
    }

    #[test]
    fn no_number_is_on_both_sides_of_a_bound() {
        for number in [-2e-6, -1e-6, -1e-7, 0.0, 1e-7, 1e-6, 2e-6] {
            let fact = Fact::Real(number);
            assert!(Side::Above.accepts("0", &fact) != Side::To.accepts("0", &fact), "{number}");
            assert!(Side::Below.accepts("0", &fact) != Side::From.accepts("0", &fact), "{number}");
        }
        assert!(Side::From.accepts("2026-01-01", &Fact::Text("2026-01-01".to_owned())));
        assert!(!Side::From.accepts("2", &Fact::Text("3".to_owned())), "a text is no number");
    }

    #[test]
    fn digits_and_lengths_are_counted() {
        let digits = Limit::Digits(Some(3), Some(1));
        assert!(digits.accepts(&Fact::Real(12.5)) && !digits.accepts(&Fact::Real(1.25)));
        assert!(!digits.accepts(&Fact::Integer(1234)) && !digits.accepts(&Fact::Text("1".to_owned())));
        let length = Limit::Length(2, Some(3));
        let text = |text: &str| Fact::Text(text.to_owned());
        assert!(length.accepts(&text("äö")) && !length.accepts(&text("ä")) && !length.accepts(&text("abcd")));
    }
}
