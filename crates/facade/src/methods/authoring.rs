//! Intent, plans, prompts, replies, runs, reviews (spec: authoring.md, facade.md).
//!
//! Reads inputs and writes outputs; what they mean is `holdpoint-author`'s.

use holdpoint_author::run::{Event, Run};
use holdpoint_bundle::Files;
use holdpoint_kinds::ifc_extension::{dialect, intent, plan, policy, prompts, review};
use holdpoint_kinds::planning::{IntentContext, MAX_TEXT_CHARS, Planning, PromptRequest, ToolCall};
use holdpoint_kinds::{AnyKind, KINDS, Kind, script_tool};
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use super::script;
use crate::{ApiError, Method, input};

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

fn intent_classify(value: Value) -> Result<Value, ApiError> {
    let Classify { text, context } = input(value)?;
    if text.chars().count() > MAX_TEXT_CHARS {
        return Err(ApiError::too_large(format!("Shorten the text to {MAX_TEXT_CHARS} characters.")));
    }
    Ok(json!(intent::classify(&text, &context)))
}

#[derive(Deserialize)]
struct Check {
    #[serde(default)]
    plan: Value,
    files: Option<Files>,
    base: Option<Files>,
}

fn plan_check(value: Value) -> Result<Value, ApiError> {
    if value.get("plan").is_none() {
        return Err(ApiError::invalid_input("/plan", "Give a plan; it may be any JSON."));
    }
    let Check { plan, files, base } = input(value)?;
    if plan.to_string().len() > MAX_PLAN_BYTES {
        return Err(ApiError::too_large("Shorten the plan."));
    }
    [&files, &base].into_iter().flatten().try_for_each(bounded)?;
    Ok(json!(plan::check(&plan, files.as_ref(), base.as_ref())))
}

fn prompt_compose(value: Value) -> Result<Value, ApiError> {
    let kind = value.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if kind == script_tool::ScriptTool::ID {
        return script::prompt_compose(value);
    }
    planning(&kind)?;
    let request: PromptRequest = input(value)?;
    bounded(&request.files)?;
    let prompt = prompts::compose(&request).map_err(|too_large| {
        ApiError::new("PROMPT_TOO_LARGE", too_large.to_string())
            .with_details(json!({"tokens": too_large.tokens, "limit": too_large.limit}))
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

fn reply_parse(value: Value) -> Result<Value, ApiError> {
    let Parse { reply, tool_calls, base, finish_reason } = input(value)?;
    bounded(&base)?;
    let parsed = dialect::parse(reply.as_deref(), &tool_calls, &base, finish_reason.as_deref(), &policy::POLICY);
    parsed.map(|parsed| json!(parsed)).map_err(|error| ApiError::too_large(error.to_string()))
}

#[derive(Deserialize)]
struct Replay {
    kind: String,
    events: Vec<Event>,
    #[serde(default)]
    base: Files,
}

fn run_replay(value: Value) -> Result<Value, ApiError> {
    let Replay { kind, events, base } = input(value)?;
    let planning = planning(&kind)?;
    bounded(&base)?;
    if events.len() > MAX_EVENTS {
        return Err(ApiError::too_large(format!("Replay at most {MAX_EVENTS} events.")));
    }
    let (run, effects) = Run::replay(planning, base, &events);
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

fn bundle_review(value: Value) -> Result<Value, ApiError> {
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

/// The answers of a kind that plans.
fn planning(name: &str) -> Result<&'static dyn Planning, ApiError> {
    let plans = |kind: &&'static dyn AnyKind| Some((kind.id(), kind.parts().planning?));
    let all: Vec<(&str, &dyn Planning)> = KINDS.iter().filter_map(plans).collect();
    let found = all.iter().find(|(id, _)| *id == name).map(|(_, planning)| *planning);
    found.ok_or_else(|| no_kind(name, all.iter().map(|(id, _)| *id)))
}

/// `INVALID_INPUT` for a kind that a method does not know.
pub(super) fn no_kind<'i>(name: &str, known: impl Iterator<Item = &'i str>) -> ApiError {
    let known: Vec<String> = known.map(|id| format!("`{id}`")).collect();
    ApiError::invalid_input("/kind", format!("There is no kind `{name}` here. Use {}.", known.join(" or ")))
}

#[cfg(test)]
pub mod reference;
