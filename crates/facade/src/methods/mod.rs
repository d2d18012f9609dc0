//! The methods of no kind, one file a subject. Those of a kind stand in its crate; those that ask any kind are the shell's.

pub(crate) mod gateway;
pub(crate) mod python;
pub(crate) mod text;
pub(crate) mod tokens;

pub use python::facts;

use crate::Group;

/// What typing, diffs and previews need: no schema, no parser of a language.
pub const TEXT: &[Group] = &[text::METHODS];
/// Every method of no kind.
pub const NATIVE: &[Group] = &[text::METHODS, python::METHODS, gateway::METHODS];

/// The reference of these methods, and of those that ask kinds.
#[cfg(test)]
pub const REFERENCE: &[&[crate::test::Entry]] = &[
    text::reference::ENTRIES,
    tokens::reference::ENTRIES,
    crate::shell::reference::ENTRIES,
    python::reference::ENTRIES,
    gateway::reference::ENTRIES,
];
