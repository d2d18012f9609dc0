//! What a model is told of a run, in which order, and what of it fits (spec: app-builder.md §10 "Context").
//!
//! Owns the layers of the system prompt, the window of the thread and how the parts share a model's window. Invariants:
//! deterministic; the layers are never cut; texts of the project stand behind a mark that says that they are data.

mod explain;
mod history;
mod layers;
mod turn;

pub use explain::difference;
pub use history::{PastTurn, THREAD_CHARS, window};
pub use layers::{AppSetting, PromptLayer, layers};
pub use turn::{PromptRequest, RunPrompt, compose};

#[cfg(test)]
mod tests;
