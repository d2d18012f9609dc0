//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::MAX_TAKEN;
use crate::limits::{MAX_DIAGNOSTICS, MAX_INPUT_BYTES, MAX_LINES, MAX_LOCKFILE_BYTES};

const BYTES: (&str, usize) = ("bytes of all texts", MAX_INPUT_BYTES);

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "files.apply",
        kind: "vite-app",
        spec: "vite-app.md §3",
        does: "Takes operations on the files of a project, all or none, and checks what they leave. An operation sees the result of those before it.",
        input: &[
            ("kind", "text", "`vite-app`."),
            ("files", "object", "Path → text; keys are normalised."),
            ("entry_file?", "text", "`src/main.tsx`."),
            (
                "operations",
                "list",
                "`upsert_file`, `delete_file`, `rename_file`, `set_entry_file`, `patch`, `put_blob`.",
            ),
            ("options?", "object", "`policy`, `catalog`, `registry`, `layout`, `limits`."),
        ],
        output: &[
            ("ok", "yes or no", "No error was found."),
            ("files", "object", "All files after."),
            ("entry_file", "text", "The entry after."),
            ("changed", "list", "`{path, status}` by comparing texts, in path order."),
            ("applied", "list", "`{index, effect, path, from_path?}`, one an operation."),
            ("base_hash", "text", "Hash of the files before."),
            ("result_hash", "text", "Hash of the files after."),
            ("patch_id", "text", "Names the change, not its spelling."),
            ("confirm_token", "text", "What a person sends who looked at the warnings; null without any."),
            ("diagnostics", "list", "Of the operations and of the files after."),
        ],
        limits: &[BYTES],
        example: r#"{"kind": "vite-app", "files": {"src/main.tsx": "export {};\n"}, "operations": [{"op": "upsert_file", "path": "src/a.ts", "content": ""}]}"#,
        refuses: &[(
            r#"{"kind": "vite-app", "files": {}, "operations": [{"op": "upsert_file", "path": "../a.ts", "content": ""}]}"#,
            "BUILDER_PATCH_POLICY_VIOLATION",
        )],
    },
    Entry {
        method: "mentions.resolve",
        spec: "vite-app.md §10",
        does: "Finds the files that a text names with `@`. One file fits, or the candidates are said.",
        input: &[
            ("text", "text", "What a person wrote."),
            ("paths?", "list", "Paths of the project; or `files`."),
            ("files?", "object", "The files of the project."),
            ("limit?", "number", "16, and at most that."),
        ],
        output: &[
            (
                "mentions",
                "list",
                "`{raw, start, end, status, path?, paths?, candidates?, match?, lines?}`, offsets in UTF-16 code units.",
            ),
            ("paths", "list", "Files of all mentions, in order, each once."),
            ("truncated", "yes or no", "There were more than are answered."),
        ],
        limits: &[BYTES],
        example: r#"{"text": "make @App.tsx wider", "paths": ["src/App.tsx"]}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "context.pack",
        kind: "vite-app",
        spec: "vite-app.md §11",
        does: "Chooses the files that a model is shown, whole or in windows, within a budget. The same input gives the same bytes.",
        input: &[
            ("kind", "text", "`vite-app`."),
            ("files", "object", "The files of the project."),
            ("entry_file?", "text", "`src/main.tsx`."),
            ("text", "text", "What is asked for."),
            ("recent?", "list", "Files that were changed lately, the newest first."),
            ("diagnostics?", "list", "Findings; `path` and `range` are read."),
            ("budget_bytes?", "number", "98304."),
            ("max_files?", "number", "24, at most 64."),
            ("max_file_bytes?", "number", "24576."),
            ("options?", "object", "As of `files.apply`."),
        ],
        output: &[
            ("tree", "list", "`{path, bytes}` of every file."),
            ("files", "list", "`{path, reason, bytes, start_line, end_line, truncated, text}`."),
            ("omitted", "list", "`{path, reason}` of what had no room."),
            ("used_bytes", "number", "Of all texts in `files`."),
            ("mentions", "list", "As of `mentions.resolve`."),
        ],
        limits: &[BYTES, ("diagnostics", MAX_DIAGNOSTICS)],
        example: r#"{"kind": "vite-app", "files": {"src/main.tsx": "export {};\n"}, "text": "make it blue"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "tests.select",
        spec: "vite-app.md §12",
        does: "Names the tests that a change may break: those that are changed, and those that reach a changed file by imports.",
        input: &[
            ("kind", "text", "`vite-app`."),
            ("files", "object", "The files of the project."),
            ("changed", "list", "Paths."),
            ("max?", "number", "8."),
            ("options?", "object", "As of `files.apply`, and `entry_file`."),
        ],
        output: &[
            ("tests", "list", "`{path, reason, distance}`, the nearest first."),
            ("truncated", "yes or no", "There were more than are answered."),
        ],
        limits: &[BYTES],
        example: r#"{"kind": "vite-app", "files": {"src/a.ts": "export {};\n", "src/a.test.ts": "import './a';\n"}, "changed": ["src/a.ts"]}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "slug.suggest",
        spec: "vite-app.md §12",
        does: "Makes the name of an app in addresses out of its title, with a number where it is taken.",
        input: &[("name", "text", "The title."), ("taken?", "list", "Names that are taken.")],
        output: &[("slug", "text", "3 to 64 of `a-z 0-9 -`.")],
        limits: &[BYTES, ("names in `taken`", MAX_TAKEN)],
        example: r#"{"name": "My first app", "taken": ["my-first-app"]}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "text.merge",
        spec: "app-builder.md §4 \"Merge\"",
        does: "Joins two changes of one text. Changes whose places overlap or touch are a conflict, unless both write the same.",
        input: &[
            ("base", "text", "What both began with."),
            ("ours", "text", "One change."),
            ("theirs", "text", "The other one."),
        ],
        output: &[
            ("clean", "yes or no", "There is no conflict."),
            ("text", "text or null", "The joined text; null unless clean."),
            ("conflicts", "list", "`{base, ours, theirs}`, each `{start_line, line_count}`."),
        ],
        limits: &[("bytes of a text", MAX_LOCKFILE_BYTES), ("lines of a text", MAX_LINES)],
        example: r#"{"base": "a\nb\nc\n", "ours": "A\nb\nc\n", "theirs": "a\nb\nC\n"}"#,
        ..Entry::PLAIN
    },
    Entry {
        method: "lock.renew",
        spec: "vite-app.md §7",
        does: "Takes the lock of a project's packages from that of its catalogue. No module of a page has it.",
        input: &[
            ("kind", "text", "`vite-app`."),
            ("files", "object", "The files of the project; `package.json` is read."),
            ("options?", "object", "As of `files.apply`; a `catalog` that has a lock."),
        ],
        output: &[("text", "text", "What stands in `package-lock.json`.")],
        limits: &[BYTES],
        example: r#"{"kind": "vite-app", "files": {"package.json": "{\"dependencies\": {\"react\": \"18.3.1\"}}"}, "options": {"catalog": "2026-11"}}"#,
        refuses: &[(r#"{"kind": "vite-app", "files": {"package.json": "{}"}}"#, "LOCKFILE_NOT_RENEWABLE")],
        ..Entry::PLAIN
    },
];
