//! The reference of the methods of this folder's file.

use super::MAX_BYTES;
use crate::test::Entry;

pub const ENTRIES: &[Entry] = &[Entry {
    method: "python.facts",
    spec: "script-tool.md §2",
    does: "Reads a Python module: whether it parses, and which names it binds. Not in the page's core, which has a \
               module of its own for it.",
    input: &[("text", "text", ""), ("names?", "yes or no", "Whether the answer has `faults`.")],
    output: &[
        ("bindings?", "list", "`{name, kind, line, block, range}` of module level, when it parses."),
        ("faults?", "list", "`{kind, name, range, argument?, takes?, given?, line?}` of names and calls that fail."),
        ("error?", "object", "`{range, message}` of the first syntax error."),
    ],
    limits: &[("bytes of the text", MAX_BYTES)],
    example: r#"{"text": "def run(model):\n    return 1\n"}"#,
    ..Entry::PLAIN
}];
