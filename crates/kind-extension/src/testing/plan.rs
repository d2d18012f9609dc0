//! From a bundle to programs (spec: ifc-sdk.md §1, §5, §7.1).

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::{
    members::sdk,
    run::{Entry, EntryKind, Meta, Profile, Program, Saved, Selected, TestRun},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    BundleCheck, Manifest, Options, Origin,
    manifest::Test,
    testing::{
        given,
        metered::{MeteredCode, metered},
    },
    verify,
};

const TEST_LOCALE: &str = "en";
/// The function that is called where a module has no default export.
const RUN: &str = "run";
/// The same for `entry.activate` and `entry.deactivate`.
const ACTIVATE: &str = "activate";
const DEACTIVATE: &str = "deactivate";

/// Tests that are ready to run, and what their outcomes are measured by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestPlan {
    /// Which budgets hold, and how codes are spelled.
    pub profile: Profile,
    /// In the order of the manifest.
    pub tests: Vec<PlannedTest>,
    /// One program a test, in the same order.
    pub runs: Vec<TestRun>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedTest {
    /// No other in the manifest has it.
    pub name: String,
    pub expect: Map<String, Value>,
}

/// One call that is ready to run on models that the user opened.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandPlan {
    /// What runs, in production budgets, with all declared capabilities granted.
    pub program: Program,
    /// The capabilities as the user reads them.
    pub capabilities: Vec<crate::Declared>,
}

/// Checks the bundle and prepares its tests; with errors the report says why nothing is run.
pub fn prepare(files: &Files, profile: Profile) -> Result<TestPlan, BundleCheck> {
    let (report, manifest) = holds(files, Origin::Authored)?;
    let code = code(files, &manifest);
    let run = |test: &Test| given::run(test, files, program(test, &manifest, &code, profile));
    let runs = manifest.tests.iter().map(run).collect();
    let planned = |test: &Test| PlannedTest { name: test.name.clone(), expect: test.expect.clone() };
    let tests = manifest.tests.iter().map(planned).collect();
    Ok(TestPlan { profile, tests, runs, diagnostics: report.diagnostics })
}

/// What an installed extension is asked to do (spec: ifc-sdk.md §1).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HostCall {
    /// A command, with what its caller gave.
    Command {
        id: String,
        /// `None` is undefined, which is not null.
        #[serde(default, deserialize_with = "holdpoint_sdk::run::present")]
        args: Option<Value>,
    },
    /// A command, from a context menu.
    ContextMenu {
        id: String,
    },
    /// A lens: colours for what is selected, or for everything.
    Lens {
        id: String,
    },
    /// An exporter: a file of what is selected, or of everything.
    Exporter {
        id: String,
        /// What the person chose; `None` is undefined.
        #[serde(default, deserialize_with = "holdpoint_sdk::run::present")]
        options: Option<Value>,
    },
    /// A check of what is selected, or of everything.
    IdsValidator {
        id: String,
    },
    /// What the manifest has for an event.
    Trigger {
        event: String,
        /// The model that it is about, where the event is a model's.
        #[serde(default, rename = "modelId")]
        model: Option<String>,
    },
    Activate,
    /// `entry.deactivate`. Its program also stands for the end of an extension that has none: then it calls no module.
    Deactivate,
}

/// Prepares one call of an installed extension; `None` when the bundle has nothing to call.
pub fn call(files: &Files, asked: &HostCall, locale: &str) -> Result<Option<CommandPlan>, BundleCheck> {
    // What is installed runs whether or not it has tests: a script that was promoted has none.
    let (report, manifest) = holds(files, Origin::Promoted)?;
    let entry = &manifest.entry;
    let (module, function, kind) = match asked {
        HostCall::Command { id, .. } => (entry.commands.get(id), RUN, EntryKind::Command),
        HostCall::ContextMenu { id } => (entry.commands.get(id), RUN, EntryKind::ContextMenu),
        HostCall::Lens { id } => (lens(&manifest, id), RUN, EntryKind::Lens),
        HostCall::Exporter { id, .. } => (exporter(&manifest, id), RUN, EntryKind::Exporter),
        HostCall::IdsValidator { id } => (validator(&manifest, id), RUN, EntryKind::IdsValidator),
        HostCall::Trigger { event, .. } => (entry.triggers.get(event), RUN, EntryKind::Trigger),
        HostCall::Activate => (entry.activate.as_ref(), ACTIVATE, EntryKind::Command),
        HostCall::Deactivate => (entry.deactivate.as_ref(), DEACTIVATE, EntryKind::Command),
    };
    let module = match (module, asked) {
        (Some(module), _) => module.as_str(),
        (None, HostCall::Deactivate) => "",
        (None, _) => return Ok(None),
    };
    let mut program = base(&manifest, &code(files, &manifest), module);
    function.clone_into(&mut program.entry.function);
    program.kind = kind;
    program.args = match asked {
        HostCall::Command { args, .. } | HostCall::Exporter { options: args, .. } => args.clone(),
        HostCall::Trigger { event, model: None } => Some(json!({ "event": event })),
        HostCall::Trigger { event, model: Some(id) } => Some(json!({ "event": event, "modelId": id })),
        _ => None,
    };
    if let HostCall::Exporter { id, .. } = asked {
        program.saved = saved(&manifest, id);
    }
    locale.clone_into(&mut program.meta.locale);
    Ok(Some(CommandPlan { program, capabilities: report.more.capabilities }))
}

fn holds(files: &Files, origin: Origin) -> Result<(BundleCheck, Manifest), BundleCheck> {
    let (report, verified) = verify(files, &Options { origin, ..Options::default() });
    match verified {
        Some(verified) => Ok((report, verified.manifest().clone())),
        None => Err(report),
    }
}

fn named(module: &str, function: &str) -> Entry {
    Entry { module: module.to_owned(), function: function.to_owned() }
}

/// Entry functions that are no commands' and that later calls of an activation may name.
fn further(manifest: &Manifest) -> Vec<Entry> {
    let own = &manifest.entry;
    let triggers = own.triggers.values().map(|module| named(module, RUN));
    let activate = own.activate.iter().map(|module| named(module, ACTIVATE));
    let deactivate = own.deactivate.iter().map(|module| named(module, DEACTIVATE));
    triggers.chain(activate).chain(deactivate).collect()
}

/// The bundle's code, with every function that a host may call in it.
fn code(files: &Files, manifest: &Manifest) -> MeteredCode {
    let contributes = &manifest.contributes;
    let lenses = contributes.lenses.iter().map(|lens| &lens.evaluator);
    let exporters = contributes.exporters.iter().map(|exporter| &exporter.handler);
    let validators = contributes.ids_validators.iter().map(|validator| &validator.handler);
    let commands = manifest.entry.commands.values();
    let run = commands.chain(lenses).chain(exporters).chain(validators).map(|module| named(module, RUN));
    let called: Vec<Entry> = run.chain(further(manifest)).chain(given::builders(manifest)).collect();
    metered(files, &called)
}

fn program(test: &Test, manifest: &Manifest, code: &MeteredCode, profile: Profile) -> Program {
    let (kind, module) = target(test, manifest);
    let mut program = base(manifest, code, module.unwrap_or_default());
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
    program
}

/// The sort of entry function and the module that holds it.
fn target<'m>(test: &Test, manifest: &'m Manifest) -> (EntryKind, Option<&'m str>) {
    let text = |module: Option<&'m String>| module.map(String::as_str);
    if let Some(id) = &test.command {
        return (EntryKind::Command, text(manifest.entry.commands.get(id)));
    }
    if let Some(event) = &test.trigger {
        return (EntryKind::Trigger, text(manifest.entry.triggers.get(event)));
    }
    if let Some(id) = &test.lens {
        return (EntryKind::Lens, text(lens(manifest, id)));
    }
    if let Some(id) = &test.exporter {
        return (EntryKind::Exporter, text(exporter(manifest, id)));
    }
    let id = test.ids_validator.as_deref().unwrap_or_default();
    (EntryKind::IdsValidator, text(validator(manifest, id)))
}

/// Lenses of the bundle, as `bim.lens.presets` lists them.
fn lenses(manifest: &Manifest) -> Vec<Value> {
    let lenses = manifest.contributes.lenses.iter();
    lenses.map(|lens| json!({"id": lens.id, "name": lens.name, "description": lens.description})).collect()
}

fn lens<'m>(manifest: &'m Manifest, id: &str) -> Option<&'m String> {
    manifest.contributes.lenses.iter().find(|lens| lens.id == id).map(|lens| &lens.evaluator)
}

fn exporter<'m>(manifest: &'m Manifest, id: &str) -> Option<&'m String> {
    manifest.contributes.exporters.iter().find(|exporter| exporter.id == id).map(|exporter| &exporter.handler)
}

/// How the manifest says that an exporter's file is saved.
fn saved(manifest: &Manifest, id: &str) -> Option<Saved> {
    let exporter = manifest.contributes.exporters.iter().find(|exporter| exporter.id == id)?;
    let ending = exporter.extension.trim_start_matches('.').to_lowercase();
    Some(Saved { ending, mime_type: exporter.mime_type.clone(), name: exporter.name.clone() })
}

fn validator<'m>(manifest: &'m Manifest, id: &str) -> Option<&'m String> {
    manifest.contributes.ids_validators.iter().find(|validator| validator.id == id).map(|validator| &validator.handler)
}

/// A command in production; a test or another call changes what differs.
fn base(manifest: &Manifest, code: &MeteredCode, module: &str) -> Program {
    let entry = |module: &str| named(module, RUN);
    Program {
        modules: code.modules.clone(),
        metering: code.metering.clone(),
        entry: entry(module),
        kind: EntryKind::Command,
        args: None,
        commands: manifest.entry.commands.iter().map(|(id, module)| (id.clone(), entry(module))).collect(),
        further: further(manifest),
        docks: manifest.contributes.dock.iter().map(|dock| dock.id.clone()).collect(),
        grants: manifest.capabilities.clone(),
        models: None,
        active_model: None,
        selection: Vec::new(),
        storage: BTreeMap::new(),
        files: BTreeMap::new(),
        network: None,
        lenses: lenses(manifest),
        camera: None,
        saved: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(test_args: Option<Value>) -> Files {
        let mut test = json!({"name": "t", "command": "a.b", "fixture": "empty-model", "expect": {"type": "null"}});
        if let Some(args) = test_args {
            test["args"] = args;
        }
        let manifest = json!({
            "manifestVersion": 1, "id": "a.b", "name": "A", "description": "B.", "version": "1.0.0",
            "engines": {"ifcLiteSdk": "^1.0.0"}, "capabilities": ["viewer.read"],
            "activation": ["onSelectionChange", "onSchema:IFC4"],
            "entry": {
                "activate": "src/a.js", "commands": {"a.b": "src/a.js"},
                "triggers": {"onSelectionChange": "src/a.js", "onSchema:IFC4": "src/a.js"},
            },
            "contributes": {"commands": [{"id": "a.b", "title": "A"}]}, "tests": [test],
        });
        let code = "function run(ctx) { return ctx.bim.viewer.selection() && null; }\nfunction activate() {}\n";
        Files::from([("manifest.json".to_owned(), manifest.to_string()), ("src/a.js".to_owned(), code.to_owned())])
    }

    #[test]
    fn what_is_called_for_what() {
        let command = |args: Option<Value>| HostCall::Command { id: "a.b".to_owned(), args };
        let menu = |id: &str| HostCall::ContextMenu { id: id.to_owned() };
        let trigger = |event: &str| HostCall::Trigger { event: event.to_owned(), model: None };
        let cases = [
            (command(None), Some(("src/a.js", "run", EntryKind::Command, None))),
            (command(Some(Value::Null)), Some(("src/a.js", "run", EntryKind::Command, Some(Value::Null)))),
            (menu("a.b"), Some(("src/a.js", "run", EntryKind::ContextMenu, None))),
            (menu("a.c"), None),
            (
                trigger("onSchema:IFC4"),
                Some(("src/a.js", "run", EntryKind::Trigger, Some(json!({"event": "onSchema:IFC4"})))),
            ),
            (trigger("onModelLoad"), None),
            (HostCall::Activate, Some(("src/a.js", "activate", EntryKind::Command, None))),
            (HostCall::Deactivate, Some(("", "deactivate", EntryKind::Command, None))),
        ];
        for (asked, want) in cases {
            let plan = call(&bundle(None), &asked, "sv").unwrap();
            let have = plan.as_ref().map(|plan| {
                let Program { entry, kind, args, .. } = &plan.program;
                (entry.module.as_str(), entry.function.as_str(), *kind, args.clone())
            });
            assert_eq!(have, want, "{asked:?}");
            if let Some(plan) = plan {
                let functions: Vec<&str> = plan.program.further.iter().map(|entry| entry.function.as_str()).collect();
                assert_eq!(functions, ["run", "run", "activate"]);
                assert_eq!((plan.program.meta.locale.as_str(), plan.program.profile), ("sv", Profile::Production));
            }
        }
    }

    #[test]
    fn null_is_an_argument_and_nothing_is_none() {
        for args in [None, Some(Value::Null), Some(json!({"set": null}))] {
            let plan = prepare(&bundle(args.clone()), Profile::DryRun).unwrap();
            assert_eq!(plan.runs[0].program.args, args);
            let text = serde_json::to_string(&plan).unwrap();
            let read: TestPlan = serde_json::from_str(&text).unwrap();
            assert_eq!(read.runs[0].program.args, args, "also after its way to the sandbox");
        }
    }
}
