//! Places in a change set: dotted keys, zero-based brackets (spec: crew-package.md §9).
//!
//! Invariant: a key that is no plain name is quoted as JSON, so that two places never look alike.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A place in a change set; the root is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Path(String);

impl Path {
    /// A place that is written as it is.
    pub fn of(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn operation(index: usize) -> Self {
        Self(format!("operations[{index}]"))
    }

    /// A member of the value here.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut path = self.0.clone();
        if !is_plain(key) {
            path.push('[');
            path.push_str(&Value::from(key).to_string());
            path.push(']');
        } else if path.is_empty() {
            path.push_str(key);
        } else {
            path.push('.');
            path.push_str(key);
        }
        Self(path)
    }

    /// An item of the list here.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Whether a key stands without quotes.
fn is_plain(key: &str) -> bool {
    let begins = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
    let bytes = key.as_bytes();
    bytes.first().copied().is_some_and(begins)
        && bytes.iter().all(|byte| begins(*byte) || byte.is_ascii_digit() || *byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_dotted_or_quoted() {
        let cases = [
            ("a", "x.a"),
            ("$id", "x.$id"),
            ("_a-1", "x._a-1"),
            ("1a", "x[\"1a\"]"),
            ("-a", "x[\"-a\"]"),
            ("a b", "x[\"a b\"]"),
            ("å", "x[\"å\"]"),
            ("steps/a.md", "x[\"steps/a.md\"]"),
            ("a\"\n", "x[\"a\\\"\\n\"]"),
        ];
        for (key, want) in cases {
            assert_eq!(Path::of("x").key(key).as_str(), want);
        }
        assert_eq!(Path::default().key("impact").key("objects").item(2).as_str(), "impact.objects[2]");
        assert_eq!(Path::default().key("").as_str(), "[\"\"]");
    }
}
