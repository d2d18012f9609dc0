//! The extension SDK as data.
//!
//! Owns the data files under `schemas/ifc/` (the one list of everything that extension code can reach), the
//! grammar of capabilities, and the shapes that pass between a host and a sandbox. Knows nothing of bundles,
//! JavaScript or IFC text, so that the sandbox module stays free of the checker and the checker of the sandbox.

pub mod capability;
pub mod codes;
pub mod cut;
pub mod fixtures;
pub mod hosted;
pub mod members;
pub mod near;
pub mod need;
pub mod run;
pub mod schemas;
