//! STEP physical files (ISO 10303-21): the text below every IFC model.
//!
//! Owns the grammar in both directions and knows nothing of IFC but the keyword spelling. It is our own because a
//! file must be *judged* (where is it cut, which instance is unreadable), which the IFC parser below us does not
//! do: it skips what it cannot read. Invariant: any bytes end in a value or a [`lex::Fault`], in linear time.

mod date;
pub(crate) mod file;
pub(crate) mod grammar;
pub(crate) mod header;
pub(crate) mod lex;
pub(crate) mod line;
pub(crate) mod plain;
pub(crate) mod text;
pub(crate) mod value;

pub use date::iso_time;
pub(crate) use value::Arg;
