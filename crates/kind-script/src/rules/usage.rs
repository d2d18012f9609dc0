//! `TOOL_USAGE_EMPTY`: nobody is told what the tool is for.

use holdpoint_check::{Diagnostic, args, codes};

use super::is_blank;
use crate::policy::VirtualFile;

codes! {
    /// the file has only white space
    TOOL_USAGE_EMPTY: Info, "Say in a few lines what the tool does and what it needs.";
}

/// One note when the file holds only white space.
pub fn check(text: &str, findings: &mut Vec<Diagnostic>) {
    if is_blank(text) {
        findings.push(Diagnostic::of(&TOOL_USAGE_EMPTY, args! {}).in_file(VirtualFile::Usage.id()));
    }
}
