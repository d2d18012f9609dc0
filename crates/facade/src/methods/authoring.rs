//! Intent, plans, prompts, replies, runs, reviews (spec: authoring.md, facade.md).
//!
//! Reads inputs and writes outputs; what they mean is `holdpoint-author`'s.

use holdpoint_author::intent::{IntentContext, MAX_TEXT_CHARS, classify};
use holdpoint_author::run::{Event, Run, ToolCall};
use holdpoint_author::{Files, kind, plan, prompt, reply, review};
use holdpoint_kinds::script_tool;
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use super::script;
use super::too_large;
use crate::{ErrorAnswer, Method, input};

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[
    ("intent.classify", intent_classify),
    ("plan.check", plan_check),
    ("prompt.compose", prompt_compose),
    ("reply.parse", reply_parse),
    ("run.replay", run_replay),
    ("bundle.review", bundle_review),
];

/// Bytes of a plan.
const MAX_PLAN_BYTES: usize = 1 << 20;
/// Events of a log.
const MAX_EVENTS: usize = 2_000;

#[derive(Deserialize)]
struct Classify {
    text: String,
    #[serde(default)]
    context: IntentContext,
}

fn intent_classify(value: Value) -> Result<Value, ErrorAnswer> {
    let Classify { text, context } = input(value)?;
    if text.chars().count() > MAX_TEXT_CHARS {
        return Err(too_large(&format!("Shorten the text to {MAX_TEXT_CHARS} characters.")));
    }
    Ok(json!(classify(&text, &context)))
}

#[derive(Deserialize)]
struct Check {
    #[serde(default)]
    plan: Value,
    files: Option<Files>,
    base: Option<Files>,
}

fn plan_check(value: Value) -> Result<Value, ErrorAnswer> {
    if value.get("plan").is_none() {
        return Err(ErrorAnswer::invalid_input("/plan", "Give a plan; it may be any JSON."));
    }
    let Check { plan, files, base } = input(value)?;
    if plan.to_string().len() > MAX_PLAN_BYTES {
        return Err(too_large("Shorten the plan."));
    }
    [&files, &base].into_iter().flatten().try_for_each(bounded)?;
    Ok(json!(plan::check(&plan, files.as_ref(), base.as_ref())))
}

fn prompt_compose(value: Value) -> Result<Value, ErrorAnswer> {
    let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if kind == script_tool::KIND {
        return script::prompt_compose(value);
    }
    kind_exists(&kind)?;
    let request: prompt::Request = input(value)?;
    bounded(&request.files)?;
    let prompt = prompt::compose(&request).map_err(|too_large| {
        ErrorAnswer::new("PROMPT_TOO_LARGE", too_large.to_string())
            .with(json!({"tokens": too_large.tokens, "limit": too_large.limit}))
    })?;
    Ok(json!(prompt))
}

#[derive(Deserialize)]
struct Parse {
    reply: Option<String>,
    #[serde(default)]
    tool_calls: Vec<ToolCall>,
    #[serde(default)]
    base: Files,
    finish_reason: Option<String>,
}

fn reply_parse(value: Value) -> Result<Value, ErrorAnswer> {
    let Parse { reply, tool_calls, base, finish_reason } = input(value)?;
    bounded(&base)?;
    let parsed = reply::parse(reply.as_deref(), &tool_calls, &base, finish_reason.as_deref(), kind::policy());
    parsed.map(|parsed| json!(parsed)).map_err(|error| too_large(&error.to_string()))
}

#[derive(Deserialize)]
struct Replay {
    kind: String,
    events: Vec<Event>,
    #[serde(default)]
    base: Files,
}

fn run_replay(value: Value) -> Result<Value, ErrorAnswer> {
    let Replay { kind, events, base } = input(value)?;
    kind_exists(&kind)?;
    bounded(&base)?;
    if events.len() > MAX_EVENTS {
        return Err(too_large(&format!("Replay at most {MAX_EVENTS} events.")));
    }
    let (run, effects) = Run::replay(&kind, base, &events);
    Ok(json!({
        "state": run.state(),
        "attempt": run.attempt(),
        "reason": run.reason(),
        "best": run.best(),
        "effects": effects,
    }))
}

#[derive(Deserialize)]
struct Reviewed {
    files: Files,
    /// The installed files; absent or null when it is not installed.
    base: Option<Files>,
    /// What its user granted of `base`.
    base_granted: Option<Vec<String>>,
    plan: Option<Value>,
    granted: Option<Vec<String>>,
}

fn bundle_review(value: Value) -> Result<Value, ErrorAnswer> {
    let Reviewed { files, base, base_granted, plan, granted } = input(value)?;
    bounded(&files)?;
    base.as_ref().map_or(Ok(()), bounded)?;
    Ok(json!(review::review(&review::Proposed {
        base: base.as_ref(),
        base_granted: base_granted.as_deref(),
        files: &files,
        plan: plan.as_ref(),
        granted: granted.as_deref(),
    })))
}

fn kind_exists(name: &str) -> Result<(), ErrorAnswer> {
    if name == kind::IFC_EXTENSION {
        return Ok(());
    }
    Err(ErrorAnswer::invalid_input("/kind", format!("There is no kind `{name}` here. Use `{}`.", kind::IFC_EXTENSION)))
}

#[cfg(test)]
pub mod reference;
