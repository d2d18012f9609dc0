//! The reference of the methods of this folder's file.

use super::MAX_FILES_BYTES;
use holdpoint_check::method::reference::Entry;

pub const ENTRIES: &[Entry] = &[Entry {
    method: "bundle.diff",
    spec: "facade.md \"Methods\", ifc-extension.md §7",
    does: "Says what differs between two bundles: files, capabilities, tests that ask for less.",
    input: &[("before", "object", "Path → text."), ("after", "object", "Path → text.")],
    output: &[
        (
            "files",
            "list",
            "`{path, status, from?, diff}`: `added`, `modified`, `deleted`, `renamed`; `diff` as `text.diff`, null when \
                 the texts are too large to compare.",
        ),
        ("stats", "object", "`{added, deleted}` lines of all files."),
        ("capabilities", "object", "`capability.diff` of the two manifests."),
        ("weakened_tests", "list", "`{name, reason}`."),
    ],
    limits: &[("bytes of each bundle", MAX_FILES_BYTES)],
    example: r#"{"before": {"src/run.js": "1;\n"}, "after": {"src/run.js": "2;\n"}}"#,
    ..Entry::PLAIN
}];
