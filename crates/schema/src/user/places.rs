//! The places of a document where a schema stands (JSON Schema 2020-12).
//!
//! Invariant: values of `const`, `enum`, `default` and `examples` are no places, whatever they look like.

use serde_json::{Map, Value};

use holdpoint_check::json::join;

/// Keywords whose value is a schema.
const ONE: &[&str] = &[
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value is a list of schemas.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose value names schemas.
const NAMED: &[&str] = &["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// A schema that is an object, and where it stands.
#[derive(Debug, Clone)]
pub struct SchemaPlace<'s> {
    /// JSON Pointer of the schema.
    pub pointer: String,
    pub schema: &'s Map<String, Value>,
    /// JSON Pointer of the schema resource that it belongs to: the nearest one with an `$id`, else the root.
    pub resource: String,
}

/// Every schema of a document, outer ones first.
pub fn places(root: &Value) -> Vec<SchemaPlace<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), String::new(), root)];
    while let Some((pointer, resource, value)) = waiting.pop() {
        let Value::Object(schema) = value else { continue };
        let own = schema.get("$id").and_then(Value::as_str).is_some_and(|id| !id.is_empty() && !id.starts_with('#'));
        let resource = if own { pointer.clone() } else { resource };
        let mut inner = |pointer: String, value| waiting.push((pointer, resource.clone(), value));
        for (key, value) in schema {
            let at = join(&pointer, key);
            match value {
                Value::Array(items) if LIST.contains(&key.as_str()) => {
                    items.iter().enumerate().for_each(|(index, item)| inner(join(&at, index.to_string()), item));
                }
                Value::Object(members) if NAMED.contains(&key.as_str()) => {
                    members.iter().for_each(|(name, member)| inner(join(&at, name), member));
                }
                Value::Object(_) if ONE.contains(&key.as_str()) => inner(at, value),
                _ => {}
            }
        }
        found.push(SchemaPlace { pointer, schema, resource });
    }
    found
}
