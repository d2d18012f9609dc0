//! What a model says at the end of a turn, and what of it a person reads (spec: ai-sessions.md §5, §6.2).
//!
//! Pure: no turn, no session, no storage. Invariants: a reply is read as one object or not at all, never guessed; what
//! a person reads of it never repeats the text of a file.

pub mod reply;
pub mod summary;

use crate::kind::Codes;

/// What is wrong with a reply.
pub const CODES: Codes = &[reply::CODES];
