//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::MAX_TEXT_BYTES;
use crate::limits::{MAX_MESSAGE_CHARS, MAX_OPS, MAX_RAW_BYTES};

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "editops.parse",
        spec: "script-tool.md §4",
        does: "Reads what a model answered for a script: a sentence and ops. There are no partial results.",
        input: &[
            ("raw", "text", "The model's text."),
            ("finish_reason?", "text", "`length` says that the answer was cut."),
            ("mode?", "one of `patch-only`, `auto`", "`patch-only`."),
        ],
        output: &[
            ("ok", "yes or no", "Always yes."),
            ("assistant_message", "text", "What the model says to the person; may be empty."),
            ("ops", "list", "Normalised, in the order of the answer."),
            ("repairs", "list", "What was tolerated."),
        ],
        limits: &[("bytes of `raw`", MAX_RAW_BYTES), ("ops (else `EDITOPS_SHAPE`)", MAX_OPS)],
        example: r#"{"raw": "{\"assistant_message\": \"Done.\", \"ops\": [{\"op\": \"patch\", \"target_file\": \"tool.py\", \"patch\": \"@@ -1 +1 @@\\n-a\\n+b\\n\"}]}"}"#,
        refuses: &[
            (r#"{"raw": "I cannot help."}"#, "EDITOPS_NO_OBJECT"),
            (r#"{"raw": "{\"ops\": {}}"}"#, "EDITOPS_SHAPE"),
            (r#"{"raw": "{\"ops\": []", "finish_reason": "length"}"#, "EDITOPS_TRUNCATED"),
        ],
        ..Entry::PLAIN
    },
    Entry {
        method: "history.window",
        kind: "script-tool",
        spec: "script-tool.md §8",
        does: "Says which messages of a thread fit beside the system prompt and the newest message. Oldest go first.",
        input: &[
            ("kind", "text", "`script-tool`."),
            ("model", "text", "Whose tokens are counted."),
            ("window", "number", "Tokens of a call and its answer together."),
            ("max_output", "number", "Tokens of the answer."),
            ("margin", "number", "Tokens kept back because estimates err."),
            ("system", "text", "The system prompt; never cut."),
            ("system_cap?", "number", "Tokens of the system prompt, at most."),
            ("messages", "list", "`{role, content}`, oldest first."),
            ("user", "text", "The newest message; never cut."),
        ],
        output: &[
            ("kept", "list", "Indexes of messages: a suffix."),
            ("dropped", "number", "How many are left out."),
            ("tokens", "object", "`{budget, system, user, history}`."),
        ],
        limits: &[("bytes of all texts", MAX_TEXT_BYTES)],
        example: r#"{"kind": "script-tool", "model": "gpt-5", "window": 1000, "max_output": 200, "margin": 100, "system": "Be brief.", "messages": [{"role": "user", "content": "hello"}], "user": "count the doors"}"#,
        refuses: &[
            (
                r#"{"kind": "script-tool", "model": "gpt-5", "window": 10, "max_output": 1, "margin": 0, "system": "", "messages": [], "user": "count the doors of every storey, and say which of them have no fire rating"}"#,
                "MESSAGE_OVER_BUDGET",
            ),
            (
                r#"{"kind": "script-tool", "model": "gpt-5", "window": 1000, "max_output": 1, "margin": 0, "system": "Be brief.", "system_cap": 1, "messages": [], "user": "x"}"#,
                "SYSTEM_OVER_BUDGET",
            ),
        ],
    },
    Entry {
        method: "prompt.compose",
        kind: "script-tool",
        spec: "script-tool.md §3",
        does: "Composes what a model is told about a script. The system prompt and the newest message are never cut.",
        input: &[
            ("kind", "text", "`script-tool`."),
            ("purpose", "one of `edit-ops`, `chat`", ""),
            ("model", "text", "Whose tokens are counted."),
            ("profile?", "object", "`{window, max_output, margin, system_cap}`; those of the model."),
            ("mode?", "one of `patch-only`, `auto`", ""),
            ("host?", "object", "What the host adds to the system prompt."),
            ("message", "text", "The person's words."),
            ("active_file?", "text", "The file that the person works in."),
            ("virtual_files?", "object", "All five for an edit."),
            ("selection?", "object", "`{from, to}` in UTF-16 code units."),
            ("cursor?", "object", "`{pos}` in UTF-16 code units."),
            ("feedback?", "object", "The attempt that failed."),
            ("history?", "list", "`{role, content}` of complete turns, oldest first."),
        ],
        output: &[
            ("template_id", "text", ""),
            ("mode", "`patch-only`, `auto`", "The mode that holds."),
            ("layers", "list", "The system prompt in parts."),
            ("messages", "list", "What is sent."),
            ("response_schema", "object or null", "For providers that decode under a schema."),
            ("omitted_virtual_file_ids", "list", "Files that did not fit; never of an edit."),
            ("window", "object", "`history.window`."),
        ],
        limits: &[("characters of `message`", MAX_MESSAGE_CHARS), ("bytes of all texts", MAX_TEXT_BYTES)],
        example: r#"{"kind": "script-tool", "purpose": "chat", "model": "gpt-5", "message": "What does it do?"}"#,
        ..Entry::PLAIN
    },
];
