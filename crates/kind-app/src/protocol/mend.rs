//! Arguments as models write them, turned into those that a tool takes (spec: app-builder.md §10 "Invalid output").
//!
//! Invariant: only what can be meant in one way is changed; of two candidates for one member none is taken.

use holdpoint_check::json::{self, join};
use holdpoint_kind::protocol::Mended;
use serde_json::{Map, Value};

use crate::tools;

/// Other names of members, by the member that is meant.
const NAMES: [(&str, &[&str]); 5] = [
    ("path", &["file_path", "filepath", "filePath", "file", "filename", "target_file"]),
    ("from_path", &["old_path", "source"]),
    ("to_path", &["new_path", "destination"]),
    ("content", &["text", "body", "code", "contents"]),
    ("patch", &["diff", "unified_diff", "patch_text"]),
];
const WRAPPERS: [&str; 5] = ["input", "args", "arguments", "parameters", "payload"];
const MAX_WRAPPERS: usize = 5;
/// Arrays and objects open at once in arguments.
const MAX_DEPTH: usize = 64;

/// Members that an operation has beside `op`.
fn members_of(op: &str) -> &'static [&'static str] {
    match op {
        "upsert_file" => &["path", "content"],
        "delete_file" | "put_blob" => &["path"],
        "rename_file" => &["from_path", "to_path"],
        "patch" => &["path", "patch"],
        _ => &[],
    }
}

/// Mends the arguments of a call.
pub(super) fn mend(tool: &str, text: &str) -> Mended {
    let Some(schema) = tools::tools(true).iter().find(|own| own.name == tool) else { return Mended::AsWritten };
    let known = members(schema.schema);
    let Some((mut value, mut changed)) = value_of(text) else { return Mended::AsWritten };
    let mut ambiguous = Vec::new();
    for _ in 0..MAX_WRAPPERS {
        let Some(inner) = unwrapped(&value, &known, &mut ambiguous) else { break };
        (value, changed) = (inner, true);
    }
    if let Some(own) = value.as_object_mut() {
        let wanted: Vec<&str> = known.iter().map(String::as_str).collect();
        changed |= rename(own, &wanted, "", &mut ambiguous);
        if known.iter().any(|name| name == "operations") {
            changed |= operations(own, &mut ambiguous);
        }
    }
    match (ambiguous.is_empty(), changed) {
        (false, _) => Mended::Ambiguous(ambiguous),
        (true, true) => Mended::Repaired(value.to_string()),
        (true, false) => Mended::AsWritten,
    }
}

/// The members of a tool's schema.
fn members(schema: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

/// What a text says, and whether it said it in a fence or as a text of JSON. `None`: nothing that can be mended, or a
/// key stands twice and nobody knows which value is meant.
fn value_of(text: &str) -> Option<(Value, bool)> {
    let read = |text: &str| {
        let document = json::read(text, MAX_DEPTH).ok()?;
        document.duplicates.is_empty().then_some(document.value)
    };
    match read(text) {
        Some(Value::String(inner)) => value_of(&inner).map(|(value, _)| (value, true)),
        Some(value) => Some((value, false)),
        None => read(fenced(text)?).map(|value| (value, true)),
    }
}

/// What stands between the two lines of a fence.
fn fenced(text: &str) -> Option<&str> {
    let (_, inner) = text.trim().strip_prefix("```")?.split_once('\n')?;
    inner.trim_end().strip_suffix("```")
}

/// What is inside of a wrapper, where the value is nothing but one.
fn unwrapped(value: &Value, known: &[String], ambiguous: &mut Vec<String>) -> Option<Value> {
    let own = value.as_object()?;
    if own.keys().any(|name| known.contains(name)) {
        return None;
    }
    let mut inner = WRAPPERS.iter().filter_map(|name| own.get(*name).and_then(object_in));
    let first = inner.next()?;
    if inner.next().is_some() {
        ambiguous.push(String::new());
        return None;
    }
    Some(first)
}

/// An object, or a text of one.
fn object_in(value: &Value) -> Option<Value> {
    match value {
        Value::Object(_) => Some(value.clone()),
        Value::String(text) => value_of(text).map(|(value, _)| value).filter(Value::is_object),
        _ => None,
    }
}

/// Gives members that have another name the one that is meant.
fn rename(own: &mut Map<String, Value>, wanted: &[&str], at: &str, ambiguous: &mut Vec<String>) -> bool {
    let mut changed = false;
    for (name, others) in NAMES.iter().filter(|(name, _)| wanted.contains(name)) {
        let written: Vec<&str> = others.iter().copied().filter(|other| own.contains_key(*other)).collect();
        match written[..] {
            [other] if !own.contains_key(*name) => {
                if let Some(value) = own.remove(other) {
                    own.insert((*name).to_owned(), value);
                    changed = true;
                }
            }
            [] | [_] => {}
            _ if own.contains_key(*name) => {}
            _ => ambiguous.push(join(at, name)),
        }
    }
    changed
}

/// The operations of a call: a list, or a text of one.
fn operations(own: &mut Map<String, Value>, ambiguous: &mut Vec<String>) -> bool {
    let mut changed = false;
    if let Some(Value::String(text)) = own.get("operations")
        && let Some((list, _)) = value_of(text).filter(|(value, _)| value.is_array())
    {
        own.insert("operations".to_owned(), list);
        changed = true;
    }
    let Some(list) = own.get_mut("operations").and_then(Value::as_array_mut) else { return changed };
    for (index, operation) in list.iter_mut().enumerate() {
        if let Value::String(text) = operation
            && let Some((inner, _)) = value_of(text).filter(|(value, _)| value.is_object())
        {
            *operation = inner;
            changed = true;
        }
        let Some(members) = operation.as_object_mut() else { continue };
        let op = members.get("op").and_then(Value::as_str).unwrap_or_default().to_owned();
        changed |= rename(members, members_of(&op), &format!("/operations/{index}"), ambiguous);
    }
    changed
}
