//! The check: what is asked of a bundle, stage by stage, and what holds afterwards (spec: ifc-extension.md §7).

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes, json};
use holdpoint_js::EntryFunction;
use holdpoint_sdk::members::sdk;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::code::{self, EntryModule};
use super::engines::Version;
use super::manifest::{self, Manifest};
use super::policy::{self, ICON, MANIFEST, Usable};
use super::report::BundleCheck;
use super::rules::{capabilities, icon, references, unused};
use super::{entries, fixtures, plan, widgets};
use crate::planning;

codes! {
    /// there is no `manifest.json` here
    MANIFEST_MISSING: Error, "Add `manifest.json` at the root.";
    /// a module without a function to call
    HANDLER_MISSING: Error, "Export a function as default, or name a top-level function `{name}`." [name];
}

/// How a bundle is checked: `options` of `bundle.check`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The SDK that the host has; else the built-in one.
    pub sdk_version: Option<Version>,
    /// Where the bundle comes from.
    pub origin: Origin,
    /// The approved plan: whether the bundle is what it says is checked too.
    pub plan: Option<Value>,
}

/// Where a bundle comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    #[default]
    Authored,
    /// A script that was made a tool: tests may be missing.
    Promoted,
    Hand,
}

impl Origin {
    /// As requests and records write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authored => "authored",
            Self::Promoted => "promoted",
            Self::Hand => "hand",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Verified {
    files: Files,
    manifest: Manifest,
    entries: BTreeMap<EntryModule, EntryFunction>,
}

impl Verified {
    pub fn files(&self) -> &Files {
        &self.files
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The function that an entry module stands for.
    pub fn entry_function(&self, entry: &EntryModule) -> Option<&EntryFunction> {
        self.entries.get(entry)
    }
}

/// Checks a bundle: files, manifest, widgets, fixtures, code, references, capabilities, tests.
pub fn check(files: &Files, options: &Options) -> BundleCheck {
    run(files, options).0
}

/// Checks a bundle; one without errors can be run.
pub fn verify(files: &Files, options: &Options) -> (BundleCheck, Option<Verified>) {
    let (report, manifest) = run(files, options);
    let verified = manifest.filter(|_| report.ok).map(|manifest| Verified {
        files: files.clone(),
        manifest,
        entries: report
            .entries
            .iter()
            .filter_map(|(entry, function)| Some((entry.clone(), function.clone()?)))
            .collect(),
    });
    (report, verified)
}

fn run(files: &Files, options: &Options) -> (BundleCheck, Option<Manifest>) {
    let version = options.sdk_version.clone().or_else(|| Version::parse(&sdk().version));
    let version = version.expect("the version of the built-in SDK is SemVer");
    let mut findings = Vec::new();
    let Usable { files: mut usable, within_limits } = policy::check(files, &mut findings);
    if !within_limits {
        usable.retain(|path, _| path == MANIFEST);
    }
    if !files.contains_key(MANIFEST) {
        findings.push(Diagnostic::of(&MANIFEST_MISSING, args! {}).in_file(MANIFEST));
    }
    if let Some(text) = usable.get(ICON) {
        icon::check(text, &mut findings);
    }
    let read = usable.get(MANIFEST).and_then(|text| manifest::check::check(text, &version, &mut findings));
    let widgets: Vec<widgets::Widget<'_>> = below(&usable, "widgets/", ".json")
        .filter_map(|(path, text)| widgets::check(path, text, &version, &mut findings))
        .collect();
    for (path, text) in below(&usable, "fixtures/", ".json") {
        fixtures::check(path, text, &mut findings);
    }
    let mut needs = Vec::new();
    let called = read.as_ref().map(|read| entries::of(&read.document.value)).unwrap_or_default();
    let analysis = code::analyse(&usable, &called);
    findings.extend(analysis.diagnostics.iter().cloned());
    if let Some((read, manifest)) = read.as_ref().and_then(|read| Some((read, read.manifest.as_ref()?)))
        && within_limits
    {
        let located = |found: Vec<Diagnostic>, document: &json::Document<'_>, path: &str| -> Vec<Diagnostic> {
            let place = |finding: Diagnostic| {
                let range = document.range(finding.pointer.as_deref().unwrap_or_default());
                finding.in_file(path).at(range)
            };
            found.into_iter().map(place).collect()
        };
        let scope = references::Scope { manifest, files, origin: options.origin };
        findings.extend(located(scope.manifest(), &read.document, MANIFEST));
        for widget in &widgets {
            findings.extend(located(scope.widget(widget), &widget.document, widget.path));
        }
        let mut coverage = capabilities::Coverage::new(manifest, &read.document.value);
        findings.extend(located(coverage.contributions(), &read.document, MANIFEST));
        findings.extend(coverage.code(&analysis.needs));
        let complete = capabilities::is_complete(&analysis);
        findings.extend(located(coverage.unused(complete), &read.document, MANIFEST));
        coverage.tests();
        needs = coverage.into_needs();
        findings.extend(missing_handlers(&analysis.entries));
        unused::check(manifest, &usable, &analysis.imports, &mut findings);
    }
    let (document, manifest) = read.map(|read| (read.document.value, read.manifest)).unzip();
    let manifest = manifest.flatten();
    if let Some(plan) = options.plan.as_ref().filter(|_| manifest.is_some()) {
        let text = files.get(MANIFEST).cloned().unwrap_or_default();
        let written = planning::Manifest::new(MANIFEST, document.clone().unwrap_or_default(), text);
        findings.extend(plan::conformity_with(plan, Some(&written), files));
    }
    let report = BundleCheck::new(files, findings, document, manifest.is_some(), analysis.entries);
    (BundleCheck { needs, ..report }, manifest)
}

fn below<'f>(files: &'f Files, folder: &'f str, ending: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
    let inside = files.iter().filter(move |(path, _)| path.starts_with(folder) && path.ends_with(ending));
    inside.map(|(path, text)| (path.as_str(), text.as_str()))
}

fn missing_handlers(entries: &BTreeMap<EntryModule, Option<EntryFunction>>) -> Vec<Diagnostic> {
    let missing: BTreeSet<(&str, &str)> = entries
        .iter()
        .filter(|(_, function)| function.is_none())
        .map(|(entry, _)| (entry.path.as_str(), entry.role.function_name()))
        .collect();
    let finding = |(path, name): (&str, &str)| Diagnostic::of(&HANDLER_MISSING, args! { name }).in_file(path);
    missing.into_iter().map(finding).collect()
}
