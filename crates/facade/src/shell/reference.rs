//! The reference of the methods of this folder's file.

use super::{MAX_INPUT_BYTES, MAX_INPUT_FILES};
use crate::test::Entry;

pub const ENTRIES: &[Entry] = &[Entry {
    method: "bundle.check",
    spec: "facade.md \"Methods\", ifc-extension.md §7",
    does: "Checks a bundle: paths, schemas, capabilities, references, code. Nothing is run.",
    input: &[
        ("kind", "text", "`ifc-extension`."),
        ("files", "object", "Path → text."),
        (
            "options?",
            "object",
            "`sdk_version` (SemVer; the built-in one), `origin` (`authored`, `hand`, `promoted`), `plan` (an approved \
             plan, with which the bundle must conform).",
        ),
    ],
    output: &[
        ("ok", "yes or no", "No error."),
        ("diagnostics", "list", "Sorted by path, position, code."),
        ("manifest", "object or null", "As it stands; null when there is none or it is no JSON."),
        ("capabilities", "list", "Declared ones that parse: `{capability, risk, sentence, pointer}`."),
        ("overall_risk", "`green`, `yellow`, `red`", "The highest tier of the declared capabilities."),
        ("summary", "object", "`{contributions, tests, files, bytes, hosts, formats}`."),
    ],
    limits: &[("files", MAX_INPUT_FILES), ("bytes of all paths and texts", MAX_INPUT_BYTES)],
    example: r#"{"kind": "ifc-extension", "files": {"notes.txt": "hello"}}"#,
    refuses: &[
        (r#"{"kind": "no-such-kind", "files": {}}"#, "INVALID_INPUT"),
        (r#"{"kind": "ifc-extension", "files": {}, "options": {"sdk_version": "one"}}"#, "INVALID_INPUT"),
    ],
    ..Entry::PLAIN
}];
