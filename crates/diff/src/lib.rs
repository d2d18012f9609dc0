//! Lines, and how two texts differ: the shortest script, its hunks, the changed words (spec: text-engine.md §1, §2).
//!
//! Owns the loops that run over every byte of a text, and nothing that refuses or decides. A crate of its own because it is
//! compiled for speed where all else in a page is compiled for size; hence no generic function leaves it, and the answer's
//! JSON is written here.

mod hunks;
mod lines;
mod script;
mod spans;

pub use hunks::{Diff, DiffLine, Hunk, LineKind, Stats, diff, line_changes};
pub use lines::{Line, LineEnding, lines};
pub use script::Change;
pub use spans::Spans;
