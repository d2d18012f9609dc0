//! Lines, and how two texts differ: the shortest script, its hunks, the changed words (spec: text-engine.md §1, §2); what two
//! changes of one text make together (spec: app-builder.md §4 "Merge").
//!
//! Owns the loops that run over every byte of a text, and nothing that refuses or decides. A crate of its own because it is
//! compiled for speed where all else in a page is compiled for size; hence no generic function leaves it, and the answer's
//! JSON is written here.

mod hunks;
mod lines;
mod merge;
mod script;
mod spans;

pub use hunks::{Diff, DiffLine, Hunk, LineKind, Stats, diff, line_changes, unified_hunks};
pub use lines::{Line, LineEnding, lines};
pub use merge::{Conflict, LineRange, Merge, merge};
pub use script::Change;
pub use spans::Spans;
