//! Where a `$ref` inside one document leads.

use std::collections::HashMap;

use serde_json::Value;

use super::SchemaPlace;

/// Names that schemas of a document give themselves, by the resource that they stand in.
#[derive(Debug)]
pub(super) struct Anchors<'p> {
    named: HashMap<(&'p str, &'p str), &'p str>,
}

impl<'p> Anchors<'p> {
    /// Of all places of a document.
    pub(super) fn of(places: &'p [SchemaPlace<'_>]) -> Self {
        let mut named = HashMap::new();
        for place in places {
            for key in ["$anchor", "$dynamicAnchor"] {
                if let Some(name) = place.schema.get(key).and_then(Value::as_str) {
                    named.insert((place.resource.as_str(), name), place.pointer.as_str());
                }
            }
        }
        Self { named }
    }

    /// The schema that a local reference leads to from a resource; nothing when it is not local, or leads nowhere.
    pub(super) fn resolve<'v>(&self, root: &'v Value, resource: &str, reference: &str) -> Option<&'v Value> {
        let fragment = decoded(reference.strip_prefix('#')?)?;
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            root.pointer(resource)?.pointer(&fragment)
        } else {
            root.pointer(self.named.get(&(resource, fragment.as_str()))?)
        };
        found.filter(|value| value.is_object() || value.is_boolean())
    }
}

/// A fragment without its percent escapes.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(more.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = more.get(2..)?;
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8(bytes).ok()
}
