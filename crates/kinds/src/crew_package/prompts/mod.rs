//! Prompts: what a model is told of a session, in which order, and what of it fits (spec: ai-sessions.md §7).
//!
//! Owns the eight layers, the envelope of the context, its trimming, the window of the conversation. Invariants:
//! deterministic, without clock and I/O; the target itself is never cut; text of the project cannot leave its place.

pub mod budget;
mod compose;
pub mod domain;
pub mod envelope;
pub mod history;
mod layers;
mod read;
mod request;
mod snip;
pub mod tools;
pub mod trim;

pub use compose::{Composed, compose};
pub use layers::Layer;
pub use request::Request;
