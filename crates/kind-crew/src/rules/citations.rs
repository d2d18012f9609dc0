//! `ASSET_REF_UNRESOLVED`: a cited asset that is not there (spec: crew-package.md §4, §6).

use std::collections::HashSet;

use holdpoint_check::{Diagnostic, args, codes};

use super::Scope;
use crate::documents::citations::{in_input, in_text};
use crate::documents::markdown::Markdown;
use crate::limits::MAX_DIAGNOSTICS;

codes! {
    /// a cited asset that is not in the package
    ASSET_REF_UNRESOLVED: Warning, "Add `{file}`, or take the citation out." [file];
}

/// One finding a path: `inputs` first, with a pointer; then the body, with a range.
pub fn check(file: &Markdown<'_>, inputs: &[&str], scope: &Scope<'_>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let mut unresolved = |path: &str| !(scope.has_asset)(path) && seen.insert(path.to_owned());
    let finding =
        |file: &str| Diagnostic::of(&ASSET_REF_UNRESOLVED, args! { file }).with_hint(format!("File: {file}."));
    let mut findings = Vec::new();
    for (at, path) in inputs.iter().enumerate().filter_map(|(at, item)| Some((at, in_input(item)?))) {
        if unresolved(path) {
            findings.push(finding(path).at_pointer(format!("/inputs/{at}")));
        }
    }
    for citation in file.body.iter().flat_map(|body| in_text(body.text, body.from, &scope.endings)) {
        if findings.len() < MAX_DIAGNOSTICS && unresolved(citation.path) {
            let range = file.range((citation.place.start, citation.place.end));
            findings.push(finding(citation.path).at(range));
        }
    }
    findings.truncate(MAX_DIAGNOSTICS);
    findings
}
