//! The codes of the analysis and what they mean, for the reference.

/// Code and meaning, in byte order.
pub const CODES: [(&str, &str); 18] = [
    ("CODE_CAPABILITY_STRING", "A capability is put together at run time."),
    ("CODE_COMPUTED_ACCESS", "A member of a built-in or of the SDK under a key that is not constant."),
    ("CODE_CONSTRUCTOR_ESCAPE", "A way to a constructor or a prototype."),
    ("CODE_CTX_FIELD", "A field that `ctx` does not have."),
    ("CODE_DYNAMIC_IMPORT", "`import()` of something else than a literal path of the bundle."),
    ("CODE_EVAL", "`eval` or `Function`, however used."),
    ("CODE_FETCH_URL", "A URL that is not built from constants and counters only."),
    ("CODE_FORBIDDEN_GLOBAL", "A name of a host, such as `window` or `process`."),
    ("CODE_GLOBAL_WRITE", "A write to a built-in, to a member of one, or to a member of `ctx`."),
    ("CODE_HTML_COMMENT", "`<!--` as operators, or `-->` as first token of a line."),
    ("CODE_IMPORT", "An import of something that is not in the bundle, or `import.meta`."),
    ("CODE_SDK_ARGUMENTS", "Fewer arguments than the method needs."),
    ("CODE_SDK_ESCAPES", "The SDK goes where the analysis cannot follow it."),
    ("CODE_SDK_METHOD", "A namespace or method that `bim` does not have."),
    ("CODE_SYNTAX", "Not a valid strict ES module of edition 2024."),
    ("CODE_THIS", "`this` outside classes and methods."),
    ("CODE_TOO_COMPLEX", "Nested too deep, or too many syntax nodes."),
    ("CODE_UNKNOWN_NAME", "A name that nothing declares."),
];
