//! The Python grammar of script tools (spec: script-tool.md §2).
//!
//! Owns the reading of `tool.py`: the first error of the grammar or of the compiler, or the names that the module binds.
//! Only this crate knows Python syntax; it is no part of the page's core. Promise: what a release of Python from 3.11 on
//! compiles is no error. Invariants: nothing is executed; no text ends the stack or runs
//! away: what nests too deeply is refused before it is parsed.
//!
//! ```
//! use holdpoint_check::python::PythonFacts;
//! let PythonFacts::Module { bindings, .. } = holdpoint_python::facts("async def run():\n    pass\n") else { panic!() };
//! assert_eq!((bindings[0].name.as_str(), bindings[0].line), ("run", 1));
//! ```

mod bindings;
mod compile;
mod nesting;
mod targets;

use compile::{BadName, What};
use holdpoint_check::python::{NameFault, NameFaultKind, PythonFacts, SyntaxFault, TOO_DEEP};
use holdpoint_check::{LineIndex, Range};
use ruff_python_ast::PythonVersion;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::TextRange;

/// Bytes of a module; callers refuse more.
pub const MAX_BYTES: usize = 524_288;

const OTHER_RELEASE: &str = "no release of Python up to 3.14 reads this";

/// What the grammar says of a module of at most [`MAX_BYTES`].
pub fn facts(text: &str) -> PythonFacts {
    let index = LineIndex::new(text);
    let broken = |start: usize, end: usize, message: String| {
        let start = text.floor_char_boundary(start);
        let end = text.floor_char_boundary(end.max(start));
        PythonFacts::Broken { error: SyntaxFault { range: index.range(start, end), message } }
    };
    if let Some(place) = nesting::too_deep(text) {
        return broken(place, place, TOO_DEEP.to_owned());
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::latest());
    let Some(module) = parse_unchecked(text, options).try_into_module() else {
        return broken(0, 0, "this is no module".to_owned());
    };
    if let Some(error) = module.errors().iter().min_by_key(|error| error.location.start()) {
        return broken(error.location.start().to_usize(), error.location.end().to_usize(), error.error.to_string());
    }
    // What only a coming release reads, and what none reads any more; its own words are long for what they say.
    let other = module.unsupported_syntax_errors().iter().map(|error| (error.range, OTHER_RELEASE.to_owned()));
    let (faults, error) = match compile::faults(text, module.suite()) {
        Ok(faults) => (faults, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    if let Some((range, message)) = other.chain(error).min_by_key(|(range, _)| range.start()) {
        return broken(range.start().to_usize(), range.end().to_usize(), message);
    }
    let place = |range: TextRange| index.range(range.start().to_usize(), range.end().to_usize());
    let bindings = bindings::of(module.suite(), module.tokens());
    PythonFacts::Module {
        bindings: bindings.into_iter().map(|bound| bound.placed(place)).collect(),
        faults: faults.iter().map(|fault| placed(fault, place)).collect(),
    }
}

/// A fault with lines and columns.
fn placed(fault: &BadName, place: impl Fn(TextRange) -> Range) -> NameFault {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (kind, argument, counts) = match fault.what {
        What::Unbound => (NameFaultKind::Unbound, None, None),
        What::Missing(name) => (NameFaultKind::Missing, Some(name), None),
        What::Unknown(name) => (NameFaultKind::Unknown, Some(name), None),
        What::Twice(name) => (NameFaultKind::Twice, Some(name), None),
        What::Surplus { takes, given } => (NameFaultKind::Surplus, None, Some((count(takes), count(given)))),
    };
    NameFault {
        kind,
        name: fault.name.to_owned(),
        range: place(fault.range),
        argument: argument.map(str::to_owned),
        takes: counts.map(|(takes, _)| takes),
        given: counts.map(|(_, given)| given),
        line: fault.definition.map(|range| place(range).start.line),
    }
}

#[cfg(test)]
mod tests;
