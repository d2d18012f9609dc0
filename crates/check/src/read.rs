//! Reading a typed value out of JSON while knowing where.
//!
//! Owns the trail to the value that is read. Invariant: after an error the trail ends at the value that was wrong. One
//! type of deserializer for all depths, so that each type that is read is compiled once; the Wasm module feels it.

use std::cell::RefCell;

use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Value, map};

use crate::json::join;

/// A value of the wrong shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// JSON Pointer of the first wrong value; of a missing member the one that it would have.
    pub pointer: String,
    /// What is wrong with it.
    pub cause: String,
}

pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, Misread> {
    let trail = Trail::default();
    T::deserialize(Tracked { value, trail: &trail }).map_err(|error| {
        let (mut pointer, cause) = (trail.pointer(), error.to_string());
        if let Some(name) = cause.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
            pointer = join(&pointer, name);
        }
        Misread { pointer, cause }
    })
}

/// Tokens of a JSON Pointer, not escaped.
#[derive(Debug, Default)]
struct Trail(RefCell<Vec<String>>);

impl Trail {
    /// The JSON Pointer of the value at which reading stopped.
    fn pointer(&self) -> String {
        self.0.borrow().iter().fold(String::new(), |pointer, token| join(&pointer, token))
    }

    /// Reads below `token`; the trail stays there when that fails.
    fn below<T>(&self, token: String, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.0.borrow_mut().push(token);
        let value = read()?;
        self.0.borrow_mut().pop();
        Ok(value)
    }
}

/// A value and the way to it.
struct Tracked<'t> {
    value: Value,
    trail: &'t Trail,
}

impl Tracked<'_> {
    fn refused<T>(&self, expected: &dyn Expected) -> Result<T, Error> {
        let found = match &self.value {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Unexpected::Unsigned(value),
                (_, Some(value)) => Unexpected::Signed(value),
                _ => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Err(Error::invalid_type(found, expected))
    }
}

/// Methods that read one form of value. They ask a visitor for that form alone: what it would make of the others is
/// then not compiled, and an array is no object.
macro_rules! forms {
    ($($($method:ident)* = $form:ident($value:ident, $visitor:ident, $trail:ident) => $read:expr;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, $visitor: V) -> Result<V::Value, Error> {
            match self {
                Tracked { value: Value::$form($value), trail: $trail } => $read,
                other => other.refused(&$visitor),
            }
        }
    )*)*};
}

#[allow(unused_variables)] // not every form needs the trail
impl<'de> Deserializer<'de> for Tracked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => Items::read(items, self.trail, visitor),
            Value::Object(members) => visitor.visit_map(Members::new(members, self.trail)),
        }
    }

    forms! {
        deserialize_bool = Bool(value, visitor, trail) => visitor.visit_bool(value);
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64 = Number(number, visitor, trail) => number.deserialize_any(visitor);
        deserialize_char deserialize_str deserialize_string deserialize_identifier
            = String(text, visitor, trail) => visitor.visit_string(text);
        deserialize_seq = Array(items, visitor, trail) => Items::read(items, trail, visitor);
        deserialize_map = Object(members, visitor, trail) => visitor.visit_map(Members::new(members, trail));
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    /// A variant is its name, or an object whose one member has its name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value {
            Value::String(name) => visitor.visit_enum(name.into_deserializer()),
            Value::Object(members) if members.len() == 1 => visitor.visit_enum(Members::new(members, self.trail)),
            Value::Object(_) => Err(Error::invalid_value(Unexpected::Map, &"map with a single key")),
            value => Tracked { value, ..self }.refused(&visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple_struct }
}

struct Items<'t> {
    index: usize,
    rest: std::vec::IntoIter<Value>,
    trail: &'t Trail,
}

impl<'t> Items<'t> {
    /// A whole array: what a visitor leaves over is too much.
    fn read<'de, V: Visitor<'de>>(items: Vec<Value>, trail: &'t Trail, visitor: V) -> Result<V::Value, Error> {
        let length = items.len();
        let mut items = Items { index: 0, rest: items.into_iter(), trail };
        let value = visitor.visit_seq(&mut items)?;
        if items.rest.len() == 0 { Ok(value) } else { Err(Error::invalid_length(length, &"fewer elements")) }
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(value) = self.rest.next() else { return Ok(None) };
        let (index, trail) = (self.index, self.trail);
        self.index += 1;
        trail.below(index.to_string(), || seed.deserialize(Tracked { value, trail })).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// Members of an object, or the one member that is a variant.
struct Members<'t> {
    rest: map::IntoIter,
    /// The member whose name was read.
    open: Option<(String, Value)>,
    trail: &'t Trail,
}

impl<'t> Members<'t> {
    fn new(members: Map<String, Value>, trail: &'t Trail) -> Self {
        Self { rest: members.into_iter(), open: None, trail }
    }

    /// Reads the member that is open.
    fn value<T>(&mut self, read: impl FnOnce(Tracked<'t>) -> Result<T, Error>) -> Result<T, Error> {
        let Some((name, value)) = self.open.take() else { return Err(Error::custom("no member is open")) };
        let trail = self.trail;
        trail.below(name, || read(Tracked { value, trail }))
    }
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.open = Some((name.clone(), value));
        // A name that is refused is a value that is wrong.
        let trail = self.trail;
        trail.below(name.clone(), || seed.deserialize(name.into_deserializer())).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        self.value(|value| seed.deserialize(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

impl<'de> EnumAccess<'de> for Members<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, Self), Error> {
        match self.next_key_seed(seed)? {
            Some(variant) => Ok((variant, self)),
            None => Err(Error::custom("no variant is named")),
        }
    }
}

impl<'de> VariantAccess<'de> for Members<'_> {
    type Error = Error;

    fn unit_variant(mut self) -> Result<(), Error> {
        self.value(<()>::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Error> {
        self.value(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value(|value| value.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(mut self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.value(|value| value.deserialize_map(visitor))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[allow(dead_code)]
    struct Sample {
        items: Vec<u32>,
        name: String,
        #[serde(default)]
        way: Option<Way>,
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Way {
        Unit,
        New(u8),
        Pair(u8, String),
        Named { at: u8 },
    }

    #[test]
    fn names_the_first_wrong_value() {
        let cases = [
            (json!({"items": [1, "x"], "name": ""}), "/items/1"),
            (json!({"items": []}), "/name"),
            (json!({"items": [], "name": 1}), "/name"),
            (json!([]), ""),
            (json!({"items": [], "name": "", "way": "other"}), "/way"),
            (json!({"items": [], "name": "", "way": 3}), "/way"),
            (json!({"items": [], "name": "", "way": {}}), "/way"),
            (json!({"items": [], "name": "", "way": {"new": -1}}), "/way/new"),
            (json!({"items": [], "name": "", "way": {"pair": [1, 2]}}), "/way/pair/1"),
            (json!({"items": [], "name": "", "way": {"named": {"at": "a/b"}}}), "/way/named/at"),
        ];
        for (value, want) in cases {
            let misread = read::<Sample>(value.clone()).unwrap_err();
            assert_eq!(misread.pointer, want, "{value}");
        }
    }

    #[test]
    fn every_form_of_a_variant_is_read() {
        for way in [
            json!(null),
            json!("unit"),
            json!({"unit": null}),
            json!({"new": 1}),
            json!({"pair": [1, "a"]}),
            json!({"named": {"at": 1}}),
        ] {
            let value = json!({"items": [4_294_967_295_u32], "name": "å", "way": way, "more": {"is": ["ignored"]}});
            assert!(read::<Sample>(value.clone()).is_ok(), "{value}");
        }
    }
}
