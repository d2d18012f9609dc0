//! What this kind answers as methods (spec: facade.md, authoring.md).
//!
//! Reads inputs and writes outputs; what they mean is said in the other modules. `capability` and `compare` need no
//! rule, so that a shell may hold them alone; `archive` is alone in a module of the page.

pub mod archive;
pub mod authoring;
pub mod capability;
pub mod compare;
pub mod drift;
pub mod replay;
pub mod script;
pub mod testing;
