//! Synthetic fixtures in files (spec: ifc-sdk.md §5.1).

use holdpoint_check::Diagnostic;
use holdpoint_check::json;

use super::limits::MAX_JSON_DEPTH;
use super::schemas;

/// Reads and judges a `fixtures/*.json` file.
pub fn check(path: &str, text: &str, findings: &mut Vec<Diagnostic>) {
    match json::read(text, MAX_JSON_DEPTH) {
        Err(fault) => findings.push(fault.in_file(path)),
        Ok(document) => {
            let found = schemas::fixture().validate(&document).findings;
            let all = found.into_iter().chain(document.duplicates.iter().cloned());
            findings.extend(all.map(|finding| finding.in_file(path)));
        }
    }
}
