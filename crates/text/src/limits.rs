//! The named limits of the engine (spec: text-engine.md §10).

pub const MAX_FILE_BYTES: usize = 1_048_576;
/// Bytes in all files of a call.
pub const MAX_TOTAL_BYTES: usize = 16_777_216;
pub const MAX_FILES: usize = 512;
pub const MAX_LINES: usize = 100_000;
pub const MAX_OPS: usize = 64;
/// Bytes in the patch or the content of one op.
pub const MAX_PATCH_BYTES: usize = 1_048_576;
/// Lines that begin with `@@`, and blocks, in a call.
pub const MAX_HUNKS: usize = 500;
/// The highest cost of an alignment on the rung `near`.
pub const MAX_NEAR: usize = 2;
/// Old lines that an alignment matches at least.
pub const NEAR_LINES: usize = 3;
/// Two lines are similar up to one changed character in this many.
pub const NEAR_DIV: usize = 8;
/// Characters up to which a line may be similar to another.
pub const NEAR_LENGTH: usize = 1_000;
/// How far from its stated line a hunk may be placed.
pub const MAX_OFFSET: usize = 50;
/// An offset above this one must be confirmed.
pub const CONFIRM_OFFSET: usize = 10;
/// An offset up to this one still counts as applied cleanly.
pub const CLEAN_OFFSET: usize = 5;
/// The highest fuzz level: context lines left out at one end.
pub const MAX_FUZZ: usize = 2;
/// How far from its stated line a hunk with fuzz may be placed.
pub const FUZZ_OFFSET: usize = 10;
/// Blank lines that the rung `blank` skips at most.
pub const MAX_BLANK_SKIPS: usize = 5;
/// Line comparisons in a call.
pub const MAX_COMPARISONS: usize = 20_000_000;
/// Added plus deleted lines up to which a diff is promised to be the shortest one.
pub const MAX_DIFF_EDITS: usize = 20_000;
/// Unchanged lines around a change of a diff, at most.
pub const MAX_CONTEXT: usize = 100;
