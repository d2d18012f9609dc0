//! Rules beyond the schemas. One file, one subject; a finding has a pointer or a range of one document, and no path: who
//! checks a package puts the file to it, who checks a change set the place in the set.

pub mod agents;
pub mod assets;
pub mod citations;
pub mod document;
pub mod files;
pub mod graph;
pub mod known;
pub mod manifest;
pub mod mounts;
pub mod paths;
pub mod sections;
pub mod step;
pub mod transitions;

use std::collections::HashSet;

use super::policy::Endings;

/// What documents may name outside themselves.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// Ids of the agents; nothing when their document is not usable, for then nobody knows.
    pub agents: Option<&'s HashSet<&'s str>>,
    /// Whether there is an asset.
    pub has_asset: &'s dyn Fn(&str) -> bool,
    pub endings: Endings<'s>,
}
