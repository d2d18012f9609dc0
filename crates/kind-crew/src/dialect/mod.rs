//! Change sets: what a model or a page proposes for a package, read, checked and brought into one form (spec:
//! crew-package.md §8, §9).
//!
//! Owns the envelope, the phases and the normal form; what a document may hold is said by the rules beside this folder.
//! Invariants: a wrong change set is a verdict, never an error; nothing is stored; same input, same bytes.

pub mod agent;
mod agents;
pub mod assets;
pub mod boundary;
pub mod check;
pub mod codes;
pub mod compile;
pub mod edits;
pub mod effect;
pub mod envelope;
pub mod finding;
pub mod generate;
pub mod graph;
pub mod impact;
pub mod input;
pub mod inverse;
pub mod legacy;
pub mod meta;
pub mod normal;
pub mod operation;
pub mod package;
pub mod path;
pub mod payload;
pub mod reader;
pub mod references;
pub mod secrets;
pub mod steps;
pub mod sync;
pub mod uses;
pub mod view;
pub mod workflows;
mod world;

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;
