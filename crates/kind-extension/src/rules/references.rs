//! Cross references (spec: ifc-extension.md §5).
//!
//! Runs on a manifest without errors only, so that one fault is not reported twice.

use holdpoint_bundle::Files;
use holdpoint_check::json::join;
use holdpoint_check::{Diagnostic, Fix, Severity, args, codes};
use holdpoint_sdk::{fixtures, near};

use crate::Origin;
use crate::manifest::Manifest;
use crate::manifest::event::ActivationEvent;
use crate::widgets::Widget;

codes! {
    /// a command that is not declared
    UNKNOWN_COMMAND / DECLARED: Error,
        "Declare the command `{id}` in `contributes.commands`, or name a declared one." [id];
    /// a contribution, trigger or tab that is not declared
    UNKNOWN_REFERENCE / DECLARED_ID: Error, "`{id}` is not declared." [id];
    UNKNOWN_REFERENCE / TAB: Error, "Name one of the tabs.";
    INVALID_VALUE / FILE: Error, "Name a file {pattern}; `{path}` is of another kind." [pattern, path];
    /// a file that is not there
    FILE_NOT_FOUND: Error, "Add the file `{path}`, or name one that is there; paths are exact." [path];
    /// it is a command without module
    COMMAND_UNHANDLED: Error, "Name the module of `{id}` in `entry.commands`." [id];
    /// a trigger whose event is not in activation
    ACTIVATION_MISSING: Error, "Add `{event}` to `activation`, else the trigger never runs." [event];
    /// no canonical fixture and no file of the bundle
    UNKNOWN_FIXTURE / BUNDLE: Error,
        "`{name}` is no fixture. Name a canonical one or a file under fixtures/." [name];
    /// a contribution that no test runs; a warning when promoted
    TEST_MISSING / ADD: Error, "Add a test that runs `{id}`." [id];
}

/// What references are resolved against.
pub struct Scope<'s> {
    pub manifest: &'s Manifest,
    /// All files as given: a faulty file is there, and has its own finding.
    pub files: &'s Files,
    /// Where the bundle comes from.
    pub origin: Origin,
}

/// Where a referred file must lie.
#[derive(Clone, Copy)]
enum Place {
    Module,
    Widget,
}

impl Place {
    fn fits(self, path: &str) -> bool {
        let (folder, ending) = self.parts();
        path.starts_with(folder) && path.ends_with(ending)
    }

    fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Module => ("src/", ".js"),
            Self::Widget => ("widgets/", ".json"),
        }
    }
}

impl Scope<'_> {
    /// Findings in the manifest, with pointer only.
    pub fn manifest(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        self.contributions(&mut out);
        self.entries(&mut out);
        self.activation(&mut out);
        self.tests(&mut out);
        self.untested(&mut out);
        out
    }

    /// Findings in a widget file, with pointer only.
    pub fn widget(&self, widget: &Widget<'_>) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for pointer in &widget.commands {
            let id = widget.document.value.pointer(pointer).and_then(serde_json::Value::as_str);
            self.command(id, pointer.clone(), &mut out);
        }
        for pointer in &widget.lost_tabs {
            out.push(Diagnostic::of(&TAB, args! {}).at_pointer(pointer.clone()));
        }
        out
    }

    fn command_ids(&self) -> Vec<&str> {
        self.manifest.contributes.commands.iter().map(|command| command.id.as_str()).collect()
    }

    fn command(&self, id: Option<&str>, pointer: String, out: &mut Vec<Diagnostic>) {
        let Some(id) = id else { return };
        let ids = self.command_ids();
        if ids.contains(&id) {
            return;
        }
        let mut finding = Diagnostic::of(&DECLARED, args! { id }).with_hint(near::hint(id, &ids));
        // A key cannot be replaced by a value.
        if let Some(meant) = near::misspelled(id, &ids).filter(|_| !pointer.starts_with("/entry/")) {
            finding = finding.with_fix(vec![Fix::value(pointer.clone(), meant)]);
        }
        out.push(finding.at_pointer(pointer));
    }

    fn file(&self, path: &str, place: Place, pointer: String, out: &mut Vec<Diagnostic>) {
        let (folder, ending) = place.parts();
        if self.files.contains_key(path) {
            if !place.fits(path) {
                let pattern = format!("{folder}**{ending}");
                out.push(Diagnostic::of(&FILE, args! { pattern, path }).at_pointer(pointer));
            }
            return;
        }
        let fitting: Vec<&str> = self.files.keys().map(String::as_str).filter(|path| place.fits(path)).collect();
        let mut finding = Diagnostic::of(&FILE_NOT_FOUND, args! { path }).with_hint(near::hint(path, &fitting));
        if let Some(plain) = path.strip_prefix("./").filter(|plain| fitting.contains(plain)) {
            finding = finding.with_fix(vec![Fix::value(pointer.clone(), plain)]);
        }
        out.push(finding.at_pointer(pointer));
    }

    fn contributions(&self, out: &mut Vec<Diagnostic>) {
        let contributes = &self.manifest.contributes;
        for (index, command) in contributes.commands.iter().enumerate() {
            if !self.manifest.entry.commands.contains_key(&command.id) {
                out.push(self.unhandled(index, &command.id));
            }
        }
        let at = |kind: &str, index: usize, field: &str| format!("/contributes/{kind}/{index}/{field}");
        for (index, item) in contributes.toolbar.iter().enumerate() {
            self.command(Some(&item.command), at("toolbar", index, "command"), out);
        }
        for (index, item) in contributes.context_menu.iter().enumerate() {
            self.command(Some(&item.command), at("contextMenu", index, "command"), out);
        }
        for (index, item) in contributes.keybindings.iter().enumerate() {
            self.command(Some(&item.command), at("keybindings", index, "command"), out);
        }
        for (index, item) in contributes.status_bar.iter().enumerate() {
            self.command(item.command.as_deref(), at("statusBar", index, "command"), out);
        }
        for (index, dock) in contributes.dock.iter().enumerate() {
            self.command(dock.data.as_deref(), at("dock", index, "data"), out);
            self.file(&dock.widget, Place::Widget, at("dock", index, "widget"), out);
        }
        for (index, lens) in contributes.lenses.iter().enumerate() {
            self.file(&lens.evaluator, Place::Module, at("lenses", index, "evaluator"), out);
        }
        for (index, exporter) in contributes.exporters.iter().enumerate() {
            self.file(&exporter.handler, Place::Module, at("exporters", index, "handler"), out);
        }
        for (index, validator) in contributes.ids_validators.iter().enumerate() {
            self.file(&validator.handler, Place::Module, at("idsValidators", index, "handler"), out);
        }
    }

    fn unhandled(&self, index: usize, id: &str) -> Diagnostic {
        let finding =
            Diagnostic::of(&COMMAND_UNHANDLED, args! { id }).at_pointer(format!("/contributes/commands/{index}"));
        let last = id.rsplit('.').next().unwrap_or(id);
        let module = format!("src/commands/{last}.js");
        if self.files.contains_key(&module) {
            finding.with_fix(vec![Fix::value(join("/entry/commands", id), module)])
        } else {
            finding
        }
    }

    fn entries(&self, out: &mut Vec<Diagnostic>) {
        let entry = &self.manifest.entry;
        for (name, path) in [("activate", &entry.activate), ("deactivate", &entry.deactivate)] {
            if let Some(path) = path {
                self.file(path, Place::Module, format!("/entry/{name}"), out);
            }
        }
        for (id, path) in &entry.commands {
            let pointer = join("/entry/commands", id);
            self.command(Some(id), pointer.clone(), out);
            self.file(path, Place::Module, pointer, out);
        }
        for (event, path) in &entry.triggers {
            let pointer = join("/entry/triggers", event);
            self.file(path, Place::Module, pointer.clone(), out);
            if !self.manifest.activation.contains(event) {
                let fix = vec![Fix::value("/activation/-", event.as_str())];
                out.push(Diagnostic::of(&ACTIVATION_MISSING, args! { event }).at_pointer(pointer).with_fix(fix));
            }
        }
    }

    fn activation(&self, out: &mut Vec<Diagnostic>) {
        for (index, text) in self.manifest.activation.iter().enumerate() {
            let pointer = format!("/activation/{index}");
            match ActivationEvent::parse(text) {
                Some(ActivationEvent::Command(id)) => self.command(Some(id), pointer, out),
                Some(ActivationEvent::Lens(id)) => reference(id, &self.lenses(), pointer, out),
                Some(ActivationEvent::Exporter(id)) => reference(id, &self.exporters(), pointer, out),
                Some(ActivationEvent::IdsValidator(id)) => reference(id, &self.validators(), pointer, out),
                _ => {}
            }
        }
    }

    fn lenses(&self) -> Vec<&str> {
        self.manifest.contributes.lenses.iter().map(|lens| lens.id.as_str()).collect()
    }

    fn exporters(&self) -> Vec<&str> {
        self.manifest.contributes.exporters.iter().map(|exporter| exporter.id.as_str()).collect()
    }

    fn validators(&self) -> Vec<&str> {
        self.manifest.contributes.ids_validators.iter().map(|validator| validator.id.as_str()).collect()
    }

    fn tests(&self, out: &mut Vec<Diagnostic>) {
        let triggers: Vec<&str> = self.manifest.entry.triggers.keys().map(String::as_str).collect();
        for (index, test) in self.manifest.tests.iter().enumerate() {
            let at = |field: &str| format!("/tests/{index}/{field}");
            self.command(test.command.as_deref(), at("command"), out);
            let references = [
                (&test.trigger, &triggers, "trigger"),
                (&test.lens, &self.lenses(), "lens"),
                (&test.exporter, &self.exporters(), "exporter"),
                (&test.ids_validator, &self.validators(), "idsValidator"),
            ];
            for (id, known, field) in references {
                if let Some(id) = id {
                    reference(id, known, at(field), out);
                }
            }
            if let Some(fixture) = test.fixture.as_str() {
                self.fixture(fixture, at("fixture"), out);
            }
        }
    }

    fn fixture(&self, fixture: &str, pointer: String, out: &mut Vec<Diagnostic>) {
        if fixtures::find(fixture).is_some() || (fixture.starts_with("fixtures/") && self.files.contains_key(fixture)) {
            return;
        }
        let own = self.files.keys().map(String::as_str).filter(|path| path.starts_with("fixtures/"));
        let known: Vec<&str> = fixtures::ids().into_iter().chain(own).collect();
        let mut finding = Diagnostic::of(&BUNDLE, args! { name: fixture }).with_hint(near::hint(fixture, &known));
        let plain = fixture.strip_prefix("./").filter(|plain| known.contains(plain));
        if let Some(meant) = plain.or_else(|| near::misspelled(fixture, &known)) {
            finding = finding.with_fix(vec![Fix::value(pointer.clone(), meant)]);
        }
        out.push(finding.at_pointer(pointer));
    }

    fn untested(&self, out: &mut Vec<Diagnostic>) {
        let tests = &self.manifest.tests;
        let mut missing = |kind: &str, ids: Vec<&str>, runs: &dyn Fn(&str) -> bool| {
            for (index, id) in ids.into_iter().enumerate().filter(|(_, id)| !runs(id)) {
                let pointer = format!("/contributes/{kind}/{index}");
                let severity = match self.origin {
                    Origin::Promoted => Severity::Warning,
                    Origin::Authored | Origin::Hand => Severity::Error,
                };
                let finding = Diagnostic::of(&ADD, args! { id }).weighed(severity);
                out.push(finding.at_pointer(pointer));
            }
        };
        let named = |field: &Option<String>, id: &str| field.as_deref() == Some(id);
        missing("commands", self.command_ids(), &|id| tests.iter().any(|test| named(&test.command, id)));
        missing("lenses", self.lenses(), &|id| tests.iter().any(|test| named(&test.lens, id)));
        missing("exporters", self.exporters(), &|id| tests.iter().any(|test| named(&test.exporter, id)));
        missing("idsValidators", self.validators(), &|id| tests.iter().any(|test| named(&test.ids_validator, id)));
    }
}

fn reference(id: &str, known: &[&str], pointer: String, out: &mut Vec<Diagnostic>) {
    if !known.contains(&id) {
        let finding = Diagnostic::of(&DECLARED_ID, args! { id }).with_hint(near::hint(id, known));
        out.push(finding.at_pointer(pointer));
    }
}
