//! The reference of the methods of this folder's file.

use super::MAX_TEXT_BYTES;
use crate::test::Entry;

pub const ENTRIES: &[Entry] = &[Entry {
    method: "tokens.estimate",
    spec: "ai-sessions.md §7.1, script-tool.md §8",
    does: "Estimates the tokens of a text or of messages. Give exactly one of them.",
    input: &[
        ("kind?", "text", "`script-tool` counts by `model`."),
        ("text?", "text", ""),
        ("messages?", "list", "`{role?, content}`."),
        ("method?", "text", "`script-aware` (the usual one) or `chars4`."),
        ("model?", "text", "With `script-tool`: whose count."),
    ],
    output: &[
        ("tokens", "number", ""),
        ("method", "`script-aware`, `chars4`, `chars2`, `bytes3`", ""),
        ("chars", "number", ""),
    ],
    limits: &[("bytes of the text or of all contents", MAX_TEXT_BYTES)],
    example: r#"{"text": "Count the doors of every storey."}"#,
    refuses: &[
        (r"{}", "INVALID_INPUT"),
        (r#"{"text": "", "method": "by hand"}"#, "INVALID_INPUT"),
        (r#"{"kind": "script-tool", "text": ""}"#, "INVALID_INPUT"),
    ],
    ..Entry::PLAIN
}];
