//! Request bodies as JSON: duplicate keys refused, nodes counted, depth bounded, top-level members with their places in
//! the text.
//!
//! Why: two ends that read a duplicate key differently would price one request and run another, and two bytes of
//! `[0,0,…]` become a hundred of memory once they are values. Invariants: what this module accepts has one reading; no
//! value is built of a text with too many nodes; text outside of an edit stays byte for byte.

mod scan;

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

pub(crate) use scan::nodes;
pub use scan::{Member, members};

/// Why a text is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    #[error("{0}")]
    Invalid(String),
    /// A member stands twice in one object.
    #[error("`{0}` stands twice in one object")]
    Duplicate(String),
    #[error("nested deeper than {0} levels")]
    TooDeep(usize),
    /// Too many values and member names.
    #[error("more than {0} values and member names")]
    TooMany(usize),
}

/// How much JSON is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonBounds {
    /// Levels of objects and arrays.
    pub depth: usize,
    pub nodes: usize,
}

/// Reads one JSON value within its bounds.
pub fn read(text: &str, bounds: JsonBounds) -> Result<Value, JsonError> {
    if nodes(text, bounds.nodes) > bounds.nodes {
        return Err(JsonError::TooMany(bounds.nodes));
    }
    let (fault, nodes) = (RefCell::new(None), Cell::new(0));
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed = Strict { left: bounds.depth, bounds, nodes: &nodes, fault: &fault };
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| fault.take().unwrap_or_else(|| JsonError::Invalid(error.to_string())))
}

/// The text that a member at the top of an object has, found without building anything else; the first of that name.
/// What is wrong with the text behind it is not looked at.
pub fn top_text(bytes: &[u8], name: &str) -> Option<String> {
    let mut found = None;
    // An error ends the look, and is its reader's to say.
    let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(TopText { name, found: &mut found });
    found
}

struct TopText<'t> {
    name: &'t str,
    found: &'t mut Option<String>,
}

impl<'de> Visitor<'de> for TopText<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == self.name {
                *self.found = map.next_value()?;
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Builds the value of a member within bounds of which `nodes` are used up. A fault is the reader's own.
pub(crate) fn bounded<'de, A: MapAccess<'de>>(
    member: &mut A,
    bounds: JsonBounds,
    nodes: &Cell<usize>,
) -> Result<Value, A::Error> {
    let fault = RefCell::new(None);
    member.next_value_seed(Strict { left: bounds.depth, bounds, nodes, fault: &fault })
}

/// Checks an already parsed value's depth.
pub fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[derive(Clone, Copy)]
struct Strict<'f> {
    left: usize,
    bounds: JsonBounds,
    nodes: &'f Cell<usize>,
    fault: &'f RefCell<Option<JsonError>>,
}

impl Strict<'_> {
    fn fail<E: serde::de::Error>(self, fault: JsonError) -> E {
        let error = E::custom(&fault);
        self.fault.replace(Some(fault));
        error
    }

    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(self.fail(JsonError::TooDeep(self.bounds.depth))),
        }
    }

    fn count<E: serde::de::Error>(self) -> Result<(), E> {
        let limit = self.bounds.nodes;
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > limit { Err(self.fail(JsonError::TooMany(limit))) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            self.count()?;
            if object.contains_key(&key) {
                return Err(self.fail(JsonError::Duplicate(key)));
            }
            let value = members.next_value_seed(inner)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: JsonBounds = JsonBounds { depth: 3, nodes: 9 };

    #[test]
    fn faults() {
        let cases = [
            ("{\"a\":1,\"b\":{\"c\":1,\"c\":2}}", JsonError::Duplicate("c".into())),
            ("{\"a\":1,\"\\u0061\":2}", JsonError::Duplicate("a".into())),
            ("[[[[1]]]]", JsonError::TooDeep(3)),
            ("[0,0,0,0,0,0,0,0,0]", JsonError::TooMany(9)),
            ("[[[[0,0,0,0,0,0", JsonError::TooMany(9)),
        ];
        for (text, want) in cases {
            assert_eq!(read(text, BOUNDS), Err(want), "{text}");
        }
        assert!(matches!(read("{} x", BOUNDS), Err(JsonError::Invalid(_))));
        assert!(read("[[[1]]]", BOUNDS).is_ok());
        assert!(read("[0,0,0,0,0,0,0,0]", BOUNDS).is_ok());
    }

    #[test]
    fn a_text_at_the_top() {
        let deep = "[".repeat(100_000);
        let cases = [
            (r#"{"a": {"id": "inner"}, "id": "x", "b": "#.to_owned(), Some("x")),
            (r#"{"id": "x", "id": "y"}"#.to_owned(), Some("x")),
            (r#"{"id": "\u00e5"}"#.to_owned(), Some("å")),
            (r#"{"id": 3}"#.to_owned(), None),
            (r#"{"id": null}"#.to_owned(), None),
            (r#"["id", "x"]"#.to_owned(), None),
            (format!(r#"{{"a": {deep}, "id": "x"}}"#), None),
            (format!(r#"{{"a": {deep}{}, "id": "x"}}"#, deep.replace('[', "]")), Some("x")),
            (String::new(), None),
        ];
        for (text, want) in cases {
            assert_eq!(top_text(text.as_bytes(), "id").as_deref(), want, "{text:.40}");
        }
    }
}
