//! Intent, plans, prompts, replies, reviews as methods (spec: authoring.md, facade.md).

use holdpoint_bundle::Files;
use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use crate::planning::{IntentContext, MAX_TEXT_CHARS, PromptRequest, ToolCall};
use crate::{Origin, dialect, intent, plan, policy, prompts, review};

/// The methods of this file.
pub const METHODS: Group = &[
    ("intent.classify", intent_classify),
    ("plan.check", plan_check),
    ("plan.diff", plan_diff),
    ("reply.parse", reply_parse),
    ("bundle.review", bundle_review),
];

codes! {
    INPUT_TOO_LARGE / TEXT: Error, "Shorten the text to {limit} characters." [limit];
    INPUT_TOO_LARGE / PLAN: Error, "Shorten the plan.";
    INVALID_INPUT / NO_PLAN: Error, "Give a plan; it may be any JSON.";
}

/// It counts the bytes of a plan.
const MAX_PLAN_BYTES: usize = 1 << 20;

#[derive(Deserialize)]
struct Classify {
    text: String,
    #[serde(default)]
    context: IntentContext,
}

fn intent_classify(value: Value) -> Result<Value, ApiError> {
    let Classify { text, context } = input(value)?;
    if text.chars().count() > MAX_TEXT_CHARS {
        return Err(ApiError::of(&TEXT, args! { limit: MAX_TEXT_CHARS }).status(413));
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
        return Err(ApiError::at("/plan", &NO_PLAN, args! {}));
    }
    let Check { plan, files, base } = input(value)?;
    if plan.to_string().len() > MAX_PLAN_BYTES {
        return Err(ApiError::of(&PLAN, args! {}).status(413));
    }
    [&files, &base].into_iter().flatten().try_for_each(bounded)?;
    Ok(json!(plan::check(&plan, files.as_ref(), base.as_ref())))
}

#[derive(Deserialize)]
struct Compare {
    #[serde(default)]
    plan: Value,
    base: Files,
    /// What its user granted of `base`.
    base_granted: Option<Vec<String>>,
}

fn plan_diff(value: Value) -> Result<Value, ApiError> {
    if value.get("plan").is_none() {
        return Err(ApiError::at("/plan", &NO_PLAN, args! {}));
    }
    let Compare { plan, base, base_granted } = input(value)?;
    if plan.to_string().len() > MAX_PLAN_BYTES {
        return Err(ApiError::of(&PLAN, args! {}).status(413));
    }
    bounded(&base)?;
    Ok(json!(plan::against(&plan, &base, base_granted.as_deref())))
}

pub fn prompt_compose(value: Value) -> Result<Value, ApiError> {
    let request: PromptRequest = input(value)?;
    bounded(&request.files)?;
    let prompt = prompts::compose(&request).map_err(|too_large| {
        let error = ApiError::from(too_large.finding());
        error.with("tokens", too_large.tokens).with("limit", too_large.limit)
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
    parsed.map(|parsed| json!(parsed)).map_err(|error| ApiError::from(error.finding()).status(413))
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
    #[serde(default)]
    origin: Origin,
}

fn bundle_review(value: Value) -> Result<Value, ApiError> {
    let Reviewed { files, base, base_granted, plan, granted, origin } = input(value)?;
    bounded(&files)?;
    base.as_ref().map_or(Ok(()), bounded)?;
    Ok(json!(review::review(&review::Proposed {
        base: base.as_ref(),
        base_granted: base_granted.as_deref(),
        files: &files,
        plan: plan.as_ref(),
        granted: granted.as_deref(),
        origin,
    })))
}

#[cfg(feature = "schema")]
pub mod reference;
