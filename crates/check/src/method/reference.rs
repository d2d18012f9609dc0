//! What the reference says of the methods, beside each of them (`docs/reference/methods.md`).
//!
//! Not part of the product: the feature is one of tests. They hold every word of it against what the method does.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// What the reference says of one method.
pub struct Entry {
    /// Its name in the table of methods.
    pub method: &'static str,
    /// The kind, where a method reads and answers other members for each kind; then it has an entry for each.
    pub kind: &'static str,
    /// File and heading of the specification.
    pub spec: &'static str,
    /// What it does, in whole sentences.
    pub does: &'static str,
    /// What it reads; the name of an optional member ends with `?`. `input: &[]` where the input is of many shapes.
    pub input: &'static [Member],
    /// What it answers; a single member without a name where the answer is no object.
    pub output: &'static [Member],
    /// What is limited, and to how much: above it the answer is `INPUT_TOO_LARGE`.
    pub limits: &'static [(&'static str, usize)],
    /// An input that is answered, as JSON.
    pub example: &'static str,
    /// Inputs that are refused, as JSON, and the code of the refusal; beside `INVALID_INPUT` of every method.
    pub refuses: &'static [(&'static str, &'static str)],
}

/// Name, type, and what it means. A type begins with one of `text`, `number`, `yes or no`, `list`, `object`, `one of`
/// and `any JSON`.
pub type Member = (&'static str, &'static str, &'static str);

/// The members of both, for methods that read or answer what another does and more.
pub const fn joined<const N: usize>(first: &[Member], then: &[Member]) -> [Member; N] {
    assert!(first.len() + then.len() == N, "one place for each");
    let mut all = [("", "", ""); N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { then[at - first.len()] };
        at += 1;
    }
    all
}

impl Entry {
    /// Nothing yet: what most methods leave out.
    pub const PLAIN: Self = Self {
        method: "",
        kind: "",
        spec: "",
        does: "",
        input: &[],
        output: &[],
        limits: &[],
        example: "",
        refuses: &[],
    };

    pub fn title(&self) -> String {
        if self.kind.is_empty() { self.method.to_owned() } else { format!("{} of {}", self.method, self.kind) }
    }

    /// The member of that name, and whether it is required.
    pub fn member(&self, name: &str) -> Option<(&Member, bool)> {
        self.input.iter().find(|member| member.0.trim_end_matches('?') == name).map(|it| (it, !it.0.ends_with('?')))
    }
}

thread_local! {
    static READ: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Notes the members of a shape that a method reads.
pub fn reads<T: DeserializeOwned>() {
    let _ = T::deserialize(Names);
}

/// The members that a method reads when it is called; none where they are not those of an object.
pub fn members_read(call: impl FnOnce()) -> Vec<&'static str> {
    READ.take();
    call();
    READ.take()
}

/// Asks a type for the names of its members, and gives it no value.
struct Names;

#[derive(Debug)]
struct NoValue;

impl fmt::Display for NoValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("no value")
    }
}

impl std::error::Error for NoValue {}

impl Error for NoValue {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'de> Deserializer<'de> for Names {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NoValue> {
        READ.with_borrow_mut(|read| read.extend(members));
        Err(NoValue)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
