//! What a plan must hold beside its schema (spec: authoring.md §3.2).
//!
//! Items of the wrong type are skipped: the schema has said so already.

use crate::ifc_extension::manifest::event::{Event, SLOTS};
use crate::ifc_extension::{keybinding, when::When};
use holdpoint_check::Diagnostic;
use holdpoint_sdk::capability::{Capability, CapabilityFault, parse};
use holdpoint_sdk::{fixtures, near};
use serde_json::Value;

use super::{items, member};

/// A fixture that the tests describe themselves.
const SYNTHETIC: &str = "synthetic";

/// Kinds whose output a test must show.
const TESTED: [&str; 4] = ["command", "lens", "exporter", "idsValidator"];

struct Judge<'p> {
    plan: &'p Value,
    commands: Vec<&'p str>,
    granted: Vec<Capability>,
    findings: &'p mut Vec<Diagnostic>,
}

/// Adds what is wrong with a plan; `base_commands` are those of the bundle that is changed.
pub fn judge(plan: &Value, base_commands: &[String], schema_holds: bool, findings: &mut Vec<Diagnostic>) {
    let planned = items(plan, "contributions").filter(|(_, item)| member(item, "kind") == Some("command"));
    let commands =
        planned.filter_map(|(_, item)| member(item, "id")).chain(base_commands.iter().map(String::as_str)).collect();
    let mut judge = Judge { plan, commands, granted: super::declared(plan), findings };
    judge.capabilities();
    judge.contributions();
    judge.triggers();
    judge.tests();
    if schema_holds {
        judge.untested();
    }
}

impl Judge<'_> {
    fn error(&mut self, code: &'static str, pointer: String, message: impl Into<String>) {
        self.findings.push(Diagnostic::error(code, message).at_pointer(pointer));
    }

    fn choose(&mut self, code: &'static str, pointer: String, name: &str, allowed: &[&str], message: String) {
        let hint = near::hint(name, allowed);
        self.findings.push(Diagnostic::error(code, message).at_pointer(pointer).with_hint(hint));
    }

    fn fault(&mut self, fault: &CapabilityFault, pointer: String) {
        self.findings.push(Diagnostic::error(fault.code, fault.message.clone()).at_pointer(pointer));
    }

    fn capabilities(&mut self) {
        let mut seen: Vec<(usize, Capability)> = Vec::new();
        for (index, item) in items(self.plan, "capabilities") {
            let pointer = format!("/capabilities/{index}");
            let Some(text) = item.as_str() else { continue };
            match parse(text) {
                Ok(capability) => {
                    if capability.wildcard() {
                        let message = "Name exactly what is needed, where it is known.";
                        self.findings.push(Diagnostic::warning("CAPABILITY_WILDCARD", message).at_pointer(pointer));
                    }
                    seen.push((index, capability));
                }
                Err(fault) => self.fault(&fault, pointer),
            }
        }
        for (index, capability) in &seen {
            let same = |other: &Capability| other.canonical() == capability.canonical();
            let covered =
                seen.iter().any(|(at, other)| at != index && other.covers(capability) && (!same(other) || at < index));
            if covered {
                let message = "Remove it: another capability of the plan covers it.";
                let pointer = format!("/capabilities/{index}");
                self.findings.push(Diagnostic::warning("CAPABILITY_DUPLICATE", message).at_pointer(pointer));
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
                    self.error("DUPLICATE_ID", at("id"), format!("Rename one of the two contributions `{id}`."));
                }
                seen.push((kind, id));
            }
            for name in required(kind) {
                if item.is_object() && item.get(name).is_none() {
                    self.error("REQUIRED", at(name), format!("Add `{name}`: a contribution of kind {kind} needs it."));
                }
            }
            let slots = slots(kind);
            if let Some(slot) = member(item, "slot").filter(|slot| !slots.is_empty() && !slots.contains(slot)) {
                self.choose("INVALID_SLOT", at("slot"), slot, &slots, format!("Choose a slot that {kind} takes."));
            }
            if let Some(command) = member(item, "command") {
                self.command(command, at("command"));
            }
            if let Some(widget) = member(item, "widget").filter(|widget| !widgets.contains(widget)) {
                let message = format!("Plan the widget file `{widget}`, or name one that is planned.");
                self.choose("UNKNOWN_REFERENCE", at("widget"), widget, &widgets, message);
            }
            if let Some(Err(message)) = member(item, "key").map(keybinding::check) {
                self.error("INVALID_KEYBINDING", at("key"), message);
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
            let message = format!("Plan the command `{command}`, or name one that is planned.");
            self.choose("UNKNOWN_COMMAND", pointer, command, &allowed, message);
        }
    }

    fn when(&mut self, when: &str, pointer: &str) {
        match When::parse(when) {
            Ok(read) => {
                for key in read.unknown_keys() {
                    let message = format!("No host supplies `{key}`: it is undefined.");
                    self.findings.push(Diagnostic::warning("WHEN_UNKNOWN_KEY", message).at_pointer(pointer));
                }
            }
            Err(fault) => {
                let mut finding = Diagnostic::error("INVALID_WHEN", "Correct the condition from this character on.");
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
            Ok(need) if !self.granted.iter().any(|grant| grant.covers(&need)) => {
                let message = format!("Add `{capability}` to the plan's capabilities: this needs it.");
                self.error("PLAN_CAPABILITY_MISSING", pointer, message);
            }
            Ok(_) => {}
            Err(fault) => self.fault(&fault, pointer),
        }
    }

    fn triggers(&mut self) {
        for (index, item) in items(self.plan, "triggers") {
            let Some(text) = item.as_str() else { continue };
            let pointer = format!("/triggers/{index}");
            match Event::parse(text) {
                None => {
                    let message = format!(
                        "`{text}` is no event: use onStartup, onModelLoad, onSelectionChange, or one \
                        with a suffix such as onCommand:ID."
                    );
                    self.error("INVALID_ACTIVATION", pointer, message);
                }
                Some(Event::Command(command)) => self.command(command, pointer),
                Some(Event::Lens(id)) => self.planned("lens", id, pointer),
                Some(Event::Exporter(id)) => self.planned("exporter", id, pointer),
                Some(Event::IdsValidator(id)) => self.planned("idsValidator", id, pointer),
                Some(Event::SelectionChange) => self.need("viewer.read", pointer),
                Some(Event::Startup | Event::ModelLoad | Event::Schema(_) | Event::Slot(_)) => {}
            }
        }
    }

    fn planned(&mut self, kind: &str, id: &str, pointer: String) {
        let planned = ids(self.plan, |it| it == kind);
        if !planned.contains(&id) {
            let message = format!("Plan `{id}`, or name one that is planned.");
            self.choose("UNKNOWN_REFERENCE", pointer, id, &planned, message);
        }
    }

    fn tests(&mut self) {
        let fixtures = fixtures::ids();
        let planned = ids(self.plan, |kind| TESTED.contains(&kind));
        for (index, test) in items(self.plan, "tests") {
            if let Some(name) = member(test, "contribution").filter(|name| !planned.contains(name)) {
                let message = format!("Name a planned command, lens, exporter or validator instead of `{name}`.");
                self.choose("UNKNOWN_REFERENCE", format!("/tests/{index}/contribution"), name, &planned, message);
            }
            let unknown = |fixture: &&str| *fixture != SYNTHETIC && !fixtures.contains(fixture);
            if let Some(fixture) = member(test, "fixture").filter(unknown) {
                let message = format!("There is no fixture `{fixture}`.");
                self.choose("UNKNOWN_FIXTURE", format!("/tests/{index}/fixture"), fixture, &fixtures, message);
            }
        }
    }

    fn untested(&mut self) {
        let tested: Vec<&str> =
            items(self.plan, "tests").filter_map(|(_, test)| member(test, "contribution")).collect();
        for (index, item) in items(self.plan, "contributions") {
            let (Some(kind), Some(id)) = (member(item, "kind"), member(item, "id")) else { continue };
            if TESTED.contains(&kind) && !tested.contains(&id) {
                let message = format!("Plan a test that runs `{id}`.");
                self.error("TEST_MISSING", format!("/contributions/{index}"), message);
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
