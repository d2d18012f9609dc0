//! The methods, one file a subject.

mod authoring;
mod bundle;
mod capability;
mod gateway;
mod text;

use crate::Method;

/// All groups, in the order of the reference.
pub const ALL: &[&[(&str, Method)]] =
    &[text::METHODS, bundle::METHODS, capability::METHODS, authoring::METHODS, gateway::METHODS];
