//! A script: what it needs, what it answers, and how it becomes a tool (spec: authoring.md §1 "A, promote",
//! ifc-extension.md §3.3 `capability.infer`).
//!
//! A script is the inside of an async function: it may `await` and `return`, and it is given `bim` and `ctx`. Invariants:
//! what is inferred is read off the very text that the tool will run; findings stand where the script's author wrote.

mod answer;
mod frame;
mod infer;
mod once;
mod promote;
#[cfg(test)]
mod tests;

use holdpoint_kind::Codes;

pub use answer::{Answer, AnswerRow, AnswerTable, Cell, Fact};
pub use infer::{Inferred, InferredCall, InferredCapability, infer};
pub use once::{GRANTED, SCRIPT, bundle, judge, ran, uses};
pub use promote::{Promoted, Promotion, promote};

/// Findings of a script that answers a question.
pub const CODES: Codes = &[once::CODES];
