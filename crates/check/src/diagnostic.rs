//! The one diagnostic shape (spec: facade.md "Shapes").

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::code::{Args, Code, Sentence, lent, say};
use crate::position::Range;

/// How bad a finding is. Only errors stop a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// One finding. `message` says what to do; codes, paths and places are stable, messages are not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
pub struct Diagnostic {
    /// A stable name in `SCREAMING_SNAKE_CASE`.
    pub code: Cow<'static, str>,
    /// Only errors stop a bundle.
    pub severity: Severity,
    pub message: String,
    /// The values in the sentence by name, and which sentence of the code it is: what other languages are said from.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// A file of the bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A JSON Pointer inside the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// UTF-16 offset, where a method's spec says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// The nearest valid value and the allowed ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// One change that is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Vec<Fix>>,
    /// Of a change that is looked at: the files before it do not have the finding.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub new: bool,
}

/// One step of a suggested change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Fix {
    /// The file that is changed, where it is not that of the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub path: Option<String>,
    #[serde(flatten)]
    pub target: FixTarget,
}

/// Text in a range, or a value at a JSON Pointer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum FixTarget {
    Text { range: Range, text: String },
    Value { pointer: String, value: Value },
}

impl Diagnostic {
    /// The arg of a test's finding that names the file of its range.
    pub const RAN_IN: &str = "file";

    /// A finding without a place: its code says how severe it is and what to do.
    pub fn of(code: &'static Code, args: Args<'_>) -> Self {
        let values = code.values(args);
        Self {
            code: Cow::Borrowed(code.name),
            severity: code.severity,
            message: say(code.says, &values),
            path: None,
            pointer: None,
            range: None,
            offset: None,
            hint: (!code.hint.is_empty()).then(|| say(code.hint, &values)),
            fix: None,
            new: false,
            args: values,
        }
    }

    /// The same finding under another code, which borrows the sentence: its case is the sentence's whole name then.
    #[must_use]
    pub fn called(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        let code = code.into();
        if self.code != code {
            self.args = lent(&self.code, self.args);
            self.code = code;
        }
        self
    }

    /// What it says, to stand in another sentence.
    pub fn sentence(&self) -> Sentence {
        Sentence { code: self.code.clone(), message: self.message.clone(), args: self.args.clone() }
    }

    /// The same finding as the kind weighs it.
    #[must_use]
    pub fn weighed(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// The finding of a test that failed while code ran, in the file that its range is in: `args.file` names it, and
    /// `path` and `pointer` are of the test.
    #[must_use]
    pub fn where_it_ran(mut self) -> Self {
        if let (Some(_), Some(file)) = (self.range, self.args.get(Self::RAN_IN).and_then(Value::as_str)) {
            self.path = Some(file.to_owned());
            self.pointer = None;
        }
        self
    }

    /// The same finding in a file.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same finding at a JSON Pointer.
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// The same finding with a range.
    #[must_use]
    pub fn at(mut self, range: Range) -> Self {
        self.range = Some(range);
        self
    }

    /// The same finding with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same finding with a fix.
    #[must_use]
    pub fn with_fix(mut self, fix: Vec<Fix>) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Whether it stops the bundle.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Fix {
    /// Replaces the text in a range.
    pub fn text(range: Range, text: impl Into<String>) -> Self {
        Self { path: None, target: FixTarget::Text { range, text: text.into() } }
    }

    /// Sets, or with `/-` appends, the value at a pointer.
    pub fn value(pointer: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { path: None, target: FixTarget::Value { pointer: pointer.into(), value: value.into() } }
    }

    /// The same change in another file than the finding's.
    #[must_use]
    pub fn in_file(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}
