//! Model work without I/O (ENGINE §7; spec: authoring.md, script-tool.md, ai-sessions.md).
//!
//! Two machines, [`run`] in the page and [`turn`] at the edge; both judge attempts by [`attempt`], and a turn's model
//! calls tools by the rules of [`tools`]. The model writes text; when it is asked, what it is told of its faults and when
//! to stop is decided here, what a plan, a prompt and a reply mean by the kind. Invariants: pure and deterministic (time stands in the events, nothing is
//! random), a run never calls a model more often than its budget, and it never reaches `installed` without `Install`
//! from a person on a bundle that passed.
//!
//! Knows kinds and diagnostics; knows nothing of HTTP, storage, the sandbox or the page.

pub mod attempt;
pub mod codes;
pub mod run;
pub mod tools;
pub mod turn;

pub use holdpoint_bundle::Files;
