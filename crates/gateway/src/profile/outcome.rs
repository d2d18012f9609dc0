//! How a call with a user's model ended, as its user hears of it, and what to try after a test
//! (spec: ai-sessions.md §8 "Test", §12).
//!
//! Invariant: what a provider said is never part of a sentence of ours; it stands apart, redacted and cut, where it is
//! shown at all.

use std::borrow::Cow;

use holdpoint_check::code::{Args, Sentence};
use holdpoint_check::{ApiError, args};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::codes::{
    AI_PROVIDER_TIMEOUT, AI_PROVIDER_UNREACHABLE, HINT_FIELD, HINT_HOST, HINT_KEY, HINT_KEY_MISSING, HINT_KEY_MODEL,
    HINT_LATER, HINT_LOAD, HINT_LONGER, HINT_MODEL, HINT_PATH, HINT_POLICY, HINT_PROTOCOL, HINT_QUOTA, HINT_SET_UP,
    HINT_TARGET, REDIRECT, STATUS, TESTED, TOO_LARGE, UNREADABLE,
};
use super::{MAX_SAID, Own};
use crate::redact;
use crate::refusal::Code;

/// What a refusal of a relay carries beside its code, where it came of the resolution: the error itself.
const CAUSE: &str = "cause";

/// A refusal of a model's call in the words of AS §12. `None`: it is the gateway's own, and stays as it is (budgets,
/// rates, the ledger).
pub fn told(code: &str, details: &Map<String, Value>) -> Option<ApiError> {
    if let Some(error) = details.get(CAUSE).and_then(caused) {
        return Some(error);
    }
    let status = details.get("upstream_status").and_then(Value::as_u64);
    let error = match Code::parse(code)? {
        Code::UpstreamRedirect => ApiError::of(&REDIRECT, args! {}).status(502),
        Code::UpstreamTooLarge => ApiError::of(&TOO_LARGE, args! {}).status(502),
        Code::UpstreamAuthFailed
        | Code::ByokKeyRejected
        | Code::UpstreamRateLimited
        | Code::UpstreamBadRequest
        | Code::UpstreamError => match status {
            Some(status) => ApiError::of(&STATUS, args! { status }).status(502),
            None => ApiError::of(&UNREADABLE, args! {}).status(502),
        },
        Code::UpstreamProtocolError | Code::UpstreamStreamError | Code::UpstreamStreamCut => {
            ApiError::of(&UNREADABLE, args! {}).status(502)
        }
        Code::UpstreamTimeout | Code::UpstreamStalled => ApiError::of(&AI_PROVIDER_TIMEOUT, args! {}).status(504),
        Code::UpstreamUnreachable | Code::AllProvidersUnavailable => {
            ApiError::of(&AI_PROVIDER_UNREACHABLE, args! {}).status(502)
        }
        _ => return None,
    };
    let words = ["upstream_status", "upstream", "retry_after_ms"];
    Some(words.into_iter().fold(error, |error, name| match details.get(name) {
        Some(value) => error.with(name, value.clone()),
        None => error,
    }))
}

/// What a relay adds to a refusal that came of the resolution, for [`told`].
pub fn because(error: &ApiError) -> Value {
    json!({ CAUSE: { "status": error.status, "error": error } })
}

fn caused(cause: &Value) -> Option<ApiError> {
    let error: ApiError = serde_json::from_value(cause["error"].clone()).ok()?;
    Some(error.status(cause["status"].as_u64()? as u16))
}

/// A provider's words as they may be seen: without the key in use, without secrets, cut.
pub fn said(words: &str, key: Option<&str>) -> String {
    // An error of the protocol has its sentence in it; the rest is for machines. First of all: in JSON a key may be spelled
    // in many ways, in its sentence in one.
    let sentence = serde_json::from_str::<Value>(words).ok().and_then(|body| {
        let error = &body["error"];
        error["message"].as_str().or(error.as_str()).or(body["message"].as_str()).map(str::to_owned)
    });
    let words = redact::key(sentence.as_deref().unwrap_or(words), key.unwrap_or_default());
    let (words, _) = redact::text(&words);
    let plain: String = words.chars().map(|c| if is_unseen(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let words = words.join(" ");
    match words.char_indices().nth(MAX_SAID) {
        None => words,
        Some(_) => words.chars().take(MAX_SAID - 1).chain(['…']).collect(),
    }
}

/// What is no letter of a sentence: controls, and what turns the direction of the words behind it.
fn is_unseen(letter: char) -> bool {
    let turns =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || turns
}

/// What a provider answered to a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ProviderSaid"))]
pub struct ProviderWords {
    pub status: u16,
    /// Redacted, at most 300 characters.
    pub text: String,
}

/// What a test found. The sentences are said in the reader's language by who answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    pub ok: bool,
    pub told: Sentence,
    /// What to try: at least one where it is not ok.
    pub hints: Vec<Sentence>,
    /// What the provider said, where it said something.
    pub said: Option<ProviderWords>,
}

impl Trial {
    pub fn good() -> Self {
        Self { ok: true, told: Sentence::of(&TESTED, args! {}), hints: Vec::new(), said: None }
    }

    /// It did not, or was never asked. `own`: with what it was asked.
    pub fn failed(error: &ApiError, own: Option<&Own>) -> Self {
        let status = error.details.get("upstream_status").and_then(Value::as_u64);
        let text = error.details.get("upstream").and_then(Value::as_str).unwrap_or_default();
        Self {
            ok: false,
            told: Sentence {
                code: Cow::Owned(error.code.clone()),
                message: error.message.clone(),
                args: error.args.clone(),
            },
            hints: hints(error, status, own),
            said: status.map(|status| ProviderWords { status: status as u16, text: text.to_owned() }),
        }
    }
}

fn hints(error: &ApiError, status: Option<u64>, own: Option<&Own>) -> Vec<Sentence> {
    let hint = |code, args: Args<'_>| Sentence::of(code, args);
    let Some(own) = own else {
        return match error.code.as_str() {
            "AI_DISABLED" => vec![hint(&HINT_SET_UP, args! {})],
            "LLM_PROFILE_ORG_POLICY_BLOCKED" => vec![hint(&HINT_POLICY, args! {})],
            _ => vec![hint(&HINT_FIELD, args! {})],
        };
    };
    let (model, url) = (&own.model, format!("{}/chat/completions", own.base_url));
    let host = own.base_url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
    match (error.code.as_str(), status) {
        ("AI_PROVIDER_TIMEOUT", _) => {
            vec![hint(&HINT_LONGER, args! { seconds: own.timeout_seconds }), hint(&HINT_LOAD, args! {})]
        }
        ("LLM_PROFILE_INVALID_BASE_URL" | "AI_PROVIDER_UNREACHABLE", _) => vec![hint(&HINT_HOST, args! { host })],
        (_, Some(300..=399)) => vec![hint(&HINT_TARGET, args! {})],
        (_, Some(401 | 403)) if own.key.is_none() => vec![hint(&HINT_KEY_MISSING, args! {})],
        (_, Some(401 | 403)) => vec![hint(&HINT_KEY, args! {}), hint(&HINT_KEY_MODEL, args! { model })],
        (_, Some(429)) => vec![hint(&HINT_QUOTA, args! {})],
        (_, Some(400..=499)) => vec![hint(&HINT_MODEL, args! { model }), hint(&HINT_PATH, args! { url })],
        (_, Some(_)) => vec![hint(&HINT_LATER, args! {})],
        _ => vec![hint(&HINT_PROTOCOL, args! {}), hint(&HINT_PATH, args! { url })],
    }
}
