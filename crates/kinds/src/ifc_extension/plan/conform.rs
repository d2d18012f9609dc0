//! Conformity: the bundle is what was approved (spec: authoring.md §3.3).
//!
//! Invariant: a difference is always a finding about the bundle or about a missing part; the plan stays as it is.

use holdpoint_check::{Diagnostic, Severity};
use holdpoint_sdk::capability::parse;
use serde_json::Value;

use super::{PATH, declared, items, member};
use crate::ifc_extension::policy::MANIFEST;
use crate::planning::Manifest;
use holdpoint_bundle::Files;

/// What a kind of the plan is called in the manifest, and by which member the two are matched.
const KINDS: [(&str, &str, &str); 9] = [
    ("command", "commands", "id"),
    ("toolbar", "toolbar", "command"),
    ("dock", "dock", "id"),
    ("contextMenu", "contextMenu", "command"),
    ("keybinding", "keybindings", "command"),
    ("lens", "lenses", "id"),
    ("exporter", "exporters", "id"),
    ("idsValidator", "idsValidators", "id"),
    ("statusBar", "statusBar", "id"),
];

/// Compares a bundle with the plan; both hold on their own. Without a manifest that holds nothing can be compared.
pub fn conform(plan: &Value, manifest: Option<&Manifest>, files: &Files) -> Vec<Diagnostic> {
    let Some(manifest) = manifest else {
        let message = "Mend the manifest first: the bundle cannot be compared with the plan.";
        return vec![Diagnostic::error("PLAN_UNCHECKABLE", message).in_file(MANIFEST).at_pointer("")];
    };
    let mut compare = Compare { plan, manifest: &manifest.value, bundle: Vec::new(), planned: Vec::new() };
    compare.capabilities();
    compare.contributions();
    compare.triggers();
    compare.widgets(files);
    compare.tests();
    let Compare { mut bundle, planned, .. } = compare;
    for finding in &mut bundle {
        finding.range = finding.pointer.as_deref().and_then(|pointer| manifest.range(pointer));
    }
    bundle.sort_by_cached_key(|finding| {
        (finding.range.map(|range| range.start), finding.code.to_string(), finding.pointer.clone())
    });
    bundle.into_iter().chain(planned).collect()
}

struct Compare<'p> {
    plan: &'p Value,
    manifest: &'p Value,
    bundle: Vec<Diagnostic>,
    planned: Vec<Diagnostic>,
}

impl Compare<'_> {
    fn in_bundle(&mut self, code: &'static str, severity: Severity, pointer: String, message: String) {
        self.bundle.push(Diagnostic::new(code, severity, message).in_file(MANIFEST).at_pointer(pointer));
    }

    fn in_plan(&mut self, code: &'static str, pointer: String, message: String) {
        self.planned.push(Diagnostic::error(code, message).in_file(PATH).at_pointer(pointer));
    }

    fn capabilities(&mut self) {
        let approved = declared(self.plan);
        for (index, item) in items(self.manifest, "capabilities") {
            let Some(capability) = item.as_str().and_then(|text| parse(text).ok()) else { continue };
            if !capability.implicit() && !approved.iter().any(|grant| grant.covers(&capability)) {
                let message = format!("Remove `{}`: the approved plan does not hold it.", capability.raw());
                self.in_bundle("PLAN_EXTRA_CAPABILITY", Severity::Error, format!("/capabilities/{index}"), message);
            }
        }
    }

    fn contributions(&mut self) {
        let contributes = self.manifest.get("contributes").unwrap_or(&Value::Null);
        for (kind, key, matched_by) in KINDS {
            let found: Vec<&Value> = items(contributes, key).map(|(_, item)| item).collect();
            let mut free: Vec<usize> = (0..found.len()).collect();
            for (index, planned) in items(self.plan, "contributions") {
                if member(planned, "kind") != Some(kind) {
                    continue;
                }
                let same = |at: &usize| member(found[*at], matched_by) == member(planned, matched_by);
                let exact = |at: &usize| same(at) && difference(kind, planned, found[*at]).is_none();
                let place = free.iter().position(exact).or_else(|| free.iter().position(same));
                let Some(place) = place else {
                    let id = member(planned, "id").unwrap_or_default();
                    let message = format!("Contribute the planned {kind} `{id}`.");
                    self.in_plan("PLAN_MISSING_CONTRIBUTION", format!("/contributions/{index}"), message);
                    continue;
                };
                let at = free.remove(place);
                if let Some(name) = difference(kind, planned, found[at]) {
                    let message = format!("Give it the {name} that was approved.");
                    let pointer = format!("/contributes/{key}/{at}");
                    self.in_bundle("PLAN_CONTRIBUTION_CHANGED", Severity::Error, pointer, message);
                }
            }
            let severity = if kind == "command" { Severity::Warning } else { Severity::Error };
            for at in free {
                let message = "Remove it, or have it planned: the approved plan does not hold it.".to_owned();
                self.in_bundle("PLAN_EXTRA_CONTRIBUTION", severity, format!("/contributes/{key}/{at}"), message);
            }
        }
    }

    fn triggers(&mut self) {
        let counts = |event: &&str| !event.starts_with("onCommand:");
        let (plan, manifest) = (self.plan, self.manifest);
        let planned: Vec<&str> = items(plan, "triggers").filter_map(|(_, item)| item.as_str()).collect();
        let active: Vec<&str> = items(manifest, "activation").filter_map(|(_, item)| item.as_str()).collect();
        for (index, event) in planned.iter().enumerate().filter(|(_, event)| counts(event)) {
            if !active.contains(event) {
                let message = format!("Add the planned event `{event}` to `activation`.");
                self.in_plan("PLAN_MISSING_TRIGGER", format!("/triggers/{index}"), message);
            }
        }
        for (index, event) in active.iter().enumerate().filter(|(_, event)| counts(event)) {
            if !planned.contains(event) {
                let message = format!("Remove `{event}`: the approved plan does not hold it.");
                self.in_bundle("PLAN_EXTRA_TRIGGER", Severity::Error, format!("/activation/{index}"), message);
            }
        }
    }

    fn widgets(&mut self, files: &Files) {
        for (index, widget) in items(self.plan, "widgets") {
            let Some(path) = member(widget, "path").filter(|path| !files.contains_key(*path)) else { continue };
            self.in_plan(
                "PLAN_MISSING_WIDGET",
                format!("/widgets/{index}"),
                format!("Write the planned file `{path}`."),
            );
        }
    }

    fn tests(&mut self) {
        let plain = |name: &str| name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let manifest = self.manifest;
        for (index, planned) in items(self.plan, "tests") {
            let name = member(planned, "name").unwrap_or_default();
            let found = items(manifest, "tests")
                .find(|(_, test)| member(test, "name").is_some_and(|other| plain(other) == plain(name)));
            let Some((at, test)) = found else {
                self.in_plan(
                    "PLAN_MISSING_TEST",
                    format!("/tests/{index}"),
                    format!("Write the planned test `{name}`."),
                );
                continue;
            };
            let fixture = member(planned, "fixture").unwrap_or_default();
            if fixture != "synthetic" && member(test, "fixture") != Some(fixture) {
                let message = format!("Run it on `{fixture}`, as planned.");
                self.in_bundle("PLAN_TEST_CHANGED", Severity::Warning, format!("/tests/{at}"), message);
            }
        }
    }
}

/// The member in which a contribution is not what was planned.
fn difference(kind: &str, planned: &Value, found: &Value) -> Option<&'static str> {
    let differs = |name: &str, other: &str| member(planned, name) != member(found, other);
    let dotless = |text: Option<&str>| text.map(|text| text.trim_start_matches('.').to_lowercase());
    match kind {
        "toolbar" | "contextMenu" | "dock" | "statusBar" if differs("slot", "slot") => Some("slot"),
        "dock" if differs("widget", "widget") => Some("widget"),
        "keybinding" if differs("key", "key") => Some("key"),
        "exporter" if dotless(member(planned, "format")) != dotless(member(found, "extension")) => Some("format"),
        "statusBar" if differs("command", "command") => Some("command"),
        _ => None,
    }
}
