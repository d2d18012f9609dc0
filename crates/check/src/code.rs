//! A code and its sentence, declared once beside the rule that finds it (ENGINE §7).
//!
//! Owns how a declaration looks and how a sentence is filled. A sentence is told apart by code and `args` alone: where
//! one code says several things, each has a *case*, which stands among the args as [`CASE`]. So a page finds the
//! sentence of its language without reading the English one: that of `CODE.CASE`, else of `CASE` (a sentence borrowed
//! from another code, see [`Diagnostic::called`](crate::Diagnostic::called)), else of `CODE`.
//!
//! ```
//! use holdpoint_check::{Diagnostic, args, codes};
//!
//! codes! {
//!     /// a module without a function to call
//!     HANDLER_MISSING: Error, "Export a function as default, or name a top-level function `{name}`." [name];
//!     /// a value that is refused
//!     INVALID_VALUE / MAX_ITEMS: Error, "Correct the value: at most {limit} items." [limit];
//! }
//!
//! let finding = Diagnostic::of(&MAX_ITEMS, args! { limit: 3 });
//! assert_eq!(finding.message, "Correct the value: at most 3 items.");
//! assert_eq!(serde_json::to_string(&finding.args).unwrap(), r#"{"case":"MAX_ITEMS","limit":3}"#);
//! assert_eq!(CODES.len(), 2);
//! ```

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Severity;

/// The arg that tells which sentence of a code is said; absent where the code has one.
pub const CASE: &str = "case";

/// A stable code with one of its sentences.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    pub name: &'static str,
    /// Which sentence of the code; empty where it has one.
    pub case: &'static str,
    /// Of a finding; a code that kinds share may have another one there.
    pub severity: Severity,
    /// When it is found, for the reference: empty without the feature `schema`. Of several sentences the first says it.
    pub when: &'static str,
    /// What to do, in English, with `{name}` for each arg.
    pub says: &'static str,
    /// The hint, where it is a sentence of ours; empty where there is none.
    pub hint: &'static str,
    /// The args, in any order, without `case`: for tests, so empty without the feature `schema`.
    pub args: &'static [&'static str],
}

/// Values by the names that a sentence has for them.
pub type Args<'a> = &'a [(&'static str, &'a dyn Arg)];

/// A sentence of a code that is no finding: of a fact, or inside another sentence. A page says it as it says a finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sentence {
    pub code: Cow<'static, str>,
    pub message: String,
    /// Its values by name, and which sentence of the code it is.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

impl Sentence {
    /// The sentence of a code with these values.
    pub fn of(code: &'static Code, args: Args<'_>) -> Self {
        let args = code.values(args);
        Self { code: Cow::Borrowed(code.name), message: say(code.says, &args), args }
    }

    /// Its values under another code, which borrows the sentence: its case is the sentence's whole name then.
    pub fn lent(self) -> Map<String, Value> {
        lent(&self.code, self.args)
    }
}

/// The values of a code's sentence for another code.
pub(crate) fn lent(code: &str, mut args: Map<String, Value>) -> Map<String, Value> {
    let case = args.get(CASE).and_then(Value::as_str);
    let key = case.map_or_else(|| code.to_owned(), |case| format!("{code}.{case}"));
    args.insert(CASE.to_owned(), key.into());
    args.sort_keys();
    args
}

/// What may stand in a sentence: text, a number, or another sentence.
pub trait Arg {
    fn value(&self) -> Value;
}

impl Arg for str {
    fn value(&self) -> Value {
        Value::String(self.to_owned())
    }
}

impl Arg for String {
    fn value(&self) -> Value {
        self.as_str().value()
    }
}

impl Arg for Cow<'_, str> {
    fn value(&self) -> Value {
        self.as_ref().value()
    }
}

impl Arg for Sentence {
    fn value(&self) -> Value {
        let mut told = Map::new();
        told.insert("code".to_owned(), self.code.value());
        told.insert("message".to_owned(), self.message.value());
        told.insert("args".to_owned(), self.args.clone().into());
        told.into()
    }
}

/// A value that was taken from a sentence before.
impl Arg for Value {
    fn value(&self) -> Value {
        self.clone()
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Arg for $number {
            fn value(&self) -> Value {
                Value::from(*self)
            }
        })*
    };
}

numbers! { u16 u32 u64 i32 usize }

impl<T: Arg + ?Sized> Arg for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl Code {
    /// The name of its sentence in the tables of languages: `CODE` or `CODE.CASE`.
    pub fn key(&self) -> String {
        if self.case.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.name, self.case) }
    }

    /// The values as the wire has them, sorted by name.
    pub fn values(&self, args: Args<'_>) -> Map<String, Value> {
        debug_assert!(
            !cfg!(feature = "schema")
                || args.len() == self.args.len() && args.iter().all(|(name, _)| self.args.contains(name)),
            "{} takes {:?}",
            self.key(),
            self.args
        );
        let mut values: Vec<(&str, Value)> = args.iter().map(|(name, value)| (*name, value.value())).collect();
        if !self.case.is_empty() {
            values.push((CASE, self.case.value()));
        }
        values.sort_by_key(|(name, _)| *name);
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// A sentence with its values; a placeholder without a value stays as it is. A value that is a sentence stands there in
/// its own words.
pub fn say(says: &str, values: &Map<String, Value>) -> String {
    let mut said = String::with_capacity(says.len());
    let mut rest = says;
    while let Some((before, after)) = rest.split_once('{') {
        said.push_str(before);
        let held = after.split_once('}').and_then(|(name, behind)| Some((values.get(name)?, behind)));
        let Some((value, behind)) = held else {
            said.push('{');
            rest = after;
            continue;
        };
        match value.get("message").unwrap_or(value) {
            Value::String(text) => said.push_str(text),
            other => said.push_str(&other.to_string()),
        }
        rest = behind;
    }
    said + rest
}

/// The names that stand in a sentence as `{name}`.
pub fn placeholders(says: &str) -> impl Iterator<Item = &str> {
    let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    says.split('{').skip(1).filter_map(|piece| piece.split_once('}')).map(|(name, _)| name).filter(is_name)
}

/// What the reference says of a code; no module of the page carries it.
#[doc(hidden)]
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! when {
    ($($when:literal)*) => { concat!($($when,)* "") };
}

#[doc(hidden)]
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! named {
    ($($arg:ident)*) => { &[$(stringify!($arg)),*] };
}

#[doc(hidden)]
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! named {
    ($($arg:ident)*) => {
        &[]
    };
}

#[doc(hidden)]
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! when {
    ($($when:literal)*) => {
        ""
    };
}

/// Declares codes: `/// when`, `CODE: Severity, "sentence" [args];`, with `CODE / CASE` where the code has several
/// sentences, and `, hint "sentence"` before the args. Makes a static for each, named by code or case, and `CODES`.
#[macro_export]
macro_rules! codes {
    (@of $code:ident) => { &$code };
    (@of $code:ident $case:ident) => { &$case };
    (@case) => { "" };
    (@case $case:ident) => { stringify!($case) };
    (@static [$($when:literal)*] $code:ident [] $rest:tt) => {
        $crate::codes! { @item [$($when)*] $code $code [] $rest }
    };
    (@static [$($when:literal)*] $code:ident [$case:ident] $rest:tt) => {
        $crate::codes! { @item [$($when)*] $case $code [$case] $rest }
    };
    (@item [$($when:literal)*] $name:ident $code:ident [$($case:ident)?]
        ($severity:ident, $says:literal, [$($hint:literal)?], [$($arg:ident)*])) => {
        $(#[doc = $when])*
        pub static $name: $crate::Code = $crate::Code {
            name: stringify!($code),
            case: $crate::codes!(@case $($case)?),
            severity: $crate::Severity::$severity,
            when: $crate::when!($($when)*),
            says: $says,
            hint: concat!($($hint,)? ""),
            args: $crate::named!($($arg)*),
        };
    };
    ($($(#[doc = $when:literal])* $code:ident $(/ $case:ident)? : $severity:ident, $says:literal
        $(, hint $hint:literal)? $([$($arg:ident),* $(,)?])? ;)*) => {
        $($crate::codes! {
            @static [$($when)*] $code [$($case)?] ($severity, $says, [$($hint)?], [$($($arg)*)?])
        })*

        /// The codes of this file.
        pub const CODES: &[&$crate::Code] = &[$($crate::codes!(@of $code $($case)?)),*];
    };
}

/// Values for a sentence: `args! { name, limit: MAX }`.
#[macro_export]
macro_rules! args {
    (@value $name:ident) => { &$name };
    (@value $name:ident $value:expr) => { &$value };
    ($($name:ident $(: $value:expr)?),* $(,)?) => {
        &[$((stringify!($name), $crate::args!(@value $name $($value)?) as &dyn $crate::Arg)),*]
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(says: &str, values: &Value) -> String {
        say(says, values.as_object().unwrap())
    }

    #[test]
    fn a_sentence_takes_its_values_once() {
        let cases = [
            ("Add `{name}`.", json!({"name": "a"}), "Add `a`."),
            ("{n} of {most}", json!({"n": 3, "most": 4}), "3 of 4"),
            ("{a}{a}", json!({"a": "{b}", "b": "no"}), "{b}{b}"),
            ("{a} { b", json!({"a": 1}), "1 { b"),
            ("{gone} {a}", json!({"a": 1}), "{gone} 1"),
            ("{a}: {b}", json!({"a": 1, "b": {"code": "B", "message": "b {a}", "args": {}}}), "1: b {a}"),
            ("", json!({}), ""),
        ];
        for (says, values, want) in cases {
            assert_eq!(said(says, &values), want, "{says}");
        }
        assert_eq!(placeholders("{a} and {b_c}, {D} {} { e").collect::<Vec<_>>(), ["a", "b_c"]);
    }

    #[test]
    fn a_sentence_may_stand_in_another_one() {
        codes! {
            INNER / NAMED: Info, "the `{name}`" [name];
            OUTER: Error, "Change {target}." [target];
        }
        let outer = Sentence::of(&OUTER, args! { target: Sentence::of(&NAMED, args! { name: "x" }) });
        assert_eq!(outer.message, "Change the `x`.");
        let target = json!({"code": "INNER", "message": "the `x`", "args": {"case": "NAMED", "name": "x"}});
        assert_eq!(json!(outer), json!({"code": "OUTER", "message": "Change the `x`.", "args": {"target": target}}));
        let other = Sentence::of(&OUTER, args! { target: outer.args["target"] });
        assert_eq!((other, CODES.len()), (outer, 2));
    }

    #[test]
    fn values_are_sorted_and_the_case_is_one_of_them() {
        codes! {
            PLAIN: Error, "{b} {a}" [b, a];
            SHARED / ONE: Warning, "one", hint "or {other}" [other];
        }
        let b = "x".to_owned();
        assert_eq!(json!(PLAIN.values(args! { b, a: 2_usize })).to_string(), r#"{"a":2,"b":"x"}"#);
        assert_eq!(json!(ONE.values(args! { other: "y" })).to_string(), r#"{"case":"ONE","other":"y"}"#);
        assert_eq!((PLAIN.key(), ONE.key()), ("PLAIN".to_owned(), "SHARED.ONE".to_owned()));
        assert_eq!(CODES.iter().map(|code| code.name).collect::<Vec<_>>(), ["PLAIN", "SHARED"]);
    }
}
