//! The reference of the methods of this folder's file.

use holdpoint_text::{
    MAX_CONTEXT, MAX_FILE_BYTES, MAX_FILES, MAX_HUNKS, MAX_LINES, MAX_OPS, MAX_PATCH_BYTES, MAX_TOTAL_BYTES,
};

use crate::test::{Entry, Member, joined};

const PREVIEW: [Member; 7] = [
    ("ok", "yes or no", "The verdict is not `reject`."),
    (
        "verdict",
        "`clean`, `confirm`, `reject`",
        "May be applied; may be when a person confirms `meta.reasons`; is not.",
    ),
    ("after_virtual_files", "object", "Path → text; as sent when it is rejected."),
    ("changed_files", "list", "Paths whose text changed."),
    ("errors", "list", "For people, one for each of `error_details`."),
    (
        "error_details",
        "list",
        "`{code, op_index, target_file, hunk_index, hunk_header, candidates, expected_snippet, base_snippet, nearest, hint}`; \
         codes are the reject codes of the text engine.",
    ),
    (
        "meta",
        "object",
        "`{base_hash, patch_id, result_hash, confirm_token, requires_confirmation, reasons, fuzz_level_used, max_offset, \
         normalizations_applied, applied_cleanly, hunks, engine_version, mode}`.",
    ),
];

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "text.diff",
        spec: "text-engine.md §2",
        does: "Compares two texts line by line. Changes that are close share a hunk, and the words that differ inside a \
               replaced line are marked.",
        input: &[
            ("before", "text", ""),
            ("after", "text", ""),
            ("context?", "number", "Unchanged lines around a change; 3."),
            ("path?", "text", "The name in the unified form; `file`."),
        ],
        output: &[
            (
                "hunks",
                "list",
                "`{id, old_start, old_count, new_start, new_count, lines}`; a line is `{kind, text, eol, spans?}` with kind \
                 `context`, `delete` or `insert`, `spans` in UTF-16 code units.",
            ),
            ("stats", "object", "`{added, deleted}` lines."),
            ("unified", "text", "As `git apply` takes it; empty when the texts are equal."),
        ],
        limits: &[
            ("bytes of a text", MAX_FILE_BYTES),
            ("lines of a text", MAX_LINES),
            ("`context` (else `INVALID_INPUT`)", MAX_CONTEXT),
        ],
        example: r#"{"before": "one\ntwo\n", "after": "one\ntwo words\n"}"#,
        refuses: &[(r#"{"before": "", "after": "", "context": 100000}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "text.select",
        spec: "text-engine.md §2",
        does: "Takes only some of the changes between two texts. All hunks give `after`, none gives `before`, byte for byte.",
        input: &[
            ("before", "text", ""),
            ("after", "text", ""),
            ("accept", "list of text", "Ids of `text.diff` with the same `context`."),
            ("context?", "number", "3."),
        ],
        output: &[("text", "text", ""), ("stats", "object", "`{added, deleted}` lines.")],
        limits: &[("bytes of a text", MAX_FILE_BYTES), ("lines of a text", MAX_LINES)],
        example: r#"{"before": "one\ntwo\n", "after": "one\ntwo words\n", "accept": []}"#,
        refuses: &[(r#"{"before": "a\n", "after": "b\n", "accept": ["no such hunk"]}"#, "UNKNOWN_HUNK")],
        ..Entry::PLAIN
    },
    Entry {
        method: "text.preview",
        spec: "text-engine.md §3, §4",
        does: "Says whether a proposed edit fits, where, and how surely. Nothing is written.",
        input: &INPUT,
        output: &PREVIEW,
        limits: LIMITS,
        example: r#"{"files": {"a.py": "x = 1\ny = 2\n"}, "ops": [{"op": "patch", "target_file": "a.py", "patch": "@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"}]}"#,
        refuses: &[(r#"{"files": {}, "ops": [{"op": "no such op", "target_file": "a.py"}]}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "text.apply",
        spec: "text-engine.md §3, §4, script-tool.md §6",
        does: "Previews again and answers the texts to write, when base, patch and result are those that were previewed and a \
               person confirmed what must be confirmed. What is stale answers with the fresh preview.",
        input: &APPLY_INPUT,
        output: &APPLY_OUTPUT,
        limits: LIMITS,
        example: r#"{"files": {"a.py": "x = 1\ny = 2\n"}, "ops": [{"op": "patch", "target_file": "a.py", "patch": "@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"}], "base_hash": "sha256:c8f815e685434a57ba3b0374d653fae83e17b5cc2f989d404f39b6093030081e", "patch_id": "sha256:b6bc38440d042d53dfdaa690d542d98b428807c6228561dd4049599b6e7be764"}"#,
        refuses: &[(
            r#"{"files": {"a.py": "x = 1\n"}, "ops": [{"op": "patch", "target_file": "a.py", "patch": "@@ -1 +1 @@\n-x = 1\n+x = 2\n"}], "base_hash": "sha256:0", "patch_id": "sha256:0"}"#,
            "CONFLICT",
        )],
        ..Entry::PLAIN
    },
];

const INPUT: [Member; 7] = [
    ("files", "object", "Path → text."),
    (
        "ops",
        "list",
        "`{op, target_file, patch?, patch_lines?, target?, content?}`; `op` is `patch`, or in the mode `auto` also `insert`, \
         `replace`, `delete` with a `target`.",
    ),
    ("active_file?", "text", "The file that `selection` and `cursor` belong to."),
    ("selection?", "object", "`{from, to}` in UTF-16 code units."),
    ("cursor?", "object", "`{pos}` in UTF-16 code units."),
    ("options?", "object", "`mode` (`patch-only`, `auto`), `generation_finished`."),
    ("accept?", "object", "Path → hunk ids: take only these changes."),
];

const APPLY_INPUT: [Member; 11] = joined(
    &INPUT,
    &[
        ("base_hash", "text", "Of the preview's `meta`."),
        ("patch_id", "text", "Of the preview's `meta`."),
        ("result_hash?", "text", "Of the preview's `meta`; over HTTP required."),
        ("confirm_token?", "text", "Of the preview's `meta`, where the verdict is `confirm`."),
    ],
);

const APPLY_OUTPUT: [Member; 8] =
    joined(&[("applied", "yes or no", "Yes unless the fresh preview rejects.")], &PREVIEW);

const LIMITS: &[(&str, usize)] = &[
    ("files", MAX_FILES),
    ("bytes of a text", MAX_FILE_BYTES),
    ("bytes of all texts", MAX_TOTAL_BYTES),
    ("lines of a text", MAX_LINES),
    ("ops", MAX_OPS),
    ("bytes of a patch", MAX_PATCH_BYTES),
    ("hunks", MAX_HUNKS),
];
