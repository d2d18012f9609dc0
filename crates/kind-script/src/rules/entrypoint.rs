//! `TOOL_ENTRYPOINT_…`: the name in `entrypoint.txt` and what the module binds.
//!
//! Why: the runner calls this one name; a name that is not there fails only when somebody runs the tool.

use std::collections::BTreeMap;

use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_sdk::near;
use unicode_normalization::UnicodeNormalization;

use crate::policy::VirtualFile;
use crate::report::{EntryPoint, functions};
use holdpoint_check::python::{PythonBinding, PythonBindingKind};

codes! {
    /// the file has only white space
    TOOL_ENTRYPOINT_EMPTY: Error, "Name the function that the tool starts with.";
    /// no identifier, or a hard keyword
    TOOL_ENTRYPOINT_INVALID: Error, "Write the name of one Python function and nothing else.";
    /// the module binds no such name
    TOOL_ENTRYPOINT_NOT_FOUND: Error,
        "`tool.py` has no function `{name}` at module level. Define it, or name another one." [name];
    /// bound, but not by def
    TOOL_ENTRYPOINT_NOT_DEF: Warning,
        "Define `{name}` with `def`: it is bound otherwise, so that nobody knows if it can be called." [name];
    /// two def of that name in one block
    TOOL_ENTRYPOINT_DUPLICATE: Warning,
        "Keep one `{name}`: this one counts, the one in line {line} is never called." [name, line];
}

/// Words that can never be names. Soft keywords (`match`, `case`, `type`, `_`) can.
const HARD_KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The entry point, when the module binds it.
pub fn check(text: &str, bindings: &[PythonBinding], findings: &mut Vec<Diagnostic>) -> Option<EntryPoint> {
    let name = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let mut found = |finding: Diagnostic| findings.push(finding.in_file(VirtualFile::Entrypoint.id()));
    if name.is_empty() {
        found(Diagnostic::of(&TOOL_ENTRYPOINT_EMPTY, args! {}));
        return None;
    }
    if !is_identifier(name) || HARD_KEYWORDS.contains(&name) {
        found(Diagnostic::of(&TOOL_ENTRYPOINT_INVALID, args! {}));
        return None;
    }
    // Python compares names in NFKC.
    let compared: String = name.nfkc().collect();
    let bound: Vec<&PythonBinding> = bindings.iter().filter(|binding| binding.name == compared).collect();
    let last = bound.iter().rfind(|binding| binding.kind == PythonBindingKind::Def);
    if bound.is_empty() {
        let finding = Diagnostic::of(&TOOL_ENTRYPOINT_NOT_FOUND, args! { name });
        found(finding.with_hint(near::hint(name, &functions(bindings))));
        return None;
    }
    if last.is_none() {
        found(Diagnostic::of(&TOOL_ENTRYPOINT_NOT_DEF, args! { name }));
    }
    findings.extend(duplicates(&bound, name));
    Some(EntryPoint { name: name.to_owned(), line: last.map(|binding| binding.line) })
}

/// One finding for each block that defines the name more than once, at the last definition.
fn duplicates(bound: &[&PythonBinding], name: &str) -> Vec<Diagnostic> {
    let mut blocks: BTreeMap<u32, Vec<&PythonBinding>> = BTreeMap::new();
    for binding in bound.iter().filter(|binding| binding.kind == PythonBindingKind::Def) {
        blocks.entry(binding.block).or_default().push(binding);
    }
    let repeated = blocks.into_values().filter(|defs| defs.len() > 1);
    repeated
        .filter_map(|defs| {
            let last = defs.last()?;
            let first = defs.first()?.line;
            Some(
                Diagnostic::of(&TOOL_ENTRYPOINT_DUPLICATE, args! { name, line: first })
                    .in_file(VirtualFile::Tool.id())
                    .at(last.range),
            )
        })
        .collect()
}

/// A Python identifier (PEP 3131).
fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    let start = |first: char| first == '_' || unicode_ident::is_xid_start(first);
    characters.next().is_some_and(start) && characters.all(unicode_ident::is_xid_continue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_check::{Position, Range};

    fn binding(name: &str, kind: PythonBindingKind, line: u32, block: u32) -> PythonBinding {
        let at = |column| Position { line, column };
        PythonBinding { name: name.to_owned(), kind, line, block, range: Range { start: at(1), end: at(8) } }
    }

    #[test]
    fn names_and_bindings() {
        use PythonBindingKind::{Assignment, Class, Def, Import};
        let module = [
            binding("run", Def, 1, 0),
            binding("run", Def, 5, 0),
            binding("start", Assignment, 9, 0),
            binding("Tool", Class, 10, 0),
            binding("main", Import, 12, 1),
            binding("main", Def, 14, 2),
            binding("kör", Def, 16, 0),
            binding("match", Def, 18, 0),
            binding("two", Def, 20, 3),
            binding("two", Def, 22, 4),
        ];
        let cases = [
            ("run\n", "TOOL_ENTRYPOINT_DUPLICATE", Some(Some(5))),
            ("\u{feff}kör \r\n", "", Some(Some(16))),
            ("ko\u{308}r", "", Some(Some(16))),
            ("match", "", Some(Some(18))),
            ("start", "TOOL_ENTRYPOINT_NOT_DEF", Some(None)),
            ("Tool", "TOOL_ENTRYPOINT_NOT_DEF", Some(None)),
            ("main", "", Some(Some(14))),
            ("two", "", Some(Some(22))),
            ("runs", "TOOL_ENTRYPOINT_NOT_FOUND", None),
            ("", "TOOL_ENTRYPOINT_EMPTY", None),
            (" \n\u{a0}", "TOOL_ENTRYPOINT_EMPTY", None),
            ("a b", "TOOL_ENTRYPOINT_INVALID", None),
            ("1a", "TOOL_ENTRYPOINT_INVALID", None),
            ("run()", "TOOL_ENTRYPOINT_INVALID", None),
            ("run\nstart", "TOOL_ENTRYPOINT_INVALID", None),
            ("None", "TOOL_ENTRYPOINT_INVALID", None),
            ("tool.run", "TOOL_ENTRYPOINT_INVALID", None),
        ];
        for (text, code, want) in cases {
            let mut findings = Vec::new();
            let called = check(text, &module, &mut findings);
            let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_ref()).collect();
            assert_eq!(codes.join(" "), code, "{text:?}");
            assert_eq!(called.map(|called| called.line), want, "{text:?}");
        }
    }
}
