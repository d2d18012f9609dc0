//! JSON Schema, draft 2020-12: documents against schemas of ours ([`Schema`]), and the schemas that users write
//! ([`user`]).
//!
//! Owns the validator: only this crate knows it. Knows no kind: which schema a file has, and which code stands for what
//! is wrong with a user's schema, is the kind's.

mod own;
pub mod user;

pub use own::{CODES, Found, Mark, Schema};
