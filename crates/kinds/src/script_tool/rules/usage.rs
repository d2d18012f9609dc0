//! `TOOL_USAGE_EMPTY`: nobody is told what the tool is for.

use holdpoint_check::{Diagnostic, Severity};

use super::is_blank;
use crate::script_tool::policy::VirtualFile;

/// One note when the file holds only white space.
pub fn check(text: &str, findings: &mut Vec<Diagnostic>) {
    if is_blank(text) {
        let message = "Say in a few lines what the tool does and what it needs.";
        let finding = Diagnostic::new("TOOL_USAGE_EMPTY", Severity::Info, message);
        findings.push(finding.in_file(VirtualFile::Usage.id()));
    }
}
