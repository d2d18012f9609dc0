//! A JSON Schema as a list that a model reads: one line a field (spec: authoring.md §4, sections 3 and 4).
//!
//! Invariant: everything that it says comes from the schema; a field that is added there appears here.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// How deep inline objects are followed.
const MAX_DEPTH: usize = 5;

/// The fields of the root, then each definition under its name.
pub fn outline(schema: &Value) -> String {
    let mut out = String::new();
    fields(schema, 0, &mut out);
    for (name, definition) in schema.get("$defs").and_then(Value::as_object).into_iter().flatten() {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{name}: {}", kind(definition));
        fields(definition, 1, &mut out);
    }
    out
}

fn fields(schema: &Value, depth: usize, out: &mut String) {
    if depth > MAX_DEPTH {
        return;
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let star = if required.contains(&name.as_str()) { "*" } else { "" };
        let _ = writeln!(out, "{}{name}{star}: {}", "  ".repeat(depth), kind(field));
        fields(field, depth + 1, out);
        if let Some(items) = field.get("items") {
            fields(items, depth + 1, out);
        }
    }
}

fn kind(schema: &Value) -> String {
    let Some(object) = schema.as_object() else { return "any".to_owned() };
    if let Some(reference) = text(object, "$ref") {
        return reference.trim_start_matches("#/$defs/").to_owned();
    }
    if let Some(constant) = object.get("const") {
        return constant.to_string();
    }
    if let Some(options) = object.get("enum").and_then(Value::as_array) {
        let options: Vec<String> =
            options.iter().map(|option| option.as_str().map_or_else(|| option.to_string(), str::to_owned)).collect();
        return options.join("|");
    }
    for name in ["oneOf", "anyOf"] {
        if let Some(options) = object.get(name).and_then(Value::as_array) {
            return options.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    let mut line = match text(object, "type") {
        Some("array") => match object.get("items") {
            Some(items) => format!("list of {}", kind(items)),
            None => "list".to_owned(),
        },
        Some("object") => match object.get("additionalProperties") {
            Some(Value::Object(values)) => format!("object of {}", kind(&Value::Object(values.clone()))),
            _ => "object".to_owned(),
        },
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    };
    let notes: Vec<String> = [
        ("x-syntax", ""),
        ("x-ref", "names a "),
        ("pattern", "matches "),
        ("maxLength", "at most "),
        ("minimum", "from "),
        ("maximum", "to "),
        ("minItems", "items from "),
        ("maxItems", "items to "),
    ]
    .iter()
    .filter_map(|(name, lead)| {
        let value = object.get(*name)?;
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (shown != "\\S" && shown.len() < 90).then(|| format!("{lead}{shown}"))
    })
    .collect();
    if !notes.is_empty() {
        line = format!("{line} ({})", notes.join(", "));
    }
    if let Some(icons) = object.get("x-icons").and_then(Value::as_array) {
        let icons: Vec<&str> = icons.iter().filter_map(Value::as_str).collect();
        line = format!("{line} one of {}", icons.join(" "));
    }
    line
}

fn text<'v>(object: &'v Map<String, Value>, name: &str) -> Option<&'v str> {
    object.get(name).and_then(Value::as_str)
}
