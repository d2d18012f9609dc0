//! From a bundle to programs (spec: ifc-sdk.md §1, §5, §7.1).

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::{
    members::sdk,
    run::{Entry, EntryKind, Meta, Profile, Program, Run, Selected},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ifc_extension::{CheckOptions, Manifest, Report, manifest::Test, verify};

/// The locale of tests.
const TEST_LOCALE: &str = "en";
/// The function that is called where a module has no default export.
const RUN: &str = "run";

/// Tests that are ready to run, and what their outcomes are measured by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestPlan {
    /// Which budgets hold, and how codes are spelled.
    pub profile: Profile,
    /// In manifest order.
    pub tests: Vec<PlannedTest>,
    /// One program a test, in the same order.
    pub runs: Vec<Run>,
    /// Warnings of the check.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a test expects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedTest {
    /// Unique in the manifest.
    pub name: String,
    /// Operator → operand.
    pub expect: Map<String, Value>,
}

/// One command that is ready to run on models that the user opened.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandPlan {
    /// What runs, in production budgets, with all declared capabilities granted.
    pub program: Program,
    /// The capabilities as the user reads them.
    pub capabilities: Vec<crate::ifc_extension::Declared>,
}

/// Checks the bundle and prepares its tests; with errors the report says why nothing is run.
pub fn prepare(files: &Files, profile: Profile) -> Result<TestPlan, Report> {
    let (report, manifest) = holds(files)?;
    let modules = modules(files);
    let runs = manifest.tests.iter().map(|test| run(test, &manifest, &modules, profile)).collect();
    let planned = |test: &Test| PlannedTest { name: test.name.clone(), expect: test.expect.clone() };
    let tests = manifest.tests.iter().map(planned).collect();
    Ok(TestPlan { profile, tests, runs, diagnostics: report.diagnostics })
}

/// Prepares one command for the user's models; `None` when the bundle has no command of that id.
pub fn command(files: &Files, id: &str, args: Option<Value>, locale: &str) -> Result<Option<CommandPlan>, Report> {
    let (report, manifest) = holds(files)?;
    let Some(module) = manifest.entry.commands.get(id) else { return Ok(None) };
    let mut program = base(&manifest, &modules(files), module);
    program.args = args;
    locale.clone_into(&mut program.meta.locale);
    Ok(Some(CommandPlan { program, capabilities: report.capabilities }))
}

fn holds(files: &Files) -> Result<(Report, Manifest), Report> {
    let (report, verified) = verify(files, &CheckOptions::default());
    match verified {
        Some(verified) => Ok((report, verified.manifest().clone())),
        None => Err(report),
    }
}

fn modules(files: &Files) -> BTreeMap<String, String> {
    files.iter().filter(|(path, _)| path.ends_with(".js")).map(|(path, text)| (path.clone(), text.clone())).collect()
}

fn run(test: &Test, manifest: &Manifest, modules: &BTreeMap<String, String>, profile: Profile) -> Run {
    let (kind, module) = target(test, manifest);
    let mut program = base(manifest, modules, module.unwrap_or_default());
    program.kind = kind;
    program.profile = profile;
    program.seed = Some(test.name.clone());
    program.selection = test.selection.iter().cloned().map(Selected::Name).collect();
    program.storage.clone_from(&test.storage);
    program.args.clone_from(&test.args);
    if let Some(event) = &test.trigger {
        let mut args = Map::from_iter([("event".to_owned(), Value::from(event.as_str()))]);
        args.extend(test.args.as_ref().and_then(Value::as_object).cloned().unwrap_or_default());
        program.args = Some(Value::Object(args));
    }
    Run { fixture: test.fixture.as_str().unwrap_or("(inline)").to_owned(), program }
}

/// The sort of entry function and the module that holds it.
fn target<'m>(test: &Test, manifest: &'m Manifest) -> (EntryKind, Option<&'m str>) {
    let contributes = &manifest.contributes;
    if let Some(id) = &test.command {
        return (EntryKind::Command, manifest.entry.commands.get(id).map(String::as_str));
    }
    if let Some(event) = &test.trigger {
        return (EntryKind::Trigger, manifest.entry.triggers.get(event).map(String::as_str));
    }
    if let Some(id) = &test.lens {
        let lens = contributes.lenses.iter().find(|lens| lens.id == *id);
        return (EntryKind::Lens, lens.map(|lens| lens.evaluator.as_str()));
    }
    if let Some(id) = &test.exporter {
        let exporter = contributes.exporters.iter().find(|exporter| exporter.id == *id);
        return (EntryKind::Exporter, exporter.map(|exporter| exporter.handler.as_str()));
    }
    let id = test.ids_validator.as_deref().unwrap_or_default();
    let validator = contributes.ids_validators.iter().find(|validator| validator.id == id);
    (EntryKind::IdsValidator, validator.map(|validator| validator.handler.as_str()))
}

/// A command in production; a test changes what differs.
fn base(manifest: &Manifest, modules: &BTreeMap<String, String>, module: &str) -> Program {
    let entry = |module: &str| Entry { module: module.to_owned(), function: RUN.to_owned() };
    Program {
        modules: modules.clone(),
        entry: entry(module),
        kind: EntryKind::Command,
        args: None,
        commands: manifest.entry.commands.iter().map(|(id, module)| (id.clone(), entry(module))).collect(),
        docks: manifest.contributes.dock.iter().map(|dock| dock.id.clone()).collect(),
        grants: manifest.capabilities.clone(),
        selection: Vec::new(),
        storage: BTreeMap::new(),
        l10n: manifest.l10n.clone(),
        meta: Meta {
            extension_id: manifest.id.clone(),
            version: manifest.version.clone(),
            sdk_version: sdk().version.clone(),
            locale: TEST_LOCALE.to_owned(),
        },
        profile: Profile::Production,
        seed: None,
    }
}
