//! JSON Schema with the codes of a kind (spec: ifc-extension.md §7).
//!
//! Owns the translation from schema keywords to diagnostic codes, and the *marks*: annotations of a schema (`x-syntax`,
//! `x-ref`, …) with the places of the values that they speak of, so that a kind judges them without walking the schema
//! again. Invariant: at most one finding for a pointer and code; below a wrong type nothing is said.

use std::collections::HashSet;

use holdpoint_sdk::near;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Keyword, PatternOptions, ValidationError, Validator};
use serde_json::Value;

use holdpoint_check::json::{Document, join};
use holdpoint_check::{Code, Diagnostic, args, codes};

codes! {
    /// a required member is missing there
    REQUIRED / MEMBER: Error, "Add `{name}`." [name];
    /// a member that the schema does not have
    UNKNOWN_FIELD: Error, "Remove `{name}`: there is no such field here." [name];
    /// a value of the wrong type
    TYPE_MISMATCH: Error, "Give a value of type {wanted}." [wanted];
    /// a value that another keyword of the schema refuses
    INVALID_VALUE / CONST: Error, "Correct the value: only {limit} is taken." [limit];
    INVALID_VALUE / ENUM: Error, "Correct the value: it is none of the allowed ones.";
    INVALID_VALUE / MAX_ITEMS: Error, "Correct the value: at most {limit} items." [limit];
    INVALID_VALUE / MIN_ITEMS: Error, "Correct the value: at least {limit} items." [limit];
    INVALID_VALUE / MAX_LENGTH: Error, "Correct the value: at most {limit} characters." [limit];
    INVALID_VALUE / MIN_LENGTH: Error, "Correct the value: at least {limit} characters." [limit];
    INVALID_VALUE / MAX_MEMBERS: Error, "Correct the value: at most {limit} members." [limit];
    INVALID_VALUE / MIN_MEMBERS: Error, "Correct the value: at least {limit} members." [limit];
    INVALID_VALUE / MAXIMUM: Error, "Correct the value: at most {limit}." [limit];
    INVALID_VALUE / MINIMUM: Error, "Correct the value: at least {limit}." [limit];
    INVALID_VALUE / PATTERN: Error, "Correct the value: it must match {limit}." [limit];
    INVALID_VALUE / ONCE: Error, "Correct the value: each item once.";
    INVALID_VALUE / KEYWORD: Error, "Correct the value: it does not keep `{limit}` of the schema." [limit];
}

/// Unknown members of one object that are told.
const MAX_UNKNOWN: usize = 2_000;

#[derive(Debug)]
pub struct Schema {
    source: Value,
    validator: Validator,
    marks: &'static [&'static str],
}

/// A value that a schema annotates.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark<'s> {
    /// The annotation: `x-syntax`, `x-ref`, …
    pub keyword: &'static str,
    /// What the schema says there.
    pub note: &'s Value,
    pub pointer: String,
}

#[derive(Debug, Default)]
pub struct Found<'s> {
    /// Findings with pointer and, where the file is known, range; without path.
    pub findings: Vec<Diagnostic>,
    /// Annotated values, also those that have findings.
    pub marks: Vec<Mark<'s>>,
}

/// An annotation reports itself as an error, so that the validator lists the places where it applies.
struct Annotation;

impl<'i> Keyword<'i> for Annotation {
    fn validate(&self, _: &'i Value) -> Result<(), ValidationError<'i>> {
        Err(ValidationError::custom(""))
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        false
    }
}

impl Schema {
    /// Compiles a schema of ours. Panics when it is none, which a test of each schema excludes.
    pub fn compile(source: Value, marks: &'static [&'static str]) -> Self {
        let options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true);
        let options = marks
            .iter()
            .fold(options, |options, keyword| options.with_keyword(*keyword, |_, _, _| Ok(Box::new(Annotation))));
        let validator = options.build(&source).expect("the schemas that are compiled in are valid");
        Self { source, validator, marks }
    }

    pub fn source(&self) -> &Value {
        &self.source
    }

    pub fn validate(&self, document: &Document<'_>) -> Found<'_> {
        let mut found = self.validate_value(&document.value);
        for finding in &mut found.findings {
            finding.range = finding.pointer.as_deref().map(|pointer| document.range(pointer));
        }
        found
    }

    /// Validates a value that has no text.
    pub fn validate_value(&self, value: &Value) -> Found<'_> {
        self.validate_first(value, usize::MAX)
    }

    /// The same, of the first faults alone: a long list may have one an item.
    pub fn validate_first(&self, value: &Value, most: usize) -> Found<'_> {
        let mut found = Found::default();
        // To say yes is much quicker than to look for errors; a mark is an error.
        if self.marks.is_empty() && self.validator.is_valid(value) {
            return found;
        }
        for error in self.validator.iter_errors(value).take(most) {
            if found.findings.len() >= most {
                break;
            }
            let at = error.instance_path().as_str();
            let keyword_path = error.schema_path().as_str();
            let keyword = keyword_path.rsplit('/').next().unwrap_or_default();
            if let Some(mark) = self.marks.iter().find(|mark| **mark == keyword) {
                if let Some(note) = self.source.pointer(keyword_path) {
                    found.marks.push(Mark { keyword: mark, note, pointer: at.to_owned() });
                }
                continue;
            }
            let parent = keyword_path.rsplit_once('/').map_or("", |(parent, _)| parent);
            let place = self.source.pointer(parent).unwrap_or(&Value::Null);
            translate(&error, at, place, most, &mut found.findings);
        }
        quiet(&mut found.findings);
        found
    }
}

/// Drops doubles, and everything at or below a value of the wrong type but that finding.
fn quiet(findings: &mut Vec<Diagnostic>) {
    let mistyped: HashSet<&str> =
        findings.iter().filter(|finding| finding.code == "TYPE_MISMATCH").map(pointer).collect();
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(findings.len());
    for finding in &*findings {
        let at = pointer(finding);
        let below = finding.code != "TYPE_MISMATCH" && mistyped.contains(at)
            || !mistyped.is_empty() && at.match_indices('/').any(|(cut, _)| mistyped.contains(&at[..cut]));
        kept.push(!below && seen.insert((at, finding.code.as_ref())));
    }
    let mut kept = kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or_default());
}

fn pointer(finding: &Diagnostic) -> &str {
    finding.pointer.as_deref().unwrap_or_default()
}

fn translate(error: &ValidationError<'_>, at: &str, place: &Value, most: usize, out: &mut Vec<Diagnostic>) {
    let names = || -> Vec<&str> {
        place
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect()
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            out.push(Diagnostic::of(&MEMBER, args! { name }).at_pointer(join(at, name)));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names = names();
            for name in unexpected.iter().take(MAX_UNKNOWN.min(most - out.len())) {
                let finding = Diagnostic::of(&UNKNOWN_FIELD, args! { name }).at_pointer(join(at, name));
                out.push(finding.with_hint(near::hint(name, &names)));
            }
        }
        ValidationErrorKind::Type { .. } => {
            let wanted = match place.get("type") {
                Some(Value::String(name)) => name.clone(),
                Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
                _ => "another type".to_owned(),
            };
            out.push(Diagnostic::of(&TYPE_MISMATCH, args! { wanted }).at_pointer(at));
        }
        // Names of members are judged by the kind, which knows their grammar.
        ValidationErrorKind::PropertyNames { .. } => {}
        kind => {
            let keyword = kind.keyword();
            let code = [format!("x-code-{keyword}"), "x-code".to_owned()]
                .iter()
                .find_map(|name| place.get(name.as_str()).and_then(Value::as_str))
                .or_else(|| place.get("x-syntax").and_then(Value::as_str).and_then(syntax_code))
                .unwrap_or("INVALID_VALUE");
            let mut finding = wish(keyword, place).called(code.to_owned()).at_pointer(at);
            if let Some(options) = place.get("enum").and_then(Value::as_array) {
                let options: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
                let given = error.instance().as_str().unwrap_or_default().to_owned();
                finding = finding.with_hint(near::hint(&given, &options));
            }
            out.push(finding);
        }
    }
}

/// The code of a value that does not keep a syntax, also where a length of the schema already says so.
pub fn syntax_code(syntax: &str) -> Option<&'static str> {
    Some(match syntax {
        "activation" => "INVALID_ACTIVATION",
        "binding" => "INVALID_BINDING",
        "capability" => "INVALID_CAPABILITY",
        "key" => "INVALID_KEYBINDING",
        "range" => "INVALID_ENGINE_RANGE",
        "regex" => "INVALID_REGEX",
        "when" => "INVALID_WHEN",
        _ => return None,
    })
}

fn wish(keyword: &str, place: &Value) -> Diagnostic {
    let code: &'static Code = match keyword {
        "enum" => return Diagnostic::of(&ENUM, args! {}),
        "uniqueItems" => return Diagnostic::of(&ONCE, args! {}),
        "const" => &CONST,
        "maxItems" => &MAX_ITEMS,
        "minItems" => &MIN_ITEMS,
        "maxLength" => &MAX_LENGTH,
        "minLength" => &MIN_LENGTH,
        "maxProperties" => &MAX_MEMBERS,
        "minProperties" => &MIN_MEMBERS,
        "maximum" => &MAXIMUM,
        "minimum" => &MINIMUM,
        "pattern" => &PATTERN,
        other => return Diagnostic::of(&KEYWORD, args! { limit: other }),
    };
    let limit = place.get(keyword).map(Value::to_string).unwrap_or_default();
    Diagnostic::of(code, args! { limit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_check::json;
    use serde_json::json;

    fn schema() -> Schema {
        Schema::compile(
            json!({
                "type": "object",
                "properties": {
                    "id": {"type": "string", "pattern": "^[a-z]+$", "x-code": "INVALID_ID"},
                    "list": {"type": "array", "items": {"$ref": "#/$defs/item"}},
                    "empty": {"type": "object", "minProperties": 1, "x-code-minProperties": "TEST_EMPTY_EXPECT"},
                    "when": {"type": "string", "maxLength": 3, "x-syntax": "when"},
                },
                "required": ["id"],
                "additionalProperties": false,
                "$defs": {"item": {"type": "object", "required": ["a"], "properties": {"a": {"enum": ["x", "yy"]}}}},
            }),
            &["x-syntax"],
        )
    }

    #[test]
    fn keywords_to_codes() {
        let cases = [
            (r#"{"id":"a"}"#, ""),
            (r"{}", "REQUIRED /id"),
            (r#"{"id":null}"#, "TYPE_MISMATCH /id"),
            (r#"{"id":"A"}"#, "INVALID_ID /id"),
            (r#"{"id":"a","b/c":1,"d":2}"#, "UNKNOWN_FIELD /b~1c, UNKNOWN_FIELD /d"),
            (r#"{"id":"a","list":[{},{"a":"z"}]}"#, "REQUIRED /list/0/a, INVALID_VALUE /list/1/a"),
            (r#"{"id":"a","empty":{}}"#, "TEST_EMPTY_EXPECT /empty"),
            (r#"{"id":"a","when":"long"}"#, "INVALID_WHEN /when"),
            (r"[]", "TYPE_MISMATCH "),
        ];
        let schema = schema();
        for (text, want) in cases {
            let document = json::read(text, 9).unwrap();
            let found: Vec<String> = schema
                .validate(&document)
                .findings
                .iter()
                .map(|finding| format!("{} {}", finding.code, finding.pointer.as_deref().unwrap_or("?")))
                .collect();
            assert_eq!(found.join(", "), want, "{text}");
        }
    }

    #[test]
    fn no_more_is_told_than_is_asked_for() {
        let members: Value = (0..50).map(|at| (format!("k{at}"), json!(0))).collect::<serde_json::Map<_, _>>().into();
        let item = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false});
        let schema = Schema::compile(json!({"type": "array", "items": item}), &[]);
        let list = Value::Array(vec![members; 100]);
        let (first, whole) = (schema.validate_first(&list, 60).findings, schema.validate_value(&list).findings);
        assert!(first.len() <= 60 && whole.len() >= 100 && whole.starts_with(&first));
    }

    #[test]
    fn marks_name_the_places() {
        let schema = schema();
        let found = schema.validate_value(&json!({"id": "a", "when": "b"}));
        let marks: Vec<_> = found.marks.iter().map(|mark| (mark.keyword, mark.note, mark.pointer.as_str())).collect();
        assert_eq!(marks, [("x-syntax", &json!("when"), "/when")]);
        assert!(found.findings.is_empty());
    }
}
