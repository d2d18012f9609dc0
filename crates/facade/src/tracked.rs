//! Reading a typed value out of JSON while knowing where: the deserializer behind [`crate::error::input`].
//!
//! Owns the trail to the value that is read. Invariant: after an error the trail ends at the value that was wrong. One
//! type of deserializer for all depths, so that each type that is read is compiled once; the Wasm module feels it.

use std::cell::RefCell;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value, map};

/// Tokens of a JSON Pointer, not escaped.
#[derive(Debug, Default)]
pub(crate) struct Trail(RefCell<Vec<String>>);

impl Trail {
    /// The JSON Pointer of the value at which reading stopped.
    pub(crate) fn pointer(&self) -> String {
        self.0.borrow().iter().map(|token| format!("/{}", escape(token))).collect()
    }

    /// Reads below `token`; the trail stays there when that fails.
    fn below<T>(&self, token: String, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.0.borrow_mut().push(token);
        let value = read()?;
        self.0.borrow_mut().pop();
        Ok(value)
    }
}

/// A token as it stands in a pointer.
pub(crate) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// A value and the way to it.
pub(crate) struct Tracked<'t> {
    value: Value,
    trail: &'t Trail,
}

impl<'t> Tracked<'t> {
    /// A whole input.
    pub(crate) fn new(value: Value, trail: &'t Trail) -> Self {
        Self { value, trail }
    }
}

impl<'de> Deserializer<'de> for Tracked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let trail = self.trail;
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => {
                let length = items.len();
                let mut items = Items { index: 0, rest: items.into_iter(), trail };
                let value = visitor.visit_seq(&mut items)?;
                if items.rest.len() == 0 { Ok(value) } else { Err(Error::invalid_length(length, &"fewer elements")) }
            }
            Value::Object(members) => visitor.visit_map(Members { rest: members.into_iter(), open: None, trail }),
        }
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
            Value::Object(members) if members.len() == 1 => {
                visitor.visit_enum(Members { rest: members.into_iter(), open: None, trail: self.trail })
            }
            Value::Object(_) => Err(Error::invalid_value(Unexpected::Map, &"map with a single key")),
            other => Tracked { value: other, trail: self.trail }.deserialize_any(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

struct Items<'t> {
    index: usize,
    rest: std::vec::IntoIter<Value>,
    trail: &'t Trail,
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

impl Members<'_> {
    fn value<'de, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some((name, value)) = self.open.take() else { return Err(Error::custom("no member is open")) };
        let trail = self.trail;
        trail.below(name, || seed.deserialize(Tracked { value, trail }))
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
        self.value(seed)
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
        self.value(std::marker::PhantomData)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Error> {
        self.value(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.value(Content(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(mut self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.value(Content(visitor))
    }
}

/// What a variant holds, read by the visitor of that variant.
struct Content<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Content<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_any(self.0)
    }
}
