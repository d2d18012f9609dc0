//! The reference, `docs/reference/`: written by tests, so that it says what the product does; `cargo xtask ci` finds
//! drift.
//!
//! `codes.md` is made of the tables of all crates, `openapi.json` of the routes and of the types that the Worker uses,
//! `methods.md` of what the methods do.
//!
//! Each file of methods has a `reference.rs` beside it with one [`Entry`] a method. Nothing of it is taken on trust:
//! every method has an entry and every entry a method, the members are those that the method reads, a member of
//! another type is refused at its place, a required one that is left out too, the example is called and its answer
//! printed, and each refusal that is named is provoked. Not part of the product: tests only.

mod check;
mod codes;
mod editor;
mod held;
mod openapi;
mod provoked;
mod reached;
mod router;
mod routes;
mod shapes;
mod write;

use std::cell::RefCell;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// What the reference says of one method.
pub struct Entry {
    /// Its name in [`crate::table`].
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

    /// Its heading.
    fn title(&self) -> String {
        if self.kind.is_empty() { self.method.to_owned() } else { format!("{} of {}", self.method, self.kind) }
    }

    /// The member of that name, and whether it is required.
    fn member(&self, name: &str) -> Option<(&Member, bool)> {
        self.input.iter().find(|member| member.0.trim_end_matches('?') == name).map(|it| (it, !it.0.ends_with('?')))
    }
}

/// Every entry, in the order of the methods.
fn entries() -> Vec<&'static Entry> {
    let all: Vec<&'static Entry> = crate::methods::REFERENCE.iter().flat_map(|group| group.iter()).collect();
    crate::table().flat_map(|(name, _)| all.iter().copied().filter(move |entry| entry.method == name)).collect()
}

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a file of the reference where `cargo xtask` compares it with what is committed, and copies it from.
fn export(name: &str, text: &str) {
    let folder = root().join("target/generated/reference");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}

thread_local! {
    static READ: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Notes the members of a shape that a method reads.
pub fn reads<T: DeserializeOwned>() {
    let _ = T::deserialize(Names);
}

/// The members that a method reads when it is called; none where they are not those of an object.
fn members_read(call: impl FnOnce()) -> Vec<&'static str> {
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
