//! The kinds: policy, schemas, rules and tests of each, one folder a kind.
//!
//! A kind is data and rules over one engine; a newcomer finds the same file names in each.

pub mod ifc_extension;
pub mod script_tool;
