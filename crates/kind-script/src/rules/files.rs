//! `TOOL_FILE_MISSING`, `TOOL_FILE_UNKNOWN`, `TOOL_FILE_TOO_LARGE`, `TOOL_TOTAL_TOO_LARGE`.
//!
//! Why: the set is closed, and a tool that is too large can still be opened and cut down, so sizes are findings.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};

use crate::limits::MAX_TOTAL_BYTES;
use crate::policy::VirtualFile;

codes! {
    /// one of the five files is absent
    TOOL_FILE_MISSING: Error, "Add `{file}`; it may be empty." [file];
    /// a file has another path
    TOOL_FILE_UNKNOWN: Error, "Remove this file: a tool has exactly five.";
    /// over the limit of its file
    TOOL_FILE_TOO_LARGE: Error, "Keep the file within {limit} bytes; it has {n}." [limit, n];
    /// over the limit of all files
    TOOL_TOTAL_TOO_LARGE: Error, "Keep all files within {limit} bytes; they have {total}." [limit, total];
}

/// The files that further rules may look at.
pub fn check<'f>(files: &'f Files, findings: &mut Vec<Diagnostic>) -> BTreeMap<VirtualFile, &'f str> {
    for path in files.keys().filter(|path| VirtualFile::parse(path).is_none()) {
        let five = VirtualFile::ALL.map(VirtualFile::id).join(", ");
        findings.push(Diagnostic::of(&TOOL_FILE_UNKNOWN, args! {}).in_file(path.clone()).with_hint(five));
    }
    let mut usable = BTreeMap::new();
    let mut total = 0;
    for file in VirtualFile::ALL {
        let Some(text) = files.get(file.id()) else {
            findings.push(Diagnostic::of(&TOOL_FILE_MISSING, args! { file: file.id() }).in_file(file.id()));
            continue;
        };
        total += text.len();
        if text.len() > file.limit() {
            let values = args! { limit: file.limit(), n: text.len() };
            findings.push(Diagnostic::of(&TOOL_FILE_TOO_LARGE, values).in_file(file.id()));
        } else {
            usable.insert(file, text.as_str());
        }
    }
    if total > MAX_TOTAL_BYTES {
        findings.push(Diagnostic::of(&TOOL_TOTAL_TOO_LARGE, args! { limit: MAX_TOTAL_BYTES, total }));
    }
    usable
}
