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

pub use answer::{AnswerRow, AnswerTable, Cell, Fact, ScriptAnswer};
pub use infer::{Inferred, InferredCall, InferredCapability, infer};
pub use once::{CODES, GRANTED, SCRIPT, ScriptCall, call, judge, ran, read, uses};
pub use promote::{Promoted, Promotion, promote};
