//! Reading JSON that nobody vouches for: each value of the wrong shape is a finding, and reading goes on (spec:
//! crew-package.md §9.2).
//!
//! Owns what is expected and what stands there. Invariants: nothing is turned from one type into another; no depth of
//! nesting recurses here.

use holdpoint_check::code::Args;
use holdpoint_check::{Code, Diagnostic, args, codes};
use serde_json::{Map, Value};

use super::finding::{Phase, SetFinding};
use super::path::Path;

codes! {
    /// a member of a change set has the wrong shape
    AI_BAD_RESPONSE / WRONG_TYPE: Error, "Give a value of type {expected} here, not {actual}." [expected, actual];
    AI_BAD_RESPONSE / LEFT_OUT: Error, "Add this member, of type {expected}." [expected];
    AI_BAD_RESPONSE / NO_SUCH_MEMBER: Error, "Remove `{name}`: there is no such member here." [name];
    AI_BAD_RESPONSE / NOT_ALLOWED: Error, "Use one of {allowed}." [allowed];
    AI_BAD_RESPONSE / NOT_THAT: Error, "Write {allowed} here." [allowed];
    AI_BAD_RESPONSE / NO_MATCH: Error, "Write it so that it matches {pattern}." [pattern];
    AI_BAD_RESPONSE / WRONG_LENGTH: Error, "Keep its length between {least} and {most}." [least, most];
    AI_BAD_RESPONSE / EMPTY: Error, "Write something here: it is empty.";
    AI_BAD_RESPONSE / TOO_SMALL: Error, "Give a number from {least} on." [least];
}

/// Findings of a shape that are told: nobody mends more at once, and a list of a million wrong items is no list.
const MAX_FINDINGS: usize = 1_000;
/// The identifiers of nodes, agents and workflows.
pub const IDENTIFIER: &str = "^[A-Za-z0-9][A-Za-z0-9._:-]*$";

/// Whether a text is an identifier (spec: crew-package.md §2).
pub fn is_identifier(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(byte))
}

/// The name of a value's JSON type.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) if whole(value).is_some() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A number without a fraction, also where it is written with one that is zero, as JSON Schema has it.
fn whole(value: &Value) -> Option<i128> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let exact = |number: &f64| number.fract() == 0.0 && number.abs() <= EXACT;
    value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from))
        .or_else(|| value.as_f64().filter(exact).map(|number| number as i128))
}

/// Reads values and keeps what is wrong with them.
#[derive(Debug, Default)]
pub struct Reader {
    pub findings: Vec<SetFinding>,
}

impl Reader {
    /// Adds a finding of the first phase.
    pub fn find(&mut self, path: &Path, code: &'static Code, args: Args<'_>) {
        self.keep(path, code, args, None);
    }

    /// What is expected and what stands there, where the finding is about a shape.
    fn keep(&mut self, path: &Path, code: &'static Code, args: Args<'_>, shape: Option<(&'static str, &'static str)>) {
        if self.findings.len() < MAX_FINDINGS {
            let mut finding = SetFinding::new(Phase::Schema, path.clone(), Diagnostic::of(code, args));
            (finding.expected, finding.actual) = shape.unzip();
            self.findings.push(finding);
        }
    }

    fn wrong(&mut self, path: &Path, expected: &'static str, value: &Value, code: &'static Code, args: Args<'_>) {
        self.keep(path, code, args, Some((expected, type_name(value))));
    }

    /// A value of another type than the one that is read.
    pub fn mistyped(&mut self, path: &Path, expected: &'static str, value: Option<&Value>) {
        let Some(value) = value else {
            self.keep(path, &LEFT_OUT, args! { expected }, Some((expected, "missing")));
            return;
        };
        self.wrong(path, expected, value, &WRONG_TYPE, args! { expected, actual: type_name(value) });
    }

    /// An object; absent is a finding.
    pub fn object<'v>(&mut self, path: &Path, value: Option<&'v Value>) -> Option<&'v Map<String, Value>> {
        let members = value.and_then(Value::as_object);
        if members.is_none() {
            self.mistyped(path, "object", value);
        }
        members
    }

    /// A list; absent is a finding.
    pub fn list<'v>(&mut self, path: &Path, value: Option<&'v Value>) -> Option<&'v [Value]> {
        let items = value.and_then(Value::as_array);
        if items.is_none() {
            self.mistyped(path, "array", value);
        }
        items.map(Vec::as_slice)
    }

    /// A text; absent is a finding.
    pub fn text<'v>(&mut self, path: &Path, value: Option<&'v Value>) -> Option<&'v str> {
        let text = value.and_then(Value::as_str);
        if text.is_none() {
            self.mistyped(path, "string", value);
        }
        text
    }

    /// A text of at most so many characters.
    pub fn sized<'v>(&mut self, path: &Path, value: Option<&'v Value>, most: usize) -> Option<&'v str> {
        let text = self.text(path, value)?;
        if let Some(value) = value.filter(|_| text.chars().count() > most) {
            self.wrong(path, "length", value, &WRONG_LENGTH, args! { least: 0_usize, most });
            return None;
        }
        Some(text)
    }

    /// A text of one character at least.
    pub fn filled<'v>(&mut self, path: &Path, value: Option<&'v Value>) -> Option<&'v str> {
        self.not_empty(path, value, str::is_empty)
    }

    /// A text that is not blank.
    pub fn worded<'v>(&mut self, path: &Path, value: Option<&'v Value>) -> Option<&'v str> {
        self.not_empty(path, value, |text| text.trim().is_empty())
    }

    fn not_empty<'v>(&mut self, path: &Path, value: Option<&'v Value>, is_empty: fn(&str) -> bool) -> Option<&'v str> {
        let text = self.text(path, value)?;
        if let Some(value) = value.filter(|_| is_empty(text)) {
            self.wrong(path, "length", value, &EMPTY, args! {});
            return None;
        }
        Some(text)
    }

    /// A list of so many items.
    pub fn counted<'v>(&mut self, path: &Path, value: Option<&'v Value>, most: usize) -> Option<&'v [Value]> {
        let items = self.list(path, value)?;
        if let Some(value) = value.filter(|_| items.is_empty() || items.len() > most) {
            self.wrong(path, "length", value, &WRONG_LENGTH, args! { least: 1_usize, most });
            return None;
        }
        Some(items)
    }

    /// A text of a form.
    pub fn formed<'v>(
        &mut self,
        path: &Path,
        value: Option<&'v Value>,
        pattern: &str,
        holds: impl Fn(&str) -> bool,
    ) -> Option<&'v str> {
        let text = self.text(path, value)?;
        if let Some(value) = value.filter(|_| !holds(text)) {
            self.wrong(path, "pattern", value, &NO_MATCH, args! { pattern });
            return None;
        }
        Some(text)
    }

    pub fn one_of<'v>(&mut self, path: &Path, value: Option<&'v Value>, allowed: &[&str]) -> Option<&'v str> {
        let text = self.text(path, value)?;
        if let Some(value) = value.filter(|_| !allowed.contains(&text)) {
            self.wrong(path, "enum", value, &NOT_ALLOWED, args! { allowed: quoted(allowed) });
            return None;
        }
        Some(text)
    }

    pub fn exactly(&mut self, path: &Path, value: &Value, allowed: &str) {
        if let Some(text) = self.text(path, Some(value))
            && text != allowed
        {
            self.wrong(path, "const", value, &NOT_THAT, args! { allowed: quoted(&[allowed]) });
        }
    }

    /// A whole number from `least` on.
    pub fn integer(&mut self, path: &Path, value: Option<&Value>, least: u64) -> Option<u64> {
        let Some(number) = value.and_then(whole) else {
            self.mistyped(path, "integer", value);
            return None;
        };
        match (u64::try_from(number), value) {
            (Ok(number), _) if number >= least => Some(number),
            (_, Some(value)) => {
                self.wrong(path, "minimum", value, &TOO_SMALL, args! { least });
                None
            }
            (_, None) => None,
        }
    }

    pub fn boolean(&mut self, path: &Path, value: &Value) -> Option<bool> {
        let answer = value.as_bool();
        if answer.is_none() {
            self.mistyped(path, "boolean", Some(value));
        }
        answer
    }

    /// Members that are none of those that are known.
    pub fn closed(&mut self, path: &Path, members: &Map<String, Value>, known: &[&str]) {
        for (name, value) in members.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            self.unknown(path, name, value);
        }
    }

    /// A member that should not be there.
    pub fn unknown(&mut self, path: &Path, name: &str, value: &Value) {
        self.wrong(&path.key(name), "absent", value, &NO_SUCH_MEMBER, args! { name });
    }
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(read: impl FnOnce(&mut Reader, &Path)) -> Option<(&'static str, &'static str)> {
        let mut reader = Reader::default();
        read(&mut reader, &Path::of("x"));
        assert!(reader.findings.len() < 2);
        reader.findings.first().map(|finding| (finding.expected.unwrap_or(""), finding.actual.unwrap_or("")))
    }

    #[test]
    fn nothing_is_turned_into_another_type() {
        let integers = [
            (json!(1), None),
            (json!(2.0), None),
            (json!("3"), Some(("integer", "string"))),
            (json!(true), Some(("integer", "boolean"))),
            (json!(1.5), Some(("integer", "number"))),
            (json!(1e300), Some(("integer", "number"))),
            (json!(null), Some(("integer", "null"))),
            (json!(0), Some(("minimum", "integer"))),
            (json!(-1), Some(("minimum", "integer"))),
        ];
        for (value, want) in integers {
            let read = |reader: &mut Reader, path: &Path| {
                assert!(reader.integer(path, Some(&value), 1).is_none_or(|it| it > 0));
            };
            assert_eq!(found(read), want, "{value}");
        }
        let absent = found(|reader, path| assert_eq!(reader.integer(path, None, 1), None));
        assert_eq!(absent, Some(("integer", "missing")));
        let number = found(|reader, path| assert_eq!(reader.text(path, Some(&json!(1))), None));
        assert_eq!(number, Some(("string", "integer")));
        let filled = |text: &str| {
            found(|reader, path| {
                let _ = reader.filled(path, Some(&json!(text)));
            })
        };
        let sized = |text: &str| {
            found(|reader, path| {
                let _ = reader.sized(path, Some(&json!(text)), 2);
            })
        };
        assert_eq!([filled(""), filled("å")], [Some(("length", "string")), None]);
        assert_eq!([sized(""), sized("åä"), sized("åäö")], [None, None, Some(("length", "string"))]);
        assert_eq!(found(|reader, path| reader.exactly(path, &json!(1), "a")), Some(("string", "integer")));
        assert_eq!(found(|reader, path| reader.exactly(path, &json!("b"), "a")), Some(("const", "string")));
        let one = |value: Value| {
            found(|reader, path| {
                let _ = reader.one_of(path, Some(&value), &["a"]);
            })
        };
        assert_eq!([one(json!("a")), one(json!("b"))], [None, Some(("enum", "string"))]);
        assert_eq!(one(json!([])), Some(("string", "array")));
    }

    #[test]
    fn identifiers() {
        for (text, want) in [("a", true), ("1.a_b:c-", true), ("", false), ("_a", false), ("a b", false), ("å", false)]
        {
            assert_eq!(is_identifier(text), want, "{text:?}");
        }
    }
}
