//! `TOOL_SCHEMA_…`: the JSON Schemas of the two forms.
//!
//! Why: a form is drawn from its schema; what is wrong there shows only when somebody fills it in.

use std::collections::BTreeSet;

use holdpoint_check::json::{self, Document};
use holdpoint_check::{Code, Diagnostic, Severity, args, codes};
use holdpoint_schema::user;
use serde_json::Value;

use super::is_blank;
use crate::limits::MAX_JSON_DEPTH;
use crate::policy::VirtualFile;

codes! {
    // The first two borrow the sentences of the reader of JSON.
    /// not empty and not strict JSON
    TOOL_SCHEMA_NOT_JSON: Error, "";
    /// a key twice in one object
    TOOL_SCHEMA_DUPLICATE_KEY: Warning, "";
    /// breaks the metaschema, or the root is no object
    TOOL_SCHEMA_INVALID: Error, "Correct the schema (JSON Schema 2020-12): {why}." [why];
    /// a reference that is not local or leads nowhere
    TOOL_SCHEMA_REF: Error, "Refer to a schema of this file, such as #/$defs/name.";
    /// the text is no regular expression
    TOOL_SCHEMA_PATTERN: Error, "Write a regular expression (ECMAScript).";
    /// not valid under its own schema
    TOOL_SCHEMA_DEFAULT: Warning, "Give a default that its own schema allows.";
    /// the type of the root is not object
    TOOL_SCHEMA_ROOT: Warning, "Let the root have type \"object\": a form is a set of named values.";
}

/// Judges one schema file; an empty one says nothing.
pub fn check(file: VirtualFile, text: &str, findings: &mut Vec<Diagnostic>) {
    if is_blank(text) {
        return;
    }
    let document = match json::read(text, MAX_JSON_DEPTH) {
        Ok(document) => document,
        Err(fault) => {
            findings.push(fault.called(TOOL_SCHEMA_NOT_JSON.name).in_file(file.id()));
            return;
        }
    };
    findings.extend(duplicate_keys(&document).into_iter().map(|finding| finding.in_file(file.id())));
    findings.extend(faults(&document.value).into_iter().map(|finding| {
        let range = document.range(finding.pointer.as_deref().unwrap_or_default());
        finding.in_file(file.id()).at(range)
    }));
}

/// Keys that stand more than once, each once.
fn duplicate_keys(document: &Document<'_>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for double in &document.duplicates {
        if seen.insert(double.pointer.as_deref()) {
            found.push(double.clone().called(TOOL_SCHEMA_DUPLICATE_KEY.name).weighed(Severity::Warning));
        }
    }
    found
}

fn faults(schema: &Value) -> Vec<Diagnostic> {
    let invalid = user::faults(schema);
    if !invalid.is_empty() {
        let finding = |fault: user::Violation| {
            Diagnostic::of(&TOOL_SCHEMA_INVALID, args! { why: short(&fault.message) }).at_pointer(fault.pointer)
        };
        return invalid.into_iter().map(finding).collect();
    }
    let places = user::places(schema);
    let references = user::broken_references(schema, &places);
    let patterns = user::broken_patterns(&places);
    let broken = [references.clone(), patterns.clone()].concat();
    let defaults = user::broken_defaults(schema, &places, &broken);
    let mut found = Vec::new();
    let mut say = |code: &'static Code, pointers: Vec<String>| {
        found.extend(pointers.into_iter().map(|at| Diagnostic::of(code, args! {}).at_pointer(at)));
    };
    say(&TOOL_SCHEMA_REF, references);
    say(&TOOL_SCHEMA_PATTERN, patterns);
    say(&TOOL_SCHEMA_DEFAULT, defaults);
    if schema.get("type").is_some_and(|named| named != "object") {
        say(&TOOL_SCHEMA_ROOT, vec!["/type".to_owned()]);
    }
    found
}

/// Characters of a validator's words that are shown; they quote the value.
const SHOWN_CHARS: usize = 200;

fn short(message: &str) -> String {
    match message.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_pointers() {
        let cases = [
            ("", ""),
            (" \r\n", ""),
            ("\u{feff}{}", ""),
            ("{", "TOOL_SCHEMA_NOT_JSON ?"),
            ("{} x", "TOOL_SCHEMA_NOT_JSON ?"),
            ("// a\n{}", "TOOL_SCHEMA_NOT_JSON ?"),
            ("true", "TOOL_SCHEMA_INVALID "),
            (r#"{"type":"array"}"#, "TOOL_SCHEMA_ROOT /type"),
            (r#"{"type":["object","null"]}"#, "TOOL_SCHEMA_ROOT /type"),
            (r#"{"a":1,"a":2,"a":3}"#, "TOOL_SCHEMA_DUPLICATE_KEY /a"),
            (r##"{"type":1,"type":"x","$ref":"#/no"}"##, "TOOL_SCHEMA_DUPLICATE_KEY /type, TOOL_SCHEMA_INVALID /type"),
            (
                r##"{"$ref":"#/no","properties":{"a":{"pattern":"["},"b":{"type":"string","default":1}}}"##,
                "TOOL_SCHEMA_REF /$ref, TOOL_SCHEMA_PATTERN /properties/a/pattern, TOOL_SCHEMA_DEFAULT /properties/b/default",
            ),
        ];
        for (text, want) in cases {
            let mut findings = Vec::new();
            check(VirtualFile::InputSchema, text, &mut findings);
            let found: Vec<String> = findings
                .iter()
                .map(|finding| format!("{} {}", finding.code, finding.pointer.as_deref().unwrap_or("?")))
                .collect();
            assert_eq!(found.join(", "), want, "{text}");
            assert!(findings.iter().all(|finding| finding.range.is_some()), "{text}");
        }
    }

    #[test]
    fn nested_too_deeply_is_not_read() {
        for (depth, refused) in [(128, false), (129, true), (60_000, true)] {
            let text = format!("{}{{}}{}", "{\"not\":".repeat(depth - 1), "}".repeat(depth - 1));
            let mut findings = Vec::new();
            check(VirtualFile::SettingsSchema, &text, &mut findings);
            assert_eq!(findings.iter().any(|finding| finding.code == "TOOL_SCHEMA_NOT_JSON"), refused, "{depth}");
        }
    }
}
