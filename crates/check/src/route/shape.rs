//! The shapes of bodies and answers, and those that many routes share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A type whose schema the OpenAPI document can show: every type, where no document is written.
#[cfg(not(feature = "schema"))]
pub trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A type whose schema the OpenAPI document can show.
#[cfg(feature = "schema")]
pub trait Described: schemars::JsonSchema {}
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Described for T {}

/// The schema of a type. Without the feature `schema`, which no module has, there is nothing in it.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    #[cfg(feature = "schema")]
    of: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Shape {
    pub const fn of<T: Described>() -> Self {
        Self {
            #[cfg(feature = "schema")]
            of: |generator| generator.subschema_for::<T>(),
        }
    }

    /// Asks a generator for it.
    #[cfg(feature = "schema")]
    pub fn schema(self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        (self.of)(generator)
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PageOf{T}"))]
pub struct Page<T> {
    /// In the order of the list.
    pub items: Vec<T>,
    /// Give it back for the next page; `None`: this was the last.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The same page of other items.
    pub fn map<U>(self, to: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(to).collect(), next_cursor: self.next_cursor }
    }
}

/// Something that is kept, with its files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "{T}WithFiles"))]
pub struct WithFiles<T> {
    #[serde(flatten)]
    pub kept: T,
    /// Its files; null where nothing is installed.
    pub files: Option<BTreeMap<String, String>>,
}
