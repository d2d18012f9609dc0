//! Earlier turns of a thread, as the next call reads them (spec: app-builder.md §10 "Context").
//!
//! Invariant: the newest that fit, oldest first, and never half a turn.

use holdpoint_kind::protocol::Message;

/// Characters of earlier turns in one call.
pub const THREAD_CHARS: usize = 28_000;
/// Paths that are named of one turn.
const MAX_PATHS: usize = 20;

/// A turn that is over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PastTurn {
    /// What the person asked for.
    pub prompt: String,
    pub summary: String,
    pub changed: Vec<String>,
    /// The word for how it ended, and what became of its proposal.
    pub outcome: String,
}

/// Messages of the newest turns, and how many were dropped; `past` begins with the oldest.
pub fn window(past: &[PastTurn], most: usize) -> (Vec<Message>, usize) {
    let mut kept = Vec::new();
    let mut left = most;
    for turn in past.iter().rev() {
        let said = messages(turn);
        let chars: usize = said.iter().map(|one| one.content.chars().count()).sum();
        let Some(rest) = left.checked_sub(chars) else { break };
        left = rest;
        kept.push(said);
    }
    let dropped = past.len() - kept.len();
    (kept.into_iter().rev().flatten().collect(), dropped)
}

fn messages(turn: &PastTurn) -> [Message; 2] {
    let paths = turn.changed.iter().take(MAX_PATHS).cloned().collect::<Vec<_>>().join(", ");
    let changed = if paths.is_empty() { String::new() } else { format!("\nChanged: {paths}") };
    let answer = format!("{}{changed}\nOutcome: {}", turn.summary, turn.outcome);
    [Message::new("user", turn.prompt.as_str()), Message::new("assistant", answer)]
}
