//! `TOOL_PYTHON_EMPTY`, `TOOL_PYTHON_SYNTAX`.

use holdpoint_check::{Diagnostic, args, codes};

use super::is_blank;
use crate::policy::VirtualFile;
use holdpoint_check::python::{NameFault, PythonBinding, PythonFacts, TOO_DEEP};

codes! {
    /// the file has only white space
    TOOL_PYTHON_EMPTY: Error, "Write the script: a tool needs at least one function.";
    /// the script does not parse as Python
    TOOL_PYTHON_SYNTAX / GRAMMAR: Error, "Correct the Python here: {why}." [why];
    TOOL_PYTHON_SYNTAX / DEEP: Error, "Correct the Python here: the code nests too deeply here.";
}

/// Whether there is anything to parse.
pub fn is_filled(text: &str, findings: &mut Vec<Diagnostic>) -> bool {
    let blank = is_blank(text);
    if blank {
        findings.push(Diagnostic::of(&TOOL_PYTHON_EMPTY, args! {}).in_file(VirtualFile::Tool.id()));
    }
    !blank
}

/// What the module binds and what is wrong with its names, when it parses.
pub fn module(facts: PythonFacts, findings: &mut Vec<Diagnostic>) -> Option<(Vec<PythonBinding>, Vec<NameFault>)> {
    match facts {
        PythonFacts::Module { bindings, faults } => Some((bindings, faults)),
        PythonFacts::Broken { error } => {
            let finding = match error.message.trim_end_matches('.') {
                TOO_DEEP => Diagnostic::of(&DEEP, args! {}),
                why => Diagnostic::of(&GRAMMAR, args! { why }),
            };
            findings.push(finding.in_file(VirtualFile::Tool.id()).at(error.range));
            None
        }
    }
}
