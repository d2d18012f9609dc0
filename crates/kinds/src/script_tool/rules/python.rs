//! `TOOL_PYTHON_EMPTY`, `TOOL_PYTHON_SYNTAX`.

use holdpoint_check::Diagnostic;

use super::is_blank;
use crate::script_tool::policy::VirtualFile;
use holdpoint_check::python::{Binding, PythonFacts};

/// Whether there is anything to parse.
pub fn is_filled(text: &str, findings: &mut Vec<Diagnostic>) -> bool {
    let blank = is_blank(text);
    if blank {
        let message = "Write the script: a tool needs at least one function.";
        findings.push(Diagnostic::error("TOOL_PYTHON_EMPTY", message).in_file(VirtualFile::Tool.id()));
    }
    !blank
}

/// What the module binds, when it parses.
pub fn bindings(facts: PythonFacts, findings: &mut Vec<Diagnostic>) -> Option<Vec<Binding>> {
    match facts {
        PythonFacts::Module { bindings } => Some(bindings),
        PythonFacts::Broken { error } => {
            let message = format!("Correct the Python here: {}.", error.message.trim_end_matches('.'));
            let finding = Diagnostic::error("TOOL_PYTHON_SYNTAX", message);
            findings.push(finding.in_file(VirtualFile::Tool.id()).at(error.range));
            None
        }
    }
}
