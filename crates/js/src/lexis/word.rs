//! Which words are names.

use super::token::{Kind, unescape};

/// Words that no variable can have in a module.
const RESERVED: [&str; 46] = [
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Words that mean something in some places: with an escape in them they are errors or names, and a parser may take
/// either way.
const CONTEXTUAL: [&str; 11] =
    ["as", "async", "accessor", "from", "get", "meta", "of", "satisfies", "set", "target", "using"];

/// Whether a token can be the name of a variable or of a label.
pub(super) fn is_name(kind: Kind) -> bool {
    match kind {
        Kind::Word(word) => RESERVED.binary_search(&word).is_err(),
        Kind::Escaped(word) => {
            let word = unescape(word);
            RESERVED.binary_search(&word.as_str()).is_err() && !CONTEXTUAL.contains(&word.as_str())
        }
        _ => false,
    }
}

/// Whether a token can name a member: any word, a text, a number.
pub(super) fn is_key(kind: Kind) -> bool {
    matches!(kind, Kind::Word(_) | Kind::Escaped(_) | Kind::String | Kind::Number)
}
