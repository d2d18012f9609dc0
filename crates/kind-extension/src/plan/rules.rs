//! What a plan must hold beside its schema (spec: authoring.md §3.2).
//!
//! Items of the wrong type are skipped: the schema has said so already.

use crate::manifest::event::{ActivationEvent, SLOTS};
use crate::{keybinding, when::When};
use holdpoint_check::{Args, Code, Diagnostic, args, codes};
use holdpoint_sdk::capability::{Capability, CapabilityError, parse};
use holdpoint_sdk::{fixtures, near};
use serde_json::Value;

use super::{items, member};

codes! {
    CAPABILITY_WILDCARD / PLANNED: Warning, "Name exactly what is needed, where it is known.";
    CAPABILITY_DUPLICATE / PLANNED_TWICE: Warning, "Remove it: another capability of the plan covers it.";
    DUPLICATE_ID / CONTRIBUTION: Error, "Rename one of the two contributions `{id}`." [id];
    REQUIRED / OF_KIND: Error, "Add `{name}`: a contribution of kind {kind} needs it." [name, kind];
    INVALID_SLOT / KIND: Error, "Choose a slot that {kind} takes." [kind];
    UNKNOWN_REFERENCE / WIDGET: Error, "Plan the widget file `{widget}`, or name one that is planned." [widget];
    UNKNOWN_REFERENCE / PLAN_ID: Error, "Plan `{id}`, or name one that is planned." [id];
    UNKNOWN_REFERENCE / RUNNABLE: Error,
        "Name a planned command, lens, exporter or validator instead of `{name}`." [name];
    UNKNOWN_COMMAND / PLAN_COMMAND: Error, "Plan the command `{command}`, or name one that is planned." [command];
    WHEN_UNKNOWN_KEY / KEY: Warning, "No host supplies `{key}`: it is undefined." [key];
    INVALID_WHEN / PLAN_WHEN: Error, "Correct the condition from this character on.";
    /// a planned contribution needs what the plan does not ask for
    PLAN_CAPABILITY_MISSING: Error, "Add `{capability}` to the plan's capabilities: this needs it." [capability];
    INVALID_ACTIVATION / PLAN_EVENT: Error, "`{text}` is no event: use onStartup, onModelLoad, onSelectionChange, or \
        one with a suffix such as onCommand:ID." [text];
    UNKNOWN_FIXTURE / PLAN_FIXTURE: Error, "There is no fixture `{fixture}`." [fixture];
    TEST_MISSING / PLAN_TEST: Error, "Plan a test that runs `{id}`." [id];
}

/// A fixture that the tests describe themselves.
const SYNTHETIC: &str = "synthetic";

/// Kinds whose output a test must show.
const TESTED: [&str; 4] = ["command", "lens", "exporter", "idsValidator"];

struct Judge<'p> {
    plan: &'p Value,
    commands: Vec<&'p str>,
    granted: Vec<Capability>,
    needs: Vec<PartNeed>,
    findings: &'p mut Vec<Diagnostic>,
}

/// What an item of a plan cannot work without.
pub struct PartNeed {
    pub capability: Capability,
    /// The contribution or the trigger.
    pub pointer: String,
}

/// Adds what is wrong with a plan and answers what its items need; `base_commands` are those of the bundle that is
/// changed.
pub fn judge(
    plan: &Value,
    base_commands: &[String],
    schema_holds: bool,
    findings: &mut Vec<Diagnostic>,
) -> Vec<PartNeed> {
    let planned = items(plan, "contributions").filter(|(_, item)| member(item, "kind") == Some("command"));
    let commands =
        planned.filter_map(|(_, item)| member(item, "id")).chain(base_commands.iter().map(String::as_str)).collect();
    let mut judge = Judge { plan, commands, granted: super::declared(plan), needs: Vec::new(), findings };
    judge.capabilities();
    judge.contributions();
    judge.triggers();
    judge.tests();
    if schema_holds {
        judge.untested();
    }
    judge.needs
}

impl Judge<'_> {
    fn found(&mut self, pointer: impl Into<String>, code: &'static Code, args: Args<'_>) {
        self.findings.push(Diagnostic::of(code, args).at_pointer(pointer));
    }

    fn choose(&mut self, pointer: String, name: &str, allowed: &[&str], code: &'static Code, args: Args<'_>) {
        let hint = near::hint(name, allowed);
        self.findings.push(Diagnostic::of(code, args).at_pointer(pointer).with_hint(hint));
    }

    fn fault(&mut self, fault: CapabilityError, pointer: String) {
        self.findings.push(Diagnostic { hint: None, ..*fault.finding }.at_pointer(pointer));
    }

    fn capabilities(&mut self) {
        let mut seen: Vec<(usize, Capability)> = Vec::new();
        for (index, item) in items(self.plan, "capabilities") {
            let pointer = format!("/capabilities/{index}");
            let Some(text) = item.as_str() else { continue };
            match parse(text) {
                Ok(capability) => {
                    if capability.wildcard() {
                        self.found(pointer, &PLANNED, args! {});
                    }
                    seen.push((index, capability));
                }
                Err(fault) => self.fault(fault, pointer),
            }
        }
        for (index, capability) in &seen {
            let same = |other: &Capability| other.canonical() == capability.canonical();
            let covered =
                seen.iter().any(|(at, other)| at != index && other.covers(capability) && (!same(other) || at < index));
            if covered {
                self.found(format!("/capabilities/{index}"), &PLANNED_TWICE, args! {});
            }
        }
    }

    fn contributions(&mut self) {
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let widgets: Vec<&str> = items(self.plan, "widgets").filter_map(|(_, widget)| member(widget, "path")).collect();
        for (index, item) in items(self.plan, "contributions") {
            let Some(kind) = member(item, "kind") else { continue };
            let at = |name: &str| format!("/contributions/{index}/{name}");
            if let Some(id) = member(item, "id") {
                if seen.contains(&(kind, id)) {
                    self.found(at("id"), &CONTRIBUTION, args! { id });
                }
                seen.push((kind, id));
            }
            for name in required(kind) {
                if item.is_object() && item.get(name).is_none() {
                    self.found(at(name), &OF_KIND, args! { name, kind });
                }
            }
            let slots = slots(kind);
            if let Some(slot) = member(item, "slot").filter(|slot| !slots.is_empty() && !slots.contains(slot)) {
                self.choose(at("slot"), slot, &slots, &KIND, args! { kind });
            }
            if let Some(command) = member(item, "command") {
                self.command(command, at("command"));
            }
            if let Some(widget) = member(item, "widget").filter(|widget| !widgets.contains(widget)) {
                self.choose(at("widget"), widget, &widgets, &WIDGET, args! { widget });
            }
            if let Some(Err(finding)) = member(item, "key").map(keybinding::check) {
                self.findings.push(finding.at_pointer(at("key")));
            }
            if let Some(when) = member(item, "when") {
                self.when(when, &at("when"));
            }
            self.needs(kind, item, &format!("/contributions/{index}"));
        }
    }

    fn command(&mut self, command: &str, pointer: String) {
        if !self.commands.contains(&command) {
            let allowed = self.commands.clone();
            self.choose(pointer, command, &allowed, &PLAN_COMMAND, args! { command });
        }
    }

    fn when(&mut self, when: &str, pointer: &str) {
        match When::parse(when) {
            Ok(read) => {
                for key in read.unknown_keys() {
                    self.found(pointer, &KEY, args! { key });
                }
            }
            Err(fault) => {
                let mut finding = Diagnostic::of(&PLAN_WHEN, args! {});
                finding.offset = Some(fault.0);
                self.findings.push(finding.at_pointer(pointer));
            }
        }
    }

    /// Capabilities without which a contribution cannot work.
    fn needs(&mut self, kind: &str, item: &Value, pointer: &str) {
        match kind {
            "exporter" => {
                if let Some(format) = member(item, "format") {
                    let format = format.strip_prefix('.').unwrap_or(format);
                    self.need(&format!("export.create:{format}"), format!("{pointer}/format"));
                }
                self.need("model.read", pointer.to_owned());
            }
            "lens" => {
                // Both stand at the lens, so they are one finding.
                self.need("viewer.colorize", pointer.to_owned());
                self.need("model.read", pointer.to_owned());
            }
            "idsValidator" => self.need("model.read", pointer.to_owned()),
            _ => {}
        }
        let events = item.get("refreshOn").and_then(Value::as_array);
        for (index, event) in events.into_iter().flatten().enumerate() {
            if event == "onSelectionChange" {
                self.need("viewer.read", format!("{pointer}/refreshOn/{index}"));
            }
        }
    }

    fn need(&mut self, capability: &str, pointer: String) {
        if !self.plan.get("capabilities").is_some_and(Value::is_array) {
            return;
        }
        match parse(capability) {
            Ok(need) => {
                // The item itself: what stands inside it is a member of its finding.
                let item: Vec<&str> = pointer.split('/').take(3).collect();
                let item = item.join("/");
                if !self.granted.iter().any(|grant| grant.covers(&need)) {
                    self.found(pointer, &PLAN_CAPABILITY_MISSING, args! { capability });
                }
                self.needs.push(PartNeed { capability: need, pointer: item });
            }
            Err(fault) => self.fault(fault, pointer),
        }
    }

    fn triggers(&mut self) {
        for (index, item) in items(self.plan, "triggers") {
            let Some(text) = item.as_str() else { continue };
            let pointer = format!("/triggers/{index}");
            match ActivationEvent::parse(text) {
                None => self.found(pointer, &PLAN_EVENT, args! { text }),
                Some(ActivationEvent::Command(command)) => self.command(command, pointer),
                Some(ActivationEvent::Lens(id)) => self.planned("lens", id, pointer),
                Some(ActivationEvent::Exporter(id)) => self.planned("exporter", id, pointer),
                Some(ActivationEvent::IdsValidator(id)) => self.planned("idsValidator", id, pointer),
                Some(ActivationEvent::SelectionChange) => self.need("viewer.read", pointer),
                Some(
                    ActivationEvent::Startup
                    | ActivationEvent::ModelLoad
                    | ActivationEvent::Schema(_)
                    | ActivationEvent::Slot(_),
                ) => {}
            }
        }
    }

    fn planned(&mut self, kind: &str, id: &str, pointer: String) {
        let planned = ids(self.plan, |it| it == kind);
        if !planned.contains(&id) {
            self.choose(pointer, id, &planned, &PLAN_ID, args! { id });
        }
    }

    fn tests(&mut self) {
        let fixtures = fixtures::ids();
        let planned = ids(self.plan, |kind| TESTED.contains(&kind));
        for (index, test) in items(self.plan, "tests") {
            if let Some(name) = member(test, "contribution").filter(|name| !planned.contains(name)) {
                self.choose(format!("/tests/{index}/contribution"), name, &planned, &RUNNABLE, args! { name });
            }
            let unknown = |fixture: &&str| *fixture != SYNTHETIC && !fixtures.contains(fixture);
            if let Some(fixture) = member(test, "fixture").filter(unknown) {
                let pointer = format!("/tests/{index}/fixture");
                self.choose(pointer, fixture, &fixtures, &PLAN_FIXTURE, args! { fixture });
            }
        }
    }

    fn untested(&mut self) {
        let tested: Vec<&str> =
            items(self.plan, "tests").filter_map(|(_, test)| member(test, "contribution")).collect();
        for (index, item) in items(self.plan, "contributions") {
            let (Some(kind), Some(id)) = (member(item, "kind"), member(item, "id")) else { continue };
            if TESTED.contains(&kind) && !tested.contains(&id) {
                self.found(format!("/contributions/{index}"), &PLAN_TEST, args! { id });
            }
        }
    }
}

/// Ids of the planned contributions of some kinds.
fn ids(plan: &Value, of: impl Fn(&str) -> bool) -> Vec<&str> {
    let wanted = items(plan, "contributions").filter(|(_, item)| member(item, "kind").is_some_and(&of));
    wanted.filter_map(|(_, item)| member(item, "id")).collect()
}

/// The slots that a kind takes; they begin with its name.
fn slots(kind: &str) -> Vec<&'static str> {
    SLOTS.iter().map(String::as_str).filter(|slot| slot.split('.').next() == Some(kind)).collect()
}

/// Members that a kind needs beside those of the schema.
fn required(kind: &str) -> &'static [&'static str] {
    match kind {
        "toolbar" | "contextMenu" => &["slot", "command"],
        "dock" => &["slot", "widget"],
        "statusBar" => &["slot"],
        "keybinding" => &["command", "key"],
        "exporter" => &["format"],
        _ => &[],
    }
}
