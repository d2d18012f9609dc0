//! Reading the JSON of others, member by member, into places that wait for it.
//!
//! Why not into values: an answer may hold a million numbers that nobody asked for, each of which becomes thirty bytes
//! and more as a value. Invariants: what is of another type than its place counts as absent; what has no place is
//! skipped, however deep it nests; of a member that stands twice the last one counts.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::json::{self, JsonBounds};

/// Of what is kept as it is: a tool's input, the details of an error.
const BOUNDS: JsonBounds = JsonBounds { depth: 64, nodes: 100_000 };

/// A place for a value. What it does not take is skipped.
pub(super) trait Place {
    fn text(&mut self, _: &str) {}

    fn number(&mut self, _: f64) {}

    /// Takes the items of a list.
    fn items<'de, A: SeqAccess<'de>>(&mut self, items: A) -> Result<(), A::Error> {
        skip_items(items)
    }

    fn object(&mut self) {}

    /// Takes the value of a member of an object; `false`: it has no place and is skipped.
    fn member<'de, A: MapAccess<'de>>(&mut self, _name: &str, _value: &mut A) -> Result<bool, A::Error> {
        Ok(false)
    }
}

/// Fills a place from JSON.
pub(super) struct Fill<'p, P>(pub &'p mut P);

/// Reads the value of a member into its place, which forgets what it held.
pub(super) fn member<'de, P: Place + Default, A: MapAccess<'de>>(
    place: &mut P,
    value: &mut A,
) -> Result<bool, A::Error> {
    *place = P::default();
    value.next_value_seed(Fill(place))?;
    Ok(true)
}

/// Reads a list of at most `most` items; a longer one is a fault.
pub(super) fn list<'de, P: Place + Default, A: SeqAccess<'de>>(most: usize, mut items: A) -> Result<Vec<P>, A::Error> {
    let mut found = Vec::new();
    loop {
        let mut item = P::default();
        if items.next_element_seed(Fill(&mut item))?.is_none() {
            return Ok(found);
        }
        if found.len() == most {
            return Err(A::Error::custom(format!("more than {most} items")));
        }
        found.push(item);
    }
}

fn skip_items<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

impl<'de, P: Place> DeserializeSeed<'de> for Fill<'_, P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, P: Place> Visitor<'de> for Fill<'_, P> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.0.number(number as f64);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.0.number(number as f64);
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.0.number(number);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.text(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        self.0.items(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        self.0.object();
        while let Some(name) = members.next_key::<String>()? {
            if !self.0.member(&name, &mut members)? {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl Place for Option<String> {
    fn text(&mut self, text: &str) {
        *self = Some(text.to_owned());
    }
}

/// An index: an integer from 0.
#[derive(Default)]
pub(super) struct Index(pub Option<u64>);

impl Place for Index {
    fn number(&mut self, number: f64) {
        let whole = (0.0..=f64::from(u32::MAX)).contains(&number) && number.fract() == 0.0;
        self.0 = whole.then_some(number as u64);
    }
}

/// A text, or the texts of a list of parts, joined.
#[derive(Default)]
pub(super) struct Words(pub Option<String>);

impl Place for Words {
    fn text(&mut self, text: &str) {
        self.0 = Some(text.to_owned());
    }

    fn items<'de, A: SeqAccess<'de>>(&mut self, mut items: A) -> Result<(), A::Error> {
        let mut part = Part::default();
        while items.next_element_seed(Fill(&mut part))?.is_some() {
            for text in [part.text.take(), part.refusal.take()].into_iter().flatten() {
                self.0.get_or_insert_default().push_str(&text);
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Part {
    text: Option<String>,
    refusal: Option<String>,
}

impl Place for Part {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "text" => member(&mut self.text, value),
            "refusal" => member(&mut self.refusal, value),
            _ => Ok(false),
        }
    }
}

/// An object that is kept as it is; one out of [`BOUNDS`] is a fault.
#[derive(Default)]
pub(super) struct Kept {
    pub object: Option<Map<String, Value>>,
    nodes: Cell<usize>,
}

impl Place for Kept {
    fn object(&mut self) {
        self.object = Some(Map::new());
    }

    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        let value = json::bounded(value, BOUNDS, &self.nodes)?;
        self.object.get_or_insert_default().insert(name.to_owned(), value);
        Ok(true)
    }
}
