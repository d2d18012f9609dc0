//! The methods, one file a subject, in groups: a shell calls those that it holds.
//!
//! Those of a kind stand in its folder; what asks any kind stands here.

mod bundle;
mod gateway;
mod prompt;
mod python;
mod run;
mod text;
mod tokens;

pub use python::facts;

use crate::Group;

/// What typing, diffs, previews and selections need: no schema, no parser of a language.
pub const CORE: &[&[Group]] = &[&[text::METHODS], holdpoint_kinds::CORE_METHODS, &[tokens::METHODS]];
/// The rules of every kind, plans, prompts, replies, runs, reviews; the Python grammar is a module of its own.
pub const CHECK: &[&[Group]] = &[&[bundle::GIVEN_FACTS, prompt::METHODS, run::METHODS], holdpoint_kinds::METHODS];
/// The same with the grammar.
const CHECK_WITH_GRAMMAR: &[&[Group]] =
    &[&[bundle::METHODS, prompt::METHODS, run::METHODS], holdpoint_kinds::METHODS, &[python::METHODS]];
/// What draws and edits bundles of one kind, on its pages.
pub const PAGES: &[&[Group]] = &[holdpoint_kinds::PAGE_METHODS];
/// Bundles as one file.
pub const ARCHIVE: &[&[Group]] = &[holdpoint_kinds::ARCHIVE_METHODS];
/// What takes a private key: in no module of the page.
const KEYS: &[&[Group]] = &[holdpoint_kinds::KEY_METHODS];
/// Model access: what the edge does to a request, and budgets.
pub const GATEWAY: &[&[Group]] = &[&[gateway::METHODS]];
/// All of them, in the order of the reference.
pub const ALL: &[&[&[Group]]] = &[CORE, CHECK_WITH_GRAMMAR, PAGES, ARCHIVE, KEYS, GATEWAY];

/// The reference of all groups.
#[cfg(test)]
pub fn reference() -> impl Iterator<Item = &'static crate::test::Entry> {
    let own = [
        text::reference::ENTRIES,
        tokens::reference::ENTRIES,
        bundle::reference::ENTRIES,
        run::reference::ENTRIES,
        python::reference::ENTRIES,
        gateway::reference::ENTRIES,
    ];
    own.into_iter().chain(holdpoint_kinds::REFERENCE.iter().copied()).flatten()
}
