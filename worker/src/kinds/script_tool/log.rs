//! What is logged of the editor: metadata, never content (spec: script-tool.md §10).
//!
//! Invariant: every value here is an id, a number, a code or a tag of ours; nothing that a person or a model wrote
//! passes through this module.

use holdpoint_author::turn::Call;
use holdpoint_kinds::script_tool::outcome::Outcome;
use serde_json::{Value, json};

use super::question::{Ask, Question};
use crate::js::now_ms;
use crate::project::site::Over;

/// Logs one event of a request.
pub fn event(name: &str, question: &Question, since: i64, mut fields: Value) {
    fields["event"] = json!(name);
    fields["route"] = json!(question.route);
    fields["correlation_id"] = json!(question.correlation_id);
    fields["tool_id"] = json!(question.tool_id);
    fields["user_id"] = json!(question.principal.user_id);
    fields["elapsed_ms"] = json!(now_ms() - since);
    worker::console_log!("{fields}");
}

/// Logs a model call that is about to be made; answers what is known of it, for [`ended`].
pub fn request(question: &Question, since: i64, call: &Call, provider: &str, model: &str) -> Value {
    let mut fields = call.facts.clone();
    fields["provider"] = json!(provider);
    fields["model"] = json!(model);
    fields["failover_reason"] = json!("primary_default");
    let name = if is_chat(question) { "ai_chat_request" } else { "ai_chat_ops_request" };
    event(name, question, since, fields.clone());
    fields
}

/// How a request ended.
pub fn ended(question: &Question, over: &Over<'_>) {
    let mut fields = over.call.clone();
    fields["status"] = json!(over.status);
    fields["outcome"] = json!(over.outcome.unwrap_or("refused"));
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, &over.more) {
        fields.extend(more.clone());
    }
    let name = match (is_chat(question), over.outcome.and_then(Outcome::named)) {
        (false, _) => "ai_chat_ops_result",
        (true, Some(Outcome::Ok | Outcome::Empty)) => "ai_chat_done",
        (true, Some(Outcome::Cancelled)) => "ai_chat_cancelled",
        (true, _) => "ai_chat_failed",
    };
    event(name, question, over.since, fields);
}

fn is_chat(question: &Question) -> bool {
    matches!(question.ask, Ask::Chat { .. })
}

/// What a preview said.
pub fn preview(question: &Question, since: i64, body: &Value, answer: &Value) {
    let listed = |pointer: &str| answer.pointer(pointer).cloned().unwrap_or_default();
    let of = |list: &Value, name: &str| -> Vec<Value> {
        list.as_array().into_iter().flatten().map(|item| item[name].clone()).collect()
    };
    let fields = json!({
        "ops": body["ops"].as_array().map_or(0, Vec::len),
        "verdict": listed("/verdict"),
        "codes": of(&answer["error_details"], "code"),
        "tags": listed("/meta/normalizations_applied"),
        "rungs": of(&answer["meta"]["hunks"], "rung"),
        "fuzz_level": listed("/meta/fuzz_level_used"),
        "max_offset": listed("/meta/max_offset"),
    });
    event("edit_ops_preview", question, since, fields);
}

/// What a person decided; `asked_at` is when its proposal was asked for.
pub fn decision(question: &Question, since: i64, word: &str, asked_at: Option<i64>) {
    let seconds = asked_at.map(|at| (since - at) / 1_000);
    event("edit_ops_decision", question, since, json!({"decision": word, "seconds_since_proposal": seconds}));
}
