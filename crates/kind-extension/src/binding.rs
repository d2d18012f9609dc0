//! Bindings: paths into a widget's state (spec: ifc-extension.md §4 "Binding").
//!
//! Invariant: only own properties are read; a path that leads nowhere is absent.

use serde_json::Value;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathStep {
    /// It is one of `.name` or `["name"]`.
    Name(String),
    Index(usize),
}

/// A path that begins at `$`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding(Vec<PathStep>);

impl Binding {
    /// Reads a path; `None` when it does not keep the grammar.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix('$')?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            if let Some(tail) = rest.strip_prefix("[\"") {
                let (name, tail) = tail.split_once("\"]")?;
                if name.contains(['"', '\\']) {
                    return None;
                }
                steps.push(PathStep::Name(name.to_owned()));
                rest = tail;
            } else if let Some(tail) = rest.strip_prefix('[') {
                let (digits, tail) = tail.split_once(']')?;
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                // More digits than an index can have name an item that no array has.
                steps.push(PathStep::Index(digits.parse().unwrap_or(usize::MAX)));
                rest = tail;
            } else {
                let tail = rest.strip_prefix('.')?;
                let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tail.len());
                let (name, tail) = tail.split_at(end);
                if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    return None;
                }
                steps.push(PathStep::Name(name.to_owned()));
                rest = tail;
            }
        }
        Some(Self(steps))
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// The value that the path leads to.
    pub fn resolve<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(root, |value, step| match step {
            PathStep::Name(name) => value.as_object()?.get(name),
            PathStep::Index(index) => value.as_array()?.get(*index),
        })
    }
}

/// Whether a bindable text is a binding and not plain text.
pub fn is_binding(text: &str) -> bool {
    text == "$" || text.starts_with("$.") || text.starts_with("$[")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn grammar() {
        for text in ["$", "$.a", "$.a_1.b", "$[0]", "$.rows[10].n", "$[\"a b\"].c", "$[\"x]y\"]"] {
            assert!(Binding::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "a",
            "$a",
            "$.",
            "$.1",
            "$.a-b",
            "$..a",
            "$[a]",
            "$[-1]",
            "$[]",
            "$[*]",
            "$['a']",
            "$[\"a\\\"]",
            "$.a ",
        ] {
            assert!(Binding::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn own_properties_only() {
        let state = json!({"rows": [{"n": 1}], "text": "abc"});
        let at = |path: &str| Binding::parse(path).unwrap().resolve(&state).cloned();
        assert_eq!(at("$.rows[0].n"), Some(json!(1)));
        assert_eq!(at("$.rows.length"), None);
        assert_eq!(at("$.text[0]"), None);
        assert_eq!(at("$[99999999999999999999999]"), None);
    }

    #[test]
    fn prices_are_plain() {
        assert!(is_binding("$") && is_binding("$.x") && is_binding("$["));
        assert!(!is_binding("$5") && !is_binding("$$.x") && !is_binding("x $.y"));
    }
}
