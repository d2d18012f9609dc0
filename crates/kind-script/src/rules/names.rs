//! `TOOL_NAME_UNBOUND`, `TOOL_CALL_ARGUMENTS`: names and calls that fail when the script comes there.
//!
//! Why: a change that was taken in part leaves a parameter behind, and the script parses all the same.

use holdpoint_check::python::{NameFault, NameFaultKind};
use holdpoint_check::{Diagnostic, args, codes};

use crate::policy::VirtualFile;

codes! {
    /// nothing in the script binds the name, and Python has none such
    TOOL_NAME_UNBOUND: Warning, "Nothing in the script binds `{name}`, and Python has no such name." [name];
    /// a call does not fit the function or class of the script that it names
    TOOL_CALL_ARGUMENTS / MISSING: Warning,
        "Give `{argument}` here: `{name}` of line {line} needs it." [argument, name, line];
    TOOL_CALL_ARGUMENTS / UNKNOWN: Warning,
        "`{name}` of line {line} has no parameter `{argument}`." [name, line, argument];
    TOOL_CALL_ARGUMENTS / TWICE: Warning,
        "Give `{argument}` once: it is given to `{name}` of line {line} by place and by name." [argument, name, line];
    TOOL_CALL_ARGUMENTS / SURPLUS: Warning,
        "Give {takes} here, not {given}: that is how many values `{name}` of line {line} takes by place."
        [takes, given, name, line];
}

pub fn check(faults: &[NameFault], findings: &mut Vec<Diagnostic>) {
    for fault in faults {
        let NameFault { name, range, .. } = fault;
        let argument = fault.argument.as_deref().unwrap_or_default();
        let line = fault.line.unwrap_or_default();
        let finding = match fault.kind {
            NameFaultKind::Unbound => Diagnostic::of(&TOOL_NAME_UNBOUND, args! { name }),
            NameFaultKind::Missing => Diagnostic::of(&MISSING, args! { argument, name, line }),
            NameFaultKind::Unknown => Diagnostic::of(&UNKNOWN, args! { name, line, argument }),
            NameFaultKind::Twice => Diagnostic::of(&TWICE, args! { argument, name, line }),
            NameFaultKind::Surplus => {
                let (takes, given) = (fault.takes.unwrap_or_default(), fault.given.unwrap_or_default());
                Diagnostic::of(&SURPLUS, args! { takes, given, name, line })
            }
        };
        findings.push(finding.in_file(VirtualFile::Tool.id()).at(*range));
    }
}
