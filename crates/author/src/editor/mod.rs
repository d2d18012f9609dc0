//! The script editor's turns without I/O: what is asked of the model, and what its answer becomes (spec:
//! script-tool.md §6 to §9).
//!
//! Two machines, [`EditTurn`] and [`ChatTurn`]: `step(event) -> effects`. The edge performs effects (call the model,
//! write the thread, answer the client) and tells events. Invariants: nothing is written before the call is admitted;
//! every admitted request closes its turn once; a model's answer is a proposal and is never applied here.

mod ask;
mod call;
mod chat;
mod edit;
mod frame;
pub mod outcome;
pub mod past;
mod step;
#[cfg(test)]
mod tests;

pub use ask::{AskError, ChatAsk, EditAsk, files, not_larger, text, within_limits};
pub use call::{Call, Facts, Measures, Setting, chat, edit_ops, measure_chat, measure_edit_ops};
pub use chat::{ChatTurn, KEEP_CHARS, KEEP_MS};
pub use edit::{Answer, EditTurn};
pub use frame::{Frame, Reason, Variant};
pub use step::{Close, Effect, Event, Failed, Refused};
