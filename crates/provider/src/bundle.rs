//! The files of a scripted extension as an edited plan has them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::follow::{has_part, list, same_part, text};

/// What a kind of the plan is called in a manifest, by which member it is found, and by which it is named.
const KINDS: [(&str, &str, &str, Option<&str>); 9] = [
    ("command", "commands", "id", Some("title")),
    ("toolbar", "toolbar", "command", None),
    ("dock", "dock", "id", Some("title")),
    ("contextMenu", "contextMenu", "command", None),
    ("keybinding", "keybindings", "command", None),
    ("lens", "lenses", "id", Some("name")),
    ("exporter", "exporters", "id", Some("name")),
    ("idsValidator", "idsValidators", "id", Some("name")),
    ("statusBar", "statusBar", "id", Some("text")),
];
/// Lists of `entry`, whose keys are ids.
const RUNS: [&str; 4] = ["command", "lens", "exporter", "idsValidator"];

/// What a bundle is made to fit.
pub struct PlannedBundle<'p> {
    pub plan: &'p Value,
    pub usual: &'p Value,
    pub tests: &'p BTreeMap<String, BTreeMap<String, Map<String, Value>>>,
}

impl PlannedBundle<'_> {
    /// The manifest without what was taken out, with the names, places and fixtures of the plan. `gone`: ids of parts.
    pub fn manifest(&self, source: &str, gone: &[&str]) -> String {
        let Ok(mut manifest) = serde_json::from_str::<Value>(source) else { return source.to_owned() };
        for (kind, key, by, name) in KINDS {
            let Some(items) = manifest.pointer_mut(&format!("/contributes/{key}")).and_then(Value::as_array_mut) else {
                continue;
            };
            items.retain(|item| part(kind, by, item, self.usual).is_none_or(|part| has_part(self.plan, part)));
            for item in items.iter_mut() {
                let Some(part) = part(kind, by, item, self.plan).cloned() else { continue };
                let before = list(self.usual, "contributions").find(|other| same_part(other, &part));
                let renamed = before.is_some_and(|before| before.get("label") != part.get("label"));
                if let (Some(name), true) = (name, renamed) {
                    item[name] = part["label"].clone();
                }
                for member in ["slot", "key"] {
                    if let (Some(value), Some(item)) = (part.get(member), item.as_object_mut()) {
                        item.insert(member.to_owned(), value.clone());
                    }
                }
            }
            let empty = items.is_empty();
            if let (true, Some(all)) = (empty, manifest.get_mut("contributes").and_then(Value::as_object_mut)) {
                all.shift_remove(key);
            }
        }
        let entries = manifest.get_mut("entry").and_then(Value::as_object_mut).into_iter().flatten();
        for (_, entry) in entries {
            if let Some(entry) = entry.as_object_mut() {
                entry.retain(|id, _| !gone.contains(&id.as_str()));
            }
        }
        let events = |event: &Value| {
            let event = event.as_str().unwrap_or_default();
            event.starts_with("onCommand:") || list(self.plan, "triggers").any(|other| other == event)
        };
        retain(&mut manifest, "activation", events);
        retain(&mut manifest, "capabilities", |one| self.granted(one.as_str().unwrap_or_default()));
        self.tests(&mut manifest, gone);
        if !gone.is_empty() {
            manifest["description"] = self.plan["summary"].clone();
        }
        serde_json::to_string_pretty(&manifest).map_or_else(|_| source.to_owned(), |text| text + "\n")
    }

    fn tests(&self, manifest: &mut Value, gone: &[&str]) {
        let planned = |test: &Value| list(self.plan, "tests").find(|other| text(other, "name") == text(test, "name"));
        let was = |test: &Value| list(self.usual, "tests").any(|other| text(other, "name") == text(test, "name"));
        let runs = |test: &Value| RUNS.iter().any(|run| gone.contains(&text(test, run)));
        retain(manifest, "tests", |test| !runs(test) && (planned(test).is_some() || !was(test)));
        for test in manifest.get_mut("tests").and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(fixture) = planned(test).map(|planned| text(planned, "fixture").to_owned()) else { continue };
            if fixture == "synthetic" || text(test, "fixture") == fixture {
                continue;
            }
            let other = self.tests.get(text(test, "name")).and_then(|on| on.get(&fixture)).cloned();
            test["fixture"] = fixture.into();
            for (member, value) in other.into_iter().flatten() {
                test[member.as_str()] = value;
            }
        }
    }

    /// Of the same action as one that was approved: how exactly it is named is the transcript's.
    fn granted(&self, name: &str) -> bool {
        let action = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
        list(self.plan, "capabilities").filter_map(Value::as_str).any(|other| action(other) == action(name))
    }

    /// Files that only what was taken out used.
    pub fn unused(&self, manifest: &Value, gone: &[&str], sources: &[(&str, &str)]) -> Vec<String> {
        let entries = || {
            let all = manifest.get("entry").and_then(Value::as_object).into_iter().flatten();
            all.filter_map(|(_, entry)| entry.as_object()).flatten()
        };
        let named = |stays: bool| {
            entries().filter(move |(id, _)| gone.contains(&id.as_str()) != stays).filter_map(|(_, path)| path.as_str())
        };
        let mut unused: Vec<String> = named(false)
            .filter(|path| !named(true).any(|other| other == *path))
            .filter(|path| {
                let file = format!("/{}\"", path.rsplit('/').next().unwrap_or_default());
                !sources.iter().any(|(other, text)| other != path && other.ends_with(".js") && text.contains(&file))
            })
            .map(str::to_owned)
            .collect();
        let shown = |plan: &Value, path: &str| list(plan, "contributions").any(|part| text(part, "widget") == path);
        let widgets = list(self.usual, "widgets").map(|widget| text(widget, "path"));
        unused.extend(widgets.filter(|path| !shown(self.plan, path)).map(str::to_owned));
        unused
    }
}

/// The part of a plan that an item of the manifest is.
fn part<'v>(kind: &str, by: &str, item: &Value, plan: &'v Value) -> Option<&'v Value> {
    list(plan, "contributions").find(|part| text(part, "kind") == kind && part.get(by) == item.get(by))
}

fn retain(value: &mut Value, member: &str, keep: impl Fn(&Value) -> bool) {
    if let Some(items) = value.get_mut(member).and_then(Value::as_array_mut) {
        items.retain(keep);
    }
}

/// A widget without the nodes that run what is gone.
pub fn without_command(source: &str, gone: &[&str]) -> String {
    fn runs(node: &Value, gone: &[&str]) -> bool {
        gone.contains(&text(node, "command"))
    }
    fn prune(node: &mut Value, gone: &[&str]) {
        match node {
            Value::Array(items) => {
                items.retain(|item| !runs(item, gone));
                for item in items {
                    prune(item, gone);
                }
            }
            Value::Object(members) => {
                for member in members.values_mut() {
                    prune(member, gone);
                }
            }
            _ => {}
        }
    }
    let Ok(mut widget) = serde_json::from_str::<Value>(source) else { return source.to_owned() };
    if gone.is_empty() {
        return source.to_owned();
    }
    prune(&mut widget, gone);
    serde_json::to_string_pretty(&widget).map_or_else(|_| source.to_owned(), |text| text + "\n")
}
