//! The check: what is asked of the five files, and in which order (spec: script-tool.md §2).

use holdpoint_bundle::Files;
use holdpoint_check::python::PythonFacts;

use super::policy::VirtualFile;
use super::report::ScriptReport;
use super::rules::{characters, entrypoint, files, names, python, schema, usage};

/// `tool.py` must be parsed for an answer, and the facts were not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactsMissing;

/// Checks the files, `names` and calls where that is asked. `grammar` is asked for `tool.py` only when its text is worth
/// parsing.
pub fn check(
    files: &Files,
    names: bool,
    grammar: impl FnOnce(&str) -> Option<PythonFacts>,
) -> Result<ScriptReport, FactsMissing> {
    let mut findings = Vec::new();
    let mut usable = files::check(files, &mut findings);
    usable.retain(|file, text| characters::check(*file, text, &mut findings));
    let text = |file: VirtualFile| usable.get(&file).copied();

    let mut bindings = Vec::new();
    let mut called = None;
    if let Some(tool) = text(VirtualFile::Tool)
        && python::is_filled(tool, &mut findings)
        && let Some((bound, faults)) = python::module(grammar(tool).ok_or(FactsMissing)?, &mut findings)
    {
        if names {
            names::check(&faults, &mut findings);
        }
        if let Some(name) = text(VirtualFile::Entrypoint) {
            called = entrypoint::check(name, &bound, &mut findings);
        }
        bindings = bound;
    }
    for file in [VirtualFile::SettingsSchema, VirtualFile::InputSchema] {
        if let Some(text) = text(file) {
            schema::check(file, text, &mut findings);
        }
    }
    if let Some(text) = text(VirtualFile::Usage) {
        usage::check(text, &mut findings);
    }
    Ok(ScriptReport::new(files, findings, &bindings, called))
}
