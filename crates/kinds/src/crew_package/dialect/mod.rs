//! Change sets: what a model or a page proposes for a package, read, checked and brought into one form (spec:
//! crew-package.md §8, §9).
//!
//! Owns the envelope, the phases and the normal form; what a document may hold is said by the rules beside this folder.
//! Invariants: a wrong change set is a verdict, never an error; nothing is stored; same input, same bytes.

mod assets;
pub mod envelope;
pub mod finding;
pub mod input;
mod legacy;
pub mod operation;
pub mod path;
pub mod payload;
mod reader;
