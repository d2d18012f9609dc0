//! `bim`: the namespaces, on top of `holdpoint_model` (spec: ifc-sdk.md §3).
//!
//! Functions here run behind the gate: arguments are typed, the capability is granted.

pub(crate) mod create;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod lens;
pub(crate) mod model;
pub(crate) mod mutate;
pub(crate) mod query;
pub(crate) mod refusals;
pub(crate) mod schedule;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod viewer;
pub(crate) mod working;
