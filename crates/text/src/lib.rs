//! Lines, line diffs, and the engine that puts a proposed edit into a text, or refuses.
//!
//! Owns what a line is (text-engine.md §1), how two texts differ (§2), and whether, where and how surely a patch
//! fits (§3 to §9). Reads no clock and does no I/O. Invariants: the hunks of [`diff()`] turn `before` into `after` byte
//! for byte; a rejected proposal leaves every text as it was; what is kept always comes from the base, never from the
//! patch.
//!
//! ```
//! let diff = holdpoint_text::diff("a\nb\n", "a\nc\n", &Default::default()).unwrap();
//! assert_eq!(diff.unified, "diff --git a/file b/file\n--- a/file\n+++ b/file\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
//! assert_eq!(diff.stats.added, 1);
//! ```

mod accept;
mod apply;
mod base;
mod block;
mod codes;
mod diff;
mod endings;
mod error;
mod failure;
mod file;
mod fold;
mod gate;
mod hash;
mod header;
mod hint;
mod identity;
mod in_turn;
mod input;
mod limits;
mod location;
mod marks;
mod nfc;
mod patch;
mod place;
pub mod pointer;
mod preview;
mod propose;
mod region;
mod replace;
mod select;
mod splice;
mod syntax;
mod tags;
mod transport;

pub use accept::preview_accepted;
pub use apply::{Applied, ApplyInput, GateTokens, apply};
pub use codes::RejectCode;
pub use diff::{Diff, DiffLine, DiffOptions, Hunk, LineKind, Stats, diff};
pub use endings::{replace_lines, with_endings_of};
pub use error::{ConflictReason, ErrorDetails, TextError};
pub use hash::{hash_records, hex};
pub use holdpoint_diff::{Line, LineEnding, lines};
pub use input::{Accept, Cursor, Files, PreviewInput, RawOp, RawOptions, RawPreview, RawTarget, Selection, TextMode};
pub use limits::*;
pub use marks::adds_mark;
pub use nfc::nfc;
pub use place::Rung;
pub use preview::{ENGINE_VERSION, ErrorDetail, MarkedLines, Meta, Nearest, PlacedHunk, Preview, Verdict};
pub use propose::preview;
pub use replace::{PartFault, find_once, replace_once};
pub use select::{Selected, select};
pub use tags::{Severity, Tag};
