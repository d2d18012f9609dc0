//! Request bodies as JSON: duplicate keys refused, depth bounded, top-level members with their places in the text.
//!
//! Why: two ends that read a duplicate key differently would price one request and run another. Invariant: what this
//! module accepts has one reading, and text outside of an edit stays byte for byte.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why a text is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// Not JSON.
    #[error("{0}")]
    Invalid(String),
    /// A member stands twice in one object.
    #[error("`{0}` stands twice in one object")]
    Duplicate(String),
    /// Nested too deep.
    #[error("nested deeper than {0} levels")]
    TooDeep(usize),
}

/// Reads one JSON value whose objects and arrays nest at most `depth` levels.
pub fn read(text: &str, depth: usize) -> Result<Value, JsonFault> {
    let fault = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed = Strict { left: depth, limit: depth, fault: &fault };
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| fault.take().unwrap_or_else(|| JsonFault::Invalid(error.to_string())))
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
    limit: usize,
    fault: &'f RefCell<Option<JsonFault>>,
}

impl Strict<'_> {
    fn fail<E: serde::de::Error>(self, fault: JsonFault) -> E {
        let error = E::custom(&fault);
        self.fault.replace(Some(fault));
        error
    }

    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(self.fail(JsonFault::TooDeep(self.limit))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
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
            if object.contains_key(&key) {
                return Err(self.fail(JsonFault::Duplicate(key)));
            }
            let value = members.next_value_seed(inner)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// A member of an object in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name, unescaped.
    pub key: String,
    /// Where its value stands.
    pub value: Range<usize>,
}

/// The members of the object that starts at the first `{` of a text that [`read`] accepted, and the place right
/// behind that brace.
pub fn members(text: &str, range: Range<usize>) -> (usize, Vec<Member>) {
    let bytes = text.as_bytes();
    let mut at = skip_blank(bytes, range.start) + 1;
    let inside = at;
    let mut found = Vec::new();
    loop {
        at = skip_blank(bytes, at);
        match bytes.get(at) {
            Some(b'"') => {
                let end = value_end(bytes, at);
                let key = text.get(at..end).and_then(|key| serde_json::from_str(key).ok()).unwrap_or_default();
                let start = skip_blank(bytes, skip_blank(bytes, end) + 1);
                at = value_end(bytes, start);
                found.push(Member { key, value: start..at });
            }
            Some(b',') => at += 1,
            _ => return (inside, found),
        }
    }
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of the value that starts at `at`.
fn value_end(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                if open == 0 {
                    return at.min(bytes.len());
                }
            }
            b'{' | b'[' => {
                open += 1;
                at += 1;
            }
            b'}' | b']' if open > 0 => {
                open -= 1;
                at += 1;
                if open == 0 {
                    return at;
                }
            }
            b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if open == 0 => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A JSON Pointer with one more segment.
pub fn below(pointer: &str, segment: impl fmt::Display) -> String {
    format!("{pointer}/{}", segment.to_string().replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults() {
        let cases = [
            ("{\"a\":1,\"b\":{\"c\":1,\"c\":2}}", JsonFault::Duplicate("c".into())),
            ("{\"a\":1,\"\\u0061\":2}", JsonFault::Duplicate("a".into())),
            ("[[[[1]]]]", JsonFault::TooDeep(3)),
        ];
        for (text, want) in cases {
            assert_eq!(read(text, 3), Err(want), "{text}");
        }
        assert!(matches!(read("{} x", 3), Err(JsonFault::Invalid(_))));
        assert!(read("[[[1]]]", 3).is_ok());
    }

    #[test]
    fn places_of_members() {
        let text = " { \"a\" : [1, {\"a\":\"}\\\"\"}] ,\"b\":-1.0e2}";
        let (inside, found) = members(text, 0..text.len());
        let texts: Vec<(&str, &str)> = found.iter().map(|m| (m.key.as_str(), &text[m.value.clone()])).collect();
        assert_eq!((inside, texts), (2, vec![("a", "[1, {\"a\":\"}\\\"\"}]"), ("b", "-1.0e2")]));
    }
}
