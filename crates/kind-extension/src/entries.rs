//! Which modules the host calls (spec: ifc-extension.md §6.1 "Entry function").
//!
//! Read from the manifest as it stands, also when it has errors, so that code is always analysed with its entries.

use std::collections::BTreeSet;

use serde_json::Value;

use super::code::{EntryModule, Role};

/// Contributions with a module of their own, and the member that names it.
const HANDLERS: [(&str, &str); 3] = [("lenses", "evaluator"), ("exporters", "handler"), ("idsValidators", "handler")];

/// Every entry that a manifest names.
pub fn of(manifest: &Value) -> Vec<EntryModule> {
    let mut entries = BTreeSet::new();
    let mut add = |value: Option<&Value>, role: Role| {
        if let Some(path) = value.and_then(Value::as_str) {
            entries.insert(EntryModule { path: path.to_owned(), role });
        }
    };
    add(manifest.pointer("/entry/activate"), Role::Activate);
    add(manifest.pointer("/entry/deactivate"), Role::Deactivate);
    for table in ["/entry/commands", "/entry/triggers"] {
        for (_, path) in manifest.pointer(table).and_then(Value::as_object).into_iter().flatten() {
            add(Some(path), Role::Run);
        }
    }
    for (kind, member) in HANDLERS {
        let list = manifest.pointer(&format!("/contributes/{kind}")).and_then(Value::as_array);
        for item in list.into_iter().flatten() {
            add(item.get(member), Role::Run);
        }
    }
    for test in manifest.get("tests").and_then(Value::as_array).into_iter().flatten() {
        if let Some(fixture) = test.get("fixture").filter(|fixture| is_module(fixture)) {
            add(Some(fixture), Role::Build);
        }
    }
    entries.into_iter().collect()
}

fn is_module(fixture: &Value) -> bool {
    fixture.as_str().is_some_and(|path| path.starts_with("fixtures/") && path.ends_with(".js"))
}
