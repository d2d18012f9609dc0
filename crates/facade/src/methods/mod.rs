//! The methods, one file a subject.

mod authoring;
mod bundle;
mod capability;
mod gateway;
pub(crate) mod script;
mod text;

use crate::Method;

/// All groups, in the order of the reference.
pub const ALL: &[&[(&str, Method)]] =
    &[text::METHODS, bundle::METHODS, capability::METHODS, authoring::METHODS, script::METHODS, gateway::METHODS];

/// The reference of all groups.
#[cfg(test)]
pub const REFERENCE: &[&[crate::test::Entry]] = &[
    text::reference::ENTRIES,
    bundle::reference::ENTRIES,
    capability::reference::ENTRIES,
    authoring::reference::ENTRIES,
    script::reference::ENTRIES,
    gateway::reference::ENTRIES,
];
