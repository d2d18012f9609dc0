//! Limits of this kind (spec: script-tool.md §1, §12).

/// It counts the bytes of `tool.py` (`TOOL_FILE_TOO_LARGE`).
pub const MAX_TOOL_BYTES: usize = 524_288;
/// It counts the bytes of `entrypoint.txt`.
pub const MAX_ENTRYPOINT_BYTES: usize = 256;
/// Bytes of each of the two schemas.
pub const MAX_SCHEMA_BYTES: usize = 131_072;
/// It counts the bytes of `usage_instructions.md`.
pub const MAX_USAGE_BYTES: usize = 262_144;
/// Bytes of the five files together (`TOOL_TOTAL_TOO_LARGE`).
pub const MAX_TOTAL_BYTES: usize = 1_048_576;
/// Arrays and objects open at once in JSON.
pub const MAX_JSON_DEPTH: usize = 128;
/// Findings of one check (then `DIAGNOSTICS_TRUNCATED`).
pub const MAX_DIAGNOSTICS: usize = 500;
/// Characters of a message to the model.
pub const MAX_MESSAGE_CHARS: usize = 20_000;
/// Bytes of a model's answer.
pub const MAX_RAW_BYTES: usize = 2_097_152;
/// Places of an answer at which JSON is looked for.
pub const MAX_PARSE_STARTS: usize = 256;
/// Ops of one answer (`EDITOPS_SHAPE`).
pub const MAX_OPS: usize = 64;
/// Days since the last activity after which a thread is gone.
pub const THREAD_TTL_DAYS: u32 = 30;
/// Messages of a thread that the next call may see.
pub const CHAT_TAIL_MESSAGES: usize = 60;
/// Messages that the history answers when nothing is asked for, and at most.
pub const HISTORY_LIMIT: usize = 60;
pub const MAX_HISTORY_LIMIT: usize = 200;
/// Milliseconds for which a place that the user touched counts as meant.
pub const EXPLICIT_LOCATION_MS: u32 = 45_000;
/// Repairs that the server asks for by itself.
pub const MAX_AUTO_REPAIRS: u32 = 1;
