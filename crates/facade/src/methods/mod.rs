//! The methods, one file a subject, in groups: a shell calls those that it holds.

mod authoring;
mod bundle;
mod capability;
mod compare;
mod gateway;
mod script;
mod text;
mod tokens;

use crate::Method;

/// Methods of one subject, by name.
pub type Group = &'static [(&'static str, Method)];

/// What typing, diffs, previews and selections need: no schema, no parser of a language.
pub const CORE: &[Group] = &[text::METHODS, compare::METHODS, capability::METHODS, tokens::METHODS];
/// The rules of every kind, plans, prompts, replies, runs, reviews; the Python grammar is a module of its own.
pub const CHECK: &[Group] = &[bundle::GIVEN_FACTS, authoring::METHODS, script::METHODS];
/// The same with the grammar.
const CHECK_WITH_GRAMMAR: &[Group] = &[bundle::METHODS, authoring::METHODS, script::METHODS, script::PYTHON];
/// Model access: what the edge does to a request, and budgets.
pub const GATEWAY: &[Group] = &[gateway::METHODS];
/// All of them, in the order of the reference.
pub const ALL: &[&[Group]] = &[CORE, CHECK_WITH_GRAMMAR, GATEWAY];

/// The reference of all groups.
#[cfg(test)]
pub const REFERENCE: &[&[crate::test::Entry]] = &[
    text::reference::ENTRIES,
    compare::reference::ENTRIES,
    capability::reference::ENTRIES,
    tokens::reference::ENTRIES,
    bundle::reference::ENTRIES,
    authoring::reference::ENTRIES,
    script::reference::ENTRIES,
    gateway::reference::ENTRIES,
];
