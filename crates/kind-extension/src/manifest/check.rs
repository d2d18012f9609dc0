//! The manifest stage: JSON, schema, syntaxes, and the rules inside the manifest that no schema can say.

use std::collections::{BTreeMap, HashSet};

use holdpoint_check::json::{self, Document, join};
use holdpoint_check::{Diagnostic, Fix, args, codes};
use holdpoint_sdk::capability::{self, Capability};
use serde_json::{Map, Value, json};

use super::event::ActivationEvent;
use super::{Manifest, syntax};
use crate::engines::Version;
use crate::limits::{MAX_CAPABILITIES, MAX_JSON_DEPTH};
use crate::policy::MANIFEST;
use crate::rules::markup;
use crate::schemas;

codes! {
    /// an id that is taken
    DUPLICATE_ID / FIELD: Error, "Choose another {field}: `{id}` is taken." [field, id];
    INVALID_ACTIVATION / TRIGGER: Error, "Use onStartup, onModelLoad, onSelectionChange or onSchema:S.";
    INVALID_VALUE / RUNNABLE: Error, "Name exactly one of {names} to run." [names];
    /// covered by another declared one
    CAPABILITY_DUPLICATE / DECLARED: Warning, "Remove `{name}`: another declared capability covers it." [name];
}

/// What runs in a test; exactly one is named.
const RUNS: [&str; 5] = ["command", "trigger", "lens", "exporter", "idsValidator"];
/// Texts for people in contributions.
const TEXTS: [&str; 5] = ["name", "title", "description", "label", "group"];
/// Operators whose operand is compared as it is: nothing in it is a matcher.
const LITERAL_OPERATORS: [&str; 2] = ["equals", "jsonShape"];

/// A manifest that is JSON.
#[derive(Debug)]
pub struct Read<'t> {
    pub document: Document<'t>,
    /// The typed form; `None` when this stage found an error.
    pub manifest: Option<Manifest>,
}

/// Reads and judges `manifest.json`; `None` when it is no JSON.
pub fn check<'t>(text: &'t str, sdk: &Version, findings: &mut Vec<Diagnostic>) -> Option<Read<'t>> {
    let document = match json::read(text, MAX_JSON_DEPTH) {
        Ok(document) => document,
        Err(fault) => {
            findings.push(fault.in_file(MANIFEST));
            return None;
        }
    };
    let mut found = schemas::manifest().validate(&document);
    found.findings.extend(document.duplicates.iter().cloned());
    let faulty: HashSet<String> = found.findings.iter().filter_map(|finding| finding.pointer.clone()).collect();
    let mut more = Vec::new();
    for mark in found.marks.iter().filter(|mark| !faulty.contains(&mark.pointer)) {
        if let Some(value) = document.value.pointer(&mark.pointer) {
            syntax::judge(mark, value, sdk, &mut more);
        }
    }
    texts(&document.value, &mut more);
    ids(&document.value, &mut more);
    triggers(&document.value, &mut more);
    tests(&document.value, &mut more);
    duplicates(&document.value, &mut more);
    let located = more.into_iter().map(|finding| {
        let range = document.range(finding.pointer.as_deref().unwrap_or_default());
        finding.at(range)
    });
    let all: Vec<Diagnostic> =
        found.findings.into_iter().chain(located).map(|finding| finding.in_file(MANIFEST)).collect();
    let sound = !all.iter().any(Diagnostic::is_error);
    findings.extend(all);
    let manifest = sound.then(|| serde_json::from_value(document.value.clone()).ok()).flatten();
    Some(Read { document, manifest })
}

fn members<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (&'v String, &'v Value)> + use<'v> {
    value.get(name).and_then(Value::as_object).into_iter().flatten()
}

fn items(value: Option<&Value>) -> impl Iterator<Item = (usize, &Map<String, Value>)> + use<'_> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.enumerate().filter_map(|(index, item)| Some((index, item.as_object()?)))
}

fn texts(root: &Value, out: &mut Vec<Diagnostic>) {
    let mut judge = |pointer: String, value: Option<&Value>| {
        if let Some(finding) = value.and_then(Value::as_str).and_then(markup::check) {
            out.push(finding.at_pointer(pointer));
        }
    };
    for name in ["name", "description"] {
        judge(format!("/{name}"), root.get(name));
    }
    judge("/author/name".to_owned(), root.pointer("/author/name"));
    for (kind, list) in members(root, "contributes") {
        for (index, item) in items(Some(list)) {
            for name in TEXTS {
                judge(format!("{}/{index}/{name}", join("/contributes", kind)), item.get(name));
            }
        }
    }
    for (index, test) in items(root.get("tests")) {
        judge(format!("/tests/{index}/name"), test.get("name"));
    }
}

fn ids(root: &Value, out: &mut Vec<Diagnostic>) {
    let mut once = |list: Option<&Value>, pointer: &str, field: &str| {
        let mut seen = HashSet::new();
        for (index, item) in items(list) {
            if let Some(id) = item.get(field).and_then(Value::as_str)
                && !seen.insert(id)
            {
                let finding = Diagnostic::of(&FIELD, args! { field, id });
                out.push(finding.at_pointer(format!("{pointer}/{index}/{field}")));
            }
        }
    };
    for (kind, list) in members(root, "contributes") {
        once(Some(list), &join("/contributes", kind), "id");
    }
    once(root.get("tests"), "/tests", "name");
}

fn triggers(root: &Value, out: &mut Vec<Diagnostic>) {
    for (event, _) in root.get("entry").into_iter().flat_map(|entry| members(entry, "triggers")) {
        if !ActivationEvent::parse(event).is_some_and(|event| event.is_trigger()) {
            out.push(Diagnostic::of(&TRIGGER, args! {}).at_pointer(join("/entry/triggers", event)));
        }
    }
}

fn tests(root: &Value, out: &mut Vec<Diagnostic>) {
    for (index, test) in items(root.get("tests")) {
        if RUNS.iter().filter(|name| test.contains_key(**name)).count() != 1 {
            let finding = Diagnostic::of(&RUNNABLE, args! { names: RUNS.join(", ") });
            out.push(finding.at_pointer(format!("/tests/{index}")));
        }
        if let Some(expect) = test.get("expect").and_then(Value::as_object) {
            expectation(expect, &format!("/tests/{index}/expect"), out);
        }
    }
}

fn expectation(expect: &Map<String, Value>, pointer: &str, out: &mut Vec<Diagnostic>) {
    for (operator, operand) in expect {
        let pointer = join(pointer, operator);
        match operand {
            Value::Object(paths) if operator == "at" => {
                for (path, nested) in paths {
                    let pointer = join(&pointer, path);
                    out.extend(syntax::binding(path).map(|finding| finding.at_pointer(pointer.clone())));
                    if let Some(nested) = nested.as_object() {
                        expectation(nested, &pointer, out);
                    }
                }
            }
            _ if LITERAL_OPERATORS.contains(&operator.as_str()) => {}
            operand => patterns(operand, &pointer, out),
        }
    }
}

/// `$match` patterns anywhere in a matcher.
fn patterns(value: &Value, pointer: &str, out: &mut Vec<Diagnostic>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                patterns(item, &format!("{pointer}/{index}"), out);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let pointer = join(pointer, name);
                if name == "$match" {
                    let text = member.as_str().unwrap_or_default();
                    out.extend(syntax::pattern(text).map(|finding| finding.at_pointer(pointer.clone())));
                }
                patterns(member, &pointer, out);
            }
        }
        _ => {}
    }
}

/// Declared capabilities that parse, with their index.
pub fn declared(root: &Value) -> Vec<(usize, Capability)> {
    let list = root.get("capabilities").and_then(Value::as_array).into_iter().flatten().enumerate();
    list.filter_map(|(index, value)| Some((index, capability::parse(value.as_str()?).ok()?))).collect()
}

fn duplicates(root: &Value, out: &mut Vec<Diagnostic>) {
    let declared = declared(root);
    // Each finding has the whole list in its fix; of a list that is too long this is said.
    if declared.len() > MAX_CAPABILITIES {
        return;
    }
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, capability) in &declared {
        first.entry(capability.canonical()).or_insert(*index);
    }
    for (index, capability) in &declared {
        let equal = first.get(capability.canonical()).is_some_and(|earlier| earlier < index);
        let wider =
            declared.iter().any(|(_, other)| other.canonical() != capability.canonical() && other.covers(capability));
        if equal || wider {
            let finding = Diagnostic::of(&DECLARED, args! { name: capability.raw() })
                .at_pointer(format!("/capabilities/{index}"))
                .with_fix(vec![without(root, *index)]);
            out.push(finding);
        }
    }
}

/// The capability list without one entry.
pub fn without(root: &Value, index: usize) -> Fix {
    let mut list = root.get("capabilities").and_then(Value::as_array).cloned().unwrap_or_default();
    if index < list.len() {
        list.remove(index);
    }
    Fix::value("/capabilities", json!(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_told_in_a_list_that_is_short_enough() {
        let found = |times: usize| {
            let mut out = Vec::new();
            duplicates(&json!({"capabilities": vec!["model.read"; times]}), &mut out);
            out.len()
        };
        assert_eq!(found(2), 1);
        assert_eq!(found(MAX_CAPABILITIES), MAX_CAPABILITIES - 1);
        assert_eq!(found(MAX_CAPABILITIES + 1), 0);
    }
}
