//! How many steps it takes at most to hold a value against a schema.
//!
//! Why: references may branch, so that a short schema asks for more steps than there is time. The walk below makes the
//! steps that a validator would make when nothing ends early, and gives up when they are too many.

use serde_json::{Map, Value};

use super::reference::Anchors;

/// Schemas and values open at once; a validator goes as deep.
const MAX_DEPTH: usize = 256;
/// Characters that count as one step when a text is held against a pattern.
const CHARS_A_STEP: usize = 64;

/// Keywords that hold another schema against the same value.
const SAME: &[&str] = &["else", "if", "not", "then"];
const SAME_LIST: &[&str] = &["allOf", "anyOf", "oneOf"];
/// Keywords that hold a schema against each item.
const ITEMS: &[&str] = &["contains", "items", "unevaluatedItems"];
/// Keywords that hold a schema against each member.
const MEMBERS: &[&str] = &["additionalProperties", "unevaluatedProperties"];

/// Counts the steps of one document.
#[derive(Debug)]
pub(super) struct Work<'v, 'a> {
    root: &'v Value,
    anchors: &'a Anchors<'a>,
    left: usize,
}

/// More steps than are left.
struct TooMuch;

impl<'v, 'a> Work<'v, 'a> {
    pub(super) fn new(root: &'v Value, anchors: &'a Anchors<'a>, steps: usize) -> Self {
        Self { root, anchors, left: steps }
    }

    /// Whether a value may be held against the schema at a pointer; if so, its steps are taken off.
    pub(super) fn admits(&mut self, pointer: &str, value: &Value) -> bool {
        let before = self.left;
        let fits = self.root.pointer(pointer).is_some_and(|schema| self.walk(schema, value, 0).is_ok());
        if !fits {
            self.left = before.saturating_sub(before / 8);
        }
        fits
    }

    fn walk(&mut self, schema: &Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        let Value::Object(keywords) = schema else { return self.take(1) };
        if depth == MAX_DEPTH {
            return Err(TooMuch);
        }
        self.take(1 + keywords.len() + compared(keywords, value))?;
        let depth = depth + 1;
        for (key, inner) in keywords {
            let key = key.as_str();
            match key {
                "$ref" | "$dynamicRef" => {
                    let target = inner.as_str().and_then(|text| self.anchors.resolve(self.root, "", text));
                    self.walk(target.ok_or(TooMuch)?, value, depth)?;
                }
                _ if SAME.contains(&key) => self.walk(inner, value, depth)?,
                _ if SAME_LIST.contains(&key) => {
                    for branch in inner.as_array().into_iter().flatten() {
                        self.walk(branch, value, depth)?;
                    }
                }
                _ => self.below(key, inner, value, depth)?,
            }
        }
        Ok(())
    }

    /// Keywords that look at items or members.
    fn below(&mut self, key: &str, inner: &Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        match value {
            Value::Array(items) if ITEMS.contains(&key) => {
                items.iter().try_for_each(|item| self.walk(inner, item, depth))
            }
            Value::Array(items) if key == "prefixItems" => {
                let schemas = inner.as_array().into_iter().flatten();
                schemas.zip(items).try_for_each(|(schema, item)| self.walk(schema, item, depth))
            }
            Value::Object(members) if MEMBERS.contains(&key) => {
                members.values().try_for_each(|member| self.walk(inner, member, depth))
            }
            Value::Object(members) if key == "propertyNames" => {
                members.keys().try_for_each(|name| self.walk(inner, &Value::String(name.clone()), depth))
            }
            Value::Object(members) if key == "properties" => {
                let schemas = inner.as_object().into_iter().flatten();
                schemas
                    .filter_map(|(name, schema)| Some((schema, members.get(name)?)))
                    .try_for_each(|(schema, member)| self.walk(schema, member, depth))
            }
            Value::Object(members) if key == "patternProperties" => {
                for schema in inner.as_object().into_iter().flat_map(Map::values) {
                    members.values().try_for_each(|member| self.walk(schema, member, depth))?;
                }
                Ok(())
            }
            Value::Object(_) if key == "dependentSchemas" || key == "dependencies" => {
                let schemas = inner.as_object().into_iter().flat_map(Map::values);
                schemas.filter(|schema| schema.is_object()).try_for_each(|schema| self.walk(schema, value, depth))
            }
            _ => Ok(()),
        }
    }

    fn take(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(steps).ok_or(TooMuch)?;
        Ok(())
    }
}

/// Steps of the keywords that compare the whole value.
fn compared(keywords: &Map<String, Value>, value: &Value) -> usize {
    let listed = keywords.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
    let text = value.as_str().filter(|_| keywords.contains_key("pattern")).map_or(0, |text| text.len() / CHARS_A_STEP);
    let pairs = value
        .as_array()
        .filter(|_| keywords.contains_key("uniqueItems"))
        .map_or(0, |items| items.len().saturating_mul(items.len()));
    let required = keywords.get("required").and_then(Value::as_array).map_or(0, Vec::len);
    listed + text + pairs + required
}
