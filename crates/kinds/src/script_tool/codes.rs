//! Every code of `bundle.check` for this kind, once (spec: script-tool.md §2).

use holdpoint_check::Severity::{self, Error, Info, Warning};

/// Code, severity, meaning.
pub const CODES: &[(&str, Severity, &str)] = &[
    ("TOOL_FILE_MISSING", Error, "one of the five files is absent"),
    ("TOOL_FILE_UNKNOWN", Error, "another path is present"),
    ("TOOL_FILE_TOO_LARGE", Error, "over the limit of its file"),
    ("TOOL_TOTAL_TOO_LARGE", Error, "over the limit of all files"),
    ("TOOL_CONTROL_CHARACTER", Error, "a control character"),
    ("TOOL_BIDI_CONTROL", Warning, "a character that changes the direction of text"),
    ("TOOL_PYTHON_EMPTY", Error, "only white space"),
    ("TOOL_PYTHON_SYNTAX", Error, "does not parse"),
    ("TOOL_ENTRYPOINT_EMPTY", Error, "only white space"),
    ("TOOL_ENTRYPOINT_INVALID", Error, "no identifier, or a hard keyword"),
    ("TOOL_ENTRYPOINT_NOT_FOUND", Error, "the module binds no such name"),
    ("TOOL_ENTRYPOINT_NOT_DEF", Warning, "bound, but not by def"),
    ("TOOL_ENTRYPOINT_DUPLICATE", Warning, "two def of that name in one block"),
    ("TOOL_SCHEMA_NOT_JSON", Error, "not empty and not strict JSON"),
    ("TOOL_SCHEMA_DUPLICATE_KEY", Warning, "a key twice in one object"),
    ("TOOL_SCHEMA_INVALID", Error, "breaks the metaschema, or the root is no object"),
    ("TOOL_SCHEMA_REF", Error, "a reference that is not local or leads nowhere"),
    ("TOOL_SCHEMA_PATTERN", Error, "no regular expression"),
    ("TOOL_SCHEMA_DEFAULT", Warning, "not valid under its own schema"),
    ("TOOL_SCHEMA_ROOT", Warning, "the type of the root is not object"),
    ("TOOL_USAGE_EMPTY", Info, "only white space"),
    ("DIAGNOSTICS_TRUNCATED", Info, "over MAX_DIAGNOSTICS"),
];
