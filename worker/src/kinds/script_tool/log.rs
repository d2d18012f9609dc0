//! What is logged of the editor: metadata, never content (spec: script-tool.md §10).
//!
//! Invariant: every value here is an id, a number, a code or a tag of ours; nothing that a person or a model wrote
//! passes through this module.

use holdpoint_engine::turn::Call;
use holdpoint_kind_script::outcome::Outcome;
use serde_json::{Value, json};

use super::command::{Command, ScriptCommand};
use super::shown::PreviewFacts;
use crate::answer::with_members;
pub use crate::project::log::event;
use crate::project::turn::RequestEnd;

/// Logs a model call that is about to be made; answers what is known of it, for [`ended`].
pub fn request(asked: &Command, since: i64, call: &Call, provider: &str, model: &str) -> Value {
    let fields = json!({"provider": provider, "model": model, "failover_reason": "primary_default"});
    let fields = with_members(call.facts.clone(), fields);
    let name = if is_chat(asked) { "ai_chat_request" } else { "ai_chat_ops_request" };
    event(name, asked, since, fields.clone());
    fields
}

pub fn ended(asked: &Command, end: &RequestEnd<'_>) {
    let fields = match end.chars {
        Some(chars) => with_members(end.fields(), json!({"assistant_chars": chars})),
        None => end.fields(),
    };
    let name = match (is_chat(asked), end.outcome.and_then(Outcome::named)) {
        (false, _) => "ai_chat_ops_result",
        (true, Some(Outcome::Ok | Outcome::Empty)) => "ai_chat_done",
        (true, Some(Outcome::Cancelled)) => "ai_chat_cancelled",
        (true, _) => "ai_chat_failed",
    };
    event(name, asked, end.since, fields);
}

fn is_chat(asked: &Command) -> bool {
    matches!(asked.command, ScriptCommand::Chat { .. })
}

pub fn preview(asked: &Command, since: i64, ops: usize, facts: &PreviewFacts) {
    let PreviewFacts { verdict, error_details, meta, .. } = facts;
    let fields = json!({
        "ops": ops,
        "verdict": verdict,
        "codes": error_details.iter().map(|detail| &detail.code).collect::<Vec<_>>(),
        "tags": meta.normalizations_applied,
        "rungs": meta.hunks.iter().map(|hunk| &hunk.rung).collect::<Vec<_>>(),
        "fuzz_level": meta.fuzz_level_used,
        "max_offset": meta.max_offset,
    });
    event("edit_ops_preview", asked, since, fields);
}

/// What a person decided; `asked_at` is when its proposal was asked for.
pub fn decision(asked: &Command, since: i64, word: &str, asked_at: Option<i64>) {
    let seconds = asked_at.map(|at| (since - at) / 1_000);
    event("edit_ops_decision", asked, since, json!({"decision": word, "seconds_since_proposal": seconds}));
}
