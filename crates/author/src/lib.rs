//! Model work without I/O: the authoring run, and the turns of the editor (spec: authoring.md, script-tool.md).
//!
//! The model writes text; when it is asked, what it is told of its faults and when to stop is decided here, what a plan,
//! a prompt and a reply mean by the kind. Invariants: pure and deterministic (time stands in the events, nothing is
//! random), a run never calls a model more often than its budget, and it never reaches `installed` without `Install`
//! from a person on a bundle that passed.
//!
//! Knows kinds and diagnostics; knows nothing of HTTP, storage, the sandbox or the page.

pub mod codes;
pub mod editor;
pub mod run;

pub use holdpoint_bundle::Files;
