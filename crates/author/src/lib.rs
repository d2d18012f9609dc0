//! Intent, plan, prompts, replies and the authoring run, without I/O (spec: authoring.md).
//!
//! The model writes text; everything that decides is here: what a request means, whether a plan holds, what a prompt
//! holds, what a reply changes, when to repair and when to stop, and what a person signs. Invariants: pure and
//! deterministic (time stands in the events, nothing is random), a run never calls a model more often than its
//! budget, and it never reaches `installed` without `Install` from a person on a bundle that passed.
//!
//! Knows kinds and diagnostics; knows nothing of HTTP, storage, the sandbox or the page.

mod canonical;
pub mod codes;
pub mod editor;
pub mod intent;
pub mod kind;
pub mod plan;
pub mod prompt;
pub mod reply;
pub mod review;
pub mod run;

/// Path to text, in byte order of the paths.
pub type Files = std::collections::BTreeMap<String, String>;
