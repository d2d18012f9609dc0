//! What a prompt is made of, read (spec: ai-sessions.md §7.4).
//!
//! Invariants: of several faults the first in the order of the specification is told; no policy lets a model apply or
//! leave out the check.

use std::collections::BTreeSet;

use holdpoint_check::{ApiError, Code, args, codes};
use holdpoint_tokens::Message;
use serde_json::Value;

use super::envelope::Envelope;
use super::layers::words;
use super::read::{At, WrongMember};
use super::snip::collapse;
use super::tools::{READ, WRITE};
use crate::dialect::input::{SessionMode as Mode, TargetType};
use crate::policy::is_asset_path;

codes! {
    /// a host composes a prompt from what a layer cannot be made of
    AI_PROMPT_COMPOSE_ERROR / TARGET_TYPE: Error, "Give `workflow`, `step`, `agent` or `asset` as `target_type`.";
    AI_PROMPT_COMPOSE_ERROR / MODE: Error, "Give `create` or `optimize` as `mode`.";
    AI_PROMPT_COMPOSE_ERROR / USER_PROMPT: Error, "Give what the person asks for: to create something needs words.";
    AI_PROMPT_COMPOSE_ERROR / SEVEN_KEYS: Error, "Give the seven members of the context and no others.";
    AI_PROMPT_COMPOSE_ERROR / WRITE_POLICY: Error, "Give the write policy.";
    AI_PROMPT_COMPOSE_ERROR / ALLOW_APPLY: Error, "Set it to false: only a person applies.";
    AI_PROMPT_COMPOSE_ERROR / REQUIRES_VALIDATION: Error, "Set it to true: nothing is proposed unchecked.";
    AI_PROMPT_COMPOSE_ERROR / NO_TOOL: Error, "Name tools of a session only; none of them applies.";
    AI_PROMPT_COMPOSE_ERROR / RULES: Error, "Give the rules of the organisation as a list of texts.";
    AI_PROMPT_COMPOSE_ERROR / HISTORY: Error, "Give the history as a summary and messages of `user` and `assistant`.";
    AI_PROMPT_COMPOSE_ERROR / PATHS: Error, "Give paths of assets: below assets/, of `A–Z a–z 0–9 . _ / -`.";
    INVALID_INPUT / JOINED: Error, "Say true or false: whether the system messages are joined.";
}

/// What a prompt is made of.
#[derive(Debug, Clone)]
pub struct ComposeRequest {
    /// What the session is about.
    pub target_type: TargetType,
    pub mode: Mode,
    /// The person's words, unchanged; those of the default where there are none.
    pub user_prompt: String,
    /// What the model is told of the project.
    pub envelope: Envelope,
    /// What the model may call, in order.
    pub tools: Vec<&'static str>,
    /// Of the organisation, each in one line.
    pub rules: Vec<String>,
    /// What went before, in short.
    pub summary: Option<String>,
    pub history: Vec<Message>,
    /// Of the assets that the target cites.
    pub paths: BTreeSet<String>,
    /// Whether the provider takes one system message only.
    pub merge_system: bool,
}

impl ComposeRequest {
    /// Reads it; the error is at the first member that is wrong.
    pub fn read(value: &Value) -> Result<Self, ApiError> {
        let root = At::root(value);
        let target_type = root.member("target_type");
        let target_type = told(&TARGET_TYPE, target_type.read(|value| TargetType::parse(value.as_str()?)))?;
        let mode = told(&MODE, root.member("mode").read(mode))?;
        let user_prompt = told(&USER_PROMPT, user_prompt(&root.member("user_prompt"), mode))?;
        let envelope = told(&SEVEN_KEYS, root.member("context_envelope").read(Envelope::read))?;
        write_policy(&root.member("write_policy"))?;
        let tools = told(&NO_TOOL, tools(&root.member("tool_profile")))?;
        let rules = told(&RULES, rules(&root.member("org_policy")))?;
        let (summary, history) = told(&HISTORY, history(&root.member("history")))?;
        let path = |at: &At<'_>| at.read(|value| value.as_str().filter(|path| is_asset_path(path)).map(str::to_owned));
        let paths = told(&PATHS, root.member("referenced_asset_paths").each(path))?;
        let merge_system = match root.member("merge_system").given() {
            Some(at) => told(&JOINED, at.read(Value::as_bool))?,
            None => false,
        };
        let paths = paths.into_iter().collect();
        Ok(Self { target_type, mode, user_prompt, envelope, tools, rules, summary, history, paths, merge_system })
    }
}

fn told<T>(code: &'static Code, read: Result<T, WrongMember>) -> Result<T, ApiError> {
    read.map_err(|WrongMember(pointer)| {
        let status = if code.name == "INVALID_INPUT" { 422 } else { 500 };
        ApiError::of(code, args! {}).status(status).with("pointer", pointer)
    })
}

fn mode(value: &Value) -> Option<Mode> {
    [Mode::Create, Mode::Optimize].into_iter().find(|mode| Some(mode.name()) == value.as_str())
}

fn user_prompt(at: &At<'_>, mode: Mode) -> Result<String, WrongMember> {
    let text = match at.clone().given() {
        Some(at) => at.text()?,
        None => "",
    };
    match mode {
        _ if !text.trim().is_empty() => Ok(text.to_owned()),
        Mode::Create => Err(at.fault()),
        Mode::Optimize => Ok(words().default_user_prompt.clone()),
    }
}

fn write_policy(at: &At<'_>) -> Result<(), ApiError> {
    told(&WRITE_POLICY, at.object())?;
    for (name, code, want, text) in
        [("allowApply", &ALLOW_APPLY, false, "false"), ("requiresValidation", &REQUIRES_VALIDATION, true, "true")]
    {
        let holds = |value: &Value| (value.as_bool() == Some(want) || value.as_str() == Some(text)).then_some(());
        told(code, at.member(name).read(holds))?;
    }
    Ok(())
}

/// The tools of the profile, those that read first; all where there is none.
fn tools(at: &At<'_>) -> Result<Vec<&'static str>, WrongMember> {
    let Some(at) = at.clone().given() else { return Ok([&READ[..], &WRITE].concat()) };
    at.object()?;
    let listed = |name: &str, known: &[&'static str]| {
        let tool = |item: &At<'_>| item.read(|value| known.iter().copied().find(|tool| Some(*tool) == value.as_str()));
        at.member(name).each(tool)
    };
    Ok([listed("read", &READ)?, listed("write", &WRITE)?].concat())
}

fn rules(at: &At<'_>) -> Result<Vec<String>, WrongMember> {
    let Some(at) = at.clone().given() else { return Ok(Vec::new()) };
    let list = at.object().ok().and_then(|_| at.member("rules").items().ok()).ok_or_else(|| at.fault())?;
    let lines = list.iter().map(|item| item.text().map(collapse)).collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| !line.is_empty()).collect())
}

fn history(at: &At<'_>) -> Result<(Option<String>, Vec<Message>), WrongMember> {
    let Some(at) = at.clone().given() else { return Ok((None, Vec::new())) };
    at.object()?;
    let summary = match at.member("summary").given() {
        Some(summary) => Some(summary.text()?).filter(|text| !text.trim().is_empty()).map(str::to_owned),
        None => None,
    };
    let message = |item: &At<'_>| {
        item.read(|value| {
            let role = value.get("role")?.as_str().filter(|role| matches!(*role, "user" | "assistant"))?;
            Some(Message::new(role, value.get("content")?.as_str()?))
        })
    };
    Ok((summary, at.member("messages").each(message)?))
}
