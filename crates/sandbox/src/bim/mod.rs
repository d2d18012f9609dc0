//! `bim`: the namespaces that are built, on top of `holdpoint_model` (spec: ifc-sdk.md §3).
//!
//! Functions here run behind the gate: arguments are typed, the capability is granted.

pub(crate) mod export;
pub(crate) mod model;
pub(crate) mod query;
pub(crate) mod table;
pub(crate) mod viewer;
