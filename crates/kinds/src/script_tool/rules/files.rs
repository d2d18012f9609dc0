//! `TOOL_FILE_MISSING`, `TOOL_FILE_UNKNOWN`, `TOOL_FILE_TOO_LARGE`, `TOOL_TOTAL_TOO_LARGE`.
//!
//! Why: the set is closed, and a tool that is too large can still be opened and cut down, so sizes are findings.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;

use crate::script_tool::limits::MAX_TOTAL_BYTES;
use crate::script_tool::policy::VirtualFile;

/// The files that further rules may look at.
pub fn check<'f>(files: &'f Files, findings: &mut Vec<Diagnostic>) -> BTreeMap<VirtualFile, &'f str> {
    for path in files.keys().filter(|path| VirtualFile::parse(path).is_none()) {
        let message = "Remove this file: a tool has exactly five.";
        let five = VirtualFile::ALL.map(VirtualFile::id).join(", ");
        findings.push(Diagnostic::error("TOOL_FILE_UNKNOWN", message).in_file(path.clone()).with_hint(five));
    }
    let mut usable = BTreeMap::new();
    let mut total = 0;
    for file in VirtualFile::ALL {
        let Some(text) = files.get(file.id()) else {
            let message = format!("Add `{file}`; it may be empty.");
            findings.push(Diagnostic::error("TOOL_FILE_MISSING", message).in_file(file.id()));
            continue;
        };
        total += text.len();
        if text.len() > file.limit() {
            let message = format!("Keep the file within {} bytes; it has {}.", file.limit(), text.len());
            findings.push(Diagnostic::error("TOOL_FILE_TOO_LARGE", message).in_file(file.id()));
        } else {
            usable.insert(file, text.as_str());
        }
    }
    if total > MAX_TOTAL_BYTES {
        let message = format!("Keep all files within {MAX_TOTAL_BYTES} bytes; they have {total}.");
        findings.push(Diagnostic::error("TOOL_TOTAL_TOO_LARGE", message));
    }
    usable
}
