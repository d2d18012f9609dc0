//! `FILE_UNUSED`: a file that nothing uses (spec: ifc-extension.md §5).
//!
//! Why: nobody reviews what does not run. A use counts only when it begins at the manifest.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};

use crate::manifest::Manifest;

codes! {
    /// a file that nothing uses
    FILE_UNUSED: Warning, "Remove the file, or use it: nothing reaches it.";
}

const FOLDERS: [&str; 3] = ["src/", "widgets/", "fixtures/"];

/// One warning for each file that is not reached.
pub fn check(
    manifest: &Manifest,
    files: &Files,
    imports: &BTreeMap<String, BTreeSet<String>>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut open = roots(manifest);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    while let Some(path) = open.pop() {
        if used.insert(path) {
            open.extend(imports.get(path).into_iter().flatten().map(String::as_str));
        }
    }
    for path in files.keys().filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder))) {
        if !used.contains(path.as_str()) {
            findings.push(Diagnostic::of(&FILE_UNUSED, args! {}).in_file(path.clone()));
        }
    }
}

fn roots(manifest: &Manifest) -> Vec<&str> {
    let entry = &manifest.entry;
    let contributes = &manifest.contributes;
    let mut roots: Vec<&str> = entry.commands.values().chain(entry.triggers.values()).map(String::as_str).collect();
    roots.extend(entry.activate.as_deref());
    roots.extend(entry.deactivate.as_deref());
    roots.extend(contributes.dock.iter().map(|dock| dock.widget.as_str()));
    roots.extend(contributes.lenses.iter().map(|lens| lens.evaluator.as_str()));
    roots.extend(contributes.exporters.iter().map(|exporter| exporter.handler.as_str()));
    roots.extend(contributes.ids_validators.iter().map(|validator| validator.handler.as_str()));
    roots.extend(manifest.tests.iter().filter_map(|test| test.fixture.as_str()));
    roots
}
