//! JSON Schemas that users write: what breaks the metaschema, references, patterns, defaults (spec: script-tool.md §2).
//!
//! Owns the walk over the places where a schema may stand and the bound on work: validating a hostile schema may take
//! exponential time, so the steps are counted before they are made. References are never fetched. Knows no codes: a
//! kind names what is found here.

mod places;
mod reference;
mod work;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value, json};

use holdpoint_check::json::{join, unescape};

pub use places::{SchemaPlace, places};
use work::Work;

/// Steps that validating all defaults of one document may take; defaults beyond are not judged.
const MAX_STEPS: usize = 200_000;
/// Patterns that are compiled for one document; with more, values are not held against patterns.
const MAX_PATTERNS: usize = 100;
/// Bytes of a compiled pattern.
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// Steps that one match of a pattern may go back.
const MAX_BACKTRACKS: usize = 100_000;
/// Bytes of a pattern; a longer one is taken as it is, so that no pattern nests too deeply for its reader.
const MAX_PATTERN_TEXT: usize = 4_096;
/// Levels of groups and classes in a pattern.
const MAX_PATTERN_DEPTH: usize = 64;
/// The name under which a document refers to itself while its defaults are judged.
const SELF: &str = "urn:holdpoint:schema";

/// A value that breaks the metaschema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON Pointer of the smallest offending value.
    pub pointer: String,
    /// What is wrong, in the words of the validator.
    pub message: String,
}

/// What breaks the metaschema of 2020-12; each value once, in the order of the document's pointers.
pub fn faults(schema: &Value) -> Vec<Violation> {
    if !schema.is_object() {
        return vec![Violation { pointer: String::new(), message: "a schema is one object".to_owned() }];
    }
    let mut found = BTreeMap::new();
    for error in jsonschema::draft202012::meta::validator().iter_errors(schema) {
        found.entry(error.instance_path().as_str().to_owned()).or_insert_with(|| error.to_string());
    }
    found.into_iter().map(|(pointer, message)| Violation { pointer, message }).collect()
}

/// Whether a text is a regular expression as JSON Schema means it (ECMA-262, with Unicode).
pub fn is_pattern(text: &str) -> bool {
    text.len() > MAX_PATTERN_TEXT || nests_deeply(text) || jsonschema_regex::is_valid_ecma_regex(text)
}

/// Whether brackets open more than [`MAX_PATTERN_DEPTH`] levels; an upper bound is enough.
fn nests_deeply(pattern: &str) -> bool {
    let mut depth = 0_usize;
    pattern.bytes().any(|byte| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_PATTERN_DEPTH
    })
}

/// Pointers of the `$ref`s that are not local or lead nowhere.
pub fn broken_references(root: &Value, places: &[SchemaPlace<'_>]) -> Vec<String> {
    let anchors = reference::Anchors::of(places);
    let broken = |place: &&SchemaPlace<'_>| {
        let reference = place.schema.get("$ref").and_then(Value::as_str);
        reference.is_some_and(|text| anchors.resolve(root, &place.resource, text).is_none())
    };
    places.iter().filter(broken).map(|place| join(&place.pointer, "$ref")).collect()
}

/// Pointers of the `pattern`s, and of the keys of `patternProperties`, that are no regular expressions.
pub fn broken_patterns(places: &[SchemaPlace<'_>]) -> Vec<String> {
    let mut broken = Vec::new();
    for place in places {
        if place.schema.get("pattern").and_then(Value::as_str).is_some_and(|text| !is_pattern(text)) {
            broken.push(join(&place.pointer, "pattern"));
        }
        let keys = place.schema.get("patternProperties").and_then(Value::as_object);
        for key in keys.into_iter().flat_map(Map::keys).filter(|key| !is_pattern(key)) {
            broken.push(join(&join(&place.pointer, "patternProperties"), key));
        }
    }
    broken
}

/// Pointers of the `default`s that are not valid under the schema that they stand in. What `ignored` names (broken
/// references and patterns) takes no part.
pub fn broken_defaults(root: &Value, places: &[SchemaPlace<'_>], ignored: &[String]) -> Vec<String> {
    let with_default: Vec<(&SchemaPlace<'_>, &Value)> =
        places.iter().filter_map(|place| Some((place, place.schema.get("default")?))).collect();
    // A document inside the document has its own roots; the steps of such a one are not counted here.
    if with_default.is_empty() || places.iter().any(|place| !place.resource.is_empty()) {
        return Vec::new();
    }
    let mut sound = without(root, ignored);
    let texts = places.iter().filter(|place| place.schema.contains_key("pattern")).count()
        + places
            .iter()
            .filter_map(|place| place.schema.get("patternProperties")?.as_object())
            .map(Map::len)
            .sum::<usize>();
    if texts > MAX_PATTERNS {
        sound = without(&sound, &places.iter().map(|place| join(&place.pointer, "pattern")).collect::<Vec<_>>());
    }
    let sound_places = places::places(&sound);
    let anchors = reference::Anchors::of(&sound_places);
    let mut work = Work::new(&sound, &anchors, MAX_STEPS);
    let judged: Vec<&(&SchemaPlace<'_>, &Value)> =
        with_default.iter().filter(|(place, value)| work.admits(&place.pointer, value)).collect();
    let broken = invalid(&sound, &judged).unwrap_or_default();
    judged
        .iter()
        .enumerate()
        .filter(|(index, _)| broken.contains(index))
        .map(|(_, (place, _))| join(&place.pointer, "default"))
        .collect()
}

/// Indexes of the values that their schemas refuse; nothing when the document cannot be compiled.
fn invalid(root: &Value, judged: &[&(&SchemaPlace<'_>, &Value)]) -> Option<BTreeSet<usize>> {
    let mut document = root.as_object()?.clone();
    document.remove("$schema");
    document.insert("$id".to_owned(), SELF.into());
    let mut properties = Map::new();
    let mut values = Map::new();
    for (index, (place, value)) in judged.iter().enumerate() {
        let fragment: String = place.pointer.bytes().fold(String::new(), |mut out, byte| {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
            out
        });
        properties.insert(index.to_string(), json!({ "$ref": format!("{SELF}#{fragment}") }));
        values.insert(index.to_string(), (*value).clone());
    }
    let wrapper = json!({ "$defs": { "document": document }, "properties": properties });
    let patterns = PatternOptions::fancy_regex().backtrack_limit(MAX_BACKTRACKS).size_limit(MAX_PATTERN_BYTES);
    let validator =
        jsonschema::options().with_draft(Draft::Draft202012).with_pattern_options(patterns).build(&wrapper).ok()?;
    let values = Value::Object(values);
    let index = |path: &str| path.split('/').nth(1)?.parse().ok();
    Some(validator.iter_errors(&values).filter_map(|error| index(error.instance_path().as_str())).collect())
}

/// The document without the members that the pointers name.
fn without(root: &Value, pointers: &[String]) -> Value {
    let mut copy = root.clone();
    for pointer in pointers {
        let Some((parent, key)) = pointer.rsplit_once('/') else { continue };
        let key = unescape(key);
        if let Some(members) = copy.pointer_mut(parent).and_then(Value::as_object_mut) {
            members.remove(&key);
        }
    }
    copy
}

#[cfg(test)]
mod tests;
