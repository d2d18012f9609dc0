//! The reference of the methods of this folder's file.

use holdpoint_check::method::reference::Entry;

use super::{MAX_CHANGES, MAX_MEMBERS};
use crate::methods::compare::MAX_FILES_BYTES;

pub const ENTRIES: &[Entry] = &[
    Entry {
        method: "drift.match",
        spec: "authoring.md §8",
        does: "Finds the entries of a changelog that touch what an extension uses, and where.",
        input: &[
            ("changes", "list", "`{version, kind, members[], summary, migration}`."),
            ("from", "text", "The SDK that the extension worked with; its own entries do not count."),
            ("to", "text", "The SDK that it meets; its own entries count."),
            ("files", "object", "Path → text."),
        ],
        output: &[(
            "relevant",
            "list",
            "`{entry, sites[]}` in the order of `changes`; a site is `{path, range}` of a call or `{path, pointer}` of a \
             value.",
        )],
        limits: &[
            ("bytes of the files", MAX_FILES_BYTES),
            ("entries of the changelog", MAX_CHANGES),
            ("members that they name", MAX_MEMBERS),
        ],
        example: r#"{"changes": [{"version": "1.1.0", "kind": "added", "members": ["bim"], "summary": "More.", "migration": ""}], "from": "1.0.0", "to": "1.1.0", "files": {"manifest.json": "{}"}}"#,
        refuses: &[(r#"{"changes": [], "from": "1", "to": "1.1.0", "files": {}}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
    Entry {
        method: "drift.judge",
        spec: "authoring.md §8",
        does: "Says what becomes of an extension under another SDK. Without `passed` it may answer that its tests \
               decide: those of `trial`, which are its files with a range that refuses no SDK.",
        input: &[
            ("files", "object", "Path → text."),
            ("from", "text", "The SDK that it worked with."),
            ("to", "text", "The SDK that it meets."),
            ("changes?", "list", "A changelog as for `drift.match`; the built-in one."),
            ("passed?", "yes or no", "Whether all tests of `trial` passed."),
        ],
        output: &[
            ("outcome", "text?", "`ok`, `range_only`, `unknown`, `broken`; null while the tests decide."),
            ("satisfied", "yes or no", "The range of the manifest holds `to`."),
            ("diagnostics", "list", "Of the check under `to`, but for the range."),
            ("relevant", "list", "As `drift.match`."),
            ("id", "text?", "Of the manifest, as far as it can be read."),
            ("name", "text?", "The same."),
            ("version", "text?", "The same."),
            ("trial?", "object", "While the tests decide: the files to test."),
            ("widened?", "object", "With `range_only` and `broken`: the next patch version, whose range holds `to`."),
            ("plan?", "object", "With `broken`: what it is as a plan, which a repair keeps to."),
        ],
        limits: &[("bytes of the files", MAX_FILES_BYTES)],
        example: r#"{"files": {"manifest.json": "{}"}, "from": "1.0.0", "to": "1.1.0"}"#,
        refuses: &[(r#"{"files": {}, "from": "1.0.0", "to": "next"}"#, "INVALID_INPUT")],
        ..Entry::PLAIN
    },
];
