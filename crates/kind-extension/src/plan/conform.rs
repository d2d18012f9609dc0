//! Conformity: the bundle is what was approved (spec: authoring.md §3.3).
//!
//! Invariant: a difference is always a finding about the bundle or about a missing part; the plan stays as it is.

use holdpoint_check::{Args, Code, Diagnostic, Severity, args, codes};
use holdpoint_sdk::capability::parse;
use serde_json::Value;

use super::{PATH, declared, items, member};
use crate::planning::Manifest;
use crate::policy::MANIFEST;
use holdpoint_bundle::Files;

codes! {
    /// the manifest does not hold, so nothing can be compared
    PLAN_UNCHECKABLE: Error, "Mend the manifest first: the bundle cannot be compared with the plan.";
    /// a capability that was not approved
    PLAN_EXTRA_CAPABILITY: Error, "Remove `{name}`: the approved plan does not hold it." [name];
    /// a contribution that was not approved; a command is a warning
    PLAN_EXTRA_CONTRIBUTION: Error,
        "Remove the {kind} `{id}`, or have it planned: the approved plan does not hold it." [kind, id];
    PLAN_EXTRA_CONTRIBUTION / DECLINED: Error, "Remove the {kind} `{id}`: a person took it out of the plan." [kind, id];
    /// a test that a person took out of the plan
    PLAN_EXTRA_TEST: Error, "Remove the test `{name}`: a person took it out of the plan." [name];
    /// an event that was not approved
    PLAN_EXTRA_TRIGGER: Error, "Remove `{name}`: the approved plan does not hold it." [name];
    /// a planned contribution is not there
    PLAN_MISSING_CONTRIBUTION: Error, "Contribute the planned {kind} `{id}`." [kind, id];
    /// a contribution is not as it was approved
    PLAN_CONTRIBUTION_CHANGED: Error, "Give the {kind} `{id}` the {name} that was approved." [kind, id, name];
    PLAN_CONTRIBUTION_CHANGED / TITLE: Error,
        "Call the {kind} `{id}` \"{label}\": a person wrote this {name}." [kind, id, label, name];
    /// a planned event is not in `activation`
    PLAN_MISSING_TRIGGER: Error, "Add the planned event `{event}` to `activation`." [event];
    /// a planned file is not there
    PLAN_MISSING_WIDGET: Error, "Write the planned file `{path}`." [path];
    /// a planned test is not there
    PLAN_MISSING_TEST: Error, "Write the planned test `{name}`." [name];
    /// a planned test runs on another fixture
    PLAN_TEST_CHANGED: Warning, "Run the test `{name}` on `{fixture}`, as planned." [name, fixture];
}

/// What a kind of the plan is called in the manifest, and by which member the two are matched.
pub const KINDS: [(&str, &str, &str); 9] = [
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
        return vec![Diagnostic::of(&PLAN_UNCHECKABLE, args! {}).in_file(MANIFEST).at_pointer("")];
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
    fn in_bundle(&mut self, pointer: String, code: &'static Code, args: Args<'_>) {
        self.bundle.push(Diagnostic::of(code, args).in_file(MANIFEST).at_pointer(pointer));
    }

    fn in_plan(&mut self, pointer: String, code: &'static Code, args: Args<'_>) {
        self.planned.push(Diagnostic::of(code, args).in_file(PATH).at_pointer(pointer));
    }

    fn capabilities(&mut self) {
        let approved = declared(self.plan);
        for (index, item) in items(self.manifest, "capabilities") {
            let Some(capability) = item.as_str().and_then(|text| parse(text).ok()) else { continue };
            if !capability.implicit() && !approved.iter().any(|grant| grant.covers(&capability)) {
                let values = args! { name: capability.raw() };
                self.in_bundle(format!("/capabilities/{index}"), &PLAN_EXTRA_CAPABILITY, values);
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
                    let pointer = format!("/contributions/{index}");
                    self.in_plan(pointer, &PLAN_MISSING_CONTRIBUTION, args! { kind, id });
                    continue;
                };
                let at = free.remove(place);
                let pointer = format!("/contributes/{key}/{at}");
                let id = member(planned, "id").unwrap_or_default();
                if let Some(name) = difference(kind, planned, found[at]) {
                    self.in_bundle(pointer, &PLAN_CONTRIBUTION_CHANGED, args! { kind, id, name });
                } else if let Some(name) = renamed(kind, planned, found[at]) {
                    let label = member(planned, "label").unwrap_or_default();
                    self.in_bundle(pointer, &TITLE, args! { kind, id, label, name });
                }
            }
            for at in free {
                let id = member(found[at], "id").or_else(|| member(found[at], "command")).unwrap_or_default();
                let declined = declined(self.plan, kind).any(|other| other == id);
                let code = if declined { &DECLINED } else { &PLAN_EXTRA_CONTRIBUTION };
                self.in_bundle(format!("/contributes/{key}/{at}"), code, args! { kind, id });
                // A command that nobody decided about is told; whatever calls it is an error of its own.
                if let (false, "command", Some(extra)) = (declined, kind, self.bundle.last_mut()) {
                    extra.severity = Severity::Warning;
                }
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
                self.in_plan(format!("/triggers/{index}"), &PLAN_MISSING_TRIGGER, args! { event });
            }
        }
        for (index, event) in active.iter().enumerate().filter(|(_, event)| counts(event)) {
            if !planned.contains(event) {
                self.in_bundle(format!("/activation/{index}"), &PLAN_EXTRA_TRIGGER, args! { name: event });
            }
        }
    }

    fn widgets(&mut self, files: &Files) {
        for (index, widget) in items(self.plan, "widgets") {
            let Some(path) = member(widget, "path").filter(|path| !files.contains_key(*path)) else { continue };
            self.in_plan(format!("/widgets/{index}"), &PLAN_MISSING_WIDGET, args! { path });
        }
    }

    fn tests(&mut self) {
        let manifest = self.manifest;
        for (index, planned) in items(self.plan, "tests") {
            let name = member(planned, "name").unwrap_or_default();
            let found = items(manifest, "tests")
                .find(|(_, test)| member(test, "name").is_some_and(|other| plain(other) == plain(name)));
            let Some((at, test)) = found else {
                self.in_plan(format!("/tests/{index}"), &PLAN_MISSING_TEST, args! { name });
                continue;
            };
            let fixture = member(planned, "fixture").unwrap_or_default();
            if fixture != "synthetic" && member(test, "fixture") != Some(fixture) {
                self.in_bundle(format!("/tests/{at}"), &PLAN_TEST_CHANGED, args! { name, fixture });
            }
        }
        self.declined_tests();
    }

    /// A test that a person took out stays out; one of that name that is planned after all does not count.
    fn declined_tests(&mut self) {
        let (plan, manifest) = (self.plan, self.manifest);
        let named = |name: &str| {
            items(plan, "tests").filter_map(|(_, test)| member(test, "name")).any(|other| plain(other) == name)
        };
        let out: Vec<String> = declined(plan, "test").map(plain).filter(|name| !named(name)).collect();
        for (at, test) in items(manifest, "tests") {
            let Some(name) = member(test, "name").filter(|name| out.contains(&plain(name))) else { continue };
            self.in_bundle(format!("/tests/{at}"), &PLAN_EXTRA_TEST, args! { name });
        }
    }
}

/// Ids of one kind that a person took out of the plan; tests by name.
fn declined<'p>(plan: &'p Value, kind: &str) -> impl Iterator<Item = &'p str> {
    items(plan, "declined")
        .filter(move |(_, one)| member(one, "kind") == Some(kind))
        .filter_map(|(_, one)| member(one, "id"))
}

/// The member that is not the label which a person wrote. Buttons, menus and shortcuts are called what their command is.
fn renamed(kind: &str, planned: &Value, found: &Value) -> Option<&'static str> {
    let name = match kind {
        "command" | "dock" => "title",
        "lens" | "exporter" | "idsValidator" => "name",
        _ => return None,
    };
    let pinned = planned.get("labelPinned").and_then(Value::as_bool) == Some(true);
    let label = member(planned, "label").map(plain);
    (pinned && label != member(found, name).map(plain)).then_some(name)
}

/// The name of a test, or a title, as it is compared: letter case and blanks do not matter.
pub fn plain(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The member in which a contribution is not what was planned.
pub fn difference(kind: &str, planned: &Value, found: &Value) -> Option<&'static str> {
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
