//! The answer of a check (spec: script-tool.md §2).

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, order};
use serde::Serialize;

use super::limits::MAX_DIAGNOSTICS;
use super::policy::VirtualFile;
use super::rules::is_blank;
use holdpoint_check::python::{PythonBinding, PythonBindingKind};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScriptReport {
    pub ok: bool,
    /// Sorted by path, position, code.
    pub diagnostics: Vec<Diagnostic>,
    /// What the tool is made of.
    pub summary: ScriptSummary,
}

/// What the tool is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScriptSummary {
    /// The name that is called, when the module binds it.
    pub entrypoint: Option<EntryPoint>,
    /// Module-level functions in order of first appearance.
    pub functions: Vec<String>,
    /// Whether `settings_schema.json` holds more than white space.
    pub has_settings_schema: bool,
    /// Whether `input_schema.json` holds more than white space.
    pub has_input_schema: bool,
}

/// The name that is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ScriptEntryPoint"))]
pub struct EntryPoint {
    /// As it stands in `entrypoint.txt`.
    pub name: String,
    /// Of the `def` that counts; null when it is bound otherwise.
    pub line: Option<u32>,
}

impl ScriptReport {
    pub(super) fn new(
        files: &Files,
        mut diagnostics: Vec<Diagnostic>,
        bindings: &[PythonBinding],
        entrypoint: Option<EntryPoint>,
    ) -> Self {
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        order::arrange(&mut diagnostics, MAX_DIAGNOSTICS);
        let filled = |file: VirtualFile| files.get(file.id()).is_some_and(|text| !is_blank(text));
        let summary = ScriptSummary {
            entrypoint,
            functions: functions(bindings).into_iter().map(str::to_owned).collect(),
            has_settings_schema: filled(VirtualFile::SettingsSchema),
            has_input_schema: filled(VirtualFile::InputSchema),
        };
        Self { ok, diagnostics, summary }
    }
}

/// Names of functions in order of first appearance.
pub(super) fn functions(bindings: &[PythonBinding]) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let defs = bindings.iter().filter(|binding| binding.kind == PythonBindingKind::Def);
    defs.map(|binding| binding.name.as_str()).filter(|name| seen.insert(*name)).collect()
}
