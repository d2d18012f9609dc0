//! Prompts: what a model is told of a session, in which order, and what of it fits (spec: ai-sessions.md §7).
//!
//! Owns the eight layers, the envelope of the context, its trimming, the window of the conversation. Invariants:
//! deterministic, without clock and I/O; the target itself is never cut; text of the project cannot leave its place.

pub mod budget;
pub mod build;
mod compose;
pub mod domain;
pub mod envelope;
pub mod history;
mod layers;
pub mod methods;
mod read;
mod request;
pub(super) mod snip;
pub mod source;
pub mod tools;
pub mod trim;
pub mod turn;

pub use compose::{Composed, compose};
use holdpoint_kind::Codes;
pub use layers::PromptLayer;
pub use request::ComposeRequest;

/// What the prompts of this kind refuse.
pub const CODES: Codes = &[budget::CODES, build::CODES, domain::CODES, methods::CODES, request::CODES, trim::CODES];

#[cfg(test)]
mod tests;
