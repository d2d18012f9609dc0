//! ProjectLimits of a project (spec: vite-app.md §1). Exactly the limit is allowed.

pub const MAX_OPERATIONS: usize = 200;
pub const MAX_FILES: usize = 400;
/// Of one file that is no root lock file, in bytes.
pub const MAX_FILE_BYTES: usize = 262_144;
/// Of one root lock file, in bytes.
pub const MAX_LOCKFILE_BYTES: usize = 2_097_152;
/// Of all text but root lock files, in bytes.
pub const MAX_PROJECT_BYTES: usize = 2_097_152;
/// Of what one pointer stands for, in bytes.
pub const MAX_BLOB_BYTES: u64 = 5_242_880;
/// Of what all pointers stand for, in bytes.
pub const MAX_PROJECT_BLOB_BYTES: u64 = 33_554_432;
pub const MAX_PATH_BYTES: usize = 512;
pub const MAX_SEGMENT_BYTES: usize = 255;
/// Of one path, in segments between slashes.
pub const MAX_PATH_DEPTH: usize = 32;
/// Of all texts of one call, in bytes.
pub const MAX_INPUT_BYTES: usize = 12_582_912;
/// Lines of a text that is merged: the work of a merge grows with their square.
pub const MAX_LINES: usize = 100_000;
pub const MAX_DIAGNOSTICS: usize = 500;
/// Brackets and values of a JSON file inside one another.
pub const MAX_SYNTAX_DEPTH: usize = 400;
pub const MAX_MENTIONS: usize = 16;
/// Files of one folder that a mention stands for.
pub const MAX_FOLDER_FILES: usize = 50;
