//! Lines, line diffs with changed words, unified diffs.
//!
//! Owns what a line is (text-engine.md §1) and how two texts differ (§2). Knows nothing of paths, files or JSON, and
//! reads no clock. Invariant: the hunks of [`diff`] turn `before` into `after` byte for byte.
//!
//! ```
//! let diff = holdpoint_text::diff("a\nb\n", "a\nc\n", &Default::default()).unwrap();
//! assert_eq!(diff.unified, "diff --git a/file b/file\n--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
//! assert_eq!(diff.stats.added, 1);
//! ```

mod diff;
mod lines;
mod script;
mod spans;

pub use diff::{Diff, DiffError, DiffLine, DiffOptions, Hunk, LineKind, Stats, diff};
pub use lines::{Ending, Line, lines};

/// Bytes in one text.
pub const MAX_FILE_BYTES: usize = 1_048_576;
/// Lines in one text.
pub const MAX_LINES: usize = 100_000;
/// Unchanged lines around a change, at most.
pub const MAX_CONTEXT: usize = 100;
/// Added plus deleted lines up to which the script is the shortest one.
pub const MAX_DIFF_EDITS: usize = 20_000;
