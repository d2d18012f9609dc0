//! What a Python grammar says of a text (spec: script-tool.md §2).
//!
//! Owns the shape that passes from the grammar to a check, and nothing of Python: the grammar is a crate and, in the
//! page, a Wasm module of its own.

use crate::position::Range;
use serde::{Deserialize, Serialize};

/// The message of a grammar that does not read code which nests too deeply.
pub const TOO_DEEP: &str = "the code nests too deeply here";

/// The first syntax error, or what the module binds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged, try_from = "Raw")]
pub enum PythonFacts {
    Broken {
        error: SyntaxFault,
    },
    Module {
        /// In the order of the text.
        bindings: Vec<PythonBinding>,
        /// Names and calls that are wrong in each run that comes there; at most 100.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<NameFault>>"))]
        faults: Vec<NameFault>,
    },
}

/// Why a text is no Python.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PythonFault"))]
pub struct SyntaxFault {
    pub range: Range,
    pub message: String,
}

/// A name that a module binds at module level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PythonBinding {
    /// As Python compares it: in NFKC.
    pub name: String,
    pub kind: PythonBindingKind,
    /// Of the `def`, `async` or `class`, without decorators; of the name otherwise.
    pub line: u32,
    /// Statements with the same number stand in the same block.
    pub block: u32,
    /// From `def`, `async` or `class` to the end of the name; the name otherwise.
    pub range: Range,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PythonBindingKind {
    Def,
    Class,
    /// `import` and `from … import`; the name `*` stands for whatever the other module has.
    Import,
    /// Everything else: assignments, targets of `for` and `with`, captures of `match`.
    Assignment,
}

/// A name that nothing binds, or a call that does not fit the `def` or `class` that its name stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PythonNameFault"))]
pub struct NameFault {
    pub kind: NameFaultKind,
    /// The name that is read or called.
    pub name: String,
    /// The name; of a call with a value too many or of another name, that value or its name.
    pub range: Range,
    /// The parameter, of `missing`, `unknown` and `twice`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// How many values the function takes by place, of `surplus`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<u32>,
    /// How many values the call gives by place, of `surplus`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<u32>,
    /// Of the `def` or `class` that is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PythonNameFaultKind"))]
#[serde(rename_all = "lowercase")]
pub enum NameFaultKind {
    /// Nothing in the module binds the name, and Python has none such.
    Unbound,
    /// A parameter without a default is left out.
    Missing,
    /// A value has a name that is no parameter.
    Unknown,
    /// A parameter is given by place and by name.
    Twice,
    /// There are more values by place than parameters.
    Surplus,
}

#[derive(Deserialize)]
struct Raw {
    error: Option<SyntaxFault>,
    bindings: Option<Vec<PythonBinding>>,
    #[serde(default)]
    faults: Vec<NameFault>,
}

impl TryFrom<Raw> for PythonFacts {
    type Error = &'static str;

    fn try_from(raw: Raw) -> Result<Self, Self::Error> {
        match (raw.error, raw.bindings) {
            (Some(error), None) => Ok(Self::Broken { error }),
            (None, Some(bindings)) => Ok(Self::Module { bindings, faults: raw.faults }),
            _ => Err("give exactly one of `error` and `bindings`, as python.facts answers"),
        }
    }
}
