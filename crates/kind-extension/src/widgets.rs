//! Widget files (spec: ifc-extension.md §4).
//!
//! Owns the rules inside one file; which commands exist is the business of the cross references.

use std::collections::HashSet;

use holdpoint_check::json::{self, Document};
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::binding::is_binding;
use super::engines::Version;
use super::limits::{MAX_JSON_DEPTH, MAX_WIDGET_DEPTH, MAX_WIDGET_NODES};
use super::manifest::syntax;
use super::rules::markup;
use super::schemas;

codes! {
    /// it is over MAX_WIDGET_DEPTH or MAX_WIDGET_NODES
    WIDGET_TOO_LARGE: Error, "Keep a widget within {depth} levels and {nodes} nodes." [depth, nodes];
    REQUIRED / OPTIONS: Error, "Add `options` to choose from.";
    DUPLICATE_ID / TAB: Error, "Choose another id: `{id}` is taken." [id];
}

/// Fields that choose from options.
const CHOICES: [&str; 2] = ["select", "multiSelect"];

/// A widget file that is JSON and not too large.
#[derive(Debug)]
pub struct Widget<'t> {
    pub path: &'t str,
    pub document: Document<'t>,
    pub commands: Vec<String>,
    /// Places of default tabs that name no tab.
    pub lost_tabs: Vec<String>,
}

/// Reads and judges a widget file.
pub fn check<'t>(path: &'t str, text: &'t str, sdk: &Version, findings: &mut Vec<Diagnostic>) -> Option<Widget<'t>> {
    let document = match json::read(text, MAX_JSON_DEPTH) {
        Ok(document) => document,
        Err(fault) => {
            findings.push(fault.in_file(path));
            return None;
        }
    };
    let mut nodes = Vec::new();
    if !collect(&document.value, String::new(), 1, &mut nodes) {
        let most = args! { depth: MAX_WIDGET_DEPTH, nodes: MAX_WIDGET_NODES };
        findings.push(Diagnostic::of(&WIDGET_TOO_LARGE, most).in_file(path));
        return None;
    }
    let mut found = schemas::widget().validate(&document);
    found.findings.extend(document.duplicates.iter().cloned());
    let faulty: HashSet<String> = found.findings.iter().filter_map(|finding| finding.pointer.clone()).collect();
    let mut more = Vec::new();
    let mut commands = Vec::new();
    for mark in found.marks.iter().filter(|mark| !faulty.contains(&mark.pointer)) {
        let Some(value) = document.value.pointer(&mark.pointer) else { continue };
        match mark.keyword {
            "x-ref" if mark.note == "command" && value.is_string() => commands.push(mark.pointer.clone()),
            "x-bindable" => text_for_people(value, &mark.pointer, &mut more),
            _ => syntax::judge(mark, value, sdk, &mut more),
        }
    }
    let mut lost_tabs = Vec::new();
    for (pointer, node) in &nodes {
        node_rules(node, pointer, &mut more, &mut lost_tabs);
    }
    let located = more.into_iter().map(|finding| {
        let range = document.range(finding.pointer.as_deref().unwrap_or_default());
        finding.at(range)
    });
    findings.extend(found.findings.into_iter().chain(located).map(|finding| finding.in_file(path)));
    Some(Widget { path, document, commands, lost_tabs })
}

/// The nodes of a widget with their pointers; none where it is too large.
pub fn nodes(widget: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    if collect(widget, String::new(), 1, &mut found) { found } else { Vec::new() }
}

/// Lists the nodes with their pointers; false when there are too many or they lie too deep.
fn collect<'v>(node: &'v Value, pointer: String, depth: usize, out: &mut Vec<(String, &'v Value)>) -> bool {
    if depth > MAX_WIDGET_DEPTH || out.len() == MAX_WIDGET_NODES {
        return false;
    }
    let mut children = Vec::new();
    let mut list = |value: &'v Value, pointer: String| {
        for (index, child) in value.get("children").and_then(Value::as_array).into_iter().flatten().enumerate() {
            children.push((format!("{pointer}/children/{index}"), child));
        }
    };
    list(node, pointer.clone());
    for (index, tab) in node.get("tabs").and_then(Value::as_array).into_iter().flatten().enumerate() {
        list(tab, format!("{pointer}/tabs/{index}"));
    }
    out.push((pointer, node));
    children.into_iter().all(|(pointer, child)| collect(child, pointer, depth + 1, out))
}

fn text_for_people(value: &Value, pointer: &str, out: &mut Vec<Diagnostic>) {
    let Some(text) = value.as_str() else { return };
    out.extend(markup::check(text).map(|finding| finding.at_pointer(pointer)));
    bindable(text, pointer, out);
}

fn bindable(text: &str, pointer: &str, out: &mut Vec<Diagnostic>) {
    if is_binding(text) {
        out.extend(syntax::binding(text).map(|finding| finding.at_pointer(pointer)));
    }
}

fn node_rules(node: &Value, pointer: &str, out: &mut Vec<Diagnostic>, lost_tabs: &mut Vec<String>) {
    let text = |name: &str| node.get(name).and_then(Value::as_str);
    match text("type") {
        Some("Field")
            if text("variant").is_some_and(|variant| CHOICES.contains(&variant)) && node.get("options").is_none() =>
        {
            out.push(Diagnostic::of(&OPTIONS, args! {}).at_pointer(format!("{pointer}/options")));
        }
        Some("Button") => arguments(node.get("args"), &format!("{pointer}/args"), out),
        Some("EmptyState") => arguments(node.pointer("/cta/args"), &format!("{pointer}/cta/args"), out),
        Some("Tabs") => {
            let mut seen = HashSet::new();
            for (index, tab) in node.get("tabs").and_then(Value::as_array).into_iter().flatten().enumerate() {
                if let Some(id) = tab.get("id").and_then(Value::as_str)
                    && !seen.insert(id)
                {
                    out.push(Diagnostic::of(&TAB, args! { id }).at_pointer(format!("{pointer}/tabs/{index}/id")));
                }
            }
            if text("defaultTab").is_some_and(|id| !seen.contains(id)) {
                lost_tabs.push(format!("{pointer}/defaultTab"));
            }
        }
        _ => {}
    }
}

/// Strings in arguments may be bindings.
fn arguments(value: Option<&Value>, pointer: &str, out: &mut Vec<Diagnostic>) {
    match value {
        Some(Value::String(text)) => bindable(text, pointer, out),
        Some(Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                arguments(Some(item), &format!("{pointer}/{index}"), out);
            }
        }
        Some(Value::Object(members)) => {
            for (name, member) in members {
                arguments(Some(member), &json::join(pointer, name), out);
            }
        }
        _ => {}
    }
}
